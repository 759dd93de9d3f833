//! Options that several commands have: one definition each, from which parsing, help and completions come. Options of a
//! single command are in its file, or where they are many, in a file here.

mod bench;
mod diff;
pub mod foreign;
mod hosts;
mod load;
mod named;
mod on;
pub mod taken;
mod time;

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, ValueEnum};
use tare_model::ids::{ContenderId, Selector};
use tare_prepare::suites::Foreign;
use tare_report::format::Format;
use tare_report::formats;

use crate::failure::Failure;
use crate::values::{Cores, FailIf, Rate, Span};

pub use bench::{BenchArgs, Exe};
pub use diff::DiffArgs;
pub use hosts::{HostOptions, listens};
pub use load::LoadArgs;
pub use named::{FolderWord, Named};
pub use on::ClusterOptions;
pub use time::{Exports, Sort, TimeArgs};

#[derive(Debug, Clone, Args)]
pub struct Common {
    /// The lab's folder: workloads/, languages/ and the results in .tare/ [default: the nearest folder upwards
    /// that has workloads/]
    #[arg(short = 'C', long = "directory", value_name = "DIR", global = true)]
    pub directory: Option<PathBuf>,
    /// Data for people or for programs
    #[arg(long, value_parser = one_of(formats::ALL.to_vec()), default_value = formats::ALL[0].name, global = true)]
    pub format: &'static Format,
    /// Print less: no progress, no hints
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Print more: each step as it happens
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Colours (nothing is shown by colour alone)
    #[arg(long, value_enum, default_value_t = Color::Auto, global = true)]
    pub color: Color,
}

/// The long names of the options of [`Common`].
pub const EVERYWHERE: [&str; 5] = ["directory", "format", "quiet", "verbose", "color"];

/// The option `--format` of a command that has these formats, of which the first is the default. It takes the place of the
/// one that all commands share.
pub fn format(formats: Vec<&'static Format>) -> Arg {
    let first = formats[0].name;
    Arg::new("format")
        .long("format")
        .value_name("FORMAT")
        .help("Data for people or for programs")
        .default_value(first)
        .value_parser(one_of(formats))
}

/// One of these formats by its name.
fn one_of(formats: Vec<&'static Format>) -> impl TypedValueParser<Value = &'static Format> {
    let names: Vec<&str> = formats.iter().map(|format| format.name).collect();
    let named = move |name: String| formats.iter().copied().find(|format| format.name == name);
    PossibleValuesParser::new(names).try_map(move |name| named(name).ok_or("there is no such format"))
}

/// The gate of a comparison of two revisions: it is about the later one, and takes no name.
fn gate(text: &str) -> Result<FailIf, String> {
    let gate: FailIf = text.parse()?;
    match gate.name {
        Some(name) => Err(format!(
            "the gate of a diff is about the later revision, so leave out `:{name}`: expected slower or not-proven, or a \
             limit"
        )),
        None => Ok(gate),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Never,
    Always,
}

/// How contenders are loaded, and where.
#[derive(Debug, Clone, Args)]
pub struct LoadOptions {
    /// Requests a second for every contender (cost) [default: half of what the slowest sustains]
    #[arg(long, value_name = "R")]
    pub rate: Option<Rate>,
    /// Requests in flight on a connection
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub pipeline: Option<u32>,
    /// Cores of the contender, as 1 or 0,2-3
    #[arg(long, value_name = "CORES")]
    pub cores_contender: Option<Cores>,
    /// Cores of the load; with --hosts those of each machine that drives it
    #[arg(long, value_name = "CORES")]
    pub cores_load: Option<Cores>,
    /// Seed of the order of the rounds and of what is sent [default: the time]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How long an answer may take before it is lost
    #[arg(long, value_name = "TIME", default_value = "10s")]
    pub timeout: Span,
}

#[derive(Debug, Clone, Args)]
pub struct Choice {
    /// Workloads, or cases of them; none: every workload of the lab (run: its tour). Or folders of FrameworkBenchmarks or
    /// HttpArena, as they are or at a revision, whole or one implementation: `tfb:DIR`, `tfb:DIR:NAME`, `httparena:DIR@REV`
    #[arg(value_name = "WORKLOAD[/CASE]")]
    pub workloads: Vec<Named>,
    /// Of folders of another suite: only these tests (`json`), or profiles (`baseline`)
    #[arg(
        long = "test",
        visible_alias = "profile",
        value_name = "NAME,…",
        value_delimiter = ','
    )]
    pub tests: Vec<String>,
    /// The suite of each workload: its cases and contenders (`tare list suites`; `full`: every case)
    #[arg(long, value_name = "NAME")]
    pub suite: Option<String>,
    /// Only these contenders (`node`, or a variant: `haskell-conduit@all`)
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub only: Vec<ContenderId>,
    /// All contenders except these
    #[arg(long, value_name = "A,…", value_delimiter = ',')]
    pub except: Vec<ContenderId>,
    /// Install what is missing (Debian packages as root; tools into .tare/)
    #[arg(long)]
    pub install: bool,
}

impl Choice {
    /// The workloads of the lab.
    fn own(&self) -> Vec<Selector> {
        let own = |named: &Named| match named {
            Named::Workload(selector) => Some(selector.clone()),
            Named::Folder(_) => None,
        };
        self.workloads.iter().filter_map(own).collect()
    }

    /// The folders of other suites, as typed.
    pub fn folders(&self) -> Vec<&FolderWord> {
        fn folder(named: &Named) -> Option<&FolderWord> {
            match named {
                Named::Folder(folder) => Some(folder),
                Named::Workload(_) => None,
            }
        }
        self.workloads.iter().filter_map(folder).collect()
    }

    /// The folders of other suites that are measured instead of a lab's workloads; empty: it is about a lab.
    pub fn foreign(&self) -> Result<Vec<Foreign>, Failure> {
        let folders = self.folders();
        if folders.is_empty() {
            return match self.tests.first() {
                Some(test) => Err(
                    Failure::usage(format!("--test {test} is for folders of another suite")).hint(format!(
                        "`tare run http/{test}` is a case of a lab; `tare run tfb:DIR --test {test}`"
                    )),
                ),
                None => Ok(Vec::new()),
            };
        }
        if let Some(own) = self.own().first() {
            return Err(Failure::usage(format!(
                "`{own}` is of the lab, and `{}` of another suite: they are not compared in one run",
                folders[0].word
            )));
        }
        Ok(folders.into_iter().map(FolderWord::foreign).collect())
    }

    /// What it selects.
    pub fn choice(&self) -> tare_prepare::Choice {
        tare_prepare::Choice {
            workloads: self.own(),
            suite: self.suite.clone(),
            only: self.only.clone(),
            except: self.except.clone(),
        }
    }
}
