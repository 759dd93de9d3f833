//! The settings of a run: enough to repeat it, and to decide whether two runs had the same settings.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use crate::ids::ContenderId;
use crate::units::{PerSecond, Seconds};

/// The command that made a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunKind {
    /// `tare run`.
    #[default]
    Run,
    /// `tare explain`: evidence, and no rounds to compare by.
    Explain,
    /// `tare time`.
    Time,
    /// `tare load` of several servers.
    Load,
    /// `tare diff`.
    Diff,
    /// `tare import`.
    Import,
    /// `tare bench`.
    Bench,
}

/// The settings of a run. What does not apply to its kind is left out.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The command that made it.
    pub kind: RunKind,
    /// The longest that it may measure; none: until decided, or until everything requested is measured.
    pub budget: Option<Seconds>,
    /// What counts as equivalent, as a ratio minus one (0.01 for 1%).
    pub margin: Option<f64>,
    /// The error rate: the chance of any false verdict, per arena.
    pub alpha: Option<f64>,
    /// Seed of all random choices.
    pub seed: Option<u64>,
    /// How long an answer, or a run of a command, may take.
    pub timeout: Option<Seconds>,
    /// The largest number of launches, where it was set.
    pub launches: Option<u32>,
    /// Rounds of a launch, where set.
    pub rounds: Option<u32>,
    /// The rate of the cost mode, where set.
    pub rate: Option<PerSecond>,
    /// What was measured, as the repository describes it.
    pub revision: Option<String>,
    /// The revisions that were compared (`tare diff`).
    pub revisions: Option<Revisions>,
    /// How contenders of workloads were chosen and driven (`tare run`).
    pub contenders: Option<ContenderSettings>,
    /// How commands were run (`tare time`, `tare diff -- COMMAND`).
    pub commands: Option<CommandSettings>,
    /// The requests sent to servers (`tare load`).
    pub requests: Option<RequestSettings>,
    /// How benchmarks were chosen, built and judged (`tare bench`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub benchmarks: Option<BenchmarkSettings>,
    /// What is explained (`tare explain` without a run).
    pub explains: Option<Question>,
}

/// Two revisions, as their repository describes them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Revisions {
    /// The earlier one.
    pub before: String,
    /// The later one.
    pub after: String,
}

/// How contenders of workloads were chosen and driven, where options set it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContenderSettings {
    /// Hash of what the contenders must do: manifests of workloads, and folders of services.
    pub manifests: String,
    /// The suites that were measured; none of workloads of which cases were named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suites: Vec<SuiteOf>,
    /// Numbers of connections.
    pub connections: Vec<u32>,
    /// Requests in flight on each connection.
    pub depth: Option<u32>,
    /// Load programs at once, in a batch.
    pub programs: Option<u32>,
    /// The contender's cores.
    pub cores_contender: Option<Vec<u32>>,
    /// The load's cores.
    pub cores_load: Option<Vec<u32>>,
    /// Where the agents listened that drove the load; empty: this machine did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<String>,
    /// The machine that held services, where that was another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_host: Option<String>,
    /// The address of this machine that agents were to reach contenders at, where set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<IpAddr>,
    /// The run that this one continues.
    pub resumes: Option<String>,
    /// Folders of another suite that were measured instead of a lab's workloads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folders: Option<SuiteFolders>,
}

/// Folders of another suite whose implementations were measured.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteFolders {
    /// The lab that was made of them, by the hash of its files.
    pub lab: String,
    /// The folders, as typed: `tfb:frameworks/Go/gin`.
    pub named: Vec<String>,
}

/// A suite of a workload.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteOf {
    /// The workload.
    pub workload: String,
    /// The suite's name.
    pub suite: String,
}

/// How commands were run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandSettings {
    /// Rounds before those that count.
    pub warm_up_rounds: u32,
    /// Runs of each command, where set.
    pub runs: Option<u32>,
    /// The fewest runs of each, even if everything is decided before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_runs: Option<u32>,
    /// The most runs of each, decided or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_runs: Option<u32>,
    /// Commands run once at the end.
    pub cleanup: Vec<String>,
    /// Whether runs that fail count.
    pub failures_ignored: bool,
    /// The environment of the commands.
    pub around: Surroundings,
}

/// The environment of commands. The same command in different surroundings is a different thing, with a separate history.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surroundings {
    /// The shell that reads the command; none: it is started without one.
    pub shell: Option<String>,
    /// The folder of the repository that it was run in, `~` for the user's own folder (`tare diff`).
    pub repository: Option<String>,
    /// The folder that it was run in; of `tare diff`: within the repository.
    pub folder: Option<String>,
    /// Commands run once before the first round.
    pub setup: Vec<String>,
    /// Commands run before each run.
    pub prepare: Vec<String>,
    /// The file of its standard input.
    pub input: Option<String>,
    /// Whether all commands had to print the same.
    pub same_output: bool,
}

/// How benchmarks were chosen, built and judged.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchmarkSettings {
    /// The harnesses that were asked for; empty: all that were found.
    pub harnesses: Vec<String>,
    /// A regular expression of the names that were measured; none: all.
    pub only: Option<String>,
    /// The revision whose benchmarks both sides run, as its repository describes it; none: each side its own.
    pub benchmarks_from: Option<String>,
    /// The most layouts of each side; 1: each side was built once.
    pub layouts: u32,
    /// How many comparisons together are held.
    pub many: Many,
}

/// What is bounded where many benchmarks are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Many {
    /// The false discovery rate: of the changes that are reported, an expected share of at most α is false.
    #[default]
    Discoveries,
    /// The chance of any false one, by α divided among all.
    Family,
}

/// The requests sent to servers, as typed, without secrets and long bodies.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestSettings {
    /// The HTTP method.
    pub method: Option<String>,
    /// Header fields.
    pub headers: Vec<String>,
    /// The request's body.
    pub body: Option<String>,
    /// The line that is sent.
    pub send: Option<String>,
    /// The most bytes of a chunk, where the body is sent in chunks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chunk_size: Option<u32>,
    /// The content codings that are asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub encoding: Vec<String>,
    /// The files of raw requests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub raw: Vec<String>,
    /// What is expected; of several raw requests, one after the other.
    pub expect: Option<String>,
    /// Whether a call is answered with a stream of messages (gRPC).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub server_streaming: bool,
    /// The status that is expected.
    pub status: Option<u16>,
    /// Whether any body is accepted.
    pub any_body: bool,
    /// Whether each body was checked whole, however large.
    pub checked_whole: bool,
    /// Whether each request had a connection of its own.
    pub fresh: bool,
    /// The version of HTTP that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http: Option<String>,
    /// How connections were secured, where options say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tls: Option<TlsSettings>,
}

/// How connections over TLS were secured.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TlsSettings {
    /// Whether any certificate was accepted.
    pub insecure: bool,
    /// The file of the authorities that were trusted.
    pub cacert: Option<String>,
    /// The name that was sent.
    pub sni: Option<String>,
    /// Whether sessions were resumed.
    pub resume: bool,
}

/// The question of an explanation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The workload's name.
    pub workload: String,
    /// The case.
    pub case: String,
    /// The faster contender.
    pub a: ContenderId,
    /// The contender that it is compared with.
    pub b: ContenderId,
}
