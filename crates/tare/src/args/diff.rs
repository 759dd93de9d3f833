//! The options of `tare diff`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tare_model::settings::{CommandSettings, Surroundings};
use tare_prepare::Request;
use tare_prepare::commands::{CommandHints, CommandRules};
use tare_prepare::revisions::{CommandDiff, Setup};

use crate::clock;
use crate::values::{Chance, FailIf, Percent, Span};

/// The longest that a run of a command or its setup may take by default.
const USUAL: Duration = Duration::from_secs(15 * 60);

/// Rounds of a command before those that count.
const WARM_UP: u32 = 1;

/// Two revisions of a contender, or of a command, against each other: a gate for a change
#[derive(Debug, Clone, Args)]
pub struct DiffArgs {
    /// A revision of this git repository, against the working tree; two, as A..B, against each other, with three dots the
    /// second one against the merge base of both
    #[arg(value_name = "REV[..REV]")]
    pub revisions: String,
    /// A contender of the lab, or an implementation in a checkout of FrameworkBenchmarks or HttpArena: `tfb:DIR`,
    /// `httparena:DIR:NAME`
    #[arg(value_name = "WORKLOAD/CONTENDER", conflicts_with = "command")]
    pub contender: Option<String>,
    /// A command, run in both trees as `tare time -N` does
    #[arg(value_name = "COMMAND", last = true)]
    pub command: Vec<String>,
    /// Of a command: run once in each tree before it is measured, through `sh`, such as `cargo build --release`; skipped
    /// where nothing has changed since it was last run there
    #[arg(long, value_name = "COMMAND", requires = "command")]
    pub setup: Option<String>,
    /// How long the --setup of one side may take [default: 15m]
    #[arg(long, value_name = "TIME", requires = "setup")]
    pub setup_timeout: Option<Span>,
    /// Run the --setup although nothing has changed: for what it depends on beside the files, such as a new compiler
    #[arg(long, requires = "setup")]
    pub rebuild: bool,
    /// Of a command: before each run, in its tree, not timed, through `sh`
    #[arg(short = 'p', long, value_name = "COMMAND", requires = "command")]
    pub prepare: Option<String>,
    /// Of a command: a file for standard input, from its beginning in each run [default: empty]
    #[arg(long, value_name = "FILE", requires = "command")]
    pub input: Option<PathBuf>,
    /// Of a command: every run in both trees must write the same to its standard output
    #[arg(long, requires = "command")]
    pub same_output: bool,
    /// The cases to measure the contender in [default: all that it takes part in]
    #[arg(long, visible_aliases = ["test", "profile"], value_name = "CASE,…", value_delimiter = ',')]
    pub case: Vec<String>,
    /// The longest that it may take, without builds [default: 10m; of a command: 1m]
    #[arg(long, value_name = "TIME", alias = "duration", short_alias = 'd')]
    pub budget: Option<Span>,
    /// Go on until every question is decided
    #[arg(long, value_name = "WHAT", value_parser = ["decided"], conflicts_with = "budget")]
    pub until: Option<String>,
    /// Of a contender: the highest number of launches (1: verdicts are provisional)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub launches: Option<u32>,
    /// Of a contender: rounds of a launch
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub rounds: Option<u32>,
    /// Of a command: exactly this number of runs in each tree
    #[arg(long, value_name = "N", requires = "command", conflicts_with_all = ["budget", "until"], value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub runs: Option<u32>,
    /// What counts as equivalent
    #[arg(long, value_name = "PERCENT", default_value = "1%")]
    pub margin: Percent,
    /// The chance of any false declaration, per case
    #[arg(long, value_name = "PERCENT", default_value = "5%")]
    pub alpha: Chance,
    /// Seed of the order of the rounds [default: the time]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How long an answer, or a run of a command, may take [default: 10s; of a command: 15m]
    #[arg(long, value_name = "TIME")]
    pub timeout: Option<Span>,
    /// Install what the contender needs
    #[arg(long)]
    pub install: bool,
    /// A gate: exit status 4 if the later revision is slower (`slower`), or not proven to be no slower (`not-proven`), or if
    /// one of its figures is beyond a limit ('duration > 2s'). It may be given several times: all have to hold
    #[arg(long, value_name = "GATE", value_parser = super::gate)]
    pub fail_if: Vec<FailIf>,
    /// A comment for a pull request, as Markdown (also `--format md`)
    #[arg(long, value_name = "FILE")]
    pub comment: Option<PathBuf>,
    /// Where to write the HTML report
    #[arg(long, value_name = "PATH", alias = "export-html")]
    pub out: Option<PathBuf>,
}

impl DiffArgs {
    /// The request for the two revisions of a contender.
    pub fn request(&self) -> Request {
        let usual = Request::default();
        let budget = self.budget.map_or(usual.budget, |budget| Some(budget.0));
        Request {
            install: self.install,
            budget: budget.filter(|_| self.until.is_none()),
            rounds: self.rounds,
            launches: self.launches,
            margin: self.margin.0,
            alpha: self.alpha.0,
            seed: self.seed.unwrap_or_else(clock::seed),
            timeout: self.timeout.map_or(usual.timeout, |timeout| timeout.0),
            ..usual
        }
    }

    /// The request for a command at the two revisions.
    pub fn command_request(&self) -> CommandDiff {
        let or_usual = |time: Option<Span>| time.map_or(USUAL, |time| time.0);
        CommandDiff {
            argv: self.command.clone(),
            setup: self.setup.clone().map(|command| Setup {
                command,
                timeout: or_usual(self.setup_timeout),
                rebuild: self.rebuild,
            }),
            rules: CommandRules {
                how: CommandSettings {
                    warm_up_rounds: WARM_UP,
                    runs: self.runs,
                    around: Surroundings {
                        prepare: self.prepare.iter().cloned().collect(),
                        same_output: self.same_output,
                        ..Surroundings::default()
                    },
                    ..CommandSettings::default()
                },
                input: self.input.clone(),
                timeout: or_usual(self.timeout),
                cores: None,
                // A default of `tare.toml` gives way.
                budget: self
                    .budget
                    .map(|budget| budget.0)
                    .filter(|_| self.until.is_none() && self.runs.is_none()),
                until_decided: self.until.is_some(),
                margin: self.margin.0,
                alpha: self.alpha.0,
                seed: self.seed.unwrap_or_else(clock::seed),
                show: None,
                hints: CommandHints {
                    failed: "run it in the tree of that side to see why; the earlier one's is in .tare/worktrees/",
                    no_program: "what has to be built first: --setup 'cargo build --release'; for a shell: -- sh -c '…'",
                },
            },
        }
    }
}
