//! Groups: a contender's whole process tree, to be frozen, counted and ended as one.
//!
//! Three backings, best first: cgroup v2, cgroup v1 (freezer and cpuacct), plain processes. All are used through
//! [`Group`]; [`detect`] finds out by trying which of them works here.

pub mod detect;
mod plain;
mod v1;
mod v2;

use std::fs::File;
use std::thread;
use std::time::{Duration, Instant};

use tare_model::units::{Bytes, Seconds};

pub use detect::{Grouping, detect};

use crate::error::{HostError, Result};
use crate::keeper::Ticket;
use crate::procfs;

/// How long a group may take to freeze. Trials took 0.2 ms; a machine under heavy load takes more.
const FREEZE_WITHIN: Duration = Duration::from_secs(5);
/// How long a killed group may take to be empty.
const EMPTY_WITHIN: Duration = Duration::from_secs(5);

/// The variable that every process of a group starts with, its value the group's name.
pub const MARKER: &str = "TARE_GROUP";

/// How processes are held together, frozen and counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Backing {
    /// `cgroup.freeze`, `cgroup.kill`, `cpu.stat`.
    V2,
    /// The freezer and cpuacct controllers.
    V1,
    /// SIGSTOP, and the CPU clocks of the processes.
    Plain,
}

/// A process tree that is held as one. Dropping it ends every process in it.
#[derive(Debug)]
pub struct Group {
    name: String,
    kind: Kind,
    ticket: Option<Ticket>,
    removed: bool,
}

#[derive(Debug)]
enum Kind {
    V2(v2::V2),
    V1(v1::V1),
    Plain(plain::Plain),
}

/// Resident memory of a group: the sum over its living processes. Pages that they share are counted in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Memory {
    /// Resident now.
    pub now: Bytes,
    /// The sum of each process's highest.
    pub peak: Bytes,
}

impl Backing {
    /// All, best first.
    pub const ALL: [Backing; 3] = [Backing::V2, Backing::V1, Backing::Plain];

    /// How it freezes, as results name it.
    pub fn freezer(self) -> &'static str {
        match self {
            Backing::V2 => "cgroup v2",
            Backing::V1 => "cgroup v1",
            Backing::Plain => "SIGSTOP",
        }
    }

    /// How it counts CPU time, as results name it.
    pub fn accounting(self) -> &'static str {
        match self {
            Backing::V2 => "cgroup v2",
            Backing::V1 => "cgroup v1",
            Backing::Plain => "process clocks",
        }
    }

    /// What is less exact with it, to be said once; none for cgroups.
    pub fn less_exact(self) -> Option<&'static str> {
        match self {
            Backing::V2 | Backing::V1 => None,
            Backing::Plain => Some(
                "without cgroups, contenders are frozen by SIGSTOP and counted by process clocks: CPU time of \
                 children that ended counts in steps of 10 ms, and of those that nobody waited for not at all",
            ),
        }
    }

    fn tag(self) -> &'static str {
        match self {
            Backing::V2 => "v2",
            Backing::V1 => "v1",
            Backing::Plain => "plain",
        }
    }
}

impl Group {
    fn new(name: &str, kind: Kind) -> Self {
        Self {
            name: name.to_owned(),
            kind,
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
        match self.kind {
            Kind::V2(_) => Backing::V2,
            Kind::V1(_) => Backing::V1,
            Kind::Plain(_) => Backing::Plain,
        }
    }

    /// The variable that its processes must be started with.
    pub fn marker(&self) -> (&'static str, &str) {
        (MARKER, &self.name)
    }

    /// Open files that a child writes itself into before its exec, to be in the group from its first instruction.
    pub(crate) fn joins(&self) -> Result<Vec<File>> {
        match &self.kind {
            Kind::V2(group) => group.joins(),
            Kind::V1(group) => group.joins(),
            Kind::Plain(_) => Ok(Vec::new()),
        }
    }

    /// Stops every process of the group, and returns when none of them runs any more.
    ///
    /// # Errors
    /// [`HostError::TooSlow`] where that takes longer than five seconds; the group may then be frozen in part.
    pub fn freeze(&self) -> Result<()> {
        match &self.kind {
            Kind::V2(group) => group.set_frozen(true)?,
            Kind::V1(group) => group.set_frozen(true)?,
            Kind::Plain(group) => group.stop_round(),
        }
        let mut last = None;
        self.wait("was not frozen", FREEZE_WITHIN, |waited| match &self.kind {
            Kind::V2(group) => group.is_frozen(),
            Kind::V1(group) => group.is_frozen(),
            // A scan may miss one that is just being born: the next must find the same ones at rest.
            Kind::Plain(group) => {
                let at_rest = group.settled(waited);
                let same = at_rest.is_some() && at_rest == last;
                last = at_rest;
                Ok(same)
            }
        })?;
        if self.backing() == Backing::V2 {
            // Frozen is said when the last task is about to leave its core. In trials it used up to 32 µs more; up to
            // 6 µs with this.
            self.procs().into_iter().for_each(procfs::wait_until_off_core);
        }
        Ok(())
    }

    /// Remembers a process that was started into the group, where there is no cgroup to do so.
    pub(crate) fn born(&self, pid: u32) {
        if let Kind::Plain(group) = &self.kind {
            group.born(pid);
        }
    }

    /// Lets the processes run again.
    pub fn thaw(&self) -> Result<()> {
        match &self.kind {
            Kind::V2(group) => group.set_frozen(false),
            Kind::V1(group) => group.set_frozen(false),
            Kind::Plain(group) => {
                group.resume();
                Ok(())
            }
        }
    }

    /// CPU time that the group used since it was made: exact for cgroups; see [`Backing::less_exact`] for the rest.
    pub fn cpu(&self) -> Result<Seconds> {
        match &self.kind {
            Kind::V2(group) => group.cpu(),
            Kind::V1(group) => group.cpu(),
            Kind::Plain(group) => Ok(group.cpu()),
        }
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

    /// Context switches of the living threads since their start.
    pub fn switches(&self) -> u64 {
        self.procs().into_iter().map(procfs::switches).sum()
    }

    /// The living processes, zombies not counted.
    pub fn procs(&self) -> Vec<u32> {
        let mut pids = match &self.kind {
            Kind::V2(group) => group.procs(),
            Kind::V1(group) => group.procs(),
            Kind::Plain(group) => group.procs(),
        };
        pids.retain(|&pid| procfs::stat(pid).is_some_and(|stat| !stat.is_dead()));
        pids
    }

    /// Ends every process, frozen or not, and returns when none is left.
    ///
    /// # Errors
    /// [`HostError::TooSlow`] where some are left after five seconds.
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
            Ok(empty_scans > 0 && self.trusts_emptiness(empty_scans, waited))
        })
    }

    /// A process between fork and exec bears no marker yet, so a scan of plain processes may miss one that is just
    /// being born: several scans in a row must find none.
    fn trusts_emptiness(&self, empty_scans: u32, waited: Duration) -> bool {
        match self.kind {
            Kind::Plain(_) => empty_scans >= 3 && waited >= Duration::from_millis(20),
            Kind::V1(_) | Kind::V2(_) => true,
        }
    }

    /// Sends what ends every process of the group, without waiting.
    pub(crate) fn kill_once(&self) -> Result<()> {
        match &self.kind {
            Kind::V2(group) => group.kill_once(),
            Kind::V1(group) => group.kill_once(),
            Kind::Plain(group) => {
                group.kill_once();
                Ok(())
            }
        }
    }

    /// Ends every process and takes the group away; nothing is left of it. May be called again.
    pub fn remove(&mut self) -> Result<()> {
        if self.removed {
            return Ok(());
        }
        self.kill()?;
        match &self.kind {
            Kind::V2(group) => group.remove()?,
            Kind::V1(group) => group.remove()?,
            Kind::Plain(_) => {}
        }
        self.removed = true;
        if let Some(ticket) = self.ticket.take() {
            ticket.give_back();
        }
        Ok(())
    }

    /// One line that says all that is needed to end the group from another process.
    pub(crate) fn line(name: &str, backing: Backing, folders: &[String]) -> String {
        let mut words = vec![backing.tag().to_owned(), name.to_owned()];
        words.extend_from_slice(folders);
        words.join("\t")
    }

    /// A group that some other process made, from its line; none where the line is not one of ours.
    pub(crate) fn adopt(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split('\t').collect();
        let name = *words.get(1).filter(|name| is_group_name(name))?;
        // A folder that does not end in the group's own name is not what we made.
        let ours = words[2..]
            .iter()
            .all(|folder| folder.ends_with(&format!("/{name}")));
        let kind = match (words[0], &words[2..]) {
            ("v2", [folder]) if ours => Kind::V2(v2::V2::at(folder)),
            ("v1", [freezer, cpu]) if ours => Kind::V1(v1::V1::at(freezer, cpu)),
            ("plain", []) => Kind::Plain(plain::Plain::new(name)),
            _ => return None,
        };
        Some(Self::new(name, kind))
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
                    who: procfs::describe_all(&self.procs()),
                });
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(2));
        }
        Ok(())
    }
}

impl Drop for Group {
    /// Nothing outlives its group. Where that fails, the ticket stays, and the guard tries again.
    fn drop(&mut self) {
        let _ = self.remove();
    }
}

/// Whether a name is one that tare gives: letters, digits and dashes behind `tare-`.
pub(crate) fn is_group_name(name: &str) -> bool {
    name.starts_with("tare-") && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_gives_the_group_back_and_nothing_else_does() {
        let line = Group::line("tare-ab-1", Backing::V2, &["/x/tare-ab-1".to_owned()]);
        let mut group = Group::adopt(&line).unwrap();
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
            assert!(Group::adopt(bad).is_none(), "{bad:?}");
        }
    }
}
