//! The charts: each is one file and one line in the list. A chart with nothing to show is not drawn.

pub mod across;
pub mod benchmarks;
pub mod claims;
mod latency;
mod noise;
mod published;
mod ranks;
mod ratio;
mod rows;
mod scale;
mod series;
pub mod sizes;
mod tare;
mod warmup;
pub mod waterfall;

use tare_model::results::WorkloadResult;

use crate::draw::Chart;

/// A chart's maker: the result, and the width in pixels (under 560, a layout for narrow screens).
pub(crate) type Maker = fn(&WorkloadResult, f64) -> Option<Chart>;

/// All charts, in the order of the page. The first shows what the verdicts are about.
pub const ALL: &[Maker] = &[
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
