//! The head of an answer: status line and fields (RFC 9112 §4 and §5).

use super::body::Framing;
use crate::check::Coding;
use crate::wire::header::{self, Field, LONGEST_HEAD, ParseError, invalid, line};

/// The most interim (1xx) answers before the final one.
const MOST_INTERIM: usize = 16;

/// A head.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) status: u16,
    /// Whether it is of HTTP/1.0.
    old: bool,
    pub(super) fields: Vec<Field>,
    /// Where the body begins.
    pub(super) end: usize,
    start: usize,
}

/// Parses the head of the final answer, after interim ones.
pub(super) fn parse_final(bytes: &[u8]) -> Result<Head, ParseError> {
    let mut at = 0;
    for _ in 0..=MOST_INTERIM {
        let found = parse(bytes, at)?;
        match found.status {
            101 => return invalid(at, "status 101 switches to another protocol"),
            100..200 => at = found.end,
            _ => return Ok(found),
        }
    }
    invalid(at, "more than 16 interim (1xx) answers")
}

fn parse(bytes: &[u8], start: usize) -> Result<Head, ParseError> {
    starts_like_http(bytes, start)?;
    let (status_line, at) = line(bytes, start, LONGEST_HEAD)?;
    let (status, old) = status(&bytes[status_line], start)?;
    let (fields, end) = header::fields(bytes, start, at)?;
    Ok(Head {
        status,
        old,
        fields,
        end,
        start,
    })
}

/// Refuses what can never become a status line at once, not when its line ends.
fn starts_like_http(bytes: &[u8], start: usize) -> Result<(), ParseError> {
    let expected = b"HTTP/1.";
    let beginning = &bytes[start..bytes.len().min(start + expected.len())];
    if expected.starts_with(beginning) {
        Ok(())
    } else {
        invalid(start, "no status line of HTTP/1")
    }
}

/// The status code, and whether the answer is of HTTP/1.0.
fn status(line: &[u8], start: usize) -> Result<(u16, bool), ParseError> {
    match line.strip_prefix(b"HTTP/1.") {
        Some([minor @ (b'0' | b'1'), b' ', rest @ ..]) => Ok((header::status(rest, start)?, *minor == b'0')),
        _ => invalid(start, "no status line of HTTP/1.0 or HTTP/1.1"),
    }
}

impl Head {
    /// The value of the first field of a name, whatever its case.
    pub(super) fn value<'b>(&self, bytes: &'b [u8], name: &str) -> Option<&'b [u8]> {
        header::value(&self.fields, bytes, name)
    }

    /// How the body is encoded.
    pub(super) fn coding(&self, bytes: &[u8]) -> Option<Coding> {
        Coding::named(self.value(bytes, "content-encoding"))
    }

    /// The comma-separated items of all fields of a name, without the space around them.
    fn items<'a>(&'a self, bytes: &'a [u8], name: &'a str) -> impl Iterator<Item = &'a [u8]> {
        header::values(&self.fields, bytes, name)
            .flat_map(|value| value.split(|&byte| byte == b','))
            .map(<[u8]>::trim_ascii)
    }

    /// How the length of the body is given (RFC 9112 §6.3). `to_head`: it answers a HEAD request.
    pub(super) fn framing(&self, bytes: &[u8], to_head: bool) -> Result<Framing, ParseError> {
        if to_head || matches!(self.status, 204 | 304) {
            return Ok(Framing::None);
        }
        let mut codings = self.items(bytes, "transfer-encoding").peekable();
        let mut lengths = self.items(bytes, "content-length").peekable();
        if codings.peek().is_none() {
            return match lengths.next() {
                None => Ok(Framing::ToClose),
                Some(first) if lengths.all(|other| other == first) => match header::length(first) {
                    Some(length) => Ok(Framing::Length(length)),
                    None => invalid(self.start, "a Content-Length that is not a number"),
                },
                Some(_) => invalid(self.start, "several Content-Lengths that differ"),
            };
        }
        if lengths.peek().is_some() {
            return invalid(self.start, "both Transfer-Encoding and Content-Length");
        }
        if self.old {
            return invalid(self.start, "Transfer-Encoding in an answer of HTTP/1.0");
        }
        match (codings.next(), codings.next()) {
            (Some(only), None) if only.eq_ignore_ascii_case(b"chunked") => Ok(Framing::Chunked),
            _ => invalid(self.start, "a Transfer-Encoding other than `chunked`"),
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
