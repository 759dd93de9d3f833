//! A group as a cgroup of the v2 hierarchy. No controller is needed: freezing, killing and CPU time are its own.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use tare_model::units::Seconds;

use crate::error::{HostError, Result};
use crate::sys;

#[derive(Debug)]
pub(super) struct V2 {
    folder: PathBuf,
}

impl V2 {
    pub(super) fn at(folder: impl AsRef<Path>) -> Self {
        Self {
            folder: folder.as_ref().to_owned(),
        }
    }

    pub(super) fn create(folder: &Path) -> Result<Self> {
        fs::create_dir(folder).map_err(HostError::on("create the cgroup", folder))?;
        Ok(Self::at(folder))
    }

    pub(super) fn joins(&self) -> Result<Vec<File>> {
        Ok(vec![open_procs(&self.folder)?])
    }

    pub(super) fn set_frozen(&self, frozen: bool) -> Result<()> {
        write(&self.folder.join("cgroup.freeze"), if frozen { "1" } else { "0" })
    }

    pub(super) fn is_frozen(&self) -> Result<bool> {
        Ok(read(&self.folder.join("cgroup.events"))?
            .lines()
            .any(|line| line == "frozen 1"))
    }

    /// `usage_usec` counts what the scheduler saw, to the microsecond; the user and system parts are sampled.
    pub(super) fn cpu(&self) -> Result<Seconds> {
        let path = self.folder.join("cpu.stat");
        let text = read(&path)?;
        let micros = text.lines().find_map(|line| line.strip_prefix("usage_usec "));
        let micros: u64 = micros.and_then(|text| text.trim().parse().ok()).ok_or_else(|| {
            HostError::Other(format!("{} has no line `usage_usec N`: {text:?}", path.display()))
        })?;
        Ok(Seconds(micros as f64 / 1e6))
    }

    pub(super) fn procs(&self) -> Vec<u32> {
        pids_in(&self.folder)
    }

    pub(super) fn kill_once(&self) -> Result<()> {
        if !self.folder.exists() {
            return Ok(());
        }
        // cgroup.kill came with Linux 5.14. Before it: hold them still, so that none is born while we go through
        // them. A task frozen in v2 can be killed.
        if fs::write(self.folder.join("cgroup.kill"), "1").is_err() {
            self.set_frozen(true)?;
            for pid in self.procs() {
                let _ = sys::kill(pid, libc::SIGKILL);
            }
        }
        Ok(())
    }

    pub(super) fn remove(&self) -> Result<()> {
        remove_folder(&self.folder)
    }
}

pub(super) fn open_procs(folder: &Path) -> Result<File> {
    let path = folder.join("cgroup.procs");
    File::options()
        .write(true)
        .open(&path)
        .map_err(HostError::on("open", path))
}

pub(super) fn pids_in(folder: &Path) -> Vec<u32> {
    let text = fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

pub(super) fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(HostError::on("write to", path))
}

pub(super) fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(HostError::on("read", path))
}

/// The kernel lets go of a cgroup a moment after its last process ended.
pub(super) fn remove_folder(folder: &Path) -> Result<()> {
    for _ in 0..500 {
        match fs::remove_dir(folder) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) if error.raw_os_error() == Some(libc::EBUSY) => {
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
            Err(error) => return Err(HostError::on("remove the cgroup", folder)(error)),
        }
    }
    Err(HostError::on("remove the cgroup", folder)(
        std::io::Error::from_raw_os_error(libc::EBUSY),
    ))
}
