//! Hand-made results that hold everything a report must be able to show.

mod claims;

use std::collections::BTreeMap;

use tare_model::comparison::{Comparison, Verdict};
use tare_model::driving::{Driving, Load};
use tare_model::estimate::Estimate;
use tare_model::fault::{Fault, FaultKind};
use tare_model::histogram::Histogram;
use tare_model::ids::ContenderId;
use tare_model::manifest::Style;
use tare_model::measure::RequestCounts;
use tare_model::metric::{Metric, Mode};
use tare_model::placement::Placement;
use tare_model::published::Published;
use tare_model::results::*;
use tare_model::settings::Settings;
use tare_model::subject::Subject;
use tare_model::units::{PerSecond, Seconds, Share};

pub fn id(text: &str) -> ContenderId {
    text.parse().expect("fixture ids are good")
}

/// A figure with an interval of ± this share.
pub fn figure(estimate: f64, spread: f64) -> Estimate {
    Estimate {
        estimate,
        low: Some(estimate * (1.0 - spread)),
        high: Some(estimate * (1.0 + spread)),
    }
}

/// Latencies around a median, with a long tail; always the same for the same arguments.
fn latencies(median: f64, count: u64) -> Histogram {
    let mut histogram = Histogram::new();
    for i in 0..count {
        let q = (i as f64 + 0.5) / count as f64;
        let tail = 0.12 * (1.0 / (1.0 - q)).ln().powf(1.7);
        let value = median * (0.72 + 0.25 * q + tail);
        histogram.record((value * 1e9) as u64);
    }
    histogram
}

struct Sketch {
    id: &'static str,
    language: &'static str,
    style: Style,
    cpu: f64,
    median: f64,
    memory: f64,
    rank: (u32, u32),
}

const SKETCHES: [Sketch; 9] = [
    sketch("c-epoll", "C", Style::Floor, 6.02e-6, 41e-6, 1.6e6, (1, 2)),
    sketch(
        "rust-tokio",
        "Rust",
        Style::Idiomatic,
        6.09e-6,
        43e-6,
        3.4e6,
        (1, 3),
    ),
    sketch("go", "Go", Style::Idiomatic, 6.58e-6, 46e-6, 11.2e6, (2, 3)),
    sketch(
        "java-virtual-threads",
        "Java",
        Style::Idiomatic,
        8.81e-6,
        58e-6,
        148e6,
        (4, 6),
    ),
    sketch(
        "haskell-sockets",
        "Haskell",
        Style::Tuned,
        8.87e-6,
        55e-6,
        14e6,
        (4, 6),
    ),
    sketch(
        "node",
        "JavaScript",
        Style::Reference,
        8.93e-6,
        61e-6,
        62e6,
        (4, 6),
    ),
    sketch(
        "node-fork-of-node",
        "JavaScript",
        Style::Idiomatic,
        8.99e-6,
        63e-6,
        64e6,
        (4, 7),
    ),
    sketch(
        "haskell-conduit@one",
        "Haskell",
        Style::Reference,
        9.22e-6,
        66e-6,
        16e6,
        (6, 8),
    ),
    sketch(
        "python-asyncio",
        "Python",
        Style::Idiomatic,
        26.4e-6,
        175e-6,
        21e6,
        (9, 9),
    ),
];

const fn sketch(
    id: &'static str,
    language: &'static str,
    style: Style,
    cpu: f64,
    median: f64,
    memory: f64,
    rank: (u32, u32),
) -> Sketch {
    Sketch {
        id,
        language,
        style,
        cpu,
        median,
        memory,
        rank,
    }
}

/// A contender of a language.
pub fn subject(language: &str, style: Style, stands_in_for: Option<&str>) -> Subject {
    Subject::Contender {
        language: language.into(),
        style,
        stands_in_for: stands_in_for.map(str::to_owned),
        versions: vec![("cc".into(), "gcc (Debian 12.2.0-14) 12.2.0".into())],
        built: None,
        container: None,
        scheme: None,
    }
}

/// The same contender in another language.
pub fn set_language(contender: &mut ContenderResult, language: &str) {
    contender.subject = subject(language, Style::Idiomatic, None);
}

pub fn contender(name: &str) -> ContenderResult {
    ContenderResult {
        id: id(name),
        summary: "one line on how it does the job".into(),
        subject: subject("C", Style::Idiomatic, None),
        state: State::Measured,
        fault: None,
        bound: None,
        levels: Vec::new(),
        late: None,
        metrics: BTreeMap::new(),
        net: BTreeMap::new(),
        spread: None,
        ranks: BTreeMap::new(),
        latency: Histogram::new(),
        requests: RequestCounts::default(),
        checked: Share(1.0),
        covariates: Covariates::default(),
        services: Vec::new(),
        warm_up: Vec::new(),
        flags: Vec::new(),
    }
}

fn measured(sketch: &Sketch, floor: f64) -> ContenderResult {
    let count = 40_000;
    let mut made = contender(sketch.id);
    made.subject = subject(sketch.language, sketch.style, None);
    made.summary = format!(
        "{}: reads lines, doubles, writes; one task a connection",
        sketch.language
    );
    made.metrics = BTreeMap::from([
        (Metric::CpuPerOp, figure(sketch.cpu, 0.008)),
        (Metric::LatencyP50, figure(sketch.median, 0.01)),
        (Metric::LatencyP99, figure(sketch.median * 2.6, 0.06)),
        (Metric::Throughput, figure(19_990.0, 0.0004)),
        (Metric::MemoryPeak, figure(sketch.memory, 0.02)),
    ]);
    let net = sketch.cpu - floor;
    if net > 0.1e-6 {
        made.net = BTreeMap::from([(Metric::CpuPerOp, figure(net, 0.05))]);
    }
    made.ranks = BTreeMap::from([(Metric::CpuPerOp, sketch.rank)]);
    made.latency = latencies(sketch.median, count);
    made.requests = RequestCounts {
        sent: count,
        valid: count,
        invalid: 0,
        lost: 0,
    };
    made.covariates = Covariates {
        steal: Share(0.004),
        pressure: Some(Share(0.021)),
        contender_busy: Share((sketch.cpu * 20_000.0).min(1.0)),
        load_busy: Share(0.31),
        load_cpu_per_op: Seconds(6.4e-6),
        switches_per_op: 0.92,
        lag: Some((Seconds(26e-6), Seconds(2.9e-3))),
    };
    made
}

fn verdict(low: f64, high: f64) -> Verdict {
    match (low, high) {
        (_, high) if high < 1.0 / 1.01 => Verdict::Faster,
        (low, _) if low > 1.01 => Verdict::Slower,
        (low, high) if low > 1.0 / 1.01 && high < 1.01 => Verdict::Equivalent,
        _ => Verdict::Inconclusive,
    }
}

pub fn compare(a: &str, b: &str, metric: Metric, ratio: f64, spread: f64) -> Comparison {
    let (low, high) = (ratio * (1.0 - spread), ratio * (1.0 + spread));
    let said = match (verdict(low, high), metric.more_is_better()) {
        (Verdict::Faster, true) => Verdict::Slower,
        (Verdict::Slower, true) => Verdict::Faster,
        (said, _) => said,
    };
    let wobble = |launch: u32| ratio * (1.0 + spread * 0.9 * (f64::from(launch) * 2.4).sin());
    Comparison {
        a: id(a),
        b: id(b),
        mode: Mode::Cost,
        metric,
        primary: metric == Metric::CpuPerOp,
        ratio,
        low: Some(low),
        high: Some(high),
        alpha: 0.05 / 8.0,
        margin: 0.01,
        rounds: 80,
        launches: 8,
        provisional: false,
        verdict: said,
        needed: (said == Verdict::Inconclusive).then_some(4),
        centres: (0..8).map(wobble).collect(),
        by_node: Vec::new(),
        net_ratio: None,
    }
}

fn without(name: &str, state: State, kind: FaultKind, detail: &str) -> ContenderResult {
    let mut made = contender(name);
    made.state = state;
    made.fault = Some(Fault::new(kind, detail));
    made
}

fn set_aside() -> Vec<ContenderResult> {
    vec![
        without(
            "erlang-gen-tcp",
            State::NotSteady,
            FaultKind::NotSteady,
            "the warm-up of 10 s ended with a remaining drift of -4.1% to -2.6%; it may need more than --warm-up 10s",
        ),
        without(
            "ocaml-lwt",
            State::Wrong,
            FaultKind::Wrong,
            "asked for the double of 9223372036854775807\nexpected: 18446744073709551614\nreceived: -2\n\
             (an overflow: integers of the job are of any size)",
        ),
        without(
            "zig",
            State::Failed,
            FaultKind::BuildFailed,
            "`zig build-exe main.zig` ended with status 1:\nmain.zig:12:9: error: expected ';' after statement\n\
             the log is kept in .tare/builds/zig.log",
        ),
        without(
            "kotlin-ktor",
            State::Skipped,
            FaultKind::MissingTool,
            "needs `kotlinc` (1.9 or later), which is not on the PATH; `tare setup doubling --install` brings it",
        ),
    ]
}

pub fn published(contender: &str, label: &str, value: f64) -> Published {
    Published {
        contender: id(contender),
        label: label.into(),
        metric: Metric::Duration,
        value,
        source: "“Haskell schlägt node.js”".into(),
        over: Vec::new(),
    }
}

pub fn workload() -> WorkloadResult {
    WorkloadResult {
        workload: "doubling".into(),
        summary: "a TCP server that answers each integer, one a line, with its double".into(),
        case: "one-core".into(),
        case_summary: "every contender on one core of its own".into(),
        sweep: None,
        size: None,
        mode: Mode::Cost,
        driving: Driving::Load(Load {
            connections: vec![64],
            depth: 3,
            batch: None,
            awake: None,
            rate: Some(PerSecond(20_000.0)),
            ..Load::default()
        }),
        placement: Placement {
            contender: vec![1],
            load: vec![0],
            ..Placement::default()
        },
        primary: Metric::CpuPerOp,
        floor: Some(id("c-epoll")),
        baseline: Some(id("node")),
        rounds: 80,
        launches: 8,
        contenders: Vec::new(),
        comparisons: Vec::new(),
        published: Vec::new(),
        claims: Vec::new(),
    }
}

/// One core, cost mode: ties, equivalent, an inconclusive one, a leaning one, one without an interval; and
/// contenders without figures for every reason.
pub fn one_core() -> WorkloadResult {
    let mut result = workload();
    let floor = SKETCHES[0].cpu;
    result.contenders = SKETCHES.iter().map(|sketch| measured(sketch, floor)).collect();
    result.contenders[6]
        .flags
        .push("its backlog overflowed 3 times; it asked for 128".into());
    let stands_in_for = "network-conduit 0.4, which no longer builds";
    result.contenders[7].subject = subject(SKETCHES[7].language, SKETCHES[7].style, Some(stands_in_for));
    result.contenders.extend(set_aside());
    let spreads = [0.011, 0.012, 0.016, 0.022, 0.0025, 0.0, 0.014, 0.013, 0.02];
    for (sketch, spread) in SKETCHES
        .iter()
        .zip(spreads)
        .filter(|(sketch, _)| sketch.id != "node")
    {
        let mut made = compare(sketch.id, "node", Metric::CpuPerOp, sketch.cpu / 8.93e-6, spread);
        let net = (sketch.cpu - floor) / (8.93e-6 - floor);
        made.net_ratio = (net > 0.0).then(|| figure(net, 0.04));
        result.comparisons.push(made);
    }
    tell_apart(&mut result);
    for sketch in SKETCHES.iter().filter(|sketch| sketch.id != "node") {
        let ratio = sketch.median / 61e-6;
        result
            .comparisons
            .push(compare(sketch.id, "node", Metric::LatencyP50, ratio, 0.02));
        let ratio = sketch.memory / 62e6;
        result
            .comparisons
            .push(compare(sketch.id, "node", Metric::MemoryPeak, ratio, 0.03));
    }
    result.published = vec![
        published("haskell-conduit@one", "Haskell, one core", 8.0),
        published("node", "node.js, one core", 8.94),
    ];
    result.claims = claims::claims();
    result
}

/// Equivalent that leans, one without an interval yet, and one that rests on fewer rounds.
fn tell_apart(result: &mut WorkloadResult) {
    let find = |result: &mut WorkloadResult, name: &str| {
        result
            .comparisons
            .iter()
            .position(|c| c.a == id(name))
            .expect("it is compared")
    };
    let index = find(result, "haskell-conduit@one");
    result.comparisons[index].low = Some(1.004);
    result.comparisons[index].verdict = Verdict::Inconclusive;
    result.comparisons[index].needed = Some(2);
    let index = find(result, "node-fork-of-node");
    let open = &mut result.comparisons[index];
    (open.low, open.high, open.rounds, open.launches) = (None, None, 20, 2);
    open.centres.truncate(2);
    open.verdict = Verdict::Inconclusive;
    open.needed = Some(1);
}

/// All cores, capacity mode, on shared cores and in one launch: provisional, and one of them generator-limited.
pub fn all_cores() -> WorkloadResult {
    let mut result = workload();
    result.case = "all-cores".into();
    result.case_summary = "every contender on all cores, which the load shares".into();
    result.mode = Mode::Capacity;
    result.primary = Metric::Throughput;
    result.placement = Placement {
        contender: vec![0, 1],
        load: vec![0, 1],
        ..Placement::default()
    };
    (result.rounds, result.launches) = (40, 1);
    result.baseline = Some(id("node@cluster"));
    let rates = [
        ("c-epoll", 151_000.0, Bound::Load, (1, 1)),
        ("haskell-conduit@all", 101_000.0, Bound::Contender, (2, 3)),
        ("node@cluster", 95_000.0, Bound::Neither, (2, 3)),
    ];
    for (name, rate, bound, rank) in rates {
        let mut made = contender(name);
        made.bound = Some(bound);
        made.metrics = BTreeMap::from([
            (Metric::Throughput, figure(rate, 0.03)),
            (Metric::CpuPerOp, figure(1.0 / rate, 0.01)),
        ]);
        made.ranks = BTreeMap::from([(Metric::Throughput, rank)]);
        made.latency = latencies(64.0 / rate, 400);
        made.levels = levels(rate, if bound == Bound::Load { 64 } else { 128 });
        result.contenders.push(made);
    }
    for (name, ratio) in [("c-epoll", 1.59), ("haskell-conduit@all", 1.063)] {
        let mut made = compare(name, "node@cluster", Metric::Throughput, ratio, 0.04);
        (made.rounds, made.launches, made.provisional, made.primary) = (40, 1, true, true);
        made.needed = Some(120);
        result.comparisons.push(made);
    }
    result.published = vec![
        published("haskell-conduit@all", "Haskell, all cores", 5.3),
        published("node@cluster", "node.js, one process a core", 5.5),
    ];
    result
}

/// Rates around the best of three numbers of connections; the largest was not tried where another was the best.
fn levels(rate: f64, best: u32) -> Vec<Level> {
    let tried = [16, 64, 128].into_iter().filter(|level| *level <= best);
    let level = |connections: u32| Level {
        connections,
        rate: PerSecond(rate * (1.0 - 0.01 * f64::from(connections.abs_diff(best)).sqrt())),
        chosen: connections == best,
    };
    tried.map(level).collect()
}

/// One contender, and nothing to compare it with.
pub fn alone() -> WorkloadResult {
    let mut result = workload();
    result.case = "alone".into();
    result.mode = Mode::Batch;
    result.primary = Metric::Duration;
    result.baseline = None;
    result.floor = None;
    let mut made = contender("go");
    made.metrics = BTreeMap::from([(
        Metric::Duration,
        Estimate {
            estimate: 1.23,
            low: None,
            high: None,
        },
    )]);
    result.contenders = vec![made];
    (result.rounds, result.launches) = (2, 1);
    result
}

pub fn run() -> RunInfo {
    let seconds = [
        ("build", 71.0),
        ("start", 9.5),
        ("check", 4.0),
        ("warm-up", 204.0),
        ("pilot", 31.0),
        ("slices", 236.0),
        ("overhead", 42.5),
    ];
    RunInfo {
        id: "20261121-204512".into(),
        started: 1_795_293_912,
        took: Seconds(598.0),
        complete: true,
        tare: "0.1.0".into(),
        imported: None,
        machine: Machine {
            host: "weighbridge".into(),
            cpu: "AMD EPYC 7763 64-Core Processor".into(),
            cores: 2,
            memory: 8_232_345_600,
            kernel: "6.1.0-18-amd64".into(),
            os: "Debian GNU/Linux 12 (bookworm)".into(),
            freezer: "cgroup v2".into(),
            accounting: "cgroup v1".into(),
        },
        nodes: Vec::new(),
        settings: Settings {
            budget: Some(Seconds(600.0)),
            margin: Some(0.01),
            alpha: Some(0.05),
            seed: Some(42),
            ..Settings::default()
        },
        notes: vec!["Receive work on loopback is partly done in the sender’s call.".into()],
        phases: seconds
            .map(|(name, time)| (name.to_string(), Seconds(time)))
            .to_vec(),
    }
}

/// Everything at once.
pub fn rich() -> Results {
    Results {
        run: run(),
        workloads: vec![one_core(), all_cores(), alone()],
        sweeps: Vec::new(),
        explanations: Vec::new(),
        not_measured: Vec::new(),
        benchmarks: None,
    }
}

/// A run that was interrupted before anything was measured.
pub fn empty() -> Results {
    let mut run = run();
    run.complete = false;
    run.phases.clear();
    run.settings = Settings::default();
    run.notes = vec!["Interrupted before the first round.".into()];
    Results {
        run,
        ..Results::default()
    }
}
