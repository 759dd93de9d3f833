//! An answer's head: status line and fields (RFC 9112 §4 and §5).

use std::ops::Range;

use super::body::Framing;
use super::parse::{Field, Stop, bad};

/// A head's size, at most: 256 KiB. Clients differ (Node takes 16 KiB, curl 300 KiB, Go a megabyte); a head of 100 KB is
/// unusual and right, an endless one ends here.
const LONGEST_HEAD: usize = 256 << 10;

/// A head; `end` is where the body begins.
#[derive(Debug)]
pub(crate) struct Head {
    pub(in crate::wire) status: u16,
    old: bool,
    pub(in crate::wire) fields: Vec<Field>,
    pub(in crate::wire) end: usize,
    start: usize,
}

/// The line that begins at `at`, without its end (CR LF, or LF alone: RFC 9112 §2.2), and where the next begins.
pub(super) fn line(bytes: &[u8], at: usize, longest: usize) -> Result<(Range<usize>, usize), Stop> {
    let rest = &bytes[at..];
    match rest.iter().take(longest).position(|&byte| byte == b'\n') {
        Some(len) => {
            let end = at + len - usize::from(len > 0 && rest[len - 1] == b'\r');
            Ok((at..end, at + len + 1))
        }
        None if rest.len() >= longest => bad(at, "a line or head that is too long"),
        None => Err(Stop::More(bytes.len() + 1)),
    }
}

pub(super) fn parse(bytes: &[u8], start: usize) -> Result<Head, Stop> {
    starts_like_http(bytes, start)?;
    let (status_line, at) = line(bytes, start, LONGEST_HEAD)?;
    let (status, old) = status(&bytes[status_line], start)?;
    let (fields, end) = fields(bytes, start, at)?;
    Ok(Head {
        status,
        old,
        fields,
        end,
        start,
    })
}

/// The head of a CGI program's answer (RFC 3875 §6): fields without a status line, of which `Status` tells the status;
/// where there is none, it is 200, or 302 if there is a `Location`.
pub(crate) fn parse_cgi(bytes: &[u8]) -> Result<Head, Stop> {
    let (fields, end) = fields(bytes, 0, 0)?;
    let mut head = Head {
        status: 200,
        old: false,
        fields,
        end,
        start: 0,
    };
    let status = head.value(bytes, "status").map(<[u8]>::to_vec);
    let own = ["content-type", "location"].map(|name| head.value(bytes, name).is_some());
    head.status = match (status, own) {
        (Some(status), _) => self::status(&[b"HTTP/1.1 ", &status[..]].concat(), 0)?.0,
        (None, [_, true]) => 302,
        (None, [true, false]) => 200,
        (None, [false, false]) => {
            return bad(
                0,
                "no header of a CGI answer: neither Content-Type nor Location nor Status",
            );
        }
    };
    Ok(head)
}

/// The fields from `at` to the empty line of a head that begins at `start`, and where that line ends.
fn fields(bytes: &[u8], start: usize, mut at: usize) -> Result<(Vec<Field>, usize), Stop> {
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

/// What can never become a status line is told at once, not when its line ends.
fn starts_like_http(bytes: &[u8], start: usize) -> Result<(), Stop> {
    let expected = b"HTTP/1.";
    let beginning = &bytes[start..bytes.len().min(start + expected.len())];
    if expected.starts_with(beginning) {
        Ok(())
    } else {
        bad(start, "no status line of HTTP/1")
    }
}

/// Status code, and whether it is HTTP/1.0. A missing reason is let through, with or without its space.
fn status(line: &[u8], start: usize) -> Result<(u16, bool), Stop> {
    let (minor, rest) = match line.strip_prefix(b"HTTP/1.") {
        Some([minor @ (b'0' | b'1'), b' ', rest @ ..]) => (*minor, rest),
        _ => return bad(start, "no status line of HTTP/1.0 or HTTP/1.1"),
    };
    match rest {
        [a @ b'1'..=b'9', b, c, reason @ ..]
            if b.is_ascii_digit() && c.is_ascii_digit() && matches!(reason, [] | [b' ', ..]) =>
        {
            if !reason.iter().all(|&byte| is_text(byte)) {
                return bad(start, "a control character in the status line");
            }
            let digit = |byte: u8| u16::from(byte - b'0');
            Ok((digit(*a) * 100 + digit(*b) * 10 + digit(*c), minor == b'0'))
        }
        _ => bad(start, "no status code of three digits"),
    }
}

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

pub(super) fn field(bytes: &[u8], line: Range<usize>) -> Result<Field, Stop> {
    let text = &bytes[line.clone()];
    let Some(colon) = text.iter().position(|&byte| byte == b':') else {
        return bad(line.start, "a header line without a colon");
    };
    // Also refuses folded lines and space before the colon (RFC 9112 §5.1, §5.2).
    if !is_token(&text[..colon]) {
        return bad(line.start, "a header name that is none");
    }
    let after = &text[colon + 1..];
    if let Some(odd) = after.iter().position(|&byte| !is_text(byte)) {
        return bad(
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

impl Head {
    /// The comma-separated items of all fields of a name, without the space around them.
    fn items<'a>(&'a self, bytes: &'a [u8], name: &'a str) -> impl Iterator<Item = &'a [u8]> {
        let named = |field: &&Field| bytes[field.name.clone()].eq_ignore_ascii_case(name.as_bytes());
        self.fields
            .iter()
            .filter(named)
            .flat_map(|field| bytes[field.value.clone()].split(|&byte| byte == b','))
            .map(<[u8]>::trim_ascii)
    }

    /// The value of the first field of a name, whatever its case.
    pub(in crate::wire) fn value<'a>(&self, bytes: &'a [u8], name: &str) -> Option<&'a [u8]> {
        let named = |field: &&Field| bytes[field.name.clone()].eq_ignore_ascii_case(name.as_bytes());
        self.fields
            .iter()
            .find(named)
            .map(|field| &bytes[field.value.clone()])
    }

    /// How the body's length is told (RFC 9112 §6.3).
    pub(super) fn framing(&self, bytes: &[u8]) -> Result<Framing, Stop> {
        let mut codings = self.items(bytes, "transfer-encoding").peekable();
        let mut lengths = self.items(bytes, "content-length").peekable();
        if codings.peek().is_none() {
            return match lengths.next() {
                None => Ok(Framing::ToClose),
                Some(first) if lengths.all(|other| other == first) => self.length(first),
                Some(_) => bad(self.start, "several Content-Lengths that differ"),
            };
        }
        if lengths.peek().is_some() {
            return bad(self.start, "both Transfer-Encoding and Content-Length");
        }
        if self.old {
            return bad(self.start, "Transfer-Encoding in an answer of HTTP/1.0");
        }
        match (codings.next(), codings.next()) {
            (Some(only), None) if only.eq_ignore_ascii_case(b"chunked") => Ok(Framing::Chunked),
            _ => bad(self.start, "a Transfer-Encoding other than `chunked`"),
        }
    }

    fn length(&self, text: &[u8]) -> Result<Framing, Stop> {
        let digits = std::str::from_utf8(text)
            .ok()
            .filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        match digits.and_then(|digits| digits.parse().ok()) {
            Some(length) => Ok(Framing::Length(length)),
            None => bad(self.start, "a Content-Length that is no number"),
        }
    }

    /// Whether the server closes after this answer (RFC 9112 §9.3).
    pub(super) fn closes(&self, bytes: &[u8]) -> bool {
        let says = |what: &[u8]| {
            self.items(bytes, "connection")
                .any(|item| item.eq_ignore_ascii_case(what))
        };
        says(b"close") || (self.old && !says(b"keep-alive"))
    }
}
