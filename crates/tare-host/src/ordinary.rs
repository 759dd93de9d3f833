//! Running what refuses to run as root, where we are root.

use std::fs;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::{HostError, Result};
use crate::keeper::lab_prefix;
use crate::sys;

/// The number by which we are known in a user namespace of our own. Any but 0 would do.
const MAPPED: u32 = 1000;
/// `nobody` on every Linux (the kernel's overflow user).
const NOBODY: u32 = 65_534;

/// How a program is run by someone who is not root, and where its files may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ordinary {
    /// Which way.
    pub way: Way,
    /// The folder for its files: made, and within its reach.
    pub base: PathBuf,
}

/// How a program is run by someone who is not root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// We are not root, or the program does not mind.
    AsWeAre,
    /// In a user namespace that maps us to another number. To the kernel it is still us: what it makes is ours, it
    /// reaches our own closed folders as their owner, and we may signal, freeze and count it. It is root's special
    /// rights that it has not.
    Mapped,
    /// As `nobody`, for whom the files must lie outside of our closed folders.
    Nobody,
}

impl Way {
    /// The words in front of a command: each of these programs turns into it, so that no further process is there.
    pub fn prefix(self) -> Vec<String> {
        let words: Vec<String> = match self {
            Way::AsWeAre => Vec::new(),
            Way::Mapped => vec![
                "unshare".to_owned(),
                "--user".to_owned(),
                format!("--map-user={MAPPED}"),
                format!("--map-group={MAPPED}"),
                "--".to_owned(),
            ],
            Way::Nobody => vec![
                "setpriv".to_owned(),
                format!("--reuid={NOBODY}"),
                format!("--regid={NOBODY}"),
                "--clear-groups".to_owned(),
                "--".to_owned(),
            ],
        };
        words
    }

    /// Who the files must be given to; none: they are ours.
    pub fn owner(self) -> Option<u32> {
        (self == Way::Nobody).then_some(NOBODY)
    }

    /// As a person reads it.
    pub fn describe(self) -> &'static str {
        match self {
            Way::AsWeAre => "as the user that runs tare",
            Way::Mapped => "in a user namespace, as another user than root",
            Way::Nobody => "as the user nobody, with its files in /var/tmp",
        }
    }
}

/// Whether we are root.
pub fn is_root() -> bool {
    sys::user() == 0
}

/// Finds out by trying how a program can be run by someone who is not root, with files under `state` where that is
/// possible.
///
/// # Errors
/// [`HostError::Other`] with what was tried, where nothing works; [`HostError::Os`] where no folder can be made.
pub fn detect(state: &Path) -> Result<Ordinary> {
    if !is_root() {
        return as_we_are(state);
    }
    let near = state.join("services");
    make(&near)?;
    // Someone else's closed folder is in root's reach by a special right only, which the namespace takes away.
    let mut tried = Vec::new();
    for (way, base) in [
        (Way::Mapped, near),
        (Way::Mapped, far(state)),
        (Way::Nobody, far(state)),
    ] {
        match usable(way, &base) {
            Ok(()) => return Ok(Ordinary { way, base }),
            // A folder that was made in vain goes; one that is not empty stays, whoever's it is.
            Err(error) => {
                let _ = fs::remove_dir(far(state));
                tried.push(format!("{}, in {}: {error}", way.describe(), base.display()));
            }
        }
    }
    Err(HostError::Other(format!(
        "no way was found to run a program as another user than root; tried:\n    {}\n\nhint: run tare as an ordinary \
         user, or install util-linux (unshare, setpriv)",
        tried.join("\n    ")
    )))
}

/// The same for a program that root may run.
///
/// # Errors
/// [`HostError::Os`] where the folder cannot be made.
pub fn as_we_are(state: &Path) -> Result<Ordinary> {
    let base = state.join("services");
    make(&base)?;
    Ok(Ordinary {
        way: Way::AsWeAre,
        base,
    })
}

fn make(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(HostError::on("create the folder", folder))
}

/// A folder outside of everybody's home, of this lab's own.
fn far(state: &Path) -> PathBuf {
    Path::new("/var/tmp").join(format!("{}services", lab_prefix(state)))
}

/// Whether a way gets us another number, and the folder is in reach.
fn usable(way: Way, base: &Path) -> Result<()> {
    if base.starts_with("/var/tmp") && !base.exists() {
        let made = fs::DirBuilder::new().mode(0o755).create(base);
        made.map_err(HostError::on("create the folder", base))?;
    }
    let about = fs::symlink_metadata(base).map_err(HostError::on("look at", base))?;
    // Anybody may have put something of this name into /var/tmp before us.
    if !about.is_dir() || about.uid() != sys::user() {
        let text = format!("{} is not a folder of ours", base.display());
        return Err(HostError::Other(text));
    }
    if way == Way::Nobody {
        let reachable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(base, reachable).map_err(HostError::on("open", base))?;
    }
    let asks = match way {
        Way::Nobody => "test \"$(id -u)\" != 0 && cd \"$1\"",
        _ => "test \"$(id -u)\" != 0 && cd \"$1\" && test -w .",
    };
    let mut argv = way.prefix();
    argv.extend(["sh", "-c", asks, "sh"].map(str::to_owned));
    let answer = Command::new(&argv[0])
        .args(&argv[1..])
        .arg(base)
        .stdin(Stdio::null())
        .output()
        .map_err(HostError::on("start", &argv[0]))?;
    match answer.status.success() {
        true => Ok(()),
        false => Err(HostError::Other(format!(
            "`{}` failed: {}",
            way.prefix().join(" "),
            String::from_utf8_lossy(&answer.stderr).trim()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_is_found_that_is_not_root() {
        let state = tempfile::tempdir().unwrap();
        let found = detect(state.path()).unwrap();
        let mut argv = found.way.prefix();
        argv.extend(["id".to_owned(), "-u".to_owned()]);
        let said = Command::new(&argv[0]).args(&argv[1..]).output().unwrap();
        assert_ne!(String::from_utf8_lossy(&said.stdout).trim(), "0", "{found:?}");
        if sys::user() != 0 {
            assert_eq!(found.way, Way::AsWeAre);
        }
        if !found.base.starts_with(state.path()) {
            fs::remove_dir_all(&found.base).unwrap();
        }
    }

    #[test]
    fn a_folder_of_somebody_else_is_not_used() {
        if sys::user() != 0 {
            return;
        }
        let state = tempfile::tempdir().unwrap();
        std::os::unix::fs::chown(state.path(), Some(NOBODY), None).unwrap();
        let error = usable(Way::Nobody, state.path()).unwrap_err().to_string();
        assert!(error.contains("not a folder of ours"), "{error}");
    }
}
