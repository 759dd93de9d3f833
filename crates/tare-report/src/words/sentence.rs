//! A comparison as a sentence that a person would say aloud.

use tare_model::comparison::{Comparison, Verdict};
use tare_model::estimate::Estimate;
use tare_model::metric::Metric;

use super::number::{estimate, percent, ratio, show};
use super::verdict::{decided, direction, limits, needed};

/// `xz is 1.79 times slower than gzip (1.11 to 2.89, 5% error rate).` `alpha`: the chance of any false declaration among all
/// comparisons that are shown together.
pub(crate) fn sentence(comparison: &Comparison, alpha: f64) -> String {
    let Comparison { a, b, metric, .. } = comparison;
    let by = by(*metric);
    let more = needed(comparison).map_or(String::new(), |needed| format!("; {needed} would decide"));
    let Some((low, high)) = limits(comparison) else {
        return format!("{a} against {b}{by} is inconclusive: there is no interval yet{more}.");
    };
    let rate = format!("{} error rate", percent(alpha));
    let rate = if comparison.provisional {
        format!("{rate}, provisional")
    } else {
        rate
    };
    let whose = |worse: bool| direction(*metric, !worse);
    // Whether a is worse, by its ratio.
    let worse = (comparison.ratio > 1.0) != metric.more_is_better();
    let factor = |value: f64| times(if value >= 1.0 { value } else { 1.0 / value });
    let (less, more_so) = if comparison.ratio >= 1.0 {
        (low, high)
    } else {
        (1.0 / high, 1.0 / low)
    };
    match decided(comparison) {
        Verdict::Faster | Verdict::Slower => format!(
            "{a} is {} times {} than {b}{by} ({} to {}, {rate}).",
            factor(comparison.ratio),
            whose(worse),
            times(less),
            times(more_so),
        ),
        Verdict::Equivalent => format!(
            "{a} and {b} are equivalent{by}, within {} (ratio {} to {}, {rate}).",
            percent(comparison.margin),
            ratio(low),
            ratio(high),
        ),
        Verdict::Inconclusive if low > 1.0 || high < 1.0 => format!(
            "{a} is {} than {b}{by}, perhaps by less than {} ({} to {} times, {rate}){more}.",
            whose(worse),
            percent(comparison.margin),
            times(less),
            times(more_so),
        ),
        Verdict::Inconclusive => {
            let (better_end, worse_end) = if metric.more_is_better() {
                (high, low)
            } else {
                (low, high)
            };
            format!(
                "{a} against {b}{by} is inconclusive: from {} times {} to {} times {} ({rate}){more}.",
                factor(better_end),
                whose(false),
                factor(worse_end),
                whose(true),
            )
        }
    }
}

/// ` by CPU per operation`; nothing where faster and slower say it already.
fn by(metric: Metric) -> String {
    match metric {
        Metric::Duration | Metric::Throughput | Metric::TimePerOp => String::new(),
        Metric::MemoryPeak => " in peak memory".to_owned(),
        other => format!(" by {}", other.title()),
    }
}

/// A factor of about three digits: near 1 what is beyond it counts.
fn times(factor: f64) -> String {
    match factor {
        f if f < 1.0995 => format!("{f:.3}"),
        f if f < 9.995 => format!("{f:.2}"),
        f if f < 99.95 => format!("{f:.1}"),
        f => ratio(f),
    }
}

/// A figure that is beyond a limit: `p99 latency of go is 251 ms (240–263), above the limit of 200 ms`.
pub fn beyond(name: &str, metric: Metric, figure: &Estimate, limit: f64) -> String {
    let side = if figure.estimate > limit { "above" } else { "below" };
    let figure = match (figure.low, figure.high) {
        (Some(_), Some(_)) => estimate(metric, figure),
        _ => show(metric, figure.estimate),
    };
    format!(
        "{} of {name} is {figure}, {side} the limit of {}",
        metric.title(),
        show(metric, limit)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::ids::ContenderId;
    use tare_model::metric::Mode;

    fn comparison(verdict: Verdict, ratio: f64, limits: Option<(f64, f64)>) -> Comparison {
        Comparison {
            a: ContenderId::plain("xz"),
            b: ContenderId::plain("gzip"),
            mode: Mode::Command,
            metric: Metric::Duration,
            primary: true,
            ratio,
            low: limits.map(|limits| limits.0),
            high: limits.map(|limits| limits.1),
            alpha: 0.025,
            margin: 0.01,
            rounds: 30,
            launches: 10,
            provisional: false,
            verdict,
            needed: None,
            centres: Vec::new(),
            by_node: Vec::new(),
            net_ratio: None,
        }
    }

    fn said(comparison: &Comparison) -> String {
        sentence(comparison, 0.05)
    }

    #[test]
    fn verdicts_are_sentences() {
        let slower = comparison(Verdict::Slower, 1.79, Some((1.11, 2.89)));
        assert_eq!(
            said(&slower),
            "xz is 1.79 times slower than gzip (1.11 to 2.89, 5% error rate)."
        );
        let faster = comparison(Verdict::Faster, 0.5, Some((0.4, 0.8)));
        assert_eq!(
            said(&faster),
            "xz is 2.00 times faster than gzip (1.25 to 2.50, 5% error rate)."
        );
        let even = comparison(Verdict::Equivalent, 1.001, Some((0.995, 1.006)));
        assert_eq!(
            said(&even),
            "xz and gzip are equivalent, within 1% (ratio 0.995 to 1.006, 5% error rate)."
        );
        let mut open = comparison(Verdict::Inconclusive, 1.01, Some((0.9, 1.2)));
        open.needed = Some(4);
        assert_eq!(
            said(&open),
            "xz against gzip is inconclusive: from 1.11 times faster to 1.20 times slower (5% error rate); about 4 more \
             blocks would decide."
        );
        let leaning = comparison(Verdict::Inconclusive, 1.012, Some((1.004, 1.02)));
        assert_eq!(
            said(&leaning),
            "xz is slower than gzip, perhaps by less than 1% (1.004 to 1.020 times, 5% error rate)."
        );
    }

    #[test]
    fn more_throughput_is_faster_and_other_metrics_are_named() {
        let mut c = comparison(Verdict::Faster, 2.0, Some((1.5, 4.0)));
        c.metric = Metric::Throughput;
        assert_eq!(
            said(&c),
            "xz is 2.00 times faster than gzip (1.50 to 4.00, 5% error rate)."
        );
        c = comparison(Verdict::Inconclusive, 1.1, Some((0.8, 1.25)));
        c.metric = Metric::Throughput;
        assert!(
            said(&c).contains("from 1.25 times faster to 1.25 times slower"),
            "{}",
            said(&c)
        );
        c = comparison(Verdict::Slower, 1.05, Some((1.02, 1.08)));
        (c.metric, c.provisional) = (Metric::CpuPerOp, true);
        assert_eq!(
            said(&c),
            "xz is 1.050 times slower than gzip by CPU per operation (1.020 to 1.080, 5% error rate, provisional)."
        );
        c.metric = Metric::MemoryPeak;
        assert!(
            said(&c).contains("1.050 times larger than gzip in peak memory"),
            "{}",
            said(&c)
        );
    }

    #[test]
    fn without_an_interval_nothing_is_claimed() {
        let bare = comparison(Verdict::Slower, 2.0, None);
        assert_eq!(
            said(&bare),
            "xz against gzip is inconclusive: there is no interval yet."
        );
    }

    #[test]
    fn a_limit_is_named_with_the_figure_beyond_it() {
        let figure = Estimate {
            estimate: 0.25,
            low: Some(0.24),
            high: Some(0.26),
        };
        assert_eq!(
            beyond("go", Metric::LatencyP99, &figure, 0.2),
            "p99 latency of go is 250 ms (240–260), above the limit of 200 ms"
        );
        let bare = Estimate { low: None, ..figure };
        assert_eq!(
            beyond("go", Metric::Throughput, &bare, 5.0),
            "throughput of go is 0.25 /s, below the limit of 5.00 /s"
        );
    }
}
