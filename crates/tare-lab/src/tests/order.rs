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
    assert_eq!(rounds, 2 * 12 * 3);
    let measured = count(|did| matches!(did, Did::Slice(_)));
    assert_eq!(measured, arena.slices.len());
}

/// Checks are together, so that a rig can make them at the same time; so are stops.
#[test]
fn everyone_is_started_before_anyone_is_checked() {
    let rules = Rules {
        launches: Some(1),
        rounds: Some(4),
        ..Rules::default()
    };
    let (_, rig) = go(
        &plan(3, &[Mode::Cost], rules),
        &vec![Script::default(); 3],
        &mut Ears::default(),
    );
    let log = |from: usize| -> Vec<(usize, Did)> {
        let some = rig.log[from..].iter().take(6);
        some.map(|(_, who, did)| (who.entrant, *did)).collect()
    };
    let each = |did: Did| [0, 1, 2].map(|entrant| (entrant, did));
    assert_eq!(log(0), [each(Did::Start), each(Did::Check)].concat());
    assert_eq!(log(rig.log.len() - 3), each(Did::Stop));
}

/// Rounds that vary much, in launches that do not, are worth having more of, where a launch takes long apart from them; the other
/// way round, fewer.
#[test]
fn launches_have_the_rounds_that_make_the_best_of_the_time() {
    let rounds = |script: Script, rules: Rules, modes: &[Mode]| -> Vec<usize> {
        let rules = Rules {
            launches: Some(6),
            whole: true,
            ..rules
        };
        let plan = plan(4, modes, rules);
        let (outcome, _) = go(&plan, &vec![script; 4], &mut Ears::default());
        let arena = &outcome.arenas[0];
        (0..6)
            .map(|launch| arena.slices_of(launch, Phase::Round).count() / 4)
            .collect()
    };
    let of_launches = || Script {
        noise: 0.005,
        launch_noise: 0.05,
        ..Script::default()
    };
    let of_rounds = || Script {
        noise: 0.1,
        launch_noise: 0.0,
        ..Script::default()
    };
    let fewer = rounds(of_launches(), Rules::default(), &[Mode::Cost]);
    assert_eq!(
        fewer,
        [12, 12, 12, 10, 10, 10],
        "three to learn from, then the fewest"
    );
    let short = Rules {
        slice: Seconds(0.02),
        ..Rules::default()
    };
    let more = rounds(of_rounds(), short, &[Mode::Cost]);
    assert_eq!(more[..3], [12, 12, 12]);
    assert!(
        more[3..].iter().all(|rounds| (21..=40).contains(rounds)),
        "{more:?}"
    );
    assert_eq!(
        rounds(of_launches(), Rules::default(), &[Mode::Batch]),
        [4, 4, 4, 3, 3, 3]
    );
    let given = Rules {
        rounds: Some(15),
        ..Rules::default()
    };
    assert_eq!(
        rounds(of_launches(), given, &[Mode::Cost]),
        [15; 6],
        "as many as were asked for"
    );
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
    let pilots = |level: u32| {
        let slices = arena.slices_of(0, Phase::Pilot);
        slices
            .filter(|slice| slice.reading.load.connections == level)
            .count()
    };
    // Both levels are as good: three rounds of two contenders do not show which is better, nor do twelve.
    assert!((6..=24).contains(&pilots(8)), "{}", pilots(8));
    assert_eq!(pilots(8), pilots(32));
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
            let rates = |connections: u32| -> Vec<f64> {
                let pilots = arena.slices_of(0, Phase::Pilot).filter(|slice| {
                    slice.entrant == entrant && slice.reading.load.connections == connections
                });
                pilots
                    .filter_map(|slice| slice.reading.value(Metric::Throughput))
                    .collect()
            };
            for level in told {
                // As often at one as at the other; further slices at the chosen one warmed up.
                let tried = rates(8).len().min(rates(32).len());
                let rates = rates(level.connections)[..tried].to_vec();
                assert_eq!(Some(level.rate.0), analysis::median(rates), "{told:?}");
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

/// The number of rounds in each launch's warm-up, with a second contender.
fn warm_up_rounds(second: Script, modes: &[Mode], launches: u32) -> Vec<usize> {
    let rules = Rules {
        launches: Some(launches),
        whole: true,
        ..Rules::default()
    };
    let (_, rig) = go(
        &plan(2, modes, rules),
        &[Script::default(), second],
        &mut Ears::default(),
    );
    let rounds = |launch| warm_up_lengths(&rig, 0, launch as usize).len();
    (0..launches).map(rounds).collect()
}

#[test]
fn later_warm_ups_have_the_load_that_was_enough_in_the_first() {
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
    for entrant in 0..3 {
        let first = warm_up_lengths(&rig, entrant, 0);
        let long = first.iter().filter(|length| **length > 0.3).count();
        assert_eq!(long, 3, "nothing is known of {entrant} in the first launch");
        assert!(first.len() >= 20, "{first:?}");
    }
    for launch in 1..3 {
        let lengths = [0, 1, 2].map(|entrant| warm_up_lengths(&rig, entrant, launch));
        assert!(lengths.iter().all(|of| of.len() == 5), "{lengths:?}");
        let load = lengths.map(|of| of.iter().sum::<f64>());
        // Three short slices and two usual ones; or one and a half times the long slice that its compiler took.
        for (load, expected) in load.iter().zip([0.22, 0.6, 0.22]) {
            assert!((load / expected - 1.0).abs() < 0.15, "{load} for {expected}");
        }
    }
}

/// A neighbour's burst in the first launch looks like a compiler at work. The second launch takes no chances, and shows that nothing was
/// to be warmed up.
#[test]
fn a_burst_of_noise_does_not_make_later_warm_ups_long() {
    let disturbed = Script {
        disturbed: 0.2,
        ..Script::default()
    };
    let rules = Rules {
        launches: Some(4),
        whole: true,
        ..Rules::default()
    };
    let scripts = vec![disturbed; 3];
    let (_, rig) = go(&plan(3, &[Mode::Cost], rules), &scripts, &mut Ears::default());
    let loads =
        |launch: usize| [0, 1, 2].map(|entrant| warm_up_lengths(&rig, entrant, launch).iter().sum::<f64>());
    assert!(loads(1).iter().all(|load| *load > 1.0), "{:?}", loads(1));
    for launch in [2, 3] {
        assert!(
            loads(launch).iter().all(|load| *load < 0.5),
            "{:?}",
            loads(launch)
        );
    }
}

#[test]
fn a_warm_up_is_brief_where_the_first_showed_when_all_settled() {
    assert_eq!(warm_up_rounds(Script::default(), &[Mode::Cost], 4), [20, 5, 5, 5]);
}

/// A batch has too few rounds to show a drift in them.
#[test]
fn a_warm_up_is_judged_by_itself_where_rounds_cannot_be() {
    for modes in [&[Mode::Batch][..], &[Mode::Cost, Mode::Batch]] {
        assert_eq!(warm_up_rounds(Script::default(), modes, 3), [20, 15, 15]);
    }
}

#[test]
fn one_that_is_colder_than_before_is_warmed_up_until_it_is_not() {
    // Five brief rounds do not end it, twenty do.
    let slow = Script {
        slow: 0.3,
        ..Script::default()
    };
    let rounds = warm_up_rounds(slow, &[Mode::Cost], 4);
    assert!(rounds.iter().all(|rounds| *rounds >= 20), "{rounds:?}");
}

/// Its first twelve slices are 6% dearer, which five brief rounds do not end and no look at them can show: the measured
/// rounds do.
#[test]
fn brief_warm_ups_that_were_not_enough_are_found_out_and_given_up() {
    let slow = Script {
        slow: 0.06,
        ..Script::default()
    };
    let rules = Rules {
        launches: Some(6),
        whole: true,
        ..Rules::default()
    };
    let (outcome, rig) = go(
        &plan(3, &[Mode::Cost], rules),
        &[Script::default(), slow, Script::default()],
        &mut Ears::default(),
    );
    let rounds = [0, 1, 2, 3, 4, 5].map(|launch| warm_up_lengths(&rig, 0, launch).len());
    assert!(rounds[1] == 5 && rounds[2] == 5, "{rounds:?}");
    assert!(
        [0, 3, 4, 5].iter().all(|launch| rounds[*launch] >= 20),
        "{rounds:?}"
    );
    let result = analysis::analyse(&outcome.arenas[0]);
    let flags = |name: &str| &result.contender(&ContenderId::plain(name)).unwrap().flags;
    assert_eq!(flags("c1"), &["it had not settled in 2 of 6 launches"]);
    assert!(flags("c0").is_empty() && flags("c2").is_empty());
}

/// It grows dearer by 3% in twenty rounds: the later half of a full warm-up does not show that, measured rounds do.
#[test]
fn one_that_was_not_steady_has_a_longer_warm_up_the_next_time() {
    let restless = Script {
        drift: 0.0015,
        noise: 0.001,
        ..Script::default()
    };
    let rules = Rules {
        launches: Some(3),
        rounds: Some(20),
        whole: true,
        ..Rules::default()
    };
    let (_, rig) = go(
        &plan(3, &[Mode::Cost], rules),
        &[Script::default(), restless, Script::default()],
        &mut Ears::default(),
    );
    let loads = [0, 1, 2].map(|launch| {
        let lengths = [0, 1, 2].map(|entrant| warm_up_lengths(&rig, entrant, launch));
        assert!(launch == 0 || lengths.iter().all(|of| of.len() == 5));
        lengths.map(|of| of.iter().sum::<f64>())
    });
    let [first, second, third] = loads;
    assert!(second.iter().all(|load| *load < 0.5), "{loads:?}");
    assert!(third[1] > 0.9 * first[1], "{loads:?}");
    assert!(third[0] < 0.5 && third[2] < 0.5, "{loads:?}");
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
