//! The measured time of a slice on one load core, and how it stretches.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::Length;

/// The answers of each load core, each number in a cache line of its own: one core writes it, and it is read only when a
/// slice has to stretch.
#[derive(Debug)]
pub(crate) struct Tally(Vec<Padded>);

#[derive(Debug, Default)]
#[repr(align(128))]
struct Padded(AtomicU64);

impl Tally {
    pub(crate) fn new(cores: usize) -> Self {
        Self((0..cores).map(|_| Padded::default()).collect())
    }

    pub(crate) fn set(&self, core: usize, answers: u64) {
        self.0[core].0.store(answers, Ordering::Relaxed);
    }

    pub(crate) fn reset(&self) {
        (0..self.0.len()).for_each(|core| self.set(core, 0));
    }

    pub(crate) fn total(&self) -> u64 {
        self.0
            .iter()
            .map(|answers| answers.0.load(Ordering::Relaxed))
            .sum()
    }
}

/// The measured time of a slice.
#[derive(Debug)]
pub(crate) struct Span<'a> {
    end: u64,
    at_most: u64,
    at_least: u64,
    tally: &'a Tally,
    over: Option<u64>,
}

pub(crate) fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

impl<'a> Span<'a> {
    pub(crate) fn new(start: u64, length: &Length, tally: &'a Tally) -> Self {
        let at_most = start.saturating_add(nanos(length.at_most));
        let end = length
            .time
            .map_or(at_most, |time| start.saturating_add(nanos(time)).min(at_most));
        Self {
            end,
            at_most,
            at_least: length.at_least_answers,
            tally,
            over: None,
        }
    }

    /// Whether the measured time has ended; it stretches while there are too few answers.
    #[inline]
    pub(crate) fn ended(&mut self, now: u64) -> bool {
        now >= self.end && self.past(now)
    }

    #[cold]
    fn past(&mut self, now: u64) -> bool {
        if self.over.is_none() && (now >= self.at_most || self.tally.total() >= self.at_least) {
            // An end that is noticed late does not stretch the slice: answers after the planned end do not count.
            self.over = Some(self.end);
        }
        if self.over.is_none() {
            self.end = now + STRETCH;
        }
        self.over.is_some()
    }

    pub(crate) fn until(&self) -> u64 {
        self.over.unwrap_or(self.end)
    }
}

/// The step by which a slice is stretched: 1 ms.
const STRETCH: u64 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn length(millis: u64, at_least: u64) -> Length {
        Length {
            at_least_answers: at_least,
            ..Length::time(Duration::from_millis(millis))
        }
    }

    #[test]
    fn a_slice_with_enough_answers_ends_as_planned_even_if_noticed_late() {
        let tally = Tally::new(2);
        tally.set(0, 20);
        tally.set(1, 10);
        let mut span = Span::new(5, &length(10, 30), &tally);
        assert!(!span.ended(10_000_004));
        assert!(span.ended(17_000_000));
        assert_eq!(span.until(), 10_000_005);
    }

    #[test]
    fn a_slice_stretches_until_it_holds_enough() {
        let tally = Tally::new(1);
        let mut span = Span::new(0, &length(10, 30), &tally);
        assert!(!span.ended(10_000_000));
        assert!(!span.ended(12_000_000));
        tally.set(0, 30);
        assert!(!span.ended(12_500_000), "stretched by a whole step");
        assert!(span.ended(13_000_001));
        assert_eq!(span.until(), 13_000_000);
    }

    #[test]
    fn a_slice_never_outlasts_its_most() {
        let tally = Tally::new(1);
        let at_most = Duration::from_millis(20);
        let mut span = Span::new(
            0,
            &Length {
                at_most,
                ..length(10, 30)
            },
            &tally,
        );
        assert!(!span.ended(19_500_000));
        assert!(span.ended(20_600_000));
    }
}
