//! The body of an answer: by length, chunked (RFC 9112 §7.1), or up to the close; decoded piece by piece as it comes.

use std::ops::Range;

use crate::wire::header::{ParseError, field, invalid, is_text, line};

/// The longest body: 256 MiB, so that memory is bounded.
const LONGEST_BODY: usize = 256 << 20;

/// The longest size line of a chunk, or trailer line.
const LONGEST_LINE: usize = 4096;

/// The most trailer lines.
const MOST_TRAILERS: u32 = 64;

/// How the length of a body is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framing {
    None,
    Length(usize),
    Chunked,
    ToClose,
}

/// A body that is being decoded.
#[derive(Debug)]
pub(super) struct Decoder {
    state: State,
    /// Bytes of content that came or were announced.
    content: usize,
}

#[derive(Debug, Clone, Copy)]
enum State {
    /// This number of bytes of content is left, and then nothing.
    Length(usize),
    ChunkSize,
    /// This number of bytes of a chunk is left.
    Chunk(usize),
    ChunkEnd,
    /// This number of trailer lines was seen.
    Trailers(u32),
    ToClose,
}

/// What comes next in a body.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Content, not empty.
    Content(Range<usize>),
    /// The end.
    End,
}

impl Decoder {
    pub(super) fn new(framing: Framing) -> Self {
        let (state, content) = match framing {
            Framing::None => (State::Length(0), 0),
            Framing::Length(length) => (State::Length(length), length),
            Framing::Chunked => (State::ChunkSize, 0),
            Framing::ToClose => (State::ToClose, 0),
        };
        Self { state, content }
    }

    /// The next step in `bytes` from `at`, which moves past the decoded bytes, also where more are needed.
    /// `closed`: nothing will follow.
    pub(super) fn step(&mut self, bytes: &[u8], at: &mut usize, closed: bool) -> Result<Step, ParseError> {
        loop {
            if self.content > LONGEST_BODY {
                return invalid(*at, "a body of more than 256 MiB");
            }
            match self.state {
                State::Length(0) => return Ok(Step::End),
                State::Length(left) => {
                    let piece = piece(bytes, at, left)?;
                    self.state = State::Length(left - piece.len());
                    return Ok(Step::Content(piece));
                }
                State::ChunkSize => self.begin_chunk(bytes, at)?,
                State::Chunk(0) => self.state = State::ChunkEnd,
                State::Chunk(left) => {
                    let piece = piece(bytes, at, left)?;
                    self.state = State::Chunk(left - piece.len());
                    return Ok(Step::Content(piece));
                }
                State::ChunkEnd => {
                    *at = chunk_end(bytes, *at)?;
                    self.state = State::ChunkSize;
                }
                State::Trailers(seen) => {
                    if self.trailer(bytes, at, seen)? {
                        return Ok(Step::End);
                    }
                }
                State::ToClose if *at < bytes.len() => {
                    let piece = *at..bytes.len();
                    *at = piece.end;
                    self.content += piece.len();
                    return Ok(Step::Content(piece));
                }
                State::ToClose if closed => return Ok(Step::End),
                State::ToClose => return Err(ParseError::Incomplete(bytes.len() + 1)),
            }
        }
    }

    /// Skips up to `most` bytes of the content that comes next without seeing them. Returns their number: zero unless the
    /// length was given beforehand. The last byte is never skipped.
    pub(super) fn skip(&mut self, most: usize) -> usize {
        let State::Length(left) = self.state else { return 0 };
        let skipped = most.min(left.saturating_sub(1));
        self.state = State::Length(left - skipped);
        skipped
    }

    fn begin_chunk(&mut self, bytes: &[u8], at: &mut usize) -> Result<(), ParseError> {
        let (size_line, next) = line(bytes, *at, LONGEST_LINE)?;
        let size = size(&bytes[size_line], *at)?;
        *at = next;
        self.content += size;
        self.state = match size {
            0 => State::Trailers(0),
            size => State::Chunk(size),
        };
        Ok(())
    }

    /// Skips a trailer line. Returns whether it was the empty one at the end.
    fn trailer(&mut self, bytes: &[u8], at: &mut usize, seen: u32) -> Result<bool, ParseError> {
        if seen > MOST_TRAILERS {
            return invalid(*at, "more than 64 trailer lines");
        }
        let (found, next) = line(bytes, *at, LONGEST_LINE)?;
        let end = found.is_empty();
        if !end {
            field(bytes, found)?;
        }
        *at = next;
        self.state = State::Trailers(seen + 1);
        Ok(end)
    }
}

/// The received ones of the next `left` bytes.
fn piece(bytes: &[u8], at: &mut usize, left: usize) -> Result<Range<usize>, ParseError> {
    let piece = *at..bytes.len().min(*at + left);
    if piece.is_empty() {
        return Err(ParseError::Incomplete(*at + left));
    }
    *at = piece.end;
    Ok(piece)
}

/// The pieces of a whole body, and where the answer ends.
pub(super) fn parse(
    bytes: &[u8],
    start: usize,
    framing: Framing,
    closed: bool,
) -> Result<(Vec<Range<usize>>, usize), ParseError> {
    let (mut decoder, mut at, mut pieces) = (Decoder::new(framing), start, Vec::new());
    loop {
        match decoder.step(bytes, &mut at, closed)? {
            Step::Content(piece) => pieces.push(piece),
            Step::End => return Ok((pieces, at)),
        }
    }
}

/// The size of a chunk in hex; an extension after `;` is ignored.
fn size(line: &[u8], at: usize) -> Result<usize, ParseError> {
    let digits = line
        .split(|&byte| byte == b';')
        .next()
        .unwrap_or_default()
        .trim_ascii_end();
    let valid = !digits.is_empty() && digits.len() <= 8 && digits.iter().all(u8::is_ascii_hexdigit);
    if !valid || !line.iter().all(|&byte| is_text(byte)) {
        return invalid(at, "a chunk size that is not a hex number of up to 8 digits");
    }
    let digits = std::str::from_utf8(digits).unwrap_or_default();
    usize::from_str_radix(digits, 16).or(invalid(at, "a chunk size that is not a hex number"))
}

/// The position after the line end that follows a chunk's data. A line feed alone is refused here: otherwise a chunk that
/// is a byte short would take the carriage return for data.
fn chunk_end(bytes: &[u8], at: usize) -> Result<usize, ParseError> {
    match &bytes[at..] {
        [b'\r', b'\n', ..] => Ok(at + 2),
        [] | [b'\r'] => Err(ParseError::Incomplete(bytes.len() + 1)),
        _ => invalid(at, "a chunk that is longer than its size says"),
    }
}
