//! Load: schedules × wire protocols × jobs, driven by one reactor.
//!
//! - `wire`: where an answer ends in received bytes (sans-IO). A new protocol is one file or folder there.
//! - `check`: whether an answer is right.
//! - [`job`]: what is sent and what must come back; it joins a protocol with a check. It is prepared once, so that a
//!   request costs a copy and its answer a compare.
//! - `schedule`: when a request is sent. A new [`Schedule`] is one file there.
//! - [`Load`] drives a [`Target`] by a [`Schedule`] and yields a `LoadReading`, or a fault with a partial reading.
//! - [`exchange`]: fixed exchanges, checked before anything is timed. [`limits`]: whether this machine can carry a load.
//!
//! This room knows nothing of contenders' processes, rounds or verdicts. All its unsafe code is in `reactor.rs`.

#![warn(unreachable_pub)]

mod address;
mod check;
mod conn;
mod connection_pool;
mod engine;
pub mod exchange;
pub mod job;
pub mod limits;
#[cfg(test)]
mod mangle;
mod reactor;
mod schedule;
mod session;
mod show;
mod wire;

pub use address::{Address, BadAddress};
pub use job::{BadJob, Work};
pub use schedule::{Length, Schedule};
pub use session::{AnswerCounter, Cause, Load, LoadConfig, LoadFault, Target};
