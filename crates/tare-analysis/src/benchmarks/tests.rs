use tare_model::benchmark::{AFTER, BEFORE, Benchmarks, Change, FigureResult, Standing};
use tare_model::driving::Driving;
use tare_model::fault::{Fault, FaultKind};
use tare_model::figure::{Figure, Quantity};
use tare_model::ids::ContenderId;
use tare_model::measure::{LoadReading, SliceReading};
use tare_model::metric::{Metric, Mode};
use tare_model::placement::Placement;
use tare_model::record::{ArenaRecord, EntrantRecord, LaunchRecord, Phase, RunRecord, SliceRecord};
use tare_model::settings::{BenchmarkSettings, Many, RunKind, Settings};
use tare_model::subject::Subject;
use tare_model::units::Seconds;

use super::{benchmarks, is_decided, launches_needed};

/// What varies from launch to launch, in log units, with a mean of zero.
const JITTER: [f64; 8] = [0.002, -0.001, 0.0, -0.002, 0.001, 0.002, -0.001, -0.001];

fn entrant(side: &str) -> EntrantRecord {
    EntrantRecord {
        id: ContenderId::plain(side),
        summary: String::new(),
        subject: Subject::Benchmark {
            harness: "go".to_owned(),
            program: "./words".to_owned(),
            source: None,
        },
        fault: None,
        fault_launch: None,
    }
}

/// A benchmark of these sides without a sample.
fn arena(name: &str, sides: &[&str]) -> ArenaRecord {
    ArenaRecord {
        workload: "./words".to_owned(),
        summary: String::new(),
        case: name.to_owned(),
        case_summary: String::new(),
        sweep: None,
        size: None,
        mode: Mode::Benchmark,
        driving: Driving::Benchmark {
            iterations: Some(100),
            time: None,
        },
        placement: Placement::default(),
        primary: Metric::TimePerOp,
        floor: None,
        baseline: Some(ContenderId::plain(sides[0])),
        margin: 0.01,
        alpha: 0.05,
        published: Vec::new(),
        claims: Vec::new(),
        entrants: sides.iter().map(|side| entrant(side)).collect(),
        launches: Vec::new(),
        slices: Vec::new(),
    }
}

/// Adds a sample of an entrant.
fn sample(arena: &mut ArenaRecord, (launch, round): (u32, u32), entrant: usize, figures: Vec<Figure>) {
    if arena.launches.iter().all(|one| one.number != launch) {
        arena.launches.push(LaunchRecord {
            number: launch,
            node: 0,
            began: Seconds(f64::from(launch)),
            steady: Vec::new(),
        });
    }
    arena.slices.push(SliceRecord {
        phase: Phase::Round,
        launch,
        round,
        place: entrant as u32,
        entrant,
        reading: SliceReading {
            figures,
            ..SliceReading::default()
        },
    });
}

/// A benchmark whose figures are these at each of eight launches, the later side's `ratio` times the earlier one's.
fn compared(name: &str, ratio: f64, figures: &dyn Fn(f64) -> Vec<Figure>) -> ArenaRecord {
    let mut arena = arena(name, &[BEFORE, AFTER]);
    for (launch, jitter) in JITTER.iter().enumerate() {
        let at = (launch as u32, 0);
        sample(&mut arena, at, 0, figures(1.0));
        sample(&mut arena, at, 1, figures(ratio * jitter.exp()));
    }
    arena
}

/// The same of times around a microsecond.
fn timed(name: &str, ratio: f64) -> ArenaRecord {
    compared(name, ratio, &|factor| vec![Figure::time(1e-6 * factor)])
}

/// A benchmark with these allocations in its samples, one a launch.
pub(super) fn counts(before: &[f64], after: &[f64]) -> ArenaRecord {
    let mut arena = arena("Count", &[BEFORE, AFTER]);
    for (side, values) in [before, after].into_iter().enumerate() {
        for (launch, &value) in values.iter().enumerate() {
            let figure = Figure {
                step: Some(1.0),
                ..Figure::of(Quantity::Allocations, value)
            };
            sample(&mut arena, (launch as u32, 0), side, vec![figure]);
        }
    }
    arena
}

fn settings(many: Many, layouts: u32) -> Settings {
    Settings {
        kind: RunKind::Bench,
        benchmarks: Some(BenchmarkSettings {
            layouts,
            many,
            ..BenchmarkSettings::default()
        }),
        ..Settings::default()
    }
}

fn judged(arenas: &[ArenaRecord]) -> Benchmarks {
    benchmarks(arenas, &settings(Many::Discoveries, 1)).expect("there are benchmarks")
}

fn changes(found: &Benchmarks) -> Vec<Option<Change>> {
    let first = |one: &tare_model::benchmark::BenchmarkResult| one.figures.first()?.change;
    found.list.iter().map(first).collect()
}

fn first(found: &Benchmarks, index: usize) -> &FigureResult {
    &found.list[index].figures[0]
}

#[test]
fn each_has_a_verdict_at_its_level() {
    let mut all = vec![timed("Slow", 1.05), timed("Fast", 0.9), timed("Same", 1.0)];
    all.extend((0..7).map(|index| timed(&format!("Same{index}"), 1.001)));
    let found = judged(&all);
    let expected = [Change::Worse, Change::Better, Change::Equivalent].map(Some);
    assert_eq!(changes(&found)[..3], expected);
    // Two discoveries among ten.
    let alphas: Vec<f64> = (0..3).map(|index| first(&found, index).alpha).collect();
    for (alpha, expected) in alphas.iter().zip([0.01, 0.01, 0.005]) {
        assert!((alpha - expected).abs() < 1e-12, "{alphas:?}");
    }
    let slow = first(&found, 0);
    let ratio = slow.ratio.expect("a ratio");
    assert!((ratio.estimate - 1.05).abs() < 1e-9);
    assert!(ratio.low.unwrap() > 1.01 && ratio.high.unwrap() < 1.09);
    assert!((slow.before.unwrap().estimate - 1e-6).abs() < 1e-12);
    assert_eq!(slow.centres.len(), 8);
    assert_eq!((found.list[0].rounds, found.list[0].launches), (8, 8));
    assert!(found.list.iter().all(is_decided));
}

#[test]
fn a_family_divides_alpha() {
    let all: Vec<ArenaRecord> = (0..10).map(|index| timed(&format!("B{index}"), 1.05)).collect();
    let family = benchmarks(&all, &settings(Many::Family, 1)).unwrap();
    assert!(
        family
            .list
            .iter()
            .all(|one| (one.figures[0].alpha - 0.005).abs() < 1e-12)
    );
    assert_eq!(changes(&family), [Some(Change::Worse); 10]);
    // All of them are discoveries.
    assert!((first(&judged(&all), 0).alpha - 0.05).abs() < 1e-12);
}

/// Among many, one that would be found alone has to be clearer.
#[test]
fn one_of_many_needs_more_evidence() {
    let near = || {
        let mut arena = timed("Near", 1.016);
        arena.slices.retain(|slice| slice.launch < 6);
        arena.launches.truncate(6);
        arena
    };
    assert_eq!(changes(&judged(&[near()])), [Some(Change::Worse)]);
    let mut many = vec![near()];
    many.extend((0..200).map(|index| timed(&format!("B{index}"), 1.0)));
    let found = judged(&many);
    assert_eq!(changes(&found)[0], Some(Change::Inconclusive));
    assert!(!is_decided(&found.list[0]));
    let needed = launches_needed(&found.list[0], 0.01);
    assert!(
        needed.is_some_and(|needed| (1..20).contains(&needed)),
        "{needed:?}"
    );
}

#[test]
fn who_is_not_judged_says_why() {
    let absent = |side: usize| {
        let mut arena = arena("Lone", &[BEFORE, AFTER]);
        arena.entrants[side].fault = Some(Fault::new(FaultKind::Absent, "not there"));
        arena
    };
    let rewritten = |mut arena: ArenaRecord| {
        for (entrant, text) in arena.entrants.iter_mut().zip(["one", "other"]) {
            let Subject::Benchmark { source, .. } = &mut entrant.subject else {
                unreachable!()
            };
            *source = Some(text.to_owned());
        }
        arena
    };
    let mut failed = timed("Fails", 2.0);
    failed.entrants[1].fault = Some(Fault::new(FaultKind::Died, "panic: out of words"));
    let mut new = arena("New", &[BEFORE, AFTER]);
    for entrant in &mut new.entrants {
        entrant.fault = Some(Fault::new(FaultKind::Rewritten, "its sources differ"));
    }
    let all = [
        absent(0),
        absent(1),
        new,
        failed,
        arena("Waiting", &[BEFORE, AFTER]),
        rewritten(timed("Asked", 2.0)),
        timed("Same", 1.0),
    ];
    let found = judged(&all);
    let standings: Vec<&Standing> = found.list.iter().map(|one| &one.standing).collect();
    let dead = Standing::Failed {
        side: AFTER.to_owned(),
        fault: Fault::new(FaultKind::Died, "panic: out of words"),
    };
    let expected = [
        &Standing::Added,
        &Standing::Removed,
        &Standing::Rewritten,
        &dead,
        &Standing::Rewritten,
        &Standing::Judged,
    ];
    assert_eq!(standings, expected);
    // Only the two that were measured are judged, and count.
    let verdicts = [
        None,
        None,
        None,
        None,
        Some(Change::Worse),
        Some(Change::Equivalent),
    ];
    assert_eq!(changes(&found), verdicts);
    assert!((first(&found, 5).alpha - 0.025).abs() < 1e-12);
}

#[test]
fn one_that_was_not_begun_is_named_and_has_no_verdict_of_its_own_arena() {
    let mut run = RunRecord {
        arenas: vec![timed("Same", 1.0), arena("Waiting", &[BEFORE, AFTER])],
        ..RunRecord::default()
    };
    run.info.settings = settings(Many::Discoveries, 1);
    run.info.complete = true;
    let results = crate::results(&run);
    let names: Vec<&str> = results.not_measured.iter().map(|one| one.case.as_str()).collect();
    assert_eq!(names, ["Waiting"]);
    assert_eq!(results.benchmarks.map(|found| found.list.len()), Some(1));
    assert!(results.workloads.iter().all(|one| one.comparisons.is_empty()));
    assert_eq!(benchmarks(&[], &run.info.settings), None);
}

#[test]
fn one_revision_is_described_at_alpha() {
    let mut all = Vec::new();
    for name in ["One", "Two"] {
        let mut arena = arena(name, &[AFTER]);
        for (launch, jitter) in JITTER.iter().enumerate() {
            sample(
                &mut arena,
                (launch as u32, 0),
                0,
                vec![Figure::time(1e-6 * jitter.exp())],
            );
        }
        all.push(arena);
    }
    let found = judged(&all);
    let figure = first(&found, 1);
    assert_eq!(found.list[1].standing, Standing::Described);
    assert_eq!(
        (figure.before, figure.ratio, figure.change, figure.alpha),
        (None, None, None, 0.05)
    );
    let after = figure.after.expect("a figure");
    assert!(after.low.unwrap() < 1e-6 && after.high.unwrap() > 1e-6);
    assert!(is_decided(&found.list[1]));
    all[0].slices.truncate(2);
    assert!(
        !is_decided(&judged(&all).list[0]),
        "no interval after two launches"
    );
}

/// Times of 3 ns in whole nanoseconds: a difference of a tenth would not be seen.
#[test]
fn figures_that_are_too_coarse_are_not_equivalent() {
    let coarse = |name: &str, ratio: f64| {
        compared(name, ratio, &|factor| {
            vec![Figure {
                step: Some(1e-9),
                ..Figure::time((3.0 * factor).round() * 1e-9)
            }]
        })
    };
    let found = judged(&[
        coarse("Same", 1.0),
        coarse("More", 4.0 / 3.0),
        coarse("Twice", 2.0),
    ]);
    let verdicts = [Change::Inconclusive, Change::Inconclusive, Change::Worse].map(Some);
    assert_eq!(changes(&found), verdicts);
    assert!((first(&found, 0).coarse.unwrap() - 1.0 / 3.0).abs() < 1e-9);
    assert_eq!(
        launches_needed(&found.list[0], 0.01),
        None,
        "no number of launches helps"
    );
    // Hundreds of steps are as good as none.
    let fine = compared("Fine", 1.0, &|factor| {
        vec![Figure {
            step: Some(1e-9),
            ..Figure::time((300.0 * factor).round() * 1e-9)
        }]
    });
    let found = judged(&[fine]);
    assert_eq!(
        (changes(&found)[0], first(&found, 0).coarse),
        (Some(Change::Equivalent), None)
    );
}

#[test]
fn other_units_are_shown_and_judged_only_if_they_say_how() {
    let all = compared("Many", 1.1, &|factor| {
        vec![
            Figure::of(Quantity::Throughput("B".to_owned()), 1e9 / factor),
            Figure::of(Quantity::Custom("req/s".to_owned()), 1e5 / factor),
            Figure::of(Quantity::Custom("words".to_owned()), 17.0 - factor),
            Figure::of(Quantity::Custom("balance".to_owned()), -1.0),
            Figure::time(1e-6 * factor),
        ]
    });
    let found = judged(&[all]);
    let of = |unit: &str| {
        let mut figures = found.list[0].figures.iter();
        figures
            .find(|figure| figure.quantity.own_unit() == Some(unit))
            .expect(unit)
    };
    assert_eq!(first(&found, 0).quantity, Quantity::Time);
    assert_eq!(of("B").change, None);
    assert!((of("B").ratio.unwrap().estimate - 1.0 / 1.1).abs() < 1e-9);
    assert_eq!(of("req/s").change, Some(Change::Worse));
    assert_eq!(of("words").change, None);
    assert!(of("words").ratio.is_some_and(|ratio| ratio.low.is_some()));
    assert_eq!(
        (of("balance").ratio, of("balance").before.unwrap().estimate),
        (None, -1.0)
    );
}

#[test]
fn a_benchmark_without_a_time_is_judged_by_what_says_how() {
    let rates = compared("Rate", 1.1, &|factor| {
        vec![
            Figure::of(Quantity::Custom("words".to_owned()), 3.0),
            Figure::of(Quantity::Throughput("items".to_owned()), 1e6 * factor),
        ]
    });
    let found = judged(&[rates]);
    let figure = first(&found, 0);
    assert_eq!(figure.quantity, Quantity::Throughput("items".to_owned()));
    assert_eq!(figure.change, Some(Change::Better));
}

/// A reading without figures is a time of its own.
#[test]
fn a_slice_without_figures_has_its_time() {
    let mut arena = timed("Plain", 1.05);
    for slice in &mut arena.slices {
        let time = slice.reading.figures.remove(0).value;
        slice.reading.load = LoadReading {
            wall: Seconds(100.0 * time),
            answers: 100,
            ..LoadReading::default()
        };
    }
    assert_eq!(changes(&judged(&[arena])), [Some(Change::Worse)]);
}

#[test]
fn every_part_is_a_question() {
    let part = |name: &str, value: f64| Figure {
        part: name.to_owned(),
        ..Figure::time(value)
    };
    let parts = compared("Threads", 1.1, &|factor| {
        vec![part("t=1", 1e-6), part("t=2", 2e-6 * factor)]
    });
    let found = judged(&[parts]);
    let figures = &found.list[0].figures;
    let verdicts: Vec<Option<Change>> = figures.iter().map(|figure| figure.change).collect();
    assert_eq!(verdicts, [Some(Change::Equivalent), Some(Change::Worse)]);
    assert!((figures[0].alpha - 0.025).abs() < 1e-12, "{}", figures[0].alpha);
    assert!(is_decided(&found.list[0]));
}

/// What is counted keeps a benchmark open until a single step would be known.
#[test]
fn a_count_that_is_open_keeps_a_benchmark_open() {
    let with = |launches: u32| {
        let mut arena = timed("Alloc", 1.0);
        arena.slices.retain(|slice| slice.launch < launches);
        for slice in &mut arena.slices {
            slice.reading.figures.push(Figure {
                step: Some(1.0),
                ..Figure::of(Quantity::Allocations, 7.0 + slice.entrant as f64)
            });
        }
        judged(&[arena]).list.remove(0)
    };
    let five = with(5);
    assert_eq!(five.figures[0].change, Some(Change::Equivalent));
    assert!(!is_decided(&five));
    let six = with(6);
    assert_eq!(six.figures[1].change, Some(Change::Worse));
    assert!(is_decided(&six));
}

#[test]
fn the_spread_between_launches_is_taken_apart() {
    let with_layouts = |name: &str, layout: f64| {
        let mut arena = arena(name, &[BEFORE, AFTER]);
        for launch in 0..8u32 {
            let drawn = if launch % 2 == 0 { layout } else { -layout };
            for round in 0..4u32 {
                let noise = if round % 2 == 0 { 0.001 } else { -0.001 };
                sample(&mut arena, (launch, round), 0, vec![Figure::time(1e-6)]);
                let time = 1e-6 * f64::exp(drawn + noise);
                sample(&mut arena, (launch, round), 1, vec![Figure::time(time)]);
            }
        }
        arena
    };
    let all = [
        with_layouts("A", 0.0),
        with_layouts("B", 0.03),
        with_layouts("C", 0.05),
    ];
    let found = benchmarks(&all, &settings(Many::Discoveries, 8)).unwrap();
    let layout = found.layout.expect("layouts were drawn");
    assert_eq!(layout.layouts, 8);
    // ±3% with the same chance: a standard deviation of 3% · √(8/7).
    assert!(
        (layout.between - 0.03 * (8.0f64 / 7.0).sqrt()).abs() < 1e-6,
        "{layout:?}"
    );
    assert!(layout.within < 0.001, "{layout:?}");
    assert!(
        (layout.largest - 0.05 * (8.0f64 / 7.0).sqrt()).abs() < 1e-3,
        "{layout:?}"
    );
    assert_eq!(judged(&all).layout, None, "one layout");
}
