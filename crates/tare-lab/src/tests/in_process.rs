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

/// A contender whose compiler is at work for so many seconds of load after each start.
fn compiling(seconds: f64) -> Script {
    Script {
        compiles: seconds,
        ..quiet(1.0)
    }
}

fn launches(launches: u32) -> Rules {
    Rules {
        launches: Some(launches),
        rounds: Some(20),
        budget: None,
        margin: 0.0,
        ..Rules::default()
    }
}

/// A plateau has no drift: only that a compiler is at work says that it will end. In the fourth launch it takes longer.
#[test]
fn a_compiler_is_waited_for() {
    for (compiles, seed) in [(1.3, 1), (2.0, 2), (4.0, 3)] {
        let rules = Rules { seed, ..launches(4) };
        let (outcome, _) = go(
            &in_process(2, rules),
            &[quiet(1.0), compiling(compiles)],
            &mut Ears::default(),
        );
        let arena = &outcome.arenas[0];
        let cold = arena.slices.iter().filter(|slice| {
            let load = &slice.reading.load;
            slice.phase == Phase::Round && load.wall.0 / load.answers as f64 > 4e-7
        });
        assert_eq!(cold.count(), 0, "{compiles} s of compiling (seed {seed})");
        let result = analysis::analyse(arena);
        assert_eq!(result.contenders[1].flags, Vec::<String>::new());
        // What the first launch showed to be enough is one load in the later ones.
        let rounds = |launch: u32| arena.slices_of(launch, Phase::WarmUp).count();
        assert!(rounds(3) < rounds(0), "{} and {} slices", rounds(3), rounds(0));
    }
}

#[test]
fn a_collector_is_waited_for_once() {
    let (outcome, _) = go(
        &in_process(2, launches(3)),
        &[quiet(1.0), compiling(f64::INFINITY)],
        &mut Ears::default(),
    );
    let arena = &outcome.arenas[0];
    let rounds = |launch: u32| arena.slices_of(launch, Phase::WarmUp).count() / 2;
    assert_eq!(rounds(0), 120);
    assert!(
        (1..3).all(|launch| rounds(launch) < 40),
        "{:?}",
        [rounds(1), rounds(2)]
    );
    let result = analysis::analyse(arena);
    let flags = &result.contenders[1].flags;
    assert!(
        flags
            .iter()
            .any(|flag| flag.contains("at work when 3 of 3 launches")),
        "{flags:?}"
    );
    assert_eq!(result.contenders[0].flags, Vec::<String>::new());
    let comparison = result
        .comparison(&ContenderId::plain("c1"), Metric::TimePerOp)
        .unwrap();
    assert_eq!(comparison.verdict, Verdict::Slower);
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
