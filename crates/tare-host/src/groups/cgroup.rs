//! Files of a cgroup that v1 and v2 have in common. A container engine makes further cgroups in a group's own.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::error::{HostError, Result};

pub(super) fn open_procs(folder: &Path) -> Result<File> {
    let path = folder.join("cgroup.procs");
    File::options()
        .write(true)
        .open(&path)
        .map_err(HostError::on("open", path))
}

/// The processes of a cgroup, and of those within it.
pub(super) fn pids_in(folder: &Path) -> Vec<u32> {
    let text = fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
    let own = text.lines().filter_map(|line| line.parse().ok());
    let within = inner(folder).into_iter().flat_map(|inner| pids_in(&inner));
    own.chain(within).collect()
}

/// The cgroups within a cgroup. The kernel counts them as links of the folder, so that one without any is not listed.
fn inner(folder: &Path) -> Vec<PathBuf> {
    if fs::metadata(folder).is_ok_and(|found| found.nlink() == 2) {
        return Vec::new();
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    folders.map(|entry| entry.path()).collect()
}

pub(super) fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(HostError::on("write to", path))
}

pub(super) fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(HostError::on("read", path))
}

/// Removes a cgroup and those within it.
pub(super) fn remove_tree(folder: &Path) -> Result<()> {
    inner(folder).iter().try_for_each(|inner| remove_tree(inner))?;
    remove_folder(folder)
}

/// A folder of a cgroup file system as a path within its hierarchy; none if it is in no such file system.
pub(super) fn path_within(folder: &Path, mounts: &str) -> Option<String> {
    let points = mounts.lines().filter_map(mount_point);
    let inside = points.filter_map(|point| folder.strip_prefix(point).ok().map(Path::to_owned));
    let shortest = inside.min_by_key(|inside| inside.as_os_str().len())?;
    Some(format!("/{}", shortest.display()))
}

/// Removes the cgroups that have this path, in whichever hierarchy; their processes have ended.
pub(super) fn remove_everywhere(path: &str, mounts: &str) -> Result<()> {
    let inside = path.trim_start_matches('/');
    let folders = mounts
        .lines()
        .filter_map(mount_point)
        .map(|point| point.join(inside));
    let mut there = folders.filter(|folder| folder.is_dir());
    there.try_for_each(|folder| remove_tree(&folder))
}

/// The mount point of a line of `/proc/self/mountinfo`, if it is a cgroup file system (proc(5)).
fn mount_point(line: &str) -> Option<PathBuf> {
    let (left, right) = line.split_once(" - ")?;
    let kind = right.split(' ').next()?;
    let point = left.split(' ').nth(4)?;
    ["cgroup", "cgroup2"]
        .contains(&kind)
        .then(|| PathBuf::from(point))
}

/// Removes a cgroup's folder. The kernel lets go of it a moment after its last process ended.
fn remove_folder(folder: &Path) -> Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
25 30 0:23 / /sys/fs/cgroup ro,nosuid shared:9 - tmpfs tmpfs ro,mode=755
26 25 0:24 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw,nsdelegate
27 25 0:25 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer";

    #[test]
    fn a_folder_has_a_path_within_its_hierarchy() {
        let path = |folder: &str| path_within(Path::new(folder), MOUNTS);
        assert_eq!(
            path("/sys/fs/cgroup/unified/a/tare-1").as_deref(),
            Some("/a/tare-1")
        );
        assert_eq!(path("/sys/fs/cgroup/freezer/tare-1").as_deref(), Some("/tare-1"));
        assert_eq!(path("/sys/fs/cgroup/tare-1"), None, "that is no cgroup");
        assert_eq!(path("/tmp/tare-1"), None);
    }

    #[test]
    fn folders_within_are_found_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let mounts = format!("26 25 0:24 / {} rw - cgroup2 cgroup2 rw", folder.path().display());
        fs::create_dir_all(folder.path().join("tare-1/a/b")).unwrap();
        fs::create_dir_all(folder.path().join("tare-1/c")).unwrap();
        assert_eq!(inner(&folder.path().join("tare-1")).len(), 2);
        fs::write(folder.path().join("tare-1/a/b/cgroup.procs"), "12\n13\n").unwrap();
        assert_eq!(pids_in(&folder.path().join("tare-1")), [12, 13]);
        fs::remove_file(folder.path().join("tare-1/a/b/cgroup.procs")).unwrap();
        remove_everywhere("/tare-1", &mounts).unwrap();
        assert!(!folder.path().join("tare-1").exists());
        remove_everywhere("/tare-1", &mounts).unwrap();
    }
}
