//! Many benchmarks: passes, who is in them, when they end, and whether what is said is true.

use tare_model::benchmark::{AFTER, BEFORE, BenchmarkResult, Benchmarks, Change};
use tare_model::fault::{Fault, FaultKind};
use tare_model::forecast::Planned;
use tare_model::settings::{BenchmarkSettings, Many, RunKind, Settings};

use super::*;
use crate::passes;

/// Iterations of a sample.
pub(super) const ITERATIONS: u32 = 100;

/// A plan of benchmarks with these sides.
pub(super) fn benchmarks(count: usize, sides: &[&str], rules: Rules) -> Plan {
    let one = plan(sides.len(), &[Mode::Benchmark], rules);
    let side = |side: &&str| EntrantRecord {
        id: ContenderId::plain(side),
        subject: Subject::Benchmark {
            harness: "go".to_owned(),
            program: "words".to_owned(),
            source: None,
        },
        ..entrant(0)
    };
    let group = |index: usize| {
        let mut group = one.groups[0].clone();
        group.workload = "words".to_owned();
        group.case = format!("B{index}");
        group.entrants = sides.iter().map(side).collect();
        group.baseline = Some(ContenderId::plain(sides[0]));
        let driving = &mut group.modes[0].driving;
        (driving.connections, driving.depth, driving.requests) = (vec![1], 1, ITERATIONS);
        group
    };
    Plan {
        groups: (0..count).map(group).collect(),
        rules: one.rules,
    }
}

/// A side whose sample takes these milliseconds, with this noise.
fn side(millis: f64, noise: f64) -> Script {
    Script {
        capacity: 1e3 * f64::from(ITERATIONS) / millis,
        noise,
        launch_noise: 0.0,
        ..Script::default()
    }
}

/// Both sides of a benchmark of 50 ms, the later one's time being so many times the earlier one's.
fn pair(ratio: f64, noise: f64) -> Vec<Script> {
    vec![side(50.0, noise), side(50.0 * ratio, noise)]
}

/// A round of such a pair, in seconds.
const ROUND: f64 = 2.0 * (0.05 + SETTLE);

fn budget(seconds: f64) -> Rules {
    Rules {
        budget: Some(Seconds(seconds)),
        ..Rules::default()
    }
}

/// What the sink was told of passes.
#[derive(Default)]
struct Heard {
    ears: Ears,
    passes: u32,
    results: Vec<Option<BenchmarkResult>>,
    done: Vec<Option<Done>>,
    rounds: Vec<u32>,
}

impl Sink for Heard {
    fn event(&mut self, event: &Event<'_>) -> Result<(), SinkError> {
        match event {
            Event::PassBegan { rounds, .. } => self.rounds.push(*rounds),
            Event::Passed {
                passes,
                results,
                done,
                ..
            } => {
                self.passes = *passes;
                self.results = results.to_vec();
                self.done = done.to_vec();
            }
            _ => {}
        }
        self.ears.event(event)
    }
}

struct Ran {
    outcome: RunOutcome,
    rig: MockRig,
    heard: Heard,
}

fn measure(plan: &Plan, scripts: &[Vec<Script>], prepare: impl FnOnce(&mut MockRig)) -> Ran {
    let mut rig = MockRig::with_groups(plan.rules.seed ^ 0x5eed, scripts);
    prepare(&mut rig);
    let mut heard = Heard::default();
    let outcome = passes(plan, &mut rig, &mut heard);
    Ran { outcome, rig, heard }
}

fn with(rules: Rules, scripts: &[Vec<Script>]) -> Ran {
    measure(
        &benchmarks(scripts.len(), &[BEFORE, AFTER], rules),
        scripts,
        |_| {},
    )
}

impl Ran {
    /// What the analysis of the records says, as of a run that is read back.
    fn judged(&self) -> Benchmarks {
        let settings = Settings {
            kind: RunKind::Bench,
            benchmarks: Some(BenchmarkSettings::default()),
            ..Settings::default()
        };
        analysis::benchmarks(&self.outcome.arenas, &settings).expect("there are benchmarks")
    }

    fn changes(&self) -> Vec<Option<Change>> {
        let list = self.judged().list;
        list.iter().map(|one| one.figures.first()?.change).collect()
    }

    /// Measured rounds of a group.
    fn rounds(&self, group: usize) -> usize {
        let slices = self.outcome.arenas[group].slices.iter();
        let first = slices.filter(|slice| slice.phase == Phase::Round && slice.entrant == 0);
        first.count()
    }

    /// When the last slice began.
    fn last(&self) -> f64 {
        self.rig.log.last().expect("something was measured").0
    }
}

#[test]
fn clear_benchmarks_are_decided_and_close() {
    let scripts = [pair(1.2, 0.002), pair(1.0, 0.002), pair(0.8, 0.002)];
    let ran = with(budget(600.0), &scripts);
    assert_eq!(ran.outcome.done, [Done::Decided; 3]);
    let expected = [Change::Worse, Change::Equivalent, Change::Better].map(Some);
    assert_eq!(ran.changes(), expected);
    assert!(ran.last() < 20.0, "{}", ran.last());
    assert_eq!(ran.heard.done, [Some(Done::Decided); 3]);
    assert!(ran.heard.results.iter().all(Option::is_some));
    // Nothing is started or stopped.
    assert!(ran.rig.log.iter().all(|(_, _, did)| matches!(did, Did::Slice(_))));
}

/// What is shown while it runs is what is read back.
#[test]
fn the_last_look_is_the_result() {
    let scripts = [pair(1.02, 0.01), pair(1.0, 0.02), pair(0.97, 0.01)];
    let ran = with(budget(20.0), &scripts);
    let heard: Vec<BenchmarkResult> = ran.heard.results.iter().flatten().cloned().collect();
    assert_eq!(heard, ran.judged().list);
}

#[test]
fn every_pass_has_all_in_random_order_and_both_sides_in_every_place() {
    let scripts = vec![pair(1.0, 0.03); 6];
    let ran = with(budget(ROUND * 6.0 * 9.0), &scripts);
    // The first round of each is the pilot.
    let slices: Vec<usize> = ran.rig.log.iter().skip(12).map(|(_, who, _)| who.group).collect();
    let passes: Vec<&[usize]> = slices.chunks_exact(12).take(5).collect();
    for pass in &passes {
        let mut once = pass.to_vec();
        assert!(
            once.chunks_exact(2).all(|two| two[0] == two[1]),
            "a round is both sides"
        );
        once.sort_unstable();
        once.dedup();
        assert_eq!(once, [0, 1, 2, 3, 4, 5]);
    }
    assert!(passes.windows(2).any(|two| two[0] != two[1]), "{passes:?}");
    let slices = ran.outcome.arenas.iter().flat_map(|arena| &arena.slices);
    let later_first = slices
        .filter(|slice| slice.place == 0 && slice.entrant == 1)
        .count();
    assert!((10..50).contains(&later_first), "{later_first}");
}

#[test]
fn a_pilot_does_not_count() {
    let ran = with(budget(600.0), &[pair(1.2, 0.002)]);
    let slices = &ran.outcome.arenas[0].slices;
    let pilots = slices.iter().filter(|slice| slice.phase == Phase::Pilot);
    assert_eq!(pilots.count(), 2);
    let launches = &ran.outcome.arenas[0].launches;
    let result = &ran.judged().list[0];
    assert_eq!(launches.len() as u32, result.launches);
    assert_eq!(result.rounds as usize, ran.rounds(0));
}

#[test]
fn launches_are_longer_only_where_there_are_many_passes() {
    let rounds = |passes: f64| {
        let scripts = vec![pair(1.0, 0.05); 4];
        let ran = with(budget(passes * 4.0 * ROUND + 0.06), &scripts);
        assert!(ran.heard.rounds.iter().all(|one| *one == ran.heard.rounds[0]));
        (ran.heard.rounds[0], ran.heard.rounds.len())
    };
    // One more for the pilot.
    let (few, passes) = rounds(7.0);
    assert_eq!((few, passes), (1, 6));
    assert_eq!(rounds(22.0).0, 1);
    assert_eq!(rounds(43.0).0, 2);
    let (many, passes) = rounds(401.0);
    assert!((many, passes) >= (4, 90), "{many} rounds, {passes} passes");
}

#[test]
fn the_rounds_asked_for_are_made() {
    let rules = Rules {
        rounds: Some(3),
        launches: Some(5),
        whole: true,
        budget: None,
        ..Rules::default()
    };
    let ran = with(rules, &[pair(1.5, 0.001), pair(1.0, 0.001)]);
    assert_eq!(ran.outcome.done, [Done::Launches; 2]);
    assert_eq!((ran.rounds(0), ran.rounds(1)), (15, 15));
}

#[test]
fn the_budget_is_kept() {
    let scripts = vec![pair(1.0, 0.2); 10];
    let seconds = 30.0;
    let ran = with(budget(seconds), &scripts);
    assert_eq!(ran.outcome.done, [Done::Budget; 10]);
    assert!(ran.last() < seconds, "{}", ran.last());
    assert!(ran.last() > seconds - 2.0 * 10.0 * ROUND, "{}", ran.last());
}

#[test]
fn a_small_budget_measures_the_first_ones_well() {
    // Three passes and a pilot of ten of twenty, and a little.
    let scripts = vec![pair(1.0, 0.01); 20];
    let ran = with(budget(10.0 * 4.0 * ROUND + 0.3), &scripts);
    let measured = (0..20).filter(|&group| ran.rounds(group) >= 3).count();
    assert!((8..=10).contains(&measured), "{measured}");
    assert!((0..measured).all(|group| ran.rounds(group) >= 3));
    assert_eq!(ran.heard.ears.left_out.first(), Some(&measured));
    assert_eq!(ran.heard.ears.left_out.len(), 20 - measured);
    assert!((measured..20).all(|group| ran.outcome.done[group] == Done::LeftOut));
    assert_eq!(ran.judged().list.len(), measured);
    // A pilot and six passes of those that are left.
    let enough = (20 - measured) as f64 * 7.0 * ROUND;
    assert!(
        (ran.heard.ears.enough / enough - 1.0).abs() < 0.1,
        "{}",
        ran.heard.ears.enough
    );
}

#[test]
fn the_forecast_is_what_a_run_does() {
    let mut scripts = vec![pair(1.0, 0.3); 12];
    scripts.insert(2, vec![side(8000.0, 0.01), side(8000.0, 0.01)]);
    // A pilot and six passes: until then each pass is of all.
    let rules = budget(12.0 * 7.2 * ROUND + 17.0);
    let plan = benchmarks(scripts.len(), &[BEFORE, AFTER], rules);
    let mut rig = MockRig::with_groups(7, &scripts);
    let said = crate::passes_forecast(&plan, &mut rig);
    // One round of each, and nothing else.
    assert_eq!(rig.log.len(), 2 * scripts.len());
    let ran = with(plan.rules.clone(), &scripts);
    let measured: Vec<bool> = ran
        .outcome
        .done
        .iter()
        .map(|done| *done != Done::LeftOut)
        .collect();
    let planned = said.benchmarks.iter().map(|one| one.planned == Planned::Measured);
    assert_eq!(planned.collect::<Vec<bool>>(), measured);
    assert_eq!(said.benchmarks[2].planned, Planned::LeftOut);
    assert_eq!(Some(&said.rounds), ran.heard.rounds.first());
    let passes = said.passes.unwrap();
    let made = ran.heard.passes;
    assert!(
        passes == 6 && (6..=7).contains(&made),
        "{passes}, and {made} were made"
    );
    assert!(said.enough.unwrap().0 > plan.rules.budget.unwrap().0);
    let rounds = said
        .benchmarks
        .iter()
        .filter(|one| one.planned == Planned::Measured);
    let all: f64 = rounds.map(|one| one.round.unwrap().0).sum();
    assert!((said.pass.0 - all * f64::from(said.rounds)).abs() < 1e-9 && said.first.0 > 16.0);
}

#[test]
fn a_forecast_names_whom_it_cannot_measure_and_ends_with_the_layouts() {
    let rules = Rules {
        launches: Some(8),
        ..budget(600.0)
    };
    let mut plan = benchmarks(2, &[BEFORE, AFTER], rules);
    let fault = Fault::new(FaultKind::Absent, "it is not there");
    plan.groups[1].entrants[0].fault = Some(fault.clone());
    let said = crate::passes_forecast(&plan, &mut MockRig::with_groups(7, &vec![pair(1.0, 0.1); 2]));
    assert_eq!((said.passes, said.enough, said.compared), (Some(8), None, true));
    let side = BEFORE.to_owned();
    assert_eq!(said.benchmarks[1].planned, Planned::Not { side, fault });
    assert_eq!(said.benchmarks[1].round, None);
    plan.rules.budget = None;
    plan.rules.launches = None;
    let said = crate::passes_forecast(&plan, &mut MockRig::with_groups(7, &vec![pair(1.0, 0.1); 2]));
    assert_eq!(said.passes, None);
}

#[test]
fn one_that_is_too_long_does_not_keep_others_from_being_measured() {
    let slow = vec![side(8000.0, 0.01), side(8000.0, 0.01)];
    let mut scripts = vec![pair(1.0, 0.01); 5];
    scripts.insert(2, slow);
    let ran = with(budget(40.0), &scripts);
    assert_eq!(ran.outcome.done[2], Done::LeftOut);
    assert!([0, 1, 3, 4, 5].iter().all(|&group| ran.rounds(group) >= 6));
    assert_eq!(ran.heard.ears.left_out, [2]);
}

#[test]
fn time_goes_to_those_that_can_be_decided() {
    // Eight are so noisy that nothing can be known of them; one is slower by 4% at a noise that takes a while.
    let mut scripts = vec![pair(1.0, 0.5); 8];
    scripts.insert(4, pair(1.04, 0.015));
    let ran = with(budget(9.0 * 24.0 * ROUND), &scripts);
    assert_eq!(ran.outcome.done[4], Done::Decided, "{:?}", ran.judged().list[4]);
    let passes = |group: usize| {
        ran.rig
            .passes
            .iter()
            .filter(|(_, groups)| groups.contains(&group))
            .count()
    };
    assert!(ran.rounds(4) > 6);
    let all = ran.rig.passes.len();
    assert!(passes(0) < all, "{} of {all}", passes(0));
}

#[test]
fn those_that_cannot_be_compared_are_not_measured() {
    let mut plan = benchmarks(4, &[BEFORE, AFTER], budget(60.0));
    plan.groups[0].entrants[0].fault = Some(Fault::new(FaultKind::Absent, "not there"));
    for entrant in &mut plan.groups[1].entrants {
        entrant.fault = Some(Fault::new(FaultKind::Rewritten, "its sources differ"));
    }
    let mut scripts = vec![pair(1.1, 0.002); 4];
    // In its third slice.
    scripts[2][1].fault = Some((FaultKind::Died, 3));
    let ran = measure(&plan, &scripts, |_| {});
    assert_eq!(ran.outcome.done[..3], [Done::Nothing; 3]);
    assert_eq!(ran.outcome.done[3], Done::Decided);
    assert!(ran.rig.log.iter().all(|(_, who, _)| who.group >= 2));
    assert_eq!(ran.heard.ears.failed, [(1, FaultKind::Died)]);
    assert_eq!(
        ran.rounds(2),
        2,
        "the round that it failed in was begun, none after it"
    );
    assert_eq!(ran.changes(), [None, None, None, Some(Change::Worse)]);
}

#[test]
fn every_pass_draws_layouts_and_they_end_it() {
    let rules = Rules {
        launches: Some(8),
        ..budget(600.0)
    };
    let layout = |ratio: f64| {
        let one = |millis: f64| Script {
            launch_noise: 0.05,
            ..side(millis, 0.002)
        };
        vec![one(50.0), one(50.0 * ratio)]
    };
    let plan = benchmarks(3, &[BEFORE, AFTER], rules);
    let scripts = [layout(1.0), layout(1.0), layout(1.5)];
    let ran = measure(&plan, &scripts, |rig| rig.pass = 2.0);
    assert_eq!(ran.outcome.done[..2], [Done::Launches; 2]);
    assert_eq!(ran.outcome.done[2], Done::Decided);
    let numbers: Vec<u32> = ran.rig.passes.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(ran.heard.rounds, [4; 8]);
    let settings = Settings {
        benchmarks: Some(BenchmarkSettings {
            layouts: 8,
            many: Many::Discoveries,
            ..BenchmarkSettings::default()
        }),
        ..Settings::default()
    };
    let found = analysis::benchmarks(&ran.outcome.arenas, &settings).unwrap();
    let spread = found.layout.expect("layouts were drawn");
    assert!(spread.between > 10.0 * spread.within, "{spread:?}");
}

#[test]
fn who_has_no_layout_is_out_and_the_others_go_on() {
    let plan = benchmarks(3, &[BEFORE, AFTER], budget(60.0));
    let scripts = vec![pair(1.1, 0.02); 3];
    let who = Who { group: 1, entrant: 0 };
    let ran = measure(&plan, &scripts, |rig| rig.no_layout = Some((1, who)));
    assert_eq!(ran.outcome.done[1], Done::Nothing);
    assert_eq!(ran.heard.ears.failed, [(0, FaultKind::BuildFailed)]);
    assert!(ran.rounds(0) >= 3 && ran.rounds(2) >= 3);
}

#[test]
fn one_revision_is_described() {
    let plan = benchmarks(2, &[AFTER], budget(600.0));
    let scripts = [vec![side(50.0, 0.01)], vec![side(20.0, 0.01)]];
    let ran = measure(&plan, &scripts, |_| {});
    assert_eq!(ran.outcome.done, [Done::Decided; 2]);
    assert_eq!(ran.changes(), [None, None]);
    let figures: Vec<f64> = ran
        .judged()
        .list
        .iter()
        .map(|one| one.figures[0].after.unwrap().estimate)
        .collect();
    assert!((figures[0] / 0.5e-3 - 1.0).abs() < 0.02 && (figures[1] / 0.2e-3 - 1.0).abs() < 0.02);
}

#[test]
fn an_interruption_ends_it_and_keeps_what_there_is() {
    let plan = benchmarks(3, &[BEFORE, AFTER], budget(600.0));
    let scripts = vec![pair(1.0, 0.1); 3];
    let ran = measure(&plan, &scripts, |rig| rig.interrupt_at = Some(3.0));
    assert_eq!(ran.outcome.done, [Done::Interrupted; 3]);
    assert!(ran.last() < 3.1);
    assert!(ran.rounds(0) > 0);
}

#[test]
fn a_sink_that_refuses_ends_it() {
    let plan = benchmarks(2, &[BEFORE, AFTER], budget(600.0));
    let mut rig = MockRig::with_groups(1, &[pair(1.0, 0.1), pair(1.0, 0.1)]);
    let mut ears = Ears {
        refuse_round: Some(5),
        ..Ears::default()
    };
    let outcome = passes(&plan, &mut rig, &mut ears);
    assert!(outcome.sink_error.is_some());
    assert_eq!(ears.rounds, 5);
}

#[test]
fn allocations_are_counted_and_quantisation_is_no_difference() {
    let with_allocations = |before: f64, after: f64| {
        let one = |allocations: f64| Script {
            allocations: Some(allocations),
            ..side(50.0, 0.003)
        };
        vec![one(before), one(after)]
    };
    let scripts = [
        with_allocations(9.5, 10.5),
        with_allocations(10.0, 10.0),
        with_allocations(10.5, 7.5),
    ];
    let ran = with(budget(600.0), &scripts);
    assert_eq!(ran.outcome.done, [Done::Decided; 3]);
    let list = ran.judged().list;
    let counted: Vec<Option<Change>> = list.iter().map(|one| one.figures[1].change).collect();
    let expected = [Change::Worse, Change::Equivalent, Change::Better].map(Some);
    assert_eq!(counted, expected);
    assert!(
        list.iter()
            .all(|one| one.figures[0].change == Some(Change::Equivalent))
    );
}

/// The same plan and seed measure the same.
#[test]
fn a_seed_is_a_run() {
    let order = |seed: u64| {
        let rules = Rules { seed, ..budget(10.0) };
        let ran = with(rules, &vec![pair(1.0, 0.02); 5]);
        ran.rig.log.iter().map(|(_, who, _)| *who).collect::<Vec<_>>()
    };
    assert_eq!(order(7), order(7));
    assert_ne!(order(7), order(8));
}
