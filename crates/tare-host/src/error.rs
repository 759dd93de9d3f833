//! What can go wrong between tare and the operating system.

use std::io;
use std::path::Path;

use tare_model::fault::{Fault, FaultKind};

/// Why the host could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// A system call or file failed.
    #[error("could not {action} {target}: {source}")]
    Os {
        /// What was tried: `open`, `create the group`.
        action: &'static str,
        /// What it was tried on.
        target: String,
        /// What the system said.
        source: io::Error,
    },
    /// A group did not freeze, or did not empty, in time.
    #[error("group {group} {what} within {seconds} s; still running: {processes}")]
    TooSlow {
        /// The group.
        group: String,
        /// `was not frozen`, `was not empty`.
        what: &'static str,
        /// The limit, in seconds.
        seconds: f64,
        /// The processes that are not, as `pid (name, state)`.
        processes: String,
    },
    /// Another tare uses this lab.
    #[error(
        "another tare works in this lab: {holder} (lock {lock})\n\nhint: wait until it ends, or end it; its lock ends with the process"
    )]
    Held {
        /// Its pid, command and age, from the lock file.
        holder: String,
        /// The lock file.
        lock: String,
    },
    /// A way of holding processes was requested that does not work on this machine.
    #[error(
        "{backing} cannot be used here: {reason}\n\nhint: leave the choice to tare, which uses the best that works"
    )]
    Unsupported {
        /// The requested way.
        backing: &'static str,
        /// What was tried, and what happened.
        reason: String,
    },
    /// Anything else; the text says what, with a hint.
    #[error("{0}")]
    Other(String),
}

/// The result of a call to the host.
pub type Result<T> = std::result::Result<T, HostError>;

impl HostError {
    /// A closure that turns an I/O error into one that says what was tried on what.
    pub fn on(action: &'static str, target: impl AsRef<Path>) -> impl FnOnce(io::Error) -> HostError {
        let target = target.as_ref().display().to_string();
        move |source| HostError::Os {
            action,
            target,
            source,
        }
    }
}

impl From<HostError> for Fault {
    /// The measuring side failed, not the contender.
    fn from(error: HostError) -> Self {
        Fault::new(FaultKind::Instrument, error.to_string())
    }
}
