//! A body, compared with what is expected piece by piece as it comes.

use super::coding::Coding;
use super::expectation::Expectation;
use crate::show;

/// The longest encoded body: 64 MiB. Each is kept until it is whole.
const LONGEST_CODED: usize = 64 << 20;

/// The number of bytes at the beginning and at the end of a body that are checked even where the body is not checked
/// whole.
const ENDS: usize = 4096;

/// A body that is being checked.
#[derive(Debug)]
pub(crate) struct BodyCheck {
    /// Bytes so far.
    at: usize,
    /// The bytes so far, where the body has to be checked by its meaning; none: so far it is as the known bytes.
    gathered: Option<Vec<u8>>,
    whole: bool,
    /// Whether it turned out to differ from the known bytes when it was too late to check its meaning.
    unchecked: bool,
    /// How it is encoded: then its bytes say nothing before they are decoded, so all are gathered.
    coding: Option<Coding>,
}

impl BodyCheck {
    /// At the beginning of a body. `whole`: check each byte.
    pub(super) fn new(expected: &Expectation, whole: bool, coding: Option<Coding>) -> Self {
        let any = expected.takes_any();
        let coding = coding.filter(|_| !any);
        let known = expected.known().is_some() && coding.is_none();
        Self {
            at: 0,
            gathered: (!known && !any).then(Vec::new),
            whole: !any && (whole || !known),
            unchecked: false,
            coding,
        }
    }

    /// How it is encoded, and its bytes so far, if it is.
    pub(super) fn coded(&self) -> Option<(Coding, &[u8])> {
        self.coding.zip(self.gathered.as_deref())
    }

    /// Whether each byte is checked.
    pub(super) fn whole(&self) -> bool {
        self.whole
    }

    /// Whether it turned out to differ from the known bytes when it was too late to check its meaning: not each of its
    /// bytes was to be checked, so they were not kept.
    pub(super) fn unchecked(&self) -> bool {
        self.unchecked
    }

    /// The number of bytes that come next and need not be looked at: those between the ends of a known body, and all of a
    /// body that may be anything.
    pub(super) fn skippable(&self, expected: &Expectation) -> usize {
        match expected.known() {
            _ if expected.takes_any() => usize::MAX,
            Some(known) if !self.whole && self.coding.is_none() && self.at >= ENDS => {
                known.len().saturating_sub(ENDS + self.at)
            }
            _ => 0,
        }
    }

    /// Counts bytes that were skipped.
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Bytes so far.
    pub(crate) fn len(&self) -> usize {
        self.at
    }

    /// Checks the next piece.
    ///
    /// # Errors
    /// What was expected, and what was found, once the body is certainly not right.
    pub(super) fn feed(&mut self, piece: &[u8], expected: &Expectation) -> Result<(), String> {
        if let Some(gathered) = &mut self.gathered {
            gathered.extend_from_slice(piece);
            if self.coding.is_some() && gathered.len() > LONGEST_CODED {
                return Err(format!(
                    "the body: expected at most {LONGEST_CODED} encoded bytes\n  got      more"
                ));
            }
        } else if !expected.takes_any() {
            let known = expected.known().unwrap_or_default();
            let rest = &known[self.at.min(known.len())..];
            let fits = if self.whole {
                rest.starts_with(piece)
            } else {
                self.unchecked || fits_at_the_ends(known, self.at, piece)
            };
            if !fits {
                self.differs(known, piece, expected)?;
            }
        }
        self.at += piece.len();
        Ok(())
    }

    /// The body differs from the known bytes: it may still mean the same.
    #[cold]
    fn differs(&mut self, known: &[u8], piece: &[u8], expected: &Expectation) -> Result<(), String> {
        let by_bytes = expected.by_bytes();
        if !self.whole && !by_bytes {
            self.unchecked = true;
            return Ok(());
        }
        let so_far = [&known[..self.at.min(known.len())], piece].concat();
        if by_bytes {
            let unseen = if self.whole {
                ""
            } else {
                " (not all bytes before it were checked)"
            };
            let difference = show::difference(known, &so_far);
            return Err(format!("the body: {difference}{unseen}"));
        }
        self.gathered = Some(so_far);
        Ok(())
    }

    /// Checks the body at its end. Returns its rows, where it holds rows of a table.
    ///
    /// # Errors
    /// What was expected, and what was found.
    pub(super) fn finish(self, expected: &Expectation) -> Result<Vec<(u64, u64)>, String> {
        let known = expected.known().unwrap_or_default();
        match self.gathered {
            _ if expected.takes_any() => Ok(Vec::new()),
            Some(gathered) => expected.check_body(&gathered),
            None if self.at == known.len() || self.unchecked => Ok(Vec::new()),
            None => expected.check_body(&known[..self.at]),
        }
    }
}

/// Whether the bytes of a piece that belong to the ends of the known bytes are right, and the piece does not go beyond.
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
