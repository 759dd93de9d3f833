//! Charts of a case over its sizes.

mod afford;
mod cost;
mod even;

use tare_model::sweep::SweepResult;

use super::scale::Scale;
use crate::draw::{Anchor, Canvas, Chart, width as text_width};
use crate::sweep;

/// A chart's maker: the case over its sizes, and the width in pixels.
pub type Maker = fn(&SweepResult, f64) -> Option<Chart>;

/// All of them, in the order of the page.
pub const ALL: [Maker; 3] = [cost::draw, even::draw, afford::draw];

/// Colours that series take in turn.
const SERIES: usize = 10;

/// The class of a series' colour, and of its dashes where colours come again.
fn look(index: usize) -> String {
    format!("s{} d{}", index % SERIES, (index / 3) % 4)
}

/// A logarithmic axis over sizes; where there is a size of 0, it stands at half of the least other one.
fn axis(sweep: &SweepResult, from: f64, to: f64) -> Option<Scale> {
    Scale::log(
        sweep.sizes.iter().map(|size| place(sweep, *size as f64)),
        from,
        to,
        0.02,
    )
}

/// Where on the axis a size stands.
fn place(sweep: &SweepResult, size: f64) -> f64 {
    let least = sweep
        .sizes
        .iter()
        .find(|size| **size > 0)
        .map_or(1.0, |size| *size as f64);
    size.max(least / 2.0)
}

/// Ticks at the measured sizes, as many as have room.
fn ticks(sweep: &SweepResult, x: Scale, mut draw: impl FnMut(f64, &str)) {
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

/// Names with a sample of their curves, one a line; where the last ends.
fn legend(canvas: &mut Canvas, top: f64, names: &[(usize, String)]) -> f64 {
    let mut y = top;
    for (index, name) in names {
        canvas.curve(
            &[(0.0, y - 4.0), (34.0, y - 4.0)],
            &format!("curve {}", look(*index)),
        );
        canvas.text(42.0, y, Anchor::Start, "name", name);
        y += 17.0;
    }
    y
}
