//! What is held while other programs run: the lock of the state folder, the guard, and what makes process groups.

use std::ffi::OsString;
use std::path::PathBuf;

use tare_host::containers::RunFolder;
use tare_host::groups::{self, Backing, Grouping};
use tare_host::guard::{self, Guard};
use tare_host::interrupt;
use tare_host::keeper::Keeper;
use tare_host::lock::Lock;

use crate::certificate;
use crate::error::{PrepareError, Result};
use crate::progress::{Event, Progress};

/// Command lines of the program that prepares, in its other roles. Each is a process of its own.
#[derive(Debug, Clone)]
pub struct Helpers {
    /// Serves as the [guard](tare_host::guard).
    pub guard: Vec<OsString>,
    /// Starts CGI programs ([`tare_host::forker`]); the program's words follow.
    pub forker: Vec<String>,
    /// Starts the commands that are timed ([`tare_host::spawner`]).
    pub spawner: Vec<OsString>,
}

/// The lock, the guard, and the keeper of process groups. The lock is released last.
pub struct Supervision {
    /// Makes process groups, which the guard ends if this process dies.
    pub keeper: Keeper,
    /// Which facilities of the kernel are used, and what is less exact with them.
    pub grouping: Grouping,
    /// The state folder: builds, logs, results.
    pub state: PathBuf,
    pub(crate) helpers: Helpers,
    // In this order: after the guard has ended everything, and before another run may begin.
    _containers: RunFolder,
    _lock: Lock,
}

impl Supervision {
    /// Handles interrupts from now on, locks the state folder, ends what a killed run left behind, and starts the guard.
    ///
    /// `command` is shown to another run that finds the folder locked. `forced` says how processes are held; none: in
    /// the best way that works here.
    ///
    /// # Errors
    /// The folder is locked or cannot be written; processes cannot be held.
    pub fn begin(
        state: PathBuf,
        command: &str,
        forced: Option<Backing>,
        helpers: Helpers,
        progress: &dyn Progress,
    ) -> Result<Self> {
        interrupt::install()?;
        let lock = Lock::take(&state, command).map_err(PrepareError::State)?;
        for name in guard::sweep(&lock)? {
            progress.event(&Event::LeftoverEnded { name: &name });
        }
        certificate::sweep(&state)?;
        let grouping = groups::detect(forced)?;
        let guard = Guard::start(&lock, &helpers.guard)?;
        let run = std::process::id().to_string();
        let keeper = Keeper::new(&lock, &run, grouping.clone(), Some(guard))?;
        Ok(Self {
            keeper,
            grouping,
            _containers: RunFolder::of(&state),
            state,
            helpers,
            _lock: lock,
        })
    }
}
