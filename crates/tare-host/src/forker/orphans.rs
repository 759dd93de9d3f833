//! Processes that programs leave behind: they become the forker's own children.

use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

use crate::procfs;
use crate::sys;

/// Answers between two checks: a check costs a hundredth of a program's start, and a few such processes do no harm.
const EVERY: u64 = 16;

/// How many may be running: one that is about to end when its program does is not a fault.
const MOST: usize = 32;

/// Counts processes that were left behind.
#[derive(Debug)]
pub(super) struct Orphans {
    /// Answers so far. Locked while children are checked, so that none is reaped twice.
    answers: Mutex<u64>,
    /// The file that lists the children of the forker's first thread, which starts none itself: processes that lost their
    /// parent.
    children: PathBuf,
}

impl Orphans {
    pub(super) fn new() -> Self {
        let own = std::process::id();
        Self {
            answers: Mutex::new(0),
            children: format!("/proc/{own}/task/{own}/children").into(),
        }
    }

    /// Call this after each answer. Returns a message if too many are running.
    pub(super) fn look(&self) -> Option<String> {
        let mut answers = self.answers.lock().expect("no thread panics while it holds this");
        *answers += 1;
        answers.is_multiple_of(EVERY).then(|| self.too_many()).flatten()
    }

    fn too_many(&self) -> Option<String> {
        // On a kernel without this file (CONFIG_PROC_CHILDREN) they are reported when the contender is stopped.
        let text = fs::read_to_string(&self.children).unwrap_or_default();
        let children = text.split_ascii_whitespace().filter_map(|word| word.parse().ok());
        let running: Vec<u32> = children.filter(|&pid| !sys::reap(pid)).collect();
        let (&first, count) = (running.first()?, running.len());
        (count > MOST).then(|| {
            format!(
                "its programs leave processes behind: {count} run on, {} among them",
                procfs::describe(first)
            )
        })
    }
}
