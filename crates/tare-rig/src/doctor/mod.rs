//! The doctor's experiments: how noisy a machine is, and what it allows. Figures only; words for them are the caller's.

pub mod aa;
pub mod clock;
mod cores;
mod limits;
pub mod program;

pub use cores::{Apart, Cores};
pub use limits::KernelLimits;
