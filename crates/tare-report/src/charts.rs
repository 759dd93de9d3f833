//! The charts: one a file, each from one workload's result and a width. None where there is nothing to draw.

pub mod across;
mod claims;
mod latency;
mod noise;
mod published;
mod ranks;
mod ratio;
mod rows;
mod scale;
pub mod sizes;
mod tare;
mod warmup;
pub mod waterfall;

use tare_model::results::WorkloadResult;

use crate::draw::Chart;
use crate::view;

/// A chart's maker: the result, and the width in pixels (under 560, a layout for narrow screens).
pub type Maker = fn(&WorkloadResult, f64) -> Option<Chart>;

/// All charts, in the order of the page.
pub const ALL: [Maker; 9] = [
    ratio::draw,
    ratio::near,
    ranks::draw,
    tare::draw,
    latency::draw,
    published::draw,
    claims::draw,
    warmup::draw,
    noise::draw,
];

/// What the verdicts of a workload rest on, as lines for a caption.
fn grounds(result: &WorkloadResult) -> Vec<String> {
    match view::grounds(&view::shown(result)) {
        Some((common, exceptions)) => {
            let mut lines = vec![format!("Each verdict: {common}.")];
            lines.extend(exceptions.into_iter().map(|text| format!("But {text}.")));
            lines
        }
        None => Vec::new(),
    }
}
