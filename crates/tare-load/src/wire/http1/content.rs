//! An answer's content, whatever carries it: held against what is demanded as it comes, piece by piece.

use super::demands::{Content, Demands};
use crate::show;

/// Of a body that is not checked whole, so many bytes at its beginning and at its end are checked all the same.
const ENDS: usize = 4096;

/// A body that is being judged.
#[derive(Debug)]
pub(crate) struct Body {
    /// Bytes so far.
    at: usize,
    /// What came so far, where it has to be judged by its meaning; none: it is as the known bytes are.
    gathered: Option<Vec<u8>>,
    whole: bool,
    /// Whether it has turned out to be another text than the known one, too late to judge its meaning.
    unjudged: bool,
}

impl Body {
    /// At a body's beginning. `whole`: each byte is to be checked.
    pub(crate) fn new(demands: &Demands, whole: bool) -> Self {
        let known = demands.known().is_some();
        let any = demands.takes_any();
        Self {
            at: 0,
            gathered: (!known && !any).then(Vec::new),
            whole: !any && (whole || !known),
            unjudged: false,
        }
    }

    /// Whether each byte is checked.
    pub(crate) fn whole(&self) -> bool {
        self.whole
    }

    /// Whether it has turned out to be another text than the known one, too late to judge its meaning: it was not
    /// gathered, since not each byte was to be checked.
    pub(crate) fn unjudged(&self) -> bool {
        self.unjudged
    }

    /// How many of the bytes that come next need not be looked at: those between the ends of a known body, and all of one
    /// that may be anything.
    pub(crate) fn skippable(&self, demands: &Demands) -> usize {
        match demands.known() {
            _ if demands.takes_any() => usize::MAX,
            Some(known) if !self.whole && self.at >= ENDS => known.len().saturating_sub(ENDS + self.at),
            _ => 0,
        }
    }

    /// So many bytes went by that nobody looked at.
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// How many bytes came so far.
    pub(crate) fn len(&self) -> usize {
        self.at
    }

    /// Goes on with a piece.
    ///
    /// # Errors
    /// What was expected, and what was found, once it is certain that the body is not right.
    pub(crate) fn feed(&mut self, piece: &[u8], demands: &Demands) -> Result<(), String> {
        if let Some(gathered) = &mut self.gathered {
            gathered.extend_from_slice(piece);
        } else if !demands.takes_any() {
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

    /// It is not as the known bytes are: it may be right by its meaning.
    #[cold]
    fn differs(&mut self, known: &[u8], piece: &[u8], demands: &Demands) -> Result<(), String> {
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
            return Err(format!("the body: {difference}{unseen}"));
        }
        self.gathered = Some(so_far);
        Ok(())
    }

    /// Judges the body at its end; the id of its row, where it is one.
    ///
    /// # Errors
    /// What was expected, and what was found.
    pub(crate) fn finish(self, demands: &Demands) -> Result<Option<u64>, String> {
        let known = demands.known().unwrap_or_default();
        match self.gathered {
            _ if demands.takes_any() => Ok(None),
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
