//! What the minute itself was like: how late timers are, and what others took of the cores.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use tare_host::account;

/// Sleeps of this length are timed.
const NAP: Duration = Duration::from_millis(1);
const NAPS: usize = 400;

/// How late sleeps ended, in seconds, in order.
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

/// The value that a share of `sorted` does not exceed; 0 of nothing.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let rank = ((share * sorted.len() as f64).ceil() as usize).clamp(1, sorted.len().max(1));
    sorted.get(rank - 1).copied().unwrap_or(0.0)
}

/// The machine's clocks at a moment.
pub struct Moment {
    at: Instant,
    steal: f64,
    pressure: Option<f64>,
}

/// What became of the time between two moments, as shares of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Between {
    /// Of the cores' time, what the hypervisor took.
    pub steal: f64,
    /// Of the time, how much of it some task waited for a core; none where the kernel does not tell.
    pub pressure: Option<f64>,
}

impl Moment {
    pub fn now() -> Self {
        Self {
            at: Instant::now(),
            steal: account::steal().0,
            pressure: account::pressure().map(|seconds| seconds.0),
        }
    }

    /// `cores`: of the whole machine, since steal is summed over them.
    pub fn since(&self, cores: usize) -> Between {
        let (now, seconds) = (Self::now(), self.at.elapsed().as_secs_f64().max(1e-9));
        let both = now.pressure.zip(self.pressure);
        Between {
            steal: (now.steal - self.steal) / seconds / cores.max(1) as f64,
            pressure: both.map(|(now, before)| (now - before) / seconds),
        }
    }
}

/// Tasks that ran or waited for a core, on average over the last minute.
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
