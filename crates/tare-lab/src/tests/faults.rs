//! What goes wrong in a run.

use super::*;
use tare_model::units::PerSecond;

#[test]
fn a_failed_contender_is_set_aside_and_the_others_continue() {
    let failing = |kind, at| Script {
        fault: Some((kind, at)),
        ..Script::default()
    };
    let scripts = [
        Script::default(),
        failing(FaultKind::NeverReady, 0),
        failing(FaultKind::Wrong, 30),
        Script::default(),
    ];
    let rules = Rules {
        launches: Some(3),
        ..Rules::default()
    };
    let mut ears = Ears::default();
    let (outcome, rig) = go(&plan(4, &[Mode::Cost], rules), &scripts, &mut ears);
    assert_eq!(ears.failed, [(1, FaultKind::NeverReady), (2, FaultKind::Wrong)]);
    let result = analysis::analyse(&outcome.arenas[0]);
    let states: Vec<State> = result
        .contenders
        .iter()
        .map(|contender| contender.state)
        .collect();
    assert_eq!(
        states,
        [State::Measured, State::Failed, State::Wrong, State::Measured]
    );
    assert!(
        result.contenders[2].metrics.is_empty(),
        "who answers wrongly has no figure"
    );
    assert_eq!(result.comparisons.iter().filter(|c| c.primary).count(), 1);
    let stops_of = |entrant| {
        let who = Who { group: 0, entrant };
        rig.log
            .iter()
            .filter(|(_, of, did)| *of == who && *did == Did::Stop)
            .count()
    };
    assert_eq!(
        (stops_of(0), stops_of(1), stops_of(2)),
        (3, 1, 1),
        "each start has its stop"
    );
}

#[test]
fn a_baseline_without_figures_is_replaced() {
    let failing = Script {
        fault: Some((FaultKind::Died, 30)),
        ..Script::default()
    };
    let rules = Rules {
        launches: Some(3),
        ..Rules::default()
    };
    let scripts = [failing, Script::default(), Script::default()];
    let (outcome, _) = go(&plan(3, &[Mode::Cost], rules), &scripts, &mut Ears::default());
    let result = analysis::analyse(&outcome.arenas[0]);
    assert_eq!(result.baseline, Some(ContenderId::plain("c1")));
}

#[test]
fn a_single_remaining_contender_is_only_described() {
    // At its start, or in its warm-up.
    for at in [0, 5] {
        for launches in [1, 3] {
            let failing = Script {
                fault: Some((FaultKind::Died, at)),
                ..Script::default()
            };
            let rules = Rules {
                launches: Some(launches),
                ..Rules::default()
            };
            let scripts = [Script::default(), failing];
            let plan = plan(2, &[Mode::Cost], rules);
            let (outcome, _) = go(&plan, &scripts, &mut Ears::default());
            let result = analysis::analyse(&outcome.arenas[0]);
            assert_eq!(result.contenders[0].state, State::Measured, "{at} {launches}");
            assert_eq!((result.rounds, result.launches), (1, 1), "{at} {launches}");
        }
    }
}

#[test]
fn an_interruption_keeps_what_was_measured_and_stops_everyone() {
    let rules = Rules {
        budget: None,
        margin: 0.0,
        ..Rules::default()
    };
    let plan = plan(3, &[Mode::Cost], rules);
    let mut rig = MockRig::new(7, &vec![Script::default(); 3]);
    rig.interrupt_at = Some(20.0);
    let outcome = run(&plan, &mut rig, &mut Ears::default());
    assert_eq!(outcome.done, [Done::Interrupted]);
    assert!(!outcome.arenas[0].slices.is_empty());
    let count = |did: Did| rig.log.iter().filter(|(.., done)| *done == did).count();
    assert_eq!(count(Did::Start), count(Did::Stop));
    assert!(
        outcome.arenas[0]
            .entrants
            .iter()
            .all(|entrant| entrant.fault.is_none())
    );
}

#[test]
fn a_sink_that_fails_ends_the_run_in_order() {
    let rules = Rules {
        budget: None,
        ..Rules::default()
    };
    let mut ears = Ears {
        refuse_round: Some(30),
        ..Ears::default()
    };
    let (outcome, rig) = go(
        &plan(2, &[Mode::Cost], rules),
        &vec![Script::default(); 2],
        &mut ears,
    );
    assert_eq!(outcome.sink_error, Some(SinkError("the disk is full".to_owned())));
    let count = |did: Did| rig.log.iter().filter(|(.., done)| *done == did).count();
    assert_eq!((count(Did::Start), count(Did::Stop)), (2, 2));
}

#[test]
fn the_rate_is_half_of_the_slowest_that_is_not_far_outside() {
    let of = |capacity| Script {
        capacity,
        noise: 0.0,
        launch_noise: 0.0,
        ..Script::default()
    };
    let rules = Rules {
        launches: Some(3),
        ..Rules::default()
    };
    let mut ears = Ears::default();
    let scripts = [of(100_000.0), of(30_000.0), of(1_000.0)];
    let (outcome, rig) = go(&plan(3, &[Mode::Cost], rules), &scripts, &mut ears);
    let count = |did: Did| rig.log.iter().filter(|(.., done)| *done == did).count();
    assert_eq!(count(Did::Start), count(Did::Stop));
    assert_eq!(ears.rates, [15_000.0]);
    let result = analysis::analyse(&outcome.arenas[0]);
    let outside = &result.contenders[2];
    assert_eq!(outside.state, State::Skipped);
    assert_eq!(outside.fault.as_ref().unwrap().kind, FaultKind::OutOfReach);
    assert_eq!(result.driving.rate(), Some(PerSecond(15_000.0)));
}

#[test]
fn a_contender_that_never_settles_has_no_verdict() {
    let restless = Script {
        drift: 0.004,
        ..Script::default()
    };
    let rules = Rules {
        launches: Some(3),
        ..Rules::default()
    };
    let scripts = [Script::default(), restless, Script::default(), Script::default()];
    let (outcome, _) = go(&plan(4, &[Mode::Cost], rules), &scripts, &mut Ears::default());
    let result = analysis::analyse(&outcome.arenas[0]);
    let states: Vec<State> = result
        .contenders
        .iter()
        .map(|contender| contender.state)
        .collect();
    assert_eq!(
        states,
        [
            State::Measured,
            State::NotSteady,
            State::Measured,
            State::Measured
        ]
    );
    assert!(
        result
            .comparison(&ContenderId::plain("c1"), Metric::CpuPerOp)
            .is_none()
    );
    assert!(
        !result.contenders[1].metrics.is_empty(),
        "its figures are shown, marked"
    );
}
