//! A process group, whatever its backing.

use std::fs::{self, File};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use tare_model::units::{Bytes, Seconds};

use super::backing::Backing;
use super::cgroup::path_within;
use super::holder::{AnyHolder, MARKER};
use crate::error::{HostError, Result};
use crate::procfs::{self, Threads};
use crate::registry::{Ticket, is_group_name};

/// How long a group may take to freeze. Trials took 0.2 ms; a machine under heavy load takes more.
const FREEZE_WITHIN: Duration = Duration::from_secs(5);
/// How long a killed group may take to be empty.
const EMPTY_WITHIN: Duration = Duration::from_secs(5);

/// A process tree that is held as one. Dropping it ends every process in it.
#[derive(Debug)]
pub struct ProcessGroup {
    name: String,
    backing: Backing,
    holder: AnyHolder,
    ticket: Option<Ticket>,
    removed: bool,
}

/// Resident memory of a group: the sum over its living processes. Pages that they share are counted in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Memory {
    /// Resident now.
    pub now: Bytes,
    /// The sum of each process's highest.
    pub peak: Bytes,
}

impl ProcessGroup {
    /// Makes a group. `folders`: one for each controller of the backing.
    pub(super) fn create(name: &str, backing: Backing, folders: &[PathBuf]) -> Result<Self> {
        if !is_group_name(name) {
            return Err(HostError::Other(format!(
                "`{name}` is not a name for a group of tare's"
            )));
        }
        let holder = (backing.description().create)(name, folders)?;
        Ok(Self::new(name, backing, holder))
    }

    fn new(name: &str, backing: Backing, holder: AnyHolder) -> Self {
        Self {
            name: name.to_owned(),
            backing,
            holder,
            ticket: None,
            removed: false,
        }
    }

    /// Its name: `tare-<lab hash>-<run>-<number>`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How it is held.
    pub fn backing(&self) -> Backing {
        self.backing
    }

    /// The variable that its processes must be started with.
    pub fn marker(&self) -> (&'static str, &str) {
        (MARKER, &self.name)
    }

    /// Its path in the hierarchies of cgroups, where it is one: what a container engine calls the parent of a container.
    pub(crate) fn cgroup(&self) -> Option<String> {
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        path_within(self.holder.folder()?, &mounts)
    }

    /// Open files that a child writes itself into before its exec, to be in the group from its first instruction.
    pub(crate) fn joins(&self) -> Result<Vec<File>> {
        self.holder.joins()
    }

    /// Pauses every process of the group, and returns when none of them runs any more.
    ///
    /// # Errors
    /// [`HostError::TooSlow`] if that takes longer than five seconds; some processes may then be paused.
    pub fn freeze(&self) -> Result<()> {
        self.holder.freeze()?;
        self.wait("was not frozen", FREEZE_WITHIN, |waited| {
            self.holder.is_frozen(waited)
        })
    }

    /// Remembers a process that was started into the group, where there is no cgroup to do so.
    pub(crate) fn born(&self, pid: u32) {
        self.holder.born(pid);
    }

    /// Lets the processes run again.
    pub fn thaw(&self) -> Result<()> {
        self.holder.thaw()
    }

    /// CPU time that the group used since it was made: exact for cgroups; see [`super::Grouping::less_exact`] for the
    /// rest.
    pub fn cpu(&self) -> Result<Seconds> {
        self.holder.cpu()
    }

    /// Resident memory, summed over the living processes.
    pub fn memory(&self) -> Memory {
        let mut sum = Memory::default();
        for (now, peak) in self.procs().into_iter().filter_map(procfs::memory) {
            sum.now.0 += now.0;
            sum.peak.0 += peak.0;
        }
        sum
    }

    /// What the living threads did since their start.
    pub fn threads(&self) -> Threads {
        self.procs().into_iter().map(procfs::threads_did).sum()
    }

    /// The living processes, zombies not counted.
    pub fn procs(&self) -> Vec<u32> {
        let mut pids = self.holder.procs();
        pids.retain(|&pid| procfs::is_alive(pid));
        pids
    }

    /// Ends every process, paused or not, and returns when none is left.
    ///
    /// # Errors
    /// [`HostError::TooSlow`] if some are left after five seconds.
    pub fn kill(&self) -> Result<()> {
        self.kill_once()?;
        let mut empty_scans = 0;
        self.wait("was not empty", EMPTY_WITHIN, |waited| {
            if self.procs().is_empty() {
                empty_scans += 1;
            } else {
                empty_scans = 0;
                self.kill_once()?;
            }
            Ok(empty_scans > 0 && self.holder.is_surely_empty(empty_scans, waited))
        })
    }

    /// Sends what ends every process of the group, without waiting.
    pub(crate) fn kill_once(&self) -> Result<()> {
        self.holder.kill_once()
    }

    /// Ends every process and removes the group. May be called again.
    ///
    /// # Errors
    /// If a process or the group itself cannot be removed.
    pub fn remove(&mut self) -> Result<()> {
        if self.removed {
            return Ok(());
        }
        self.kill()?;
        self.holder.remove()?;
        self.removed = true;
        if let Some(ticket) = self.ticket.take() {
            ticket.give_back();
        }
        Ok(())
    }

    /// One line that holds all that another process needs to end the group.
    pub(super) fn line(name: &str, backing: Backing, folders: &[PathBuf]) -> String {
        let mut words = vec![backing.tag().to_owned(), name.to_owned()];
        words.extend(folders.iter().map(|folder| folder.display().to_string()));
        words.join("\t")
    }

    /// The group of a [`line`](Self::line) that another process wrote; none where the line is not one of tare's.
    pub(crate) fn adopt(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split('\t').collect();
        let backing = Backing::from_tag(words[0])?;
        let name = *words.get(1).filter(|name| is_group_name(name))?;
        // A folder that does not end in the group's own name is not one that tare made.
        let ours = |folder: &&str| folder.ends_with(&format!("/{name}"));
        let description = backing.description();
        if words.len() != 2 + description.controllers.len() || !words[2..].iter().all(ours) {
            return None;
        }
        let folders: Vec<PathBuf> = words[2..].iter().map(PathBuf::from).collect();
        let holder = (description.adopt)(name, &folders);
        Some(Self::new(name, backing, holder))
    }

    pub(crate) fn set_ticket(&mut self, ticket: Ticket) {
        self.ticket = Some(ticket);
    }

    /// Asks until the answer is yes: first at once, then in growing steps of 20 µs to 2 ms.
    fn wait(
        &self,
        what: &'static str,
        limit: Duration,
        mut done: impl FnMut(Duration) -> Result<bool>,
    ) -> Result<()> {
        let began = Instant::now();
        let mut pause = Duration::from_micros(20);
        while !done(began.elapsed())? {
            if began.elapsed() > limit {
                return Err(HostError::TooSlow {
                    group: self.name.clone(),
                    what,
                    seconds: limit.as_secs_f64(),
                    processes: procfs::describe_all(&self.procs()),
                });
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(2));
        }
        Ok(())
    }
}

impl Drop for ProcessGroup {
    /// Nothing outlives its group. Where that fails, the ticket stays, and the guard tries again.
    fn drop(&mut self) {
        let _ = self.remove();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_gives_the_group_back_and_nothing_else_does() {
        let line = ProcessGroup::line("tare-ab-1", Backing::V2, &["/x/tare-ab-1".into()]);
        let mut group = ProcessGroup::adopt(&line).unwrap();
        assert_eq!((group.name(), group.backing()), ("tare-ab-1", Backing::V2));
        group.removed = true; // nothing of it exists
        for bad in [
            "",
            "v2",
            "v2\ttare-ab-1",
            "v2\ttare-ab-1\t/x/other",
            "v2\tsshd\t/x/sshd",
            "v2\ttare-../x\t/x/tare-../x",
            "v1\ttare-ab-1\t/x/tare-ab-1",
            "v3\ttare-ab-1\t/x/tare-ab-1",
            "plain\ttare-ab-1\t/x/tare-ab-1",
            "plain\t",
        ] {
            assert!(ProcessGroup::adopt(bad).is_none(), "{bad:?}");
        }
    }
}
