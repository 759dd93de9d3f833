//! A group as a cgroup of the v2 hierarchy. No controller is needed: freezing, killing and CPU time are its own.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tare_model::units::Seconds;

use super::cgroup::{open_procs, pids_in, read, remove_tree, write};
use super::holder::{Description, Holder};
use crate::error::{HostError, Result};
use crate::procfs;
use crate::sys;

pub(super) const DESCRIPTION: Description = Description {
    tag: "v2",
    freezer: "cgroup v2",
    accounting: "cgroup v2",
    less_exact: None,
    controllers: &[""],
    create: |_, folders| {
        let folder = &folders[0];
        fs::create_dir(folder).map_err(HostError::on("create the cgroup", folder))?;
        Ok(Box::new(V2::at(folder)))
    },
    adopt: |_, folders| Box::new(V2::at(&folders[0])),
};

#[derive(Debug)]
struct V2 {
    folder: PathBuf,
}

impl V2 {
    fn at(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    fn set_frozen(&self, frozen: bool) -> Result<()> {
        write(&self.folder.join("cgroup.freeze"), if frozen { "1" } else { "0" })
    }
}

impl Holder for V2 {
    fn joins(&self) -> Result<Vec<File>> {
        Ok(vec![open_procs(&self.folder)?])
    }

    fn folder(&self) -> Option<&Path> {
        Some(&self.folder)
    }

    fn freeze(&self) -> Result<()> {
        self.set_frozen(true)
    }

    fn is_frozen(&self, _waited: Duration) -> Result<bool> {
        let events = read(&self.folder.join("cgroup.events"))?;
        let frozen = events.lines().any(|line| line == "frozen 1");
        if frozen {
            // The kernel reports it when the last task is about to leave its core. In trials that task used up to 32 µs
            // more; up to 6 µs with this wait.
            let alive = self.procs().into_iter().filter(|&pid| procfs::is_alive(pid));
            alive.for_each(procfs::wait_until_off_core);
        }
        Ok(frozen)
    }

    fn thaw(&self) -> Result<()> {
        self.set_frozen(false)
    }

    /// `usage_usec` counts what the scheduler saw, to the microsecond; the user and system parts are sampled.
    fn cpu(&self) -> Result<Seconds> {
        let path = self.folder.join("cpu.stat");
        let text = read(&path)?;
        let micros = text.lines().find_map(|line| line.strip_prefix("usage_usec "));
        let micros: u64 = micros.and_then(|text| text.trim().parse().ok()).ok_or_else(|| {
            HostError::Other(format!("{} has no line `usage_usec N`: {text:?}", path.display()))
        })?;
        Ok(Seconds(micros as f64 / 1e6))
    }

    fn procs(&self) -> Vec<u32> {
        pids_in(&self.folder)
    }

    fn kill_once(&self) -> Result<()> {
        if !self.folder.exists() {
            return Ok(());
        }
        // cgroup.kill came with Linux 5.14. Before it: freeze, so that no process is born during the loop. A task that
        // is frozen in v2 can be killed.
        if fs::write(self.folder.join("cgroup.kill"), "1").is_err() {
            self.set_frozen(true)?;
            for pid in self.procs() {
                let _ = sys::kill(pid, libc::SIGKILL);
            }
        }
        Ok(())
    }

    fn remove(&self) -> Result<()> {
        remove_tree(&self.folder)
    }
}
