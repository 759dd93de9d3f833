//! Simulated machines whose truth is known, to test the error rates of the methods of this room.

pub mod calibrate;
pub mod many;
pub mod nodes;
pub mod noise;
pub mod prng;
pub mod sweeps;
