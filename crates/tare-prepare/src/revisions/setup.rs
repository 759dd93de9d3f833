//! The setup of both sides. What it made is kept: a side whose files are as the same setup left them is not set up
//! again.
//!
//! That covers all files of the tree, including those that a build made (`tare_host::fingerprint`). So neither a change
//! of the working tree, nor a build that a person made there by hand, is taken for what was set up.

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use tare_host::error::HostError;
use tare_host::{fingerprint, interrupt};
use tare_rig::commands::{CommandRig, Output, Policy, Recipe};

use super::side::Side;
use crate::commands::spec::spec;
use crate::error::{PrepareError, Result};
use crate::progress::{Event, Progress};
use crate::supervision::Supervision;

/// The first line of the file that is kept; another one where the file has another layout.
const LAYOUT: &str = "tare setup 1";

/// Variables that change from one call to the next, and that no build depends on.
const PASSING: [&str; 8] = [
    "_", "COLUMNS", "LINES", "OLDPWD", "PWD", "SHLVL", "TERM", "WINDOWID",
];

/// How sides are set up.
pub(crate) struct SideSetup<'a> {
    /// The command, which `sh` reads.
    pub(crate) command: &'a str,
    /// Whether to run it although nothing has changed.
    pub(crate) rebuild: bool,
    /// The folder that it runs in, within the tree.
    pub(crate) within: &'a Path,
    /// The folder for what is kept of setups, a file for each tree.
    pub(crate) folder: &'a Path,
    /// How long it may take, and hints for where it fails.
    pub(crate) policy: Policy,
    /// Makes its process group, and knows the spawner.
    pub(crate) supervision: &'a Supervision,
    /// Where events go.
    pub(crate) progress: &'a dyn Progress,
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

impl SideSetup<'_> {
    /// Sets a side up, unless that was done already and nothing has changed since.
    pub(crate) fn run(&self, side: &Side) -> Result<()> {
        let how = how(self.command, self.within);
        let file = self.folder.join(name(side));
        let unchanged = |made: &Made| made.how == how && left(side).as_ref() == Some(&made.left);
        let earlier = Made::read(&file).filter(|made| !self.rebuild && unchanged(made));
        if let Some(Made { at, .. }) = earlier {
            self.progress.event(&Event::SideKept { side, at });
            return Ok(());
        }
        // What is half done must not be taken for done.
        let _ = fs::remove_file(&file);
        self.progress.event(&Event::SettingUp { side });
        self.run_command(side)?;
        let Some(left) = left(side) else {
            return Ok(());
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let at = now.as_secs() as i64;
        Made { how, left, at }.write(&file)
    }

    fn run_command(&self, side: &Side) -> Result<()> {
        let setup = self.command;
        let recipe = Recipe {
            text: format!("{setup} ({}: {})", side.name, side.revision.describe()),
            run: spec(
                ["sh", "-c", setup].map(str::to_owned).to_vec(),
                Some(side.tree.join(self.within)),
            ),
            prepare: None,
            setup: None,
            cleanup: None,
            may_fail: false,
            // Many builds report their errors there.
            output: Output::Heard,
        };
        let mut rig = CommandRig::new(
            &self.supervision.keeper,
            interrupt::flag(),
            self.supervision.helpers.spawner.clone(),
            vec![vec![recipe]],
            self.policy.clone(),
        )?;
        match rig.first() {
            Ok(_) => Ok(()),
            Err(_) if interrupt::asked() => Err(PrepareError::Interrupted),
            Err(fault) => Err(PrepareError::SetupFailed(fault)),
        }
    }
}

/// The setup's text, the folder it runs in, and the environment that it gets.
pub(crate) fn how(setup: &str, within: &Path) -> String {
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

/// Hash of the tree's files; none where it cannot be made: then the side is set up each time.
fn left(side: &Side) -> Option<String> {
    fingerprint::of_folder(&side.tree).ok()
}

/// Name of the file for a side: that of its tree's folder, which identifies a revision's files.
fn name(side: &Side) -> String {
    if side.revision.changed.is_some() {
        "working-tree".to_owned()
    } else {
        side.revision.tree.clone()
    }
}

impl Made {
    /// None where there is no such file, or it was not written whole.
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

    fn write(&self, file: &Path) -> Result<()> {
        let text = format!("{LAYOUT}\n{}\n{}\n{}\n", self.how, self.left, self.at);
        let folder = file.parent().unwrap_or(file);
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(file, text));
        Ok(written.map_err(HostError::on("write", file))?)
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
