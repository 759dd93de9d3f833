//! One contender's cost as a line over sizes: its parts with intervals, and whether it is a line at all.

use super::line::Line;
use crate::interval::Interval;
use crate::mean::Mean;
use crate::tseq::{self, LEAST_SPREAD};

/// The least number of sizes: two points always lie on a line.
pub const LEAST_SIZES: usize = 3;

/// A cost that is surely further from the line than this share of it refutes the line.
pub const BENT: f64 = 0.05;

/// Whether cost is a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Linearity {
    /// At every size the whole interval of the departure lies within ±5%.
    Holds,
    /// At no size does it lie wholly beyond ±5%, but at some it reaches beyond, or there is no interval.
    Open,
    /// At some size it lies wholly beyond ±5%.
    Bent,
}

/// How far the cost at one size departs from the line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Departure {
    /// The size.
    pub size: f64,
    /// cost/line − 1, over the replicates.
    pub share: Mean,
}

/// The number of replicates that a test of a line over this many sizes takes at `alpha`.
pub fn least_replicates(sizes: usize, alpha: f64) -> usize {
    let tested = |count: &usize| tseq::radius(*count, alpha / sizes as f64).is_some();
    (2..tseq::HORIZON).find(tested).unwrap_or(tseq::HORIZON)
}

/// The lines of several replicates and their residuals.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    lines: Vec<Line>,
    departures: Vec<Departure>,
    alpha: f64,
}

impl Model {
    /// Fits a line to each replicate's costs. `replicates` hold a cost for each of `sizes`; `alpha` is for each
    /// statement about this contender (the departures share one).
    ///
    /// None with fewer than [`LEAST_SIZES`] different sizes, without replicates, and where a cost is not positive and
    /// finite.
    pub fn fit(sizes: &[f64], replicates: &[Vec<f64>], alpha: f64) -> Option<Self> {
        let mut different = sizes.to_vec();
        different.sort_by(f64::total_cmp);
        different.dedup();
        let whole = |costs: &Vec<f64>| costs.len() == sizes.len();
        if different.len() < LEAST_SIZES || replicates.is_empty() || !replicates.iter().all(whole) {
            return None;
        }
        let points = |costs: &Vec<f64>| -> Vec<(f64, f64)> {
            sizes.iter().copied().zip(costs.iter().copied()).collect()
        };
        let lines: Option<Vec<Line>> = replicates.iter().map(|costs| Line::fit(&points(costs))).collect();
        let lines = lines?;
        let departures = departures(sizes, replicates, &lines, alpha / sizes.len() as f64);
        Some(Self {
            lines,
            departures,
            alpha,
        })
    }

    /// Each replicate's line.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The cost at size 0.
    pub fn fixed(&self) -> Mean {
        self.over(|line| line.fixed)
    }

    /// What each unit of size adds.
    pub fn per_unit(&self) -> Mean {
        self.over(|line| line.per_unit)
    }

    /// The line at a size, with the interval for this one size.
    pub fn at(&self, size: f64) -> Mean {
        self.over(|line| line.at(size))
    }

    /// How far each size's cost departs from the line.
    pub fn departures(&self) -> &[Departure] {
        &self.departures
    }

    /// Whether each size's departure has an interval: whether the line was tested at all.
    pub fn tested(&self) -> bool {
        self.departures
            .iter()
            .all(|departure| departure.share.interval.is_some())
    }

    /// Whether cost is a line.
    pub fn linearity(&self) -> Linearity {
        let intervals = || self.departures.iter().map(|departure| departure.share.interval);
        let beyond = |interval: Interval| interval.low > BENT || interval.high < -BENT;
        let within = |interval: Interval| interval.low >= -BENT && interval.high <= BENT;
        if intervals().flatten().any(beyond) {
            Linearity::Bent
        } else if intervals().all(|interval| interval.is_some_and(within)) {
            Linearity::Holds
        } else {
            Linearity::Open
        }
    }

    /// The sequence over the replicates, with the least spread of starts.
    fn over(&self, part: impl Fn(&Line) -> f64) -> Mean {
        let values: Vec<f64> = self.lines.iter().map(part).collect();
        let value = values.iter().sum::<f64>() / values.len() as f64;
        Mean {
            value,
            interval: tseq::interval_with_spread(&values, self.alpha, LEAST_SPREAD * value.abs()),
        }
    }
}

fn departures(sizes: &[f64], replicates: &[Vec<f64>], lines: &[Line], alpha: f64) -> Vec<Departure> {
    let of = |(index, &size): (usize, &f64)| {
        let shares: Vec<f64> = replicates
            .iter()
            .zip(lines)
            // If the line is not above zero, which takes a cost that is no line, the departure is relative to the cost itself.
            .map(|(costs, line)| {
                let measure = if line.at(size) > 0.0 {
                    line.at(size)
                } else {
                    costs[index]
                };
                (costs[index] - line.at(size)) / measure
            })
            .collect();
        Departure {
            size,
            share: Mean {
                value: shares.iter().sum::<f64>() / shares.len() as f64,
                interval: tseq::interval_with_spread(&shares, alpha, LEAST_SPREAD),
            },
        }
    };
    sizes.iter().enumerate().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::prng::Prng;

    const SIZES: [f64; 5] = [10.0, 100.0, 1000.0, 10_000.0, 100_000.0];

    fn launches(seed: u64, count: usize, cost: impl Fn(f64) -> f64) -> Vec<Vec<f64>> {
        let mut prng = Prng::new(seed);
        let mut launch = || {
            SIZES
                .map(|size| cost(size) * (0.004 * prng.normal()).exp())
                .to_vec()
        };
        (0..count).map(|_| launch()).collect()
    }

    #[test]
    fn parts_of_a_line_are_found_and_the_line_holds() {
        let model = Model::fit(&SIZES, &launches(1, 8, |n| 2e-6 + 1e-10 * n), 0.05).unwrap();
        assert!(model.fixed().interval.unwrap().contains(2e-6));
        assert!(model.per_unit().interval.unwrap().contains(1e-10));
        assert!(model.at(500.0).interval.unwrap().contains(2.05e-6));
        assert_eq!(model.linearity(), Linearity::Holds);
        assert_eq!(model.lines().len(), 8);
    }

    #[test]
    fn a_step_bends_it() {
        let step = |n: f64| 2e-6 + 1e-10 * n + if n > 500.0 { 0.8e-6 } else { 0.0 };
        let model = Model::fit(&SIZES, &launches(2, 8, step), 0.05).unwrap();
        assert_eq!(model.linearity(), Linearity::Bent);
    }

    #[test]
    fn a_cost_that_falls_below_its_line_has_departures_all_the_same() {
        let fall = |n: f64| if n < 50_000.0 { 3e-6 } else { 0.01e-6 };
        let model = Model::fit(&SIZES, &launches(3, 4, fall), 0.05).unwrap();
        let finite = |departure: &Departure| departure.share.value.is_finite();
        assert!(model.departures().iter().all(finite));
        assert_eq!(model.linearity(), Linearity::Bent);
    }

    #[test]
    fn few_launches_leave_it_open_and_few_sizes_have_no_model() {
        let few = Model::fit(&SIZES, &launches(4, 2, |n| 2e-6 + 1e-10 * n), 0.05).unwrap();
        assert_eq!((few.linearity(), few.tested()), (Linearity::Open, false));
        assert_eq!(few.fixed().interval, None);
        let least = least_replicates(SIZES.len(), 0.05);
        for (count, tested) in [(least - 1, false), (least, true)] {
            let model = Model::fit(&SIZES, &launches(4, count, |n| 2e-6 + 1e-10 * n), 0.05).unwrap();
            assert_eq!(model.tested(), tested, "{count} launches");
        }
        assert_eq!(Model::fit(&SIZES[..2], &[vec![1.0, 2.0]], 0.05), None);
        assert_eq!(Model::fit(&SIZES, &[], 0.05), None);
        assert_eq!(Model::fit(&SIZES, &[vec![1.0; 4]], 0.05), None);
        assert_eq!(Model::fit(&[1.0, 1.0, 2.0], &[vec![1.0; 3]], 0.05), None);
    }
}
