//! Stopping a contender: asked first, then made to, its children with it.

use std::process::ExitStatus;
use std::thread;
use std::time::{Duration, Instant};

use crate::error::Result;
use crate::interrupt;
use crate::process::Process;
use crate::procfs;
use crate::sys;

/// How long children may take to follow their parent before they count as left behind.
const CHILDREN_WITHIN: Duration = Duration::from_millis(200);
const POLL: Duration = Duration::from_millis(1);

/// Between the thaw and the signal. One that meets threads on their way out of the freezer goes to whichever comes
/// first; CPython runs handlers on its main thread only, which may then sleep on (seen with granian).
const THAWING: Duration = Duration::from_millis(10);

/// The signals that a manifest may name, without `SIG`.
const SIGNALS: [(&str, i32); 10] = [
    ("TERM", libc::SIGTERM),
    ("INT", libc::SIGINT),
    ("QUIT", libc::SIGQUIT),
    ("HUP", libc::SIGHUP),
    ("USR1", libc::SIGUSR1),
    ("USR2", libc::SIGUSR2),
    ("KILL", libc::SIGKILL),
    ("ABRT", libc::SIGABRT),
    ("SEGV", libc::SIGSEGV),
    ("PIPE", libc::SIGPIPE),
];

/// How a stop went. Nothing of the contender runs any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    /// Whether it had to be killed because it did not end when asked.
    pub killed: bool,
    /// How it ended.
    pub exit: Option<ExitStatus>,
    /// Processes that it left behind, as `pid (name)`; they were ended too.
    pub leaked: Vec<String>,
}

/// The number of a signal by its name without `SIG`.
pub fn signal_number(name: &str) -> Option<i32> {
    SIGNALS.iter().find(|(known, _)| *known == name).map(|&(_, n)| n)
}

/// The name of a signal without `SIG`.
pub fn signal_name(number: i32) -> Option<&'static str> {
    SIGNALS.iter().find(|(_, n)| *n == number).map(|&(name, _)| name)
}

/// Thaws a contender, asks it to stop, waits for `grace` (less if tare is interrupted a second time), then kills its
/// whole tree and waits until the group is empty and gone.
///
/// # Errors
/// Where the group cannot be emptied; an unknown signal name counts as `TERM`.
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
    // Its group is empty, so it is a zombie at the most.
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

/// Thaws a contender whose input has ended, and waits for it to end of itself; false where it does not within
/// `grace`.
///
/// # Errors
/// Where it cannot be thawed.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_go_by_their_names() {
        for (name, number) in SIGNALS {
            assert_eq!(signal_number(name), Some(number));
            assert_eq!(signal_name(number), Some(name));
        }
        assert_eq!(signal_number("SIGTERM"), None);
    }
}
