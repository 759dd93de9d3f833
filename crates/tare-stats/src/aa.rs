//! What an A/A test (a program against itself, side by side) says of the differences that can be distinguished there.

use crate::{huber, power, tseq};

/// The chance of a false declaration that is assumed.
const ALPHA: f64 = 0.05;
/// The share of runs that are to distinguish a difference of the size that is named.
const NINE_IN_TEN: f64 = 0.9;

/// How much more the centre of a launch varies than a mean would: Huber's, clipped at 1.5 standard deviations, has 1.037
/// times the variance where the rounds are Gaussian (Huber 1964, table I).
const OF_CENTRES: f64 = 1.018;

/// The noise of an A/A test that ran for some launches.
#[derive(Debug, Clone, PartialEq)]
pub struct AaTest {
    /// The standard deviation of the log ratio of one round.
    pub round: f64,
    /// Rounds of a launch.
    pub rounds: usize,
    /// The centre of each launch's log ratios.
    pub centres: Vec<f64>,
    /// How long a launch took, its start and warm-up included, in seconds.
    pub launch: f64,
}

impl AaTest {
    /// From the log ratios of all rounds, the centre of each launch, and a launch's length in seconds.
    pub fn new(log_ratios: &[f64], centres: Vec<f64>, launch: f64) -> Self {
        Self {
            round: huber::robust_sd(log_ratios).unwrap_or(0.0),
            rounds: log_ratios.len() / centres.len().max(1),
            centres,
            launch,
        }
    }

    /// The standard deviation of launches: as it was, but no less than the rounds' noise and fresh starts bring about.
    pub fn spread(&self) -> f64 {
        let seen = tseq::mean_and_sd(&self.centres).map_or(0.0, |(_, sd)| sd);
        let rounds = OF_CENTRES * self.round / (self.rounds.max(1) as f64).sqrt();
        seen.max(rounds).hypot(tseq::LEAST_SPREAD)
    }

    /// Launches in a time.
    fn launches(&self, seconds: f64) -> usize {
        (seconds / self.launch.max(0.001)) as usize
    }

    /// The least true difference (a ratio minus one) that nine runs in ten distinguish from `margin`, if they take this
    /// many seconds and are as noisy as this one; none where that time holds too few launches.
    pub fn distinguishable_in(&self, seconds: f64, margin: f64) -> Option<f64> {
        let reach = power::reach(self.launches(seconds), ALPHA, NINE_IN_TEN)?;
        Some((margin.ln_1p() + reach * self.spread()).exp_m1())
    }
}

#[cfg(test)]
mod tests {
    use crate::simulate::calibrate::{Setting, launches};

    use super::*;

    fn noise_of(round: f64, centres: &[f64]) -> AaTest {
        AaTest {
            round,
            rounds: 10,
            centres: centres.to_vec(),
            launch: 10.0,
        }
    }

    #[test]
    fn more_time_and_less_noise_distinguish_smaller_differences() {
        let loud = noise_of(0.03, &[0.01, -0.01, 0.0]);
        let quiet = noise_of(0.005, &[0.001, -0.001, 0.0]);
        let least = |test: &AaTest, seconds| test.distinguishable_in(seconds, 0.0).unwrap();
        assert!(least(&loud, 60.0) > 3.0 * least(&quiet, 60.0));
        assert!(least(&loud, 60.0) > 2.0 * least(&loud, 600.0));
        assert!(loud.distinguishable_in(60.0, 0.01).unwrap() > least(&loud, 60.0) + 0.009);
        assert_eq!(
            loud.distinguishable_in(15.0, 0.0),
            None,
            "one launch is not enough"
        );
    }

    /// An A/A test as the simulations have it: `setting.rounds` rounds a launch, of two slices each, two starts, and Huber's
    /// centre of it; a launch takes a second.
    fn simulated(setting: Setting) -> AaTest {
        let round = 2_f64.sqrt() * setting.sigma;
        let starts = 2_f64.sqrt() * setting.effect_size;
        let centre = (OF_CENTRES * round / (setting.rounds as f64).sqrt()).hypot(starts);
        AaTest {
            launch: 1.0,
            rounds: setting.rounds,
            // Two values with this standard deviation.
            ..noise_of(round, &[centre / 2_f64.sqrt(), -centre / 2_f64.sqrt()])
        }
    }

    /// The manual's row of Gaussian noise: the true difference, and the launches after which nine runs in ten have
    /// declared it to be more than 1%.
    fn in_the_manual() -> Vec<(f64, Option<usize>)> {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/validation.md");
        let page = std::fs::read_to_string(page).unwrap();
        let table = page.split("<!-- table soon-launches -->").nth(1).unwrap();
        let cells = |start: &str| -> Vec<String> {
            let line = table.lines().find(|line| line.starts_with(start)).unwrap();
            let cells = line.trim_matches('|').split('|').skip(1);
            cells.map(|cell| cell.trim().to_owned()).collect()
        };
        let truth = |text: &String| text.trim_end_matches('%').parse::<f64>().unwrap() / 100.0;
        let nine_in_ten = |text: &String| text.rsplit(" / ").next().unwrap().parse().ok();
        let (truths, launches) = (cells("| noise"), cells("| Gaussian"));
        assert_eq!(truths.len(), launches.len());
        truths
            .iter()
            .map(truth)
            .zip(launches.iter().map(nine_in_ten))
            .collect()
    }

    /// In no cell too hopeful (one launch fewer did not distinguish the difference), and nowhere more than a tenth too
    /// cautious.
    #[test]
    fn the_sizes_are_those_of_the_manual() {
        let least = |launches: usize| {
            let size = simulated(Setting::default()).distinguishable_in(launches as f64, 0.01);
            size.unwrap_or(f64::INFINITY)
        };
        let cells = in_the_manual();
        assert!(cells.iter().filter(|(_, launches)| launches.is_some()).count() >= 3);
        for (truth, launches) in cells {
            let short = launches.map_or(40, |launches| launches - 1);
            assert!(
                least(short) > truth,
                "{truth}: {} in {short} launches",
                least(short)
            );
            if let Some(launches) = launches {
                assert!(
                    least(launches) < 1.1 * truth,
                    "{truth}: {} in {launches} launches",
                    least(launches)
                );
            }
        }
    }

    /// Simulated runs: the size that nine runs in ten are said to distinguish is distinguished in 88 to 97 of a hundred (a
    /// run looks after every launch, so it decides a little sooner).
    #[test]
    fn nine_simulated_runs_in_ten_distinguish_what_is_said() {
        const TRIALS: u32 = 600;
        const SEED: u64 = 20_261_122;
        for margin in [0.0, 0.01] {
            for looks in [4, 8, 30] {
                for (sigma, effect_size) in [(0.03, 0.003), (0.01, 0.004)] {
                    let like = Setting {
                        sigma,
                        effect_size,
                        margin,
                        looks,
                        ..Setting::default()
                    };
                    let least = simulated(like).distinguishable_in(looks as f64, margin).unwrap();
                    let truth = least.ln_1p();
                    let share = launches(Setting { truth, ..like }, TRIALS, SEED).decided_share();
                    let about = format!("margin {margin}, {looks} launches, slices at {sigma}, seed {SEED}");
                    println!("{least:.4} is distinguished in {share:.3} of the runs: {about}");
                    assert!((0.88..=0.97).contains(&share), "{share} of the runs: {about}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_distinguishable_that_fresh_starts_could_bring_about() {
        let still = noise_of(0.0, &[0.0, 0.0, 0.0]);
        assert_eq!(still.spread(), tseq::LEAST_SPREAD);
        assert!(still.distinguishable_in(600.0, 0.0).unwrap() > 0.0005);
    }
}
