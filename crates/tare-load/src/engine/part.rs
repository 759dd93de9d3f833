//! What one load core saw of a slice, and how the parts make a reading.

use std::time::Duration;

use tare_model::histogram::Histogram;
use tare_model::measure::{LoadReading, RequestCounts};
use tare_model::units::{Bytes, Seconds, Share};

/// What one load core saw. Times are ns of the run.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub(crate) start: u64,
    pub(crate) until: u64,
    pub(crate) answers: u64,
    pub(crate) requests: RequestCounts,
    /// Right answers whose bytes were all checked.
    pub(crate) whole: u64,
    pub(crate) latency: Histogram,
    pub(crate) lag: Histogram,
    /// First connect and last close of each load program, as far as this core had a hand in it.
    pub(crate) programs: Vec<Option<(u64, u64)>>,
    pub(crate) bytes_out: u64,
    pub(crate) bytes_in: u64,
    pub(crate) cpu: Duration,
    pub(crate) idle: u64,
    /// Idle time that was spent awake: CPU that is no work.
    pub(crate) awake: u64,
    pub(crate) reopened: u32,
    /// Requests that were due and not sent.
    pub(crate) unsent: u64,
}

impl Part {
    pub(crate) fn new(start: u64, programs: u32) -> Self {
        Self {
            start,
            programs: vec![None; programs as usize],
            ..Self::default()
        }
    }

    /// A program's connection was begun or ended at `now`.
    pub(crate) fn program(&mut self, program: u32, now: u64) {
        if let Some(span) = self.programs.get_mut(program as usize) {
            let (first, _) = *span.get_or_insert((now, now));
            *span = Some((first, now));
        }
    }

    fn wall(&self) -> u64 {
        self.until.saturating_sub(self.start)
    }

    fn busy(&self) -> f64 {
        match self.wall() {
            0 => 0.0,
            wall => (1.0 - self.idle as f64 / wall as f64).clamp(0.0, 1.0),
        }
    }
}

/// The reading of a slice from its load cores' parts.
pub(crate) fn reading(parts: &[Part]) -> LoadReading {
    let mut reading = LoadReading::default();
    let mut programs: Vec<Option<(u64, u64)>> = Vec::new();
    for part in parts {
        add(&mut reading, part);
        programs.resize(programs.len().max(part.programs.len()), None);
        for (all, one) in programs.iter_mut().zip(&part.programs) {
            *all = union(*all, *one);
        }
    }
    let whole: u64 = parts.iter().map(|part| part.whole).sum();
    reading.checked = match reading.requests.valid {
        0 => Share(1.0),
        right => Share(whole as f64 / right as f64),
    };
    reading.programs = programs
        .into_iter()
        .flatten()
        .map(|(first, last)| Seconds::from_nanos(last - first))
        .collect();
    reading
}

fn add(reading: &mut LoadReading, part: &Part) {
    reading.wall = Seconds(reading.wall.0.max(Seconds::from_nanos(part.wall()).0));
    reading.answers += part.answers;
    reading.requests.sent += part.requests.sent;
    reading.requests.valid += part.requests.valid;
    reading.requests.invalid += part.requests.invalid;
    reading.requests.lost += part.requests.lost;
    reading.latency.merge(&part.latency);
    reading.lag.merge(&part.lag);
    reading.bytes_out = Bytes(reading.bytes_out.0 + part.bytes_out);
    reading.bytes_in = Bytes(reading.bytes_in.0 + part.bytes_in);
    reading.cpu = Seconds(reading.cpu.0 + part.cpu.as_secs_f64());
    reading.busy = Share(reading.busy.0.max(part.busy()));
    reading.reopened += part.reopened;
    reading.unsent += part.unsent;
}

fn union(a: Option<(u64, u64)>, b: Option<(u64, u64)>) -> Option<(u64, u64)> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_and_the_busiest_core_counts() {
        let mut one = Part {
            start: 0,
            until: 1000,
            answers: 3,
            idle: 250,
            unsent: 2,
            ..Part::new(0, 2)
        };
        one.program(0, 100);
        one.program(0, 400);
        let mut two = Part {
            start: 10,
            until: 1010,
            answers: 4,
            idle: 900,
            unsent: 40,
            ..Part::new(10, 2)
        };
        two.program(0, 50);
        two.program(0, 300);
        two.program(1, 7);
        let reading = reading(&[one, two]);
        assert_eq!(
            (reading.answers, reading.busy, reading.wall),
            (7, Share(0.75), Seconds(1e-6))
        );
        assert_eq!(reading.unsent, 42);
        assert_eq!(reading.programs, [Seconds::from_nanos(350), Seconds(0.0)]);
    }
}
