//! A plan for whole commands, and its parts.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tare_host::command::CommandSpec;
use tare_host::groups::Grouping;
use tare_host::revisions::Repository;
use tare_host::{interrupt, machine};
use tare_lab::plan::{Group, ModePlan, Plan, Rules};
use tare_model::ids::ContenderId;
use tare_model::manifest::{ModeDriving, Sweep};
use tare_model::metric::{Metric, Mode};
use tare_model::placement::Placement;
use tare_model::published::Published;
use tare_model::record::EntrantRecord;
use tare_model::results::Machine;
use tare_model::subject::Subject;
use tare_model::units::Seconds;
use tare_rig::commands::{CommandRig, Output, Recipe};

use crate::error::{PrepareError, Result};
use crate::pace::Pace;

/// The commands to compare, and by which rules.
#[derive(Debug, Clone)]
pub struct Commands {
    /// What the workload is called: `time`, `diff`.
    pub name: String,
    /// One line on what is run, and how.
    pub summary: String,
    /// The commands; the floor last.
    pub entrants: Vec<EntrantRecord>,
    /// The command that does nothing.
    pub floor: Option<ContenderId>,
    /// What ratios are against.
    pub baseline: ContenderId,
    /// The sizes that each is run at.
    pub sweep: Option<Sweep>,
    /// Published figures to show beside the measured ones.
    pub published: Vec<Published>,
    /// Rounds before those that count.
    pub warm_up: u32,
    /// The chance of any false declaration, as a share.
    pub alpha: f64,
    /// What counts as equivalent, as a share.
    pub margin: f64,
    /// Seed of the order of rounds.
    pub seed: u64,
}

impl Commands {
    /// The plan; `pace` follows from how long the commands take.
    pub fn plan(self, pace: &Pace) -> Plan {
        let driving = ModeDriving {
            mode: Mode::Command,
            primary: Metric::Duration,
            connections: vec![1],
            depth: 1,
            programs: 1,
            requests: pace.runs_in_slice,
        };
        let rules = Rules {
            budget: pace.budget.map(Seconds::from_duration),
            launches: pace.launches,
            rounds: Some(pace.rounds),
            alpha: self.alpha,
            margin: self.margin,
            seed: self.seed,
            whole: pace.launches.is_some(),
            ..Rules::default()
        };
        let rounds = if pace.rounds == 1 {
            "one round".to_owned()
        } else {
            format!("{} rounds", pace.rounds)
        };
        let group = Group {
            workload: self.name,
            summary: self.summary,
            case: "commands".to_owned(),
            case_summary: format!("Each run is a process of its own, so a launch is a block of {rounds}"),
            in_process: false,
            awake: false,
            placement: Placement {
                contender: machine::cores(),
                ..Placement::default()
            },
            floor: self.floor,
            baseline: Some(self.baseline),
            entrants: self.entrants,
            warm_up: driving.clone(),
            warm_up_rounds: Some(self.warm_up),
            modes: vec![ModePlan {
                driving,
                rate: None,
                published: self.published,
                claims: Vec::new(),
            }],
            sweep: self.sweep,
            prior: Vec::new(),
        };
        Plan {
            groups: vec![group],
            rules,
        }
    }
}

/// The machine, as results of commands describe it.
pub fn machine(grouping: &Grouping) -> Machine {
    Machine {
        freezer: "none: one command at a time".to_owned(),
        accounting: "wait4".to_owned(),
        ..machine::machine(grouping)
    }
}

/// The folder that commands are run in: the same name may mean another program elsewhere.
pub fn folder() -> Option<String> {
    std::env::current_dir().ok().map(|here| place(&here))
}

/// The revision that commands are run in, where that is in a repository.
pub fn revision() -> Option<String> {
    let here = std::env::current_dir().ok()?;
    let revision = Repository::of(&here).and_then(|repository| repository.working_tree());
    revision.ok().map(|revision| revision.describe())
}

/// A folder as it is kept with a run, whose report may be shown to others: the user's own folder is `~`.
pub fn place(folder: &Path) -> String {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    seen_from(home.as_deref(), folder)
}

fn seen_from(home: Option<&Path>, folder: &Path) -> String {
    // The root is not a user's own folder.
    let home = home.filter(|home| home.file_name().is_some());
    match home.and_then(|home| folder.strip_prefix(home).ok()) {
        Some(within) if within.as_os_str().is_empty() => "~".to_owned(),
        Some(within) => format!("~/{}", within.display()),
        None => folder.display().to_string(),
    }
}

/// A command with the defaults: no input, no output, in the current folder.
pub fn spawned<S: AsRef<str>>(argv: &[S]) -> CommandSpec {
    CommandSpec {
        argv: argv.iter().map(|word| word.as_ref().to_owned()).collect(),
        env: Vec::new(),
        cwd: None,
        input: None,
        output: None,
        errors: None,
    }
}

/// The least command that is started in the same way: `shell` with nothing to do, or a program that does nothing. None
/// where there is no such program.
pub fn nothing(shell: Option<&str>) -> Option<Vec<String>> {
    let argv = match shell {
        None => vec!["true".to_owned()],
        Some(shell) => vec![shell.to_owned(), "-c".to_owned(), ":".to_owned()],
    };
    tare_host::command::find(&argv[0], None).map(|_| argv)
}

/// The recipe of [`nothing`].
pub fn doing_nothing(argv: &[String]) -> Recipe {
    Recipe {
        text: argv.join(" "),
        run: spawned(argv),
        prepare: None,
        setup: None,
        cleanup: None,
        may_fail: false,
        output: Output::Unread,
    }
}

/// What becomes of a command's standard output: it is compared, or discarded.
pub fn output(compared: bool) -> Output {
    if compared {
        Output::Compared
    } else {
        Output::Unread
    }
}

/// Sets every command up and runs it once, to see that it works and how long it takes: by entrant and size.
///
/// # Errors
/// The fault of the first command that fails, or a person asked to stop.
pub fn first_runs(rig: &mut CommandRig<'_>) -> Result<Vec<Vec<Duration>>> {
    rig.first().map_err(|fault| {
        if interrupt::asked() {
            PrepareError::Interrupted
        } else {
            PrepareError::CommandFailed(fault)
        }
    })
}

/// What is recorded of a command; `summary`: what distinguishes it from the others.
pub fn entrant(id: &ContenderId, summary: &str, command: &str) -> EntrantRecord {
    EntrantRecord {
        id: id.clone(),
        summary: summary.to_owned(),
        subject: Subject::Command {
            command: command.to_owned(),
        },
        fault: None,
        fault_launch: None,
    }
}

/// What is recorded of the command that does nothing.
pub fn floor(id: &ContenderId, argv: &[String]) -> EntrantRecord {
    let command = argv.join(" ");
    EntrantRecord {
        id: id.clone(),
        summary: command.clone(),
        subject: Subject::NoCommand { command },
        fault: None,
        fault_launch: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_own_folder_is_not_shown() {
        let seen = |home: Option<&str>, folder: &str| seen_from(home.map(Path::new), Path::new(folder));
        assert_eq!(seen(Some("/h/me"), "/h/me/src/mine"), "~/src/mine");
        assert_eq!(seen(Some("/h/me"), "/h/me"), "~");
        assert_eq!(seen(Some("/h/me"), "/h/meagre"), "/h/meagre");
        assert_eq!(seen(Some("/"), "/srv/mine"), "/srv/mine");
        assert_eq!(seen(None, "/srv/mine"), "/srv/mine");
    }
}
