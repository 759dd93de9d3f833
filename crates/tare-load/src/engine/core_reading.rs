//! What one load core measured in a slice, and how the cores' readings become one.

use std::time::Duration;

use tare_model::histogram::Histogram;
use tare_model::measure::{LoadReading, RequestCounts};
use tare_model::units::{Bytes, Seconds, Share};

/// What one load core measured. Times are in ns since the slice's start.
#[derive(Debug, Default)]
pub(crate) struct CoreReading {
    pub(crate) start: u64,
    pub(crate) until: u64,
    pub(crate) answers: u64,
    pub(crate) requests: RequestCounts,
    /// Right answers of which all bytes were checked.
    pub(crate) whole: u64,
    pub(crate) latency: Histogram,
    pub(crate) lag: Histogram,
    /// For each load program the first connect and the last close that this core made.
    pub(crate) programs: Vec<Option<(u64, u64)>>,
    pub(crate) bytes_out: u64,
    pub(crate) bytes_in: u64,
    pub(crate) cpu: Duration,
    pub(crate) idle: u64,
    /// Idle time spent awake: CPU time without work.
    pub(crate) awake: u64,
    pub(crate) reopened: u32,
    /// Requests that were due and not sent.
    pub(crate) unsent: u64,
    /// The fewest streams that the server allowed, where those were fewer than the depth.
    pub(crate) streams: Option<u32>,
}

impl CoreReading {
    pub(crate) fn new(start: u64, programs: u32) -> Self {
        Self {
            start,
            programs: vec![None; programs as usize],
            ..Self::default()
        }
    }

    /// Notes that a connection of a program was opened or closed at `now`.
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

/// The reading of a slice from those of its load cores.
pub(crate) fn merge(cores: &[CoreReading]) -> LoadReading {
    let mut reading = LoadReading::default();
    let mut programs: Vec<Option<(u64, u64)>> = Vec::new();
    for core in cores {
        add(&mut reading, core);
        programs.resize(programs.len().max(core.programs.len()), None);
        for (all, one) in programs.iter_mut().zip(&core.programs) {
            *all = union(*all, *one);
        }
    }
    let whole: u64 = cores.iter().map(|core| core.whole).sum();
    reading.checked = match reading.requests.valid {
        0 => Share(1.0),
        valid => Share(whole as f64 / valid as f64),
    };
    reading.programs = programs
        .into_iter()
        .flatten()
        .map(|(first, last)| Seconds::from_nanos(last - first))
        .collect();
    reading
}

fn add(reading: &mut LoadReading, core: &CoreReading) {
    reading.wall = Seconds(reading.wall.0.max(Seconds::from_nanos(core.wall()).0));
    reading.answers += core.answers;
    reading.requests.sent += core.requests.sent;
    reading.requests.valid += core.requests.valid;
    reading.requests.invalid += core.requests.invalid;
    reading.requests.lost += core.requests.lost;
    reading.latency.merge(&core.latency);
    reading.lag.merge(&core.lag);
    reading.bytes_out = Bytes(reading.bytes_out.0 + core.bytes_out);
    reading.bytes_in = Bytes(reading.bytes_in.0 + core.bytes_in);
    reading.cpu = Seconds(reading.cpu.0 + core.cpu.as_secs_f64());
    reading.busy = Share(reading.busy.0.max(core.busy()));
    reading.reopened += core.reopened;
    reading.unsent += core.unsent;
    reading.streams = reading.streams.into_iter().chain(core.streams).min();
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
    fn readings_add_up_and_the_busiest_core_counts() {
        let mut one = CoreReading {
            start: 0,
            until: 1000,
            answers: 3,
            idle: 250,
            unsent: 2,
            ..CoreReading::new(0, 2)
        };
        one.program(0, 100);
        one.program(0, 400);
        let mut two = CoreReading {
            start: 10,
            until: 1010,
            answers: 4,
            idle: 900,
            unsent: 40,
            ..CoreReading::new(10, 2)
        };
        two.program(0, 50);
        two.program(0, 300);
        two.program(1, 7);
        let reading = merge(&[one, two]);
        assert_eq!(
            (reading.answers, reading.busy, reading.wall),
            (7, Share(0.75), Seconds(1e-6))
        );
        assert_eq!(reading.unsent, 42);
        assert_eq!(reading.programs, [Seconds::from_nanos(350), Seconds(0.0)]);
    }
}
