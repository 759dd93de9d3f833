//! The options of `tare bench`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use tare_model::settings::Many;
use tare_prepare::bench::{BenchRequest, BenchRules, BenchmarksFrom, Compared, Given};
use tare_prepare::revisions::Setup;

use crate::clock;
use crate::failure::Failure;
use crate::values::{Chance, Cores, FailIf, Percent, Span};

/// The longest that a command of a build, or a setup, may take by default.
const BUILD: Duration = Duration::from_secs(15 * 60);

/// The benchmarks that a project has (Go, criterion, Google Benchmark, JMH, pytest-benchmark …), each with a verdict
#[derive(Debug, Clone, Args)]
pub struct BenchArgs {
    /// A revision of this git repository, against the working tree; two, as A..B, against each other, with three dots the
    /// second one against the merge base of both; none: the working tree's benchmarks are described
    #[arg(value_name = "REV[..REV]")]
    pub revisions: Option<String>,
    /// Only benchmarks whose names this regular expression matches somewhere
    #[arg(value_name = "NAMES", conflicts_with = "only")]
    pub names: Option<String>,
    /// The same where no revision is given
    #[arg(long, value_name = "NAMES")]
    pub only: Option<String>,
    /// Only these harnesses [default: all that are found]
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub harness: Vec<String>,
    /// A program with benchmarks that is built already, and what to call it; two: the earlier and the later one; with
    /// revisions: a program of each tree
    #[arg(long, value_name = "[NAME=]PATH")]
    pub exe: Vec<Exe>,
    /// Whose benchmarks (files of tests, inputs) both sides run: those of a revision, or `each` its own [default: those of the
    /// later side]
    #[arg(long, value_name = "REV|each", requires = "revisions")]
    pub benchmarks_from: Option<String>,
    /// Judge benchmarks whose own source differs between the sides, too
    #[arg(long)]
    pub rewritten: bool,
    /// Run once in each tree before anything is built, through `sh`; skipped where nothing has changed since it was last run
    /// there
    #[arg(long, value_name = "COMMAND", requires = "revisions")]
    pub setup: Option<String>,
    /// The most layouts in memory of each side, each linked anew, where the toolchain can [default: 1]
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true, value_parser = layouts)]
    pub layouts: u32,
    /// Bound the chance of any false verdict, instead of the share of false ones among what is called slower or faster
    #[arg(long)]
    pub family: bool,
    /// The longest that measuring may take, without builds
    #[arg(
        long,
        value_name = "TIME",
        default_value = "10m",
        alias = "duration",
        short_alias = 'd'
    )]
    pub budget: Span,
    /// Go on until every benchmark is decided
    #[arg(long, value_name = "WHAT", value_parser = ["decided"], conflicts_with = "budget")]
    pub until: Option<String>,
    /// What counts as equivalent
    #[arg(long, value_name = "PERCENT", default_value = "1%")]
    pub margin: Percent,
    /// What is bounded over all benchmarks: see --family
    #[arg(long, value_name = "PERCENT", default_value = "5%")]
    pub alpha: Chance,
    /// Seed of the order of the rounds [default: the time]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How long one sample may take
    #[arg(long, value_name = "TIME", default_value = "1m")]
    pub timeout: Span,
    /// Cores of the benchmarks, as 1 or 0,2-3 [default: all]
    #[arg(long, value_name = "CORES")]
    pub cores: Option<Cores>,
    /// Build and list the benchmarks, and which side has them; measure nothing
    #[arg(long, conflicts_with_all = ["fail_if", "comment", "out", "changed_only"])]
    pub list: bool,
    /// Build, take some samples, and print what would be measured and how long that takes; keep nothing
    #[arg(long, conflicts_with_all = ["list", "fail_if", "comment", "out", "changed_only"])]
    pub plan: bool,
    /// Print what is slower and what is faster; the others are counted
    #[arg(long)]
    pub changed_only: bool,
    /// A gate: exit status 4 if a benchmark is slower, or one is not proven to be no slower. It may be given several times: all
    /// have to hold
    #[arg(long, value_name = "slower|not-proven", value_parser = gate)]
    pub fail_if: Vec<FailIf>,
    /// A comment for a pull request, as Markdown (also `--format md`)
    #[arg(long, value_name = "FILE")]
    pub comment: Option<PathBuf>,
    /// Where to write the HTML report
    #[arg(long, value_name = "PATH", alias = "export-html")]
    pub out: Option<PathBuf>,
}

/// Layouts of a side: one, or as many launches as a verdict takes, since each is measured in one launch.
fn layouts(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(2) => Err(
            "each layout is one launch, and a verdict takes three: expected 1, or 3 and more (8 as a rule)"
                .to_owned(),
        ),
        Ok(count @ 1..=64) => Ok(count),
        _ => Err("expected a number from 1 to 64".to_owned()),
    }
}

/// A gate on benchmarks is about verdicts: they have no figure in common that a limit could be of.
fn gate(text: &str) -> Result<FailIf, String> {
    let gate = super::gate(text)?;
    match gate.limit {
        Some(_) => Err(
            "a limit is for figures of one kind, and benchmarks differ: expected slower or not-proven"
                .to_owned(),
        ),
        None => Ok(gate),
    }
}

/// A program that is built already, and what it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exe {
    name: String,
    path: PathBuf,
}

impl Exe {
    /// Its path, for readers.
    pub fn path(&self) -> String {
        self.path.display().to_string()
    }
}

impl FromStr for Exe {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, path) = match text.split_once('=') {
            Some((name, path)) => (name, path),
            None => {
                let name = text.rsplit('/').next().unwrap_or(text);
                (name, text)
            }
        };
        if name.is_empty() || path.is_empty() {
            return Err("expected PATH or NAME=PATH, as in new=./words.test".to_owned());
        }
        Ok(Self {
            name: name.to_owned(),
            path: path.into(),
        })
    }
}

impl BenchArgs {
    /// The request that the options make.
    pub fn request(&self) -> Result<BenchRequest, Failure> {
        Ok(BenchRequest {
            compared: self.compared()?,
            harnesses: self.harness.clone(),
            only: self.names.clone().or_else(|| self.only.clone()),
            rewritten: self.rewritten,
            rules: BenchRules {
                layouts: self.layouts,
                budget: self.until.is_none().then_some(self.budget.0),
                margin: self.margin.0,
                alpha: self.alpha.0,
                many: if self.family {
                    Many::Family
                } else {
                    Many::Discoveries
                },
                seed: self.seed.unwrap_or_else(clock::seed),
                timeout: self.timeout.0,
                build_timeout: BUILD,
                cores: self.cores.as_ref().map(|cores| cores.0.clone()),
            },
        })
    }

    fn compared(&self) -> Result<Compared, Failure> {
        let mut given: Vec<Given> = self.exe.iter().map(given).collect();
        if given.len() > 2 {
            let count = given.len();
            let error = Failure::usage(format!("--exe is given {count} times: two programs are compared"));
            return Err(error.hint("the earlier one first, then the later one"));
        }
        match (&self.revisions, given.len()) {
            (Some(_), 2) => Err(Failure::usage(
                "two programs and revisions: it is not clear what is to be compared",
            )
            .hint("either revisions and at most one --exe, a program of each tree; or --exe twice alone")),
            (Some(revisions), _) => Ok(Compared::Revisions {
                revisions: revisions.clone(),
                from: self.from(),
                setup: self.setup.clone().map(|command| Setup {
                    command,
                    timeout: BUILD,
                    rebuild: false,
                }),
                program: given.pop(),
            }),
            (None, 2) => Ok(Compared::Programs(given)),
            (None, _) => Ok(Compared::Here { program: given.pop() }),
        }
    }

    fn from(&self) -> BenchmarksFrom {
        match self.benchmarks_from.as_deref() {
            None => BenchmarksFrom::Later,
            Some("each") => BenchmarksFrom::Each,
            Some(revision) => BenchmarksFrom::Revision(revision.to_owned()),
        }
    }
}

fn given(exe: &Exe) -> Given {
    Given {
        name: exe.name.clone(),
        path: exe.path.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_called_by_its_file_unless_it_has_a_name() {
        let exe = |text: &str| text.parse::<Exe>().map(|exe| (exe.name, exe.path));
        assert_eq!(exe("new=./a=b"), Ok(("new".into(), "./a=b".into())));
        assert_eq!(
            exe("out/words.test"),
            Ok(("words.test".into(), "out/words.test".into()))
        );
        for bad in ["", "=x", "x="] {
            assert!(exe(bad).is_err(), "{bad}");
        }
    }
}
