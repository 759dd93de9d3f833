//! Running programs that refuse to run as root, as root.

use std::fs;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::{HostError, Result};
use crate::registry::lab_prefix;
use crate::sys;

/// The user id in a user namespace of tare's own. Any but 0 would do.
const MAPPED: u32 = 1000;
/// `nobody` on every Linux (the kernel's overflow user).
const NOBODY: u32 = 65_534;

/// How a program runs as another user than root, and where its files may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ordinary {
    /// How it runs.
    pub way: Way,
    /// An existing folder for its files, which it can reach.
    pub base: PathBuf,
}

/// How a program runs as another user than root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// As the present user, who is not root, or the program accepts root.
    AsWeAre,
    /// In a user namespace that maps the user to another id. To the kernel it is still the same user: its files belong to
    /// that user, it reaches that user's private folders, and tare may signal, pause and count it. It only lacks root's
    /// special rights.
    Mapped,
    /// As `nobody`, whose files must lie outside of private folders.
    Nobody,
}

impl Way {
    /// The words in front of a command: each of these programs execs it, so that there is no further process.
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

    /// The user who must own its files; none: the present one.
    pub(crate) fn owner(self) -> Option<u32> {
        (self == Way::Nobody).then_some(NOBODY)
    }

    /// A description for messages.
    pub fn describe(self) -> &'static str {
        match self {
            Way::AsWeAre => "as the user that runs tare",
            Way::Mapped => "in a user namespace, as another user than root",
            Way::Nobody => "as the user nobody, with its files in /var/tmp",
        }
    }
}

/// Whether tare runs as root.
pub fn is_root() -> bool {
    sys::user() == 0
}

/// Finds out by trying how a program can run as another user than root, with its files under `state` if possible.
///
/// # Errors
/// [`HostError::Other`] with what was tried, if nothing works; [`HostError::Os`] if no folder can be made.
pub fn detect(state: &Path) -> Result<Ordinary> {
    if !is_root() {
        return as_we_are(state);
    }
    let near = state.join("services");
    make(&near)?;
    // Root reaches another user's private folder by a special right only, which the namespace removes.
    let mut tried = Vec::new();
    for (way, base) in [
        (Way::Mapped, near),
        (Way::Mapped, far(state)),
        (Way::Nobody, far(state)),
    ] {
        match usable(way, &base) {
            Ok(()) => return Ok(Ordinary { way, base }),
            // Removes a folder that was made in vain; one that is not empty stays.
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

/// Like [`detect`], for a program that root may run.
///
/// # Errors
/// [`HostError::Os`] if the folder cannot be made.
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

/// A folder of this lab outside of all homes.
fn far(state: &Path) -> PathBuf {
    Path::new("/var/tmp").join(format!("{}services", lab_prefix(state)))
}

/// Checks that a program runs as another user this way, and reaches the folder.
fn usable(way: Way, base: &Path) -> Result<()> {
    if base.starts_with("/var/tmp") && !base.exists() {
        let made = fs::DirBuilder::new().mode(0o755).create(base);
        made.map_err(HostError::on("create the folder", base))?;
    }
    let about = fs::symlink_metadata(base).map_err(HostError::on("look at", base))?;
    // Any user may have made something of this name in /var/tmp before.
    if !about.is_dir() || about.uid() != sys::user() {
        let text = format!("{} belongs to another user", base.display());
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
    if answer.status.success() {
        return Ok(());
    }
    Err(HostError::Other(format!(
        "`{}` failed: {}",
        way.prefix().join(" "),
        String::from_utf8_lossy(&answer.stderr).trim()
    )))
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
        assert!(error.contains("belongs to another user"), "{error}");
    }
}
