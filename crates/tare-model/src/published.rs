//! Figures that a reproduced report published.

use serde::{Deserialize, Serialize};

use crate::ids::ContenderId;
use crate::metric::Metric;

/// A published figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The contender that reproduces it.
    pub contender: ContenderId,
    /// Its name in the report.
    pub label: String,
    /// The metric.
    pub metric: Metric,
    /// The value, in the metric's unit.
    pub value: f64,
    /// Its source.
    pub source: String,
    /// Contenders that the report also gives its ratio to, besides the common baseline; each has a figure on the same
    /// metric.
    pub over: Vec<ContenderId>,
}
