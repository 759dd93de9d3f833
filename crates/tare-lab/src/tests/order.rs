//! What happens in which order, and when.

use super::*;
use crate::rig::Pacing;

#[test]
fn a_launch_starts_checks_warms_up_measures_and_stops_every_contender() {
    let rules = Rules {
        launches: Some(2),
        ..Rules::default()
    };
    let (outcome, rig) = go(
        &plan(3, &[Mode::Cost], rules),
        &vec![Script::default(); 3],
        &mut Ears::default(),
    );
    let count = |wanted: fn(&Did) -> bool| rig.log.iter().filter(|(.., did)| wanted(did)).count();
    assert_eq!(count(|did| matches!(did, Did::Start)), 6);
    assert_eq!(count(|did| matches!(did, Did::Check)), 6);
    assert_eq!(count(|did| matches!(did, Did::Stop)), 6);
    let arena = &outcome.arenas[0];
    let rounds = arena
        .slices
        .iter()
        .filter(|slice| slice.phase == Phase::Round)
        .count();
    assert_eq!(rounds, 2 * 20 * 3);
    let measured = count(|did| matches!(did, Did::Slice(_)));
    assert_eq!(measured, arena.slices.len());
}

#[test]
fn every_round_measures_each_contender_once_in_random_order_with_jittered_lengths() {
    let rules = Rules {
        launches: Some(1),
        rounds: Some(200),
        margin: 0.0,
        ..Rules::default()
    };
    let (outcome, rig) = go(
        &plan(3, &[Mode::Cost], rules),
        &vec![Script::default(); 3],
        &mut Ears::default(),
    );
    let mut orders: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for slice in outcome.arenas[0]
        .slices
        .iter()
        .filter(|slice| slice.phase == Phase::Round)
    {
        orders.entry(slice.round).or_default().push(slice.entrant);
    }
    let mut seen: BTreeMap<Vec<usize>, u32> = BTreeMap::new();
    for order in orders.values() {
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2]);
        *seen.entry(order.clone()).or_default() += 1;
    }
    assert_eq!(seen.len(), 6, "all six orders occur: {seen:?}");
    let lengths = rig.log.iter().filter_map(|(.., did)| match did {
        Did::Slice(order) if order.pacing == Pacing::Open => Some(order.length.0),
        _ => None,
    });
    let lengths: Vec<f64> = lengths.collect();
    assert!(lengths.iter().all(|length| (0.072..0.0881).contains(length)));
    assert!(lengths.iter().any(|length| *length < 0.074) && lengths.iter().any(|length| *length > 0.086));
}

#[test]
fn no_time_passes_outside_recorded_steps() {
    let rules = Rules {
        launches: Some(2),
        ..Rules::default()
    };
    let (outcome, rig) = go(
        &plan(2, &[Mode::Cost], rules),
        &vec![Script::default(); 2],
        &mut Ears::default(),
    );
    let spent: f64 = rig
        .log
        .iter()
        .map(|(.., did)| match did {
            Did::Start => START,
            Did::Check => CHECK,
            Did::Stop => STOP,
            Did::Slice(order) => order.length.0 + SETTLE,
        })
        .sum();
    let last = rig.log.last().unwrap().0 + STOP;
    assert!((spent - last).abs() < 1e-9, "{spent} against {last}");
    let phases: f64 = outcome.phases.listed().iter().map(|(_, seconds)| seconds.0).sum();
    assert!((phases - last).abs() < 1e-9, "{phases} against {last}");
}

#[test]
fn the_budget_ends_the_run() {
    let rules = Rules {
        budget: Some(Seconds(60.0)),
        margin: 0.0,
        ..Rules::default()
    };
    let (outcome, rig) = go(
        &plan(4, &[Mode::Cost], rules),
        &vec![Script::default(); 4],
        &mut Ears::default(),
    );
    assert_eq!(outcome.done, [Done::Budget]);
    let ended = rig.log.last().unwrap().0;
    assert!((30.0..=66.0).contains(&ended), "it ended at {ended} s");
    assert!(
        outcome.arenas[0].launches.len() >= 3,
        "a budget is shared out over at least three launches"
    );
}

#[test]
fn levels_are_chosen_in_the_pilot_and_then_fixed() {
    let mut plan = plan(
        2,
        &[Mode::Capacity],
        Rules {
            launches: Some(2),
            ..Rules::default()
        },
    );
    plan.groups[0].modes[0].driving.connections = vec![8, 32];
    let (outcome, _) = go(&plan, &vec![Script::default(); 2], &mut Ears::default());
    let arena = &outcome.arenas[0];
    let mut pilots: Vec<u32> = arena
        .slices_of(0, Phase::Pilot)
        .map(|slice| slice.reading.load.connections)
        .collect();
    pilots.sort_unstable();
    assert_eq!(pilots, [[8; 6], [32; 6]].concat());
    for entrant in 0..2 {
        let who = Who { group: 0, entrant };
        let rounds = arena
            .slices
            .iter()
            .filter(|s| s.entrant == entrant && s.phase == Phase::Round);
        let mut levels: Vec<u32> = rounds.map(|slice| slice.reading.load.connections).collect();
        levels.dedup();
        assert_eq!(levels.len(), 1, "{who:?} is measured at one level");
    }
}

#[test]
fn what_each_level_gave_is_kept_beside_the_figure() {
    let rules = Rules {
        rounds: Some(8),
        ..Rules::default()
    };
    let mut plan = plan(2, &[Mode::Capacity], rules);
    plan.groups[0].modes[0].driving.connections = vec![32, 8];
    for launches in [1, 2] {
        plan.rules.launches = Some(launches);
        let (outcome, _) = go(&plan, &vec![Script::default(); 2], &mut Ears::default());
        let arena = &outcome.arenas[0];
        for (entrant, contender) in analysis::analyse(arena).contenders.iter().enumerate() {
            let told = &contender.levels;
            assert_eq!(
                told.iter().map(|level| level.connections).collect::<Vec<_>>(),
                [8, 32]
            );
            let best = told.iter().max_by(|a, b| a.rate.0.total_cmp(&b.rate.0)).unwrap();
            assert!(
                best.chosen && told.iter().filter(|level| level.chosen).count() == 1,
                "{told:?}"
            );
            for level in told {
                let pilots = arena.slices_of(0, Phase::Pilot).filter(|slice| {
                    slice.entrant == entrant && slice.reading.load.connections == level.connections
                });
                let rates = pilots.filter_map(|slice| slice.reading.value(Metric::Throughput));
                let mut rates: Vec<f64> = rates.take(3).collect();
                rates.sort_by(f64::total_cmp);
                assert_eq!(level.rate.0, rates[1], "the median of three");
            }
        }
    }
    // Without a choice, none is recorded.
    plan.groups[0].modes[0].driving.connections = vec![32];
    let (outcome, _) = go(&plan, &vec![Script::default(); 2], &mut Ears::default());
    assert!(
        analysis::analyse(&outcome.arenas[0]).contenders[0]
            .levels
            .is_empty()
    );
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let rules = || Rules {
        launches: Some(2),
        seed: 99,
        ..Rules::default()
    };
    let once = || {
        go(
            &plan(3, &[Mode::Cost], rules()),
            &vec![Script::default(); 3],
            &mut Ears::default(),
        )
    };
    assert_eq!(once().0.arenas, once().0.arenas);
}

#[test]
fn evidence_has_a_launch_of_rounds_and_no_pilot() {
    let rules = |budget| Rules {
        budget: Some(Seconds(budget)),
        launches: Some(1),
        rounds: Some(40),
        evidence: true,
        ..Rules::default()
    };
    let rounds_in = |budget| {
        let plan = plan(2, &[Mode::Capacity], rules(budget));
        // The second is twice as dear: a question that is decided at once ends nothing here.
        let dear = Script {
            cpu: 20e-6,
            capacity: 25_000.0,
            ..Script::default()
        };
        let (outcome, _) = go(&plan, &[Script::default(), dear], &mut Ears::default());
        let arena = &outcome.arenas[0];
        assert_eq!(arena.launches.len(), 1);
        assert_eq!(arena.slices_of(0, Phase::Pilot).count(), 0);
        arena.slices_of(0, Phase::Round).count() / 2
    };
    assert_eq!(rounds_in(600.0), 40, "as many as were asked for");
    assert_eq!(rounds_in(0.5), 3, "and never too few for an interval");
}

/// The lengths of an entrant's slices in the warm-up of a launch.
fn warm_up_lengths(rig: &MockRig, entrant: usize, launch: usize) -> Vec<f64> {
    let mine = rig.log.iter().filter(|(_, who, _)| who.entrant == entrant);
    let mut starts = 0;
    let mut lengths = Vec::new();
    for (.., did) in mine {
        match did {
            Did::Start => starts += 1,
            Did::Slice(order) if starts == launch + 1 && order.pacing == Pacing::Closed => {
                lengths.push(order.length.0);
            }
            _ => {}
        }
    }
    lengths
}

#[test]
fn only_contenders_that_settle_slowly_get_long_rounds() {
    let rules = Rules {
        launches: Some(3),
        ..Rules::default()
    };
    let compiled = Script {
        cold: 1.0,
        ..Script::default()
    };
    let (_, rig) = go(
        &plan(3, &[Mode::Cost], rules),
        &[Script::default(), compiled, Script::default()],
        &mut Ears::default(),
    );
    let long = |entrant, launch| {
        warm_up_lengths(&rig, entrant, launch)
            .iter()
            .filter(|length| **length > 0.3)
            .count()
    };
    for entrant in 0..3 {
        assert_eq!(
            long(entrant, 0),
            3,
            "nothing is known of {entrant} in the first launch"
        );
    }
    for launch in 1..3 {
        assert_eq!([0, 1, 2].map(|entrant| long(entrant, launch)), [0, 3, 0]);
        let rounds = [0, 1, 2].map(|entrant| warm_up_lengths(&rig, entrant, launch).len());
        assert!(
            rounds.iter().all(|of| *of == rounds[0] && *of >= 20),
            "{rounds:?}"
        );
    }
}

#[test]
fn a_warm_up_is_short_where_longer_ones_showed_nothing() {
    let rules = Rules {
        launches: Some(4),
        ..Rules::default()
    };
    let rounds = |second: Script| {
        let (_, rig) = go(
            &plan(2, &[Mode::Cost], rules.clone()),
            &[Script::default(), second],
            &mut Ears::default(),
        );
        [0, 1, 2, 3].map(|launch| warm_up_lengths(&rig, 0, launch).len())
    };
    let alike = rounds(Script::default());
    assert!(alike[0] >= 20, "nothing is known in the first launch: {alike:?}");
    assert!(alike[1] >= 20, "and little after its long rounds: {alike:?}");
    assert_eq!(alike[2..], [10, 10]);
    let slow = rounds(Script {
        slow: 0.06,
        ..Script::default()
    });
    assert!(
        slow.iter().all(|rounds| *rounds >= 20),
        "the first twelve slices are 6% dearer: {slow:?}"
    );
}

#[test]
fn the_first_batches_of_a_launch_do_not_count() {
    let rules = Rules {
        launches: Some(2),
        ..Rules::default()
    };
    let (outcome, _) = go(
        &plan(2, &[Mode::Batch], rules),
        &vec![Script::default(); 2],
        &mut Ears::default(),
    );
    for launch in 0..2 {
        let of = |phase| outcome.arenas[0].slices_of(launch, phase).count();
        assert_eq!((of(Phase::Pilot), of(Phase::Round)), (2 * 2, 4 * 2));
        let last = |phase| {
            outcome.arenas[0]
                .slices_of(launch, phase)
                .map(|slice| slice.reading.began.0)
                .fold(0.0, f64::max)
        };
        assert!(last(Phase::WarmUp) < last(Phase::Pilot) && last(Phase::Pilot) < last(Phase::Round));
    }
}

#[test]
fn a_budget_for_too_few_launches_is_reported_after_the_first() {
    let told = |budget: f64| {
        let rules = Rules {
            budget: Some(Seconds(budget)),
            ..Rules::default()
        };
        let mut ears = Ears::default();
        go(
            &plan(20, &[Mode::Cost], rules),
            &vec![Script::default(); 20],
            &mut ears,
        );
        ears.notes
    };
    let little = told(60.0);
    assert!(
        little.len() == 1 && little[0].contains("takes") && little[0].contains("would hold enough"),
        "{little:?}"
    );
    assert_eq!(told(600.0), Vec::<String>::new());
}
