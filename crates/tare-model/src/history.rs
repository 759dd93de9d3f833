//! One contender over many runs: figures that were not measured side by side.

use crate::driving::Driving;
use crate::estimate::Estimate;
use crate::ids::ContenderId;
use crate::metric::{Metric, Mode};
use crate::placement::Placement;
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
    /// The primary metric.
    pub metric: Metric,
    /// The conditions, which are the same in all of its runs.
    pub conditions: Conditions,
    /// The machine: host and CPU. Runs of other machines are left out.
    pub machine: String,
    /// The runs, the oldest first.
    pub points: Vec<Point>,
    /// The levels after the first.
    pub levels: Vec<LevelChange>,
}

/// Conditions that must be equal for figures to form one history.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Conditions {
    /// What was run, where the contender's name does not determine it.
    pub subject: Option<Subject>,
    /// The environment of a command.
    pub around: Option<Surroundings>,
    /// The rate, where it was set; in the cost mode none means half of what the slowest contender can sustain.
    pub rate: Option<PerSecond>,
    /// How it was driven, without what the run itself determined.
    pub driving: Driving,
    /// The cores, and the services beside the load.
    pub placement: Placement,
}

/// A level that differs from the previous one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelChange {
    /// The index of its first point.
    pub begin: usize,
    /// Its median over that of the previous level, minus one.
    pub step: f64,
}

/// One run.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The run's id.
    pub run: String,
    /// Its start, in seconds since 1970 (UTC).
    pub started: i64,
    /// The measured revision, where known.
    pub revision: Option<String>,
    /// The common rate, where there was one.
    pub rate: Option<PerSecond>,
    /// The figure, in the metric's unit.
    pub figure: Estimate,
    /// Its ratio to the run's baseline, with its interval, measured side by side; none for the baseline itself.
    pub ratio: Option<(f64, Option<(f64, f64)>)>,
}
