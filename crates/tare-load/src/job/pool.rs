//! Requests with their answers, packed so that drawing one touches little memory.

use crate::show;

/// Requests with their answers.
#[derive(Debug, Clone, Default)]
pub(crate) struct RequestPool {
    bytes: Vec<u8>,
    offsets: Vec<Offsets>,
    farewell: Vec<u8>,
    /// Whether they are sent in turn, so that each load core sends as many of each; otherwise they are drawn.
    in_turn: bool,
    /// A name for its requests, where their bytes would tell a person little.
    name: String,
}

/// Where a request, its answer, and the next request begin.
#[derive(Debug, Clone, Copy)]
struct Offsets {
    request: u32,
    answer: u32,
    end: u32,
}

impl RequestPool {
    /// Adds a request with its answer.
    pub(crate) fn push(&mut self, request: &[u8], answer: &[u8]) {
        let at = |len: usize| u32::try_from(len).expect("a job's requests and answers fit 4 GiB");
        let begin = at(self.bytes.len());
        self.bytes.extend_from_slice(request);
        let middle = at(self.bytes.len());
        self.bytes.extend_from_slice(answer);
        self.offsets.push(Offsets {
            request: begin,
            answer: middle,
            end: at(self.bytes.len()),
        });
    }

    /// Adds what a client sends last, after which the server closes. Without it the client closes.
    pub(crate) fn with_farewell(mut self, farewell: &[u8]) -> Self {
        self.farewell = farewell.to_vec();
        self
    }

    /// Has its requests sent in turn.
    pub(crate) fn in_turn(mut self) -> Self {
        self.in_turn = true;
        self
    }

    /// Names its requests, for a person; a dialog frames its one request itself, so that has only a name.
    pub(crate) fn with_name(mut self, name: String) -> Self {
        self.name = name;
        self
    }

    /// A request in a form for people.
    pub(crate) fn show(&self, n: u32) -> String {
        match (self.name.is_empty(), self.offsets.is_empty()) {
            (true, _) => show::bytes(self.request(n)),
            (false, true) => self.name.clone(),
            (false, false) => format!("{} (request {})", self.name, n + 1),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.offsets.len()
    }

    pub(crate) fn farewell(&self) -> &[u8] {
        &self.farewell
    }

    /// The next request of a load core: at random, or the one after `last`.
    #[inline]
    pub(crate) fn next(&self, rng: &mut fastrand::Rng, last: &mut u32) -> u32 {
        match self.offsets.len() as u32 {
            1 => 0,
            len if self.in_turn => {
                *last = (*last + 1) % len;
                *last
            }
            len => rng.u32(..len),
        }
    }

    #[inline]
    pub(crate) fn request(&self, n: u32) -> &[u8] {
        let at = self.offsets[n as usize];
        &self.bytes[at.request as usize..at.answer as usize]
    }

    #[inline]
    pub(crate) fn answer(&self, n: u32) -> &[u8] {
        let at = self.offsets[n as usize];
        &self.bytes[at.answer as usize..at.end as usize]
    }
}
