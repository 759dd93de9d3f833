//! The wall clock, for what is kept with a run.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Since 1970 (UTC).
pub fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// A seed where none was given: of 32 bits, so that a person can type it again.
pub fn seed() -> u64 {
    now().as_nanos() as u64 & 0xffff_ffff
}
