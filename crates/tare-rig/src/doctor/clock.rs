//! The machine while it is measured: how late its timers are, and what others take of its cores.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use tare_host::account;

/// Sleeps of this length are timed.
const NAP: Duration = Duration::from_millis(1);
const NAPS: usize = 400;

/// How late sleeps of a millisecond end, in seconds, sorted. Takes half a second.
pub fn lateness() -> Vec<f64> {
    let mut late: Vec<f64> = (0..NAPS)
        .map(|_| {
            let began = Instant::now();
            thread::sleep(NAP);
            began.elapsed().saturating_sub(NAP).as_secs_f64()
        })
        .collect();
    late.sort_by(f64::total_cmp);
    late
}

/// The value that a share of `sorted` does not exceed; 0 for an empty slice.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let rank = ((share * sorted.len() as f64).ceil() as usize).clamp(1, sorted.len().max(1));
    sorted.get(rank - 1).copied().unwrap_or(0.0)
}

/// The machine's clocks at a moment.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    at: Instant,
    steal: f64,
    pressure: Option<f64>,
}

/// How the time between two moments was spent, as shares of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Between {
    /// The share of the cores' time that the hypervisor took.
    pub steal: f64,
    /// The share of the time in which some task waited for a core; none if the kernel does not report it.
    pub pressure: Option<f64>,
}

impl Moment {
    /// Reads them.
    pub fn now() -> Self {
        Self {
            at: Instant::now(),
            steal: account::steal().0,
            pressure: account::pressure().map(|seconds| seconds.0),
        }
    }

    /// What happened since then. `cores`: those of the whole machine, since steal is summed over them.
    pub fn since(&self, cores: usize) -> Between {
        let (now, seconds) = (Self::now(), self.at.elapsed().as_secs_f64().max(1e-9));
        let both = now.pressure.zip(self.pressure);
        Between {
            steal: (now.steal - self.steal) / seconds / cores.max(1) as f64,
            pressure: both.map(|(now, before)| (now - before) / seconds),
        }
    }
}

/// Tasks that ran or waited for a core, on average over the last minute; none where `/proc/loadavg` is missing.
pub fn load_average() -> Option<f64> {
    parse_load(&fs::read_to_string("/proc/loadavg").ok()?)
}

fn parse_load(text: &str) -> Option<f64> {
    text.split_ascii_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_of_what_there_is() {
        let sorted: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!((quantile(&sorted, 0.5), quantile(&sorted, 0.99)), (50.0, 99.0));
        assert_eq!((quantile(&sorted, 1.0), quantile(&sorted, 0.0)), (100.0, 1.0));
        assert_eq!(quantile(&[], 0.5), 0.0);
    }

    #[test]
    fn the_load_is_read() {
        assert_eq!(parse_load("0.52 0.58 0.59 1/467 12345\n"), Some(0.52));
        assert_eq!(parse_load(""), None);
    }

    #[test]
    fn time_goes_on() {
        let between = Moment::now().since(1);
        assert!(between.steal >= 0.0 && between.pressure.is_none_or(|share| share >= 0.0));
    }
}
