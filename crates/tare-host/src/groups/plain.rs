//! A group without cgroups: the processes that carry our marker, what they started, and what is in their session.
//!
//! A process escapes only if it clears its environment, begins a session of its own and loses its parent, all
//! between two scans; one that was seen once is remembered.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::Duration;

use tare_model::units::Seconds;

use super::MARKER;
use crate::procfs::{self, Stat};
use crate::sys;

/// A process that waits in the kernel (`D`) stops on its way out of it and cannot run the contender's code before;
/// one that waits for the child of its vfork, which is stopped, never comes out. So it counts as stopped after this.
const TRUST_WAITING_AFTER: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub(super) struct Plain {
    assignment: String,
    /// Ids and start times of every process seen: they stay ours when they lose their parent.
    seen: Mutex<BTreeMap<u32, u64>>,
}

impl Plain {
    pub(super) fn new(name: &str) -> Self {
        Self {
            assignment: format!("{MARKER}={name}"),
            seen: Mutex::default(),
        }
    }

    /// Remembers a process that was started into the group. It bears the marker only after its exec, and no more when it
    /// is dead. As long as it is not waited for, its id, which is also that of its process group, cannot become another's:
    /// so the process group can be signalled even when it is dead.
    pub(super) fn born(&self, pid: u32) {
        if let Some(stat) = procfs::stat(pid) {
            self.seen
                .lock()
                .expect("no thread panics while it holds this")
                .insert(pid, stat.start);
        }
    }

    /// The processes of the tree, parents before their children, zombies with them.
    fn scan(&self) -> Vec<Stat> {
        let own = std::process::id();
        let all: Vec<Stat> = procfs::pids()
            .into_iter()
            .filter(|&pid| pid != own)
            .filter_map(procfs::stat)
            .collect();
        let mut seen = self.seen.lock().expect("no thread panics while it holds this");
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
        // Forget the dead, so that a later process of the same id is not taken for ours.
        let living: Vec<(u32, u64)> = ours.iter().map(|stat| (stat.pid, stat.start)).collect();
        seen.retain(|&pid, &mut start| living.contains(&(pid, start)));
        parents_first(&mut ours);
        ours
    }

    fn is_root(&self, stat: &Stat, seen: &BTreeMap<u32, u64>) -> bool {
        seen.get(&stat.pid) == Some(&stat.start) || procfs::has_variable(stat.pid, &self.assignment)
    }

    /// Sends a signal to these processes, and to their process groups.
    ///
    /// Process groups are signalled as such: the kernel does that in one go, which also catches a chain of processes
    /// that fork and exit faster than they can be listed. A session is only ever entered by birth, and each
    /// contender begins with its own: so a process group of another session than ours is wholly the contender's.
    fn signal(&self, tree: &[Stat], signal: i32) {
        let outside = procfs::stat(std::process::id()).map(|own| own.session);
        let groups: BTreeSet<u32> = tree
            .iter()
            .filter(|stat| Some(stat.session) != outside)
            .map(|stat| stat.process_group)
            .collect();
        for group in groups {
            let _ = sys::kill_process_group(group, signal);
        }
        for stat in tree {
            let _ = sys::kill(stat.pid, signal);
        }
    }

    pub(super) fn stop_round(&self) {
        self.signal(&self.scan(), libc::SIGSTOP);
    }

    /// The processes of the tree, if every thread of each is stopped; if not, all are told again.
    pub(super) fn settled(&self, waited: Duration) -> Option<Vec<u32>> {
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

    pub(super) fn resume(&self) {
        self.signal(&self.scan(), libc::SIGCONT);
    }

    pub(super) fn cpu(&self) -> Seconds {
        let tick = 1.0 / sys::ticks_per_second();
        let of = |stat: &Stat| {
            let own = sys::process_clock(stat.pid).unwrap_or_default();
            own.0 + stat.child_ticks as f64 * tick
        };
        Seconds(self.scan().iter().map(of).sum())
    }

    pub(super) fn procs(&self) -> Vec<u32> {
        self.scan().into_iter().map(|stat| stat.pid).collect()
    }

    /// Stopped first, so that none is born while we go through them; SIGKILL ends a stopped process.
    pub(super) fn kill_once(&self) {
        self.stop_round();
        self.signal(&self.scan(), libc::SIGKILL);
    }
}

fn parents_first(stats: &mut [Stat]) {
    stats.sort_by_key(|stat| (stat.start, stat.pid));
}
