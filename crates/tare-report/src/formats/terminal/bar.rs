//! The interval of a ratio as a line of text with one in the middle.
//!
//! The distance from one is the square root of |ln ratio|. On a logarithmic scale a single contender that is three times
//! slower would press all contenders within a few percent into the middle column.

use tare_model::comparison::Comparison;

use crate::layout::Terminal;
use crate::words;

/// The least width of a terminal for a table with bars.
pub(super) const LEAST: usize = 72;

/// The width of the bars: odd, and narrower if names of 20 letters would not fit otherwise.
pub(super) fn width(terminal: Terminal) -> usize {
    if (100..104).contains(&terminal.width) {
        9
    } else {
        11
    }
}

/// A ratio and its interval.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ratio {
    /// The ratio.
    pub ratio: f64,
    /// Both ends of its interval.
    pub limits: Option<(f64, f64)>,
}

impl From<&Comparison> for Ratio {
    fn from(comparison: &Comparison) -> Self {
        Self {
            ratio: comparison.ratio,
            limits: words::limits(comparison),
        }
    }
}

/// A scale for bars, with one in the middle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    reach: f64,
    width: usize,
}

impl Scale {
    /// A scale that holds all of these comparisons in `width` (odd) columns.
    pub(super) fn over(comparisons: &[&Comparison], width: usize) -> Self {
        Self::over_ratios(comparisons.iter().map(|c| Ratio::from(*c)), width)
    }

    /// The same of ratios.
    pub(super) fn over_ratios(ratios: impl Iterator<Item = Ratio>, width: usize) -> Self {
        let ends = ratios.flat_map(|found| {
            let (low, high) = found.limits.unwrap_or((found.ratio, found.ratio));
            [found.ratio, low, high]
        });
        let reach = ends.map(|end| end.ln().abs()).filter(|reach| reach.is_finite());
        Self {
            reach: reach.fold(0.01, f64::max),
            width,
        }
    }

    fn at(self, ratio: f64) -> usize {
        let middle = (self.width / 2) as f64;
        let distance = ratio.ln() / self.reach;
        let place = middle + distance.signum() * distance.abs().sqrt() * middle;
        (place.round().max(0.0) as usize).min(self.width - 1)
    }

    /// The bar: `│` at one, `━` over the interval, `●` at the ratio (`○` if it has no interval).
    pub(super) fn bar(self, found: impl Into<Ratio>) -> String {
        let found = found.into();
        let mut cells = vec![' '; self.width];
        cells[self.width / 2] = '│';
        let mark = match found.limits {
            Some((low, high)) => {
                cells[self.at(low)..=self.at(high).max(self.at(low))].fill('━');
                '●'
            }
            None => '○',
        };
        cells[self.at(found.ratio)] = mark;
        cells.into_iter().collect()
    }

    /// The bar of the baseline itself.
    pub(super) fn one(self) -> String {
        let mut cells = vec![' '; self.width];
        cells[self.width / 2] = '┼';
        cells.into_iter().collect()
    }
}
