//! Lines and header fields, as HTTP (RFC 9112 §5) and CGI (RFC 3875 §6) share them.

use std::ops::Range;

/// The longest head: 256 KiB. Clients differ (Node accepts 16 KiB, curl 300 KiB, Go 1 MiB); a head of 100 KB is unusual
/// but right, and an endless one stops here.
pub(super) const LONGEST_HEAD: usize = 256 << 10;

/// A header field; ranges are of the bytes it was parsed from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: Range<usize>,
    /// Without the space around it.
    pub(crate) value: Range<usize>,
}

/// Why bytes are not what was to be parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ParseError {
    /// They end too early: at least this number of bytes is needed in all.
    Incomplete(usize),
    /// They are invalid, whatever follows.
    Invalid {
        /// At which byte.
        at: usize,
        why: &'static str,
    },
}

pub(super) fn invalid<T>(at: usize, why: &'static str) -> Result<T, ParseError> {
    Err(ParseError::Invalid { at, why })
}

/// The line that begins at `at`, without its end (CR LF, or LF alone: RFC 9112 §2.2), and where the next line begins.
pub(super) fn line(bytes: &[u8], at: usize, longest: usize) -> Result<(Range<usize>, usize), ParseError> {
    let rest = &bytes[at..];
    match rest.iter().take(longest).position(|&byte| byte == b'\n') {
        Some(len) => {
            let end = at + len - usize::from(len > 0 && rest[len - 1] == b'\r');
            Ok((at..end, at + len + 1))
        }
        None if rest.len() >= longest => invalid(at, "a line or head that is too long"),
        None => Err(ParseError::Incomplete(bytes.len() + 1)),
    }
}

/// The fields from `at` to the empty line that ends a head, which begins at `start`; and where the body begins.
pub(super) fn fields(bytes: &[u8], start: usize, mut at: usize) -> Result<(Vec<Field>, usize), ParseError> {
    let mut fields = Vec::new();
    loop {
        let left = (start + LONGEST_HEAD).saturating_sub(at);
        let (found, next) = line(bytes, at, left)?;
        if found.is_empty() {
            return Ok((fields, next));
        }
        fields.push(field(bytes, found)?);
        at = next;
    }
}

pub(super) fn field(bytes: &[u8], line: Range<usize>) -> Result<Field, ParseError> {
    let text = &bytes[line.clone()];
    let Some(colon) = text.iter().position(|&byte| byte == b':') else {
        return invalid(line.start, "a header line without a colon");
    };
    // Also refuses folded lines and space before the colon (RFC 9112 §5.1, §5.2).
    if !is_token(&text[..colon]) {
        return invalid(line.start, "an invalid header name");
    }
    let after = &text[colon + 1..];
    if let Some(odd) = after.iter().position(|&byte| !is_text(byte)) {
        return invalid(
            line.start + colon + 1 + odd,
            "a control character in a header value",
        );
    }
    let value = after.trim_ascii();
    let before = after.len() - after.trim_ascii_start().len();
    let start = line.start + colon + 1 + before;
    Ok(Field {
        name: line.start..line.start + colon,
        value: start..start + value.len(),
    })
}

/// The values of all fields of a name, whatever its case.
pub(super) fn values<'a>(
    fields: &'a [Field],
    bytes: &'a [u8],
    name: &'a str,
) -> impl Iterator<Item = &'a [u8]> {
    fields
        .iter()
        .filter(move |field| bytes[field.name.clone()].eq_ignore_ascii_case(name.as_bytes()))
        .map(move |field| &bytes[field.value.clone()])
}

/// The value of the first field of a name, whatever its case.
pub(super) fn value<'b>(fields: &[Field], bytes: &'b [u8], name: &str) -> Option<&'b [u8]> {
    let named = |field: &&Field| bytes[field.name.clone()].eq_ignore_ascii_case(name.as_bytes());
    let field = fields.iter().find(named)?;
    Some(&bytes[field.value.clone()])
}

/// A length in decimal digits.
pub(super) fn length(text: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(text).ok()?;
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}

/// A status code and its reason, such as `200 OK`. A missing reason is accepted, with or without its space.
pub(super) fn status(text: &[u8], at: usize) -> Result<u16, ParseError> {
    match text {
        [a @ b'1'..=b'9', b, c, reason @ ..]
            if b.is_ascii_digit() && c.is_ascii_digit() && matches!(reason, [] | [b' ', ..]) =>
        {
            if !reason.iter().all(|&byte| is_text(byte)) {
                return invalid(at, "a control character in the status line");
            }
            let digit = |byte: u8| u16::from(byte - b'0');
            Ok(digit(*a) * 100 + digit(*b) * 10 + digit(*c))
        }
        _ => invalid(at, "no status code of three digits"),
    }
}

/// Whether a byte may stand in a header value.
pub(super) fn is_text(byte: u8) -> bool {
    byte == b'\t' || (byte >= b' ' && byte != 0x7f)
}

/// RFC 9110 §5.6.2.
pub(crate) fn is_token(text: &[u8]) -> bool {
    let special = b"!#$%&'*+-.^_`|~";
    !text.is_empty()
        && text
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || special.contains(byte))
}
