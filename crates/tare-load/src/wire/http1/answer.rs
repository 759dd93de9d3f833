//! A whole answer, parsed in full.

use std::ops::Range;

use super::body;
use super::head::{self, Head};
use crate::wire::header::ParseError;

/// A whole answer; ranges are of the bytes it was parsed from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The final head.
    pub(super) head: Head,
    /// The pieces of the body: one, or that of each chunk; none if the body is empty.
    pub(super) body: Vec<Range<usize>>,
    /// The length of the answer in bytes, interim answers included.
    pub(crate) len: usize,
}

/// Parses the first answer in `bytes`. `to_head`: it answers a HEAD request; `closed`: nothing will follow.
pub(crate) fn parse(bytes: &[u8], to_head: bool, closed: bool) -> Result<Answer, ParseError> {
    let head = head::parse_final(bytes)?;
    let framing = head.framing(bytes, to_head)?;
    let (body, len) = body::parse(bytes, head.end, framing, closed)?;
    Ok(Answer { head, body, len })
}

impl Answer {
    /// The body, its pieces joined; `bytes` are those that the answer was parsed from.
    pub(crate) fn content(&self, bytes: &[u8]) -> Vec<u8> {
        let pieces = self.body.iter().flat_map(|piece| &bytes[piece.clone()]);
        pieces.copied().collect()
    }
}
