//! The gate: whether results pass what `--fail-if` asks.

use tare_model::comparison::Verdict;
use tare_model::ids::ContenderId;
use tare_model::results::Results;
use tare_model::settings::RunKind;

use crate::values::FailIf;

/// Whether a gate holds: no contender is slower than the baseline (`not-proven`: nor inconclusive). A contender that
/// the gate names must have been compared at all.
pub fn holds(gate: &FailIf, results: &Results) -> bool {
    let all = results
        .workloads
        .iter()
        .flat_map(|workload| &workload.comparisons);
    let named = |id: &ContenderId| gate.name.as_ref().is_none_or(|name| name == id);
    let mut mine = all
        .filter(|comparison| comparison.primary && named(&comparison.a))
        .peekable();
    // Where the generator was too late, or a case was not measured, nothing is proven either.
    if gate.not_proven && (unjudged(gate, results) || !results.not_measured.is_empty()) {
        return false;
    }
    if mine.peek().is_none() {
        return !gate.not_proven && gate.name.is_none();
    }
    mine.all(|comparison| match comparison.verdict {
        // A run that was to have several launches, and had too few, has decided nothing.
        _ if comparison.provisional && !of_one_launch(results) => !gate.not_proven,
        Verdict::Slower => false,
        Verdict::Inconclusive => !gate.not_proven,
        Verdict::Faster | Verdict::Equivalent => true,
    })
}

/// Whether one launch was all that was asked for.
fn of_one_launch(results: &Results) -> bool {
    let settings = &results.run.settings;
    settings.launches == Some(1) || settings.kind == RunKind::Load
}

/// Whether the generator was too late for a verdict that the gate is about.
fn unjudged(gate: &FailIf, results: &Results) -> bool {
    results.workloads.iter().any(|workload| {
        let asked =
            |id| gate.name.as_ref().is_none_or(|name| name == id) || workload.baseline.as_ref() == Some(id);
        workload
            .contenders
            .iter()
            .any(|contender| asked(&contender.id) && contender.late_on(workload.primary))
    })
}
