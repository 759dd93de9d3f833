//! A group as a pair of cgroups of the v1 hierarchies: one of the freezer, one of cpuacct.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tare_model::units::Seconds;

use super::cgroup::{open_procs, pids_in, read, remove_tree, write};
use super::holder::{Description, Holder};
use crate::error::{HostError, Result};
use crate::sys;

pub(super) const DESCRIPTION: Description = Description {
    tag: "v1",
    freezer: "cgroup v1",
    accounting: "cgroup v1",
    less_exact: None,
    controllers: &["freezer", "cpuacct"],
    create: |_, folders| Ok(Box::new(V1::create(&folders[0], &folders[1])?)),
    adopt: |_, folders| Box::new(V1::at(&folders[0], &folders[1])),
};

#[derive(Debug)]
struct V1 {
    freezer: PathBuf,
    cpu: PathBuf,
}

impl V1 {
    fn at(freezer: &Path, cpu: &Path) -> Self {
        Self {
            freezer: freezer.to_owned(),
            cpu: cpu.to_owned(),
        }
    }

    fn create(freezer: &Path, cpu: &Path) -> Result<Self> {
        let made = Self::at(freezer, cpu);
        fs::create_dir(freezer).map_err(HostError::on("create the cgroup", freezer))?;
        match fs::create_dir(cpu) {
            Ok(()) => Ok(made),
            // Both controllers may be mounted as one hierarchy.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(made),
            Err(error) => {
                let _ = fs::remove_dir(freezer);
                Err(HostError::on("create the cgroup", cpu)(error))
            }
        }
    }

    fn set_frozen(&self, frozen: bool) -> Result<()> {
        write(
            &self.freezer.join("freezer.state"),
            if frozen { "FROZEN" } else { "THAWED" },
        )
    }
}

impl Holder for V1 {
    fn joins(&self) -> Result<Vec<File>> {
        Ok(vec![open_procs(&self.freezer)?, open_procs(&self.cpu)?])
    }

    fn folder(&self) -> Option<&Path> {
        Some(&self.freezer)
    }

    fn freeze(&self) -> Result<()> {
        self.set_frozen(true)
    }

    /// Writes the state again while it is not FROZEN. Reading it moves it on from FREEZING to FROZEN but signals no
    /// process: one that was signalled while it made a child, and then waits for that frozen child to exec (vfork), would
    /// keep the group in FREEZING for ever.
    fn is_frozen(&self, _waited: Duration) -> Result<bool> {
        let frozen = read(&self.freezer.join("freezer.state"))?.trim() == "FROZEN";
        if !frozen {
            self.set_frozen(true)?;
        }
        Ok(frozen)
    }

    fn thaw(&self) -> Result<()> {
        self.set_frozen(false)
    }

    /// Nanoseconds, as the scheduler saw them.
    fn cpu(&self) -> Result<Seconds> {
        let path = self.cpu.join("cpuacct.usage");
        let text = read(&path)?;
        let nanos = text
            .trim()
            .parse()
            .map_err(|_| HostError::Other(format!("{} is not a number: {text:?}", path.display())))?;
        Ok(Seconds::from_nanos(nanos))
    }

    fn procs(&self) -> Vec<u32> {
        pids_in(&self.freezer)
    }

    /// Frozen first, so that no process is born during the loop; a task in a v1 freezer dies of its SIGKILL only once it
    /// is thawed.
    fn kill_once(&self) -> Result<()> {
        if !self.freezer.exists() {
            return Ok(());
        }
        self.set_frozen(true)?;
        for pid in self.procs() {
            let _ = sys::kill(pid, libc::SIGKILL);
        }
        self.set_frozen(false)
    }

    fn remove(&self) -> Result<()> {
        remove_tree(&self.freezer)?;
        remove_tree(&self.cpu)
    }
}
