//! The results document: JSON with its own versioned types, described by `docs/results.schema.json`.
//!
//! Fields may be added within a version, and none is taken away or changes its meaning. What does not exist (an
//! end of an interval, a rank, a pressure that the kernel does not tell) is null or absent as each field says;
//! times are in seconds, sizes in bytes, shares from 0 to 1, ratios are `a` over `b`.

mod claims;
mod explanations;
mod levels;
mod noise;
mod published;
mod sizes;
mod spread;
pub(crate) mod typed;

use std::collections::BTreeMap;

use serde::ser::{Serialize, Serializer};
use serde_json::Value;
use tare_model::histogram::Histogram;
use tare_model::metric::Metric;
use tare_model::results as model;
use tare_model::units::Seconds;

use crate::csv::verdict;
use crate::tails;
use crate::view;
use crate::when;
use noise::{Covariates, Late};

pub use levels::Level;
pub use published::Published;
pub use spread::Spread;

/// The version of the document.
pub const SCHEMA: &str = "tare-results/1";

/// Quantiles that the document gives of all latencies.
pub const QUANTILES: [f64; 9] = [0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 0.9999];

/// Names and values in their order, as a JSON object.
#[derive(Debug, Clone, Default)]
pub struct Pairs(pub Vec<(String, String)>);

impl Serialize for Pairs {
    /// A name that comes again would be a second key, which JSON readers lose: its values are joined by `; `.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut joined: Vec<(&str, String)> = Vec::new();
        for (name, value) in &self.0 {
            match joined.iter_mut().find(|(known, _)| known == name) {
                Some((_, values)) => *values = format!("{values}; {value}"),
                None => joined.push((name, value.clone())),
            }
        }
        serializer.collect_map(joined)
    }
}

/// The document.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Document {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Which run, when, where, with what settings.
    pub run: Run,
    /// One entry per workload, case, mode and size.
    pub workloads: Vec<Workload>,
    /// Cost as a function of size.
    pub sweeps: Vec<sizes::Sweep>,
    /// What was asked of the run since (`tare explain`).
    pub explanations: Vec<explanations::Explanation>,
}

/// Which run, when, where, with what settings.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Run {
    /// Its id.
    pub id: String,
    /// Its start, `2026-11-21T20:45:12Z`.
    pub started: String,
    /// How long it took, in seconds.
    pub took: f64,
    /// Whether it ran to its end.
    pub complete: bool,
    /// The machine.
    pub machine: Machine,
    /// Version of tare.
    pub tare: String,
    /// Whose results these are, where they were read from a file and not measured here; else null.
    pub imported: Option<String>,
    /// What was asked for.
    pub settings: Value,
    /// Things a reader should know.
    pub notes: Vec<String>,
    /// Where the wall time went.
    pub phases: Vec<Phase>,
}

/// A phase of the run.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// Its share of the wall time, in seconds.
    pub seconds: f64,
}

/// The machine.
#[derive(Debug, Clone, serde::Serialize)]
#[allow(missing_docs)] // the names are those of `model::Machine`
pub struct Machine {
    pub host: String,
    pub cpu: String,
    pub cores: u32,
    pub memory: u64,
    pub kernel: String,
    pub os: String,
    pub freezer: String,
    pub accounting: String,
}

/// One workload's case in one mode.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Workload {
    /// The workload.
    pub name: String,
    /// One line on the job.
    pub summary: String,
    /// The case.
    pub case: String,
    /// One line on the case.
    pub case_summary: String,
    /// What the size counts, where the case is swept over sizes.
    pub sweep: Option<String>,
    /// The size, where it is.
    pub size: Option<u64>,
    /// `capacity`, `cost` or `batch`.
    pub mode: &'static str,
    /// Rate, connections, depth and so on.
    pub driving: Value,
    /// Which cores each side had.
    pub placement: Placement,
    /// The metric that α is spent on.
    pub primary: &'static str,
    /// The floor contender.
    pub floor: Option<String>,
    /// What ratios are against.
    pub baseline: Option<String>,
    /// Rounds measured.
    pub rounds: u32,
    /// Launches measured.
    pub launches: u32,
    /// Every contender that was meant to take part.
    pub contenders: Vec<Contender>,
    /// Verdicts.
    pub comparisons: Vec<Comparison>,
    /// Published figures.
    pub published: Vec<Published>,
    /// What the reproduced report found, and what became of it.
    pub findings: Vec<claims::Finding>,
}

/// Which cores each side had.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Placement {
    /// The contender's.
    pub contender: Vec<u32>,
    /// The load's.
    pub load: Vec<u32>,
    /// Whether they share any: then never to be ranked against separate-core results.
    pub shared: bool,
    /// Services that ran on the load's, never frozen; absent where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub services: Vec<String>,
}

/// A contender.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Contender {
    /// `name` or `name@variant`, as comparisons refer to it.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its variant.
    pub variant: Option<String>,
    /// Its language.
    pub language: String,
    /// One line on how it does the job.
    pub summary: String,
    /// `idiomatic`, `tuned`, `reference` or `floor`.
    pub style: &'static str,
    /// What it stands in for.
    pub stands_in_for: Option<String>,
    /// Versions of its tools.
    pub versions: Pairs,
    /// `measured`, `not-steady`, `wrong`, `failed` or `skipped`.
    pub state: &'static str,
    /// Why it has no figures.
    pub reason: Option<String>,
    /// The kind of its fault.
    pub fault: Option<&'static str>,
    /// What limited its throughput.
    pub bound: Option<&'static str>,
    /// What it gave at each number of connections that was tried; absent where there was no choice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<Level>,
    /// Latencies that no verdict is given by; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<Late>,
    /// Figures by metric.
    pub metrics: BTreeMap<&'static str, Figure>,
    /// How many more answers a slice each latency takes to have a figure; absent where none is wanting.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub answers_wanting: BTreeMap<&'static str, u64>,
    /// The part above the floor, by metric.
    pub net: BTreeMap<&'static str, Figure>,
    /// How its runs lie; absent but of whole commands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spread: Option<Spread>,
    /// First and last place that it may have, by metric.
    pub rank: BTreeMap<&'static str, [u32; 2]>,
    /// All its latencies; null if none were counted.
    pub latency: Option<Latency>,
    /// Requests: `sent` = `right` + `wrong` + `lost`.
    pub requests: RequestCounts,
    /// Share of answers whose bytes were all checked.
    pub checked: f64,
    /// Noise around its slices.
    pub covariates: Covariates,
    /// What the services of its case used meanwhile, by name: no part of its own figures. Absent where there is none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub services: BTreeMap<String, Service>,
    /// Things a reader should know of it.
    pub flags: Vec<String>,
}

/// A figure and its interval.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Figure {
    /// `s`, `1/s` or `bytes`.
    pub unit: &'static str,
    /// The figure.
    pub estimate: f64,
    /// The interval's lower end.
    pub low: Option<f64>,
    /// The interval's upper end.
    pub high: Option<f64>,
}

/// Latencies of all slices.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Latency {
    /// How many.
    pub count: u64,
    /// Their mean, in seconds.
    pub mean: Option<f64>,
    /// The longest, in seconds.
    pub max: f64,
    /// Quantiles that the count bears (at least ten answers beyond them).
    pub quantiles: Vec<Quantile>,
}

/// A quantile.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Quantile {
    /// Which, 0 to 1.
    pub q: f64,
    /// Its value in seconds.
    pub seconds: f64,
}

/// Where every request went.
#[derive(Debug, Clone, serde::Serialize)]
#[allow(missing_docs)] // the names are those of `tare_model::measure::RequestCounts`
pub struct RequestCounts {
    pub sent: u64,
    pub valid: u64,
    pub invalid: u64,
    pub lost: u64,
}

/// What a service used while a contender was measured.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Service {
    /// CPU time for each right answer of the contender's, in seconds.
    pub cpu_per_op: f64,
}

/// Two contenders on one metric.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Comparison {
    /// The contender.
    pub a: String,
    /// What it is compared with.
    pub b: String,
    /// On what.
    pub metric: &'static str,
    /// Whether α was spent on it.
    pub primary: bool,
    /// a's value over b's.
    pub ratio: f64,
    /// The interval's lower end.
    pub low: Option<f64>,
    /// The interval's upper end.
    pub high: Option<f64>,
    /// Chance of a false declaration.
    pub alpha: f64,
    /// What counts as equivalent, as a ratio minus one.
    pub margin: f64,
    /// Rounds used.
    pub rounds: u32,
    /// Launches used.
    pub launches: u32,
    /// From one launch only.
    pub provisional: bool,
    /// `faster`, `slower`, `equivalent` or `inconclusive`: `faster` means that `a` is the better.
    pub verdict: &'static str,
    /// More rounds predicted until it is decided.
    pub rounds_needed: Option<u32>,
    /// More launches predicted until it is decided.
    pub launches_needed: Option<u32>,
    /// Each launch's centre, as ratios.
    pub centres: Vec<f64>,
    /// The ratio of what is above the floor.
    pub net_ratio: Option<Ratio>,
}

/// A ratio and its interval.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Ratio {
    /// The ratio.
    pub ratio: f64,
    /// The interval's lower end.
    pub low: Option<f64>,
    /// The interval's upper end.
    pub high: Option<f64>,
}

/// The document as indented JSON, with a line end after it.
pub fn render(results: &model::Results) -> String {
    let document = Document::from(results);
    let mut text =
        serde_json::to_string_pretty(&document).expect("plain data with text keys always serialises");
    text.push('\n');
    text
}

impl From<&model::Results> for Document {
    fn from(results: &model::Results) -> Self {
        Self {
            schema: SCHEMA,
            run: Run::from(&results.run),
            workloads: results.workloads.iter().map(Workload::from).collect(),
            sweeps: results.sweeps.iter().map(sizes::Sweep::from).collect(),
            explanations: results
                .explanations
                .iter()
                .map(explanations::Explanation::from)
                .collect(),
        }
    }
}

impl From<&model::RunInfo> for Run {
    fn from(run: &model::RunInfo) -> Self {
        let phase = |(name, time): &(String, Seconds)| Phase {
            name: name.clone(),
            seconds: time.0,
        };
        Self {
            id: run.id.clone(),
            started: when::iso(run.started),
            took: run.took.0,
            complete: run.complete,
            machine: Machine::from(&run.machine),
            imported: run.imported.clone(),
            tare: run.tare.clone(),
            settings: typed::given(&run.settings),
            notes: run.notes.clone(),
            phases: run.phases.iter().map(phase).collect(),
        }
    }
}

impl From<&model::Machine> for Machine {
    fn from(machine: &model::Machine) -> Self {
        let machine = machine.clone();
        Self {
            host: machine.host,
            cpu: machine.cpu,
            cores: machine.cores,
            memory: machine.memory,
            kernel: machine.kernel,
            os: machine.os,
            freezer: machine.freezer,
            accounting: machine.accounting,
        }
    }
}

impl From<&model::WorkloadResult> for Workload {
    fn from(result: &model::WorkloadResult) -> Self {
        Self {
            name: result.workload.clone(),
            summary: result.summary.clone(),
            case: result.case.clone(),
            case_summary: result.case_summary.clone(),
            sweep: result.sweep.clone(),
            size: result.size,
            mode: result.mode.name(),
            driving: typed::driving(&result.driving),
            placement: Placement {
                contender: result.placement.contender.clone(),
                load: result.placement.load.clone(),
                shared: result.placement.shared(),
                services: result.placement.services.clone(),
            },
            primary: result.primary.name(),
            floor: result.floor.as_ref().map(ToString::to_string),
            baseline: result.baseline.as_ref().map(ToString::to_string),
            rounds: result.rounds,
            launches: result.launches,
            contenders: result
                .contenders
                .iter()
                .map(|one| contender(result, one))
                .collect(),
            comparisons: comparisons(result),
            published: result.published.iter().map(Published::from).collect(),
            findings: result
                .claims
                .iter()
                .map(|claim| claims::finding(result, claim))
                .collect(),
        }
    }
}

/// Those that anything may be said by.
fn comparisons(result: &model::WorkloadResult) -> Vec<Comparison> {
    let said = result.comparisons.iter().filter(|c| view::sayable(result, c));
    said.map(Comparison::from).collect()
}

impl From<&model::ContenderResult> for Contender {
    fn from(contender: &model::ContenderResult) -> Self {
        let rank = |metric| view::rank_on(contender, metric).map(|(low, high)| [low, high]);
        Self {
            id: contender.id.to_string(),
            name: contender.id.name.clone(),
            variant: contender.id.variant.clone(),
            language: contender.subject.language().to_owned(),
            summary: contender.summary.clone(),
            style: contender.subject.style(),
            stands_in_for: contender.subject.stands_in_for().map(str::to_owned),
            versions: Pairs(contender.subject.versions().to_vec()),
            state: contender.state.name(),
            reason: contender.fault.as_ref().map(|fault| fault.detail.clone()),
            fault: contender.fault.as_ref().map(|fault| fault.kind.name()),
            bound: contender.bound.map(model::Bound::name),
            levels: contender.levels.iter().map(Level::from).collect(),
            late: contender.late.as_ref().map(Late::from),
            metrics: figures(&contender.metrics),
            answers_wanting: BTreeMap::new(),
            net: figures(&contender.net),
            spread: contender.spread.as_ref().map(Spread::from),
            rank: contender
                .ranks
                .keys()
                .filter_map(|&m| Some((m.name(), rank(m)?)))
                .collect(),
            latency: latency(&contender.latency),
            requests: RequestCounts {
                sent: contender.requests.sent,
                valid: contender.requests.valid,
                invalid: contender.requests.invalid,
                lost: contender.requests.lost,
            },
            checked: contender.checked.0,
            covariates: Covariates::new(&contender.covariates),
            services: contender.services.iter().map(service).collect(),
            flags: contender.flags.clone(),
        }
    }
}

/// A contender, with what only its workload's rounds can tell.
fn contender(result: &model::WorkloadResult, contender: &model::ContenderResult) -> Contender {
    let wanting = tails::needs(result, contender).into_iter();
    Contender {
        answers_wanting: wanting.map(|(metric, more)| (metric.name(), more)).collect(),
        ..Contender::from(contender)
    }
}

fn figures(metrics: &BTreeMap<Metric, model::Estimate>) -> BTreeMap<&'static str, Figure> {
    let figure = |(metric, estimate): (&Metric, &model::Estimate)| {
        let figure = Figure {
            unit: metric.unit(),
            estimate: estimate.estimate,
            low: estimate.low,
            high: estimate.high,
        };
        (metric.name(), figure)
    };
    metrics.iter().map(figure).collect()
}

fn service(cost: &model::ServiceCost) -> (String, Service) {
    let cpu_per_op = cost.cpu_per_op.0;
    (cost.name.clone(), Service { cpu_per_op })
}

fn latency(histogram: &Histogram) -> Option<Latency> {
    let count = histogram.count();
    let borne = |q: &f64| count as f64 * (1.0 - q) >= 10.0 - 1e-6;
    let quantile = |q: f64| {
        Some(Quantile {
            q,
            seconds: Seconds::from_nanos(histogram.quantile(q)?).0,
        })
    };
    (count > 0).then(|| Latency {
        count,
        mean: histogram.mean().map(|nanos| nanos / 1e9),
        max: Seconds::from_nanos(histogram.max()).0,
        quantiles: QUANTILES.into_iter().filter(borne).filter_map(quantile).collect(),
    })
}

impl From<&model::Comparison> for Comparison {
    fn from(c: &model::Comparison) -> Self {
        let (rounds_needed, launches_needed) = needed(c);
        Self {
            a: c.a.to_string(),
            b: c.b.to_string(),
            metric: c.metric.name(),
            primary: c.primary,
            ratio: c.ratio,
            low: c.low,
            high: c.high,
            alpha: c.alpha,
            margin: c.margin,
            rounds: c.rounds,
            launches: c.launches,
            provisional: c.provisional,
            verdict: verdict(c).name(),
            rounds_needed,
            launches_needed,
            centres: c.centres.clone(),
            net_ratio: c.net_ratio.map(|net| Ratio {
                ratio: net.estimate,
                low: net.low,
                high: net.high,
            }),
        }
    }
}

/// More rounds and more launches: a prediction in launches is turned into rounds by the rounds a launch had so far.
fn needed(c: &model::Comparison) -> (Option<u32>, Option<u32>) {
    if c.provisional {
        return (c.needed, None);
    }
    let an_launch = f64::from(c.rounds) / f64::from(c.launches.max(1));
    let rounds = c
        .needed
        .map(|launches| (f64::from(launches) * an_launch).ceil() as u32);
    (rounds, c.needed)
}
