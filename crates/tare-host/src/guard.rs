//! What makes sure that nothing outlives tare: a guard process for when tare is killed, and a sweep at the next start.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead};
use std::path::Path;

use crate::containers::Remains;
use crate::error::{HostError, Result};
use crate::fifo;
use crate::groups::ProcessGroup;
use crate::lock::Lock;
pub use crate::registry::Guard;
use crate::registry::{lab_prefix, registry_folder};

/// Runs the guard process: reads `+line` and `-name` from standard input until that closes, then ends every group
/// that is still registered. Returns the exit status: 0 when all are gone, 1 otherwise.
pub fn serve() -> i32 {
    let mut registered = BTreeMap::new();
    for line in io::stdin().lock().lines().map_while(io::Result::ok) {
        note(&mut registered, &line);
    }
    let entries = registered.values().filter_map(|line: &String| Entry::adopt(line));
    // It works in the folder of the registry, in the lab's state folder.
    let failed = end_all(entries.collect(), Path::new(".."), |name| {
        let _ = fs::remove_file(name);
    });
    i32::from(!failed.is_empty())
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

/// What is registered.
enum Entry {
    Group(ProcessGroup),
    Remains(Remains),
}

impl Entry {
    /// What a line of the registry names; none where it is not one of tare's.
    fn adopt(line: &str) -> Option<Self> {
        let remains = || Remains::adopt(line).map(Self::Remains);
        ProcessGroup::adopt(line).map(Self::Group).or_else(remains)
    }
}

/// Ends groups, first all at once and then one after the other, and then removes what engines of containers keep; calls
/// `forget` with the name of each that is gone. Returns why the others could not be ended.
fn end_all(entries: Vec<Entry>, state: &Path, mut forget: impl FnMut(&str)) -> Vec<HostError> {
    let (mut groups, mut kept) = (Vec::new(), Vec::new());
    for entry in entries {
        match entry {
            Entry::Group(group) => groups.push(group),
            Entry::Remains(remains) => kept.push(remains),
        }
    }
    for group in &groups {
        let _ = group.kill_once();
    }
    let mut failed = Vec::new();
    let mut note = |name: &str, ended: Result<()>| match ended {
        Ok(()) => forget(name),
        Err(error) => failed.push(error),
    };
    for group in &mut groups {
        let ended = group.remove();
        note(group.name(), ended);
    }
    for remains in &kept {
        note(remains.name(), remains.end(state));
    }
    failed
}

/// Ends what a killed run of this lab left behind: groups that are registered in its state folder *and* bear its
/// name. The lock proves that no other run of the lab is alive. Returns the names of the groups that were ended.
///
/// # Errors
/// [`HostError::Other`] with those that could not be ended.
pub fn sweep(lock: &Lock) -> Result<Vec<String>> {
    let folder = registry_folder(lock.state());
    let prefix = lab_prefix(lock.state());
    let mut ended = Vec::new();
    let mut entries = Vec::new();
    for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
        match leftover(&entry.path(), &prefix) {
            Some(found) => entries.push(found),
            // Not an entry of this lab: it names nothing that tare may end.
            None => drop(fs::remove_file(entry.path())),
        }
    }
    let failed = end_all(entries, lock.state(), |name| {
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

/// What a registry entry names, if the entry belongs to this lab.
fn leftover(path: &Path, prefix: &str) -> Option<Entry> {
    let name = path.file_name()?.to_str()?;
    let line = fs::read_to_string(path).ok()?;
    let named = |line: &str| name.starts_with(prefix) && line.split('\t').nth(1) == Some(name);
    named(&line).then(|| Entry::adopt(&line))?
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
        assert!(entry(
            "tare-0a0b0c0d-r-5",
            "container\ttare-0a0b0c0d-r-5\tpodman\t/tare-0a0b0c0d-r-1"
        ));
        assert!(!entry(
            "tare-0a0b0c0d-r-6",
            "container\ttare-0a0b0c0d-r-6\tpodman\t/init.scope"
        ));
        assert!(!entry("tare-ffffffff-r-1", "plain\ttare-ffffffff-r-1"));
        assert!(!entry("tare-0a0b0c0d-r-2", "plain\ttare-ffffffff-r-1"));
        assert!(!entry(
            "tare-0a0b0c0d-r-3",
            "v2\ttare-0a0b0c0d-r-3\t/sys/fs/cgroup/system.slice"
        ));
        assert!(!entry("tare-0a0b0c0d-r-4", ""));
    }
}
