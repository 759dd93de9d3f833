//! Many questions at once, of which few are to be reported: which differences are real, if of those reported at most a
//! given share may be false.
//!
//! Dividing α by the number of questions ([`crate::multiplicity`]) keeps every single false report away, at a price that
//! grows with their number. With hundreds of benchmarks one would rather bound the *false discovery rate*: the expected
//! share of false ones among those reported, 0 where none is.
//!
//! **Evidence.** The Bayes factor of [`crate::tseq`] is an e-value: where the mean is μ₀, its expectation is at most 1 at
//! any moment at which one may stop. A difference is of interest beyond a margin m, so the null is |μ| ≤ m; its
//! e-value is the least Bayes factor of any mean in it, that of the mean nearest to x̄:
//!
//! ```text
//! e = BF( max(|x̄| − m, 0) )
//! ```
//!
//! Where x̄ > m that is at the same time the e-value of the one-sided null μ ≤ m, and where x̄ < −m that of μ ≥ −m; so the
//! rate below counts a difference in the wrong direction as false, too.
//!
//! **e-BH.** Of K e-values the k* greatest are discoveries, where k* is the greatest k whose k-th greatest e-value is at
//! least K/(k·q) (Wang and Ramdas, "False discovery rate control with e-values", JRSS B 84, 2022). Each false discovery
//! has e ≥ K/(k*·q), so its share 1/k* is at most e·q/K, whatever the others are; the expectation of the sum of these
//! over all true nulls is at most q. Nothing was assumed about how the values depend on each other, and each may be of a
//! moment of its own, chosen by looking at all.
//!
//! **Intervals of discoveries.** The t sequences of the k* discoveries at [`level`], q·k*/K, miss their truth in an
//! expected share of at most q of them (Xu, Wang and Ramdas, "Post-selection inference for e-value based confidence
//! intervals", 2022), and each lies beyond the margin: to be a discovery is just that.

use crate::tseq::{log_bayes_factor, mean_and_sd};

/// The evidence of `centres` (one a launch or block, log units) against "their mean lies within ±`margin`" (log
/// units), as the logarithm of an e-value. `spread` is added as in [`crate::tseq::interval_with_spread`].
///
/// None where there is nothing to judge: fewer than two, one that is not finite, no spread at all.
pub fn log_evidence(centres: &[f64], margin: f64, spread: f64) -> Option<f64> {
    let (mean, sd) = mean_and_sd(centres)?;
    let sd = sd.hypot(spread);
    if sd <= 0.0 {
        return None;
    }
    let beyond = (mean.abs() - margin).max(0.0);
    Some(log_bayes_factor(centres.len(), beyond / sd))
}

/// Which of the e-values (as logarithms) are discoveries with a false discovery rate of at most `rate`.
pub fn discoveries(evidence: &[f64], rate: f64) -> Vec<bool> {
    let mut falling: Vec<f64> = evidence.to_vec();
    falling.sort_by(|a, b| b.total_cmp(a));
    let count = falling.len() as f64;
    let enough = |rank: usize| (count / (rank as f64 * rate)).ln();
    let most = (1..=falling.len()).rfind(|&rank| falling[rank - 1] >= enough(rank));
    let Some(most) = most else {
        return vec![false; evidence.len()];
    };
    evidence.iter().map(|&one| one >= enough(most)).collect()
}

/// α for the intervals of `discovered` of `questions`; with no discovery that of the first one.
pub fn level(discovered: usize, questions: usize, rate: f64) -> f64 {
    rate * discovered.max(1) as f64 / questions.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::prng::Prng;
    use crate::tseq;

    #[test]
    fn evidence_reaches_one_over_alpha_where_the_interval_leaves_the_margin() {
        let centres = [0.031, 0.027, 0.035, 0.029, 0.033, 0.03];
        let interval = tseq::interval_with_spread(&centres, 0.01, tseq::LEAST_SPREAD).unwrap();
        let at = |margin| log_evidence(&centres, margin, tseq::LEAST_SPREAD).unwrap();
        assert!((at(interval.low) - 100f64.ln()).abs() < 1e-9);
        assert!(at(interval.low - 0.001) > 100f64.ln());
        let mirrored = centres.map(|centre| -centre);
        let same = log_evidence(&mirrored, interval.low, tseq::LEAST_SPREAD).unwrap();
        assert!((same - 100f64.ln()).abs() < 1e-9);
    }

    #[test]
    fn a_mean_within_the_margin_is_no_evidence() {
        let least = log_evidence(&[0.004, 0.006, 0.005], 0.01, 0.0).unwrap();
        // (1 + 3·100)^(−1/2)
        assert!((least + 0.5 * 301f64.ln()).abs() < 1e-12);
        assert_eq!(log_evidence(&[0.004], 0.01, 0.0), None);
        assert_eq!(log_evidence(&[0.1, 0.1, 0.1], 0.01, 0.0), None);
        assert_eq!(log_evidence(&[0.1, f64::NAN], 0.01, 0.0), None);
    }

    #[test]
    fn the_greatest_are_discoveries_by_hand() {
        let logs = |values: &[f64]| values.iter().map(|value| value.ln()).collect::<Vec<_>>();
        // K = 4, q = 0.1: one needs 40, two need 20 each, three 13.3, four 10.
        let found = |values: &[f64]| discoveries(&logs(values), 0.1);
        assert_eq!(found(&[39.0, 1.0, 1.0, 1.0]), [false; 4]);
        assert_eq!(found(&[1.0, 41.0, 1.0, 19.0]), [false, true, false, false]);
        assert_eq!(found(&[21.0, 1.0, 1.0, 22.0]), [true, false, false, true]);
        assert_eq!(found(&[11.0, 12.0, 13.0, 14.0]), [true; 4]);
        assert_eq!(found(&[]), [] as [bool; 0]);
        assert_eq!(discoveries(&[f64::NEG_INFINITY, 9.0], 0.1), [false, true]);
        assert!((level(2, 4, 0.1) - 0.05).abs() < 1e-12);
        assert!((level(0, 4, 0.1) - 0.025).abs() < 1e-12);
    }

    #[test]
    fn a_discovery_is_an_interval_beyond_the_margin_at_its_level() {
        for seed in 1..=200u64 {
            let mut prng = Prng::new(seed);
            let questions: Vec<Vec<f64>> = (0..40)
                .map(|_| {
                    let truth = if prng.chance(0.3) { 0.06 } else { 0.0 };
                    (0..10).map(|_| truth + 0.02 * prng.normal()).collect()
                })
                .collect();
            let logs: Vec<f64> = questions
                .iter()
                .map(|centres| log_evidence(centres, 0.01, 0.0).unwrap())
                .collect();
            let found = discoveries(&logs, 0.05);
            let count = found.iter().filter(|&&one| one).count();
            let alpha = level(count, questions.len(), 0.05);
            for (centres, found) in questions.iter().zip(found) {
                let interval = tseq::interval(centres, alpha);
                let beyond = interval.is_some_and(|interval| interval.low >= 0.01 || interval.high <= -0.01);
                // The first discovery's level is the same as that of none.
                assert_eq!(beyond && count > 0, found, "seed {seed}");
            }
        }
    }
}
