//! The anytime-valid t sequence: an interval for the mean of Gaussian values that may be looked at after every value.
//!
//! The values are x₁…xₙ with unknown mean μ and standard deviation σ. The alternative that the standardised effect
//! (μ − μ₀)/σ is N(0, g), with the right Haar measure on σ, gives the Bayes factor of the one-sample t statistic
//! t = √n(x̄ − μ₀)/s, ν = n − 1 (Gönen, Johnson, Lu and Westfall, American Statistician 59, 2005):
//!
//! ```text
//! BF = (1 + n·g)^(−1/2) · [ (1 + t²/ν) / (1 + t²/(ν(1 + n·g))) ]^(n/2)
//! ```
//!
//! Under μ₀ it is a martingale that starts at 1, in the filtration of the scale-invariant data (Lai, Annals of
//! Statistics 4, 1976; Wang and Ramdas, "Anytime-valid t-tests and confidence sequences for Gaussian means with
//! unknown variance", 2024). By Ville's inequality it ever reaches 1/α with probability at most α. What is never
//! rejected is the sequence; solved for t²/ν = x, BF < 1/α reads
//!
//! ```text
//! r = ( √(1 + n·g) / α )^(2/n)      x < (r − 1) / (1 − r/(1 + n·g))      |x̄ − μ| < s·√(ν·x/n)
//! ```
//!
//! and holds every μ while r ≥ 1 + n·g. The statement is about all n at once, so it also holds at any moment chosen
//! by looking at the data, even by looking at more than the scale-invariant data (the margin, say).
//!
//! It is exact for Gaussian values, and [`crate::simulate`] shows that it holds for what launches really do, with one
//! exception, which is handled here. Starts that fall into one of two modes look alike three times in a row once in
//! 32 pairs of contenders; if the rounds are quiet, s is then next to nothing around a mean that is off by the
//! distance of the modes. (Simulation, α = 0.5%, modes at ±0.4%, rounds at 0.02%: 3.5% ever missed.) So comparisons
//! of contenders add [`LEAST_SPREAD`] to s: [`interval_with_spread`] (the same pairs: 0.2%). That can only widen an interval, so the bound
//! stays; it costs 3% of the width where s is 0.6%, and 25% where s is 0.2%.
//!
//! No sequence can know of a mode that a contender takes in one start of a hundred and that has not occurred yet.

use crate::interval::Interval;

/// g: the variance of the standardised effect under the alternative. A large value costs little (the width grows
/// with the logarithm of its root) and makes clear differences clear after 3 or 4 launches.
pub(crate) const PRIOR_VARIANCE: f64 = 100.0;

/// The least spread of fresh starts of identical binaries, in log units (trials: 0.15 to 0.4%).
pub const LEAST_SPREAD: f64 = 0.0015;

/// How far ahead a prediction looks, in launches.
pub(crate) const HORIZON: usize = 1000;

/// The half-width of the interval after `n` values, in standard deviations of these values.
///
/// None while every mean is still possible (n < 2, or r ≥ 1 + n·g), and for an `alpha` that is no probability
/// strictly between 0 and 1.
pub fn radius(n: usize, alpha: f64) -> Option<f64> {
    if n < 2 || !(alpha > 0.0 && alpha < 1.0) {
        return None;
    }
    let count = n as f64;
    let growth = 1.0 + count * PRIOR_VARIANCE;
    let r = (growth.sqrt() / alpha).powf(2.0 / count);
    if r >= growth {
        return None;
    }
    let x = (r - 1.0) / (1.0 - r / growth);
    Some(((count - 1.0) * x / count).sqrt())
}

/// The logarithm of the Bayes factor of `n` values against a mean that lies `distance` of their standard deviations from
/// theirs.
pub(crate) fn log_bayes_factor(n: usize, distance: f64) -> f64 {
    let count = n as f64;
    let growth = 1.0 + count * PRIOR_VARIANCE;
    // t²/ν
    let x = count * distance * distance / (count - 1.0);
    0.5 * (count * (x.ln_1p() - (x / growth).ln_1p()) - growth.ln())
}

/// The interval for the mean of `centres` (one per launch) at any time, with the chance `alpha` of ever missing it.
///
/// None while there are too few, if one is not finite, and if all are equal: a spread of zero means that the instrument
/// did not resolve it, not that there is none.
pub fn interval(centres: &[f64], alpha: f64) -> Option<Interval> {
    interval_with_spread(centres, alpha, 0.0)
}

/// The same with the square of `spread` (in the units of `centres`) added to the observed variance: the prior
/// knowledge of starts. If it is above zero, equal centres have an interval too.
pub fn interval_with_spread(centres: &[f64], alpha: f64, spread: f64) -> Option<Interval> {
    let (mean, sd) = mean_and_sd(centres)?;
    let sd = sd.hypot(spread);
    if sd <= 0.0 {
        return None;
    }
    Some(Interval::around(mean, sd * radius(centres.len(), alpha)?))
}

/// How many more launches until the interval (with `spread`) lies on one side of ±`margin` (log units) or inside, if
/// mean and standard deviation stay what they are now: 0 if it does already.
///
/// None where there is nothing to predict from, and beyond [`HORIZON`] launches. A guess, not a promise.
pub fn more_launches(centres: &[f64], alpha: f64, margin: f64, spread: f64) -> Option<u32> {
    let (mean, sd) = mean_and_sd(centres)?;
    let sd = sd.hypot(spread);
    let distance = (mean.abs() - margin).abs();
    let needed = (centres.len()..=HORIZON)
        .find(|&n| radius(n, alpha).is_some_and(|radius| sd > 0.0 && radius * sd < distance))?;
    Some((needed - centres.len()) as u32)
}

/// Mean and standard deviation (n − 1) of two or more finite values. A spread that is only rounding is zero.
pub fn mean_and_sd(values: &[f64]) -> Option<(f64, f64)> {
    if values.len() < 2 || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let sd = (squares / (count - 1.0)).sqrt();
    let largest = values
        .iter()
        .fold(0.0f64, |largest, value| largest.max(value.abs()));
    let rounding = 8.0 * f64::EPSILON * largest;
    Some((mean, if sd <= rounding { 0.0 } else { sd }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::prng::Prng;

    /// The Bayes factor by brute force: for each effect size on a grid, the density of the noncentral t is the
    /// integral over σ of the likelihood under the right Haar measure; both integrals are summed numerically.
    fn bayes_factor(values: &[f64], g: f64) -> f64 {
        let count = values.len() as f64;
        let sum: f64 = values.iter().sum();
        let squares: f64 = values.iter().map(|value| value * value).sum();
        let marginal = |effect: f64| {
            // ∫ σ^(−n−1) exp(−Σ(x/σ − δ)²/2) dσ, in u = 1/σ = e^v: ∫ u^n exp(…) dv
            let steps = 4000;
            (0..steps)
                .map(|step| {
                    let v = -8.0 + 16.0 * (f64::from(step) + 0.5) / f64::from(steps);
                    let u = v.exp();
                    let square = squares * u * u - 2.0 * effect * sum * u + count * effect * effect;
                    (count * v - 0.5 * square).exp()
                })
                .sum::<f64>()
        };
        let steps = 1200;
        let reach = 8.0 * g.sqrt();
        let cell = 2.0 * reach / f64::from(steps);
        let mixed: f64 = (0..steps)
            .map(|step| {
                let effect = -reach + cell * (f64::from(step) + 0.5);
                let density = (-0.5 * effect * effect / g).exp() / (2.0 * std::f64::consts::PI * g).sqrt();
                density * marginal(effect) * cell
            })
            .sum();
        mixed / marginal(0.0)
    }

    #[test]
    fn at_its_ends_the_bayes_factor_is_one_over_alpha() {
        let values = [0.011, 0.019, 0.004, 0.013, 0.008].map(|value: f64| value * 100.0);
        let interval = interval(&values, 0.05).unwrap();
        for end in [interval.low, interval.high] {
            let shifted = values.map(|value| value - end);
            let factor = bayes_factor(&shifted, PRIOR_VARIANCE);
            assert!((factor - 20.0).abs() < 0.02, "at {end}: {factor}");
        }
    }

    #[test]
    fn the_bayes_factor_is_that_of_brute_force() {
        let values = [0.4, -0.2, 1.1, 0.9, 0.3];
        let (mean, sd) = mean_and_sd(&values).unwrap();
        let expected = bayes_factor(&values, PRIOR_VARIANCE).ln();
        assert!((log_bayes_factor(5, mean / sd) - expected).abs() < 1e-3);
    }

    #[test]
    fn radii_by_hand() {
        // n = 3: r = (√301/0.05)^(2/3) = 346.987^(2/3) = 49.378; x = 48.378/(1 − 49.378/301) = 57.872;
        // √(2·57.872/3) = 6.2114.
        assert!((radius(3, 0.05).unwrap() - 6.2114).abs() < 1e-3);
        // n = 2: r = √201/0.05 = 283.5 ≥ 201.
        assert_eq!(radius(2, 0.05), None);
        // n = 2, α = 0.1: r = 141.774, x = 140.774/(1 − 141.774/201) = 477.74, √(477.74/2) = 15.455.
        assert!((radius(2, 0.1).unwrap() - 15.455).abs() < 1e-2);
        assert_eq!(radius(1, 0.05), None);
        assert_eq!(radius(5, 0.0), None);
        assert_eq!(radius(5, 1.0), None);
        assert_eq!(radius(5, f64::NAN), None);
    }

    #[test]
    fn the_radius_falls_with_launches_and_with_alpha() {
        for alpha in [0.2, 0.05, 0.05 / 9.0, 0.05 / 190.0] {
            let radii: Vec<f64> = (2..HORIZON).filter_map(|n| radius(n, alpha)).collect();
            assert!(radii.len() > HORIZON - 10, "alpha {alpha}");
            assert!(radii.windows(2).all(|pair| pair[1] < pair[0]), "alpha {alpha}");
        }
        for n in 3..200 {
            let radii: Vec<f64> = [0.001, 0.01, 0.05, 0.2]
                .into_iter()
                .filter_map(|alpha| radius(n, alpha))
                .collect();
            assert!(radii.windows(2).all(|pair| pair[1] < pair[0]), "n {n}");
        }
    }

    #[test]
    fn it_follows_shift_and_scale_and_ignores_order() {
        for seed in 1..=300u64 {
            let mut prng = Prng::new(seed);
            let count = 3 + prng.below(20);
            let mut values: Vec<f64> = (0..count).map(|_| prng.normal()).collect();
            let before = interval(&values, 0.05).unwrap();
            prng.shuffle(&mut values);
            let shuffled = interval(&values, 0.05).unwrap();
            assert!((before.low - shuffled.low).abs() < 1e-9, "seed {seed}");
            let moved: Vec<f64> = values.iter().map(|value| 5.0 - 3.0 * value).collect();
            let after = interval(&moved, 0.05).unwrap();
            assert!(
                (after.low - (5.0 - 3.0 * before.high)).abs() < 1e-9,
                "seed {seed}"
            );
            assert!(
                (after.high - (5.0 - 3.0 * before.low)).abs() < 1e-9,
                "seed {seed}"
            );
        }
    }

    #[test]
    fn no_spread_is_no_knowledge() {
        assert_eq!(interval(&[0.1; 12], 0.05), None);
        assert_eq!(interval(&[0.1 + 0.2, 0.3, 0.3, 0.3], 0.05), None);
        assert_eq!(interval(&[0.1, f64::NAN, 0.2], 0.05), None);
    }

    #[test]
    fn a_spread_known_beforehand_is_added() {
        // n = 3, s = 0: 6.2114 times the spread. n = 3, s = 0.003 and 0.004 more: s = 0.005.
        let equal = interval_with_spread(&[0.1; 3], 0.05, LEAST_SPREAD).unwrap();
        assert!((equal.high - 0.1 - 6.2114 * 0.0015).abs() < 1e-6);
        let more = interval_with_spread(&[0.097, 0.1, 0.103], 0.05, 0.004).unwrap();
        assert!((more.high - 0.1 - 6.2114 * 0.005).abs() < 1e-5);
    }

    #[test]
    fn predictions_come_true_if_nothing_changes() {
        // Mean 0.05, sd s: prolonged with values of the same mean and sd, the verdict falls when predicted.
        let pair = [0.05 - 0.02, 0.05 + 0.02];
        let centres: Vec<f64> = pair.into_iter().cycle().take(4).collect();
        let sd = mean_and_sd(&centres).unwrap().1;
        let needed = more_launches(&centres, 0.05, 0.01, 0.0).unwrap() as usize;
        assert!(needed > 0);
        assert!(radius(4 + needed, 0.05).unwrap() * sd < 0.04);
        assert!(radius(4 + needed - 1, 0.05).unwrap() * sd >= 0.04);
        assert_eq!(more_launches(&[0.5, 0.501, 0.499], 0.05, 0.01, 0.0), Some(0));
        assert_eq!(more_launches(&[0.5], 0.05, 0.01, 0.0), None);
        assert_eq!(more_launches(&[0.011, -0.8, 0.82], 0.05, 0.01, 0.0), None);
    }
}
