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

/// A contender that is compared with nothing is described when the interval of its primary figure reaches no further than
/// this to each side, as a share of the figure.
pub const PRECISE: f64 = 0.02;
