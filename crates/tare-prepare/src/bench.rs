//! The benchmarks that a project has, at one revision or two: what is asked for becomes a plan and the rig that carries it
//! out.
//!
//! [`BenchJob::new`] finds harnesses, builds both sides, lists their benchmarks and matches them by program and name;
//! [`BenchJob::plan`] finds out how much one sample of each does, and makes the plan. In it each benchmark is a group:
//!
//! - `workload` is the program (a package, a target), `case` the benchmark's name; its mode is `Benchmark`, its primary
//!   metric the time per operation;
//! - its entrants are `before` and `after`, in this order, and `before` is the baseline; of one revision `after` alone. Each
//!   has its revision as the summary, and the hash of the benchmark's own sources where these are known;
//! - a side that does not have the benchmark has the fault `Absent`, and one where it failed, what its program said; where
//!   the sides' own sources differ, both have `Rewritten`, unless it is to be measured all the same.

pub(crate) mod error;
mod imported;
mod job;
mod listing;
mod matching;
mod overlay;
mod plan;
mod request;
mod suites;
mod trees;

pub use error::BenchError;
pub use imported::{Imported, imported};
pub use job::{BenchJob, Entry};
pub use request::{BenchPlaces, BenchRequest, BenchRules, BenchmarksFrom, Compared, Given};
