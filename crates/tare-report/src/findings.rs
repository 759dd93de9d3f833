//! The main findings of a workload, in plain sentences.

use tare_model::comparison::Comparison;
use tare_model::ids::ContenderId;
use tare_model::results::{State, WorkloadResult};

use crate::view;
use crate::words::{self, Tone};

/// The findings as sentences. A ratio and its interval follow the name of every contender with a verdict, and the last
/// sentence says what these are based on.
pub(crate) fn sentences(result: &WorkloadResult) -> Vec<String> {
    let comparisons = view::shown(result);
    let mut out = Vec::new();
    match &result.baseline {
        Some(baseline) if !comparisons.is_empty() => {
            out.push(decided(result, baseline, &comparisons));
            out.extend(groups(result, &comparisons));
            out.extend(missing(result));
            out.extend(basis(result, &comparisons));
        }
        _ => {
            out.push(nothing_compared(result));
            out.extend(missing(result));
        }
    }
    out
}

fn decided(result: &WorkloadResult, baseline: &ContenderId, comparisons: &[&Comparison]) -> String {
    let count = comparisons
        .iter()
        .filter(|c| words::tone(c) != Tone::Open)
        .count();
    let of = words::counted(comparisons.len() as u64, "contender");
    let how = if comparisons.iter().any(|c| c.provisional) {
        "provisionally decided"
    } else {
        "decided"
    };
    let is = if count == 1 { "is" } else { "are" };
    format!(
        "Of {of} against {baseline}, {count} {is} {how} by {}.",
        result.primary.title()
    )
}

fn groups(result: &WorkloadResult, comparisons: &[&Comparison]) -> Vec<String> {
    let (low, high) = words::ends(result.primary);
    let (better, worse) = if result.primary.more_is_better() {
        (high, low)
    } else {
        (low, high)
    };
    let groups = [
        (Tone::Better, words::capital(better)),
        (Tone::Worse, words::capital(worse)),
        (Tone::Even, "Equivalent".to_owned()),
        (Tone::Open, "Inconclusive".to_owned()),
    ];
    let mut out = Vec::new();
    for (tone, title) in groups {
        let members: Vec<String> = comparisons
            .iter()
            .filter(|c| words::tone(c) == tone)
            .map(|c| member(c))
            .collect();
        if !members.is_empty() {
            out.push(format!("{title}: {}.", words::list(&members)));
        }
    }
    out
}

fn member(comparison: &Comparison) -> String {
    let ratio = words::ratio_and_interval(comparison.ratio, words::limits(comparison));
    format!("{} {ratio}", comparison.a)
}

fn basis(result: &WorkloadResult, comparisons: &[&Comparison]) -> Option<String> {
    let (common, exceptions) = view::grounds(comparisons)?;
    let baseline = result.baseline.as_ref()?;
    let except = match exceptions.as_slice() {
        [] => String::new(),
        list => format!("; but {}", list.join("; ")),
    };
    Some(format!(
        "After each name: its {} divided by {baseline}’s, and the interval ({common}{except}).",
        result.primary.title()
    ))
}

fn nothing_compared(result: &WorkloadResult) -> String {
    let measured = view::measured(result);
    match (measured.as_slice(), &result.baseline) {
        ([], _) if result.contenders.is_empty() => "No contender took part.".to_owned(),
        ([], _) => "No contender has figures, so there is nothing to compare.".to_owned(),
        ([only], _) => format!(
            "Only {} has figures, so there is nothing to compare it with.",
            only.id
        ),
        (_, Some(baseline)) => format!("Nothing is compared: {}.", no_baseline(result, baseline)),
        (_, None) => "Nothing is compared: no baseline was named (--baseline names one).".to_owned(),
    }
}

fn no_baseline(result: &WorkloadResult, baseline: &ContenderId) -> String {
    match result.contender(baseline) {
        Some(contender) if contender.state != State::Measured => {
            format!(
                "the baseline {baseline} has no figures ({})",
                words::fate(contender)
            )
        }
        Some(contender) if contender.late_on(result.primary) => {
            format!("the generator was late for the baseline {baseline}, as for others")
        }
        Some(_) => format!("no comparison with the baseline {baseline} could be made"),
        None => format!("the baseline {baseline} did not take part (--baseline names another)"),
    }
}

/// The contenders without figures, and why.
pub(crate) fn missing(result: &WorkloadResult) -> Option<String> {
    let list: Vec<String> = view::without_figures(result)
        .into_iter()
        .map(|c| format!("{} ({})", c.id, words::fate(c)))
        .collect();
    (!list.is_empty()).then(|| format!("Without figures: {}.", words::list(&list)))
}
