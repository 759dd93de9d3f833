//! Whether an answer is right: its status, its header fields, and what its body says.
//!
//! A protocol (`crate::wire`) finds the parts of an answer in received bytes and passes them to a [`Checker`]. Nothing
//! here knows how an answer is framed.

mod body;
pub(crate) mod coding;
pub(crate) mod date;
mod drawn;
mod draws;
mod expectation;
pub(crate) mod fortunes;
pub(crate) mod messages;
pub(crate) mod row;
pub(crate) mod rows;
mod table;

pub(crate) use body::BodyCheck;
pub(crate) use coding::Coding;
use drawn::Drawn;
pub(crate) use draws::Draws;
pub(crate) use expectation::{Content, Expectation};
#[cfg(test)]
pub(crate) use table::check as table;

use std::sync::Arc;

use crate::show;

/// Bodies up to this length (64 KiB) are always checked whole; of longer ones a job may have only a share checked whole.
const ALWAYS_WHOLE: usize = 64 << 10;

/// Encoded bodies that are remembered as right. A server may compress the same body in several ways: each thread, or each
/// level, in its own.
const FORMS: usize = 8;

/// Checks the answers that one load core receives from one target.
#[derive(Debug)]
pub(crate) struct Checker {
    expected: Arc<Expectation>,
    drawn: Option<Drawn>,
    /// The rows of the last body that was scanned.
    found: Vec<(u64, u64)>,
    /// Whether bodies are checked at all.
    checks_bodies: bool,
    /// The share of long bodies that are checked whole.
    share: f64,
    rng: fastrand::Rng,
    /// Encoded bodies that were right, so that each distinct one is decoded once; and the one that is forgotten next.
    forms: Vec<(Coding, Box<[u8]>)>,
    oldest: usize,
}

impl Checker {
    pub(crate) fn new(expected: Arc<Expectation>) -> Self {
        Self {
            drawn: Drawn::of(&expected.content),
            found: Vec::new(),
            checks_bodies: !expected.takes_any(),
            expected,
            share: 1.0,
            rng: fastrand::Rng::new(),
            forms: Vec::new(),
            oldest: 0,
        }
    }

    /// A checker with the same expectation for another thread.
    pub(crate) fn fork(&self) -> Self {
        Self {
            share: self.share,
            ..Self::new(self.expected.clone())
        }
    }

    /// Checks only a share (0 to 1) of the long bodies whole.
    pub(crate) fn sample(&mut self, share: f64) {
        self.share = share;
    }

    /// Does not check whether rows are drawn at random.
    #[cfg(test)]
    pub(crate) fn without_draws(mut self) -> Self {
        self.drawn = None;
        self
    }

    /// Whether bodies are checked at all.
    #[inline]
    pub(crate) fn checks_bodies(&self) -> bool {
        self.checks_bodies
    }

    /// Whether right bodies differ from answer to answer, and so may their lengths.
    pub(crate) fn bodies_vary(&self) -> bool {
        self.expected.varies()
    }

    /// Checks a head. `seen`: the received bytes of the answer, of which the first `end` are the head; `value`: the
    /// value of the first field of a name.
    ///
    /// # Errors
    /// What was expected, and what was found.
    pub(crate) fn head<'b>(
        &self,
        status: u16,
        seen: &[u8],
        end: usize,
        value: impl Fn(&str) -> Option<&'b [u8]>,
    ) -> Result<(), String> {
        self.expected.check_head(status, seen, end, value)
    }

    /// Whether a whole body, encoded as `coding` says, is right by its bytes alone. False: it may still be right;
    /// [`Checker::finish`] decides.
    #[inline]
    pub(crate) fn recognises(&mut self, body: &[u8], coding: Option<Coding>) -> bool {
        // The coding of nothing is nothing.
        if let Some(coding) = coding.filter(|_| !body.is_empty()) {
            return !self.checks_bodies || self.is_known_form(coding, body);
        }
        match self.expected.content {
            // The last row of a window is left to the full check, which says what is wrong with the window.
            Content::World(rows) => row::scan(body).is_some_and(|(id, number)| {
                row::is_in_table(id, number, rows) && draws_quietly(&mut self.drawn, &[(id, number)])
            }),
            Content::Rows(list) => {
                rows::scan(body, &mut self.found)
                    && list.holds(&self.found)
                    && draws_quietly(&mut self.drawn, &self.found)
            }
            _ => match self.expected.known() {
                Some(known) => known == body,
                // Not known yet, or any body is right.
                None => !self.checks_bodies,
            },
        }
    }

    fn is_known_form(&self, coding: Coding, body: &[u8]) -> bool {
        self.forms
            .iter()
            .any(|(known, form)| *known == coding && **form == *body)
    }

    /// Begins a body. `length`: its length in bytes, where it was announced; `coding`: how it is encoded.
    pub(crate) fn begin(&mut self, length: Option<usize>, coding: Option<Coding>) -> BodyCheck {
        let known = || self.expected.known().map_or(0, <[u8]>::len);
        let length = length.unwrap_or_else(known);
        let whole = length <= ALWAYS_WHOLE || self.share >= 1.0 || self.rng.f64() < self.share;
        BodyCheck::new(&self.expected, whole, coding)
    }

    /// Checks the next piece of a body.
    ///
    /// # Errors
    /// What was expected, and what was found, once the body is certainly not right.
    #[inline]
    pub(crate) fn feed(&self, body: &mut BodyCheck, piece: &[u8]) -> Result<(), String> {
        body.feed(piece, &self.expected)
    }

    /// The number of bytes that come next in a body and need not be looked at.
    pub(crate) fn skippable(&self, body: &BodyCheck) -> usize {
        body.skippable(&self.expected)
    }

    /// Checks a body at its end. Returns whether each of its bytes was checked.
    ///
    /// # Errors
    /// What was expected, and what was found.
    pub(crate) fn finish(&mut self, body: BodyCheck) -> Result<bool, String> {
        let whole = body.whole();
        if body.unchecked() {
            // The server writes the same meaning in more than one way: from now on check each answer whole.
            self.share = 1.0;
        }
        let rows = match body.coded() {
            Some((coding, bytes)) => self.decoded(coding, bytes)?,
            None => body.finish(&self.expected)?,
        };
        if let Some(drawn) = &mut self.drawn {
            drawn.add(&rows)?;
        }
        Ok(whole)
    }

    /// Checks an encoded body by what it decodes to. Returns its rows, where it holds rows of a table.
    fn decoded(&mut self, coding: Coding, bytes: &[u8]) -> Result<Vec<(u64, u64)>, String> {
        if self.is_known_form(coding, bytes) {
            return Ok(Vec::new());
        }
        let body = coding
            .decode(bytes, self.expected.longest_decoded())
            .map_err(|why| {
                let (name, got) = (coding.name(), show::bytes(bytes));
                format!(
                    "the body: expected whole {name}, as its Content-Encoding says: {why}\n  got      {got}"
                )
            })?;
        let rows = self.expected.check_body(&body)?;
        if !self.bodies_vary() && !bytes.is_empty() {
            self.remember(coding, bytes);
        }
        Ok(rows)
    }

    fn remember(&mut self, coding: Coding, bytes: &[u8]) {
        let form = (coding, bytes.into());
        if self.forms.len() < FORMS {
            self.forms.push(form);
            return;
        }
        self.forms[self.oldest] = form;
        self.oldest = (self.oldest + 1) % FORMS;
    }
}

/// Whether rows are of a body that needs no full check for how they are drawn.
#[inline]
fn draws_quietly(drawn: &mut Option<Drawn>, rows: &[(u64, u64)]) -> bool {
    drawn.as_mut().is_none_or(|drawn| drawn.add_quietly(rows))
}
