//! The results of a run, as the reports and the JSON document show them. Computed from slices, never stored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::claim::ClaimResult;
use crate::driving::Driving;
use crate::explanation::Explanation;
use crate::fault::Fault;
use crate::histogram::Histogram;
use crate::ids::ContenderId;
use crate::late::Lateness;
use crate::measure::RequestCounts;
use crate::metric::{Metric, Mode};
use crate::settings::Settings;
use crate::spread::Spread;
use crate::subject::Subject;
use crate::sweep::SweepResult;
use crate::units::{PerSecond, Seconds, Share};

/// Everything that is known of one run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Results {
    /// Which run, when, where, with what settings.
    pub run: RunInfo,
    /// One entry per workload, case and mode (and size, where a case is swept): what is compared among itself, and
    /// nothing else.
    pub workloads: Vec<WorkloadResult>,
    /// Cost as a function of size, one entry for each case and mode that was measured at several sizes.
    pub sweeps: Vec<SweepResult>,
    /// What was asked of the run since: why is one not as fast as another?
    pub explanations: Vec<Explanation>,
}

/// Which run, when, where, with what settings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunInfo {
    /// The run's id: its start in UTC, `20261121-204512`, with a suffix where two would collide.
    pub id: String,
    /// Start, in seconds since 1970 (UTC).
    pub started: i64,
    /// How long it took, the last stored event counts.
    pub took: Seconds,
    /// Whether it ran to its end (false: interrupted, killed, or still running).
    pub complete: bool,
    /// Version of tare.
    pub tare: String,
    /// Whose results these are, where they were not measured here but read from a file: figures without interval and
    /// verdict.
    pub imported: Option<String>,
    /// The machine.
    pub machine: Machine,
    /// What was asked for.
    pub settings: Settings,
    /// Things a reader should know: what is less exact here and why, what was cut short.
    pub notes: Vec<String>,
    /// Where the wall time went, by phase (`build`, `start`, `check`, `warm-up`, `pilot`, `slices`, `overhead`).
    pub phases: Vec<(String, Seconds)>,
}

/// The machine that a run was made on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Host name.
    pub host: String,
    /// CPU model.
    pub cpu: String,
    /// Cores in the affinity mask that tare was started with.
    pub cores: u32,
    /// Memory in bytes.
    pub memory: u64,
    /// Kernel release.
    pub kernel: String,
    /// Distribution.
    pub os: String,
    /// How contenders are frozen: `cgroup v2`, `cgroup v1`, `SIGSTOP`.
    pub freezer: String,
    /// How CPU time is counted: `cgroup v2`, `cgroup v1`, `process clocks`.
    pub accounting: String,
}

/// One workload's case in one mode.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkloadResult {
    /// The workload's name.
    pub workload: String,
    /// One line on what the job is.
    pub summary: String,
    /// The case.
    pub case: String,
    /// One line on the case.
    pub case_summary: String,
    /// What the size counts, where the case is swept over sizes: `bytes`.
    pub sweep: Option<String>,
    /// The size, where the case is swept.
    pub size: Option<u64>,
    /// How it was driven.
    pub mode: Mode,
    /// How exactly.
    pub driving: Driving,
    /// Cores of contender and load.
    pub placement: Placement,
    /// The metric that α is spent on.
    pub primary: Metric,
    /// The floor contender.
    pub floor: Option<ContenderId>,
    /// What the ratios are against.
    pub baseline: Option<ContenderId>,
    /// Rounds measured, over all launches.
    pub rounds: u32,
    /// Launches measured.
    pub launches: u32,
    /// Every contender that was meant to take part.
    pub contenders: Vec<ContenderResult>,
    /// Verdicts: each contender against the baseline on each metric, primary first.
    pub comparisons: Vec<Comparison>,
    /// What the report that is reproduced published.
    pub published: Vec<Published>,
    /// What became of what it found.
    pub claims: Vec<ClaimResult>,
}

/// Which cores each side had.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// The contender's cores.
    pub contender: Vec<u32>,
    /// The load's cores.
    pub load: Vec<u32>,
    /// Services that ran beside the load, on its cores, and were never frozen.
    pub services: Vec<String>,
}

/// Whether a contender has figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// It has.
    Measured,
    /// It did not settle: no verdict.
    NotSteady,
    /// It gave a wrong answer, or lost one: no figure.
    Wrong,
    /// It could not be built, started or measured.
    Failed,
    /// It was left out (missing tool, marked broken).
    Skipped,
}

/// What limited a contender's throughput.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bound {
    /// Its own cores were at least 95% busy and the load's under 90%.
    Contender,
    /// The load's cores were at least 90% busy: the throughput is the generator's and is never ranked.
    Load,
    /// Neither.
    Neither,
}

/// A contender in one case and mode.
#[derive(Debug, Clone, PartialEq)]
pub struct ContenderResult {
    /// Which.
    pub id: ContenderId,
    /// One line on how it does the job.
    pub summary: String,
    /// What it is.
    pub subject: Subject,
    /// Whether it has figures.
    pub state: State,
    /// Why it has none.
    pub fault: Option<Fault>,
    /// What limited its throughput (capacity only).
    pub bound: Option<Bound>,
    /// What it gave at each number of connections, rising, where several were tried; else empty.
    pub levels: Vec<Level>,
    /// Latencies that no verdict is given by, since the generator was late (cost only).
    pub late: Option<Lateness>,
    /// Figures with intervals over launches.
    pub metrics: BTreeMap<Metric, Estimate>,
    /// The part above the floor of each cost metric, where it can be told from zero.
    pub net: BTreeMap<Metric, Estimate>,
    /// How its runs lie, where it is a whole command that has figures.
    pub spread: Option<Spread>,
    /// Rank interval on each ranked metric: first and last place that it may have.
    pub ranks: BTreeMap<Metric, (u32, u32)>,
    /// All latencies of all slices.
    pub latency: Histogram,
    /// All slices' requests.
    pub requests: RequestCounts,
    /// Share of answers whose bytes were all checked.
    pub checked: Share,
    /// Noise around its slices.
    pub covariates: Covariates,
    /// What the services of its case used meanwhile, which is no part of its own figures.
    pub services: Vec<ServiceCost>,
    /// Its warm-up in each launch.
    pub warm_up: Vec<WarmUp>,
    /// Things a reader should know of this contender: backlog overflows, reopened connections, a late generator.
    pub flags: Vec<String>,
}

/// What a contender gave at one number of connections, before its figures were measured at the best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    /// How many connections.
    pub connections: u32,
    /// Answers a second: the median over the pilot's slices, which are used for nothing else.
    pub rate: PerSecond,
    /// Whether its figures were measured at it.
    pub chosen: bool,
}

/// What a service used while a contender was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct ServiceCost {
    /// The service's name.
    pub name: String,
    /// Its CPU time ÷ the contender's right answers, over the slices of all rounds.
    pub cpu_per_op: Seconds,
}

/// A contender's warm-up in one launch.
#[derive(Debug, Clone, PartialEq)]
pub struct WarmUp {
    /// The launch's number, counted from 0.
    pub launch: u32,
    /// What it was judged by.
    pub metric: Metric,
    /// That of each of its slices, in order, in the metric's unit.
    pub values: Vec<f64>,
    /// How many of these were before it had settled.
    pub cut: usize,
    /// Whether it had settled at the end.
    pub steady: bool,
}

/// Noise around a contender's slices (means over slices).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Covariates {
    /// Share of time stolen by the hypervisor.
    pub steal: Share,
    /// CPU pressure.
    pub pressure: Option<Share>,
    /// Share of its cores that the contender kept busy.
    pub contender_busy: Share,
    /// Share of time that the load's busiest thread worked.
    pub load_busy: Share,
    /// The generator's own CPU per answer.
    pub load_cpu_per_op: Seconds,
    /// Context switches of the contender per answer.
    pub switches_per_op: f64,
    /// Median and 99.9th percentile of the generator's lateness (cost mode).
    pub lag: Option<(Seconds, Seconds)>,
}

/// A figure and its interval (at the comparison's confidence, over launches). No interval: null in documents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The geometric mean over launches of the launches' medians.
    pub estimate: f64,
    /// Lower end.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

/// What is said of two contenders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// `a` is better than `b` by more than the margin.
    Faster,
    /// `a` is worse than `b` by more than the margin.
    Slower,
    /// The difference is within the margin.
    Equivalent,
    /// Not decided yet.
    Inconclusive,
}

/// Two contenders on one metric.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The contender.
    pub a: ContenderId,
    /// What it is compared with.
    pub b: ContenderId,
    /// On what.
    pub metric: Metric,
    /// Whether α was spent on it; the others are labelled secondary.
    pub primary: bool,
    /// a's value over b's.
    pub ratio: f64,
    /// Lower end of the ratio's interval.
    pub low: Option<f64>,
    /// Upper end of the ratio's interval.
    pub high: Option<f64>,
    /// Chance of a false declaration, for this comparison.
    pub alpha: f64,
    /// The margin, as a ratio minus one (0.01 for 1%).
    pub margin: f64,
    /// Rounds used.
    pub rounds: u32,
    /// Launches used.
    pub launches: u32,
    /// From the rounds of one launch only.
    pub provisional: bool,
    /// What is said.
    pub verdict: Verdict,
    /// More launches (rounds if provisional) predicted until it is decided; none if decided or beyond telling.
    pub needed: Option<u32>,
    /// Each launch's centre, as ratios: what the interval was drawn from.
    pub centres: Vec<f64>,
    /// The ratio of nets (what is above the floor); none where the baseline's net cannot be told from zero.
    pub net_ratio: Option<Estimate>,
}

/// A published figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The contender of ours that reproduces it.
    pub contender: ContenderId,
    /// The name that the report gives it.
    pub label: String,
    /// On what metric.
    pub metric: Metric,
    /// The value, in the metric's unit.
    pub value: f64,
    /// Where it is from.
    pub source: String,
    /// Contenders with figures of the same metric over which the report has it, too, besides the one that all are held
    /// against.
    pub over: Vec<ContenderId>,
}

impl State {
    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            State::Measured => "measured",
            State::NotSteady => "not-steady",
            State::Wrong => "wrong",
            State::Failed => "failed",
            State::Skipped => "skipped",
        }
    }
}

impl Bound {
    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            Bound::Contender => "contender",
            Bound::Load => "load",
            Bound::Neither => "neither",
        }
    }
}

impl ContenderResult {
    /// Whether nothing may be said by a metric of it, because the generator was late.
    pub fn late_on(&self, metric: Metric) -> bool {
        self.late
            .as_ref()
            .is_some_and(|late| late.withheld.contains(&metric))
    }
}

impl Verdict {
    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Faster => "faster",
            Verdict::Slower => "slower",
            Verdict::Equivalent => "equivalent",
            Verdict::Inconclusive => "inconclusive",
        }
    }
}

impl Placement {
    /// Whether contender and load share a core: such results are never ranked against separate ones.
    pub fn shared(&self) -> bool {
        self.contender.iter().any(|core| self.load.contains(core))
    }

    /// Whether nothing else runs on the load's cores: neither the contender nor a service. An open loop then waits for its
    /// send times awake.
    pub fn load_alone(&self) -> bool {
        !self.load.is_empty() && !self.shared() && self.services.is_empty()
    }
}

impl WorkloadResult {
    /// The contender's entry.
    pub fn contender(&self, id: &ContenderId) -> Option<&ContenderResult> {
        self.contenders.iter().find(|contender| contender.id == *id)
    }

    /// The comparison of a contender with the baseline on a metric.
    pub fn comparison(&self, a: &ContenderId, metric: Metric) -> Option<&Comparison> {
        self.comparisons
            .iter()
            .find(|comparison| comparison.a == *a && comparison.metric == metric)
    }

    /// `doubling/one-core, cost`, or `http/boundary at 64 bytes, capacity`: how the entry is titled.
    pub fn title(&self) -> String {
        let at = match (self.size, &self.sweep) {
            (Some(size), Some(name)) => format!(" at {size} {name}"),
            _ => String::new(),
        };
        match self.mode {
            // There is no other that they could be in.
            Mode::Command => format!("{}/{}{at}", self.workload, self.case),
            mode => format!("{}/{}{at}, {mode}", self.workload, self.case),
        }
    }
}
