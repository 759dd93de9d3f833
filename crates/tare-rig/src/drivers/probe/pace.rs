//! The number of iterations of a slice.

use std::collections::BTreeMap;

/// The most iterations of a slice: never needed. Passes over the inputs are always whole, so that every slice is the same
/// mixture of them.
const MOST: f64 = 1e15;

/// The iterations change by no more than this factor from one slice to the next, even after one odd time.
const STEP: f64 = 8.0;

/// A contender's speed so far, by size.
#[derive(Debug, Clone, Default)]
pub(crate) struct Paces {
    /// Seconds per iteration, and the number of iterations that were timed.
    last: BTreeMap<Option<u64>, (f64, u64)>,
}

impl Paces {
    /// Records how long n iterations took.
    pub(super) fn note(&mut self, size: Option<u64>, n: u64, seconds: f64) {
        if n > 0 && seconds > 0.0 {
            self.last.insert(size, (seconds / n as f64, n));
        }
    }

    /// Whether a size was timed before.
    pub(super) fn knows(&self, size: Option<u64>) -> bool {
        self.last.contains_key(&size)
    }

    /// How long n iterations will take; zero if unknown.
    pub(super) fn expect(&self, size: Option<u64>, n: u64) -> f64 {
        self.last.get(&size).map_or(0.0, |(each, _)| each * n as f64)
    }

    /// Iterations that take about `length` seconds: whole passes over the inputs, at least one.
    pub(super) fn iterations(&self, size: Option<u64>, inputs: u64, length: f64) -> u64 {
        let wanted = self.last.get(&size).map_or(1.0, |&(each, last)| {
            let last = last as f64;
            (length / each).clamp(last / STEP, last * STEP)
        });
        let passes = (wanted / inputs as f64).round().clamp(1.0, MOST / inputs as f64);
        passes as u64 * inputs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_are_whole_passes_of_about_the_right_length() {
        let mut paces = Paces::default();
        assert_eq!(paces.iterations(None, 64, 0.01), 64, "nothing is known: one pass");
        paces.note(None, 10_000, 10_000.0 * 1e-6);
        assert_eq!(paces.iterations(None, 64, 0.01), 156 * 64);
        assert_eq!(paces.iterations(Some(5), 64, 0.01), 64, "another size");
        paces.note(None, 64, 64.0);
        assert_eq!(paces.iterations(None, 64, 0.01), 64, "never less than a pass");
    }

    #[test]
    fn one_odd_time_does_not_make_a_slice_of_minutes() {
        let mut paces = Paces::default();
        paces.note(None, 1000, 1e-9);
        assert_eq!(paces.iterations(None, 1, 0.01), 8000);
        paces.note(None, 8000, 80.0);
        assert_eq!(paces.iterations(None, 1, 0.01), 1000);
        paces.note(None, 8000, 0.0);
        assert_eq!(paces.iterations(None, 1, 0.01), 1000, "a time of zero is ignored");
    }
}
