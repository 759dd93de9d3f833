//! The lines of two contenders compared: how much more one costs, and at which sizes neither is surely the cheaper.
//!
//! Both have a line in each launch e, so their difference is one, too: m_e(n) = Δa_e + n·Δb_e. At each size n the t
//! sequence contains the mean of m_e(n): m̄(n) ± k·s(n), with k the sequence's radius for the number of launches and
//!
//! ```text
//! s²(n) = s_aa + 2·n·s_ab + n²·s_bb        (variances and covariance of Δa_e and Δb_e over launches)
//! ```
//!
//! The *break-even* is the set of all sizes n ≥ 0 whose interval contains zero: m̄(n)² ≤ k²·s²(n), a quadratic in n,
//!
//! ```text
//! (B² − k²·s_bb)·n² + 2·(A·B − k²·s_ab)·n + (A² − k²·s_aa) ≤ 0        A, B the means of Δa_e, Δb_e
//! ```
//!
//! which is Fieller's set (Journal of the Royal Statistical Society B 16, 1954) with the sequence's radius. In any
//! shape, it contains the size at which both truly cost the same with the probability of the sequence. If Δb cannot be
//! distinguished from zero, it is rightly unbounded. The statement is about each size by itself.
//!
//! For the break-even each launch's lines are first divided by one figure of that launch (the geometric mean of both costs at
//! a size in the middle): a machine that is slow for a whole launch multiplies both by one factor, which says nothing
//! about where they are even, and would widen the set. The differences are in seconds and are not divided.
//!
//! s²(n) includes the least spread of starts ([`LEAST_SPREAD`] of either's cost at n).

use super::line::Line;
use crate::interval::Interval;
use crate::mean::Mean;
use crate::tseq::{self, LEAST_SPREAD};
use crate::verdict::Side;

/// The sizes at which a difference may be zero, in the shapes that Fieller's set has. Sizes below 0 are among them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Zeros {
    /// These.
    Within(Interval),
    /// All but those between these two.
    Outside(Interval),
    /// All.
    Everywhere,
}

/// Where two lines break even.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Even {
    /// The sizes at which neither is surely the cheaper.
    pub zeros: Zeros,
    /// The mean difference, in units of the launch: its sign is sure at all other sizes.
    pub difference: Line,
}

/// The first's cost minus the second's, as a line over sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// The difference at size 0.
    pub fixed: Mean,
    /// The difference that each unit of size adds.
    pub per_unit: Mean,
    /// Where the two lines cross, if that is at a size of 0 or more.
    pub crossing: Option<f64>,
    /// Where they break even; none with too few replicates for any interval.
    pub even: Option<Even>,
}

/// Means, variances and covariance of the difference's two parts, with the least spread of starts.
#[derive(Debug, Clone, Copy)]
struct Spread {
    mean: Line,
    aa: f64,
    ab: f64,
    bb: f64,
}

impl Even {
    /// Whether neither is surely the cheaper at a size.
    pub fn contains(&self, size: f64) -> bool {
        match self.zeros {
            Zeros::Within(sizes) => sizes.contains(size),
            Zeros::Outside(Interval { low, high }) => size <= low || high <= size,
            Zeros::Everywhere => true,
        }
    }

    /// On which side of zero the difference surely is at a size.
    pub fn side(&self, size: f64) -> Side {
        if self.contains(size) {
            Side::Astride
        } else if self.difference.at(size) < 0.0 {
            Side::Below
        } else {
            Side::Above
        }
    }
}

impl Pair {
    /// From the lines of both in the same replicates, `(first, second)`, at `alpha`. None without replicates.
    pub fn of(lines: &[(Line, Line)], alpha: f64) -> Option<Self> {
        if lines.is_empty() {
            return None;
        }
        let spread = Spread::of(&levelled(lines));
        let part = |of: fn(&Line) -> f64| {
            let values: Vec<f64> = lines
                .iter()
                .map(|(first, second)| of(first) - of(second))
                .collect();
            let mean = |one: fn(&(Line, Line)) -> &Line| average(lines.iter().map(|pair| of(one(pair))));
            let hidden = LEAST_SPREAD * mean(|pair| &pair.0).hypot(mean(|pair| &pair.1));
            Mean {
                value: average(values.iter().copied()),
                interval: tseq::interval_with_spread(&values, alpha, hidden),
            }
        };
        let crossing = -spread.mean.fixed / spread.mean.per_unit;
        Some(Self {
            fixed: part(|line| line.fixed),
            per_unit: part(|line| line.per_unit),
            crossing: (crossing.is_finite() && crossing >= 0.0).then_some(crossing),
            even: tseq::radius(lines.len(), alpha).map(|radius| spread.even(radius)),
        })
    }

    /// The difference at a size in units of the launch, and its interval for this one size: what the break-even is the
    /// zeros of.
    pub fn at(lines: &[(Line, Line)], size: f64, alpha: f64) -> Option<Mean> {
        if lines.is_empty() {
            return None;
        }
        let spread = Spread::of(&levelled(lines));
        let mean = spread.mean.at(size);
        let sd = (spread.aa + 2.0 * size * spread.ab + size * size * spread.bb)
            .max(0.0)
            .sqrt();
        Some(Mean {
            value: mean,
            interval: tseq::radius(lines.len(), alpha).map(|radius| Interval::around(mean, radius * sd)),
        })
    }
}

/// The lines of each launch divided by the geometric mean of both at one size: that at which fixed parts and parts per
/// unit are equally large. Not divided if a cost is not above zero there.
fn levelled(lines: &[(Line, Line)]) -> Vec<(Line, Line)> {
    let both = lines.iter().flat_map(|pair| [pair.0, pair.1]);
    let (fixed, per_unit) = both.fold((0.0, 0.0), |sum, line| {
        (sum.0 + line.fixed, sum.1 + line.per_unit)
    });
    let middle = Some(fixed / per_unit)
        .filter(|size| size.is_finite() && *size > 0.0)
        .unwrap_or(0.0);
    let level = |pair: &(Line, Line)| (pair.0.at(middle) * pair.1.at(middle)).sqrt();
    let sound = |pair: &(Line, Line)| pair.0.at(middle) > 0.0 && pair.1.at(middle) > 0.0;
    if !lines.iter().all(sound) {
        return lines.to_vec();
    }
    let over = |line: Line, level: f64| Line {
        fixed: line.fixed / level,
        per_unit: line.per_unit / level,
    };
    lines
        .iter()
        .map(|pair| (over(pair.0, level(pair)), over(pair.1, level(pair))))
        .collect()
}

fn average(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

impl Spread {
    fn of(lines: &[(Line, Line)]) -> Self {
        let differences: Vec<Line> = lines
            .iter()
            .map(|(first, second)| Line {
                fixed: first.fixed - second.fixed,
                per_unit: first.per_unit - second.per_unit,
            })
            .collect();
        let mean = mean_line(differences.iter().copied());
        let freedom = (lines.len() as f64 - 1.0).max(1.0);
        let (mut aa, mut ab, mut bb) = (0.0, 0.0, 0.0);
        for line in &differences {
            let (a, b) = (line.fixed - mean.fixed, line.per_unit - mean.per_unit);
            aa += a * a / freedom;
            ab += a * b / freedom;
            bb += b * b / freedom;
        }
        // A start that is off by a share is off by that share in both parts: they are added, not their squares.
        for one in [
            mean_line(lines.iter().map(|pair| pair.0)),
            mean_line(lines.iter().map(|pair| pair.1)),
        ] {
            let (a, b) = (LEAST_SPREAD * one.fixed.abs(), LEAST_SPREAD * one.per_unit.abs());
            aa += a * a;
            ab += a * b;
            bb += b * b;
        }
        Self { mean, aa, ab, bb }
    }

    fn even(&self, radius: f64) -> Even {
        Even {
            zeros: self.zeros(radius),
            difference: self.mean,
        }
    }

    /// The quadratic's set.
    fn zeros(&self, radius: f64) -> Zeros {
        let square = radius * radius;
        let Line { fixed, per_unit } = self.mean;
        let second = per_unit * per_unit - square * self.bb;
        let first = fixed * per_unit - square * self.ab;
        let rest = fixed * fixed - square * self.aa;
        let root = (first * first - second * rest).max(0.0).sqrt();
        let halted = first * first < second * rest;
        // The root of larger magnitude first; the other from the product, which loses no digits.
        let far = if first >= 0.0 {
            -first - root
        } else {
            -first + root
        };
        let (one, other) = (far / second, rest / far);
        let ends = Interval {
            low: one.min(other),
            high: one.max(other),
        };
        if second > 0.0 {
            // The parts per unit differ surely, so the set is an interval (around the crossing).
            Zeros::Within(ends)
        } else if halted || ends.high.is_nan() || ends.low.is_nan() {
            // They do not, so it is all sizes, or all but an interval.
            Zeros::Everywhere
        } else {
            Zeros::Outside(ends)
        }
    }
}

fn mean_line(lines: impl ExactSizeIterator<Item = Line> + Clone) -> Line {
    Line {
        fixed: average(lines.clone().map(|line| line.fixed)),
        per_unit: average(lines.map(|line| line.per_unit)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::prng::Prng;

    fn line(fixed: f64, per_unit: f64) -> Line {
        Line { fixed, per_unit }
    }

    /// Launches of two contenders whose parts vary by `share`.
    fn launches(prng: &mut Prng, count: usize, first: Line, second: Line, share: f64) -> Vec<(Line, Line)> {
        let mut noisy = |of: Line| {
            line(
                of.fixed * (share * prng.normal()).exp(),
                of.per_unit * (share * prng.normal()).exp(),
            )
        };
        (0..count).map(|_| (noisy(first), noisy(second))).collect()
    }

    fn shape(of: &Even) -> &'static str {
        match of.zeros {
            Zeros::Within(_) => "within",
            Zeros::Outside(_) => "outside",
            Zeros::Everywhere => "everywhere",
        }
    }

    #[test]
    fn every_shape_occurs_and_each_is_what_the_sequence_says_at_each_size() {
        let mut seen = std::collections::BTreeMap::new();
        for seed in 1..=3000u64 {
            let mut prng = Prng::new(seed);
            let mut part = || 10f64.powf(2.0 * prng.uniform() - 1.0);
            let (first, second) = (line(part(), 0.01 * part()), line(part(), 0.01 * part()));
            let count = 3 + prng.below(8);
            let share = 10f64.powf(-3.0 + 3.0 * prng.uniform());
            let data = launches(&mut prng, count, first, second, share);
            let pair = Pair::of(&data, 0.05).unwrap();
            let set = pair.even.unwrap();
            *seen.entry(shape(&set)).or_insert(0) += 1;
            for step in 0..60 {
                let size = if step == 0 {
                    0.0
                } else {
                    10f64.powf(f64::from(step) / 6.0 - 4.0)
                };
                let interval = Pair::at(&data, size, 0.05).unwrap().interval.unwrap();
                let nearest = interval.low.abs().min(interval.high.abs()) / interval.width();
                if nearest < 1e-6 {
                    continue; // on an end, rounding decides
                }
                let right = if interval.high < 0.0 {
                    Side::Below
                } else if interval.low > 0.0 {
                    Side::Above
                } else {
                    Side::Astride
                };
                let found = set.side(size);
                assert_eq!(found, right, "seed {seed}, size {size}: {set:?}, {interval:?}");
            }
        }
        let shapes = ["everywhere", "outside", "within"];
        assert_eq!(seen.keys().copied().collect::<Vec<_>>(), shapes, "{seen:?}");
    }

    #[test]
    fn a_crossing_by_hand() {
        // Both exact but for the least spread: 10 + n against 20 + n/2 cross at 20.
        let data = [(line(10.0, 1.0), line(20.0, 0.5)); 5];
        let pair = Pair::of(&data, 0.05).unwrap();
        assert!((pair.crossing.unwrap() - 20.0).abs() < 1e-9);
        assert_eq!((pair.fixed.value, pair.per_unit.value), (-10.0, 0.5));
        let Some(Zeros::Within(Interval { low, high })) = pair.even.map(|even| even.zeros) else {
            panic!("{pair:?}");
        };
        assert!(low < 20.0 && 20.0 < high && high - low < 2.0, "{low} to {high}");
        let sides = [10.0, 20.0, 30.0].map(|size| pair.even.unwrap().side(size));
        assert_eq!(sides, [Side::Below, Side::Astride, Side::Above]);
    }

    #[test]
    fn a_machine_that_is_slow_for_a_launch_does_not_blur_where_two_are_even() {
        let data: Vec<(Line, Line)> = [1.0, 1.4, 0.7, 1.1, 1.9, 0.8]
            .map(|slow| (line(10.0 * slow, slow), line(20.0 * slow, 0.5 * slow)))
            .to_vec();
        let pair = Pair::of(&data, 0.05).unwrap();
        let Some(Zeros::Within(Interval { low, high })) = pair.even.map(|even| even.zeros) else {
            panic!("{pair:?}");
        };
        assert!(low < 20.0 && 20.0 < high && high - low < 2.0, "{low} to {high}");
        // In seconds it is known less well.
        assert!(pair.fixed.interval.unwrap().width() > 5.0);
    }

    #[test]
    fn equal_lines_break_even_everywhere() {
        for same in [line(1.0, 0.1), line(0.0, 0.0)] {
            let pair = Pair::of(&[(same, same); 4], 0.05).unwrap();
            let sides = [0.0, 1.0, 1e9].map(|size| pair.even.unwrap().side(size));
            assert_eq!(sides, [Side::Astride; 3]);
        }
    }

    #[test]
    fn few_launches_give_no_interval() {
        let data = [(line(1.0, 0.1), line(2.0, 0.1)); 2];
        let pair = Pair::of(&data, 0.05).unwrap();
        assert_eq!((pair.even, pair.fixed.interval), (None, None));
        assert_eq!(Pair::of(&[], 0.05), None);
    }

    #[test]
    fn exchanged_lines_exchange_the_sides() {
        for seed in 1..=200u64 {
            let mut prng = Prng::new(seed);
            let data = launches(&mut prng, 6, line(1.0, 0.01), line(1.5, 0.007), 0.02);
            let mirrored: Vec<(Line, Line)> = data.iter().map(|pair| (pair.1, pair.0)).collect();
            let there = Pair::of(&data, 0.05).unwrap();
            let back = Pair::of(&mirrored, 0.05).unwrap();
            assert!(
                (there.fixed.value + back.fixed.value).abs() < 1e-12,
                "seed {seed}"
            );
            for size in [0.0, 10.0, 166.0, 1000.0] {
                let opposite = match back.even.unwrap().side(size) {
                    Side::Below => Side::Above,
                    Side::Above => Side::Below,
                    Side::Astride => Side::Astride,
                };
                let side = there.even.unwrap().side(size);
                assert_eq!(side, opposite, "seed {seed}, size {size}");
            }
        }
    }
}
