//! Where podman keeps what tare has it make: a storage of the lab's own, in its state folder. So nothing of tare's is among
//! a person's containers, and everything in it is tare's to remove.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{HostError, Result};
use crate::registry::lab_prefix;

/// A person's own storage (of root). Images there are seen, and not changed.
const THEIRS: &str = "/var/lib/containers/storage";

/// What podman reads instead of a person's settings. Events would go to a log that nobody reads; proxies belong to the
/// build only; limits are given with each container, since the usual ones are more than some machines allow.
const SETTINGS: &str = "\
[containers]
default_ulimits = []
http_proxy = false

[engine]
cgroup_manager = \"cgroupfs\"
events_logger = \"none\"
";

/// The folders of a lab's storage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    folder: PathBuf,
    /// What lives until the machine restarts. Podman allows its path only 50 characters.
    run: PathBuf,
}

impl Place {
    /// Of a lab's state folder. Nothing is made.
    pub(super) fn of(state: &Path) -> Self {
        let state = state.canonicalize().unwrap_or_else(|_| state.to_owned());
        let lab = lab_prefix(&state);
        Self {
            folder: state.join("containers"),
            run: Path::new("/run").join(lab.trim_end_matches('-')),
        }
    }

    /// Makes its folders and files.
    pub(super) fn make(&self) -> Result<()> {
        for folder in [self.folder.join("storage"), self.scratch(), self.run.clone()] {
            fs::create_dir_all(&folder).map_err(HostError::on("create the folder", &folder))?;
        }
        let settings = self.settings();
        fs::write(&settings, SETTINGS).map_err(HostError::on("write", &settings))
    }

    /// A folder for files that last as long as a call.
    pub(super) fn scratch(&self) -> PathBuf {
        self.folder.join("scratch")
    }

    fn settings(&self) -> PathBuf {
        self.folder.join("containers.conf")
    }

    /// Where an ended container's exit code is, as conmon writes it.
    pub(super) fn exit(&self, id: &str) -> PathBuf {
        self.run.join("libpod/exits").join(id)
    }

    /// The options of every call.
    pub(super) fn words(&self) -> Vec<String> {
        let path = |path: &Path| path.display().to_string();
        let mut words = vec![
            "--root".to_owned(),
            path(&self.folder.join("storage")),
            "--runroot".to_owned(),
            path(&self.run),
            "--tmpdir".to_owned(),
            path(&self.run.join("libpod")),
            "--storage-driver".to_owned(),
            "overlay".to_owned(),
            // Otherwise the storage stays mounted on itself.
            "--storage-opt".to_owned(),
            "overlay.skip_mount_home=true".to_owned(),
        ];
        if Path::new(THEIRS).join("overlay-images").is_dir() {
            words.extend(["--storage-opt".to_owned(), format!("overlay.imagestore={THEIRS}")]);
        }
        words
    }

    /// The environment of every call.
    pub(super) fn env(&self) -> [(&'static str, PathBuf); 2] {
        [("CONTAINERS_CONF", self.settings()), ("TMPDIR", self.scratch())]
    }
}

/// What podman keeps of a lab until the machine restarts. Dropping this removes it: by then nothing of the lab runs any more.
#[derive(Debug)]
pub struct RunFolder(PathBuf);

impl RunFolder {
    /// Of a lab's state folder.
    pub fn of(state: &Path) -> Self {
        Self(Place::of(state).run)
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        // It may never have been made; what cannot be removed goes with the next start of the machine.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_short_enough_however_deep_the_lab_is() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a".repeat(100)).join(".tare");
        fs::create_dir_all(&deep).unwrap();
        let place = Place::of(&deep);
        assert!(place.run.as_os_str().len() <= 50, "{place:?}");
        assert!(place.folder.starts_with(deep.canonicalize().unwrap()));
        assert_ne!(place.run, Place::of(folder.path()).run, "each lab has its own");
    }
}
