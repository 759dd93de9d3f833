//! Closed loop: every connection always has the depth's number of requests in flight.

use super::{Pace, Span};

/// Every connection is refilled to its depth after each answer.
pub(crate) struct Capacity<'a> {
    span: Span<'a>,
    connections: usize,
    depth: u32,
    /// Connections that have had their first requests.
    primed: usize,
    /// Requests left to send; none: no limit within the time.
    budget: Option<u64>,
    last: u64,
}

impl<'a> Capacity<'a> {
    /// `budget`: the most requests that this load core sends.
    pub(crate) fn new(span: Span<'a>, connections: usize, depth: u32, budget: Option<u64>) -> Self {
        Self {
            span,
            connections,
            depth,
            primed: 0,
            budget,
            last: 0,
        }
    }
}

impl Pace for Capacity<'_> {
    fn turn(&mut self, now: u64) -> Option<u64> {
        (!self.over(now)).then(|| self.span.until())
    }

    fn pick(&mut self) -> Option<(usize, u32)> {
        let next = (self.primed < self.connections).then_some((self.primed, self.depth));
        self.primed += 1;
        next
    }

    #[inline]
    fn next(&mut self, _conn: usize, now: u64) -> Option<u64> {
        if self.over(now) {
            return None;
        }
        if let Some(left) = &mut self.budget {
            *left -= 1;
        }
        Some(now)
    }

    fn take_back(&mut self, _conn: usize, _intended: u64) {
        if let Some(left) = &mut self.budget {
            *left += 1;
        }
    }

    fn counts(&mut self, now: u64) -> bool {
        self.last = now;
        !self.span.ended(now)
    }

    #[inline]
    fn over(&mut self, now: u64) -> bool {
        self.budget == Some(0) || self.span.ended(now)
    }

    fn until(&self) -> u64 {
        match self.budget {
            // All were sent: the measured time ends with the last answer.
            Some(0) => self.last.min(self.span.until()),
            _ => self.span.until(),
        }
    }
}
