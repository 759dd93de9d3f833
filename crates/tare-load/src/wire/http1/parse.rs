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
    let mut at = 0;
    for _ in 0..=MOST_INTERIM {
        let found = head::parse(bytes, at)?;
        match found.status {
            101 => return bad(at, "status 101 switches to another protocol"),
            100..200 => at = found.end,
            _ => return whole(bytes, found, head, closed),
        }
    }
    bad(at, "more than 16 interim (1xx) answers")
}

fn whole(bytes: &[u8], found: Head, head: bool, closed: bool) -> Result<Answer, Stop> {
    let framing = if head || matches!(found.status, 204 | 304) {
        Framing::None
    } else {
        found.framing(bytes)?
    };
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
