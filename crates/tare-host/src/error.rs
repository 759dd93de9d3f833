//! What can go wrong between tare and the operating system.

use std::io;
use std::path::Path;

use tare_model::fault::{Fault, FaultKind};

/// The host refused, or did not do in time what was asked.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// A system call or file failed.
    #[error("could not {action} {target}: {source}")]
    Os {
        /// What was tried: `open`, `create the group`.
        action: &'static str,
        /// On what.
        target: String,
        /// What the system said.
        source: io::Error,
    },
    /// A group did not freeze, or did not empty, in time.
    #[error("group {group} {what} within {seconds} s; still at it: {who}")]
    TooSlow {
        /// Which group.
        group: String,
        /// `was not frozen`, `was not empty`.
        what: &'static str,
        /// How long was waited, in seconds.
        seconds: f64,
        /// The processes in the way, as `pid (name, state)`.
        who: String,
    },
    /// Another tare works in this lab.
    #[error(
        "another tare works in this lab: {holder} (lock {lock})\n\nhint: wait until it ends, or end it; the lock is let go with its process"
    )]
    Held {
        /// Who: pid, command and age, as the lock file tells.
        holder: String,
        /// The lock file.
        lock: String,
    },
    /// A way of holding processes was asked for that this machine does not offer.
    #[error(
        "{backing} cannot be used here: {reason}\n\nhint: leave the choice to tare, which takes the best that works"
    )]
    Unsupported {
        /// The way that was asked for.
        backing: &'static str,
        /// What was tried and what came of it.
        reason: String,
    },
    /// Something that is neither of these; the text says what, and a hint.
    #[error("{0}")]
    Other(String),
}

/// The result of asking the host for something.
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
    /// The measuring side failed: no fault of the contender.
    fn from(error: HostError) -> Self {
        Fault::new(FaultKind::Instrument, error.to_string())
    }
}
