//! A contender that is compared with nothing, in words.

use tare_model::estimate::PRECISE;
use tare_model::results::{State, WorkloadResult};

use super::number::percent;

/// How well the figure of a contender without rivals is known, and how well it is to be: `duration known to ±3.4% (a run
/// ends at ±2%)`. None where there is something to compare, or nothing was measured.
pub fn alone(result: &WorkloadResult) -> Option<String> {
    let mut rivals = result
        .contenders
        .iter()
        .filter(|contender| contender.subject.is_rival());
    let one = rivals.next().filter(|_| rivals.next().is_none())?;
    if !matches!(one.state, State::Measured | State::NotSteady) {
        return None;
    }
    let figure = one.metrics.get(&result.primary)?;
    let title = result.primary.title();
    let wanted = percent(PRECISE);
    let Some((low, high)) = figure.low.zip(figure.high) else {
        return Some(format!("{title} without an interval (a run ends at ±{wanted})"));
    };
    let known = percent((high / low).sqrt() - 1.0);
    Some(format!("{title} known to ±{known} (a run ends at ±{wanted})"))
}

/// The same as a sentence of a report.
pub(crate) fn alone_sentence(result: &WorkloadResult) -> Option<String> {
    alone(result).map(|known| format!("Nothing to compare it with: {known}."))
}
