//! A fixed job: a number of requests on every connection, then a farewell.

use super::{Goal, Pace};

/// A number of requests on every connection.
pub(crate) struct Batch {
    /// Requests left, by connection.
    left: Vec<u32>,
}

impl Batch {
    pub(crate) fn new(connections: usize, requests: u32) -> Self {
        Self {
            left: vec![requests; connections],
        }
    }
}

impl Pace for Batch {
    fn turn(&mut self, _now: u64) -> Option<u64> {
        None
    }

    fn next(&mut self, conn: usize, now: u64) -> Option<u64> {
        let left = &mut self.left[conn];
        *left = left.checked_sub(1)?;
        Some(now)
    }

    fn take_back(&mut self, conn: usize, _intended: u64) {
        self.left[conn] += 1;
    }

    fn finished(&self, conn: usize) -> bool {
        self.left[conn] == 0
    }

    fn counts(&mut self, _now: u64) -> bool {
        true
    }

    /// It is complete when all connections are closed, which is its goal.
    fn over(&mut self, _now: u64) -> bool {
        true
    }

    /// It has no planned end.
    fn until(&self) -> u64 {
        u64::MAX
    }

    fn goal(&self) -> Goal {
        Goal::Closed
    }
}
