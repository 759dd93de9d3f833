//! Ctrl-C: the first asks for an orderly end, a second for one without grace. Neither leaves anything running.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::error::{HostError, Result};
use crate::sys;

/// From now on SIGINT and SIGTERM set flags instead of ending tare.
pub fn install() -> Result<()> {
    sys::note_interrupts().map_err(HostError::on("catch", "SIGINT and SIGTERM"))
}

/// Set once an interrupt came: to be handed to what waits.
pub fn flag() -> &'static AtomicBool {
    sys::interrupt_flags().0
}

/// Whether an interrupt came.
pub fn asked() -> bool {
    flag().load(Ordering::SeqCst)
}

/// Whether a second one came.
pub fn hurried() -> bool {
    sys::interrupt_flags().1.load(Ordering::SeqCst)
}

/// The grace that a contender gets to stop: none once tare is hurried.
pub fn grace(usual: Duration) -> Duration {
    if hurried() { Duration::ZERO } else { usual }
}
