//! The interval from the rounds of a single launch. Provisional, because launches differ by chance.

use tare_stats::Interval;
use tare_stats::selfnorm::{Pilot, RoundSequence};
use tare_stats::verdict::log_margin;

/// The sequence over the rounds of one launch.
pub(crate) struct Provisional {
    /// None with too few rounds, or without a pilot for the scale.
    pub interval: Option<Interval>,
    sequence: Option<RoundSequence>,
    alpha: f64,
}

impl Provisional {
    /// From pilot differences (which only set the scale) and the differences of the rounds.
    pub(crate) fn of(pilot: &[f64], rounds: &[f64], alpha: f64) -> Self {
        let sequence = Pilot::from_rounds(pilot).map(|pilot| {
            let mut sequence = RoundSequence::new(pilot);
            rounds.iter().for_each(|difference| sequence.push(*difference));
            sequence
        });
        let interval = sequence.as_ref().and_then(|sequence| sequence.interval(alpha));
        Self {
            interval,
            sequence,
            alpha,
        }
    }

    /// Predicted number of further rounds until a verdict, if the ratio stays the same.
    pub(crate) fn rounds_needed(&self, log_ratio: f64, margin: f64) -> Option<u32> {
        let sequence = self.sequence.as_ref()?;
        let distance = (log_ratio.abs() - log_margin(margin)).abs();
        let needed = sequence.rounds_needed(self.alpha, distance)?;
        Some(needed.saturating_sub(sequence.rounds() as u32).max(1))
    }
}
