//! Several groups and one budget: which are begun, and who has the next launch.

use super::*;

use tare_analysis::{Expected, Tempo};
use tare_model::claim::{Claim, Relation};

use crate::plan::Group;

/// Groups of two contenders each, the second of them dearer by `dearer`.
fn several(dearer: &[f64], rules: Rules) -> (Plan, Vec<Vec<Script>>) {
    let mut plan = plan(2, &[Mode::Cost], rules);
    let group = plan.groups.remove(0);
    let named = |index: usize| Group {
        case: format!("case{index}"),
        ..group.clone()
    };
    plan.groups = (0..dearer.len()).map(named).collect();
    let scripts = dearer.iter().map(|dearer| {
        let dear = Script {
            cpu: 10e-6 * (1.0 + dearer),
            ..Script::default()
        };
        vec![Script::default(), dear]
    });
    (plan, scripts.collect())
}

fn measured((plan, scripts): &(Plan, Vec<Vec<Script>>)) -> (RunOutcome, MockRig, Ears) {
    let mut rig = MockRig::with_groups(plan.rules.seed ^ 0x5eed, scripts);
    let mut ears = Ears::default();
    let outcome = run(plan, &mut rig, &mut ears);
    (outcome, rig, ears)
}

fn launches(outcome: &RunOutcome) -> Vec<usize> {
    outcome.arenas.iter().map(|arena| arena.launches.len()).collect()
}

/// Never decided: a difference of nothing, without a margin.
fn undecided(budget: f64, seed: u64) -> Rules {
    Rules {
        budget: Some(Seconds(budget)),
        margin: 0.0,
        seed,
        ..Rules::default()
    }
}

fn ended(rig: &MockRig) -> f64 {
    rig.log.last().unwrap().0 + STOP
}

#[test]
fn few_are_measured_well_instead_of_all_badly() {
    for seed in 1..=10 {
        let all = several(&[0.0; 7], undecided(120.0, seed));
        let (outcome, rig, ears) = measured(&all);
        let launches = launches(&outcome);
        let begun = launches.iter().filter(|of| **of > 0).count();
        assert!((1..7).contains(&begun), "seed {seed}: {launches:?}");
        // The first of the plan, and each often enough for an interval.
        assert!(
            launches[..begun].iter().all(|of| *of >= 3),
            "seed {seed}: {launches:?}"
        );
        assert_eq!(ears.left_out, (begun..7).collect::<Vec<_>>(), "seed {seed}");
        for (index, done) in outcome.done.iter().enumerate() {
            let expected = if index < begun {
                Done::Budget
            } else {
                Done::LeftOut
            };
            assert_eq!(*done, expected, "seed {seed}, group {index}");
        }
        assert!(ended(&rig) < 1.1 * 120.0, "seed {seed}: {}", ended(&rig));
    }
}

#[test]
fn the_budget_that_is_named_for_those_left_out_holds_them() {
    let all = several(&[0.0; 7], undecided(120.0, 3));
    let (_, _, ears) = measured(&all);
    assert!(!ears.left_out.is_empty());
    let rest = several(&vec![0.0; ears.left_out.len()], undecided(ears.enough, 4));
    let (outcome, _, ears) = measured(&rest);
    assert!(
        launches(&outcome).iter().all(|of| *of >= 3),
        "{:?}",
        launches(&outcome)
    );
    assert_eq!(ears.left_out, Vec::<usize>::new());
}

#[test]
fn groups_take_turns() {
    let (outcome, rig, _) = measured(&several(&[0.0; 2], undecided(200.0, 5)));
    let launches = launches(&outcome);
    assert!(
        launches[0] >= 5 && launches[0].abs_diff(launches[1]) <= 1,
        "{launches:?}"
    );
    let mut turns: Vec<usize> = rig.log.iter().map(|(_, who, _)| who.group).collect();
    turns.dedup();
    // Three of each, and from then on one of each.
    assert!(turns.len() >= 2 * (launches[1] - 3), "{turns:?}");
}

#[test]
fn what_is_decided_gives_its_time_to_those_that_wait() {
    for seed in 1..=10 {
        let few = launches(&measured(&several(&[0.0; 7], undecided(120.0, seed))).0);
        let begun = few.iter().filter(|of| **of > 0).count();
        // The same, but what is begun first is told after three launches or four.
        let (outcome, rig, _) = measured(&several(&[0.5; 7], undecided(120.0, seed)));
        let decided = outcome.done.iter().filter(|done| **done == Done::Decided).count();
        assert!(decided > begun, "seed {seed}: {:?} after {few:?}", outcome.done);
        // Every group that was begun is told: none took a launch that it could do nothing with.
        let counts = launches(&outcome);
        assert!(
            counts.iter().all(|of| *of == 0 || *of >= 3),
            "seed {seed}: {counts:?}"
        );
        assert!(ended(&rig) < 1.1 * 120.0, "seed {seed}: {}", ended(&rig));
    }
}

/// Nobody's comparison is ever decided. The finding of the first group is soon told, that of the second never.
#[test]
fn who_has_told_its_findings_gives_its_time_to_who_has_not() {
    let same = |within: f64| Claim {
        text: "they are the same".to_owned(),
        source: "a report".to_owned(),
        first: ContenderId::plain("c0"),
        others: vec![ContenderId::plain("c1")],
        relation: Relation::Same { within },
        metric: None,
        conditions: None,
    };
    for seed in 1..=5 {
        let mut all = several(&[0.0; 2], undecided(200.0, seed));
        let without = launches(&measured(&all).0);
        for (group, within) in all.0.groups.iter_mut().zip([0.3, 1e-4]) {
            group.modes[0].claims = vec![same(within)];
        }
        let with = launches(&measured(&all).0);
        // What is aimed at, and perhaps one for which the other had no time left.
        assert!((6..8).contains(&with[0]), "seed {seed}: {with:?}");
        assert!(
            with[1] > without[1] + 1,
            "seed {seed}: {with:?}, and {without:?} without findings"
        );
    }
}

/// What stored runs say of a group, and that is a tenth of the truth.
fn far_too_short() -> Expected {
    Expected {
        runs: 2,
        tempo: Tempo {
            fixed: 0.2,
            warm_up: 0.5,
            first: 0.0,
            rounds: vec![(Mode::Cost, 0.02)],
        },
        best: Vec::new(),
        spread: vec![(Mode::Cost, 0.002)],
    }
}

#[test]
fn where_all_take_longer_than_expected_the_first_still_has_its_launches() {
    for seed in 1..=10 {
        let mut all = several(&[0.0; 5], undecided(30.0, seed));
        for group in &mut all.0.groups {
            group.expected = Some(far_too_short());
        }
        let (outcome, rig, ears) = measured(&all);
        let launches = launches(&outcome);
        assert!(launches[0] >= 3, "seed {seed}: {launches:?}");
        assert!(ended(&rig) < 1.15 * 30.0, "seed {seed}: {}", ended(&rig));
        for (index, of) in launches.iter().enumerate().filter(|(_, of)| **of < 3) {
            assert!(
                ears.left_out.contains(&index),
                "seed {seed}: {of} of {index} in {launches:?}"
            );
        }
    }
}

#[test]
fn a_later_group_that_takes_longer_than_expected_takes_nothing_from_the_first() {
    for seed in 1..=10 {
        let (mut plan, mut scripts) = several(&[0.0; 2], undecided(60.0, seed));
        // Ten times the contenders, and a hundredth of the time is expected.
        plan.groups[1].entrants = (0..20).map(entrant).collect();
        plan.groups[1].expected = Some(far_too_short());
        scripts[1] = vec![Script::default(); 20];
        let (outcome, _, ears) = measured(&(plan, scripts));
        let launches = launches(&outcome);
        assert!(
            launches[0] >= 3 && (1..3).contains(&launches[1]),
            "seed {seed}: {launches:?}"
        );
        assert_eq!(
            (ears.left_out, outcome.done),
            (vec![1], vec![Done::Budget; 2]),
            "seed {seed}"
        );
    }
}

#[test]
fn an_interruption_ends_those_that_wait_too() {
    let (plan, scripts) = several(&[0.0; 7], undecided(120.0, 1));
    let mut rig = MockRig::with_groups(1, &scripts);
    rig.interrupt_at = Some(20.0);
    let mut ears = Ears::default();
    let outcome = run(&plan, &mut rig, &mut ears);
    assert_eq!(outcome.done, [Done::Interrupted; 7]);
    assert_eq!(ears.left_out, Vec::<usize>::new());
    let count = |did: Did| rig.log.iter().filter(|(.., done)| *done == did).count();
    assert_eq!(count(Did::Start), count(Did::Stop));
}

#[test]
fn a_number_of_launches_is_made_of_every_group() {
    let rules = Rules {
        launches: Some(2),
        ..undecided(30.0, 1)
    };
    let (outcome, _, ears) = measured(&several(&[0.0; 4], rules));
    assert!(
        launches(&outcome).iter().all(|of| *of >= 1),
        "{:?}",
        launches(&outcome)
    );
    assert_eq!(ears.left_out, Vec::<usize>::new());
}

#[test]
fn a_group_whose_contenders_all_fail_leaves_its_time() {
    let (plan, mut scripts) = several(&[0.0; 3], undecided(60.0, 1));
    for script in &mut scripts[0] {
        script.fault = Some((FaultKind::NeverReady, 0));
    }
    let (outcome, _, _) = measured(&(plan, scripts));
    assert_eq!(outcome.done[0], Done::Nothing);
    assert!(launches(&outcome)[1] >= 3, "{:?}", launches(&outcome));
}

/// A single group is measured slice by slice as it is where nothing is admitted or left out: with a number of launches that is
/// never reached.
#[test]
fn a_single_group_is_measured_as_if_there_were_no_order() {
    for (seed, budget) in [(1, 20.0), (2, 60.0), (3, 300.0)] {
        let in_order = undecided(budget, seed);
        let none = Rules {
            launches: Some(1000),
            ..in_order.clone()
        };
        let run = |rules: Rules| {
            let scripts = vec![Script::default(); 3];
            let (outcome, rig) = go(&plan(3, &[Mode::Cost], rules), &scripts, &mut Ears::default());
            (outcome.arenas, rig.log)
        };
        let (one, other) = (run(in_order), run(none));
        assert!(one == other, "seed {seed}: another run");
    }
}
