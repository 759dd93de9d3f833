//! Which benchmarks a project has, how one of them is run for one sample, and what its output says.
//!
//! A benchmark harness (Go's `testing`, criterion, JMH …) is one file in `harnesses/` that implements [`Harness`]. It
//! *describes* commands and *reads* what they left: whoever uses this room runs them. The way of a benchmark:
//!
//! 1. [`Tree::read`] looks at a folder; [`Harness::found`] says which [`Suite`]s are in it, and what shows that.
//! 2. [`Harness::build`] gives commands; from what they printed, [`Harness::built`] gives [`Program`]s.
//! 3. [`Harness::list`] and [`Harness::listed`] give the [`Benchmark`]s of a program, some of them group by group.
//! 4. [`Harness::sample`] runs exactly one benchmark in one short process; [`Harness::sampled`] reads its [`Figure`](tare_model::figure::Figure)s.
//!
//! This room must not know processes, clocks, rounds or verdicts. Output is foreign: it is bounded, names that cannot be
//! shown or chosen are refused, and a figure that is none is never passed on.

#![warn(unreachable_pub)]
#![forbid(unsafe_code)]

mod cabal;
mod cargo;
mod cmake;
mod command;
mod cpp;
mod figure;
mod gotext;
mod harness;
mod harnesses;
mod java;
mod json;
mod npm;
mod output;
mod python;
mod refused;
mod shuffling;
mod stored;
mod text;
mod tree;

#[cfg(test)]
mod tests;

pub use command::{Command, Done, collect};
pub use harness::{Benchmark, Effort, Group, Harness, LeftOut, Listing, Places, Program, Sample, Suite, Way};
pub use harnesses::{ALL, guessed, named};
pub use output::not_built;
pub use refused::Refused;
pub use stored::{LONGEST, Stored, StoredBenchmark, stored};
pub use tree::Tree;
