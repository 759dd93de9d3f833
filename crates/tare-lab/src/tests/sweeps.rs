//! A case over several sizes.

use tare_model::manifest::Sweep;
use tare_model::record::RunRecord;
use tare_model::results::Results;
use tare_model::sweep::{BreakEven, Cheaper, ExtraOf, NoLine, SweepResult};

use super::*;
use crate::rig::Pacing;
use tare_model::units::PerSecond;

const SIZES: [u64; 5] = [13, 64, 1024, 4096, 65536];

fn swept(entrants: usize, modes: &[Mode], rules: Rules) -> Plan {
    let mut plan = plan(entrants, modes, rules);
    plan.groups[0].sweep = Some(Sweep {
        name: "bytes".to_owned(),
        sizes: SIZES.to_vec(),
    });
    plan
}

fn results(outcome: RunOutcome) -> Results {
    analysis::results(&RunRecord {
        arenas: outcome.arenas,
        ..RunRecord::default()
    })
}

fn only(results: &Results) -> &SweepResult {
    assert_eq!(results.sweeps.len(), 1);
    &results.sweeps[0]
}

fn launches(count: u32) -> Rules {
    Rules {
        launches: Some(count),
        budget: None,
        ..Rules::default()
    }
}

/// 10 µs + 1 ns·n; and one that is 20 µs + 0.5 ns·n: even at 20,000 bytes.
fn crossing() -> [Script; 2] {
    let of = |cpu, per_unit| Script {
        cpu,
        per_unit,
        ..Script::default()
    };
    [of(10e-6, 1e-9), of(20e-6, 0.5e-9)]
}

#[test]
fn every_size_is_an_arena_and_all_are_measured_in_every_round_on_the_same_processes() {
    let (outcome, rig) = go(
        &swept(2, &[Mode::Cost], launches(2)),
        &crossing(),
        &mut Ears::default(),
    );
    let sizes: Vec<Option<u64>> = outcome.arenas.iter().map(|arena| arena.size).collect();
    assert_eq!(sizes, SIZES.map(Some));
    for arena in &outcome.arenas {
        assert_eq!(arena.sweep.as_deref(), Some("bytes"));
        // 20/√5 rounds of each of two launches; α over five sizes and the lines.
        assert_eq!(
            arena.slices.iter().filter(|s| s.phase == Phase::Round).count(),
            2 * 2 * 9
        );
        assert!((arena.alpha - 0.05 / 6.0).abs() < 1e-12);
        assert_eq!(arena.launches.len(), 2);
        assert!(
            arena.slices_of(1, Phase::WarmUp).next().is_some(),
            "each size is warmed up"
        );
    }
    let starts = rig.log.iter().filter(|(.., did)| *did == Did::Start).count();
    assert_eq!(starts, 4, "two contenders, two launches, whatever the sizes");
    let slices = outcome
        .arenas
        .iter()
        .map(|arena| arena.slices.len())
        .sum::<usize>();
    let driven = rig
        .log
        .iter()
        .filter(|(.., did)| matches!(did, Did::Slice(order) if order.size.is_some()));
    assert_eq!(driven.count(), slices);
}

#[test]
fn sizes_are_shuffled_in_every_round_and_contenders_of_a_size_are_neighbours() {
    let (_, rig) = go(
        &swept(2, &[Mode::Cost], launches(1)),
        &crossing(),
        &mut Ears::default(),
    );
    let driven: Vec<(u64, usize)> = rig
        .log
        .iter()
        .filter_map(|(_, who, did)| match did {
            Did::Slice(order) if order.pacing == Pacing::Open => Some((order.size?, who.entrant)),
            _ => None,
        })
        .collect();
    let mut orders = std::collections::BTreeSet::new();
    let mut firsts = std::collections::BTreeSet::new();
    for round in driven.chunks_exact(2 * SIZES.len()) {
        let order: Vec<u64> = round.chunks(2).map(|pair| pair[0].0).collect();
        assert!(
            round
                .chunks(2)
                .all(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1)
        );
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, SIZES);
        firsts.insert(round[0].1);
        orders.insert(order);
    }
    assert!(orders.len() > 20 && firsts.len() == 2, "{} orders", orders.len());
}

#[test]
fn lines_differences_and_the_break_even_are_found() {
    let (outcome, _) = go(
        &swept(2, &[Mode::Cost], launches(6)),
        &crossing(),
        &mut Ears::default(),
    );
    let results = results(outcome);
    let sweep = only(&results);
    assert_eq!((sweep.metric, sweep.primary), (Metric::CpuPerOp, true));
    // All verdicts are clear after three launches; whether cost is a line is not yet.
    assert!((4..=6).contains(&sweep.launches), "{} launches", sweep.launches);
    assert_eq!(
        (sweep.sizes.as_slice(), sweep.name.as_str()),
        (&SIZES[..], "bytes")
    );
    let line = sweep.contenders[1].line.as_ref().unwrap();
    assert!(
        line.fixed.low.unwrap() < 20e-6 && 20e-6 < line.fixed.high.unwrap(),
        "{line:?}"
    );
    assert!(
        line.per_unit.low.unwrap() < 0.5e-9 && 0.5e-9 < line.per_unit.high.unwrap(),
        "{line:?}"
    );
    assert!(line.holds && line.curve.len() > 10);
    let pair = &sweep.pairs[0];
    assert_eq!(
        (pair.a.to_string(), pair.b.to_string()),
        ("c1".to_owned(), "c0".to_owned())
    );
    let lines = pair.lines.as_ref().unwrap();
    assert!((lines.fixed.estimate / 10e-6 - 1.0).abs() < 0.05, "{lines:?}");
    let Some(BreakEven::Between { low, high, below }) = lines.break_even else {
        panic!("{lines:?}");
    };
    assert!(
        low < 20_000.0 && 20_000.0 < high && high < 2.0 * low,
        "{low} to {high}"
    );
    assert_eq!(below, Cheaper::B, "the baseline has the lesser fixed part");
    let fixed = &pair.affordable[0];
    assert_eq!((fixed.of, fixed.from[0].0), (ExtraOf::Fixed, 0.10));
    assert!(
        (fixed.from[0].1.estimate / 100e-6 - 1.0).abs() < 0.05,
        "{fixed:?}"
    );
    assert_eq!(pair.extra.len(), SIZES.len());
    assert_eq!(
        (pair.cheaper[0], pair.cheaper[4]),
        (Some(Cheaper::B), Some(Cheaper::A))
    );
    assert!(
        pair.extra[4].figure.high.unwrap() < 0.0,
        "at 64 KiB it is the cheaper"
    );
}

#[test]
fn each_size_has_verdicts() {
    let (outcome, _) = go(
        &swept(2, &[Mode::Cost], launches(6)),
        &crossing(),
        &mut Ears::default(),
    );
    assert_eq!(verdict(&outcome.arenas[0], "c1"), Verdict::Slower);
    assert_eq!(verdict(&outcome.arenas[4], "c1"), Verdict::Faster);
    let results = results(outcome);
    let title = results.workloads[1].title();
    assert_eq!(title, "w/one at 64 bytes, cost");
    assert_eq!(only(&results).title(), "w/one by bytes, cost");
}

#[test]
fn a_cost_with_a_step_has_no_line_and_keeps_its_points() {
    let [even, mut stepped] = crossing();
    stepped.step = Some((4096, 15e-6));
    let (outcome, _) = go(
        &swept(2, &[Mode::Cost], launches(6)),
        &[even, stepped],
        &mut Ears::default(),
    );
    let results = results(outcome);
    let sweep = only(&results);
    let Err(NoLine::Bent { departures }) = &sweep.contenders[1].line else {
        panic!("{:?}", sweep.contenders[1].line);
    };
    assert!(!departures.is_empty());
    assert_eq!(sweep.contenders[1].points.len(), SIZES.len());
    let pair = &sweep.pairs[0];
    assert_eq!(pair.lines, None);
    assert!(pair.affordable.iter().all(|row| row.of != ExtraOf::Fixed));
    assert!(
        pair.extra[0].figure.low.unwrap() > 0.0,
        "what it costs more at 13 bytes is known without a line"
    );
    // Where they are even is known, too, as far as two measured sizes are apart; from what the verdicts there rest on.
    let turns: Vec<_> = pair
        .turns()
        .iter()
        .map(|turn| (turn.low, turn.high, turn.below))
        .collect();
    assert_eq!(turns, [(4096.0, 65536.0, Cheaper::B)]);
    assert!((sweep.alpha_at_sizes() - 0.05 * 5.0 / 6.0).abs() < 1e-12);
    let shares: f64 = results.workloads.iter().map(|at| at.comparisons[0].alpha).sum();
    assert!((sweep.alpha_at_sizes() - shares).abs() < 1e-12);
}

#[test]
fn before_a_line_is_tested_none_is_claimed() {
    let (outcome, _) = go(
        &swept(2, &[Mode::Cost], launches(3)),
        &crossing(),
        &mut Ears::default(),
    );
    let results = results(outcome);
    let sweep = only(&results);
    let needed = NoLine::FewLaunches { found: 3, needed: 4 };
    assert_eq!(sweep.contenders[0].line, Err(needed));
    assert_eq!(
        (&sweep.pairs[0].lines, sweep.pairs[0].extra.len()),
        (&None, SIZES.len())
    );
}

#[test]
fn one_launch_is_provisional_by_blocks_of_its_rounds_and_too_few_rounds_say_what_is_needed() {
    let of = |rounds| {
        let rules = Rules {
            rounds: Some(rounds),
            margin: 0.0,
            ..launches(1)
        };
        let (outcome, _) = go(&swept(2, &[Mode::Cost], rules), &crossing(), &mut Ears::default());
        results(outcome)
    };
    let enough = of(40);
    let sweep = only(&enough);
    assert!(sweep.provisional && sweep.launches == 1);
    let fixed = sweep.contenders[0].line.as_ref().unwrap().fixed;
    // One start: the truth is this start's own, within three times 0.2%.
    assert!(
        fixed.low.unwrap() < 10.06e-6 && 9.94e-6 < fixed.high.unwrap(),
        "{fixed:?}"
    );
    let few = of(20);
    let needed = NoLine::FewRounds {
        found: 20,
        needed: 32,
    };
    assert_eq!(only(&few).contenders[0].line, Err(needed));
}

#[test]
fn the_rate_fits_the_most_expensive_size_and_is_the_same_at_all() {
    let slow = Script {
        capacity: 100_000.0,
        per_unit: 1e-9,
        noise: 0.0,
        launch_noise: 0.0,
        ..Script::default()
    };
    let mut ears = Ears::default();
    let (outcome, _) = go(
        &swept(2, &[Mode::Cost], launches(2)),
        &[slow.clone(), slow],
        &mut ears,
    );
    // 1/(10 µs + 65.536 µs) is 13,239 /s; half of it, to two digits.
    assert_eq!(ears.rates, [6600.0; 5]);
    assert!(
        outcome
            .arenas
            .iter()
            .all(|arena| arena.driving.rate() == Some(PerSecond(6600.0)))
    );
}

#[test]
fn a_large_sweep_still_has_enough_launches_for_a_verdict() {
    let rules = Rules {
        budget: Some(Seconds(120.0)),
        margin: 0.0,
        ..Rules::default()
    };
    let scripts = vec![Script::default(); 6];
    let (outcome, rig) = go(
        &swept(6, &[Mode::Cost, Mode::Capacity], rules),
        &scripts,
        &mut Ears::default(),
    );
    assert_eq!(outcome.done, [Done::Budget]);
    assert!(outcome.arenas.iter().all(|arena| arena.launches.len() >= 4));
    for arena in &outcome.arenas {
        for launch in &arena.launches {
            assert!(arena.slices_of(launch.number, Phase::Round).next().is_some());
        }
    }
    let ended = rig.log.last().unwrap().0;
    assert!(ended < 140.0, "it ended at {ended} s");
}

#[test]
fn a_contender_that_fails_at_one_size_is_left_out_at_all() {
    let failing = Script {
        fault: Some((FaultKind::Wrong, 150)),
        ..Script::default()
    };
    let scripts = [Script::default(), failing, Script::default()];
    let (outcome, _) = go(
        &swept(3, &[Mode::Cost], launches(3)),
        &scripts,
        &mut Ears::default(),
    );
    assert!(
        outcome
            .arenas
            .iter()
            .all(|arena| arena.entrants[1].fault.is_some())
    );
    let results = results(outcome);
    let names: Vec<String> = only(&results)
        .contenders
        .iter()
        .map(|costs| costs.id.to_string())
        .collect();
    assert_eq!(names, ["c0", "c2"]);
}
