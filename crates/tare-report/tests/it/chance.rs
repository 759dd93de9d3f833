//! Results made by chance, absurd values among them: every exporter copes, and none writes what cannot be read.

use std::collections::BTreeMap;

use fastrand::Rng;
use roxmltree::{Document, ParsingOptions};
use tare_model::comparison::{Comparison, Verdict};
use tare_model::estimate::Estimate;
use tare_model::fault::{Fault, FaultKind};
use tare_model::late::{LATENCIES, Lateness};
use tare_model::metric::{Metric, Mode};
use tare_model::results::*;
use tare_model::spread::Spread;
use tare_model::sweep::{BreakEven, Cheaper, SweepResult};
use tare_model::units::{PerSecond, Seconds, Share};
use tare_report::terminal::Terminal;
use tare_report::{csv, html, json, markdown, svg, terminal};
use unicode_width::UnicodeWidthStr;

use crate::fixture;

const NAMES: [&str; 6] = [
    "a",
    "go",
    "node",
    "haskell-conduit@all",
    "java-virtual-threads-on-one-core@tuned",
    "z9",
];

fn value(rng: &mut Rng) -> f64 {
    match rng.u8(0..12) {
        0 => 0.0,
        1 => f64::NAN,
        2 => f64::INFINITY,
        3 => f64::MIN_POSITIVE,
        4 => 1e18,
        5 => -1.0,
        6 => 1.0,
        _ => 10f64.powf(rng.f64() * 12.0 - 7.0),
    }
}

fn end(rng: &mut Rng) -> Option<f64> {
    rng.bool().then(|| value(rng))
}

fn estimate(rng: &mut Rng) -> Estimate {
    Estimate {
        estimate: value(rng),
        low: end(rng),
        high: end(rng),
    }
}

fn metrics(rng: &mut Rng) -> BTreeMap<Metric, Estimate> {
    let mut some = BTreeMap::new();
    for metric in Metric::ALL {
        if rng.bool() {
            some.insert(metric, estimate(rng));
        }
    }
    some
}

fn warm_up(rng: &mut Rng, launch: u32) -> WarmUp {
    let cut = rng.usize(0..9);
    let values: Vec<f64> = (0..rng.usize(0..9)).map(|_| value(rng)).collect();
    let positive = |value: &f64| value.is_finite() && *value > 0.0;
    WarmUp {
        launch,
        metric: Metric::TimePerOp,
        cut,
        level: values.iter().copied().find(positive),
        values,
        steady: rng.bool(),
    }
}

fn contender(rng: &mut Rng, name: &str) -> ContenderResult {
    let mut made = fixture::contender(name);
    let states = [
        State::Measured,
        State::NotSteady,
        State::Wrong,
        State::Failed,
        State::Skipped,
    ];
    made.state = if rng.bool() {
        State::Measured
    } else {
        states[rng.usize(0..5)]
    };
    made.fault = rng.bool().then(|| {
        Fault::new(
            FaultKind::ALL[rng.usize(0..FaultKind::ALL.len())],
            "one\ntwo | <three>",
        )
    });
    made.bound = [
        None,
        Some(Bound::Load),
        Some(Bound::Contender),
        Some(Bound::Neither),
    ][rng.usize(0..4)];
    made.levels = (0..rng.u32(0..4))
        .map(|index| Level {
            connections: 16 << index,
            rate: PerSecond(value(rng)),
            chosen: rng.bool(),
        })
        .collect();
    let some = LATENCIES.into_iter().filter(|_| rng.bool()).collect::<Vec<_>>();
    made.late = (!some.is_empty()).then(|| Lateness {
        withheld: some,
        kept: rng.bool(),
        why: "one | <two>".to_owned(),
    });
    made.warm_up = (0..rng.u32(0..4)).map(|launch| warm_up(rng, launch)).collect();
    made.metrics = metrics(rng);
    made.net = metrics(rng);
    made.spread = rng.bool().then(|| Spread {
        runs: rng.u64(1..),
        mean: Seconds(value(rng)),
        deviation: end(rng).map(Seconds),
        median: Seconds(value(rng)),
        least: Seconds(value(rng)),
        most: Seconds(value(rng)),
    });
    let rank = (rng.u32(1..9), rng.u32(1..9));
    made.ranks = Metric::ALL
        .into_iter()
        .map(|metric| (metric, (rank.0.min(rank.1), rank.0.max(rank.1))))
        .collect();
    (0..rng.u64(0..300)).for_each(|_| made.latency.record(rng.u64(..) >> rng.u32(0..64)));
    made.covariates.steal = Share(value(rng));
    made.covariates.pressure = end(rng).map(Share);
    made.covariates.switches_per_op = value(rng);
    let services = NAMES.iter().take(rng.usize(0..3));
    made.services = services
        .map(|name| ServiceCost {
            name: (*name).to_owned(),
            cpu_per_op: Seconds(value(rng)),
        })
        .collect();
    made.covariates.lag = rng.bool().then(|| (Seconds(value(rng)), Seconds(value(rng))));
    made
}

fn comparison(rng: &mut Rng, metric: Metric) -> Comparison {
    let (a, b) = (NAMES[rng.usize(0..6)], NAMES[rng.usize(0..6)]);
    let mut made = fixture::compare(a, b, metric, 1.0, 0.1);
    let verdicts = [
        Verdict::Faster,
        Verdict::Slower,
        Verdict::Equivalent,
        Verdict::Inconclusive,
    ];
    made.mode = Mode::ALL[rng.usize(0..4)];
    made.verdict = verdicts[rng.usize(0..4)];
    (made.ratio, made.low, made.high) = (value(rng), end(rng), end(rng));
    (made.alpha, made.margin) = (rng.f64(), rng.f64() / 10.0);
    (made.rounds, made.launches) = (rng.u32(..), rng.u32(0..9));
    made.provisional = rng.bool();
    made.needed = rng.bool().then(|| rng.u32(..));
    made.centres = (0..rng.usize(0..5)).map(|_| value(rng)).collect();
    made
}

fn workload(rng: &mut Rng) -> WorkloadResult {
    let mut made = fixture::workload();
    made.mode = Mode::ALL[rng.usize(0..4)];
    made.primary = Metric::ALL[rng.usize(0..9)];
    made.placement.load = (0..rng.u32(0..4)).collect();
    made.baseline = rng.bool().then(|| fixture::id(NAMES[rng.usize(0..6)]));
    made.floor = rng.bool().then(|| fixture::id(NAMES[rng.usize(0..6)]));
    let taking_part = rng.usize(0..7);
    made.contenders = NAMES
        .iter()
        .take(taking_part)
        .map(|name| contender(rng, name))
        .collect();
    let count = rng.usize(0..20);
    made.comparisons = (0..count)
        .map(|_| {
            let metric = if rng.bool() {
                made.primary
            } else {
                Metric::ALL[rng.usize(0..9)]
            };
            comparison(rng, metric)
        })
        .collect();
    let count = rng.usize(0..4);
    made.published = (0..count)
        .map(|_| fixture::published(NAMES[rng.usize(0..6)], "a report", value(rng)))
        .collect();
    made
}

/// A case over sizes whose figures are whatever they are.
fn sweep(rng: &mut Rng) -> SweepResult {
    let mut made = crate::sizes::boundary();
    let mut figure = |at: &mut Estimate| {
        (at.estimate, at.low, at.high) = (
            value(rng),
            rng.bool().then(|| value(rng)),
            rng.bool().then(|| value(rng)),
        );
    };
    for costs in &mut made.contenders {
        costs
            .points
            .iter_mut()
            .for_each(|point| figure(&mut point.figure));
        if let Ok(line) = &mut costs.line {
            figure(&mut line.fixed);
            figure(&mut line.per_unit);
            line.curve.iter_mut().for_each(|point| figure(&mut point.figure));
        }
    }
    for pair in &mut made.pairs {
        pair.extra.iter_mut().for_each(|point| figure(&mut point.figure));
        pair.affordable.iter_mut().for_each(|row| figure(&mut row.extra));
        let from = pair.affordable.iter_mut().flat_map(|row| &mut row.from);
        from.for_each(|(_, duration)| figure(duration));
    }
    let (low, high, below) = (value(rng), value(rng), Cheaper::A);
    for lines in made.pairs.iter_mut().filter_map(|pair| pair.lines.as_mut()) {
        lines.crossing = rng.bool().then(|| value(rng));
        lines.break_even = rng.bool().then_some(BreakEven::Between { low, high, below });
    }
    made
}

fn results(rng: &mut Rng) -> Results {
    let mut run = fixture::run();
    run.started = rng.i64(-1_000_000_000_000..1_000_000_000_000);
    run.took = Seconds(value(rng));
    run.phases.push(("odd".into(), Seconds(value(rng))));
    Results {
        run,
        workloads: (0..rng.usize(0..3)).map(|_| workload(rng)).collect(),
        sweeps: (0..rng.usize(0..2)).map(|_| sweep(rng)).collect(),
        explanations: Vec::new(),
        not_measured: Vec::new(),
        benchmarks: None,
    }
}

fn parse(text: &str) {
    let options = ParsingOptions {
        allow_dtd: true,
        ..Default::default()
    };
    if let Err(error) = Document::parse_with_options(text, options) {
        let line = text.lines().nth(error.pos().row as usize - 1);
        panic!("{error}: {line:?}");
    }
}

#[test]
fn random_results_are_written_correctly() {
    written_well(25);
}

/// As many results, from a seed that is drawn unless SEED gives it.
pub fn written_well(count: u64) {
    let first = std::env::var("SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or_else(|| fastrand::u64(..));
    for seed in (0..count).map(|step| first.wrapping_add(step)) {
        println!("SEED={seed}"); // shown where the test fails
        let results = results(&mut Rng::with_seed(seed));
        let page = html::render(&results);
        parse(&page);
        for file in svg::files(&results) {
            parse(&file.text);
            assert!(
                !file.text.contains("=\"NaN") && !file.text.contains("=\"inf"),
                "{}",
                file.text
            );
        }
        for width in [60, 80, 100] {
            let text = terminal::render(&results, Terminal { width, color: false });
            let wide = text.lines().find(|line| line.width() > width.max(110));
            assert_eq!(wide, None, "at {width}");
        }
        let document: serde_json::Value = serde_json::from_str(&json::render(&results)).unwrap();
        assert_eq!(document["schema"], "tare-results/1");
        assert!(csv::render(&results).starts_with("run,workload"));
        assert!(markdown::render(&results).starts_with("# Tare"));
    }
}
