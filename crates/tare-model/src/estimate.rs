//! A figure and its interval, as results and documents show it.

/// A figure and its interval over launches, at the confidence of the comparison. Without an interval: null in documents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The geometric mean over launches of the launches' medians.
    pub estimate: f64,
    /// Lower end.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}
