//! What a generator process of another machine may say.

use super::message::Message;
use crate::drivers::probe::ask::fuzz::harness;

#[test]
fn fuzz_words_of_generators() {
    let words = [
        "ready",
        "so far ",
        "\"requests\":",
        "null",
        "-1",
        "1e999",
        "18446744073709551616",
        "\u{0}",
    ];
    harness::fuzz("generator", &words, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        if let Some(message) = Message::parse(text.trim_end_matches('\n')) {
            let line = message.line();
            assert_eq!(line.matches('\n').count(), 1, "{line}");
            assert!(Message::parse(line.trim_end_matches('\n')).is_some(), "{line}");
        }
    });
}

/// What is kept to be mangled is understood as it is.
#[test]
fn the_corpus_has_every_word() {
    let kept = harness::corpus("generator");
    let understood = kept
        .iter()
        .filter_map(|(_, bytes)| Message::parse(std::str::from_utf8(bytes).ok()?));
    let mut kinds: Vec<_> = understood
        .map(|message| std::mem::discriminant(&message))
        .collect();
    kinds.dedup();
    assert_eq!(kinds.len(), 4, "{kept:?}");
}
