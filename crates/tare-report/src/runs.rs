//! The spread of the runs of whole commands, in words.

use tare_model::results::{ContenderResult, WorkloadResult};
use tare_model::spread::Spread;

/// The note on every such table.
pub(crate) const NOTE: &str = "Wall time of all runs that count; σ is their standard deviation. Verdicts use the ratios within \
rounds instead.";

/// The commands that have runs, in the order in which they were given.
pub(crate) fn rows(result: &WorkloadResult) -> Vec<(&ContenderResult, &Spread)> {
    let all = result.contenders.iter();
    all.filter_map(|contender| Some((contender, contender.spread.as_ref()?)))
        .collect()
}

/// `5.21 ms ± 0.32 ms`, or only the mean if there is one run.
pub(crate) fn mean(spread: &Spread) -> String {
    match spread.deviation {
        Some(deviation) => format!("{} ± {deviation}", spread.mean),
        None => spread.mean.to_string(),
    }
}

/// `4.90 ms … 7.33 ms`
pub(crate) fn range(spread: &Spread) -> String {
    format!("{} … {}", spread.least, spread.most)
}
