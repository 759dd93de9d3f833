//! One contender over many runs: figures that were not measured side by side.

use crate::driving::Driving;
use crate::ids::ContenderId;
use crate::metric::{Metric, Mode};
use crate::results::{Estimate, Placement};
use crate::settings::Surroundings;
use crate::subject::Subject;
use crate::units::PerSecond;

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
    /// What was run, how it was driven, and where: the same in all of its runs.
    pub conditions: Conditions,
    /// The machine: host and CPU. Runs of others are left out.
    pub machine: String,
    /// The runs, the oldest first.
    pub points: Vec<Point>,
    /// The levels after the first.
    pub levels: Vec<Level>,
}

/// What figures must have in common to be one history.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Conditions {
    /// What was run, where the contender's name does not say it.
    pub subject: Option<Subject>,
    /// What was around a command.
    pub around: Option<Surroundings>,
    /// The rate that was asked for; in the cost mode none means half of what the slowest contender can sustain.
    pub rate: Option<PerSecond>,
    /// How it was driven, without what was found by trying.
    pub driving: Driving,
    /// On which cores, and beside which services.
    pub placement: Placement,
}

/// A level that differs from the one before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    /// The index of its first point.
    pub begin: usize,
    /// Its median over that of the level before, minus one.
    pub step: f64,
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
    /// The rate that all were driven at, where there was one.
    pub rate: Option<PerSecond>,
    /// The figure, in the metric's unit.
    pub figure: Estimate,
    /// Its ratio to the run's baseline, with its interval, measured side by side; none for the baseline itself.
    pub ratio: Option<(f64, Option<(f64, f64)>)>,
}
