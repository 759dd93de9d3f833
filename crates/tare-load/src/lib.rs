//! Load: schedules × wire protocols × jobs, driven by one reactor.
//!
//! - [`wire`]: how answers are found in received bytes (sans-IO). A new protocol is one file there.
//! - [`job`]: what is sent and what must come back. Prepared once, so that a request costs a copy and a compare.
//! - [`schedule`]: when a request is sent. A new schedule is one file there.
//! - [`Load`] drives a [`Target`] by a [`Schedule`] and yields a `LoadReading`, or a fault with the partial reading.
//! - [`exchange`]: fixed exchanges, checked before anything is timed. [`limits`]: whether this machine can do it.
//!
//! This room knows nothing of contenders' processes, rounds or verdicts. All its unsafe code is in `reactor.rs`.

mod address;
mod conn;
mod counters;
mod engine;
pub mod exchange;
pub mod job;
mod lane;
pub mod limits;
mod reactor;
pub mod schedule;
mod session;
mod show;
pub mod wire;

pub use address::{Address, BadAddress};
pub use job::{BadJob, Work};
pub use schedule::{Length, Schedule};
pub use session::{Cause, Load, LoadConfig, LoadFault, Onlooker, Target};
