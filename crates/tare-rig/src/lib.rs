//! The real rig: host and load put together into a measured slice.
//!
//! It must not know why a slice is measured or what becomes of its figures; it is told who, how and how long.

mod rig;
mod running;
pub mod service;

pub use rig::{RealRig, RigGroup, Runnable};
