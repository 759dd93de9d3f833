//! In the middle of an answer's body: what was taken of it, and whether it was right so far.

use super::body::{Decoder, Framing, Step};
use super::demands::{Content, Demands};
use super::parse::Stop;
use crate::show;

/// Of a body that is not checked whole, so many bytes at its beginning and at its end are checked all the same.
const ENDS: usize = 4096;

/// A body that is being taken.
#[derive(Debug)]
pub struct Midway {
    decoder: Decoder,
    /// Whether the server closes the connection after it.
    pub(super) last: bool,
    /// Bytes of content so far.
    at: usize,
    /// The content so far, where it has to be judged by its meaning; none: it is as the known bytes are.
    gathered: Option<Vec<u8>>,
    /// Whether each byte is checked.
    pub(super) whole: bool,
    /// Whether it has turned out to be another text than the known one, too late to judge its meaning.
    pub(super) unjudged: bool,
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
        let known = demands.known().is_some();
        Self {
            decoder: Decoder::new(framing),
            last,
            at: 0,
            gathered: (!known).then(Vec::new),
            whole: whole || !known,
            unjudged: false,
        }
    }

    /// Takes received bytes.
    pub(super) fn take(&mut self, bytes: &[u8], demands: &Demands, closed: bool) -> Result<Taken, Flaw> {
        let mut at = 0;
        loop {
            match self.decoder.step(bytes, &mut at, closed) {
                Ok(Step::Content(piece)) => self.feed(&bytes[piece], demands)?,
                Ok(Step::End) => return Ok(Taken::End(at)),
                Err(Stop::More(need)) => return Ok(Taken::More(at, need - at)),
                Err(Stop::Bad { at, why }) => return Err(Flaw::Bad(at, why)),
            }
        }
    }

    fn feed(&mut self, piece: &[u8], demands: &Demands) -> Result<(), Flaw> {
        if let Some(gathered) = &mut self.gathered {
            gathered.extend_from_slice(piece);
        } else {
            let known = demands.known().unwrap_or_default();
            let rest = &known[self.at.min(known.len())..];
            let fits = match self.whole {
                true => rest.starts_with(piece),
                false => self.unjudged || fits_at_the_ends(known, self.at, piece),
            };
            if !fits {
                self.differs(known, piece, demands)?;
            }
        }
        self.at += piece.len();
        Ok(())
    }

    /// The content is not as the known bytes are: it may be right by its meaning.
    #[cold]
    fn differs(&mut self, known: &[u8], piece: &[u8], demands: &Demands) -> Result<(), Flaw> {
        let so_far = [&known[..self.at.min(known.len())], piece].concat();
        if !self.whole && !matches!(demands.content, Content::Bytes) {
            self.unjudged = true;
            return Ok(());
        }
        if matches!(demands.content, Content::Bytes) {
            let unseen = if self.whole {
                ""
            } else {
                " (not all before it was looked at)"
            };
            let difference = show::difference(known, &so_far);
            return Err(Flaw::Wrong(format!("the body: {difference}{unseen}")));
        }
        self.gathered = Some(so_far);
        Ok(())
    }

    /// Judges the body at its end; the id of its row, where it is one.
    pub(super) fn finish(self, demands: &Demands) -> Result<Option<u64>, String> {
        let known = demands.known().unwrap_or_default();
        match self.gathered {
            Some(gathered) => demands.judge_body(&gathered),
            None if self.at == known.len() || self.unjudged => Ok(None),
            None => demands.judge_body(&known[..self.at]),
        }
    }
}

/// Whether what a piece holds of the ends of the known bytes is as it must be, and it does not go beyond.
fn fits_at_the_ends(known: &[u8], at: usize, piece: &[u8]) -> bool {
    let Some(expected) = known.get(at..at + piece.len()) else {
        return false;
    };
    let head = ENDS.saturating_sub(at).min(piece.len());
    let tail = known
        .len()
        .saturating_sub(ENDS)
        .saturating_sub(at)
        .min(piece.len());
    expected[..head] == piece[..head] && expected[tail..] == piece[tail..]
}
