//! The experiment: plan, rounds, launches, stop rule.
//!
//! This room sees the world through two traits: a [`rig::Rig`] that measures a slice and a [`sink::Sink`] that
//! takes events. It must not know of processes, sockets, files or terminals, and asks the rig for the time.

#![warn(unreachable_pub)]

mod budget;
mod experiment;
pub mod forecast;
mod group;
mod launch;
mod levels;
#[cfg(test)]
mod mock;
mod pace;
mod passes;
mod patience;
pub mod phases;
pub mod plan;
mod rate;
pub mod rig;
mod rounds;
pub mod run;
pub mod sink;
mod turns;
mod warmup;

#[cfg(test)]
mod tests;

pub use passes::{forecast as passes_forecast, passes};
