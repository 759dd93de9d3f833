//! Which commands are compared, and how, in plain types.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tare_model::ids::ContenderId;
use tare_model::published::Published;
use tare_model::settings::CommandSettings;

use super::entry::Entries;

/// The commands to compare, and how.
#[derive(Debug, Clone)]
pub struct CommandsRequest {
    /// What the workload is called: `time`, `diff`.
    pub name: String,
    /// One line on what is run, and how.
    pub summary: String,
    /// The commands.
    pub entries: Entries,
    /// What ratios are against; none: the first.
    pub baseline: Option<ContenderId>,
    /// Published figures to show beside the measured ones.
    pub published: Vec<Published>,
    /// How they are run and compared.
    pub rules: CommandRules,
}

/// How commands are run and compared.
#[derive(Debug, Clone)]
pub struct CommandRules {
    /// What results say of how they are run: shell, warm-up, number of runs, commands around them. The floor is a command
    /// that does nothing in the same shell.
    pub how: CommandSettings,
    /// A file for standard input, from its beginning in each run; none: it is empty.
    pub input: Option<PathBuf>,
    /// How long a run may take.
    pub timeout: Duration,
    /// The cores that they run on; none: those of this process.
    pub cores: Option<Vec<u32>>,
    /// The longest that measuring may take; none: what is usual for their number.
    pub budget: Option<Duration>,
    /// Whether to go on until every question is decided, without a budget.
    pub until_decided: bool,
    /// What counts as equivalent, as a share.
    pub margin: f64,
    /// The chance of any false declaration, as a share.
    pub alpha: f64,
    /// Seed of the order of rounds.
    pub seed: u64,
    /// Called after each run with the files of what it wrote; none: that is not shown.
    pub show: Option<fn(&Path)>,
    /// Hints that only the caller knows.
    pub hints: CommandHints,
}

/// Hints that only the caller knows.
#[derive(Debug, Clone, Copy)]
pub struct CommandHints {
    /// For a run that fails.
    pub failed: &'static str,
    /// For a command that has no program.
    pub no_program: &'static str,
}

#[cfg(test)]
impl CommandRules {
    /// Some rules.
    pub(crate) fn for_tests() -> Self {
        Self {
            how: CommandSettings::default(),
            input: None,
            timeout: Duration::from_secs(1),
            cores: None,
            budget: None,
            until_decided: false,
            margin: 0.02,
            alpha: 0.05,
            seed: 7,
            show: None,
            hints: CommandHints {
                failed: "look",
                no_program: "search",
            },
        }
    }
}
