//! An answer's body: by length, chunked (RFC 9112 §7.1), or up to the close.

use std::ops::Range;

use super::head::{field, is_text, line};
use super::parse::{Stop, bad};

/// A body's size, at most: 256 MiB, so that memory is bounded.
const LONGEST_BODY: usize = 256 << 20;

/// A chunk's size line or a trailer line, at most.
const LONGEST_LINE: usize = 4096;

/// Trailer lines, at most.
const MOST_TRAILERS: usize = 64;

/// How the body's length is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framing {
    None,
    Length(usize),
    Chunked,
    ToClose,
}

/// The body's pieces, and where the answer ends.
pub(super) fn parse(
    bytes: &[u8],
    start: usize,
    framing: Framing,
    closed: bool,
) -> Result<(Vec<Range<usize>>, usize), Stop> {
    match framing {
        Framing::None => Ok((Vec::new(), start)),
        Framing::Length(length) => by_length(bytes, start, length),
        Framing::Chunked => chunked(bytes, start),
        Framing::ToClose if bytes.len() - start > LONGEST_BODY => bad(start, "a body of more than 256 MiB"),
        Framing::ToClose if closed => Ok((piece(start..bytes.len()), bytes.len())),
        Framing::ToClose => Err(Stop::More(bytes.len() + 1)),
    }
}

fn piece(range: Range<usize>) -> Vec<Range<usize>> {
    if range.is_empty() { Vec::new() } else { vec![range] }
}

fn by_length(bytes: &[u8], start: usize, length: usize) -> Result<(Vec<Range<usize>>, usize), Stop> {
    if length > LONGEST_BODY {
        return bad(start, "a body of more than 256 MiB");
    }
    let end = start + length;
    if bytes.len() < end {
        Err(Stop::More(end))
    } else {
        Ok((piece(start..end), end))
    }
}

fn chunked(bytes: &[u8], start: usize) -> Result<(Vec<Range<usize>>, usize), Stop> {
    let mut pieces = Vec::new();
    let mut at = start;
    loop {
        let (size_line, data) = line(bytes, at, LONGEST_LINE)?;
        let size = size(&bytes[size_line], at)?;
        if size == 0 {
            return Ok((pieces, trailers(bytes, data)?));
        }
        let end = data + size;
        if end - start > LONGEST_BODY {
            return bad(at, "a body of more than 256 MiB");
        }
        // The least that can follow is the chunk's line end and the last chunk.
        if bytes.len() < end {
            return Err(Stop::More(end));
        }
        at = chunk_end(bytes, end)?;
        pieces.push(data..end);
    }
}

/// A chunk's size in hex; an extension after `;` is passed over.
fn size(line: &[u8], at: usize) -> Result<usize, Stop> {
    let digits = line
        .split(|&byte| byte == b';')
        .next()
        .unwrap_or_default()
        .trim_ascii_end();
    let valid = !digits.is_empty() && digits.len() <= 8 && digits.iter().all(u8::is_ascii_hexdigit);
    if !valid || !line.iter().all(|&byte| is_text(byte)) {
        return bad(at, "a chunk size that is no hex number of up to 8 digits");
    }
    let digits = std::str::from_utf8(digits).unwrap_or_default();
    usize::from_str_radix(digits, 16).or(bad(at, "a chunk size that is no hex number"))
}

/// Where the line end after a chunk's data ends. Here a line feed alone is refused: it would let a chunk that is a
/// byte short take the carriage return for data.
fn chunk_end(bytes: &[u8], at: usize) -> Result<usize, Stop> {
    match &bytes[at..] {
        [b'\r', b'\n', ..] => Ok(at + 2),
        [] | [b'\r'] => Err(Stop::More(bytes.len() + 1)),
        _ => bad(at, "a chunk that is longer than its size says"),
    }
}

/// Where the trailers' empty line ends.
fn trailers(bytes: &[u8], mut at: usize) -> Result<usize, Stop> {
    for _ in 0..=MOST_TRAILERS {
        let (found, next) = line(bytes, at, LONGEST_LINE)?;
        if found.is_empty() {
            return Ok(next);
        }
        field(bytes, found)?;
        at = next;
    }
    bad(at, "more than 64 trailer lines")
}
