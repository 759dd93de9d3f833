//! The store: raw slices and histograms of every run, in SQLite.
//!
//! It keeps [records](tare_model::record) and gives them back; nothing is computed here, and it knows neither
//! statistics nor contenders nor clocks. Tables are versioned by `migrations/`; every field is mapped to its
//! column by hand in `rows/`, so that a change of a domain type never changes a file unseen.
//!
//! A round is kept by one transaction. A killed tare or a full disk loses no finished round, a run may be read
//! while it is written, and a run that was cut short reads like any other, with `complete` false.

mod error;
mod migrate;
mod open;
mod read;
mod rows;
mod sql;
mod write;

#[cfg(test)]
mod tests;

pub use error::{Problem, StoreError};
pub use open::Store;
pub use read::{ArenaSummary, RunSummary};
pub use write::{ArenaKey, NewRun, RunWriter};
