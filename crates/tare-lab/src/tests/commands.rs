//! Commands: blocks of rounds, no restarts, a floor that does not compete.

use super::*;

/// Commands of 50 ms, the floor of 1 ms last.
fn commands(entrants: usize, rules: Rules) -> Plan {
    let mut plan = plan(entrants, &[Mode::Command], rules);
    let group = &mut plan.groups[0];
    let run = ModeDriving {
        connections: vec![1],
        depth: 1,
        requests: 1,
        ..driving(Mode::Command)
    };
    group.warm_up = run.clone();
    group.modes[0].driving = run;
    group.warm_up_rounds = Some(2);
    let floor = &mut group.entrants[entrants - 1];
    floor.subject = Subject::NoCommand {
        command: "true".to_owned(),
    };
    group.floor = Some(floor.id.clone());
    plan
}

fn script(millis: f64, noise: f64) -> Script {
    Script {
        capacity: 1e3 / millis,
        cpu: millis / 1e3,
        noise,
        launch_noise: 0.0,
        ..Script::default()
    }
}

fn minute(margin: f64, seed: u64) -> Rules {
    Rules {
        budget: Some(Seconds(60.0)),
        rounds: Some(12),
        margin,
        seed,
        ..Rules::default()
    }
}

#[test]
fn one_warm_up_then_blocks_until_decided() {
    let scripts = [script(50.0, 0.02), script(60.0, 0.02), script(1.0, 0.02)];
    let (outcome, _) = go(&commands(3, minute(0.01, 3)), &scripts, &mut Ears::default());
    let arena = &outcome.arenas[0];
    assert_eq!(outcome.done, [Done::Decided], "{:?}", analysis::primary(arena));
    assert_eq!(verdict(arena, "c1"), Verdict::Slower);
    let of = |launch: u32, phase: Phase| arena.slices_of(launch, phase).count();
    assert_eq!((of(0, Phase::WarmUp), of(1, Phase::WarmUp)), (2 * 3, 0));
    assert_eq!(of(0, Phase::Round), 12 * 3);
    assert!(arena.slices.iter().all(|slice| slice.phase != Phase::Pilot));
    let result = analysis::analyse(arena);
    assert!(
        result
            .contenders
            .iter()
            .all(|contender| contender.state == State::Measured)
    );
    assert!(
        result
            .comparisons
            .iter()
            .all(|comparison| !comparison.provisional)
    );
}

#[test]
fn no_alpha_is_spent_on_the_floor_and_it_has_no_rank() {
    let scripts = [script(50.0, 0.02), script(50.0, 0.02), script(50.0, 0.02)];
    let (outcome, _) = go(&commands(3, minute(0.01, 4)), &scripts, &mut Ears::default());
    let result = analysis::analyse(&outcome.arenas[0]);
    let floor = result.contender(&ContenderId::plain("c2")).unwrap();
    assert!(floor.ranks.is_empty() && floor.metrics.contains_key(&Metric::Duration));
    let primary: Vec<_> = result
        .comparisons
        .iter()
        .filter(|comparison| comparison.primary)
        .collect();
    assert_eq!(primary.len(), 1);
    assert_eq!(
        (primary[0].a.to_string(), primary[0].alpha),
        ("c1".to_owned(), 0.05)
    );
}

#[test]
fn a_single_command_is_described_until_its_budget_ends() {
    let rules = Rules {
        budget: Some(Seconds(5.0)),
        ..minute(0.01, 5)
    };
    let (outcome, rig) = go(
        &commands(2, rules),
        &[script(50.0, 0.02), script(1.0, 0.02)],
        &mut Ears::default(),
    );
    assert_eq!(outcome.done, [Done::Budget]);
    let last = rig.log.last().unwrap().0;
    assert!((3.5..6.0).contains(&last), "{last}");
}

#[test]
fn a_fixed_number_of_runs_is_made_even_if_all_is_decided() {
    let rules = Rules {
        budget: None,
        launches: Some(10),
        rounds: Some(3),
        whole: true,
        ..minute(0.01, 6)
    };
    let scripts = [script(50.0, 0.01), script(100.0, 0.01), script(1.0, 0.02)];
    let (outcome, _) = go(&commands(3, rules), &scripts, &mut Ears::default());
    let rounds = outcome.arenas[0]
        .slices
        .iter()
        .filter(|slice| slice.phase == Phase::Round);
    assert_eq!((outcome.done, rounds.count()), (vec![Done::Launches], 10 * 3 * 3));
}

#[test]
fn the_fewest_runs_are_made_even_if_all_is_decided_before() {
    let rules = Rules {
        rounds: Some(3),
        least: 9,
        ..minute(0.01, 6)
    };
    let scripts = [script(50.0, 0.01), script(100.0, 0.01), script(1.0, 0.02)];
    let (outcome, _) = go(&commands(3, rules), &scripts, &mut Ears::default());
    let launches = outcome.arenas[0].launches.len();
    assert_eq!((outcome.done, launches), (vec![Done::Decided], 9));
}

/// Where the last but one failed, nothing is left to compare, though the floor is there.
#[test]
fn one_command_left_beside_the_floor_ends_the_run() {
    let failing = Script {
        fault: Some((FaultKind::Died, 20)),
        ..script(50.0, 0.02)
    };
    let scripts = [script(50.0, 0.02), failing, script(1.0, 0.02)];
    let (outcome, _) = go(&commands(3, minute(0.0, 7)), &scripts, &mut Ears::default());
    assert_eq!(outcome.done, [Done::Nothing]);
}
