//! Open loop: requests at their intended times, whatever the answers do.

use std::collections::VecDeque;

use tare_model::histogram::Histogram;

use super::levels::Levels;
use super::span::nanos;
use super::{Length, Pace};

/// Intended send times: constant spacing from a random phase.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rhythm {
    first: f64,
    spacing: f64,
    count: u64,
    end: u64,
}

impl Rhythm {
    /// The times of one load core that sends `rate` requests per second of a slice that begins at `start`;
    /// `phase`: 0 to 1. The slice is stretched beforehand so that `share` of its fewest answers fit.
    pub(crate) fn new(
        start: u64,
        rate: f64,
        phase: f64,
        length: &Length,
        budget: Option<u64>,
        share: f64,
    ) -> Self {
        let spacing = 1e9 / rate;
        let at_most = nanos(length.at_most) as f64;
        let enough = (length.at_least_answers as f64 * share).ceil() * spacing;
        let span = length
            .time
            .map_or(at_most, |time| (nanos(time) as f64).max(enough).min(at_most));
        let fits = (span / spacing - phase).ceil().max(0.0) as u64;
        let count = budget.map_or(fits, |budget| budget.min(fits));
        // By number: the slice ends when the next request would have been due.
        let span = if budget.is_some_and(|budget| budget <= fits) {
            count as f64 * spacing
        } else {
            span
        };
        Self {
            first: start as f64 + phase * spacing,
            spacing,
            count,
            end: start + span as u64,
        }
    }

    fn at(&self, n: u64) -> Option<u64> {
        (n < self.count).then_some((self.first + n as f64 * self.spacing) as u64)
    }
}

/// A request that is due and not sent.
#[derive(Debug, Clone, Copy)]
struct Due {
    /// Its intended time.
    at: u64,
    /// When it was seen to be due; none: that is recorded, since it was sent before.
    seen: Option<u64>,
}

/// Requests at their intended times.
pub(crate) struct Cost {
    rhythm: Rhythm,
    /// Requests that came due so far.
    due: u64,
    queue: VecDeque<Due>,
    /// How many of them, from the front, found every connection full: from when they were seen on, they are late
    /// through no fault of the generator's.
    blocked: usize,
    levels: Levels,
    lag: Histogram,
}

impl Cost {
    pub(crate) fn new(rhythm: Rhythm, connections: usize, depth: u32) -> Self {
        Self {
            rhythm,
            due: 0,
            queue: VecDeque::new(),
            blocked: 0,
            levels: Levels::new(connections, depth),
            lag: Histogram::new(),
        }
    }
}

impl Pace for Cost {
    fn turn(&mut self, now: u64) -> Option<u64> {
        self.blocked = self.queue.len();
        while let Some(at) = self.rhythm.at(self.due) {
            if at > now {
                return Some(at);
            }
            self.queue.push_back(Due { at, seen: Some(now) });
            self.due += 1;
        }
        None
    }

    fn pick(&mut self) -> Option<(usize, u32)> {
        if self.queue.is_empty() {
            return None;
        }
        self.levels.least().map(|conn| (conn, 1))
    }

    fn next(&mut self, _conn: usize, now: u64) -> Option<u64> {
        let Due { at, seen } = self.queue.pop_front()?;
        let ours = match self.blocked {
            0 => seen.map(|_| now),
            _ => seen,
        };
        self.blocked = self.blocked.saturating_sub(1);
        if let Some(until) = ours {
            self.lag.record(until.saturating_sub(at));
        }
        Some(at)
    }

    fn take_back(&mut self, intended: u64) {
        // Its lateness was recorded when it was sent first.
        let (at, seen) = (intended, None);
        self.queue.push_front(Due { at, seen });
        self.blocked += 1;
    }

    fn changed(&mut self, conn: usize, in_flight: u32) {
        self.levels.set(conn, in_flight);
    }

    fn counts(&mut self, now: u64) -> bool {
        now <= self.rhythm.end
    }

    fn over(&mut self, _now: u64) -> bool {
        self.due == self.rhythm.count && self.queue.is_empty()
    }

    fn until(&self) -> u64 {
        self.rhythm.end
    }

    fn lag(&mut self) -> Histogram {
        std::mem::take(&mut self.lag)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn times(rhythm: Rhythm) -> Vec<u64> {
        (0..).map_while(|n| rhythm.at(n)).collect()
    }

    #[test]
    fn requests_are_evenly_spaced_within_the_slice() {
        let length = Length {
            at_least_answers: 0,
            ..Length::time(Duration::from_millis(10))
        };
        let rhythm = Rhythm::new(1000, 1000.0, 0.25, &length, None, 1.0);
        let expected: Vec<u64> = (0..10).map(|n| 1000 + 250_000 + n * 1_000_000).collect();
        assert_eq!(times(rhythm), expected);
        assert_eq!(rhythm.end, 10_001_000);
    }

    #[test]
    fn a_slow_rate_stretches_the_slice_beforehand() {
        let length = Length::time(Duration::from_millis(80));
        let rhythm = Rhythm::new(0, 100.0, 0.9, &length, None, 1.0);
        assert_eq!((times(rhythm).len(), rhythm.end), (30, 300_000_000));
        let short = Length {
            at_most: Duration::from_millis(100),
            ..length
        };
        assert_eq!(times(Rhythm::new(0, 100.0, 0.9, &short, None, 1.0)).len(), 10);
    }

    #[test]
    fn a_number_of_requests_ends_the_slice() {
        let length = Length::answers(7, Duration::from_secs(1));
        let rhythm = Rhythm::new(0, 1000.0, 0.5, &length, Some(7), 1.0);
        assert_eq!((times(rhythm).len(), rhythm.end), (7, 7_000_000));
    }

    #[test]
    fn what_waits_for_a_connection_is_not_the_generators_lateness() {
        let length = Length {
            at_least_answers: 0,
            ..Length::time(Duration::from_millis(4))
        };
        let mut cost = Cost::new(Rhythm::new(0, 1000.0, 0.0, &length, None, 1.0), 1, 1);
        assert_eq!(cost.turn(10), Some(1_000_000));
        assert_eq!(cost.pick(), Some((0, 1)));
        assert_eq!(cost.next(0, 10), Some(0));
        cost.changed(0, 1);
        // Two come due while the connection is full.
        cost.turn(2_500_000);
        assert_eq!(cost.pick(), None);
        // Its answer comes: the queue's first goes out, with its own intended time. It was seen to be due at 2.5 ms; what
        // it waited after that was for the connection.
        cost.turn(2_900_000);
        assert_eq!(cost.next(0, 2_900_000), Some(1_000_000));
        assert_eq!((cost.lag.count(), cost.lag.max()), (2, 1_500_000));
        assert!(!cost.over(9_000_000));
    }

    #[test]
    fn a_generator_that_slept_is_late_with_all_that_came_due_meanwhile() {
        let length = Length {
            at_least_answers: 0,
            ..Length::time(Duration::from_millis(100))
        };
        let mut cost = Cost::new(Rhythm::new(0, 1000.0, 0.0, &length, None, 1.0), 1, 1);
        // It wakes after 50 ms, and has one connection, which takes one request at a time.
        for answered in 0..50 {
            cost.turn(50_000_000 + answered);
            assert!(cost.next(0, 50_000_000 + answered).is_some());
            cost.changed(0, 1);
            assert_eq!(cost.pick(), None);
            cost.changed(0, 0);
        }
        let lag = cost.lag();
        assert_eq!(lag.count(), 50);
        assert!(
            lag.quantile(0.5).is_some_and(|median| median > 24_000_000),
            "{lag:?}"
        );
    }

    #[test]
    fn what_is_taken_back_is_late_once() {
        let length = Length::answers(1, Duration::from_secs(1));
        let mut cost = Cost::new(Rhythm::new(0, 1000.0, 0.5, &length, Some(1), 1.0), 1, 1);
        cost.turn(600_000);
        assert_eq!(cost.next(0, 600_000), Some(500_000));
        cost.take_back(500_000);
        cost.turn(900_000);
        assert_eq!(cost.next(0, 900_000), Some(500_000));
        assert_eq!((cost.lag.count(), cost.lag.max()), (1, 100_000));
    }
}
