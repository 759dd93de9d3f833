//! The lab on a rig without a world: exact times, known truth.

use std::collections::BTreeMap;

use tare_model::fault::FaultKind;
use tare_model::ids::ContenderId;
use tare_model::manifest::Driving;
use tare_model::metric::{Metric, Mode};
use tare_model::record::{ArenaRecord, EntrantRecord, Phase};
use tare_model::results::{Bound, Placement, State, Verdict};
use tare_model::units::{Seconds, Share};

use crate::analysis;
use crate::mock::{CHECK, Did, MockRig, SETTLE, START, STOP, Script};
use crate::plan::{Group, ModePlan, Plan, Rules};
use crate::rig::Who;
use crate::run::{Outcome, run};
use crate::sink::{Done, Event, Sink, SinkError};

#[derive(Default)]
struct Ears {
    rounds: u32,
    failed: Vec<(usize, FaultKind)>,
    notes: Vec<String>,
    rates: Vec<f64>,
    epochs: u32,
    refuse_round: Option<u32>,
}

impl Sink for Ears {
    fn event(&mut self, event: &Event<'_>) -> Result<(), SinkError> {
        match event {
            Event::Round { .. } => {
                self.rounds += 1;
                if self.refuse_round == Some(self.rounds) {
                    return Err(SinkError("the disk is full".to_owned()));
                }
            }
            Event::Failed { who, fault, .. } => self.failed.push((who.entrant, fault.kind)),
            Event::Note { text } => self.notes.push((*text).to_owned()),
            Event::Rate { rate, .. } => self.rates.push(rate.0),
            Event::EpochBegan { epoch, .. } => self.epochs = *epoch,
            _ => {}
        }
        Ok(())
    }
}

fn driving(mode: Mode) -> Driving {
    let (primary, programs) = match mode {
        Mode::Capacity => (Metric::Throughput, 1),
        Mode::Cost => (Metric::CpuPerOp, 1),
        Mode::Batch => (Metric::Duration, 2),
    };
    Driving {
        mode,
        primary,
        connections: vec![16],
        depth: 3,
        programs,
        requests: 100,
    }
}

fn entrant(index: usize) -> EntrantRecord {
    EntrantRecord {
        id: ContenderId::plain(&format!("c{index}")),
        language: "c".to_owned(),
        summary: "a script".to_owned(),
        style: "idiomatic".to_owned(),
        stands_in_for: None,
        versions: vec![],
        fault: None,
        fault_epoch: None,
    }
}

fn plan(entrants: usize, modes: &[Mode], rules: Rules) -> Plan {
    let mode = |mode: &Mode| ModePlan {
        driving: driving(*mode),
        rate: None,
        published: vec![],
    };
    let group = Group {
        workload: "w".to_owned(),
        summary: "a job".to_owned(),
        case: "one".to_owned(),
        case_summary: "a case".to_owned(),
        placement: Placement {
            contender: vec![1],
            load: vec![0],
        },
        floor: None,
        baseline: Some(ContenderId::plain("c0")),
        entrants: (0..entrants).map(entrant).collect(),
        warm_up: driving(Mode::Capacity),
        modes: modes.iter().map(mode).collect(),
    };
    Plan {
        groups: vec![group],
        rules,
    }
}

fn go(plan: &Plan, scripts: &[Script], ears: &mut Ears) -> (Outcome, MockRig) {
    let mut rig = MockRig::new(plan.rules.seed ^ 0x5eed, scripts);
    let outcome = run(plan, &mut rig, ears);
    (outcome, rig)
}

fn verdict(arena: &ArenaRecord, a: &str) -> Verdict {
    let result = analysis::analyse(arena);
    result
        .comparison(&ContenderId::plain(a), arena.primary)
        .expect("a comparison")
        .verdict
}

#[test]
fn an_epoch_starts_checks_warms_up_measures_and_stops_everyone() {
    let rules = Rules {
        epochs: Some(2),
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
    assert_eq!(rounds, 2 * 10 * 3);
    let measured = count(|did| matches!(did, Did::Slice(_)));
    assert_eq!(measured, arena.slices.len());
}

#[test]
fn every_round_measures_everyone_once_in_an_order_of_its_own_and_lengths_jitter() {
    let rules = Rules {
        epochs: Some(1),
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
        Did::Slice(order) if order.mode == Mode::Cost => Some(order.length.0),
        _ => None,
    });
    let lengths: Vec<f64> = lengths.collect();
    assert!(lengths.iter().all(|length| (0.072..0.0881).contains(length)));
    assert!(lengths.iter().any(|length| *length < 0.074) && lengths.iter().any(|length| *length > 0.086));
}

#[test]
fn time_is_spent_on_nothing_but_what_was_done() {
    let rules = Rules {
        epochs: Some(2),
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
fn a_clear_difference_is_decided_after_few_epochs_and_a_twin_is_a_dead_heat() {
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
    assert_eq!(verdict(arena, "c2"), Verdict::DeadHeat);
    let result = analysis::analyse(arena);
    let slower = result
        .comparison(&ContenderId::plain("c1"), Metric::CpuPerOp)
        .unwrap();
    assert!(
        slower.low.unwrap() < 1.2 && 1.2 < slower.high.unwrap(),
        "{slower:?}"
    );
    assert!(!slower.provisional && slower.epochs >= 3 && slower.centres.len() == slower.epochs as usize);
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
        outcome.arenas[0].epochs.len() >= 3,
        "a budget is shared out over at least three epochs"
    );
}

#[test]
fn one_epoch_gives_provisional_verdicts_from_rounds() {
    let slow = Script {
        cpu: 10.5e-6,
        ..Script::default()
    };
    let rules = Rules {
        epochs: Some(1),
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

#[test]
fn who_fails_is_set_aside_and_the_others_go_on() {
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
        epochs: Some(3),
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
        epochs: Some(3),
        ..Rules::default()
    };
    let scripts = [failing, Script::default(), Script::default()];
    let (outcome, _) = go(&plan(3, &[Mode::Cost], rules), &scripts, &mut Ears::default());
    let result = analysis::analyse(&outcome.arenas[0]);
    assert_eq!(result.baseline, Some(ContenderId::plain("c1")));
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
        epoch_noise: 0.0,
        ..Script::default()
    };
    let rules = Rules {
        epochs: Some(3),
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
    assert_eq!(
        result.driving[0],
        ("rate for all".to_owned(), "15.0k /s".to_owned())
    );
}

#[test]
fn who_never_settles_has_no_verdict() {
    let restless = Script {
        drift: 0.004,
        ..Script::default()
    };
    let rules = Rules {
        epochs: Some(3),
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

#[test]
fn levels_are_chosen_in_the_pilot_and_then_fixed() {
    let mut plan = plan(
        2,
        &[Mode::Capacity],
        Rules {
            epochs: Some(2),
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
fn a_load_bound_throughput_is_never_ranked() {
    let rules = Rules {
        epochs: Some(3),
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

#[test]
fn what_is_above_the_floor_is_weighed_apart() {
    let of = |cpu| Script {
        cpu,
        ..Script::default()
    };
    let rules = Rules {
        epochs: Some(8),
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
fn the_same_seed_gives_the_same_run() {
    let rules = || Rules {
        epochs: Some(2),
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
fn twins_are_not_told_apart_at_margin_zero_more_often_than_alpha_allows() {
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
        verdict(&outcome.arenas[0], "c1") != Verdict::Undecided
    });
    let wrong: Vec<u64> = wrong.collect();
    assert!(wrong.len() <= 8, "false verdicts with seeds {wrong:?}");
}
