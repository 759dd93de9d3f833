//! Linkers that put functions in a random order, and how compilers are told.

/// The option of lld.
pub(crate) fn lld(seed: u64) -> String {
    format!("-Wl,--shuffle-sections=.text*={seed}")
}

/// Every linker that can do it, with the options of GCC and Clang that choose it and draw an order.
pub(crate) fn all(seed: u64) -> [(&'static str, Vec<String>); 2] {
    let mold = format!("-Wl,--shuffle-sections={seed}");
    [
        ("lld", vec!["-fuse-ld=lld".to_owned(), lld(seed)]),
        ("mold", vec!["-fuse-ld=mold".to_owned(), mold]),
    ]
}
