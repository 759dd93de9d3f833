//! A figure and its interval, as the document has them.

use serde::Serialize;
use tare_model::estimate::Estimate;

/// A figure and the range of its interval; null without one.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Range {
    /// The figure.
    pub estimate: f64,
    /// The interval's lower end.
    pub low: Option<f64>,
    /// The interval's upper end.
    pub high: Option<f64>,
}

impl From<&Estimate> for Range {
    fn from(estimate: &Estimate) -> Self {
        let Estimate { estimate, low, high } = *estimate;
        Self { estimate, low, high }
    }
}
