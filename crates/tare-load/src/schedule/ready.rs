//! Before a slice: every connection open, and nothing received that was not asked for.

use super::{Goal, Pace};

/// Sends nothing; complete when every connection is open.
pub(crate) struct Ready {
    /// When it must be complete.
    pub(crate) until: u64,
}

impl Pace for Ready {
    fn turn(&mut self, _now: u64) -> Option<u64> {
        None
    }

    fn next(&mut self, _conn: usize, _now: u64) -> Option<u64> {
        None
    }

    fn counts(&mut self, _now: u64) -> bool {
        false
    }

    fn over(&mut self, _now: u64) -> bool {
        true
    }

    fn until(&self) -> u64 {
        self.until
    }

    fn goal(&self) -> Goal {
        Goal::Opened
    }
}
