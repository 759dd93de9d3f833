//! Processes that programs leave behind: the forker is told of them, since they become its own children.

use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

use crate::procfs;
use crate::sys;

/// They are looked for after so many answers: a look costs a hundredth of a program's start, and a few are no harm.
const EVERY: u64 = 16;

/// So many may run on: one that is about to end when its program does is no fault.
const MOST: usize = 32;

/// Looks after processes that were left behind.
#[derive(Debug)]
pub(super) struct Orphans {
    /// Answers so far. Held while children are looked at, so that none is taken leave of twice.
    answers: Mutex<u64>,
    /// The children of the forker's first thread. It starts none itself, and all that lose their parent become its.
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

    /// To be called after each answer. What is to be said, where too many run on.
    pub(super) fn look(&self) -> Option<String> {
        let mut answers = self.answers.lock().expect("no thread panics while it holds this");
        *answers += 1;
        answers.is_multiple_of(EVERY).then(|| self.too_many()).flatten()
    }

    fn too_many(&self) -> Option<String> {
        // A kernel without this file (CONFIG_PROC_CHILDREN) leaves them to be told of when the contender is stopped.
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
