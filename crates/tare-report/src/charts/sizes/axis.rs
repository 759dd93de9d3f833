//! The axis over sizes.

use tare_model::sweep::SweepResult;

use crate::charts::scale::Scale;
use crate::draw::width as text_width;
use crate::sweep;

/// A logarithmic axis over sizes; where there is a size of 0, it is placed at half of the least other size.
pub(super) fn axis(sweep: &SweepResult, from: f64, to: f64) -> Option<Scale> {
    Scale::log(
        sweep.sizes.iter().map(|size| place(sweep, *size as f64)),
        from,
        to,
        0.02,
    )
}

/// A size as a value on the axis.
pub(super) fn place(sweep: &SweepResult, size: f64) -> f64 {
    let least = sweep
        .sizes
        .iter()
        .find(|size| **size > 0)
        .map_or(1.0, |size| *size as f64);
    size.max(least / 2.0)
}

/// Ticks at the measured sizes, as many as there is room for.
pub(super) fn ticks(sweep: &SweepResult, x: Scale, mut draw: impl FnMut(f64, &str)) {
    let mut free = f64::NEG_INFINITY;
    for size in &sweep.sizes {
        let (at, text) = (x.at(place(sweep, *size as f64)), sweep::measured(*size as f64));
        let half = text_width(&text, 6.3) / 2.0;
        if at - half >= free {
            draw(at, &text);
            free = at + half + 8.0;
        }
    }
}
