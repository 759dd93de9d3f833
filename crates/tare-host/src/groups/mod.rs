//! Process groups: a contender's whole process tree, to be paused, counted and ended as one.
//!
//! A *process group* here is tare's own notion, not POSIX's (killpg(2)), and has three backings, best first: cgroup v2,
//! cgroup v1 (freezer and cpuacct), plain processes. Callers see [`ProcessGroup`] only; [`detect`] finds out by trying
//! which backing works here. A further backing is a file here that implements `Holder`, and its lines in
//! `backing.rs`.

mod backing;
mod cgroup;
mod detect;
mod group;
mod holder;
mod plain;
mod v1;
mod v2;

pub use backing::Backing;
pub use detect::{Grouping, detect};
pub use group::{Memory, ProcessGroup};
pub(crate) use holder::MARKER;

/// Removes the cgroups of this path that an engine made in hierarchies where tare has none.
pub(crate) fn remove_everywhere(path: &str) -> crate::error::Result<()> {
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    cgroup::remove_everywhere(path, &mounts)
}
