//! The store: raw slices and histograms of every run, in SQLite.
//!
//! It keeps [records](tare_model::record) and returns them. It computes nothing and knows neither statistics nor clocks.
//! `schema.sql` defines version 1; slices are rows, mapped column by column in `rows/`, and the rest is kept in serialised
//! form. A golden store fails when either changes.
//!
//! A round is stored in one transaction: a killed tare or a full disk loses no finished round. A run can be read while it
//! is written. An interrupted run reads like any other, with `complete` false.

#![warn(unreachable_pub)]

mod error;
mod merge;
mod migrate;
mod new_run;
mod open;
mod read;
mod rows;
mod sql;
mod write;

#[cfg(test)]
mod tests;

pub use error::{Problem, StoreError};
pub use merge::{Merge, Merged};
pub use new_run::NewRun;
pub use open::Store;
pub use read::{ArenaSummary, RunSummary};
pub use write::{ArenaKey, RunWriter};
