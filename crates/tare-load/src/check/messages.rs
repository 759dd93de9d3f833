//! Messages of gRPC in a body, each behind a prefix of five bytes: whether it is compressed, and its length.

use crate::show;

/// The length of a prefix.
pub(crate) const PREFIX: usize = 5;

/// A message behind its prefix, not compressed.
pub(crate) fn prefixed(message: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(PREFIX + message.len());
    bytes.push(0);
    bytes.extend_from_slice(&(message.len() as u32).to_be_bytes());
    bytes.extend_from_slice(message);
    bytes
}

/// Whether a body is messages that are not compressed: any number of them, or exactly one. Returns how many.
///
/// # Errors
/// What was expected, and what was found.
pub(crate) fn check(body: &[u8], several: bool) -> Result<usize, String> {
    let (mut at, mut found) = (0, 0);
    while at < body.len() {
        at = message(body, at, found)?;
        found += 1;
    }
    if !several && found != 1 {
        let got = show::bytes(body);
        let hint = if found > 1 {
            "; of a call that streams its answer: --server-streaming"
        } else {
            ""
        };
        return Err(format!("expected one message\n  got      {found}: {got}{hint}"));
    }
    Ok(found)
}

/// Where the message that begins at `at` ends. `before`: the number of messages before it.
fn message(body: &[u8], at: usize, before: usize) -> Result<usize, String> {
    let rest = &body[at..];
    let wrong = |what: String| {
        let got = show::bytes(rest);
        Err(format!(
            "message {} of the answer: {what}\n  got      {got}",
            before + 1
        ))
    };
    let Some((&[compressed, a, b, c, d], content)) = rest.split_first_chunk() else {
        return wrong(format!(
            "expected its prefix of {PREFIX} bytes, found {}",
            rest.len()
        ));
    };
    let length = u32::from_be_bytes([a, b, c, d]) as usize;
    match compressed {
        0 if length <= content.len() => Ok(at + PREFIX + length),
        0 => wrong(format!(
            "expected {length} bytes after its prefix, found {}",
            content.len()
        )),
        1 => wrong("it is compressed, which nobody asked for".to_owned()),
        other => wrong(format!(
            "expected a prefix that begins with 0 (not compressed), found {other}"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_their_length_before_them() {
        assert_eq!(prefixed(b"abc"), b"\0\0\0\0\x03abc");
        assert_eq!(prefixed(b""), b"\0\0\0\0\0");
    }

    #[test]
    fn messages_are_counted() {
        let two = [prefixed(b"ab"), prefixed(b"")].concat();
        assert_eq!(check(&two, true), Ok(2));
        assert_eq!(check(b"", true), Ok(0));
        assert_eq!(check(&prefixed(b"x"), false), Ok(1));
    }

    #[test]
    fn what_are_no_messages_is_told() {
        for (body, several, why) in [
            (&b""[..], false, "expected one message\n  got      0"),
            (&b"\0\0\0\0\0\0\0\0\0\0"[..], false, "got      2: \"\\x00"),
            (
                b"\0\0\0",
                true,
                "message 1 of the answer: expected its prefix of 5 bytes, found 3",
            ),
            (
                b"\0\0\0\0\x02a",
                true,
                "expected 2 bytes after its prefix, found 1",
            ),
            (
                b"\0\0\0\0\0\x01\0\0\0\0",
                true,
                "message 2 of the answer: it is compressed",
            ),
            (b"\x09\0\0\0\0", true, "begins with 0 (not compressed), found 9"),
            (b"\0\xff\xff\xff\xff", true, "expected 4294967295 bytes"),
        ] {
            let found = check(body, several).unwrap_err();
            assert!(found.contains(why), "{found}");
        }
    }
}
