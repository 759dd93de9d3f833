//! An explanation in words and rows, which the formats share.

use std::fmt::Write;

use tare_model::estimate::Estimate;
use tare_model::explanation::{Count, Explanation, Finding, LayerCost, Unit};
use tare_model::units::{Bytes, Seconds};

use crate::view::NONE;
use crate::words;

/// `doubling/one-core, batch: go to node`.
pub fn title(explanation: &Explanation) -> String {
    let size = explanation
        .size
        .map_or(String::new(), |size| format!(" at {}", words::grouped(size)));
    format!(
        "{}/{}{size}, {}: from {} to {}",
        explanation.workload, explanation.case, explanation.mode, explanation.a, explanation.b
    )
}

/// The gap, and how much of it is explained, in one sentence.
pub fn lead(explanation: &Explanation) -> String {
    let (a, b) = (&explanation.a, &explanation.b);
    let Some((cost_a, cost_b)) = explanation.cost.both() else {
        return format!("Nothing was measured of both {a} and {b}.");
    };
    let time = |estimate: Estimate| Seconds(estimate.estimate).to_string();
    let mut text = format!(
        "An operation costs {a} {} of CPU, {b} {}",
        time(cost_a),
        time(cost_b)
    );
    let Some(gap) = explanation.gap else {
        return text + ".";
    };
    let proven = gap
        .low
        .zip(gap.high)
        .is_some_and(|(low, high)| low > 0.0 || high < 0.0);
    let _ = write!(text, ": the gap is {}", interval(&gap));
    if gap.low.is_none() {
        return text + ": too few rounds to distinguish it from zero.";
    }
    if !proven {
        return text + ", which cannot be distinguished from zero.";
    }
    match explanation.closure.and_then(|closure| closure.explained) {
        Some(explained) => format!(
            "{text}; named layers explain {} of it.",
            words::measured_percent(explained)
        ),
        None => text + "; there are no stacks of both to explain it with.",
    }
}

/// A time; zero is `0`, without a unit.
pub fn time(seconds: f64) -> String {
    if seconds == 0.0 {
        return "0".to_owned();
    }
    Seconds(seconds).to_string()
}

/// The layers with any CPU time.
pub fn layers(explanation: &Explanation) -> impl Iterator<Item = &LayerCost> {
    let spent = |side: Option<f64>| side.is_some_and(|seconds| seconds > 0.0);
    let layers = explanation.layers.iter();
    layers.filter(move |part| spent(part.cost.a) || spent(part.cost.b) || spent(part.cost.floor))
}

/// `3.10 µs (2.90 µs to 3.30 µs)`.
pub fn interval(estimate: &Estimate) -> String {
    let middle = Seconds(estimate.estimate);
    match estimate.low.zip(estimate.high) {
        Some((low, high)) if low == high => time(low),
        Some((low, high)) => format!("{middle} ({} to {})", time(low), time(high)),
        None => format!("{middle} (no interval yet)"),
    }
}

/// Whether the parts add up, in a sentence; none without stacks.
pub fn closure(explanation: &Explanation) -> Option<String> {
    let closure = explanation.closure?;
    let verdict = match (closure.rest.low, closure.closes) {
        (None, _) => "too few rounds to say whether the parts add up",
        (Some(_), true) => "the parts add up to the gap within that interval",
        (Some(_), false) => {
            "the parts do not add up to the gap: the rest is the effect of the instrumentation"
        }
    };
    let seen = |side: Option<f64>| side.map_or(NONE.to_owned(), words::measured_percent);
    Some(format!(
        "Closure: the parts sum to {}, which leaves {} of the measured gap: {verdict}. Samples cover {} of the CPU time \
         of {}, and {} of that of {}.",
        Seconds(closure.parts),
        interval(&closure.rest),
        seen(closure.seen.a),
        explanation.a,
        seen(closure.seen.b),
        explanation.b,
    ))
}

/// What an explanation is based on.
pub fn grounds(explanation: &Explanation) -> String {
    let mut text = format!(
        "{}, interleaved; stacks and calls in slices of their own. Intervals: α {} each, within one launch.",
        words::counted(u64::from(explanation.rounds), "round"),
        words::percent(explanation.alpha)
    );
    for instrumentation in &explanation.instrumentations {
        let ratio = &instrumentation.ratio;
        let ends = ratio
            .low
            .zip(ratio.high)
            .map_or(String::new(), |(low, high)| format!(" ({low:.3} to {high:.3})"));
        let _ = write!(
            text,
            " {} was measured with {}, which makes its cost ×{:.3}{ends}.",
            instrumentation.id, instrumentation.words, ratio.estimate
        );
    }
    text
}

/// A layer's row: its name, what it costs each, the difference. `floor`: whether the table has a column for it.
pub(crate) fn layer_row(part: &LayerCost, floor: bool) -> Vec<String> {
    let cost = |side: Option<f64>| side.map_or(NONE.to_owned(), time);
    let mut row = vec![part.layer.title().to_owned()];
    row.extend(floor.then(|| cost(part.cost.floor)));
    row.extend([cost(part.cost.a), cost(part.cost.b), interval(&part.delta)]);
    row
}

/// A count's row.
pub(crate) fn count_row(count: &Count, floor: bool) -> Vec<String> {
    let show = |side: Option<f64>| side.map_or(NONE.to_owned(), |value| value_of(count.unit, value));
    let mut row = vec![name_of(count)];
    row.extend(floor.then(|| show(count.value.floor)));
    row.extend([show(count.value.a), show(count.value.b)]);
    row
}

fn name_of(count: &Count) -> String {
    match count.unit {
        Unit::PerOperation | Unit::BytesPerOperation | Unit::SecondsPerOperation => {
            format!("{} per operation", count.name)
        }
        Unit::Bytes | Unit::Number | Unit::Share => count.name.clone(),
    }
}

fn value_of(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Bytes | Unit::BytesPerOperation => Bytes(value.max(0.0).round() as u64).to_string(),
        Unit::SecondsPerOperation => time(value),
        Unit::Share => format!("{:.1}%", value * 100.0),
        Unit::PerOperation | Unit::Number => match value {
            v if v >= 100.0 => format!("{v:.0}"),
            v if v >= 0.01 => format!("{v:.2}"),
            0.0 => "0".to_owned(),
            v => format!("{v:.1e}"),
        },
    }
}

/// A finding as a sentence.
pub fn sentence(finding: &Finding) -> String {
    format!("{}.", words::capital(&finding.text))
}
