//! A group as a pair of cgroups of the v1 hierarchies: one of the freezer, one of cpuacct.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use tare_model::units::Seconds;

use super::v2::{open_procs, pids_in, read, remove_folder, write};
use crate::error::{HostError, Result};
use crate::sys;

#[derive(Debug)]
pub(super) struct V1 {
    freezer: PathBuf,
    cpu: PathBuf,
}

impl V1 {
    pub(super) fn at(freezer: impl AsRef<Path>, cpu: impl AsRef<Path>) -> Self {
        Self {
            freezer: freezer.as_ref().to_owned(),
            cpu: cpu.as_ref().to_owned(),
        }
    }

    pub(super) fn create(freezer: &Path, cpu: &Path) -> Result<Self> {
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

    pub(super) fn joins(&self) -> Result<Vec<File>> {
        Ok(vec![open_procs(&self.freezer)?, open_procs(&self.cpu)?])
    }

    pub(super) fn set_frozen(&self, frozen: bool) -> Result<()> {
        write(
            &self.freezer.join("freezer.state"),
            if frozen { "FROZEN" } else { "THAWED" },
        )
    }

    /// Whether all stand still; who does not is told again. Reading the state drives it on, from FREEZING to FROZEN, but
    /// tells nobody: a process that was told while it made a child, and then waits for that frozen child to exec (vfork),
    /// would hold the group in FREEZING for ever.
    pub(super) fn is_frozen(&self) -> Result<bool> {
        let frozen = read(&self.freezer.join("freezer.state"))?.trim() == "FROZEN";
        if !frozen {
            self.set_frozen(true)?;
        }
        Ok(frozen)
    }

    /// Nanoseconds, as the scheduler saw them.
    pub(super) fn cpu(&self) -> Result<Seconds> {
        let path = self.cpu.join("cpuacct.usage");
        let text = read(&path)?;
        let nanos = text
            .trim()
            .parse()
            .map_err(|_| HostError::Other(format!("{} is no number: {text:?}", path.display())))?;
        Ok(Seconds::from_nanos(nanos))
    }

    pub(super) fn procs(&self) -> Vec<u32> {
        pids_in(&self.freezer)
    }

    /// Held still, so that none is born while we go through them; a task in a v1 freezer dies of its SIGKILL only
    /// once it is thawed.
    pub(super) fn kill_once(&self) -> Result<()> {
        if !self.freezer.exists() {
            return Ok(());
        }
        self.set_frozen(true)?;
        for pid in self.procs() {
            let _ = sys::kill(pid, libc::SIGKILL);
        }
        self.set_frozen(false)
    }

    pub(super) fn remove(&self) -> Result<()> {
        remove_folder(&self.freezer)?;
        remove_folder(&self.cpu)
    }
}
