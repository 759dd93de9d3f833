//! Ctrl-C: the first requests an orderly end, a second one without grace. Neither leaves anything running.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::error::{HostError, Result};
use crate::sys;

/// Makes SIGINT and SIGTERM set flags instead of ending tare.
///
/// # Errors
/// If the handlers cannot be installed.
pub fn install() -> Result<()> {
    sys::note_interrupts().map_err(HostError::on("catch", "SIGINT and SIGTERM"))
}

/// The flag that an interrupt sets, for code that waits.
pub fn flag() -> &'static AtomicBool {
    sys::interrupt_flags().0
}

/// Whether there was an interrupt.
pub fn asked() -> bool {
    flag().load(Ordering::SeqCst)
}

/// Whether there was a second one.
pub fn hurried() -> bool {
    sys::interrupt_flags().1.load(Ordering::SeqCst)
}

/// The grace period of a contender that is to stop: none after a second interrupt.
pub fn grace(usual: Duration) -> Duration {
    if hurried() { Duration::ZERO } else { usual }
}
