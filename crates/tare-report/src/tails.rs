//! Latencies without a figure, because slices have too few answers for that part of the tail.

use std::collections::BTreeMap;

use tare_model::metric::{Metric, Mode};
use tare_model::results::{ContenderResult, State, WorkloadResult};

use crate::words;

/// Answers per slice of a contender: the mean over its rounds.
fn held(result: &WorkloadResult, contender: &ContenderResult) -> u64 {
    contender.latency.count() / u64::from(result.rounds.max(1))
}

/// How many more answers per slice each latency needs for a figure (docs/measuring.md: a quantile q needs 50/(1 − q)). Empty
/// if the contender was not measured, or the mode has no latencies.
pub fn needs(result: &WorkloadResult, contender: &ContenderResult) -> BTreeMap<Metric, u64> {
    let timed = matches!(result.mode, Mode::Capacity | Mode::Cost) && contender.latency.count() > 0;
    if contender.state != State::Measured || !timed {
        return BTreeMap::new();
    }
    let held = held(result, contender);
    let missing = Metric::ALL
        .into_iter()
        .filter(|metric| !contender.metrics.contains_key(metric));
    let need = |metric: Metric| Some((metric, metric.answers_needed()?.saturating_sub(held)));
    missing.filter_map(need).filter(|(_, more)| *more > 0).collect()
}

/// Which latencies are missing, and how many more answers they need: one sentence, with the contender whose slices have
/// the fewest.
pub fn sentence(result: &WorkloadResult) -> Option<String> {
    let lacking = |contender: &&ContenderResult| !needs(result, contender).is_empty();
    let least = result.contenders.iter().filter(lacking);
    let least = least.min_by_key(|contender| held(result, contender))?;
    let wants: Vec<String> = needs(result, least)
        .into_iter()
        .map(|(metric, more)| format!("{} more for {}", words::grouped(more), metric.title()))
        .collect();
    Some(format!(
        "A slice of {} has {}, too few for figures of its tail: {}.",
        least.id,
        words::counted(held(result, least), "answer"),
        words::list(&wants)
    ))
}
