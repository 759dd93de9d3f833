//! Contenders that time their own loops: slices of 10 ms, a warm-up judged by their time.

use super::*;
use tare_model::driving::Driving as Driven;

/// 5 million operations a second, slices 0.7% noisy: a log ratio of 1%, as in process on a quiet machine.
fn quiet(slower: f64) -> Script {
    Script {
        capacity: 5e6 / slower,
        cpu: 2e-7 * slower,
        noise: 0.007,
        launch_noise: 0.0,
        ..Script::default()
    }
}

fn in_process(entrants: usize, rules: Rules) -> Plan {
    let mut plan = plan(entrants, &[Mode::Capacity], rules);
    let group = &mut plan.groups[0];
    group.in_process = true;
    let alone = ModeDriving {
        primary: Metric::TimePerOp,
        connections: vec![],
        ..driving(Mode::Capacity)
    };
    group.warm_up = alone.clone();
    group.modes[0].driving = alone;
    plan
}

fn provisional(seed: u64) -> Rules {
    Rules {
        launches: Some(1),
        margin: 0.0,
        seed,
        ..Rules::default()
    }
}

fn measured_time(arena: &ArenaRecord) -> f64 {
    let counted = arena.slices.iter().filter(|slice| slice.phase != Phase::WarmUp);
    counted.map(|slice| slice.reading.load.wall.0).sum()
}

#[test]
fn slices_are_10_ms_and_long_at_first() {
    let rules = Rules {
        rounds: Some(40),
        ..provisional(1)
    };
    let (outcome, _) = go(
        &in_process(2, rules),
        &[quiet(1.0), quiet(1.0)],
        &mut Ears::default(),
    );
    let slices = &outcome.arenas[0].slices;
    let walls = |phase: Phase, from: u32, to: u32| {
        let of = slices
            .iter()
            .filter(move |slice| slice.phase == phase && (from..to).contains(&slice.round));
        of.map(|slice| slice.reading.load.wall.0).collect::<Vec<f64>>()
    };
    assert!(
        walls(Phase::WarmUp, 0, 3)
            .iter()
            .all(|wall| (0.36..0.44).contains(wall))
    );
    assert!(
        walls(Phase::WarmUp, 3, 99)
            .iter()
            .all(|wall| (0.009..0.011).contains(wall))
    );
    assert!(
        walls(Phase::Round, 0, u32::MAX)
            .iter()
            .all(|wall| (0.009..0.011).contains(wall))
    );
    let slice = Seconds(0.01);
    assert_eq!(outcome.arenas[0].driving, Driven::InProcess { slice });
}

/// The figure that a pair in process is to reach: 1% distinguishable within 2 s of measured time, nine times in ten.
#[test]
fn one_percent_is_distinguishable_within_two_seconds_of_measured_time() {
    let mut times = Vec::new();
    for seed in 1..=20 {
        let rules = Rules {
            rounds: Some(400),
            ..provisional(seed)
        };
        let (outcome, _) = go(
            &in_process(2, rules),
            &[quiet(1.0), quiet(1.01)],
            &mut Ears::default(),
        );
        let arena = &outcome.arenas[0];
        assert_eq!(
            arena.slices_of(0, Phase::Pilot).count(),
            0,
            "every round is one of those that are compared (seed {seed})"
        );
        if outcome.done == [Done::Decided] && verdict(arena, "c1") == Verdict::Slower {
            times.push(measured_time(arena));
        }
    }
    let soon = times.iter().filter(|time| **time <= 2.0).count();
    assert!(soon >= 18, "{soon} of 20 (seeds 1 to 20): {times:?}");
}

#[test]
fn the_results_are_those_of_a_loop() {
    let rules = Rules {
        budget: None,
        ..Rules::default()
    };
    let (outcome, _) = go(
        &in_process(2, rules),
        &[quiet(1.0), quiet(1.2)],
        &mut Ears::default(),
    );
    let result = analysis::analyse(&outcome.arenas[0]);
    assert!(result.driving.in_process());
    let slower = result.contender(&ContenderId::plain("c1")).unwrap();
    let names: Vec<Metric> = slower.metrics.keys().copied().collect();
    assert!(names.contains(&Metric::TimePerOp) && names.contains(&Metric::CpuPerOp));
    assert!(!names.contains(&Metric::LatencyP50), "{names:?}");
    assert_eq!(slower.bound, None, "there is no load to be bound by");
    let comparison = result
        .comparison(&ContenderId::plain("c1"), Metric::TimePerOp)
        .unwrap();
    assert!(comparison.primary && comparison.verdict == Verdict::Slower && !comparison.provisional);
}

#[test]
fn a_first_launch_whose_warm_up_used_up_its_share_still_has_rounds() {
    let rules = Rules {
        budget: Some(Seconds(18.0)),
        margin: 0.0,
        ..Rules::default()
    };
    let (outcome, _) = go(
        &in_process(2, rules),
        &[quiet(1.0), quiet(1.0)],
        &mut Ears::default(),
    );
    let arena = &outcome.arenas[0];
    let rounds = |launch: u32| arena.slices_of(launch, Phase::Round).count() / 2;
    let rounds: Vec<usize> = (0..arena.launches.len() as u32).map(rounds).collect();
    assert!(
        rounds.len() >= 3 && rounds.iter().all(|of| *of >= 10),
        "{rounds:?}"
    );
}

#[test]
fn a_contender_that_never_settles_is_not_steady() {
    let briefly = Rules {
        rounds: Some(100),
        ..provisional(3)
    };
    let restless = Script {
        drift: -0.004,
        ..quiet(1.0)
    };
    let (outcome, _) = go(
        &in_process(3, briefly),
        &[quiet(1.0), quiet(1.0), restless],
        &mut Ears::default(),
    );
    let result = analysis::analyse(&outcome.arenas[0]);
    let state = |name: &str| result.contender(&ContenderId::plain(name)).unwrap().state;
    assert_eq!((state("c0"), state("c2")), (State::Measured, State::NotSteady));
}
