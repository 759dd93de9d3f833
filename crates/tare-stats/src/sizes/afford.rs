//! When a cost is affordable: the shortest duration of the whole of which it is at most a given share.

use crate::interval::Interval;
use crate::mean::Mean;

/// The shortest duration of a whole (a request, the extra cost included) of which `extra` is at most `share`: T ≥
/// extra/share. Its interval is that of `extra`, divided likewise: above its upper end, the cost is surely affordable.
///
/// A cost of zero or less is affordable at any duration: an end below zero is given as 0.
pub fn from(extra: &Mean, share: f64) -> Mean {
    let duration = |cost: f64| (cost / share).max(0.0);
    Mean {
        value: duration(extra.value),
        interval: extra.interval.map(|interval| Interval {
            low: duration(interval.low),
            high: duration(interval.high),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_and_a_hundredth() {
        let extra = Mean {
            value: 0.8e-6,
            interval: Some(Interval {
                low: 0.7e-6,
                high: 0.9e-6,
            }),
        };
        let tenth = from(&extra, 0.1);
        assert!((tenth.value - 8e-6).abs() < 1e-18);
        let interval = tenth.interval.unwrap();
        assert!((interval.low - 7e-6).abs() < 1e-18 && (interval.high - 9e-6).abs() < 1e-18);
        assert!((from(&extra, 0.01).value - 80e-6).abs() < 1e-18);
    }

    #[test]
    fn what_costs_nothing_can_always_be_afforded() {
        let extra = Mean {
            value: -1e-6,
            interval: Some(Interval {
                low: -2e-6,
                high: 1e-6,
            }),
        };
        let duration = from(&extra, 0.05);
        assert_eq!(duration.value, 0.0);
        assert_eq!(duration.interval.unwrap().low, 0.0);
        assert!((duration.interval.unwrap().high - 20e-6).abs() < 1e-15);
    }
}
