//! The results document: JSON with its own versioned types, described by `docs/results.schema.json`.
//!
//! Within a version fields may be added; none is removed or changes its meaning. A missing value (an end of an interval, a
//! rank, a pressure that the kernel does not report) is null or absent, as each field says; times are in seconds, sizes in bytes, shares from 0 to 1, ratios are `a` over `b`.

mod benchmarks;
mod claims;
mod comparison;
mod contender;
mod explanations;
mod figure;
mod levels;
mod noise;
mod pairs;
mod published;
mod sizes;
mod spread;
pub(crate) mod typed;
mod workload;

use serde_json::Value;
use tare_model::results as model;
use tare_model::units::Seconds;

use crate::format::{Format, Output};
use crate::sentences;
use crate::when;
use benchmarks::Benchmarks;
use explanations::Explanation;
use sizes::Sweep;
use workload::Workload;

/// The results document.
pub const FORMAT: Format = Format {
    name: "json",
    render: |source| Ok(Output::Text(render(source.results))),
};

/// The version of the document.
const SCHEMA: &str = "tare-results/1";

/// The document.
#[derive(Debug, Clone, serde::Serialize)]
struct Document {
    /// [`SCHEMA`].
    schema: &'static str,
    /// Which run, when, where, with what settings.
    run: Run,
    /// What it came to, as a person would say it; empty where nothing was compared.
    sentences: Vec<String>,
    /// One entry per workload, case, mode and size.
    workloads: Vec<Workload>,
    /// Cost as a function of size.
    sweeps: Vec<Sweep>,
    /// Explanations of the run (`tare explain`).
    explanations: Vec<Explanation>,
    /// Cases that were asked for and not begun; absent where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_measured: Vec<NotMeasured>,
    /// Benchmarks that were judged together (`tare bench`); absent in other runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    benchmarks: Option<Benchmarks>,
}

/// A case that was asked for and not begun.
#[derive(Debug, Clone, serde::Serialize)]
struct NotMeasured {
    /// The workload's name.
    workload: String,
    /// The case.
    case: String,
    /// Why: `budget`, `unfinished`.
    why: &'static str,
}

impl From<&model::NotMeasured> for NotMeasured {
    fn from(one: &model::NotMeasured) -> Self {
        Self {
            workload: one.workload.clone(),
            case: one.case.clone(),
            why: one.why.name(),
        }
    }
}

impl From<&model::Results> for Document {
    fn from(results: &model::Results) -> Self {
        Self {
            schema: SCHEMA,
            run: Run::from(&results.run),
            sentences: sentences::all(results),
            workloads: results.workloads.iter().map(Workload::from).collect(),
            sweeps: results.sweeps.iter().map(Sweep::from).collect(),
            explanations: results.explanations.iter().map(Explanation::from).collect(),
            not_measured: results.not_measured.iter().map(NotMeasured::from).collect(),
            benchmarks: results.benchmarks.as_ref().map(Benchmarks::from),
        }
    }
}

/// Which run, when, where, with what settings.
#[derive(Debug, Clone, serde::Serialize)]
struct Run {
    /// Its id.
    id: String,
    /// Its start, `2026-11-21T20:45:12Z`.
    started: String,
    /// How long it took, in seconds.
    took: f64,
    /// Whether it ran to its end.
    complete: bool,
    /// The machine; of several, the first.
    machine: Machine,
    /// The machines, where runs of several are taken together; absent in a run of one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<Machine>,
    /// Version of tare.
    tare: String,
    /// The source of results that were imported; null if they were measured here.
    imported: Option<String>,
    /// What was asked for.
    settings: Value,
    /// Notes for the reader.
    notes: Vec<String>,
    /// Where the wall time went.
    phases: Vec<Phase>,
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
            nodes: run.nodes.iter().map(Machine::from).collect(),
            imported: run.imported.clone(),
            tare: run.tare.clone(),
            settings: typed::given(&run.settings),
            notes: run.notes.clone(),
            phases: run.phases.iter().map(phase).collect(),
        }
    }
}

/// A phase of the run.
#[derive(Debug, Clone, serde::Serialize)]
struct Phase {
    /// Its name.
    name: String,
    /// Its share of the wall time, in seconds.
    seconds: f64,
}

/// The machine.
#[derive(Debug, Clone, serde::Serialize)]
#[allow(missing_docs)] // the names are those of `model::Machine`
struct Machine {
    host: String,
    cpu: String,
    cores: u32,
    memory: u64,
    kernel: String,
    os: String,
    freezer: String,
    accounting: String,
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

/// The document as indented JSON, with a line end after it.
pub fn render(results: &model::Results) -> String {
    let document = Document::from(results);
    let mut text =
        serde_json::to_string_pretty(&document).expect("plain data with text keys always serialises");
    text.push('\n');
    text
}
