//! What is expected of a run, held against what the run then does.

use super::*;

use tare_analysis::Expected;
use tare_model::record::RunRecord;
use tare_model::results::RunInfo;
use tare_model::settings::{RunKind, Settings};

use crate::forecast::forecast;

fn rules(budget: f64) -> Rules {
    Rules {
        budget: Some(Seconds(budget)),
        margin: 0.0,
        ..Rules::default()
    }
}

fn stored(outcome: &RunOutcome, rig: &MockRig, settings: Settings) -> RunRecord {
    RunRecord {
        info: RunInfo {
            took: Seconds(rig.log.last().unwrap().0 + STOP),
            settings,
            ..RunInfo::default()
        },
        arenas: outcome.arenas.clone(),
    }
}

/// What a run of three contenders says of another, which is run with this budget: expected and made launches.
fn from_a_stored_run(first: f64, second: f64) -> (u32, usize, Expected) {
    let scripts = vec![Script::default(); 3];
    let plan_of = |budget| plan(3, &[Mode::Cost], rules(budget));
    let (outcome, rig) = go(&plan_of(first), &scripts, &mut Ears::default());
    let mut plan = plan_of(second);
    let record = stored(&outcome, &rig, Settings::default());
    let arenas = plan.groups[0].records(&plan.rules);
    let expected = analysis::expected(&record, &arenas).expect("it is the same question");
    plan.groups[0].expected = Some(expected.clone());
    let foreseen = forecast(&plan).groups[0].launches.unwrap();
    let (outcome, _) = go(&plan, &scripts, &mut Ears::default());
    (foreseen, outcome.arenas[0].launches.len(), expected)
}

#[test]
fn so_many_launches_are_made() {
    for (first, second) in [(120.0, 120.0), (120.0, 300.0), (60.0, 600.0)] {
        let (foreseen, made, _) = from_a_stored_run(first, second);
        let ratio = f64::from(foreseen) / made as f64;
        assert!(
            (0.75..1.34).contains(&ratio),
            "{foreseen} foreseen, {made} made after {first} s"
        );
    }
}

#[test]
fn a_stored_run_tells_how_long_each_part_takes_and_how_far_launches_spread() {
    let (.., expected) = from_a_stored_run(300.0, 60.0);
    let tempo = &expected.tempo;
    // Three starts, checks and stops.
    assert!(
        (tempo.fixed - 3.0 * (START + CHECK + STOP)).abs() < 0.05,
        "{tempo:?}"
    );
    let (mode, round) = tempo.rounds[0];
    assert_eq!(mode, Mode::Cost);
    assert!((round - 3.0 * (0.08 + SETTLE)).abs() < 0.02, "{tempo:?}");
    // Launches of each differ by 0.2%, the ratio of two by √2 times that, and the rounds add some.
    let (_, spread) = expected.spread[0];
    assert!((0.001..0.01).contains(&spread), "{spread}");
}

#[test]
fn another_question_tells_nothing() {
    let scripts = vec![Script::default(); 3];
    let (outcome, rig) = go(
        &plan(3, &[Mode::Cost], rules(120.0)),
        &scripts,
        &mut Ears::default(),
    );
    let known = |entrants: usize, mode: Mode, settings: Settings| {
        let plan = plan(entrants, &[mode], rules(60.0));
        let record = stored(&outcome, &rig, settings);
        analysis::expected(&record, &plan.groups[0].records(&plan.rules)).map(|expected| expected.tempo.fixed)
    };
    let all = known(3, Mode::Cost, Settings::default()).unwrap();
    // Two of the three take two thirds of the time.
    let some = known(2, Mode::Cost, Settings::default()).unwrap();
    assert!((some / all - 2.0 / 3.0).abs() < 1e-9);
    assert_eq!(known(4, Mode::Cost, Settings::default()), None);
    assert_eq!(known(3, Mode::Capacity, Settings::default()), None);
    let one_launch = Settings {
        launches: Some(1),
        ..Settings::default()
    };
    let explained = Settings {
        kind: RunKind::Explain,
        ..Settings::default()
    };
    assert_eq!(known(3, Mode::Cost, one_launch), None);
    assert_eq!(known(3, Mode::Cost, explained), None);
}

#[test]
fn the_half_width_is_the_radius_times_the_spread() {
    let mut plan = plan(9, &[Mode::Cost], rules(100_000.0));
    plan.rules.launches = Some(6);
    let forecast = forecast(&plan);
    let mode = forecast.groups[0].modes[0];
    assert_eq!((forecast.groups[0].launches, mode.typical), (Some(6), true));
    // Eight comparisons with α 5%; n = 6: 3.63 standard deviations, worked out as in `tseq`.
    let alpha: f64 = 0.05 / 8.0;
    let r = (601f64.sqrt() / alpha).powf(1.0 / 3.0);
    let radius = (5.0 * ((r - 1.0) / (1.0 - r / 601.0)) / 6.0).sqrt();
    let expected = (radius * mode.spread.hypot(0.0015)).exp() - 1.0;
    assert!((mode.half_width.unwrap() - expected).abs() < 1e-9, "{mode:?}");
}

#[test]
fn what_does_not_fit_has_no_launches_and_a_budget_that_holds_it() {
    let mut plan = plan(9, &[Mode::Cost], rules(300.0));
    let group = plan.groups[0].clone();
    plan.groups = vec![group; 8];
    let small = forecast(&plan);
    let launches = |forecast: &tare_model::forecast::Forecast| -> Vec<u32> {
        forecast
            .groups
            .iter()
            .map(|group| group.launches.unwrap())
            .collect()
    };
    let counts = launches(&small);
    assert!(counts[0] >= 3 && counts[7] == 0, "{counts:?}");
    assert!(
        counts.iter().all(|count| *count == 0 || *count >= 3),
        "{counts:?}"
    );
    plan.rules.budget = small.enough;
    let enough = forecast(&plan);
    assert!(
        launches(&enough).iter().all(|count| *count >= 3),
        "{:?}",
        launches(&enough)
    );
    assert_eq!(enough.enough, None);
}

#[test]
fn a_lone_contender_is_expected_to_end_when_it_is_described() {
    let plan = plan(1, &[Mode::Cost], rules(100_000.0));
    let group = &forecast(&plan).groups[0];
    let width = group.modes[0].half_width.unwrap();
    assert!(width <= 0.02 && width > 0.018, "{group:?}");
}
