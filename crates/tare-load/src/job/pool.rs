//! Requests with their answers, packed so that drawing one touches little memory.

use crate::show;

/// Requests with their answers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pool {
    bytes: Vec<u8>,
    pairs: Vec<Pair>,
    farewell: Vec<u8>,
    /// What its requests are, where their bytes would tell a person little.
    name: String,
}

#[derive(Debug, Clone, Copy)]
struct Pair {
    request: u32,
    answer: u32,
    end: u32,
}

impl Pool {
    /// Adds a request with its answer.
    pub(crate) fn push(&mut self, request: &[u8], answer: &[u8]) {
        let at = |len: usize| u32::try_from(len).expect("a job's requests and answers fit 4 GiB");
        let begin = at(self.bytes.len());
        self.bytes.extend_from_slice(request);
        let middle = at(self.bytes.len());
        self.bytes.extend_from_slice(answer);
        self.pairs.push(Pair {
            request: begin,
            answer: middle,
            end: at(self.bytes.len()),
        });
    }

    /// What a client says last, upon which the server closes; the client closes where there is none.
    pub(crate) fn with_farewell(mut self, farewell: &[u8]) -> Self {
        self.farewell = farewell.to_vec();
        self
    }

    /// What its requests are, for a person.
    pub(crate) fn with_name(mut self, name: String) -> Self {
        self.name = name;
        self
    }

    /// A request as a person can read it.
    pub(crate) fn show(&self, n: u32) -> String {
        match self.name.is_empty() {
            true => show::bytes(self.request(n)),
            false => format!("{} (request {})", self.name, n + 1),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    pub(crate) fn farewell(&self) -> &[u8] {
        &self.farewell
    }

    /// Draws a request.
    #[inline]
    pub(crate) fn draw(&self, rng: &mut fastrand::Rng) -> u32 {
        match self.pairs.len() as u32 {
            1 => 0,
            len => rng.u32(..len),
        }
    }

    #[inline]
    pub(crate) fn request(&self, n: u32) -> &[u8] {
        let pair = self.pairs[n as usize];
        &self.bytes[pair.request as usize..pair.answer as usize]
    }

    #[inline]
    pub(crate) fn answer(&self, n: u32) -> &[u8] {
        let pair = self.pairs[n as usize];
        &self.bytes[pair.answer as usize..pair.end as usize]
    }
}
