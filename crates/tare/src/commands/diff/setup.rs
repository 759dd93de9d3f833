//! The `--setup` of both sides. What it made is kept: a side whose files are as the same setup left them is not set up
//! again.
//!
//! As it left them: all files of the tree, those that a build made among them (`tare_host::fingerprint`). So neither a
//! change of the working tree, nor a build that somebody made there by hand, is taken for what was set up.

use std::fs;
use std::path::{Path, PathBuf};

use tare_host::{fingerprint, interrupt};
use tare_report::when;
use tare_rig::commands::{CommandRig, Output, Policy, Recipe};

use super::Side;
use crate::args::DiffArgs;
use crate::commands::hold::{self, Held};
use crate::commands::run::now;
use crate::commands::whole;
use crate::context::{self, Context};
use crate::failure::{self, Failure};

/// The first line of what is kept; another where it is written in another way.
const LAYOUT: &str = "tare setup 1";

/// Variables that change from one call to the next, and no build heeds.
const PASSING: [&str; 8] = [
    "_", "COLUMNS", "LINES", "OLDPWD", "PWD", "SHLVL", "TERM", "WINDOWID",
];

/// How sides are set up.
pub struct SetUp<'a> {
    pub context: &'a Context,
    pub args: &'a DiffArgs,
    pub held: &'a Held,
    /// The folder that tare was called in, within the repository.
    pub within: &'a Path,
    /// What is kept of setups is here, a file for each tree.
    pub folder: PathBuf,
    pub policy: Policy,
}

/// What is kept of a side that was set up.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Made {
    /// Hash of the setup and of what it ran in.
    how: String,
    /// Hash of the tree's files when it had ended.
    left: String,
    /// When that was, in seconds since 1970 (UTC).
    at: i64,
}

impl SetUp<'_> {
    /// Sets a side up, unless that was done already and nothing has changed since.
    pub fn side(&self, side: &Side) -> Result<(), Failure> {
        let Some(setup) = &self.args.setup else {
            return Ok(());
        };
        let how = how(setup, self.within);
        let file = self.folder.join(name(side));
        let earlier = match self.args.rebuild {
            true => None,
            false => {
                Made::read(&file).filter(|made| made.how == how && left(side).as_ref() == Some(&made.left))
            }
        };
        if let Some(made) = earlier {
            self.context.say(format!(
                "{}: as this setup left it ({}), and not set up again; --rebuild does",
                side.name,
                when::to_minute(made.at)
            ));
            return Ok(());
        }
        // What is half done must not be taken for done.
        let _ = fs::remove_file(&file);
        self.context.say(format!("{}: setting it up", side.name));
        self.run(setup, side)?;
        match left(side) {
            Some(left) => Made {
                how,
                left,
                at: now().as_secs() as i64,
            }
            .write(&file),
            None => Ok(()),
        }
    }

    fn run(&self, setup: &str, side: &Side) -> Result<(), Failure> {
        let recipe = Recipe {
            text: format!("{setup} ({}: {})", side.name, side.revision.describe()),
            run: tare_host::command::CommandSpec {
                cwd: Some(side.tree.join(self.within)),
                ..whole::spawned(&["sh", "-c", setup])
            },
            prepare: None,
            setup: None,
            cleanup: None,
            may_fail: false,
            // Many a build tells its errors there.
            output: Output::Heard,
        };
        let rig = CommandRig::new(
            &self.held.keeper,
            interrupt::flag(),
            hold::spawner()?,
            vec![vec![recipe]],
            self.policy.clone(),
        );
        match rig.map_err(Failure::outside)?.first() {
            Ok(_) => Ok(()),
            Err(_) if interrupt::asked() => Err(failure::interrupted()),
            Err(fault) => Err(Failure::outside(format!("the build of one side failed: {fault}"))),
        }
    }
}

/// The setup's text, the folder it runs in, and the environment that it gets.
fn how(setup: &str, within: &Path) -> String {
    let kept =
        |(name, _): &(std::ffi::OsString, std::ffi::OsString)| PASSING.iter().all(|passing| name != passing);
    let mut variables: Vec<_> = std::env::vars_os().filter(kept).collect();
    variables.sort();
    let texts = [setup.as_bytes(), within.as_os_str().as_encoded_bytes()];
    let variables = variables
        .iter()
        .flat_map(|(name, value)| [name.as_encoded_bytes(), value.as_encoded_bytes()]);
    fingerprint::of_texts(texts.into_iter().chain(variables))
}

/// None where that cannot be told: then it is set up each time.
fn left(side: &Side) -> Option<String> {
    fingerprint::of_folder(&side.tree).ok()
}

/// Of a revision the name of its tree's folder: of its files, that is.
fn name(side: &Side) -> String {
    match side.revision.changed {
        Some(_) => "working-tree".to_owned(),
        None => side.revision.tree.clone(),
    }
}

impl Made {
    /// None where there is nothing, or nothing that was written whole.
    fn read(file: &Path) -> Option<Self> {
        let text = fs::read_to_string(file).ok()?;
        let mut lines = text.strip_suffix('\n')?.split('\n');
        let (layout, how, left, at) = (lines.next()?, lines.next()?, lines.next()?, lines.next()?);
        let made = Self {
            how: how.to_owned(),
            left: left.to_owned(),
            at: at.parse().ok()?,
        };
        (layout == LAYOUT && lines.next().is_none()).then_some(made)
    }

    fn write(&self, file: &Path) -> Result<(), Failure> {
        let text = format!("{LAYOUT}\n{}\n{}\n{}\n", self.how, self.left, self.at);
        context::write(file, text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_as_it_was_written_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("setups/a");
        assert_eq!(Made::read(&file), None);
        let made = Made {
            how: "a1".to_owned(),
            left: "b2".to_owned(),
            at: 1_795_000_000,
        };
        made.write(&file).unwrap();
        assert_eq!(Made::read(&file), Some(made));
        let whole = fs::read_to_string(&file).unwrap();
        for cut in 0..whole.len() {
            fs::write(&file, &whole[..cut]).unwrap();
            assert_eq!(Made::read(&file), None, "cut after {cut} bytes");
        }
        fs::write(&file, whole.replace(LAYOUT, "tare setup 0")).unwrap();
        assert_eq!(Made::read(&file), None);
    }

    #[test]
    fn a_setup_is_its_text_and_its_folder() {
        let here = how("make", Path::new(""));
        assert_eq!(how("make", Path::new("")), here);
        assert_ne!(how("make all", Path::new("")), here);
        assert_ne!(how("make", Path::new("sub")), here);
    }
}
