//! What is counted, and not timed: allocations and bytes of an iteration. Noise does not change it, so a difference is a
//! difference, without an interval. What may change it is how it is printed: a total divided by the iterations, in whole
//! numbers, shows 9.985 as 9 or 10 from one sample to the next (docs/statistics.md, many benchmarks).

use tare_model::benchmark::{Change, FigureResult};
use tare_model::estimate::Estimate;

use super::samples::Series;
use crate::median::median;

/// Samples of each side that a difference of more than a step rests on.
const LEAST: usize = 3;

/// Samples that a difference of a single step rests on. A count between two whole numbers, shown as either by chance, is all
/// the one before and all the other after with a chance of at most 2·(1/4)⁶ = 0.05%.
pub(crate) const LEAST_OF_A_STEP: usize = 6;

/// The least and the greatest of one side.
#[derive(Clone, Copy)]
struct Range {
    low: f64,
    high: f64,
}

/// The figure of a quantity that is counted.
pub(super) fn figure(series: &Series, margin: f64, compared: bool) -> FigureResult {
    let (before, after) = (series.values(0), series.values(1));
    let change = compared.then(|| change(&before, &after, series, margin));
    let (before, after) = (median(before), median(after));
    FigureResult {
        quantity: series.quantity.clone(),
        part: series.part.clone(),
        before: before.map(exact),
        after: after.map(exact),
        ratio: before.zip(after).and_then(ratio).map(exact),
        alpha: 0.0,
        change,
        coarse: None,
        centres: Vec::new(),
    }
}

fn exact(estimate: f64) -> Estimate {
    Estimate {
        estimate,
        low: None,
        high: None,
    }
}

/// None where it begins at zero, and does not stay there.
fn ratio((before, after): (f64, f64)) -> Option<f64> {
    if before == after {
        Some(1.0)
    } else {
        (before > 0.0).then_some(after / before)
    }
}

fn change(before: &[f64], after: &[f64], series: &Series, margin: f64) -> Change {
    let samples = before.len().min(after.len());
    let (Some(one), Some(other)) = (range(before), range(after)) else {
        return Change::Inconclusive;
    };
    let step = series.step.unwrap_or(0.0);
    if samples < LEAST {
        return Change::Inconclusive;
    }
    let more = other.low - one.high;
    let gap = more.max(one.low - other.high);
    if within(one, other, step, margin) {
        return Change::Equivalent;
    }
    let apart = gap > step || (gap > 0.0 && one.exact() && other.exact() && samples >= LEAST_OF_A_STEP);
    // Of all that is counted less is better.
    match (apart, more > 0.0) {
        (false, _) => Change::Inconclusive,
        (true, true) => Change::Worse,
        (true, false) => Change::Better,
    }
}

/// Whether no sample of the one differs from one of the other by more than the margin; or by more than a step that only
/// division makes: one that is within the margin, or that the values of a side take as well.
fn within(one: Range, other: Range, step: f64, margin: f64) -> bool {
    let most = (other.high - one.low).max(one.high - other.low);
    let least = one.low.min(other.low);
    let flickers = !one.exact() || !other.exact();
    let same = one.exact() && other.exact() && one.low == other.low;
    same || (most <= step && flickers) || (most <= margin * least && (flickers || most <= step))
}

fn range(values: &[f64]) -> Option<Range> {
    let low = values.iter().copied().reduce(f64::min)?;
    let high = values.iter().copied().reduce(f64::max)?;
    Some(Range { low, high })
}

impl Range {
    fn exact(self) -> bool {
        self.low == self.high
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmarks::samples;
    use crate::benchmarks::tests::counts;

    /// The verdict on allocations of these samples before and after, printed in whole numbers.
    fn judged(before: &[f64], after: &[f64]) -> Change {
        let series = samples::of(&counts(before, after)).series.remove(0);
        figure(&series, 0.01, true).change.expect("it is compared")
    }

    #[test]
    fn an_exact_difference_is_a_difference() {
        assert_eq!(judged(&[2.0; 6], &[3.0; 6]), Change::Worse);
        assert_eq!(judged(&[3.0; 6], &[0.0; 6]), Change::Better);
        assert_eq!(judged(&[0.0; 6], &[1.0; 6]), Change::Worse);
        assert_eq!(judged(&[7.0; 3], &[7.0; 3]), Change::Equivalent);
        assert_eq!(judged(&[0.0; 3], &[0.0; 3]), Change::Equivalent);
        // 0.2%, but of many whole allocations.
        assert_eq!(judged(&[1000.0; 3], &[1002.0; 3]), Change::Worse);
    }

    #[test]
    fn what_division_makes_is_none() {
        // 9.985 on both sides.
        assert_eq!(
            judged(&[9.0, 10.0, 10.0, 9.0], &[10.0, 10.0, 10.0, 9.0]),
            Change::Equivalent
        );
        assert_eq!(
            judged(&[9.0; 6], &[10.0, 9.0, 10.0, 10.0, 9.0, 9.0]),
            Change::Equivalent
        );
        // A byte of a million may be any share of one.
        assert_eq!(judged(&[1_000_000.0; 9], &[1_000_001.0; 9]), Change::Equivalent);
        // Two more, though one side flickers.
        assert_eq!(judged(&[9.0, 10.0, 9.0], &[12.0, 12.0, 12.0]), Change::Worse);
        assert_eq!(
            judged(&[9.0, 10.0, 9.0], &[11.0, 11.0, 11.0]),
            Change::Inconclusive
        );
    }

    #[test]
    fn a_single_step_rests_on_more_samples() {
        assert_eq!(judged(&[9.0; 5], &[10.0; 5]), Change::Inconclusive);
        assert_eq!(judged(&[9.0; 6], &[10.0; 6]), Change::Worse);
        assert_eq!(judged(&[9.0; 2], &[12.0; 2]), Change::Inconclusive);
        assert_eq!(judged(&[9.0; 3], &[12.0; 3]), Change::Worse);
    }

    #[test]
    fn what_varies_by_itself_is_left_open() {
        assert_eq!(
            judged(&[1024.0, 1100.0, 1050.0], &[1040.0, 1090.0, 1200.0]),
            Change::Inconclusive
        );
        assert_eq!(
            judged(&[1024.0, 1100.0, 1050.0], &[1400.0, 1490.0, 1500.0]),
            Change::Worse
        );
        assert_eq!(
            judged(&[10_240.0, 10_250.0, 10_260.0], &[10_230.0, 10_245.0, 10_250.0]),
            Change::Equivalent
        );
    }

    #[test]
    fn one_side_is_described() {
        let series = samples::of(&counts(&[], &[3.0, 3.0])).series.remove(0);
        let figure = figure(&series, 0.01, false);
        assert_eq!((figure.change, figure.ratio, figure.before), (None, None, None));
        assert_eq!(figure.after.map(|after| after.estimate), Some(3.0));
    }
}
