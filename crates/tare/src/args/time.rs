//! The options of `tare time`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use tare_model::ids::ContenderId;
use tare_model::settings::{CommandSettings, Surroundings};
use tare_prepare::commands::{self, CommandHints, CommandRules, Numbers, Parameter, Texts};

use crate::clock;
use crate::context;
use crate::values::{Chance, Cores, FailIf, Percent, Span};

/// Whole commands against each other, in interleaved rounds, with a verdict
#[derive(Debug, Clone, Args)]
pub struct TimeArgs {
    /// Commands, each as one word: 'sort data.txt'; through `sh -c` unless -N
    #[arg(value_name = "COMMAND", required = true)]
    pub commands: Vec<String>,
    /// Names for the commands, in their order [default: made of their words]
    #[arg(
        short = 'n',
        long,
        value_name = "A,B,…",
        value_delimiter = ',',
        alias = "command-name"
    )]
    pub names: Vec<ContenderId>,
    /// The command that ratios are against, by name [default: the first]
    #[arg(long, value_name = "A")]
    pub baseline: Option<ContenderId>,
    /// Without a shell: the command is split into words by quotes and backslashes, and nothing is expanded
    #[arg(short = 'N', long, conflicts_with = "shell")]
    pub no_shell: bool,
    /// The shell, called with -c and the command; `none` is -N
    #[arg(short = 'S', long, value_name = "SHELL", default_value = "sh")]
    pub shell: String,
    /// Before each run, not timed: once for all commands, or once for each
    #[arg(short = 'p', long, value_name = "COMMAND")]
    pub prepare: Vec<String>,
    /// Once before a command's first run: once for all, or once for each
    #[arg(short = 's', long, value_name = "COMMAND")]
    pub setup: Vec<String>,
    /// Once after all runs of a command: once for all, or once for each
    #[arg(short = 'c', long, value_name = "COMMAND")]
    pub cleanup: Vec<String>,
    /// A file for standard input, from its beginning in each run [default: empty]
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// Rounds before those that count
    #[arg(short = 'w', long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub warmup: u32,
    /// Exactly this number of runs of each command, decided or not [default: until decided, or the budget is spent]
    #[arg(short = 'r', long, value_name = "N", conflicts_with_all = ["budget", "until"], value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub runs: Option<u32>,
    /// At least this number of runs of each command, even if it is decided before
    #[arg(short = 'm', long, value_name = "N", conflicts_with = "runs", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub min_runs: Option<u32>,
    /// At most this number of runs of each command, decided or not
    #[arg(short = 'M', long, value_name = "N", conflicts_with = "runs", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_runs: Option<u32>,
    /// The longest that it may take, from the first round [default: 1m; one command alone: 5s]
    #[arg(long, value_name = "TIME", alias = "duration", short_alias = 'd')]
    pub budget: Option<Span>,
    /// Go on until every question is decided
    #[arg(long, value_name = "WHAT", value_parser = ["decided"], conflicts_with = "budget")]
    pub until: Option<String>,
    /// What counts as equivalent
    #[arg(long, value_name = "PERCENT", default_value = "1%")]
    pub margin: Percent,
    /// The chance of any false declaration
    #[arg(long, value_name = "PERCENT", default_value = "5%")]
    pub alpha: Chance,
    /// Seed of the order of the rounds [default: the time]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// How long a run, or what is around it, may take before it is ended
    #[arg(long, value_name = "TIME", default_value = "10m")]
    pub timeout: Span,
    /// A command may end with a status other than 0
    #[arg(short = 'i', long)]
    pub ignore_failure: bool,
    /// Every run of every command must write the same to its standard output
    #[arg(long)]
    pub same_output: bool,
    /// Pass what each run writes on to standard error, after the run: to see what goes wrong. Writing it to a file is then
    /// part of each run
    #[arg(long)]
    pub show_output: bool,
    /// The order of the table of runs: as given (`command`), or by their means (`mean-time`)
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Sort::Command)]
    pub sort: Sort,
    /// A parameter, {NAME} in commands: whole numbers are sizes, over which a line is drawn; any other value makes a
    /// command of its own. Ranges: 1..4, 1..9+2, 1..64*2
    #[arg(short = 'L', long, num_args = 2, alias = "parameter-list", value_names = ["NAME", "A,B,…"], action = clap::ArgAction::Append)]
    pub param: Vec<String>,
    /// What the whole numbers of a parameter are: sizes of each command's job, or commands to be compared with each other
    /// [default: sizes]
    #[arg(long, value_enum, value_name = "WHAT", requires = "param")]
    pub param_as: Option<ParamAs>,
    /// Cores of the commands, as 1 or 0,2-3 [default: all]
    #[arg(long, value_name = "CORES")]
    pub cores: Option<Cores>,
    /// A gate: exit status 4 if a command is slower than the baseline (`slower`), or not proven to be no slower
    /// (`not-proven`), or if a figure is beyond a limit ('duration > 2s'); `slower:NAME` for one alone. It may be given several
    /// times: all have to hold
    #[arg(long, value_name = "GATE")]
    pub fail_if: Vec<FailIf>,
    /// Figures to show beside the measured ones, without a verdict: a file of hyperfine's --export-json, commands matched by their text
    #[arg(long, value_name = "FILE")]
    pub beside: Option<PathBuf>,
    #[command(flatten)]
    pub exports: Exports,
}

impl Exports {
    /// The files.
    pub fn paths(&self) -> Vec<&Path> {
        let all = [
            &self.export_md,
            &self.export_csv,
            &self.export_json,
            &self.export_html,
            &self.export_hyperfine,
        ];
        all.into_iter().flatten().map(PathBuf::as_path).collect()
    }
}

impl TimeArgs {
    fn without_shell(&self) -> bool {
        self.no_shell || self.shell == "none"
    }

    /// The commands as they were typed.
    pub fn texts(&self) -> Texts {
        let parameter = |pair: &[String]| Parameter {
            name: pair[0].clone(),
            values: pair[1].split(',').map(str::to_owned).collect(),
        };
        Texts {
            commands: self.commands.clone(),
            names: self.names.clone(),
            // Clap takes two words for each.
            parameters: self.param.chunks_exact(2).map(parameter).collect(),
            numbers: match self.param_as {
                None => Numbers::SizesIfAny,
                Some(ParamAs::Sizes) => Numbers::Sizes,
                Some(ParamAs::Commands) => Numbers::Commands,
            },
        }
    }

    /// How they are run and compared.
    pub fn rules(&self) -> CommandRules {
        CommandRules {
            how: CommandSettings {
                warm_up_rounds: self.warmup,
                runs: self.runs,
                least_runs: self.min_runs,
                most_runs: self.max_runs,
                cleanup: self.cleanup.clone(),
                failures_ignored: self.ignore_failure,
                around: Surroundings {
                    shell: (!self.without_shell()).then(|| self.shell.clone()),
                    repository: None,
                    folder: commands::folder(),
                    setup: self.setup.clone(),
                    prepare: self.prepare.clone(),
                    input: None,
                    same_output: self.same_output,
                },
            },
            input: self.input.clone(),
            timeout: self.timeout.0,
            cores: self.cores.as_ref().map(|cores| cores.0.clone()),
            // A default of `tare.toml` gives way.
            budget: self
                .budget
                .map(|budget| budget.0)
                .filter(|_| self.until.is_none() && self.runs.is_none()),
            until_decided: self.until.is_some(),
            margin: self.margin.0,
            alpha: self.alpha.0,
            seed: self.seed.unwrap_or_else(clock::seed),
            show: self.show_output.then_some(context::pass_on as fn(&Path)),
            hints: CommandHints {
                failed: "where that is meant, such as by grep without a match: --ignore-failure",
                no_program: if self.without_shell() {
                    "-N takes a command's first word for a program; without it, a shell reads all of it"
                } else {
                    "--shell names the one that commands are given to, -N has them run without"
                },
            },
        }
    }
}

/// The order of the table of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Sort {
    #[value(alias = "auto")]
    Command,
    MeanTime,
}

/// The meaning of whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ParamAs {
    Sizes,
    Commands,
}

/// Files to write in addition to what is printed; `-` is standard output.
#[derive(Debug, Clone, Default, Args)]
pub struct Exports {
    /// Tables as Markdown
    #[arg(long, value_name = "FILE", alias = "export-markdown")]
    pub export_md: Option<PathBuf>,
    /// One row for each command and metric
    #[arg(long, value_name = "FILE")]
    pub export_csv: Option<PathBuf>,
    /// The results document
    #[arg(long, value_name = "FILE")]
    pub export_json: Option<PathBuf>,
    /// The report with charts
    #[arg(long, value_name = "FILE", alias = "out")]
    pub export_html: Option<PathBuf>,
    /// What hyperfine's --export-json writes
    #[arg(long, value_name = "FILE")]
    pub export_hyperfine: Option<PathBuf>,
}
