//! The spread of the runs of a whole command.

use tare_model::spread as model;

/// Wall time of all its runs that count, in seconds.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct Spread {
    /// How many runs.
    pub runs: u64,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation (n − 1); null of one run.
    pub deviation: Option<f64>,
    /// Their median.
    pub median: f64,
    /// The shortest.
    pub min: f64,
    /// The longest.
    pub max: f64,
}

impl From<&model::Spread> for Spread {
    fn from(spread: &model::Spread) -> Self {
        Self {
            runs: spread.runs,
            mean: spread.mean.0,
            deviation: spread.deviation.map(|deviation| deviation.0),
            median: spread.median.0,
            min: spread.least.0,
            max: spread.most.0,
        }
    }
}
