//! How the runs of a command lie: what a person asks of one command by itself. It decides nothing.

use crate::units::Seconds;

/// The durations of all runs of a command that count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// How many runs.
    pub runs: u64,
    /// Their mean.
    pub mean: Seconds,
    /// Their standard deviation (n − 1); none of fewer than two.
    pub deviation: Option<Seconds>,
    /// The one in the middle, or the mean of the two there.
    pub median: Seconds,
    /// The shortest.
    pub least: Seconds,
    /// The longest.
    pub most: Seconds,
}
