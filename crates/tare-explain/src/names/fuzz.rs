//! Symbols that a program chose for itself.

#[path = "../../../../fuzz/harness.rs"]
mod harness;

use super::readable;

/// Every language's rules are tried on each symbol: a name is never lost, never many times as long, and no control
/// characters are added.
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
                let context = format!("{language}, {image}: {symbol:?} as {name:?}");
                assert_eq!(name.is_empty(), symbol.is_empty(), "{context}");
                assert!(name.len() <= symbol.len() + "(anonymous) ".len(), "{context}");
                assert!(control(&symbol) || !control(&name), "{context}");
            }
        }
    });
}
