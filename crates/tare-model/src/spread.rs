//! The distribution of a command's runs. Descriptive only: no verdict uses it.

use crate::units::Seconds;

/// Durations of the measured runs of a command.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// How many runs.
    pub runs: u64,
    /// Their mean.
    pub mean: Seconds,
    /// Their sample standard deviation (n − 1); none with fewer than two runs.
    pub deviation: Option<Seconds>,
    /// Their median.
    pub median: Seconds,
    /// The shortest.
    pub least: Seconds,
    /// The longest.
    pub most: Seconds,
}
