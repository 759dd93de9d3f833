//! The results of a run, as the reports and the JSON document show them. Computed from slices, never stored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::benchmark::Benchmarks;
use crate::claim::ClaimResult;
use crate::comparison::Comparison;
use crate::driving::Driving;
use crate::estimate::Estimate;
use crate::explanation::Explanation;
use crate::fault::Fault;
use crate::histogram::Histogram;
use crate::ids::ContenderId;
use crate::late::Lateness;
use crate::measure::RequestCounts;
use crate::metric::{Metric, Mode};
use crate::placement::Placement;
use crate::published::Published;
use crate::settings::Settings;
use crate::spread::Spread;
use crate::subject::Subject;
use crate::sweep::SweepResult;
use crate::units::{PerSecond, Seconds, Share};

pub use crate::state::State;

/// The results of one run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Results {
    /// Which run, when, where, with what settings.
    pub run: RunInfo,
    /// One entry per workload, case and mode (and size, where a case is swept). Only contenders of the same entry are
    /// compared.
    pub workloads: Vec<WorkloadResult>,
    /// Cost as a function of size, one entry for each case and mode that was measured at several sizes.
    pub sweeps: Vec<SweepResult>,
    /// Explanations made for the run: why is one contender slower than another?
    pub explanations: Vec<Explanation>,
    /// Cases that were asked for and not begun. They have no entry in `workloads`.
    pub not_measured: Vec<NotMeasured>,
    /// The benchmarks of `tare bench`, judged together.
    pub benchmarks: Option<Benchmarks>,
}

/// A case that was asked for and not begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotMeasured {
    /// The workload's name.
    pub workload: String,
    /// The case.
    pub case: String,
    /// Why.
    pub why: WhyNot,
}

/// Why a case was not begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhyNot {
    /// The budget did not hold enough launches of it.
    Budget,
    /// The run was interrupted before, or is still under way.
    Unfinished,
}

/// Which run, when, where, with what settings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunInfo {
    /// The run's id: its start in UTC, `20261121-204512`, with a suffix where two would collide.
    pub id: String,
    /// Start, in seconds since 1970 (UTC).
    pub started: i64,
    /// How long it took, up to the last stored event.
    pub took: Seconds,
    /// Whether it ran to its end (false: interrupted, killed, or still running).
    pub complete: bool,
    /// Version of tare.
    pub tare: String,
    /// The file that the results were imported from, where they were not measured here: figures without intervals and
    /// verdicts.
    pub imported: Option<String>,
    /// The machine; of several, the first.
    pub machine: Machine,
    /// The machines, where runs of several are taken together; else empty.
    pub nodes: Vec<Machine>,
    /// The settings.
    pub settings: Settings,
    /// Notes for readers: what is less exact on this machine and why, what was cut short.
    pub notes: Vec<String>,
    /// Wall time by phase (`build`, `start`, `check`, `warm-up`, `pilot`, `slices`, `overhead`).
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
    /// Number of cores in the affinity mask that tare was started with.
    pub cores: u32,
    /// Memory in bytes.
    pub memory: u64,
    /// Kernel release.
    pub kernel: String,
    /// Distribution.
    pub os: String,
    /// How contenders are paused: `cgroup v2`, `cgroup v1`, `SIGSTOP`.
    pub freezer: String,
    /// How CPU time is counted: `cgroup v2`, `cgroup v1`, `process clocks`.
    pub accounting: String,
}

impl Machine {
    /// Identifies it by what figures depend on.
    pub fn identity(&self) -> String {
        format!("{}, {}, {} cores", self.host, self.cpu, self.cores)
    }
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
    /// The details of that.
    pub driving: Driving,
    /// Cores of contender and load.
    pub placement: Placement,
    /// The primary metric, which α is spent on.
    pub primary: Metric,
    /// The floor contender.
    pub floor: Option<ContenderId>,
    /// The contender that ratios are relative to.
    pub baseline: Option<ContenderId>,
    /// Rounds measured, over all launches.
    pub rounds: u32,
    /// Launches measured.
    pub launches: u32,
    /// Every contender that was meant to take part.
    pub contenders: Vec<ContenderResult>,
    /// Verdicts: each contender against the baseline on each metric, primary first.
    pub comparisons: Vec<Comparison>,
    /// Figures that the reproduced report published.
    pub published: Vec<Published>,
    /// Its claims, checked against this run.
    pub claims: Vec<ClaimResult>,
}

/// What limited a contender's throughput.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bound {
    /// Its own cores were at least 95% busy and the load's under 90%.
    Contender,
    /// The load's cores were at least 90% busy: the throughput is generator-limited and is never ranked.
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
    /// Why it has no figures.
    pub fault: Option<Fault>,
    /// What limited its throughput (capacity only).
    pub bound: Option<Bound>,
    /// Its throughput at each number of connections, rising, where several were tried; else empty.
    pub levels: Vec<Level>,
    /// Latencies without a verdict, because the generator was late (cost mode only).
    pub late: Option<Lateness>,
    /// Figures with intervals over launches.
    pub metrics: BTreeMap<Metric, Estimate>,
    /// The part above the floor of each cost metric, where it can be distinguished from zero.
    pub net: BTreeMap<Metric, Estimate>,
    /// Distribution of its runs, where it is a whole command that has figures.
    pub spread: Option<Spread>,
    /// Rank interval on each ranked metric: the best and the worst possible rank.
    pub ranks: BTreeMap<Metric, (u32, u32)>,
    /// All latencies of all slices.
    pub latency: Histogram,
    /// The request counts of all slices.
    pub requests: RequestCounts,
    /// Share of answers whose bytes were all checked.
    pub checked: Share,
    /// Machine noise during its slices.
    pub covariates: Covariates,
    /// What the services of its case used during its slices; not part of its own figures.
    pub services: Vec<ServiceCost>,
    /// Its warm-up in each launch.
    pub warm_up: Vec<WarmUp>,
    /// Notes on this contender: backlog overflows, reopened connections.
    pub flags: Vec<String>,
}

/// A contender's throughput at one number of connections, from the pilot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    /// The number of connections.
    pub connections: u32,
    /// Answers per second: the median over the pilot's slices, which are not used for anything else.
    pub rate: PerSecond,
    /// Whether its figures were measured at this level.
    pub chosen: bool,
}

/// What a service used while a contender was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct ServiceCost {
    /// The service's name.
    pub name: String,
    /// Its CPU time divided by the contender's right answers, over all rounds.
    pub cpu_per_op: Seconds,
}

/// A contender's warm-up in one launch.
#[derive(Debug, Clone, PartialEq)]
pub struct WarmUp {
    /// The launch's number, counted from 0.
    pub launch: u32,
    /// The metric that it was judged by.
    pub metric: Metric,
    /// The value of each slice, in order, in the metric's unit.
    pub values: Vec<f64>,
    /// How many of these came before it was steady.
    pub cut: usize,
    /// The level that it reached: the median of the slices after the cut, or of all where none came after it.
    pub level: Option<f64>,
    /// Whether it was steady at the end.
    pub steady: bool,
}

/// Machine noise during a contender's slices (means over slices).
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

impl WhyNot {
    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            WhyNot::Budget => "budget",
            WhyNot::Unfinished => "unfinished",
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
    /// Whether a metric has no verdict because the generator was late.
    pub fn late_on(&self, metric: Metric) -> bool {
        self.late
            .as_ref()
            .is_some_and(|late| late.withheld.contains(&metric))
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

    /// `doubling/one-core, cost`, or `http/boundary at 64 bytes, capacity`: the entry's title.
    pub fn title(&self) -> String {
        let at = match (self.size, &self.sweep) {
            (Some(size), Some(name)) => format!(" at {size} {name}"),
            _ => String::new(),
        };
        match self.mode {
            // Commands have no other mode.
            Mode::Command => format!("{}/{}{at}", self.workload, self.case),
            mode => format!("{}/{}{at}, {mode}", self.workload, self.case),
        }
    }
}
