//! The interval of a ratio as a line of text with one in the middle.
//!
//! The distance from one is the square root of |ln ratio|. On a logarithmic scale a single contender that is three times
//! slower would press all contenders within a few percent into the middle column.

use tare_model::comparison::Comparison;

use crate::words;

/// A scale for bars, with one in the middle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    reach: f64,
    width: usize,
}

impl Scale {
    /// A scale that holds all of these comparisons in `width` (odd) columns.
    pub(super) fn over(comparisons: &[&Comparison], width: usize) -> Self {
        let ends = comparisons.iter().flat_map(|c| {
            let (low, high) = words::limits(c).unwrap_or((c.ratio, c.ratio));
            [c.ratio, low, high]
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
    pub(super) fn bar(self, comparison: &Comparison) -> String {
        let mut cells = vec![' '; self.width];
        cells[self.width / 2] = '│';
        let mark = match words::limits(comparison) {
            Some((low, high)) => {
                cells[self.at(low)..=self.at(high).max(self.at(low))].fill('━');
                '●'
            }
            None => '○',
        };
        cells[self.at(comparison.ratio)] = mark;
        cells.into_iter().collect()
    }

    /// The bar of the baseline itself.
    pub(super) fn one(self) -> String {
        let mut cells = vec![' '; self.width];
        cells[self.width / 2] = '┼';
        cells.into_iter().collect()
    }
}
