//! Symbols that a program chose for itself.

#[path = "../../../../fuzz/harness.rs"]
mod harness;

use super::readable;

/// Every language's way is tried on each: a name is never lost, never many times as long, and what a terminal would obey is
/// not brought in.
#[test]
fn fuzz_symbols() {
    let words = [
        "zi",
        "ZC",
        "z1bU",
        "z0aU",
        "z24",
        "z10ffffU",
        "_info",
        "_",
        "::h0123456789abcdef",
        "(",
        " (",
        ".",
        " ",
        "LazyCompile:",
        "JS:*",
        "node:",
        ":",
        "/",
        "é",
    ];
    harness::fuzz("symbol", &words, |bytes| {
        let symbol = String::from_utf8_lossy(bytes);
        let control = |text: &str| text.chars().any(char::is_control);
        for language in ["haskell", "java", "node", "rust", "c"] {
            for image in ["[jit]", "server", "[kernel]"] {
                let name = readable(&symbol, image, &[language.to_owned()]);
                let told = format!("{language}, {image}: {symbol:?} as {name:?}");
                assert_eq!(name.is_empty(), symbol.is_empty(), "{told}");
                assert!(name.len() <= symbol.len() + "(anonymous) ".len(), "{told}");
                assert!(control(&symbol) || !control(&name), "{told}");
            }
        }
    });
}
