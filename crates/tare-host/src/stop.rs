//! Stopping a contender: first by its signal, then by force, with all its children.

use std::process::ExitStatus;
use std::thread;
use std::time::{Duration, Instant};

use crate::error::Result;
use crate::interrupt;
use crate::process::Process;
use crate::procfs;
use crate::signals::signal_number;
use crate::sys;

/// How long children may outlive their parent before they count as leftover processes.
const CHILDREN_WITHIN: Duration = Duration::from_millis(200);
const POLL: Duration = Duration::from_millis(1);

/// The wait between the thaw and the signal. A signal that arrives while threads leave the freezer goes to the first of
/// them; CPython runs handlers on its main thread only, which may then sleep on (seen with granian).
const THAWING: Duration = Duration::from_millis(10);

/// How a stop went. No process of the contender is left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    /// Whether it had to be killed because it did not end at its signal.
    pub killed: bool,
    /// How it ended.
    pub exit: Option<ExitStatus>,
    /// Leftover processes, as `pid (name)`; they were killed too.
    pub leaked: Vec<String>,
}

/// Thaws a contender, sends it its signal, waits for `grace` (less if tare is interrupted a second time), then kills its
/// whole tree and waits until the group is empty and removed.
///
/// # Errors
/// If the group cannot be emptied. An unknown signal name counts as `TERM`.
pub fn stop(mut process: Process, signal: &str, grace: Duration) -> Result<Stopped> {
    process.group().thaw()?;
    wait_until(THAWING, || process.all_ended());
    let number = signal_number(signal).unwrap_or(libc::SIGTERM);
    for pid in process.living() {
        let _ = sys::kill(pid, number);
    }
    let ended = wait_until(grace, || process.all_ended());
    let leaked = if ended { left_behind(&process) } else { Vec::new() };
    process.group_mut().remove()?;
    // Its group is empty, so it is at most a zombie.
    let exit = match process.ended() {
        Some(status) => Some(status),
        None => {
            wait_until(CHILDREN_WITHIN, || process.ended().is_some());
            process.ended()
        }
    };
    Ok(Stopped {
        killed: !ended,
        exit,
        leaked,
    })
}

/// Thaws a contender whose input has ended, and waits for it to end by itself; false if it does not within `grace`.
///
/// # Errors
/// If it cannot be thawed.
pub fn ends_by_itself(process: &mut Process, grace: Duration) -> Result<bool> {
    process.group().thaw()?;
    Ok(wait_until(grace, || process.all_ended()))
}

fn left_behind(process: &Process) -> Vec<String> {
    wait_until(CHILDREN_WITHIN, || process.group().procs().is_empty());
    process
        .group()
        .procs()
        .into_iter()
        .map(procfs::describe)
        .collect()
}

fn wait_until(limit: Duration, mut done: impl FnMut() -> bool) -> bool {
    let began = Instant::now();
    loop {
        if done() {
            return true;
        }
        if began.elapsed() >= interrupt::grace(limit) {
            return false;
        }
        thread::sleep(POLL);
    }
}
