//! What sizes of difference can be told in a time, from what two of the same looked like.

use tare_stats::tseq;

/// The chance of a false declaration that is assumed, and how many standard errors a run may be unlucky by: so the size
/// is told in nine runs of ten.
const ALPHA: f64 = 0.05;
const UNLUCKY: f64 = 1.28;

/// Two of the same, side by side for some epochs.
#[derive(Debug, Clone, PartialEq)]
pub struct Twins {
    /// What was looked at, such as "CPU per answer of a server".
    pub what: &'static str,
    /// By which metric.
    pub metric: &'static str,
    /// The standard deviation of the log ratio of one round.
    pub round: f64,
    /// Rounds of an epoch.
    pub rounds: usize,
    /// The centre of each epoch's log ratios.
    pub centres: Vec<f64>,
    /// How long an epoch took, its start and warm-up included, in seconds.
    pub epoch: f64,
}

impl Twins {
    /// The spread of epochs: as it was, but no less than the rounds' noise and fresh starts bring about.
    pub fn spread(&self) -> f64 {
        let seen = tseq::mean_and_sd(&self.centres).map_or(0.0, |(_, sd)| sd);
        let rounds = self.round / (self.rounds.max(1) as f64).sqrt();
        seen.max(rounds).hypot(tseq::LEAST_SPREAD)
    }

    /// Epochs in a time.
    fn epochs(&self, seconds: f64) -> usize {
        (seconds / self.epoch.max(0.001)) as usize
    }

    /// The least true difference (a ratio minus one) that is told apart from `margin` in nine runs of ten that last so
    /// many seconds; none where there are too few epochs in that time.
    pub fn told_in(&self, seconds: f64, margin: f64) -> Option<f64> {
        let n = self.epochs(seconds);
        let radius = tseq::radius(n, ALPHA)?;
        let spread = self.spread();
        Some((margin.ln_1p() + radius * spread + UNLUCKY * spread / (n as f64).sqrt()).exp_m1())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn twins(round: f64, centres: &[f64]) -> Twins {
        Twins {
            what: "x",
            metric: "x",
            round,
            rounds: 10,
            centres: centres.to_vec(),
            epoch: 10.0,
        }
    }

    #[test]
    fn more_time_and_less_noise_tell_smaller_differences() {
        let loud = twins(0.03, &[0.01, -0.01, 0.0]);
        let quiet = twins(0.005, &[0.001, -0.001, 0.0]);
        let told = |twins: &Twins, seconds| twins.told_in(seconds, 0.0).unwrap();
        assert!(told(&loud, 60.0) > 3.0 * told(&quiet, 60.0));
        assert!(told(&loud, 60.0) > 2.0 * told(&loud, 600.0));
        assert!(loud.told_in(60.0, 0.01).unwrap() > told(&loud, 60.0) + 0.009);
        assert_eq!(loud.told_in(15.0, 0.0), None, "one epoch tells nothing");
    }

    /// Against the table in docs/method.md: rounds of 3%, starts of 0.3% (two of them), 10 rounds, 3% told in nine of
    /// ten runs after 18 epochs. The formula leaves out what Huber's centre loses, and is a third too hopeful at most.
    #[test]
    fn the_formula_agrees_with_the_simulation() {
        let spread: f64 = (0.03_f64.powi(2) / 10.0 + 2.0 * 0.003_f64.powi(2)).sqrt();
        let told = twins(spread * 10_f64.sqrt(), &[]).told_in(180.0, 0.01).unwrap();
        assert!((0.02..=0.03).contains(&told), "{told}");
    }

    #[test]
    fn nothing_is_told_that_fresh_starts_could_bring_about() {
        let still = twins(0.0, &[0.0, 0.0, 0.0]);
        assert_eq!(still.spread(), tseq::LEAST_SPREAD);
        assert!(still.told_in(600.0, 0.0).unwrap() > 0.0005);
    }
}
