//! A whole answer: interim answers, head, body.

use std::ops::Range;

use super::body::{self, Framing};
use super::head::{self, Head};

/// Interim (1xx) answers before the final one, at most.
const MOST_INTERIM: usize = 16;

/// A whole answer; ranges are of the bytes it was parsed from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The final head's fields, in their order.
    pub fields: Vec<Field>,
    /// The body's pieces: one, or each chunk's; none if it is empty.
    pub body: Vec<Range<usize>>,
    /// The answer's length, interim answers included.
    pub len: usize,
    /// Whether the server closes the connection after it.
    pub last: bool,
    /// Whether only the close ended it.
    pub by_close: bool,
}

/// A header field; ranges are of the bytes it was parsed from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: Range<usize>,
    /// Its value, without the space around it.
    pub value: Range<usize>,
}

/// Why there is no whole answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// At least so many bytes are needed in all.
    More(usize),
    /// It is none, whatever follows.
    Bad {
        /// At which byte.
        at: usize,
        /// What is wrong.
        why: &'static str,
    },
}

pub(super) fn bad<T>(at: usize, why: &'static str) -> Result<T, Stop> {
    Err(Stop::Bad { at, why })
}

/// Parses the first answer in `bytes`. `head`: it answers a HEAD request; `closed`: nothing will follow.
///
/// # Errors
/// [`Stop::More`] if it is not whole, [`Stop::Bad`] if it never will be.
pub fn parse(bytes: &[u8], head: bool, closed: bool) -> Result<Answer, Stop> {
    let found = final_head(bytes)?;
    let framing = framing(&found, bytes, head)?;
    let (body, len) = body::parse(bytes, found.end, framing, closed)?;
    let by_close = framing == Framing::ToClose;
    let last = by_close || found.closes(bytes);
    Ok(Answer {
        status: found.status,
        fields: found.fields,
        body,
        len,
        last,
        by_close,
    })
}

/// The head of the final answer, behind interim ones.
pub(super) fn final_head(bytes: &[u8]) -> Result<Head, Stop> {
    let mut at = 0;
    for _ in 0..=MOST_INTERIM {
        let found = head::parse(bytes, at)?;
        match found.status {
            101 => return bad(at, "status 101 switches to another protocol"),
            100..200 => at = found.end,
            _ => return Ok(found),
        }
    }
    bad(at, "more than 16 interim (1xx) answers")
}

/// How the length of a head's body is told; `head`: it answers a HEAD request.
pub(super) fn framing(found: &Head, bytes: &[u8], head: bool) -> Result<Framing, Stop> {
    match head || matches!(found.status, 204 | 304) {
        true => Ok(Framing::None),
        false => found.framing(bytes),
    }
}

impl Answer {
    /// The body, its pieces put together; `bytes` are those it was parsed from.
    pub fn content(&self, bytes: &[u8]) -> Vec<u8> {
        let pieces = self.body.iter().flat_map(|piece| &bytes[piece.clone()]);
        pieces.copied().collect()
    }

    /// The value of the first field of a name, whatever its case.
    pub fn field<'b>(&self, bytes: &'b [u8], name: &str) -> Option<&'b [u8]> {
        let is = |field: &&Field| bytes[field.name.clone()].eq_ignore_ascii_case(name.as_bytes());
        self.fields
            .iter()
            .find(is)
            .map(|field| &bytes[field.value.clone()])
    }
}
