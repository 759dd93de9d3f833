//! Which way of holding processes works here: found out by trying it, not by looking for files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use super::backing::Backing;
use super::group::ProcessGroup;
use crate::command;
use crate::error::{HostError, Result};
use crate::sys::{self, Birth};

/// The way that is used here, and where its groups are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grouping {
    /// Which way.
    pub backing: Backing,
    /// What was tried before it, and why it does not work: one sentence each.
    refused: Vec<String>,
    /// The folders that groups are made in: one for v2, two (freezer, cpuacct) for v1, none for plain.
    places: Vec<PathBuf>,
}

/// Finds the best way of holding processes: makes a group, puts a process into it, freezes and thaws it, counts its CPU
/// time, ends and removes it. `forced` asks for one way only.
///
/// # Errors
/// [`HostError::Unsupported`] if the forced way does not work; without `forced`, if none does.
pub fn detect(forced: Option<Backing>) -> Result<Grouping> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let wanted = |backing: &Backing| forced.is_none_or(|forced| forced == *backing);
    let mut refused = Vec::new();
    for backing in Backing::ALL.into_iter().filter(wanted) {
        match places(backing, &mounts, &own).and_then(|places| try_out(backing, places)) {
            Ok(places) => {
                return Ok(Grouping {
                    backing,
                    refused,
                    places,
                });
            }
            Err(error) => refused.push(format!("{}: {error}", backing.freezer())),
        }
    }
    Err(HostError::Unsupported {
        backing: forced.map_or("any way of holding processes", Backing::freezer),
        reason: refused.join("; "),
    })
}

impl Grouping {
    /// Makes a group of this name. It has no process yet; dropping it ends what runs in it.
    ///
    /// # Errors
    /// [`HostError::Os`] if the folder cannot be made.
    pub(crate) fn create(&self, name: &str) -> Result<ProcessGroup> {
        ProcessGroup::create(name, self.backing, &self.folders(name))
    }

    /// The line of the group that [`create`](Self::create) would make: what the guard needs to end it.
    pub(crate) fn line(&self, name: &str) -> String {
        ProcessGroup::line(name, self.backing, &self.folders(name))
    }

    fn folders(&self, name: &str) -> Vec<PathBuf> {
        self.places.iter().map(|place| place.join(name)).collect()
    }

    /// What is less exact here and why, to be said once; none where cgroups are used.
    pub fn less_exact(&self) -> Option<String> {
        let what = self.backing.less_exact()?;
        Some(match self.refused.as_slice() {
            [] => what.to_owned(),
            tried => format!("{what} (tried: {})", tried.join("; ")),
        })
    }
}

fn places(backing: Backing, mounts: &str, own: &str) -> Result<Vec<PathBuf>> {
    let controllers = backing.description().controllers.iter();
    controllers
        .map(|controller| {
            place(controller, mounts, own).ok_or_else(|| {
                HostError::Other(match *controller {
                    "" => "no cgroup2 file system is mounted".to_owned(),
                    name => format!("the controller {name} is not mounted"),
                })
            })
        })
        .collect()
}

/// The folder of our own cgroup in the hierarchy that has this controller (`""`: v2).
///
/// Formats: proc(5) for mountinfo (`… root mount-point … - type source options`), cgroups(7) for
/// `/proc/self/cgroup` (`id:controllers:path`).
fn place(controller: &str, mounts: &str, own: &str) -> Option<PathBuf> {
    let (root, point) = mounts.lines().find_map(|line| mount_with(line, controller))?;
    let path = own.lines().find_map(|line| {
        let (_, rest) = line.split_once(':')?;
        let (controllers, path) = rest.split_once(':')?;
        controllers
            .split(',')
            .any(|name| name == controller)
            .then_some(path)
    })?;
    // In a container the mount may show a part of the hierarchy only.
    let inside = Path::new(path).strip_prefix(&root).unwrap_or(Path::new(""));
    let folder = point.join(inside);
    Some(if folder.is_dir() { folder } else { point })
}

fn mount_with(line: &str, controller: &str) -> Option<(String, PathBuf)> {
    let (left, right) = line.split_once(" - ")?;
    let left: Vec<&str> = left.split(' ').collect();
    let right: Vec<&str> = right.split(' ').collect();
    let fits = match controller {
        "" => right[0] == "cgroup2",
        name => right[0] == "cgroup" && right.get(2)?.split(',').any(|option| option == name),
    };
    fits.then(|| Some(((*left.get(3)?).to_owned(), PathBuf::from(left.get(4)?))))?
}

fn try_out(backing: Backing, places: Vec<PathBuf>) -> Result<Vec<PathBuf>> {
    // Signals need nothing that could be missing, and a container may hold no program but tare.
    if backing == Backing::Plain && command::find("sleep", None).is_none() {
        return Ok(places);
    }
    static TRIALS: AtomicU32 = AtomicU32::new(0);
    let trial = TRIALS.fetch_add(1, Ordering::Relaxed);
    let name = format!("tare-trial-{}-{trial}", std::process::id());
    let grouping = Grouping {
        backing,
        refused: Vec::new(),
        places,
    };
    let mut group = grouping.create(&name)?;
    let mut sleeper = spawn_sleeper(&group)?;
    let outcome = exercise(&group, sleeper.id());
    let removed = group.remove();
    // Killed with its group; where that failed, by its id.
    let _ = sleeper.kill();
    let _ = sleeper.wait();
    outcome.and(removed).map(|()| grouping.places)
}

fn spawn_sleeper(group: &ProcessGroup) -> Result<Child> {
    let mut command = Command::new("sleep");
    let (name, value) = group.marker();
    command.arg("30").env(name, value);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let birth = Birth {
        joins: group.joins()?,
        ..Birth::default()
    };
    sys::prepare(&mut command, birth).map_err(HostError::on("prepare", "sleep"))?;
    command
        .spawn()
        .map_err(HostError::on("put into a trial group", "`sleep`"))
}

fn exercise(group: &ProcessGroup, pid: u32) -> Result<()> {
    group.freeze()?;
    group.cpu()?;
    let procs = group.procs();
    group.thaw()?;
    if procs != [pid] {
        return Err(HostError::Other(format!(
            "a trial group should hold process {pid} and holds {procs:?}"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
25 30 0:23 / /sys/fs/cgroup ro,nosuid shared:9 - tmpfs tmpfs ro,mode=755
26 25 0:24 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw,nsdelegate
27 25 0:25 /docker/ab /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer
28 25 0:26 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct";

    #[test]
    fn places_are_found_by_controller() {
        let own = "3:freezer:/docker/ab/nowhere\n2:cpu,cpuacct:/nowhere\n0::/nowhere";
        // The folders do not exist here, so the mount points are used instead.
        for (controller, expected) in [
            ("", "/sys/fs/cgroup/unified"),
            ("freezer", "/sys/fs/cgroup/freezer"),
            ("cpuacct", "/sys/fs/cgroup/cpu,cpuacct"),
        ] {
            assert_eq!(
                place(controller, MOUNTS, own),
                Some(PathBuf::from(expected)),
                "{controller:?}"
            );
        }
        assert_eq!(place("memory", MOUNTS, own), None);
        assert_eq!(place("", "", own), None);
    }

    #[test]
    fn some_way_works_everywhere() {
        let found = detect(None).unwrap();
        let tried = found.refused.len();
        assert_eq!(Backing::ALL[tried], found.backing);
    }

    #[test]
    fn plain_always_works_and_says_what_is_less_exact() {
        let plain = detect(Some(Backing::Plain)).unwrap();
        assert!(plain.less_exact().unwrap().contains("SIGSTOP"));
    }

    #[test]
    fn only_names_of_ours_become_groups() {
        let plain = detect(Some(Backing::Plain)).unwrap();
        for bad in ["", "x", "tare-a/b", "tare-..", "tare-a\tb"] {
            assert!(plain.create(bad).is_err(), "{bad:?}");
        }
    }
}
