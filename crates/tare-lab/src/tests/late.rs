//! A late generator: which results its lateness leaves valid.

use super::*;
use tare_model::late::LATENCIES;
use tare_model::results::{ContenderResult, WorkloadResult};

/// An open loop judged by its median latency, as `tare load A B --rate` has it; the lateness of each contender, of a
/// latency of 100 µs and that.
fn measured(lags: &[f64], rules: Rules) -> RunOutcome {
    let scripts: Vec<Script> = lags
        .iter()
        .map(|&lag| Script {
            lag,
            ..Script::default()
        })
        .collect();
    let mut plan = plan(lags.len(), &[Mode::Cost], rules);
    plan.groups[0].modes[0].driving.primary = Metric::LatencyP50;
    go(&plan, &scripts, &mut Ears::default()).0
}

fn three_launches() -> Rules {
    Rules {
        launches: Some(3),
        ..Rules::default()
    }
}

fn of<'a>(result: &'a WorkloadResult, name: &str) -> &'a ContenderResult {
    result.contender(&ContenderId::plain(name)).expect("it took part")
}

fn compared(result: &WorkloadResult, name: &str, metric: Metric) -> bool {
    result.comparison(&ContenderId::plain(name), metric).is_some()
}

#[test]
fn a_latency_that_is_mostly_the_generators_gets_no_verdict() {
    let outcome = measured(&[1e-6, 150e-6, 1e-6], three_launches());
    let result = analysis::analyse(&outcome.arenas[0]);
    let late = of(&result, "c1").late.as_ref().expect("the generator was late");
    assert!(late.kept && late.withheld == LATENCIES, "{late:?}");
    assert!(of(&result, "c0").late.is_none() && of(&result, "c2").late.is_none());
    assert!(!compared(&result, "c1", Metric::LatencyP50));
    assert!(compared(&result, "c2", Metric::LatencyP50));
    assert!(
        compared(&result, "c1", Metric::CpuPerOp),
        "what it costs is its own all the same"
    );
    assert!(of(&result, "c1").ranks.is_empty());
    assert!(of(&result, "c1").metrics.contains_key(&Metric::LatencyP50));
}

#[test]
fn a_generator_that_is_far_behind_has_not_kept_the_rate() {
    let outcome = measured(&[1e-6, 5e-3], three_launches());
    let result = analysis::analyse(&outcome.arenas[0]);
    let late = of(&result, "c1").late.as_ref().expect("the generator was late");
    assert!(!late.kept);
    assert!(late.why.contains("could not keep the rate"), "{}", late.why);
}

#[test]
fn a_generator_without_rest_cannot_keep_the_rate() {
    let mut outcome = measured(&[1e-6, 1e-6], three_launches());
    let arena = &mut outcome.arenas[0];
    assert!(compared(&analysis::analyse(arena), "c1", Metric::LatencyP50));
    for slice in arena.slices.iter_mut().filter(|slice| slice.entrant == 1) {
        slice.reading.load.busy = Share(0.97);
    }
    let result = analysis::analyse(arena);
    let late = of(&result, "c1").late.as_ref().expect("it was the bound");
    assert!(late.why.contains("97% of the time"), "{}", late.why);
    assert!(!compared(&result, "c1", Metric::LatencyP50));
}

#[test]
fn a_late_tail_removes_only_the_verdict_by_the_tail() {
    let mut outcome = measured(&[1e-6, 1e-6], three_launches());
    let arena = &mut outcome.arenas[0];
    for slice in arena.slices.iter_mut().filter(|slice| slice.entrant == 1) {
        let load = &mut slice.reading.load;
        let count = load.lag.count();
        load.lag = Default::default();
        (0..count).for_each(|n| load.lag.record(if n * 8 < count { 90_000 } else { 1_000 }));
    }
    let result = analysis::analyse(arena);
    let late = of(&result, "c1").late.as_ref().expect("its tail is late");
    assert_eq!(late.withheld, LATENCIES[1..]);
    assert!(compared(&result, "c1", Metric::LatencyP50));
    assert!(!compared(&result, "c1", Metric::LatencyP90));
}

/// If no verdict is possible, nothing is decided: the run ends with its budget, not before.
#[test]
fn a_late_baseline_leaves_every_comparison_undecided() {
    let rules = Rules {
        budget: Some(Seconds(120.0)),
        ..Rules::default()
    };
    let outcome = measured(&[150e-6, 1e-6], rules);
    assert_eq!(outcome.done, [Done::Budget]);
    let result = analysis::analyse(&outcome.arenas[0]);
    assert!(!compared(&result, "c1", Metric::LatencyP50));
}

/// A closed loop has no rate that it could miss.
#[test]
fn a_closed_loop_is_never_late() {
    let (outcome, _) = go(
        &plan(2, &[Mode::Capacity], three_launches()),
        &vec![
            Script {
                lag: 1.0,
                ..Script::default()
            };
            2
        ],
        &mut Ears::default(),
    );
    let result = analysis::analyse(&outcome.arenas[0]);
    assert!(result.contenders.iter().all(|contender| contender.late.is_none()));
}
