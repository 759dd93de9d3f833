//! What is held while tare runs other programs: the lock of its state folder, the guard, and what makes groups.

use std::ffi::OsString;
use std::path::PathBuf;

use tare_host::error::HostError;
use tare_host::groups::{self, Backing, Grouping};
use tare_host::guard::{self, Guard};
use tare_host::interrupt;
use tare_host::keeper::Keeper;
use tare_host::lock::Lock;

use crate::context::Context;
use crate::failure::Failure;

/// The word that makes tare's binary a [spawner](tare_host::spawner).
pub const SPAWNER: &str = "__spawn";

/// Tare's binary as a spawner.
pub fn spawner() -> Result<Vec<OsString>, Failure> {
    Ok(vec![me()?.into(), SPAWNER.into()])
}

/// Tare's own binary. Where its file was replaced meanwhile (by an update, or a build), it is still to be had by the
/// process that runs it.
pub fn me() -> Result<PathBuf, Failure> {
    let path =
        std::env::current_exe().map_err(|error| Failure::outside(format!("cannot find tare: {error}")))?;
    Ok(if path.exists() {
        path
    } else {
        "/proc/self/exe".into()
    })
}

/// All of it. The lock is let go last.
pub struct Held {
    pub keeper: Keeper,
    /// Which facilities of the kernel are used, and what is less exact with them.
    pub grouping: Grouping,
    pub state: PathBuf,
    pub lock: Lock,
}

/// Locks the state folder, ends what a killed run left behind, and puts the guard on duty. `forced`: how processes are
/// held; none: in the best way there is.
pub fn take(context: &Context, state: PathBuf, forced: Option<Backing>) -> Result<Held, Failure> {
    interrupt::install().map_err(Failure::outside)?;
    let command: Vec<String> = std::env::args().collect();
    let lock = Lock::take(&state, &command.join(" ")).map_err(not_taken)?;
    for name in guard::sweep(&lock).map_err(Failure::outside)? {
        context.say(format!("ended what an earlier run left behind: {name}"));
    }
    let grouping = groups::detect(forced).map_err(Failure::outside)?;
    let guard = Guard::start(&lock, &[me()?.into(), "__guard".into()]).map_err(Failure::outside)?;
    let run = format!("{}", std::process::id());
    let keeper = Keeper::new(&lock, &run, grouping.clone(), Some(guard)).map_err(Failure::outside)?;
    Ok(Held {
        keeper,
        grouping,
        state,
        lock,
    })
}

fn not_taken(error: HostError) -> Failure {
    let said = Failure::outside(&error);
    match error {
        HostError::Os { .. } => said.hint(
            "what tare builds and keeps goes into .tare/ under the lab's folder: make that writable, or work on a \
             copy of the lab (-C DIR)",
        ),
        _ => said,
    }
}
