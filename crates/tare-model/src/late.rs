//! Whether the latencies of an open loop are the server's, judged by how late the generator was (docs/measuring.md, the
//! load).
//!
//! Latency counts from the time when a request was due, so it includes the generator's lateness. Where that is most of
//! it, all servers look alike, and a server that was measured while the generator was held up looks slow.

use crate::histogram::Histogram;
use crate::metric::Metric;
use crate::units::{Seconds, Share};

/// From this utilisation on, the generator itself limits the throughput, or cannot keep the rate.
pub const BUSY: Share = Share(0.90);

/// The largest share of a latency that may be the generator's own lateness; beyond it the latency is withheld.
pub(crate) const PART: Share = Share(0.5);

/// From this median lateness on, a rate counts as not kept. Timers alone are late by tens of microseconds.
pub const BEHIND: Seconds = Seconds(1e-3);

/// The metrics that a late generator invalidates.
pub const LATENCIES: [Metric; 4] = [
    Metric::LatencyP50,
    Metric::LatencyP90,
    Metric::LatencyP99,
    Metric::LatencyP999,
];

/// What is withheld because the generator was late.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lateness {
    /// Latencies without a verdict, in order; at least one.
    pub withheld: Vec<Metric>,
    /// Whether the rate was kept nevertheless: then only some latencies are withheld, else all.
    pub kept: bool,
    /// Why, as part of a sentence.
    pub why: String,
}

impl Lateness {
    fn not_kept(why: String) -> Option<Self> {
        Some(Self {
            withheld: LATENCIES.to_vec(),
            kept: false,
            why,
        })
    }
}

/// Judges an open loop by the lateness of each request, the latencies (both in nanoseconds), and the share of the time
/// that the generator's busiest thread worked. None where all latencies are the server's.
pub fn judge(lag: &Histogram, latency: &Histogram, busy: Share) -> Option<Lateness> {
    if lag.count() == 0 {
        return None;
    }
    if busy.0 >= BUSY.0 {
        return Lateness::not_kept(format!(
            "the generator could not keep the rate: it worked {:.0}% of the time",
            busy.0 * 100.0
        ));
    }
    let spoiled = |metric: Metric| Some((metric, too_late(lag, latency, metric)?));
    let all: Vec<(Metric, (Seconds, Seconds))> = LATENCIES.into_iter().filter_map(spoiled).collect();
    let &(first, (own, whole)) = all.first()?;
    if first == Metric::LatencyP50 && own.0 > BEHIND.0 {
        return Lateness::not_kept(format!(
            "the generator could not keep the rate: half of the requests were sent {own} late or later, and the median \
             latency, which counts that, is {whole}"
        ));
    }
    Some(Lateness {
        withheld: all.iter().map(|(metric, _)| *metric).collect(),
        kept: true,
        why: format!(
            "more than half of it may be the generator's own lateness, {own} of {whole} at the {}",
            first.title()
        ),
    })
}

/// The lateness and the latency at a quantile, where lateness is too large a share of the latency.
fn too_late(lag: &Histogram, latency: &Histogram, metric: Metric) -> Option<(Seconds, Seconds)> {
    let q = metric.quantile()?;
    let own = Seconds::from_nanos(lag.quantile(q)?);
    let whole = Seconds::from_nanos(latency.quantile(q)?);
    (own.0 > whole.0 * PART.0).then_some((own, whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A histogram of values with their counts.
    fn of(values: &[(u64, u64)]) -> Histogram {
        let mut histogram = Histogram::new();
        for &(nanos, count) in values {
            (0..count).for_each(|_| histogram.record(nanos));
        }
        histogram
    }

    #[test]
    fn a_generator_on_time_spoils_nothing() {
        let latency = of(&[(100_000, 1000)]);
        assert_eq!(judge(&of(&[(2_000, 1000)]), &latency, Share(0.5)), None);
        assert_eq!(judge(&of(&[(49_000, 1000)]), &latency, Share(0.89)), None);
        // A closed loop has no times that it could miss.
        assert_eq!(judge(&Histogram::new(), &latency, Share(1.0)), None);
    }

    #[test]
    fn one_that_is_behind_by_more_than_a_millisecond_has_not_kept_the_rate() {
        let late =
            judge(&of(&[(6_000_000, 1000)]), &of(&[(10_000_000, 1000)]), Share(0.5)).expect("it is late");
        assert!(!late.kept);
        assert_eq!(late.withheld, LATENCIES);
        assert!(late.why.contains("could not keep the rate: half"), "{}", late.why);
    }

    #[test]
    fn a_timer_that_is_late_spoils_the_latency_of_a_fast_server() {
        let lag = of(&[(60_000, 1000)]);
        let late = judge(&lag, &of(&[(100_000, 950), (9_000_000, 50)]), Share(0.5)).expect("it is late");
        assert!(late.kept, "but the rate was kept");
        assert_eq!(late.withheld, LATENCIES[..2], "and the tail is the server's");
        assert!(late.why.contains("at the median latency"), "{}", late.why);
    }

    #[test]
    fn one_that_never_rests_spoils_all_however_late_it_was() {
        let late = judge(&of(&[(10, 1000)]), &of(&[(100_000, 1000)]), Share(0.90)).expect("it is the bound");
        assert!(!late.kept);
        assert!(late.why.contains("90% of the time"), "{}", late.why);
    }

    #[test]
    fn one_that_is_held_up_now_and_then_spoils_the_tail() {
        let lag = of(&[(1_000, 980), (4_000_000, 20)]);
        let late =
            judge(&lag, &of(&[(100_000, 980), (5_000_000, 20)]), Share(0.5)).expect("its tail is late");
        assert!(late.kept);
        assert_eq!(late.withheld, [Metric::LatencyP99, Metric::LatencyP999]);
        assert!(late.why.contains("p99 latency"), "{}", late.why);
        // Where the server takes far longer than that by itself, it spoils nothing.
        let slow = of(&[(100_000, 980), (50_000_000, 20)]);
        assert_eq!(judge(&lag, &slow, Share(0.5)), None);
    }
}
