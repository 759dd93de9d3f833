//! Charts of a case over its sizes.

mod afford;
mod axis;
mod cost;
mod even;

use tare_model::sweep::SweepResult;

use crate::draw::Chart;

/// A chart's maker: the case over its sizes, and the width in pixels.
pub(crate) type Maker = fn(&SweepResult, f64) -> Option<Chart>;

/// All of them, in the order of the page.
pub const ALL: [Maker; 3] = [cost::draw, even::draw, afford::draw];
