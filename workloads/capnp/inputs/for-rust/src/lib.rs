//! What goes into the messages of the workload `capnp`: the stated generator, and plain values made from it.
//! The README beside workload.toml says which number is drawn when; every language has this file in its own words.

mod carsales;
mod catrank;
mod eval;
mod random;

pub use carsales::{car_count, next_car, Car};
pub use catrank::{Hit, Hits};
pub use eval::{apply, is_leaf, number, operation};
pub use random::{Job, Random};

/// Inputs of each job; iteration i is on input i mod `KINDS`.
pub const KINDS: usize = 64;
