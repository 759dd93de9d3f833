//! Values of two sides, and means over rounds.

use tare_model::estimate::Estimate;
use tare_model::explanation::Sides;
use tare_stats::tseq;

/// The chance that an interval misses what it estimates.
pub const ALPHA: f64 = 0.05;

/// A mean of rounds with its interval: the anytime-valid t sequence, since the number of rounds is not fixed beforehand.
pub(crate) fn estimate(values: &[f64]) -> Option<Estimate> {
    if values.is_empty() {
        return None;
    }
    let interval = tseq::interval(values, ALPHA);
    Some(Estimate {
        estimate: values.iter().sum::<f64>() / values.len() as f64,
        low: interval.map(|interval| interval.low),
        high: interval.map(|interval| interval.high),
    })
}

/// A value of one side, if the side is there and has it.
pub(crate) fn flat<T>(sides: Sides<Option<T>>) -> Sides<T> {
    Sides::new(sides.a.flatten(), sides.b.flatten(), sides.floor.flatten())
}
