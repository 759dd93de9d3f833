//! What is above the tare: net = gross − floor, and ratios of nets.
//!
//! Everything here is on the linear scale (seconds, bytes), one value per launch, each contender's typical value in
//! that launch. The ratio of nets ρ = E(net_a)/E(net_b) is the ρ at which net_a − ρ·net_b has the mean zero, so its
//! confidence set holds every ρ for which the t sequence of the launches' net_a − ρ·net_b contains zero (Fieller,
//! Journal of the Royal Statistical Society B 16, 1954, with the anytime-valid radius in the place of Student's).
//! With means ā, b̄, variances and covariance s_aa, s_bb, s_ab and the radius k it is the solution of
//!
//! ```text
//! (b̄² − k²·s_bb)·ρ² − 2(ā·b̄ − k²·s_ab)·ρ + (ā² − k²·s_aa) ≤ 0
//! ```
//!
//! (each variance with what [`tseq::LEAST_SPREAD`] of the gross values adds to it, the covariance with what that of the
//! common floor adds), which is an interval exactly where b̄² > k²·s_bb: where the interval of the baseline's net excludes zero.
//! Otherwise there is no ratio: the set would be unbounded, and a ratio to a net that may be zero means nothing.

use crate::interval::Interval;
use crate::mean::Mean;
use crate::tseq::{self, LEAST_SPREAD};

/// Typical values in one launch, on the linear scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gross {
    /// The contender.
    pub a: f64,
    /// The floor.
    pub floor: f64,
    /// The baseline.
    pub b: f64,
}

/// Why there is no ratio of nets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Refusal {
    /// Too few launches for any interval, or no spread at all.
    TooFewLaunches,
    /// The baseline's net cannot be distinguished from zero, or lies below it. Its interval is given.
    BaselineNetNotAboveZero(Interval),
}

/// The mean over launches of gross − floor, and its interval at `alpha`; `pairs` are (gross, floor).
///
/// None without launches or if a value is not finite. The net can be distinguished from zero if the interval excludes
/// zero.
pub fn net(pairs: &[(f64, f64)], alpha: f64) -> Option<Mean> {
    let nets: Vec<f64> = pairs.iter().map(|(gross, floor)| gross - floor).collect();
    if nets.is_empty() || nets.iter().any(|net| !net.is_finite()) {
        return None;
    }
    let spread = hidden(pairs.iter().map(|pair| pair.0)).hypot(hidden(pairs.iter().map(|pair| pair.1)));
    Some(Mean {
        value: nets.iter().sum::<f64>() / nets.len() as f64,
        interval: tseq::interval_with_spread(&nets, alpha, spread),
    })
}

/// The least spread that starts have, on the scale of these values.
pub(crate) fn hidden(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    LEAST_SPREAD * values.sum::<f64>() / count
}

/// The ratio of the nets of `a` and `b` with its interval at `alpha`, or why there is none.
pub fn ratio(launches: &[Gross], alpha: f64) -> Result<Mean, Refusal> {
    let pairs = |gross: fn(&Gross) -> f64| -> Vec<(f64, f64)> {
        launches
            .iter()
            .map(|launch| (gross(launch), launch.floor))
            .collect()
    };
    let baseline = net(&pairs(|launch| launch.b), alpha).ok_or(Refusal::TooFewLaunches)?;
    let contender = net(&pairs(|launch| launch.a), alpha).ok_or(Refusal::TooFewLaunches)?;
    let around = baseline.interval.ok_or(Refusal::TooFewLaunches)?;
    if around.low <= 0.0 {
        return Err(Refusal::BaselineNetNotAboveZero(around));
    }
    let radius = tseq::radius(launches.len(), alpha).ok_or(Refusal::TooFewLaunches)?;
    let (a, b) = (contender.value, baseline.value);
    let [s_aa, s_ab, s_bb] = spreads(launches, a, b).map(|spread| radius * radius * spread);
    let (square, half, rest) = (b * b - s_bb, a * b - s_ab, a * a - s_aa);
    // ρ = ā/b̄ makes the left side ≤ 0, so there are real roots; rounding may take the root just below zero.
    let root = (half * half - square * rest).max(0.0).sqrt();
    Ok(Mean {
        value: a / b,
        interval: Some(Interval::around(half / square, root / square)),
    })
}

/// s_aa, s_ab and s_bb of the nets around their means `a` and `b`, with the least spread of starts.
fn spreads(launches: &[Gross], a: f64, b: f64) -> [f64; 3] {
    let nets = |gross: fn(&Gross) -> f64| launches.iter().map(move |e| gross(e) - e.floor);
    let of_a: Vec<f64> = nets(|launch| launch.a).collect();
    let of_b: Vec<f64> = nets(|launch| launch.b).collect();
    let square = |gross: fn(&Gross) -> f64| hidden(launches.iter().map(gross)).powi(2);
    let floor = square(|launch| launch.floor);
    [
        covariance(&of_a, a, &of_a, a) + square(|launch| launch.a) + floor,
        covariance(&of_a, a, &of_b, b) + floor,
        covariance(&of_b, b, &of_b, b) + square(|launch| launch.b) + floor,
    ]
}

fn covariance(x: &[f64], mean_x: f64, y: &[f64], mean_y: f64) -> f64 {
    let products = x.iter().zip(y).map(|(x, y)| (x - mean_x) * (y - mean_y));
    products.sum::<f64>() / (x.len() as f64 - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::prng::Prng;

    fn launches(prng: &mut Prng, count: usize, a: f64, floor: f64, b: f64) -> Vec<Gross> {
        let mut noisy = |value: f64| value * (0.01 * prng.normal()).exp();
        (0..count)
            .map(|_| Gross {
                a: noisy(a),
                floor: noisy(floor),
                b: noisy(b),
            })
            .collect()
    }

    #[test]
    fn the_ends_are_where_the_t_sequence_touches_zero() {
        for seed in 1..=200u64 {
            let mut prng = Prng::new(seed);
            let count = 4 + prng.below(12);
            let data = launches(&mut prng, count, 9.0, 6.0, 8.0);
            let Ok(ratio) = ratio(&data, 0.05) else { continue };
            let interval = ratio.interval.unwrap();
            assert!(interval.contains(ratio.value), "seed {seed}");
            let mean = |gross: fn(&Gross) -> f64| data.iter().map(gross).sum::<f64>() / count as f64;
            let nearest = |rho: f64| {
                let rest: Vec<f64> = data
                    .iter()
                    .map(|e| (e.a - e.floor) - rho * (e.b - e.floor))
                    .collect();
                // a − ρ·b − (1 − ρ)·floor: three independent starts.
                let parts = [
                    mean(|e| e.a),
                    rho * mean(|e| e.b),
                    (1.0 - rho) * mean(|e| e.floor),
                ];
                let spread = parts
                    .iter()
                    .map(|part| (part * LEAST_SPREAD).powi(2))
                    .sum::<f64>()
                    .sqrt();
                let around = tseq::interval_with_spread(&rest, 0.05, spread).unwrap();
                around.low.abs().min(around.high.abs()) / around.width()
            };
            assert!(nearest(interval.low) < 1e-6, "seed {seed}: low end");
            assert!(nearest(interval.high) < 1e-6, "seed {seed}: high end");
        }
    }

    #[test]
    fn it_covers_the_truth_and_has_power() {
        let mut covered = 0;
        let mut given = 0;
        for seed in 1..=200u64 {
            let data = launches(&mut Prng::new(seed), 10, 9.0, 6.0, 8.0);
            let Ok(ratio) = ratio(&data, 0.05) else { continue };
            given += 1;
            covered += u32::from(ratio.interval.unwrap().contains(1.5));
        }
        // If it missed as often as α allows, more than 25 of 200 would be missed with a chance of 9e-6.
        assert!(given >= 195, "{given} of 200 given");
        assert!(covered + 25 >= given, "{covered} of {given} covered");
    }

    #[test]
    fn refused_where_the_baseline_is_the_floor_or_below() {
        let mut prng = Prng::new(3);
        let same = launches(&mut prng, 8, 9.0, 6.0, 6.0);
        assert!(matches!(
            ratio(&same, 0.05),
            Err(Refusal::BaselineNetNotAboveZero(_))
        ));
        let below = launches(&mut prng, 8, 9.0, 6.0, 3.0);
        assert!(matches!(ratio(&below, 0.05), Err(Refusal::BaselineNetNotAboveZero(i)) if i.high < 0.0));
        assert_eq!(ratio(&same[..2], 0.05), Err(Refusal::TooFewLaunches));
    }

    #[test]
    fn nets_by_hand() {
        let net = net(&[(5.0, 3.0), (6.0, 3.0), (7.0, 3.0)], 0.05).unwrap();
        assert_eq!(net.value, 3.0);
        assert!((net.interval.unwrap().width() - 2.0 * 6.2114).abs() < 0.02);
        assert_eq!(super::net(&[], 0.05), None);
    }
}
