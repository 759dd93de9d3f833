//! What a backing has to do: hold the processes of one group.

use std::fmt::Debug;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tare_model::units::Seconds;

use crate::error::Result;

/// The variable that every process of a group starts with, its value the group's name.
pub(crate) const MARKER: &str = "TARE_GROUP";

/// Holds the processes of one group. Pids that a holder returns may include zombies.
pub(super) trait Holder: Debug + Send + Sync {
    /// Open files that a child writes itself into before its exec, to be in the group from its first instruction.
    fn joins(&self) -> Result<Vec<File>> {
        Ok(Vec::new())
    }

    /// The first of its folders, where it is a cgroup.
    fn folder(&self) -> Option<&Path> {
        None
    }

    /// Remembers a process that was started into the group; for backings that the kernel does not tell.
    fn born(&self, _pid: u32) {}

    /// Asks every process to pause, without waiting.
    fn freeze(&self) -> Result<()>;

    /// Whether all are paused, this long after [`freeze`](Self::freeze); asks again those that are not.
    fn is_frozen(&self, waited: Duration) -> Result<bool>;

    /// Lets the processes run again.
    fn thaw(&self) -> Result<()>;

    /// CPU time of the group since it was made.
    fn cpu(&self) -> Result<Seconds>;

    /// Its processes.
    fn procs(&self) -> Vec<u32>;

    /// Sends what ends every process, paused or not, without waiting.
    fn kill_once(&self) -> Result<()>;

    /// Whether a group in which this many scans in a row found no process, `waited` after its kill, is empty.
    fn is_surely_empty(&self, _empty_scans: u32, _waited: Duration) -> bool {
        true
    }

    /// Removes the empty group from the system.
    fn remove(&self) -> Result<()>;
}

/// A holder of some backing.
pub(super) type AnyHolder = Box<dyn Holder>;

/// A backing, described: all that is asked of it before a group of it exists.
pub(super) struct Description {
    /// Its name in the registry and in `TARE_HOLD`.
    pub tag: &'static str,
    /// How it pauses, as results name it.
    pub freezer: &'static str,
    /// How it counts CPU time, as results name it.
    pub accounting: &'static str,
    /// What is less exact with it; none for the best.
    pub less_exact: Option<&'static str>,
    /// The cgroup hierarchies that a group has a folder in, by controller; `""` is v2's.
    pub controllers: &'static [&'static str],
    /// Makes a group from its name and its folders, one for each controller.
    pub create: fn(&str, &[PathBuf]) -> Result<AnyHolder>,
    /// Takes over a group that another process made, likewise.
    pub adopt: fn(&str, &[PathBuf]) -> AnyHolder,
}
