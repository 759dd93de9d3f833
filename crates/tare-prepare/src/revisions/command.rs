//! A command at two revisions: two commands, each run in the tree of its side.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tare_host::machine;
use tare_host::revisions::Repository;
use tare_model::ids::ContenderId;
use tare_rig::commands::{Hints, Policy};

use super::setup::SideSetup;
use super::side::Side;
use super::sides::sides;
use crate::commands::{CommandRules, CommandsRequest, Entries, Entry, Outputs, place};
use crate::error::Result;
use crate::progress::Progress;
use crate::supervision::Supervision;

/// The hint for a setup that takes too long.
const LATE: &str = "where it may take longer: --setup-timeout";

/// A command to be compared at two revisions.
#[derive(Debug, Clone)]
pub struct CommandDiff {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// What is run once in each tree before.
    pub setup: Option<Setup>,
    /// How the command is run and compared. A relative path for standard input is of the folder that was asked from.
    pub rules: CommandRules,
}

/// What is run once in each tree before the command is measured.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The command, which `sh` reads.
    pub command: String,
    /// How long it may take.
    pub timeout: Duration,
    /// Whether to run it although nothing has changed.
    pub rebuild: bool,
}

/// The trees of two revisions, seen from a folder of their repository.
#[derive(Debug)]
pub struct Trees {
    /// The sides.
    pub sides: [Side; 2],
    /// The repository's folder.
    repository: PathBuf,
    /// The folder that was asked from.
    here: PathBuf,
    /// The same, within the repository.
    within: PathBuf,
    /// The folder for what is kept of setups.
    setups: PathBuf,
}

impl Trees {
    /// The trees of `revisions`, checked out under the folder `own`; `here`: the folder that was asked from.
    ///
    /// # Errors
    /// There is no such revision, or it cannot be checked out.
    pub fn of(
        revisions: &str,
        (repository, here): (&Repository, &Path),
        own: &Path,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let sides = sides(revisions, repository, own, progress)?;
        let real = |folder: &Path| folder.canonicalize().unwrap_or(folder.to_owned());
        let root = real(repository.root());
        Ok(Self {
            sides,
            within: real(here).strip_prefix(&root).unwrap_or("".as_ref()).to_owned(),
            repository: root,
            here: here.to_owned(),
            setups: own.join("setups"),
        })
    }
}

impl CommandDiff {
    /// The command at both revisions.
    pub fn commands(&self, trees: &Trees) -> CommandsRequest {
        let text = self.argv.join(" ");
        let mut rules = self.rules.clone();
        let within = trees.within.display().to_string();
        rules.input = rules.input.map(|path| trees.here.join(path));
        rules.how.around.repository = Some(place(&trees.repository));
        rules.how.around.folder = Some(within).filter(|folder| !folder.is_empty());
        rules.how.around.setup = self.setup.iter().map(|setup| setup.command.clone()).collect();
        CommandsRequest {
            name: "diff".to_owned(),
            summary: format!("`{text}` in two trees; an operation is one run"),
            entries: Entries {
                list: trees
                    .sides
                    .iter()
                    .map(|side| self.entry(&text, side, trees))
                    .collect(),
                sweep: None,
            },
            baseline: None,
            published: Vec::new(),
            rules,
        }
    }

    fn entry(&self, text: &str, side: &Side, trees: &Trees) -> Entry {
        Entry {
            id: ContenderId::plain(side.name),
            summary: side.revision.describe(),
            text: text.to_owned(),
            argv: self.argv.clone(),
            folder: Some(side.tree.join(&trees.within)),
            values: Vec::new(),
            prepare: self.rules.how.around.prepare.first().cloned(),
            // The setup of a side is kept, and may take as long as a build.
            setup: None,
            cleanup: None,
        }
    }

    /// Sets both sides up, where that is asked for and was not done already.
    ///
    /// # Errors
    /// The setup of one side fails or takes too long, or a person asked to stop.
    pub fn set_up(
        &self,
        trees: &Trees,
        supervision: &Supervision,
        outputs: &Outputs,
        progress: &dyn Progress,
    ) -> Result<()> {
        let Some(setup) = &self.setup else {
            return Ok(());
        };
        let setup = SideSetup {
            command: &setup.command,
            rebuild: setup.rebuild,
            within: &trees.within,
            folder: &trees.setups,
            policy: Policy {
                timeout: setup.timeout,
                folder: outputs.folder().to_owned(),
                sizes: Vec::new(),
                cores: machine::cores().len(),
                hints: Hints {
                    failed: self.rules.hints.failed,
                    not_found: Hints::NOT_BY_THE_SHELL,
                    late: LATE,
                },
                show: None,
            },
            supervision,
            progress,
        };
        trees.sides.iter().try_for_each(|side| setup.run(side))
    }
}

#[cfg(test)]
mod tests {
    use tare_host::revisions::Revision;
    use tare_model::settings::{CommandSettings, Surroundings};

    use super::*;

    fn side(name: &'static str, tree: &str) -> Side {
        Side {
            name,
            revision: Revision {
                commit: format!("{name:-<40}"),
                tree: String::new(),
                subject: String::new(),
                changed: None,
            },
            tree: tree.into(),
        }
    }

    #[test]
    fn each_side_is_a_command_in_its_tree() {
        let trees = Trees {
            sides: [side("before", "/old"), side("after", "/new")],
            repository: "/new".into(),
            here: "/new/sub".into(),
            within: "sub".into(),
            setups: "/new/.tare/setups".into(),
        };
        let diff = CommandDiff {
            argv: ["sh", "work"].map(str::to_owned).to_vec(),
            setup: Some(Setup {
                command: "make".to_owned(),
                timeout: Duration::from_secs(1),
                rebuild: false,
            }),
            rules: CommandRules {
                how: CommandSettings {
                    around: Surroundings {
                        prepare: vec!["touch x".to_owned()],
                        ..Surroundings::default()
                    },
                    ..CommandSettings::default()
                },
                input: Some("in".into()),
                ..CommandRules::for_tests()
            },
        };
        let request = diff.commands(&trees);
        let [before, after] = request.entries.list.as_slice() else {
            panic!("two sides are two commands")
        };
        assert_eq!(
            (before.id.to_string(), after.id.to_string()),
            ("before".to_owned(), "after".to_owned())
        );
        assert_eq!(before.folder.as_deref(), Some("/old/sub".as_ref()));
        assert_eq!(after.folder.as_deref(), Some("/new/sub".as_ref()));
        assert_eq!(before.prepare.as_deref(), Some("touch x"));
        assert_ne!(before.summary, after.summary);
        assert_eq!(request.rules.input.as_deref(), Some("/new/sub/in".as_ref()));
        let around = request.rules.how.around;
        assert_eq!(
            (around.setup, around.folder),
            (vec!["make".to_owned()], Some("sub".to_owned()))
        );
    }
}
