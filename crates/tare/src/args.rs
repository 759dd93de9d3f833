//! What may be typed: one definition per option, from which parsing, help and completions come.

mod diff;
mod load;
mod time;

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use tare_model::ids::{ContenderId, Selector};
use tare_model::metric::Mode;
use tare_report::format::Format;
use tare_report::formats;

use crate::values::{Chance, Percent, Rate, Span};

pub use diff::DiffArgs;
pub use load::LoadArgs;
pub use time::{Exports, ParamAs, TimeArgs};

/// Tare weighs software: contenders written in any language do the same job side by side on this machine, and
/// Tare says who is faster, by how much, and how sure it is.
#[derive(Debug, Parser)]
#[command(
    name = "tare",
    version,
    propagate_version = true,
    disable_help_subcommand = true
)]
#[command(after_help = EXIT_STATUS)]
pub struct Cli {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_STATUS: &str = "\
Exit status:
  0    done, decided or not, without a fault (a skipped contender is no fault)
  1    something outside failed: a build, a start; said with its hint
  2    wrong usage, or a manifest that is wrong
  3    a contender gave a wrong answer, lost a request, died or hung while measured
  4    a gate did not hold (--fail-if)
  130  interrupted; everything measured so far is kept";

#[derive(Debug, Clone, Args)]
pub struct Common {
    /// The lab's folder: workloads/, languages/ and the results in .tare/ [default: the nearest folder upwards
    /// that has workloads/]
    #[arg(short = 'C', long = "directory", value_name = "DIR", global = true)]
    pub directory: Option<PathBuf>,
    /// Data for people or for programs
    #[arg(long, value_parser = format(), default_value = formats::ALL[0].name, global = true)]
    pub format: &'static Format,
    /// Say less: no progress, no hints
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Say more: each step as it happens
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Colours (nothing is told by colour alone)
    #[arg(long, value_enum, default_value_t = Color::Auto, global = true)]
    pub color: Color,
}

/// One of the formats by its name.
fn format() -> impl TypedValueParser<Value = &'static Format> {
    let named = |name: String| formats::ALL.iter().copied().find(|format| format.name == name);
    PossibleValuesParser::new(formats::ALL.iter().map(|format| format.name))
        .try_map(move |name| named(name).ok_or("there is no such format"))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Never,
    Always,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Build, start, check, warm up and measure contenders in interleaved rounds until every question is answered
    Run(RunArgs),
    /// Build and start contenders and check their answers; no timing
    Check(CheckArgs),
    /// List workloads, contenders, services or stored runs
    List(ListArgs),
    /// Show how a workload, a contender or a service resolves, and where each value comes from; or a stored run
    Show(ShowArgs),
    /// Write the report of a stored run
    Report(ReportArgs),
    /// Say why one contender is not as fast as another: where its time goes, and how much of the gap that explains
    Explain(ExplainArgs),
    /// Read a results.json of FrameworkBenchmarks into the store, to show its figures beside others
    Import(ImportArgs),
    /// Load a server that is already running: throughput, latency, errors, every answer checked
    Load(LoadArgs),
    /// Whole commands against each other, in interleaved rounds, with a verdict
    Time(TimeArgs),
    /// Two revisions of a contender, or of a command, against each other: a gate for a change
    Diff(DiffArgs),
    /// One contender over the stored runs of one machine (that of the newest), with changes of level
    History(HistoryArgs),
    /// Stored runs as a folder of static files, with filters, that needs no server
    Site(SiteArgs),
    /// Say what the contenders need that is missing here; with --install, install it
    Setup(SetupArgs),
    /// Say what can be measured on this machine, how exactly, and what to do about the rest
    Doctor(DoctorArgs),
    /// Make a folder for a new workload or contender, ready to run
    New(NewArgs),
    /// Completions for a shell, on standard output
    Completions { shell: clap_complete::Shell },
    /// A man page for each command, into a folder
    Man {
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// End everything of a tare that dies (started by tare itself)
    #[command(name = "__guard", hide = true)]
    Guard,
    /// Be one of the two processes of the doctor's A/A test (started by tare itself)
    #[command(name = "__aa", hide = true)]
    Aa(AaArgs),
    /// Start a CGI program for each request (started by tare itself)
    #[command(name = "__forker", hide = true)]
    Forker(ForkerArgs),
}

#[derive(Debug, Clone, Args)]
pub struct DoctorArgs {
    /// Look, and measure nothing
    #[arg(long)]
    pub quick: bool,
    /// How long to measure; with the rest a few seconds more
    #[arg(long, value_name = "TIME", default_value = "50s", conflicts_with = "quick")]
    pub time: Span,
}

#[derive(Debug, Clone, Args)]
pub struct AaArgs {
    #[arg(value_enum)]
    pub role: AaRole,
    pub port: Option<u16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AaRole {
    Probe,
    Serve,
}

#[derive(Debug, Clone, Args)]
pub struct ForkerArgs {
    /// The program, and the variables that it gets
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<std::ffi::OsString>,
}

#[derive(Debug, Clone, Args)]
pub struct Choice {
    /// Workloads, or cases of them; none: every workload of the lab
    #[arg(value_name = "WORKLOAD[/CASE]")]
    pub workloads: Vec<Selector>,
    /// Only these contenders (`node`, or a variant: `haskell-conduit@all`)
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub only: Vec<ContenderId>,
    /// All contenders but these
    #[arg(long, value_name = "A,…", value_delimiter = ',')]
    pub except: Vec<ContenderId>,
    /// Install what is missing (Debian packages as root; tools into .tare/)
    #[arg(long)]
    pub install: bool,
}

#[derive(Debug, Clone, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub choice: Choice,
    /// The contender that ratios are against
    #[arg(long, value_name = "A")]
    pub baseline: Option<ContenderId>,
    /// How long at the most, from the first start (builds apart)
    #[arg(long, value_name = "TIME", default_value = "10m")]
    pub budget: Span,
    /// No end but that every question is decided
    #[arg(long, value_name = "WHAT", value_parser = ["decided"], conflicts_with = "budget")]
    pub until: Option<String>,
    /// Rounds of a launch [default: 20; of a batch 4; with --launches 1 until decided]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub rounds: Option<u32>,
    /// At most so many fresh starts (1: verdicts are provisional)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub launches: Option<u32>,
    /// What counts as equivalent
    #[arg(long, value_name = "PERCENT", default_value = "1%")]
    pub margin: Percent,
    /// The chance of any false declaration, per workload, case and metric
    #[arg(long, value_name = "PERCENT", default_value = "5%")]
    pub alpha: Chance,
    /// The scale: all they can take, one rate for all, or a fixed job [default: as the case says]
    #[arg(long, value_name = "MODE", value_delimiter = ',')]
    pub mode: Vec<Mode>,
    /// Requests a second for every contender (cost) [default: half of what the slowest can take]
    #[arg(long, value_name = "R")]
    pub rate: Option<Rate>,
    /// Connections; several levels: each contender's best is chosen in a pilot (capacity)
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub connections: Vec<u32>,
    /// Requests in flight on a connection
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub pipeline: Option<u32>,
    /// Load programs at once (batch)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    pub programs: Option<u32>,
    /// Cores of the contender, as 1 or 0,2-3
    #[arg(long, value_name = "CORES")]
    pub cores_contender: Option<crate::values::Cores>,
    /// Cores of the load
    #[arg(long, value_name = "CORES")]
    pub cores_load: Option<crate::values::Cores>,
    /// Seed of the order of the rounds and of what is sent [default: the time]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How long an answer may take before it is lost
    #[arg(long, value_name = "TIME", default_value = "10s")]
    pub timeout: Span,
    /// A gate: exit status 4 if a contender is slower than the baseline, or not proven to be no slower
    #[arg(long, value_name = "slower[:NAME]|not-proven[:NAME]")]
    pub fail_if: Option<crate::values::FailIf>,
    /// Add launches to what a stored run has: the same contenders, cases, load, margin and α, as a new run
    #[arg(long, value_name = "RUN", conflicts_with_all = ["workloads", "only", "except", "baseline", "mode", "rate", "connections", "pipeline", "programs", "margin", "alpha"])]
    pub resume: Option<String>,
    /// Where to write the HTML report [default: .tare/reports/RUN.html]
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Clone, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    pub choice: Choice,
}

#[derive(Debug, Clone, Args)]
pub struct ListArgs {
    #[arg(value_enum, default_value_t = Listed::Workloads)]
    pub what: Listed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Listed {
    Workloads,
    Contenders,
    Services,
    Runs,
}

#[derive(Debug, Clone, Args)]
pub struct ShowArgs {
    /// A workload, a contender of one, a service, or a run's id (`latest`, or its beginning)
    #[arg(value_name = "WORKLOAD[/CONTENDER] | services/SERVICE | RUN")]
    pub what: String,
}

#[derive(Debug, Clone, Args)]
pub struct ReportArgs {
    /// The run's id, or its beginning
    #[arg(value_name = "RUN", default_value = "latest")]
    pub run: String,
    /// An imported run whose figures are shown beside this one's
    #[arg(long, value_name = "RUN", value_delimiter = ',')]
    pub beside: Vec<String>,
    /// Where to write it (svg: a folder) [default: standard output; html and svg: .tare/reports/]
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Clone, Args)]
pub struct SiteArgs {
    /// Where to write it
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Stores to take runs from, of one machine or several [default: this lab's]
    #[arg(long, value_name = "FILE")]
    pub store: Vec<PathBuf>,
    /// Only these runs: ids, their beginnings, or `latest`
    #[arg(long, value_name = "RUN,…", value_delimiter = ',')]
    pub runs: Vec<String>,
    /// Of each store the newest so many, where none are named
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub last: u32,
}

#[derive(Debug, Clone, Args)]
pub struct HistoryArgs {
    #[arg(value_name = "WORKLOAD/CONTENDER")]
    pub contender: String,
    /// Only this case
    #[arg(long)]
    pub case: Option<String>,
    /// Of the newest so many runs of the workload
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub last: u32,
    /// Charts as SVG files into this folder
    #[arg(long, value_name = "DIR")]
    pub svg: Option<PathBuf>,
}

#[derive(Debug, Clone, Args)]
pub struct ExplainArgs {
    /// A case, or a workload (its first case that has both); or a stored run, whose report will carry the explanation
    #[arg(value_name = "WORKLOAD[/CASE] | RUN")]
    pub what: String,
    /// The one that the way begins at
    #[arg(value_name = "A")]
    pub a: ContenderId,
    /// The one that it leads to
    #[arg(value_name = "B")]
    pub b: ContenderId,
    /// How long at the most, from the first start (builds apart)
    #[arg(long, value_name = "TIME", default_value = "60s")]
    pub budget: Span,
    /// At most so many rounds, each with up to three slices of each contender [default: what the budget holds]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub rounds: Option<u32>,
    /// The scale [default: the case's first]
    #[arg(long, value_name = "MODE")]
    pub mode: Option<Mode>,
    /// At which size, where the case is measured over sizes [default: the largest]
    #[arg(long, value_name = "N")]
    pub size: Option<u64>,
    /// Connections
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub connections: Option<u32>,
    /// Requests in flight on a connection
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub pipeline: Option<u32>,
    /// Requests a second for every contender (cost) [default: half of what the slowest can take]
    #[arg(long, value_name = "R")]
    pub rate: Option<Rate>,
    /// Cores of the contender, as 1 or 0,2-3
    #[arg(long, value_name = "CORES")]
    pub cores_contender: Option<crate::values::Cores>,
    /// Cores of the load
    #[arg(long, value_name = "CORES")]
    pub cores_load: Option<crate::values::Cores>,
    /// Seed of the order of the rounds and of what is sent [default: the time]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How long an answer may take before it is lost
    #[arg(long, value_name = "TIME", default_value = "10s")]
    pub timeout: Span,
    /// Install what is missing (Debian packages as root; tools into .tare/)
    #[arg(long)]
    pub install: bool,
    /// Where to write the HTML report [default: .tare/reports/RUN.html]
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Clone, Args)]
pub struct ImportArgs {
    /// A results.json of FrameworkBenchmarks
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

#[derive(Debug, Clone, Args)]
pub struct SetupArgs {
    /// Workloads; none: all
    #[arg(value_name = "WORKLOAD")]
    pub workloads: Vec<Selector>,
    /// Install what is missing (Debian packages as root; tools into .tare/)
    #[arg(long)]
    pub install: bool,
}

#[derive(Debug, Clone, Args)]
pub struct NewArgs {
    #[arg(value_enum)]
    pub what: NewWhat,
    /// Its folder: `workloads/NAME`, or `workloads/NAME/contenders/CONTENDER`
    #[arg(value_name = "PATH")]
    pub path: PathBuf,
    /// The contender's language
    #[arg(long, default_value = "python")]
    pub language: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum NewWhat {
    Workload,
    Contender,
}
