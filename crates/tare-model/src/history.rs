//! One contender over many runs: figures that were not measured side by side.

use crate::ids::ContenderId;
use crate::metric::{Metric, Mode};
use crate::results::Estimate;

/// A contender's figures on one metric in one case and mode, under the same conditions, run by run.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// The workload's name.
    pub workload: String,
    /// The case.
    pub case: String,
    /// How it was driven.
    pub mode: Mode,
    /// The size, where the case is swept.
    pub size: Option<u64>,
    /// The contender.
    pub id: ContenderId,
    /// On what: the primary metric.
    pub metric: Metric,
    /// What was run, how it was driven, and where, as name and value: the same in all of its runs.
    pub conditions: Vec<(String, String)>,
    /// The machine: host and CPU. Runs of others are left out.
    pub machine: String,
    /// The runs, the oldest first.
    pub points: Vec<Point>,
    /// Indices of points from which on the level is another.
    pub changes: Vec<usize>,
}

/// What one run says.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The run's id.
    pub run: String,
    /// Its start, in seconds since 1970 (UTC).
    pub started: i64,
    /// The revision that was measured, where that was kept.
    pub revision: Option<String>,
    /// The rate that all were driven at, in words, where there was one.
    pub rate: Option<String>,
    /// The figure, in the metric's unit.
    pub figure: Estimate,
    /// Its ratio to the run's baseline, with its interval, measured side by side; none for the baseline itself.
    pub ratio: Option<(f64, Option<(f64, f64)>)>,
}
