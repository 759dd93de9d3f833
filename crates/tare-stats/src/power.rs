//! How large a difference must be for a run to detect it, predicted before the run.
//!
//! The interval after n values is x̄ ± R·s ([`tseq::radius`] gives R). Of Gaussian values with the mean μ and the standard
//! deviation σ, x̄ is N(μ, σ²/n) and s is σ·√(χ²/ν) with ν = n − 1, independent of each other. So the interval lies beyond
//! a margin m, with k = (μ − m)/σ, with the chance
//!
//! ```text
//! P(x̄ − R·s > m) = E[ Φ( √n·(k − R·S) ) ]      S = √(χ²/ν)
//! ```
//!
//! In a short run s varies more than x̄: after four values R is 3.9, and one s in ten is over 1.44 σ.

use crate::special::normal_share;
use crate::tseq;

/// Steps of the sum over S.
const STEPS: usize = 400;

/// How far beyond a margin the mean of Gaussian values must lie, in their standard deviations, for the interval after `n`
/// of them to lie there with the chance `power`. None where that many have no interval at this `alpha`, and where `power`
/// is no probability strictly between 0 and 1.
///
/// It is about the look after the n-th value alone: with a look after each value the verdict comes a little sooner.
pub fn reach(n: usize, alpha: f64, power: f64) -> Option<f64> {
    if !(power > 0.0 && power < 1.0) {
        return None;
    }
    let radius = tseq::radius(n, alpha)?;
    let root = (n as f64).sqrt();
    let spreads = spreads(n as f64 - 1.0);
    let chance = |k: f64| -> f64 {
        let of = |&(share, s): &(f64, f64)| share * normal_share(root * (k - radius * s));
        spreads.iter().map(of).sum()
    };
    let (mut low, mut high) = (0.0, radius);
    while chance(high) < power {
        (low, high) = (high, 2.0 * high);
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if chance(middle) < power {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(high)
}

/// S = √(χ²/ν) as shares and values: the density is proportional to S^(ν−1)·exp(−ν·S²/2), here divided by what it is at 1.
fn spreads(freedom: f64) -> Vec<(f64, f64)> {
    let sd = 1.0 / (2.0 * freedom).sqrt();
    let (low, high) = ((1.0 - 8.0 * sd).max(0.0), 1.0 + 12.0 * sd);
    let step = (high - low) / STEPS as f64;
    let at = |index: usize| low + step * (index as f64 + 0.5);
    let density = |s: f64| ((freedom - 1.0) * s.ln() + 0.5 * freedom * (1.0 - s * s)).exp();
    let whole: f64 = (0..STEPS).map(|index| density(at(index))).sum();
    (0..STEPS)
        .map(|index| (density(at(index)) / whole, at(index)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::prng::Prng;

    #[test]
    fn so_many_of_invented_runs_tell_it() {
        const TRIALS: u32 = 4000;
        for (seed, n, alpha, power) in [
            (1, 3, 0.05, 0.9),
            (2, 4, 0.05, 0.5),
            (3, 10, 0.05, 0.9),
            (4, 40, 0.005, 0.8),
            (5, 2, 0.1, 0.7),
        ] {
            let k = reach(n, alpha, power).unwrap();
            let mut prng = Prng::new(seed);
            let mut detected = 0;
            for _ in 0..TRIALS {
                let values: Vec<f64> = (0..n).map(|_| k + prng.normal()).collect();
                let interval = tseq::interval(&values, alpha).unwrap();
                detected += u32::from(interval.low > 0.0);
            }
            let share = f64::from(detected) / f64::from(TRIALS);
            // Four standard errors of the share.
            let error = 4.0 * (power * (1.0 - power) / f64::from(TRIALS)).sqrt();
            assert!(
                (share - power).abs() < error,
                "n {n}: {share} for {power}, seed {seed}"
            );
        }
    }

    #[test]
    fn more_values_reach_nearer_and_more_surety_further() {
        let of = |n| reach(n, 0.05, 0.9).unwrap();
        let all: Vec<f64> = (3..300).map(of).collect();
        assert!(all.windows(2).all(|pair| pair[1] < pair[0]));
        assert!(reach(10, 0.05, 0.99) > reach(10, 0.05, 0.9));
        assert!(reach(10, 0.005, 0.9) > reach(10, 0.05, 0.9));
        // With very many values s is σ: R and 1.2816 standard errors of the mean, the quantile of 0.9.
        let (n, radius) = (1_000_000, tseq::radius(1_000_000, 0.05).unwrap());
        assert!((of(n) - radius - 1.2816 / 1000.0).abs() < 1e-5, "{}", of(n));
    }

    #[test]
    fn what_has_no_interval_reaches_nothing() {
        assert_eq!(reach(2, 0.05, 0.9), None);
        for power in [0.0, 1.0, -1.0, f64::NAN] {
            assert_eq!(reach(10, 0.05, power), None);
        }
    }
}
