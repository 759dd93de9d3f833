//! Cost as a function of size: cost = fixed + per unit · n, one line for each launch, the launch being the unit of
//! inference.
//!
//! The way of a number: a launch's typical cost at each size becomes a line ([`line`]); the lines of several launches
//! become intervals of the fixed part, the part per unit and the cost at any size ([`model`]), and a statement whether
//! cost is a line at all; the lines of two contenders, launch by launch, become intervals of their differences and the
//! sizes at which neither is surely the cheaper ([`pair`]); a difference becomes the request duration from which on it
//! may be afforded ([`afford`]).
//!
//! Everything here is on the linear scale (seconds). *Replicates* are launches, or what stands for them.

pub mod afford;
pub mod line;
pub mod model;
pub mod pair;

pub use line::Line;
pub use model::{Linearity, Model};
pub use pair::{BreakEven, Cheaper, Pair};
