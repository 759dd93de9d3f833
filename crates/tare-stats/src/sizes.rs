//! Cost as a function of size: cost = fixed + per unit · n, one line for each launch. The launch is the unit of
//! inference.
//!
//! The way of a number: a launch's typical cost at each size becomes a line ([`line`]); the lines of several launches
//! become intervals of the fixed part, the part per unit and the cost at any size ([`model`]), and a test whether
//! the cost is a line at all; the lines of two contenders, launch by launch, become intervals of their differences and the
//! sizes at which neither is surely the cheaper ([`pair`]); a difference becomes the shortest request duration of
//! which it is at most a given share ([`afford`]).
//!
//! Everything here is on the linear scale (seconds). *Replicates* are launches, or equivalent repetitions.

pub mod afford;
pub mod line;
pub mod model;
pub mod pair;

pub use line::Line;
pub use model::{Linearity, Model};
pub use pair::{Even, Pair, Zeros};
