//! Invented machines whose truth is known: how we know that the methods of this room keep their word.

pub mod calibrate;
pub mod noise;
pub mod prng;
pub mod sweeps;
