//! Manifests as they resolve: what the lab and the rig need to know of a workload, a contender, a language.
//!
//! Never in a manifest: ports, cores, durations, sleeps. The lab owns those and passes them through the
//! placeholders `{host}`, `{port}`, `{cores}`, `{core_list}`, `{out}`, `{src}`, `{lab}`, `{tools}`, and the name
//! of each tool (`{cc}`, `{java}`).

pub mod argv;
mod case;
pub mod contender;
mod driving;
mod error;
pub mod explain;
mod fails;
mod fields;
mod finding;
mod http;
mod in_process;
mod job;
mod lab;
pub mod language;
pub mod published;
mod reach;
pub mod render;
mod resolve;
pub mod scaffold;
pub mod service;
mod take;
mod toml;
pub mod words;
pub mod workload;

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::claim::Claim;
use crate::ids::ContenderId;
use crate::metric::{Metric, Mode};
use crate::results::Published;

pub use error::{ManifestError, Problem};
pub use http::{HttpAnswer, HttpJob};
pub use lab::Lab;
pub use reach::{Listen, Speaks};

/// A workload: a job with a checkable answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Workload {
    /// Its folder's name.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// One line on the job.
    pub summary: String,
    /// The report that it reproduces.
    pub source: Option<String>,
    /// Cases in the order of the manifest; at least one.
    pub cases: Vec<Case>,
    /// What cases have that say nothing else.
    pub defaults: Defaults,
    /// Placeholders that the services of its cases give, in order. In a case without the service they are empty.
    pub gives: Vec<String>,
}

/// What a case has that says nothing else.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Defaults {
    /// What goes over the wire, and how an answer is judged.
    pub job: Option<Job>,
    /// The least program that gives the right answers.
    pub floor: Option<ContenderId>,
    /// Modes in the order of the manifest.
    pub modes: Vec<Driving>,
    /// Exchanges that every contender must get right before it is timed.
    pub exchanges: Vec<Exchange>,
}

/// One case: a group of contenders that are compared with each other, in one placement.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// One line.
    pub summary: String,
    /// Which cores the contender gets.
    pub placement: PlacementKind,
    /// What ratios are against, unless asked otherwise.
    pub baseline: ContenderId,
    /// What goes over the wire, and how an answer is judged.
    pub job: Job,
    /// The least program that gives the right answers.
    pub floor: Option<ContenderId>,
    /// Exchanges that every contender must get right before it is timed.
    pub exchanges: Vec<Exchange>,
    /// The modes that it can be driven in; at least one.
    pub drivings: Vec<Driving>,
    /// Modes that are run by default.
    pub modes: Vec<Mode>,
    /// Names of the services that must run beside its contenders (`services/NAME/service.toml`).
    pub services: Vec<String>,
    /// The size parameter that it is measured over.
    pub sweep: Option<Sweep>,
}

/// A size parameter and the values that are measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    /// What is counted, in the plural: `bytes`, `fields`, `rows`.
    pub name: String,
    /// The sizes, rising; at least two.
    pub sizes: Vec<u64>,
}

/// Which cores a contender gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlacementKind {
    /// One core of its own; the load on others.
    OneCore,
    /// Every core; the load shares them where there are too few to set some aside.
    AllCores,
}

/// The job: the protocol and who makes requests and judges answers.
#[derive(Debug, Clone, PartialEq)]
pub enum Job {
    /// Lines over TCP: the doubling job of experiment 4 (random integers, doubled).
    Doubling,
    /// Lines over TCP: one line out, one expected back.
    Lines {
        /// The line sent, without its end.
        send: String,
        /// The line expected, without its end.
        expect: String,
    },
    /// HTTP/1.1.
    Http(HttpJob),
    /// Calls within the contender's own process (docs/probe.md).
    Probe(Probe),
    /// Exchanges between two processes of one contender, over pipes (docs/probe.md).
    Pipe(Probe),
}

/// Where the results of an in-process job are, in the workload's folder, and what is offered to its contenders. Results
/// may be at a `{case}` and a `{size}`, the other at a `{case}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// The results of every contender.
    pub reference: String,
    /// The results of the floor, where they are others.
    pub floor_reference: Option<String>,
    /// Given: its contenders exchange messages, and must read those of each other. The folder of what else they are
    /// offered, by format.
    pub interop: Option<String>,
}

/// How a mode drives the job.
#[derive(Debug, Clone, PartialEq)]
pub struct Driving {
    /// Which mode.
    pub mode: Mode,
    /// The metric that α is spent on.
    pub primary: Metric,
    /// Connections (capacity: levels, of which the pilot chooses each contender's best; cost and batch: one; none
    /// of a job in process).
    pub connections: Vec<u32>,
    /// Requests in flight on a connection.
    pub depth: u32,
    /// Load programs at once (batch).
    pub programs: u32,
    /// Requests on each connection (batch).
    pub requests: u32,
}

/// A fixed exchange: bytes sent, bytes expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// What it shows.
    pub name: String,
    /// Bytes sent.
    pub send: String,
    /// Bytes expected, all of them and no more.
    pub expect: String,
    /// Whether the contender must close the connection afterwards.
    pub closes: bool,
    /// Whether the bytes are sent one at a time, each a packet of its own.
    pub dribble: bool,
}

/// A language: defaults for its contenders.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Language {
    /// Its file's name.
    pub name: String,
    /// One line.
    pub summary: String,
    /// Its tools by name, in the order of the manifest.
    pub tools: Vec<Tool>,
    /// Default build steps.
    pub build: Vec<Vec<String>>,
    /// Default command.
    pub run: Vec<String>,
    /// Default environment.
    pub env: BTreeMap<String, String>,
    /// What has to be installed for every contender of the language.
    pub needs: Needs,
    /// How they are run so that they can be looked into.
    pub explain: Option<Explain>,
}

/// How contenders of a language are run so that they can be looked into (`tare explain`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Explain {
    /// What is added to the environment. Empty: they are run as they always are.
    pub env: BTreeMap<String, String>,
    /// What is added to their build.
    pub build: Additions,
    /// Whose lines on garbage collections are in their log then: one of [`explain::COLLECTORS`].
    pub collector: Option<String>,
    /// Whose lines on what is compiled at run time are there: one of [`explain::COMPILERS`].
    pub compiler: Option<String>,
    /// A word that their build or command must have, or the environment would be refused.
    pub built_with: Option<String>,
    /// What would give their functions names, for people.
    pub symbols: Option<String>,
}

/// What is added to a build, so that what it makes can be looked into.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Additions {
    /// To its environment.
    pub env: BTreeMap<String, String>,
    /// Behind each word of its steps that is a tool's placeholder: by the tool's name.
    pub words: BTreeMap<String, Vec<String>>,
}

/// A program that builds or runs contenders.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tool {
    /// Its placeholder's name.
    pub name: String,
    /// Where it may be, first found wins: a name on the PATH, or a path which may hold `*`, `{tools}`, `{env:NAME}`.
    pub find: Vec<String>,
    /// The command whose first output line that holds a digit tells its version; empty: none.
    pub version: Vec<String>,
    /// The lowest version that will do, compared number by number.
    pub at_least: Option<String>,
    /// Debian packages that bring it.
    pub apt: Vec<String>,
    /// Commands that bring it where no package does (into `{tools}`).
    pub install: Vec<Vec<String>>,
}

/// What the contenders of a case need beside themselves: a process that they all share, or data only.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Service {
    /// Its folder's name.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// One line.
    pub summary: String,
    /// Its tools by name, in the order of the manifest.
    pub tools: Vec<Tool>,
    /// What has to be installed besides its tools.
    pub needs: Needs,
    /// Whether its programs refuse to run as root.
    pub refuses_root: bool,
    /// What makes its state, once: argv lists, no shell.
    pub prepare: Vec<Vec<String>>,
    /// The command that runs it; empty: data only.
    pub run: Vec<String>,
    /// How readiness is seen.
    pub ready: Ready,
    /// The signal that asks it to stop, without `SIG`.
    pub stop_signal: String,
    /// The placeholders by which contenders know it, and their texts.
    pub gives: BTreeMap<String, String>,
    /// As a front of single contenders: its configuration, a file of its folder, for each way that it speaks to one.
    pub fronts: BTreeMap<Speaks, String>,
}

/// What has to be installed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Needs {
    /// Debian packages.
    pub apt: Vec<String>,
}

/// A contender, or a variant of one, resolved against its language.
#[derive(Debug, Clone, PartialEq)]
pub struct Contender {
    /// Which.
    pub id: ContenderId,
    /// Its workload.
    pub workload: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Its language.
    pub language: String,
    /// One line.
    pub summary: String,
    /// How it is written.
    pub style: Style,
    /// Cases that it takes part in.
    pub cases: Vec<String>,
    /// Whether `tare run` measures it where nobody named it.
    pub by_default: bool,
    /// Build steps: argv lists, no shell; run in a copy of the folder.
    pub build: Vec<Vec<String>>,
    /// The command that runs it, in the build's output folder.
    pub run: Vec<String>,
    /// Environment.
    pub env: BTreeMap<String, String>,
    /// What it speaks to whoever sends it requests.
    pub speaks: Speaks,
    /// Where it finds the socket that it listens on.
    pub listen: Listen,
    /// The web server in front of it: a service that is a front.
    pub front: Option<String>,
    /// How readiness is seen.
    pub ready: Ready,
    /// The signal that asks it to stop, without `SIG`.
    pub stop_signal: String,
    /// What has to be installed (the language's, too).
    pub needs: Needs,
    /// What it stands in for, and why.
    pub stands_in_for: Option<String>,
    /// Further languages whose tools its commands may name, and whose packages it needs.
    pub uses: Vec<String>,
    /// Files and folders of the lab, relative to it, that its build finds as `with/NAME`.
    pub with: Vec<String>,
    /// Where it was taken from.
    pub origin: Option<Origin>,
    /// Messages (`FORMAT/NAME`) that it is known not to survive, and what happens.
    pub fails_on: BTreeMap<String, String>,
    /// Why it is left out for now.
    pub broken: Option<Broken>,
    /// Where each value came from: key and `file:line`.
    pub sources: Vec<(String, String)>,
}

/// How readiness is seen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Ready {
    /// A TCP connection to the port is accepted.
    #[default]
    Connect,
    /// It prints a line that holds this text.
    Line(String),
}

/// How a contender is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Style {
    /// As the language's good programmers would write it.
    Idiomatic,
    /// For speed, within the language.
    Tuned,
    /// As the reproduced report had it.
    Reference,
    /// The least program that gives the right answers.
    Floor,
}

/// Where a contender was taken from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// A sentence or an address.
    pub text: String,
    /// Its licence.
    pub licence: Option<String>,
}

/// Why a contender is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Why.
    pub reason: String,
    /// Since when, `2026-11-21`.
    pub since: String,
}

/// A published figure and what it is a figure of.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The case.
    pub case: String,
    /// The mode.
    pub mode: Mode,
    /// The figure.
    pub published: Published,
}

/// A finding of the report and what it is a finding of.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The case.
    pub case: String,
    /// The mode.
    pub mode: Mode,
    /// What is claimed.
    pub claim: Claim,
}

/// What the report that a workload reproduces says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reported {
    /// Its figures.
    pub figures: Vec<Figure>,
    /// Its findings.
    pub findings: Vec<Finding>,
}

/// Where each value of something came from: key and `file:line`, or `tare default`.
pub type Sources = Vec<(String, String)>;

/// What stands for a place in `sources` where nobody wrote the value.
pub const TARE_DEFAULT: &str = "tare default";

impl Style {
    /// All styles.
    pub const ALL: [Style; 4] = [Style::Idiomatic, Style::Tuned, Style::Reference, Style::Floor];

    /// The name used in manifests.
    pub fn name(self) -> &'static str {
        match self {
            Style::Idiomatic => "idiomatic",
            Style::Tuned => "tuned",
            Style::Reference => "reference",
            Style::Floor => "floor",
        }
    }
}

impl Job {
    /// The name used in manifests.
    pub fn name(&self) -> &'static str {
        match self {
            Job::Doubling => "doubling",
            Job::Lines { .. } => "lines",
            Job::Http(_) => "http",
            Job::Probe(_) => "probe",
            Job::Pipe(_) => "pipe",
        }
    }

    /// Whether it is only whole with a swept case's size.
    pub fn needs_size(&self) -> bool {
        matches!(self, Job::Http(http) if http.needs_size())
    }

    /// The job at a size of a swept case; a job without a size stays as it is.
    pub fn at_size(&self, size: u64) -> Self {
        match self {
            Job::Http(http) => Job::Http(http.at_size(size)),
            other => other.clone(),
        }
    }

    /// Where the results of an in-process job are; none of a job that is done over sockets.
    pub fn in_process(&self) -> Option<&Probe> {
        match self {
            Job::Probe(probe) | Job::Pipe(probe) => Some(probe),
            Job::Doubling | Job::Lines { .. } | Job::Http(_) => None,
        }
    }
}

impl Probe {
    /// The file of a case's results at a size, in the workload's folder; `floor`: for the floor contender.
    pub fn file(&self, case: &str, size: Option<u64>, floor: bool) -> String {
        let own = self.floor_reference.as_ref().filter(|_| floor);
        let size = size.map_or_else(String::new, |size| size.to_string());
        let text = own.unwrap_or(&self.reference);
        text.replace("{case}", case).replace("{size}", &size)
    }

    /// The folder of what is offered to a case's contenders, in the workload's; none where they exchange no messages.
    pub fn offered(&self, case: &str) -> Option<String> {
        let folder = self.interop.as_ref()?;
        Some(folder.replace("{case}", case))
    }
}

impl PlacementKind {
    /// All placements.
    pub const ALL: [PlacementKind; 2] = [PlacementKind::OneCore, PlacementKind::AllCores];

    /// The name used in manifests.
    pub fn name(self) -> &'static str {
        match self {
            PlacementKind::OneCore => "one-core",
            PlacementKind::AllCores => "all-cores",
        }
    }
}

impl Workload {
    /// The case of this name.
    pub fn case(&self, name: &str) -> Option<&Case> {
        self.cases.iter().find(|case| case.name == name)
    }
}

impl Case {
    /// How this mode drives the job, if the case has the mode.
    pub fn driving(&self, mode: Mode) -> Option<&Driving> {
        self.drivings.iter().find(|driving| driving.mode == mode)
    }
}
