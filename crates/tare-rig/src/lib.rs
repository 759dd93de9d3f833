//! The real rig: host and load put together into a measured slice.
//!
//! This room must not know why a slice is measured or what becomes of its figures: the caller names the contender, the
//! mode and the length. The job decides how a contender is driven: over sockets, by its own loop as an in-process
//! benchmark, or by such a loop over pipes (`drivers`).
//!
//! What has no manifest has rigs of its own: commands, servers that run already ([`urls`]), the benchmarks of a project
//! ([`benchmarks`]).
//!
//! Also here: several generator processes for one load ([`fleet`]), and the experiments of `tare doctor` ([`doctor`]).

#![warn(unreachable_pub)]

pub mod at_once;
mod audit;
pub mod benchmarks;
pub mod commands;
mod contender;
mod counter;
mod destination;
pub mod doctor;
mod driver;
mod drivers;
pub mod fleet;
pub mod messages;
mod pacing;
mod reference;
mod rig;
mod running;
pub mod service;
mod spec;
pub mod urls;
pub mod witness;

pub use contender::{ContainerRun, Front, RigGroup, RunCertificate, Runnable};
pub use reference::{BadFile, Reference, References};
pub use rig::RealRig;
