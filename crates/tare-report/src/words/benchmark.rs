//! Benchmarks of a harness in words: what is measured, values, verdicts.

use tare_model::benchmark::{Change, FigureResult};
use tare_model::estimate::Estimate;
use tare_model::figure::Quantity;
use tare_model::units::{Seconds, three_digits};

use super::number::{grouped, percent, ratio, ratio_and_interval, slight};
use super::verdict::Tone;
use crate::escape::one_line;

/// What is measured: `time`, `allocations`, or the benchmark's own unit.
pub(crate) fn quantity(quantity: &Quantity) -> String {
    match quantity {
        Quantity::Time => "time".to_owned(),
        Quantity::Throughput(_) => "throughput".to_owned(),
        Quantity::Bytes => "bytes allocated".to_owned(),
        Quantity::Allocations => "allocations".to_owned(),
        Quantity::Custom(unit) => one_line(unit),
    }
}

/// The same with the part of the benchmark that it is of: `time, t=2`.
pub(crate) fn figure_name(figure: &FigureResult) -> String {
    let name = quantity(&figure.quantity);
    match figure.part.as_str() {
        "" => name,
        part => format!("{name}, {}", one_line(part)),
    }
}

/// A value with its unit. Counts have all their digits: a difference of one is a difference.
pub(crate) fn value(quantity: &Quantity, value: f64) -> String {
    match quantity {
        Quantity::Time if value.abs() < 1e12 => Seconds(value).to_string(),
        Quantity::Time => format!("{value:.2e} s"),
        Quantity::Throughput(unit) => {
            let (number, prefix) = scaled(value);
            format!("{number} {prefix}{}/s", one_line(unit))
        }
        Quantity::Bytes => format!("{} B", count(value)),
        Quantity::Allocations => count(value),
        Quantity::Custom(unit) => format!("{} {}", plain(value), one_line(unit)),
    }
}

/// A value and its interval: `8.93 µs (8.86 µs–9.01 µs)`; a count has none.
pub(crate) fn value_and_interval(quantity: &Quantity, estimate: &Estimate) -> String {
    let middle = value(quantity, estimate.estimate);
    match estimate.low.zip(estimate.high) {
        _ if quantity.counted() => middle,
        Some((low, high)) => format!("{middle} ({}–{})", value(quantity, low), value(quantity, high)),
        None => format!("{middle} (no interval)"),
    }
}

/// After divided by before, with its interval; a ratio of counts has none. None without both sides.
pub(crate) fn change_ratio(figure: &FigureResult) -> Option<String> {
    let found = figure.ratio.filter(|found| found.estimate.is_finite())?;
    Some(if figure.quantity.counted() {
        ratio(found.estimate)
    } else {
        ratio_and_interval(found.estimate, figure.limits())
    })
}

/// The tone of a verdict.
pub(crate) fn change_tone(figure: &FigureResult) -> Tone {
    match figure.verdict() {
        Some(Change::Worse) => Tone::Worse,
        Some(Change::Better) => Tone::Better,
        Some(Change::Equivalent) => Tone::Even,
        Some(Change::Inconclusive) | None => Tone::Open,
    }
}

/// The verdict in words: `slower`, `equivalent, 0.6% faster`, `slower, perhaps by less than 1%`, `more allocations`.
///
/// Show it with its interval beside it, and what it is based on near it.
pub(crate) fn change(figure: &FigureResult, margin: f64) -> String {
    let Some(verdict) = figure.verdict() else {
        return unjudged(&figure.quantity).to_owned();
    };
    let leaning = leaning(figure);
    let text = match (verdict, leaning) {
        (Change::Worse, _) => way(&figure.quantity, false).to_owned(),
        (Change::Better, _) => way(&figure.quantity, true).to_owned(),
        (Change::Equivalent, Some((way, by))) => format!("equivalent, {} {way}", slight(by)),
        (Change::Equivalent, None) => "equivalent".to_owned(),
        (Change::Inconclusive, Some((way, _))) => format!("{way}, perhaps by less than {}", percent(margin)),
        (Change::Inconclusive, None) => "inconclusive".to_owned(),
    };
    match figure.coarse {
        Some(step) => format!("{text} (printed in steps of {})", percent(step)),
        None => text,
    }
}

/// Which way a figure differs and by how much, where its interval excludes one.
fn leaning(figure: &FigureResult) -> Option<(&'static str, f64)> {
    let ratio = figure.ratio?.estimate;
    let (low, high) = figure.limits()?;
    let more = low > 1.0;
    if !more && high >= 1.0 {
        return None;
    }
    let better = more == (figure.quantity.better() == Some(tare_model::figure::Better::More));
    Some((way(&figure.quantity, better), ratio.ln().abs().exp_m1()))
}

/// What a change to the better or the worse is called.
fn way(quantity: &Quantity, better: bool) -> &'static str {
    match (quantity, better) {
        (Quantity::Time, true) => "faster",
        (Quantity::Time, false) => "slower",
        (Quantity::Bytes, true) => "less memory",
        (Quantity::Bytes, false) => "more memory",
        (Quantity::Allocations, true) => "fewer allocations",
        (Quantity::Allocations, false) => "more allocations",
        (Quantity::Throughput(_) | Quantity::Custom(_), true) => "better",
        (Quantity::Throughput(_) | Quantity::Custom(_), false) => "worse",
    }
}

/// Why a quantity has no verdict.
fn unjudged(quantity: &Quantity) -> &'static str {
    match quantity {
        Quantity::Throughput(_) => "follows from the time",
        Quantity::Custom(_) if quantity.better().is_none() => "not judged: which way is better is not known",
        _ => "not judged",
    }
}

/// A count; a mean of counts may have a fraction.
fn count(value: f64) -> String {
    if value.fract() == 0.0 && (0.0..1e15).contains(&value) {
        grouped(value as u64)
    } else {
        plain(value)
    }
}

/// A number of any size.
fn plain(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        v if (0.01..1e6).contains(&v) => three_digits(value),
        _ => format!("{value:.2e}"),
    }
}

/// Three digits, and the prefix of the unit.
fn scaled(value: f64) -> (String, &'static str) {
    let (scale, prefix) = match value.abs() {
        v if v < 999.5 => (1.0, ""),
        v if v < 999.5e3 => (1e3, "k"),
        v if v < 999.5e6 => (1e6, "M"),
        v if v < 999.5e12 => (1e9, "G"),
        _ => return (format!("{value:.2e}"), ""),
    };
    (three_digits(value / scale), prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(quantity: Quantity, ratio: f64, limits: Option<(f64, f64)>, change: Change) -> FigureResult {
        FigureResult {
            quantity,
            part: String::new(),
            before: None,
            after: None,
            ratio: Some(Estimate {
                estimate: ratio,
                low: limits.map(|l| l.0),
                high: limits.map(|l| l.1),
            }),
            alpha: 0.01,
            change: Some(change),
            coarse: None,
            centres: Vec::new(),
        }
    }

    #[test]
    fn values_have_their_units() {
        let custom = Quantity::Custom("words/op".to_owned());
        let rate = Quantity::Throughput("B".to_owned());
        for (quantity, number, text) in [
            (&Quantity::Time, 110.4e-9, "110 ns"),
            (&Quantity::Bytes, 12_345.0, "12,345 B"),
            (&Quantity::Allocations, 9.5, "9.50"),
            (&Quantity::Allocations, 0.0, "0"),
            (&rate, 453.06e6, "453 MB/s"),
            (&rate, 12.0, "12.0 B/s"),
            (&custom, 10.0, "10.0 words/op"),
            (&custom, 1.5e-7, "1.50e-7 words/op"),
        ] {
            assert_eq!(value(quantity, number), text);
        }
    }

    #[test]
    fn verdicts_say_which_way_and_never_more_than_the_interval() {
        let time = |ratio, limits, verdict| change(&figure(Quantity::Time, ratio, limits, verdict), 0.01);
        assert_eq!(time(1.2, Some((1.1, 1.3)), Change::Worse), "slower");
        assert_eq!(time(0.8, Some((0.7, 0.9)), Change::Better), "faster");
        assert_eq!(
            time(0.8, None, Change::Better),
            "inconclusive",
            "without an interval"
        );
        assert_eq!(
            time(1.004, Some((1.001, 1.007)), Change::Equivalent),
            "equivalent, 0.4% slower"
        );
        assert_eq!(
            time(0.985, Some((0.975, 0.995)), Change::Inconclusive),
            "faster, perhaps by less than 1%"
        );
        assert_eq!(time(1.0, Some((0.9, 1.1)), Change::Inconclusive), "inconclusive");
    }

    #[test]
    fn counts_need_no_interval() {
        let more = figure(Quantity::Allocations, 1.5, None, Change::Worse);
        assert_eq!(change(&more, 0.01), "more allocations");
        assert_eq!(change_ratio(&more).as_deref(), Some("1.500"));
        let from_nothing = figure(Quantity::Bytes, f64::INFINITY, None, Change::Worse);
        assert_eq!(change_ratio(&from_nothing), None);
    }

    #[test]
    fn what_is_coarse_says_so() {
        let mut open = figure(Quantity::Time, 1.02, Some((0.97, 1.07)), Change::Inconclusive);
        open.coarse = Some(0.04);
        assert_eq!(change(&open, 0.01), "inconclusive (printed in steps of 4%)");
        let rate = figure(
            Quantity::Custom("req/s".into()),
            0.9,
            Some((0.85, 0.95)),
            Change::Inconclusive,
        );
        assert_eq!(change(&rate, 0.01), "worse, perhaps by less than 1%");
        let silent = FigureResult {
            change: None,
            ..figure(Quantity::Custom("words".into()), 2.0, None, Change::Worse)
        };
        assert_eq!(
            change(&silent, 0.01),
            "not judged: which way is better is not known"
        );
    }
}
