//! Open loop: requests at their intended times, independent of the answers.

use tare_model::histogram::Histogram;

use super::least_loaded::LeastLoaded;
use super::span::nanos;
use super::{Length, Pace};

/// The phase of a load core as a share (0 to 1) of its spacing, such that the send times of all cores of all generators that
/// send together are evenly spaced. `drawn` is from 0 to 1 and common to all; `(number, generators)` are the number of the
/// generator, from 0, and how many there are, each with `cores` cores.
pub(crate) fn phase(drawn: f64, (number, generators): (u32, u32), core: usize, cores: usize) -> f64 {
    let place = number as usize * cores + core;
    let all = generators.max(1) as usize * cores;
    ((drawn + place as f64) / all as f64).fract()
}

/// Intended send times: at constant spacing, with a random phase.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SendTimes {
    first: f64,
    spacing: f64,
    count: u64,
    end: u64,
}

impl SendTimes {
    /// The send times of one load core, which sends `rate` requests per second in a slice that begins at `start`; `phase` is
    /// from 0 to 1. The slice is stretched beforehand so that `share` of the least number of answers fits.
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

/// Requests at their intended times. Requests that are due and not sent are kept as a range of numbers, so a server that is
/// offered a hundred times what it can answer uses no memory here.
pub(crate) struct Cost {
    times: SendTimes,
    /// The number of the next request.
    next: u64,
    /// Unsent requests before this number found every connection full: since they were noticed, their lateness is not the
    /// generator's. Its own lateness was recorded.
    blocked: u64,
    /// The number of requests that are due so far, and when those from `blocked` on were noticed.
    due: u64,
    seen: u64,
    /// The intended times of requests that were taken back; the last one is sent first. Their lateness was recorded.
    back: Vec<u64>,
    by_load: LeastLoaded,
    lag: Histogram,
    /// Whether requests that are due at the end and find every connection full are dropped.
    drops: bool,
    dropped: u64,
}

impl Cost {
    pub(crate) fn new(times: SendTimes, connections: usize, depth: u32) -> Self {
        Self {
            times,
            next: 0,
            blocked: 0,
            due: 0,
            seen: 0,
            back: Vec::new(),
            by_load: LeastLoaded::new(connections, depth),
            lag: Histogram::new(),
            drops: false,
            dropped: 0,
        }
    }

    /// With `drops`, drops the requests that find every connection full at the end.
    pub(crate) fn dropping(self, drops: bool) -> Self {
        Self { drops, ..self }
    }

    /// Requests that are due and not sent.
    fn queued(&self) -> u64 {
        self.back.len() as u64 + (self.due - self.next)
    }

    /// Notes that the unsent requests that were noticed found every connection full.
    fn block(&mut self) {
        for n in self.blocked.max(self.next)..self.due {
            let late = self.times.at(n).map_or(0, |at| self.seen.saturating_sub(at));
            self.lag.record(late);
        }
        self.blocked = self.due;
    }

    /// Drops what has to be dropped once all requests are due, or returns when to be asked again. Requests that can be sent
    /// now are sent first.
    fn end(&mut self, now: u64) -> Option<u64> {
        if !self.drops || self.queued() == 0 {
            return None;
        }
        if now < self.times.end || self.by_load.least().is_some() {
            return Some(now.max(self.times.end));
        }
        self.block();
        self.dropped += self.queued();
        self.next = self.due;
        self.back.clear();
        None
    }
}

impl Pace for Cost {
    fn turn(&mut self, now: u64) -> Option<u64> {
        self.block();
        self.seen = now;
        while let Some(at) = self.times.at(self.due) {
            if at > now {
                return Some(at);
            }
            self.due += 1;
        }
        self.end(now)
    }

    fn pick(&mut self) -> Option<(usize, u32)> {
        if self.queued() == 0 {
            return None;
        }
        self.by_load.least().map(|conn| (conn, 1))
    }

    fn next(&mut self, _conn: usize, now: u64) -> Option<u64> {
        if let Some(at) = self.back.pop() {
            return Some(at);
        }
        if self.next == self.due {
            return None;
        }
        let at = self.times.at(self.next)?;
        if self.next >= self.blocked {
            self.lag.record(now.saturating_sub(at));
        }
        self.next += 1;
        Some(at)
    }

    fn take_back(&mut self, _conn: usize, intended: u64) {
        self.back.push(intended);
    }

    fn changed(&mut self, conn: usize, in_flight: u32) {
        self.by_load.set(conn, in_flight);
    }

    fn counts(&mut self, now: u64) -> bool {
        now <= self.times.end
    }

    fn over(&mut self, _now: u64) -> bool {
        self.due == self.times.count && self.queued() == 0
    }

    fn until(&self) -> u64 {
        self.times.end
    }

    fn unsent(&self) -> u64 {
        // A slice that ended early has not dropped yet what it would have dropped.
        let queued = if self.drops { self.queued() } else { 0 };
        self.dropped + queued
    }

    fn lag(&mut self) -> Histogram {
        std::mem::take(&mut self.lag)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn all_of(times: SendTimes) -> Vec<u64> {
        (0..).map_while(|n| times.at(n)).collect()
    }

    #[test]
    fn requests_are_evenly_spaced_within_the_slice() {
        let length = Length {
            at_least_answers: 0,
            ..Length::time(Duration::from_millis(10))
        };
        let times = SendTimes::new(1000, 1000.0, 0.25, &length, None, 1.0);
        let expected: Vec<u64> = (0..10).map(|n| 1000 + 250_000 + n * 1_000_000).collect();
        assert_eq!(all_of(times), expected);
        assert_eq!(times.end, 10_001_000);
    }

    #[test]
    fn a_slow_rate_stretches_the_slice_beforehand() {
        let length = Length::time(Duration::from_millis(80));
        let times = SendTimes::new(0, 100.0, 0.9, &length, None, 1.0);
        assert_eq!((all_of(times).len(), times.end), (30, 300_000_000));
        let short = Length {
            at_most: Duration::from_millis(100),
            ..length
        };
        assert_eq!(all_of(SendTimes::new(0, 100.0, 0.9, &short, None, 1.0)).len(), 10);
    }

    #[test]
    fn a_number_of_requests_ends_the_slice() {
        let length = Length::answers(7, Duration::from_secs(1));
        let times = SendTimes::new(0, 1000.0, 0.5, &length, Some(7), 1.0);
        assert_eq!((all_of(times).len(), times.end), (7, 7_000_000));
    }

    #[test]
    fn what_waits_for_a_connection_is_not_the_generators_lateness() {
        let length = Length {
            at_least_answers: 0,
            ..Length::time(Duration::from_millis(4))
        };
        let mut cost = Cost::new(SendTimes::new(0, 1000.0, 0.0, &length, None, 1.0), 1, 1);
        assert_eq!(cost.turn(10), Some(1_000_000));
        assert_eq!(cost.pick(), Some((0, 1)));
        assert_eq!(cost.next(0, 10), Some(0));
        cost.changed(0, 1);
        // Two come due while the connection is full.
        cost.turn(2_500_000);
        assert_eq!(cost.pick(), None);
        // Its answer comes: the first of the queue goes out, with its own intended time. It was noticed at 2.5 ms; since
        // then it has waited for the connection.
        cost.turn(2_900_000);
        assert_eq!(cost.next(0, 2_900_000), Some(1_000_000));
        // So was the one behind it.
        assert_eq!((cost.lag.count(), cost.lag.max()), (3, 1_500_000));
        assert!(!cost.over(9_000_000));
    }

    #[test]
    fn a_generator_that_slept_is_late_with_all_that_came_due_meanwhile() {
        let length = Length {
            at_least_answers: 0,
            ..Length::time(Duration::from_millis(100))
        };
        let mut cost = Cost::new(SendTimes::new(0, 1000.0, 0.0, &length, None, 1.0), 1, 1);
        // It wakes after 50 ms and has one connection, which takes one request at a time.
        for answered in 0..50 {
            cost.turn(50_000_000 + answered);
            assert!(cost.next(0, 50_000_000 + answered).is_some());
            cost.changed(0, 1);
            assert_eq!(cost.pick(), None);
            cost.changed(0, 0);
        }
        let lag = cost.lag();
        // One more came due then, and waits.
        assert_eq!(lag.count(), 51);
        assert!(
            lag.quantile(0.5).is_some_and(|median| median > 24_000_000),
            "{lag:?}"
        );
    }

    /// Ten requests, one per millisecond, on one connection that never answers; and whether nothing more will be sent after
    /// the end.
    fn overloaded(drops: bool) -> (Cost, bool) {
        let length = Length {
            at_least_answers: 0,
            ..Length::time(Duration::from_millis(10))
        };
        let mut cost = Cost::new(SendTimes::new(0, 1000.0, 0.5, &length, None, 1.0), 1, 1).dropping(drops);
        assert_eq!(cost.turn(600_000), Some(1_500_000));
        assert!(cost.next(0, 600_000).is_some());
        cost.changed(0, 1);
        // All are due, and the end has not come yet.
        let again = cost.turn(9_700_000);
        assert_eq!(again, drops.then_some(10_000_000), "asked again at its end");
        assert!(!cost.over(9_700_000));
        assert_eq!(cost.turn(10_000_001), None);
        let over = cost.over(10_000_001);
        (cost, over)
    }

    #[test]
    fn what_finds_every_connection_full_at_the_end_is_dropped_and_counted() {
        let (mut cost, over) = overloaded(true);
        assert!(over);
        assert_eq!(cost.unsent(), 9);
        // Their lateness counts until they were noticed; after that they waited for the connection.
        let lag = cost.lag();
        assert_eq!((lag.count(), lag.max() / 100_000), (10, 82));
        // An answer that comes now frees the connection, and nothing is sent.
        cost.changed(0, 0);
        assert_eq!(cost.next(0, 11_000_000), None);
    }

    #[test]
    fn a_slice_of_a_run_sends_all_that_came_due() {
        let (mut cost, over) = overloaded(false);
        assert!(!over);
        assert_eq!(cost.unsent(), 0);
        cost.changed(0, 0);
        assert_eq!(cost.next(0, 11_000_000), Some(1_500_000));
    }

    /// The generator slept over the end: the server is not to blame for requests that can be sent.
    #[test]
    fn what_can_be_sent_at_the_end_is_sent_and_not_dropped() {
        let length = Length {
            at_least_answers: 0,
            ..Length::time(Duration::from_millis(4))
        };
        let mut cost = Cost::new(SendTimes::new(0, 1000.0, 0.5, &length, None, 1.0), 2, 1).dropping(true);
        assert_eq!(
            cost.turn(9_000_000),
            Some(9_000_000),
            "at once, before any answer"
        );
        for conn in [0, 1] {
            assert_eq!(cost.pick(), Some((conn, 1)));
            assert!(cost.next(conn, 9_000_000).is_some());
            cost.changed(conn, 1);
        }
        assert_eq!((cost.pick(), cost.unsent()), (None, 2), "if it ended now");
        assert_eq!(cost.turn(9_000_100), None);
        assert!(cost.over(9_000_100));
        assert_eq!(cost.unsent(), 2);
    }

    #[test]
    fn the_send_times_of_all_generators_are_evenly_spaced() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut rng = fastrand::Rng::with_seed(seed);
        for (generators, cores) in [(1, 1), (1, 3), (2, 1), (7, 1), (3, 2)] {
            let drawn = rng.f64();
            let places = (0..generators).flat_map(|number| (0..cores).map(move |core| (number, core)));
            let mut all: Vec<f64> = places
                .map(|(number, core)| phase(drawn, (number, generators), core, cores))
                .collect();
            all.sort_by(f64::total_cmp);
            let gap = 1.0 / all.len() as f64;
            assert!(all[0] >= 0.0 && all[0] < gap, "{all:?}");
            let even = |pair: &[f64]| (pair[1] - pair[0] - gap).abs() < 1e-9;
            assert!(all.windows(2).all(even), "{all:?}");
        }
    }

    /// However much more is offered than is answered, each request is sent once, in order, with its intended time.
    #[test]
    fn waiting_requests_are_sent_in_order() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut rng = fastrand::Rng::with_seed(seed);
        let length = Length {
            at_least_answers: 0,
            ..Length::time(Duration::from_millis(200))
        };
        let times = SendTimes::new(7, 1000.0, 0.3, &length, None, 1.0);
        let mut cost = Cost::new(times, 3, 2);
        let (mut now, mut sent, mut in_flight) = (0, Vec::new(), [0_u32; 3]);
        while !cost.over(now) {
            now += rng.u64(..3_000_000);
            cost.turn(now);
            while let Some((conn, _)) = cost.pick() {
                let at = cost.next(conn, now).expect("what is picked is there");
                in_flight[conn] += 1;
                cost.changed(conn, in_flight[conn]);
                // Now and then one is taken back.
                match rng.u8(..20) {
                    0 => {
                        cost.take_back(conn, at);
                        in_flight[conn] -= 1;
                        cost.changed(conn, in_flight[conn]);
                    }
                    _ => sent.push(at),
                }
            }
            let answered = rng.usize(..3);
            in_flight[answered] = 0;
            cost.changed(answered, 0);
        }
        assert_eq!(sent, all_of(times));
        assert_eq!(cost.lag.count(), sent.len() as u64);
    }

    #[test]
    fn the_lateness_of_a_request_that_is_taken_back_counts_once() {
        let length = Length::answers(1, Duration::from_secs(1));
        let mut cost = Cost::new(SendTimes::new(0, 1000.0, 0.5, &length, Some(1), 1.0), 1, 1);
        cost.turn(600_000);
        assert_eq!(cost.next(0, 600_000), Some(500_000));
        cost.take_back(0, 500_000);
        cost.turn(900_000);
        assert_eq!(cost.next(0, 900_000), Some(500_000));
        assert_eq!((cost.lag.count(), cost.lag.max()), (1, 100_000));
    }
}
