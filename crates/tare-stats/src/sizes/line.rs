//! A line through the costs of one launch, by weighted least squares.
//!
//! Noise multiplies a cost: a slice is off by a share of its length, so the error of a cost is in proportion to the
//! cost. Costs over 13 bytes to 64 KiB span decades; ordinary least squares would let the error of
//! the largest, which may exceed the whole fixed part, decide about the fixed part. So each point has the weight 1/cost²:
//! the sum of squared *relative* errors is least (the weights of a constant coefficient of variation; Carroll and
//! Ruppert, "Transformation and Weighting in Regression", 1988, chapter 2).
//!
//! The cost in the weight is the line's, not the observed one, in a few steps (iteratively reweighted least squares):
//! weights from the observed costs favour those that came out too low, and pull the line down by about σ².

/// Steps of reweighting. The weights need not be exact; after two the line moves by less than a thousandth of its
/// own error.
const STEPS: u32 = 4;

/// The largest weight: as if the cost were this share of the observed one. A line that comes near zero at some size must
/// not be decided by that size alone.
const LEAST_SHARE: f64 = 0.5;

/// cost(n) = fixed + per_unit · n, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// The cost at size 0.
    pub fixed: f64,
    /// What each unit of size adds.
    pub per_unit: f64,
}

impl Line {
    /// The cost at a size.
    pub fn at(&self, size: f64) -> f64 {
        self.fixed + self.per_unit * size
    }

    /// The line with the least squared relative errors through `(size, cost)`.
    ///
    /// None with fewer than two different sizes, and where a size is not finite or a cost is not positive and finite.
    pub fn fit(points: &[(f64, f64)]) -> Option<Line> {
        let sound = |&(size, cost): &(f64, f64)| size.is_finite() && cost.is_finite() && cost > 0.0;
        if !points.iter().all(sound) {
            return None;
        }
        let mut weights: Vec<f64> = points.iter().map(|point| point.1.powi(-2)).collect();
        let mut line = weighted(points, &weights)?;
        for _ in 0..STEPS {
            let weight = |&(size, cost): &(f64, f64)| line.at(size).max(LEAST_SHARE * cost).powi(-2);
            weights = points.iter().map(weight).collect();
            line = weighted(points, &weights)?;
        }
        Some(line)
    }
}

/// Weighted least squares, from the weighted means so that large sizes lose no digits.
fn weighted(points: &[(f64, f64)], weights: &[f64]) -> Option<Line> {
    let total: f64 = weights.iter().sum();
    let mean = |of: fn(&(f64, f64)) -> f64| {
        let products = points
            .iter()
            .zip(weights)
            .map(|(point, weight)| weight * of(point));
        products.sum::<f64>() / total
    };
    let (size, cost) = (mean(|point| point.0), mean(|point| point.1));
    let (mut square, mut product) = (0.0, 0.0);
    for (point, weight) in points.iter().zip(weights) {
        square += weight * (point.0 - size).powi(2);
        product += weight * (point.0 - size) * (point.1 - cost);
    }
    let per_unit = product / square;
    per_unit.is_finite().then_some(Line {
        fixed: cost - per_unit * size,
        per_unit,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::prng::Prng;

    const SIZES: [f64; 7] = [13.0, 64.0, 256.0, 1024.0, 4096.0, 16384.0, 65536.0];

    fn noisy(prng: &mut Prng, sigma: f64) -> Vec<(f64, f64)> {
        let cost = |size: f64| 1e-6 + 1e-9 * size;
        SIZES
            .map(|size| (size, cost(size) * (sigma * prng.normal()).exp()))
            .to_vec()
    }

    #[test]
    fn points_on_a_line_give_that_line() {
        let points = SIZES.map(|size| (size, 3e-7 + 2e-11 * size));
        let line = Line::fit(&points).unwrap();
        assert!((line.fixed / 3e-7 - 1.0).abs() < 1e-9, "{line:?}");
        assert!((line.per_unit / 2e-11 - 1.0).abs() < 1e-9, "{line:?}");
        assert_eq!(line.at(0.0), line.fixed);
    }

    #[test]
    fn the_normal_equations_hold() {
        // The normal equations: the residuals sum to zero, weighted by 1 and by the size.
        let points = [(0.0, 1.0), (1.0, 2.0), (2.0, 4.0)];
        let line = weighted(&points, &[1.0, 0.25, 0.0625]).unwrap();
        let normal = |power: i32| -> f64 {
            points
                .iter()
                .zip([1.0, 0.25, 0.0625])
                .map(|(point, weight)| weight * point.0.powi(power) * (point.1 - line.at(point.0)))
                .sum()
        };
        assert!(normal(0).abs() < 1e-12 && normal(1).abs() < 1e-12, "{line:?}");
    }

    #[test]
    fn what_is_no_line_is_none() {
        assert_eq!(Line::fit(&[]), None);
        assert_eq!(Line::fit(&[(1.0, 1.0)]), None);
        assert_eq!(Line::fit(&[(1.0, 1.0), (1.0, 2.0)]), None);
        assert_eq!(Line::fit(&[(1.0, 1.0), (2.0, 0.0)]), None);
        assert_eq!(Line::fit(&[(1.0, 1.0), (2.0, f64::NAN)]), None);
    }

    /// Root mean squared error and bias of the fixed part, as shares of it, over 2000 launches.
    fn errors(sigma: f64, fit: impl Fn(&[(f64, f64)]) -> Line) -> (f64, f64) {
        let mut prng = Prng::new(11);
        let errors: Vec<f64> = (0..2000)
            .map(|_| fit(&noisy(&mut prng, sigma)).fixed / 1e-6 - 1.0)
            .collect();
        let mean = |of: fn(f64) -> f64| errors.iter().map(|error| of(*error)).sum::<f64>() / 2000.0;
        (mean(|error| error * error).sqrt(), mean(|error| error))
    }

    #[test]
    fn relative_weights_find_the_fixed_part_where_equal_ones_lose_it() {
        let (relative, _) = errors(0.02, |points| Line::fit(points).unwrap());
        let (equal, _) = errors(0.02, |points| weighted(points, &[1.0; 7]).unwrap());
        assert!(relative < 0.015, "relative weights: {relative}");
        assert!(
            equal > 3.0 * relative,
            "equal weights: {equal}, relative: {relative}"
        );
    }

    #[test]
    fn weights_of_the_line_do_not_pull_it_down_and_those_of_the_observed_costs_do() {
        let observed = |points: &[(f64, f64)]| {
            let weights: Vec<f64> = points.iter().map(|point| point.1.powi(-2)).collect();
            weighted(points, &weights).unwrap()
        };
        let (_, line) = errors(0.1, |points| Line::fit(points).unwrap());
        let (_, pulled) = errors(0.1, observed);
        // The mean of exp(0.1·z) lies 0.5% above the median; the standard error of a bias here is 0.13%.
        assert!((line - 0.005).abs() < 0.006, "{line}");
        assert!(
            pulled < line - 0.006,
            "observed weights: {pulled}, the line's: {line}"
        );
    }
}
