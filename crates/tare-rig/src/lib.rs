//! The real rig: host and load put together into a measured slice.
//!
//! It must not know why a slice is measured or what becomes of its figures; it is told who, how and how long. How a
//! contender is driven is its job's: over sockets, by a probe's own loop, or by one over pipes ([`driver`]).

pub mod commands;
mod driver;
mod forker;
mod front;
pub mod messages;
mod pipe;
mod probe;
mod reference;
mod rig;
mod running;
pub mod service;
mod sockets;
mod start;
pub mod urls;
pub mod witness;

pub use front::Front;
pub use reference::{BadFile, Reference, References};
pub use rig::{RealRig, RigGroup, Runnable};
