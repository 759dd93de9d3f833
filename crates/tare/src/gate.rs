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
    // A run that was to have several launches, and had too few, has decided nothing.
    let counts = |provisional: bool| !provisional || of_one_launch(results);
    mine.all(|comparison| {
        passes(
            comparison.verdict,
            counts(comparison.provisional),
            gate.not_proven,
        )
    })
}

/// Whether a verdict, if it counts, passes.
fn passes(verdict: Verdict, counts: bool, not_proven: bool) -> bool {
    match verdict {
        Verdict::Slower if counts => false,
        Verdict::Faster | Verdict::Equivalent if counts => true,
        _ => !not_proven,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_that_does_not_count_proves_nothing() {
        for (verdict, slower, not_proven) in [
            (Verdict::Slower, false, false),
            (Verdict::Inconclusive, true, false),
            (Verdict::Faster, true, true),
            (Verdict::Equivalent, true, true),
        ] {
            assert_eq!(passes(verdict, true, false), slower, "{verdict:?}");
            assert_eq!(passes(verdict, true, true), not_proven, "{verdict:?}");
            assert!(passes(verdict, false, false), "{verdict:?}");
            assert!(!passes(verdict, false, true), "{verdict:?}");
        }
    }

    #[test]
    fn provisional_verdicts_count_where_one_launch_was_asked_for() {
        let mut results = Results::default();
        assert!(!of_one_launch(&results));
        results.run.settings.launches = Some(2);
        assert!(!of_one_launch(&results));
        results.run.settings.launches = Some(1);
        assert!(of_one_launch(&results));
        results.run.settings.launches = None;
        results.run.settings.kind = RunKind::Load;
        assert!(of_one_launch(&results));
    }
}
