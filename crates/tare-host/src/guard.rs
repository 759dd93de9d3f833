//! What sees to it that nothing outlives tare: a guard process for when it is killed, and a sweep at the next start.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

use crate::error::{HostError, Result};
use crate::fifo;
use crate::groups::Group;
use crate::keeper::{lab_prefix, registry_folder};
use crate::lock::Lock;
use crate::sys::{self, Birth};

/// The guard process, seen from tare. When tare ends in any way, the pipe closes and the guard ends what is
/// registered. Dropping it waits until it has done so.
#[derive(Debug)]
pub struct Guard {
    child: Child,
    pipe: Option<ChildStdin>,
}

impl Guard {
    /// Starts the guard: `argv` is tare's own binary with the hidden argument that leads to [`serve`].
    /// It has a session of its own and ignores the terminal's signals from before its first instruction on.
    ///
    /// # Errors
    /// [`HostError::Os`] where it cannot be started.
    pub fn start(lock: &Lock, argv: &[OsString]) -> Result<Self> {
        let folder = registry_folder(lock.state());
        fs::create_dir_all(&folder).map_err(HostError::on("create the folder", &folder))?;
        let (program, arguments) = argv
            .split_first()
            .ok_or_else(|| HostError::Other("the guard needs a command".to_owned()))?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            // It takes the registry's entries away with the groups: they are files in its working folder.
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            // Not ours: whoever reads our errors to their end must not wait for the guard.
            .stderr(Stdio::null());
        let birth = Birth {
            deaf: true,
            ..Birth::default()
        };
        sys::prepare(&mut command, birth).map_err(HostError::on("prepare", "the guard"))?;
        let mut child = command
            .spawn()
            .map_err(HostError::on("start the guard", program))?;
        let pipe = child.stdin.take();
        Ok(Self { child, pipe })
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn tell(&mut self, line: &str) -> Result<()> {
        let pipe = self.pipe.as_mut().expect("taken on drop only");
        // One write of less than PIPE_BUF bytes: a line arrives whole or not at all.
        pipe.write_all(format!("{line}\n").as_bytes()).map_err(|error| {
            HostError::Other(format!(
                "the guard process {} is gone ({error}), so nothing would end the contenders if tare were killed\n\n\
                 hint: start the run again; find out who ended the guard",
                self.child.id()
            ))
        })
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.pipe.take());
        let _ = self.child.wait();
    }
}

/// The guard's whole life: reads `+line` and `-name` from standard input until that closes, then ends every group
/// that is still registered. Returns the exit status: 0 when all are gone, 1 otherwise.
pub fn serve() -> i32 {
    let mut registered = BTreeMap::new();
    for line in io::stdin().lock().lines().map_while(io::Result::ok) {
        note(&mut registered, &line);
    }
    let groups: Vec<Group> = registered
        .values()
        .filter_map(|line: &String| Group::adopt(line))
        .collect();
    let done = end_all(groups, |name| {
        let _ = fs::remove_file(name);
    });
    i32::from(!done.is_empty())
}

fn note(registered: &mut BTreeMap<String, String>, line: &str) {
    if let Some(name) = line.strip_prefix('-') {
        registered.remove(name);
    } else if let Some(entry) = line.strip_prefix('+')
        && let Some(name) = entry.split('\t').nth(1)
    {
        registered.insert(name.to_owned(), entry.to_owned());
    }
}

/// Ends groups, all at once and then one after the other, and says which could not be ended and why.
fn end_all(mut groups: Vec<Group>, mut forget: impl FnMut(&str)) -> Vec<HostError> {
    for group in &groups {
        let _ = group.kill_once();
    }
    let mut failed = Vec::new();
    for group in &mut groups {
        match group.remove() {
            Ok(()) => forget(group.name()),
            Err(error) => failed.push(error),
        }
    }
    failed
}

/// Ends what a killed run of this lab left behind: groups that are registered in its state folder *and* bear its
/// name. The lock shows that no other run of the lab is alive. Returns the names of the groups that were ended.
///
/// # Errors
/// [`HostError::Other`] with those that could not be ended.
pub fn sweep(lock: &Lock) -> Result<Vec<String>> {
    let folder = registry_folder(lock.state());
    let prefix = lab_prefix(lock.state());
    let mut ended = Vec::new();
    let mut groups = Vec::new();
    for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
        match leftover(&entry.path(), &prefix) {
            Some(group) => groups.push(group),
            // Not an entry of this lab: it names nothing that we may end.
            None => drop(fs::remove_file(entry.path())),
        }
    }
    let failed = end_all(groups, |name| {
        let _ = fs::remove_file(folder.join(name));
        ended.push(name.to_owned());
    });
    fifo::sweep(lock.state());
    if failed.is_empty() {
        return Ok(ended);
    }
    let reasons: Vec<String> = failed.iter().map(ToString::to_string).collect();
    Err(HostError::Other(format!(
        "an earlier run left processes that could not be ended: {}\n\nhint: end them by hand",
        reasons.join("; ")
    )))
}

fn leftover(path: &Path, prefix: &str) -> Option<Group> {
    let name = path.file_name()?.to_str()?;
    let line = fs::read_to_string(path).ok()?;
    let named = |line: &str| name.starts_with(prefix) && line.split('\t').nth(1) == Some(name);
    named(&line).then(|| Group::adopt(&line))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_registered_is_what_was_added_and_not_taken_away() {
        let mut registered = BTreeMap::new();
        for line in [
            "+plain\ttare-a-1",
            "+plain\ttare-a-2",
            "-tare-a-1",
            "-tare-a-9",
            "",
            "nonsense",
            "+",
        ] {
            note(&mut registered, line);
        }
        assert_eq!(registered.into_values().collect::<Vec<_>>(), ["plain\ttare-a-2"]);
    }

    #[test]
    fn entries_of_other_labs_are_not_ours_to_end() {
        let folder = tempfile::tempdir().unwrap();
        let entry = |name: &str, line: &str| {
            let path = folder.path().join(name);
            fs::write(&path, line).unwrap();
            leftover(&path, "tare-0a0b0c0d-").is_some()
        };
        assert!(entry("tare-0a0b0c0d-r-1", "plain\ttare-0a0b0c0d-r-1"));
        assert!(!entry("tare-ffffffff-r-1", "plain\ttare-ffffffff-r-1"));
        assert!(!entry("tare-0a0b0c0d-r-2", "plain\ttare-ffffffff-r-1"));
        assert!(!entry(
            "tare-0a0b0c0d-r-3",
            "v2\ttare-0a0b0c0d-r-3\t/sys/fs/cgroup/system.slice"
        ));
        assert!(!entry("tare-0a0b0c0d-r-4", ""));
    }
}
