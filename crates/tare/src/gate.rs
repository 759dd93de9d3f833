//! The gate: whether results pass what `--fail-if` asks, and if not, why.

use tare_model::benchmark::{Benchmarks, Standing};
use tare_model::comparison::Verdict;
use tare_model::ids::ContenderId;
use tare_model::results::{ContenderResult, Results, State, WorkloadResult};
use tare_model::settings::RunKind;
use tare_prepare::PrepareError;
use tare_report::{benchmarks, sentences, words};

use crate::context;
use crate::failure::Failure;
use crate::values::{FailIf, Limit};

/// Refuses gates on names that are compared with nothing. `checked`: of one name.
pub fn known(
    gates: &[FailIf],
    checked: impl Fn(&ContenderId) -> Result<(), PrepareError>,
) -> Result<(), Failure> {
    let failure = |error: PrepareError| {
        let failure = Failure::usage(format!("--fail-if: {error}"));
        match error.hint() {
            Some(hint) => failure.hint(hint),
            None => failure.hint("nothing was measured; `slower` alone is about all that is compared"),
        }
    };
    let mut names = gates.iter().filter_map(|gate| gate.name.as_ref());
    names.try_for_each(|name| checked(name).map_err(failure))
}

/// Whether all gates hold. Where one does not, standard error has which, and what it fails on.
pub fn hold(gates: &[FailIf], results: &Results) -> bool {
    let hint = format!("the whole report: `tare report {}`", results.run.id);
    all_hold(gates, |gate| against(gate, results), &hint)
}

/// The same of any results; `against`: what a gate fails on, nothing where it holds.
pub fn all_hold(gates: &[FailIf], against: impl Fn(&FailIf) -> Vec<String>, hint: &str) -> bool {
    let broken = gates.iter().filter_map(|gate| {
        let against = against(gate);
        let text = || {
            format!(
                "the gate `--fail-if '{gate}'` does not hold:\n    {}",
                against.join("\n    ")
            )
        };
        (!against.is_empty()).then(text)
    });
    let broken: Vec<String> = broken.collect();
    if broken.is_empty() {
        return true;
    }
    let failure = Failure {
        status: crate::failure::GATE,
        message: broken.join("\n"),
        hint: Some(hint.to_owned()),
    };
    context::note(format!("\n{failure}"));
    false
}

/// What a gate fails on, a sentence for each; nothing where it holds: no contender is slower than the baseline
/// (`not-proven`: nor inconclusive), or beyond a limit. A contender that the gate names must have been compared at all.
fn against(gate: &FailIf, results: &Results) -> Vec<String> {
    match (&gate.limit, &results.benchmarks) {
        (Some(limit), _) => beyond(gate, limit, results),
        (None, Some(found)) => slower_benchmarks(gate, results, found),
        (None, None) => slower(gate, results),
    }
}

fn slower(gate: &FailIf, results: &Results) -> Vec<String> {
    let named = |id: &ContenderId| gate.name.as_ref().is_none_or(|name| name == id);
    // Where the generator was too late, or a case was not measured, nothing is proven either.
    let mut against = if gate.not_proven {
        unjudged(gate, results)
    } else {
        Vec::new()
    };
    // A run that was to have several launches, and had too few, has decided nothing.
    let counts = |provisional: bool| !provisional || of_one_launch(results);
    let mut compared = false;
    for result in &results.workloads {
        for comparison in result
            .comparisons
            .iter()
            .filter(|one| one.primary && named(&one.a))
        {
            compared = true;
            if !passes(
                comparison.verdict,
                counts(comparison.provisional),
                gate.not_proven,
            ) {
                let title = title(results, result);
                against.push(format!("{title}{}", sentences::of_comparison(result, comparison)));
            }
        }
    }
    match &gate.name {
        Some(name) if !compared => against.push(format!("{name} was not compared.")),
        None if !compared && gate.not_proven && against.is_empty() => {
            against.push("Nothing was compared.".to_owned());
        }
        _ => {}
    }
    against
}

/// The arena, where there are several.
fn title(results: &Results, result: &WorkloadResult) -> String {
    match results.workloads.as_slice() {
        [_] => String::new(),
        _ => format!("{}: ", result.title()),
    }
}

/// Figures beyond a limit: with their whole interval, where they have one. One whose interval has the limit in it passes,
/// which a note says. Of what should have such a figure, somebody must.
fn beyond(gate: &FailIf, limit: &Limit, results: &Results) -> Vec<String> {
    let (mut against, mut judged) = (Vec::new(), false);
    // Of two revisions the later one is to be kept from getting worse.
    let diff = results.run.settings.kind == RunKind::Diff;
    for result in &results.workloads {
        let earlier = result.baseline.as_ref().filter(|_| diff);
        let meant = result
            .contenders
            .iter()
            .filter(|one| is_meant(gate, one) && earlier != Some(&one.id));
        for one in meant {
            let Some(figure) = one
                .metrics
                .get(&limit.metric)
                .filter(|_| !one.late_on(limit.metric))
            else {
                continue;
            };
            judged = true;
            let name = format!("{}{}", title(results, result), one.id);
            let text = words::beyond(&name, limit.metric, figure, limit.value);
            let ends = [figure.low, figure.high].map(|end| end.unwrap_or(figure.estimate));
            if ends.iter().all(|end| limit.is_beyond(*end)) {
                against.push(format!("{text}."));
            } else if ends.iter().any(|end| limit.is_beyond(*end)) {
                context::note(format!("note: not decided: {text}, which is within its interval"));
            }
        }
    }
    if !judged {
        against.push(format!(
            "Nothing here has a {} to hold against the limit.",
            limit.metric.title()
        ));
    }
    against
}

fn is_meant(gate: &FailIf, one: &ContenderResult) -> bool {
    let named = gate.name.as_ref().is_none_or(|name| *name == one.id);
    named && one.state == State::Measured && one.subject.is_rival()
}

/// The benchmarks that are slower; `not-proven`: and those that are not shown not to be. Those that are only on one side, or
/// that were rewritten, are not judged.
fn slower_benchmarks(gate: &FailIf, results: &Results, found: &Benchmarks) -> Vec<String> {
    let mut against = benchmarks::against(found, gate.not_proven);
    if gate.not_proven && !found.list.iter().any(|one| one.verdict().is_some()) {
        against.push("Nothing was compared.".to_owned());
    }
    let failed = found
        .list
        .iter()
        .filter(|one| matches!(one.standing, Standing::Failed { .. }));
    if gate.not_proven {
        against.extend(failed.map(|one| format!("{} {} failed.", one.program, one.name)));
    }
    let left_out = results.not_measured.len();
    if gate.not_proven && left_out > 0 {
        against.push(format!("The budget did not hold {left_out} benchmarks."));
    }
    against
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

/// What has no verdict that the gate is about: because the generator was too late for it, or because it was not measured.
fn unjudged(gate: &FailIf, results: &Results) -> Vec<String> {
    let late = |workload: &WorkloadResult| {
        let asked =
            |id| gate.name.as_ref().is_none_or(|name| name == id) || workload.baseline.as_ref() == Some(id);
        let mut all = workload.contenders.iter();
        all.any(|contender| asked(&contender.id) && contender.late_on(workload.primary))
    };
    let late = results.workloads.iter().filter(|workload| late(workload));
    let mut all: Vec<String> = late.flat_map(words::lateness).collect();
    all.extend(words::not_measured(&results.not_measured));
    all
}

#[cfg(test)]
mod tests {
    use tare_model::benchmark::FigureResult;
    use tare_model::benchmark::{BenchmarkResult, Change};
    use tare_model::estimate::Estimate;
    use tare_model::figure::Quantity;
    use tare_model::settings::Many;

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

    /// Two revisions of one benchmark, by its time.
    fn benchmark(change: Change) -> BenchmarkResult {
        let ratio = Estimate {
            estimate: 1.0,
            low: Some(0.9),
            high: Some(1.1),
        };
        BenchmarkResult {
            harness: "go".into(),
            program: "rank".into(),
            name: "Rank".into(),
            standing: Standing::Judged,
            figures: vec![FigureResult {
                quantity: Quantity::Time,
                part: String::new(),
                before: None,
                after: None,
                ratio: Some(ratio),
                alpha: 0.05,
                change: Some(change),
                coarse: None,
                centres: Vec::new(),
            }],
            rounds: 9,
            launches: 3,
        }
    }

    #[test]
    fn benchmarks_pass_unless_one_is_slower_or_where_it_is_asked_for_not_proven() {
        let of = |changes: &[Change]| Results {
            benchmarks: Some(Benchmarks {
                many: Many::Discoveries,
                alpha: 0.05,
                margin: 0.01,
                list: changes.iter().map(|change| benchmark(*change)).collect(),
                layout: None,
            }),
            ..Results::default()
        };
        let gate = |text: &str| text.parse::<FailIf>().unwrap();
        for (changes, slower, not_proven) in [
            (&[Change::Better, Change::Worse][..], false, false),
            (&[Change::Better, Change::Inconclusive], true, false),
            (&[Change::Better, Change::Equivalent], true, true),
            (&[], true, false),
        ] {
            assert_eq!(hold(&[gate("slower")], &of(changes)), slower, "{changes:?}");
            let both = [gate("slower"), gate("not-proven")];
            assert_eq!(hold(&both[1..], &of(changes)), not_proven, "{changes:?}");
            assert_eq!(hold(&both, &of(changes)), slower && not_proven, "{changes:?}");
        }
        let mut more_allocations = of(&[Change::Equivalent]);
        let figures = &mut more_allocations.benchmarks.as_mut().unwrap().list[0].figures;
        let mut allocations = figures[0].clone();
        (allocations.quantity, allocations.change) = (Quantity::Allocations, Some(Change::Worse));
        figures.push(allocations);
        assert!(
            hold(&[gate("not-proven")], &more_allocations),
            "the gate is about time"
        );
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

    #[test]
    fn a_gate_that_nothing_speaks_to_fails_where_something_had_to() {
        let of = |gate: &str| against(&gate.parse().unwrap(), &Results::default());
        assert_eq!(of("slower"), Vec::<String>::new());
        assert_eq!(of("not-proven"), ["Nothing was compared."]);
        assert_eq!(of("slower:go"), ["go was not compared."]);
        assert_eq!(
            of("latency_p99 > 200ms"),
            ["Nothing here has a p99 latency to hold against the limit."]
        );
    }
}
