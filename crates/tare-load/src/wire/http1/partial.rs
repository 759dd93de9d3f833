//! An answer whose body is not whole yet: what was taken of it, and whether it was right so far.

use super::body::{Decoder, Framing, Step};
use crate::check::{BodyCheck, Checker, Coding};
use crate::wire::header::ParseError;

/// An answer whose head was taken.
#[derive(Debug)]
pub(crate) struct PartialAnswer {
    decoder: Decoder,
    /// Whether the server closes the connection after it.
    pub(super) last: bool,
    body: BodyCheck,
}

/// What became of received bytes.
pub(super) enum Taken {
    /// The body ended after this number of bytes.
    End(usize),
    /// The first number of bytes was taken, and the second number after them is needed.
    More(usize, usize),
}

/// Why a body is not right.
pub(super) enum Flaw {
    /// It differs from what is expected.
    Wrong(String),
    /// It is not framed as a body: at which byte, and why.
    Invalid(usize, &'static str),
}

impl PartialAnswer {
    /// At the beginning of the body. `coding`: how it is encoded.
    pub(super) fn new(framing: Framing, coding: Option<Coding>, last: bool, checker: &mut Checker) -> Self {
        let length = match framing {
            Framing::Length(length) => Some(length),
            _ => None,
        };
        Self {
            decoder: Decoder::new(framing),
            last,
            body: checker.begin(length, coding),
        }
    }

    /// Takes received bytes.
    pub(super) fn take(&mut self, bytes: &[u8], checker: &Checker, closed: bool) -> Result<Taken, Flaw> {
        let mut at = 0;
        loop {
            match self.decoder.step(bytes, &mut at, closed) {
                Ok(Step::Content(piece)) => {
                    checker.feed(&mut self.body, &bytes[piece]).map_err(Flaw::Wrong)?
                }
                Ok(Step::End) => return Ok(Taken::End(at)),
                Err(ParseError::Incomplete(need)) => return Ok(Taken::More(at, need - at)),
                Err(ParseError::Invalid { at, why }) => return Err(Flaw::Invalid(at, why)),
            }
        }
    }

    /// Skips what comes next as far as it need not be looked at. Returns the number of bytes.
    pub(super) fn skip(&mut self, checker: &Checker) -> usize {
        let skipped = self.decoder.skip(checker.skippable(&self.body));
        self.body.skip(skipped);
        skipped
    }

    /// Its body, for the check at its end.
    pub(super) fn into_body(self) -> BodyCheck {
        self.body
    }
}
