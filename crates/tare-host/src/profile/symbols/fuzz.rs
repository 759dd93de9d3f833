//! Programs whose tables point anywhere.

use super::super::harness;
use super::Symbols;

#[test]
fn tables_of_symbols() {
    harness::fuzz(
        "elf",
        &["\u{7f}ELF\u{2}\u{1}", "\u{0}\u{0}\u{0}\u{0}", "main"],
        |bytes| {
            let Some(symbols) = Symbols::parse(bytes) else {
                return;
            };
            assert!(symbols.names.is_sorted() && symbols.names.iter().all(|(_, name)| !name.is_empty()));
            for offset in [0, 1, 0x100, 0x1000, u64::MAX] {
                let found = symbols.before(offset);
                assert!(found.is_none_or(|name| symbols.names.iter().any(|(_, known)| known == name)));
            }
        },
    );
}
