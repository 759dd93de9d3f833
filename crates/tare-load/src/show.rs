//! Bytes in a form for people, for errors.

/// The most bytes of a message that are shown.
const SHOWN: usize = 200;

/// The first bytes, escaped and quoted, with the length if it was cut.
pub(crate) fn bytes(bytes: &[u8]) -> String {
    window(bytes, 0)
}

/// About 200 bytes around `at`, escaped and quoted, with their range if it was cut.
pub(crate) fn window(bytes: &[u8], at: usize) -> String {
    if bytes.is_empty() {
        return "nothing".to_owned();
    }
    let start = if bytes.len() <= SHOWN {
        0
    } else {
        at.saturating_sub(SHOWN / 2).min(bytes.len() - SHOWN)
    };
    let end = (start + SHOWN).min(bytes.len());
    let text = bytes[start..end].escape_ascii();
    match (start, end == bytes.len()) {
        (0, true) => format!("\"{text}\""),
        _ => format!("\"{text}\" (bytes {start}..{end} of {})", bytes.len()),
    }
}

/// The position where two messages first differ; the length of the shorter one if it is the start of the other.
pub(crate) fn first_difference(a: &[u8], b: &[u8]) -> usize {
    a.iter()
        .zip(b)
        .position(|(a, b)| a != b)
        .unwrap_or(a.len().min(b.len()))
}

/// "expected …, got …" around the first difference.
pub(crate) fn difference(expected: &[u8], got: &[u8]) -> String {
    let at = first_difference(expected, got);
    format!(
        "expected {}\n  got      {}\n  first difference at byte {at}",
        window(expected, at),
        window(got, at)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_messages_are_cut_around_the_difference() {
        let a = vec![b'a'; 1000];
        let mut b = a.clone();
        b[700] = b'\n';
        let text = difference(&a, &b);
        assert!(text.contains("first difference at byte 700"), "{text}");
        assert!(
            text.contains("\\n") && text.contains("(bytes 600..800 of 1000)"),
            "{text}"
        );
        assert!(text.len() < 800, "{text}");
    }

    #[test]
    fn short_messages_are_shown_whole() {
        assert_eq!(bytes(b"14\r\n"), "\"14\\r\\n\"");
        assert_eq!(bytes(b""), "nothing");
        assert_eq!(first_difference(b"14\n", b"14"), 2);
    }
}
