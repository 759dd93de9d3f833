//! In the middle of an answer's body: what was taken of it, and whether it was right so far.

use super::body::{Decoder, Framing, Step};
use super::content::Body;
use super::demands::Demands;
use super::parse::Stop;

/// A body that is being taken.
#[derive(Debug)]
pub struct Midway {
    decoder: Decoder,
    /// Whether the server closes the connection after it.
    pub(super) last: bool,
    body: Body,
}

/// What became of received bytes.
pub(super) enum Taken {
    /// The body has ended, so many bytes on.
    End(usize),
    /// So many were taken, and so many after them are needed.
    More(usize, usize),
}

/// Why a body is not right.
pub(super) enum Flaw {
    /// It is another than it must be.
    Wrong(String),
    /// It is none: at which byte, and why.
    Bad(usize, &'static str),
}

impl Midway {
    /// At a body's beginning. `whole`: each byte is to be checked.
    pub(super) fn new(framing: Framing, last: bool, demands: &Demands, whole: bool) -> Self {
        Self {
            decoder: Decoder::new(framing),
            last,
            body: Body::new(demands, whole),
        }
    }

    /// Takes received bytes.
    pub(super) fn take(&mut self, bytes: &[u8], demands: &Demands, closed: bool) -> Result<Taken, Flaw> {
        let mut at = 0;
        loop {
            match self.decoder.step(bytes, &mut at, closed) {
                Ok(Step::Content(piece)) => self.body.feed(&bytes[piece], demands).map_err(Flaw::Wrong)?,
                Ok(Step::End) => return Ok(Taken::End(at)),
                Err(Stop::More(need)) => return Ok(Taken::More(at, need - at)),
                Err(Stop::Bad { at, why }) => return Err(Flaw::Bad(at, why)),
            }
        }
    }

    /// Passes over what comes next as far as nobody has to look at it; how many bytes.
    pub(super) fn skip(&mut self, demands: &Demands) -> usize {
        let skipped = self.decoder.skip(self.body.skippable(demands));
        self.body.skip(skipped);
        skipped
    }

    /// Whether each byte is checked.
    pub(super) fn whole(&self) -> bool {
        self.body.whole()
    }

    /// Whether it has turned out to be another text than the known one, too late to judge its meaning.
    pub(super) fn unjudged(&self) -> bool {
        self.body.unjudged()
    }

    /// Judges the body at its end; the id of its row, where it is one.
    pub(super) fn finish(self, demands: &Demands) -> Result<Option<u64>, String> {
        self.body.finish(demands)
    }
}
