//! What anybody may send to an agent, and what somebody with the key may say.

#[path = "../../../fuzz/harness.rs"]
mod harness;

use crate::frame::{Frames, GREETING};
use crate::message::{FromAgent, ToAgent};
use crate::{greeting, holding, link};

/// However the bytes come in pieces, the frames are the same, and no more is kept than one may have.
#[test]
fn fuzz_greetings_of_strangers() {
    let words = [
        "\"protocol\":",
        "\"nonce\":",
        "{",
        "\u{0}\u{0}\u{0}\u{4}",
        "\u{7f}",
        "18446744073709551616",
    ];
    harness::fuzz("greeting", &words, |bytes| {
        let whole = contents(bytes, bytes.len().max(1));
        assert_eq!(contents(bytes, 3), whole);
        for content in whole {
            assert!(content.len() <= GREETING);
            greeting::probe(&content);
        }
        greeting::probe(bytes);
    });
}

fn contents(bytes: &[u8], step: usize) -> Vec<Vec<u8>> {
    let (mut frames, mut found) = (Frames::new(GREETING), Vec::new());
    for piece in bytes.chunks(step) {
        frames.push(piece);
        while let Ok(Some(content)) = frames.next() {
            found.push(content);
        }
    }
    found
}

#[test]
fn fuzz_messages_of_agents_and_conductors() {
    let words = [
        "\"said\"",
        "\"load\"",
        "null",
        "-1",
        "1e999",
        "\"\u{100}\"",
        "[",
        "18446744073709551616",
    ];
    harness::fuzz("agent", &words, |bytes| {
        link::probe::<ToAgent>(bytes);
        link::probe::<FromAgent>(bytes);
        if let Ok(line) = std::str::from_utf8(bytes) {
            let _ = holding::read::<holding::Question>(line);
            let _ = holding::read::<holding::Answer>(line);
        }
    });
}

/// What is kept to be mangled are messages of today.
#[test]
fn the_corpus_has_messages_of_each_side() {
    use crate::part::tests::part;
    let load = ToAgent::Load(Box::new(part()));
    let text = format!("{{\"said\":{}}}", serde_json::to_string(&load).unwrap());
    let kept = harness::corpus("agent");
    assert!(
        kept.iter()
            .any(|(_, bytes)| bytes.trim_ascii() == text.as_bytes()),
        "keep in fuzz/corpus/agent/load: {text}"
    );
    // Each is of one side or the other, and of slices there is one of each kind.
    let mut slices = 0;
    for (name, bytes) in &kept {
        let said: serde_json::Value = serde_json::from_slice(bytes).unwrap_or_default();
        let Some(message) = said.get("said") else { continue };
        let of_conductor = serde_json::from_value::<ToAgent>(message.clone());
        slices += usize::from(matches!(
            of_conductor,
            Ok(ToAgent::Stand(_)
                | ToAgent::Serve { .. }
                | ToAgent::Leave(_)
                | ToAgent::Slice(_)
                | ToAgent::Reach(_))
        ));
        let of_agent = serde_json::from_value::<FromAgent>(message.clone());
        assert!(of_conductor.is_ok() || of_agent.is_ok(), "{name:?}: {message}");
    }
    assert_eq!(slices, 6);
}
