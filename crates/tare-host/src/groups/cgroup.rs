//! Files of a cgroup that v1 and v2 have in common.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;

use crate::error::{HostError, Result};

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

/// Removes a cgroup's folder. The kernel lets go of it a moment after its last process ended.
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
