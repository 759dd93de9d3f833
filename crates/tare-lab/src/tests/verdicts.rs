//! The results at the end, where the truth is known.

use super::*;
use tare_model::measure::ServiceReading;

#[test]
fn a_clear_difference_is_decided_after_few_launches_and_an_equal_one_is_equivalent() {
    let slow = Script {
        cpu: 12e-6,
        ..Script::default()
    };
    let scripts = [Script::default(), slow, Script::default()];
    let rules = Rules {
        budget: None,
        ..Rules::default()
    };
    let (outcome, _) = go(&plan(3, &[Mode::Cost], rules), &scripts, &mut Ears::default());
    let arena = &outcome.arenas[0];
    assert_eq!(outcome.done, [Done::Decided]);
    assert_eq!(verdict(arena, "c1"), Verdict::Slower);
    assert_eq!(verdict(arena, "c2"), Verdict::Equivalent);
    let result = analysis::analyse(arena);
    let slower = result
        .comparison(&ContenderId::plain("c1"), Metric::CpuPerOp)
        .unwrap();
    assert!(
        slower.low.unwrap() < 1.2 && 1.2 < slower.high.unwrap(),
        "{slower:?}"
    );
    assert!(!slower.provisional && slower.launches >= 3 && slower.centres.len() == slower.launches as usize);
    assert_eq!(slower.alpha, 0.025);
    assert_eq!(
        result.contender(&ContenderId::plain("c1")).unwrap().ranks[&Metric::CpuPerOp],
        (3, 3)
    );
}

#[test]
fn more_throughput_is_better_and_less_duration_is() {
    let fast = Script {
        capacity: 80_000.0,
        ..Script::default()
    };
    let rules = Rules {
        budget: None,
        ..Rules::default()
    };
    let modes = [Mode::Capacity, Mode::Batch];
    let (outcome, _) = go(
        &plan(2, &modes, rules),
        &[Script::default(), fast],
        &mut Ears::default(),
    );
    assert_eq!(verdict(&outcome.arenas[0], "c1"), Verdict::Faster);
    assert_eq!(verdict(&outcome.arenas[1], "c1"), Verdict::Faster);
    let batch = analysis::analyse(&outcome.arenas[1]);
    let ratio = batch
        .comparison(&ContenderId::plain("c1"), Metric::Duration)
        .unwrap()
        .ratio;
    assert!((ratio / 0.625 - 1.0).abs() < 0.02, "{ratio}");
}

#[test]
fn one_launch_gives_provisional_verdicts_from_rounds() {
    let slow = Script {
        cpu: 10.5e-6,
        ..Script::default()
    };
    let rules = Rules {
        launches: Some(1),
        budget: Some(Seconds(60.0)),
        ..Rules::default()
    };
    let (outcome, rig) = go(
        &plan(2, &[Mode::Cost], rules),
        &[Script::default(), slow],
        &mut Ears::default(),
    );
    let result = analysis::analyse(&outcome.arenas[0]);
    let comparison = &result.comparisons[0];
    assert_eq!(
        (comparison.verdict, comparison.provisional),
        (Verdict::Slower, true)
    );
    assert!(comparison.low.unwrap() < 1.05 && 1.05 < comparison.high.unwrap());
    assert!(
        rig.log.last().unwrap().0 < 40.0,
        "5% is decided long before the budget ends"
    );
}

/// The primary comparisons of a run of ten alike.
fn ten(mode: Mode, rules: Rules) -> Vec<tare_model::comparison::Comparison> {
    let (outcome, _) = go(
        &plan(10, &[mode], rules),
        &vec![Script::default(); 10],
        &mut Ears::default(),
    );
    analysis::primary(&outcome.arenas[0])
}

#[test]
fn every_comparison_has_an_interval_from_the_third_block_of_rounds_on() {
    // Blocks of four rounds; of a batch, of one.
    for (mode, blocks_of) in [(Mode::Cost, 4), (Mode::Capacity, 4), (Mode::Batch, 1)] {
        for seed in 1..=4 {
            let rules = |rounds| Rules {
                launches: Some(1),
                rounds: Some(rounds),
                seed,
                ..Rules::default()
            };
            let some = ten(mode, rules(3 * blocks_of));
            let wide = some.iter().all(|one| one.low.is_some() && one.low < one.high);
            assert!(
                some.len() == 9 && wide && some.iter().all(|one| one.provisional),
                "{mode}, seed {seed}"
            );
            let none = ten(mode, rules(3 * blocks_of - 1));
            assert!(none.iter().all(|one| one.low.is_none()), "{mode}, seed {seed}");
        }
    }
}

/// A run that ends before it has three launches is never without an interval, and never decides by it.
#[test]
fn two_launches_have_a_provisional_interval_and_three_a_verdict() {
    let slow = Script {
        cpu: 30e-6,
        ..Script::default()
    };
    let of = |launches: u32, budget: Option<Seconds>| {
        let rules = Rules {
            launches: Some(launches),
            budget,
            ..Rules::default()
        };
        go(
            &plan(2, &[Mode::Cost], rules),
            &[Script::default(), slow.clone()],
            &mut Ears::default(),
        )
        .0
    };
    for launches in [2, 3] {
        let outcome = of(launches, None);
        let comparison = &analysis::primary(&outcome.arenas[0])[0];
        assert_eq!(comparison.provisional, launches < 3);
        assert_eq!(
            (comparison.launches, comparison.verdict),
            (launches, Verdict::Slower)
        );
        assert!(
            comparison.low.unwrap() < 3.0 && 3.0 < comparison.high.unwrap(),
            "{comparison:?}"
        );
        let ended = if launches < 3 {
            Done::Launches
        } else {
            Done::Decided
        };
        assert_eq!(outcome.done, [ended]);
    }
}

#[test]
fn twins_are_not_distinguished_provisionally_more_often_than_alpha_allows() {
    // As below; no more than 8 of 60 at a true rate under 2%.
    let wrong = (1..=60).filter(|&seed| {
        let rules = Rules {
            launches: Some(1),
            rounds: Some(80),
            margin: 0.0,
            seed,
            ..Rules::default()
        };
        let (outcome, _) = go(
            &plan(2, &[Mode::Cost], rules),
            &vec![
                Script {
                    launch_noise: 0.0,
                    ..Script::default()
                };
                2
            ],
            &mut Ears::default(),
        );
        verdict(&outcome.arenas[0], "c1") != Verdict::Inconclusive
    });
    let wrong: Vec<u64> = wrong.collect();
    assert!(wrong.len() <= 8, "false verdicts with seeds {wrong:?}");
}

#[test]
fn a_generator_limited_throughput_is_never_ranked() {
    let rules = Rules {
        launches: Some(3),
        ..Rules::default()
    };
    let (mut outcome, _) = go(
        &plan(3, &[Mode::Capacity], rules),
        &vec![Script::default(); 3],
        &mut Ears::default(),
    );
    let arena = &mut outcome.arenas[0];
    for slice in arena.slices.iter_mut().filter(|slice| slice.entrant == 1) {
        slice.reading.load.busy = Share(0.97);
    }
    let result = analysis::analyse(arena);
    assert_eq!(result.contenders[1].bound, Some(Bound::Load));
    assert!(
        result
            .comparison(&ContenderId::plain("c1"), Metric::Throughput)
            .is_none()
    );
    assert!(
        result
            .comparison(&ContenderId::plain("c1"), Metric::CpuPerOp)
            .is_some()
    );
    assert!(result.contenders[1].ranks.is_empty());
}

/// A database on the load's core that leaves it no time is as much a bound as the generator is.
#[test]
fn a_throughput_limited_by_a_service_is_never_ranked() {
    let rules = Rules {
        launches: Some(3),
        ..Rules::default()
    };
    let (mut outcome, _) = go(
        &plan(3, &[Mode::Capacity], rules),
        &vec![Script::default(); 3],
        &mut Ears::default(),
    );
    let arena = &mut outcome.arenas[0];
    arena.placement.services = vec!["db".to_owned()];
    for slice in &mut arena.slices {
        // The second contender's database takes nine tenths of the one core, those of the others half of it.
        let share = if slice.entrant == 1 { 0.92 } else { 0.5 };
        slice.reading.services = vec![ServiceReading {
            name: "db".to_owned(),
            cpu: Seconds(share * slice.reading.host.thawed.0),
        }];
    }
    let result = analysis::analyse(arena);
    assert_eq!(result.contenders[1].bound, Some(Bound::Load));
    assert_ne!(result.contenders[0].bound, Some(Bound::Load));
    let by = |name: &str, metric| result.comparison(&ContenderId::plain(name), metric);
    assert!(by("c1", Metric::Throughput).is_none());
    assert!(by("c2", Metric::Throughput).is_some());
    assert!(by("c1", Metric::CpuPerOp).is_some());
}

#[test]
fn net_costs_are_compared_separately() {
    let of = |cpu| Script {
        cpu,
        ..Script::default()
    };
    let rules = Rules {
        launches: Some(8),
        margin: 0.0,
        budget: None,
        ..Rules::default()
    };
    let mut plan = plan(3, &[Mode::Cost], rules);
    plan.groups[0].floor = Some(ContenderId::plain("c2"));
    let (outcome, _) = go(&plan, &[of(10e-6), of(16e-6), of(6e-6)], &mut Ears::default());
    let result = analysis::analyse(&outcome.arenas[0]);
    let net = result.contenders[1].net[&Metric::CpuPerOp];
    assert!((net.estimate / 10e-6 - 1.0).abs() < 0.03, "{net:?}");
    let ratio = result.comparisons[0]
        .net_ratio
        .expect("the baseline's net is well above zero");
    assert!(ratio.low.unwrap() < 2.5 && 2.5 < ratio.high.unwrap(), "{ratio:?}");
}

#[test]
fn an_a_a_test_at_margin_zero_is_false_no_more_often_than_alpha_allows() {
    // Seeds 1 to 60; at α = 5% and a true rate under 2% more than 8 false verdicts have a chance under 1e-5.
    let wrong = (1..=60).filter(|&seed| {
        let rules = Rules {
            budget: Some(Seconds(120.0)),
            margin: 0.0,
            seed,
            ..Rules::default()
        };
        let (outcome, _) = go(
            &plan(2, &[Mode::Cost], rules),
            &vec![Script::default(); 2],
            &mut Ears::default(),
        );
        verdict(&outcome.arenas[0], "c1") != Verdict::Inconclusive
    });
    let wrong: Vec<u64> = wrong.collect();
    assert!(wrong.len() <= 8, "false verdicts with seeds {wrong:?}");
}
