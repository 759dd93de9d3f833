//! A group without cgroups: the processes that carry the group's marker, what they started, and what is in their session.
//!
//! A process escapes only if it clears its environment, begins a session of its own and loses its parent, all
//! between two scans; one that was seen once is remembered.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use tare_model::units::Seconds;

use super::holder::{Description, Holder, MARKER};
use crate::error::Result;
use crate::procfs::{self, Stat};
use crate::sys;

pub(super) const DESCRIPTION: Description = Description {
    tag: "plain",
    freezer: "SIGSTOP",
    accounting: "process clocks",
    less_exact: Some(
        "without cgroups, contenders are paused by SIGSTOP and counted by process clocks: CPU time of children that \
         ended counts in steps of 10 ms, and that of children nobody waited for is lost",
    ),
    controllers: &[],
    create: |name, _| Ok(Box::new(Plain::new(name))),
    adopt: |name, _| Box::new(Plain::new(name)),
};

/// A process that waits in the kernel (`D`) stops on its way out of it and cannot run the contender's code before;
/// one that waits for the child of its vfork, which is stopped, never comes out. So it counts as stopped after this.
const TRUST_WAITING_AFTER: Duration = Duration::from_millis(50);

#[derive(Debug)]
struct Plain {
    assignment: String,
    /// Ids and start times of every process seen: they still belong to the group when they lose their parent.
    seen: Mutex<BTreeMap<u32, u64>>,
    /// The processes that the last look during a freeze found stopped, all threads of each.
    at_rest: Mutex<Option<Vec<u32>>>,
}

impl Plain {
    fn new(name: &str) -> Self {
        Self {
            assignment: format!("{MARKER}={name}"),
            seen: Mutex::default(),
            at_rest: Mutex::default(),
        }
    }

    fn seen(&self) -> MutexGuard<'_, BTreeMap<u32, u64>> {
        self.seen.lock().expect("no thread panics while it holds this")
    }

    fn at_rest(&self) -> MutexGuard<'_, Option<Vec<u32>>> {
        self.at_rest.lock().expect("no thread panics while it holds this")
    }

    /// The processes of the tree, parents before their children, zombies included.
    fn scan(&self) -> Vec<Stat> {
        let own = std::process::id();
        let all: Vec<Stat> = procfs::pids()
            .into_iter()
            .filter(|&pid| pid != own)
            .filter_map(procfs::stat)
            .collect();
        let mut seen = self.seen();
        let mut ours: Vec<Stat> = Vec::new();
        let (mut rest, roots): (Vec<Stat>, Vec<Stat>) =
            all.into_iter().partition(|stat| !self.is_root(stat, &seen));
        let mut found = roots;
        while !found.is_empty() {
            seen.extend(found.iter().map(|stat| (stat.pid, stat.start)));
            ours.append(&mut found);
            (found, rest) = rest
                .into_iter()
                .partition(|stat| seen.contains_key(&stat.parent) || seen.contains_key(&stat.session));
        }
        // Forget the dead, so that a later process of the same id is not mistaken for one of ours.
        let living: Vec<(u32, u64)> = ours.iter().map(|stat| (stat.pid, stat.start)).collect();
        seen.retain(|&pid, &mut start| living.contains(&(pid, start)));
        parents_first(&mut ours);
        ours
    }

    fn is_root(&self, stat: &Stat, seen: &BTreeMap<u32, u64>) -> bool {
        seen.get(&stat.pid) == Some(&stat.start) || procfs::has_variable(stat.pid, &self.assignment)
    }

    /// Sends a signal to these processes, and to their POSIX process groups.
    ///
    /// POSIX groups are signalled as such: the kernel does that in one go, which also catches a chain of processes
    /// that fork and exit faster than they can be listed. A process enters a session only by birth, and each contender
    /// begins with its own: so a POSIX group of another session than tare's belongs wholly to the contender.
    fn signal(&self, tree: &[Stat], signal: i32) {
        let outside = procfs::stat(std::process::id()).map(|own| own.session);
        let groups: BTreeSet<u32> = tree
            .iter()
            .filter(|stat| Some(stat.session) != outside)
            .map(|stat| stat.pgrp)
            .collect();
        for group in groups {
            let _ = sys::killpg(group, signal);
        }
        for stat in tree {
            let _ = sys::kill(stat.pid, signal);
        }
    }

    fn stop_round(&self) {
        self.signal(&self.scan(), libc::SIGSTOP);
    }

    /// The processes of the tree, if every thread of each is stopped; if not, stops all again.
    fn stopped(&self, waited: Duration) -> Option<Vec<u32>> {
        let still = |state: char| {
            matches!(state, 'T' | 't' | 'Z' | 'X') || (state == 'D' && waited > TRUST_WAITING_AFTER)
        };
        let tree = self.scan();
        let at_rest = |stat: &Stat| procfs::thread_states(stat.pid).into_iter().all(still);
        if tree.iter().all(at_rest) {
            return Some(tree.iter().map(|stat| stat.pid).collect());
        }
        self.signal(&tree, libc::SIGSTOP);
        None
    }
}

impl Holder for Plain {
    /// A process bears the marker only after its exec, and no longer when it is dead. Until it is waited for, its id,
    /// which is also that of its POSIX process group, cannot become another's: so that group can be signalled even when
    /// the process is dead.
    fn born(&self, pid: u32) {
        if let Some(stat) = procfs::stat(pid) {
            self.seen().insert(pid, stat.start);
        }
    }

    fn freeze(&self) -> Result<()> {
        *self.at_rest() = None;
        self.stop_round();
        Ok(())
    }

    /// A scan may miss a process that is just being born: the next one must find the same processes at rest.
    fn is_frozen(&self, waited: Duration) -> Result<bool> {
        let stopped = self.stopped(waited);
        let mut last = self.at_rest();
        let same = stopped.is_some() && stopped == *last;
        *last = stopped;
        Ok(same)
    }

    fn thaw(&self) -> Result<()> {
        self.signal(&self.scan(), libc::SIGCONT);
        Ok(())
    }

    fn cpu(&self) -> Result<Seconds> {
        let tick = 1.0 / sys::ticks_per_second();
        let of = |stat: &Stat| {
            let own = sys::process_clock(stat.pid).unwrap_or_default();
            own.0 + stat.child_ticks as f64 * tick
        };
        Ok(Seconds(self.scan().iter().map(of).sum()))
    }

    fn procs(&self) -> Vec<u32> {
        self.scan().into_iter().map(|stat| stat.pid).collect()
    }

    /// Stopped first, so that no process is born during the loop; SIGKILL ends a stopped process.
    fn kill_once(&self) -> Result<()> {
        self.stop_round();
        self.signal(&self.scan(), libc::SIGKILL);
        Ok(())
    }

    /// A process between fork and exec bears no marker yet, so a scan may miss one that is just being born: several
    /// scans in a row must find none.
    fn is_surely_empty(&self, empty_scans: u32, waited: Duration) -> bool {
        empty_scans >= 3 && waited >= Duration::from_millis(20)
    }

    fn remove(&self) -> Result<()> {
        Ok(())
    }
}

fn parents_first(stats: &mut [Stat]) {
    stats.sort_by_key(|stat| (stat.start, stat.pid));
}
