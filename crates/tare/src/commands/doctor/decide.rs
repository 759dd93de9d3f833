//! What sizes of difference can be told in a time, from what two of the same looked like.

use tare_stats::{power, tseq};

/// The chance of a false declaration that is assumed, and of how many runs a size is told: nine in ten.
const ALPHA: f64 = 0.05;
const NINE_IN_TEN: f64 = 0.9;

/// What the centre of a launch varies more than a mean would: Huber's, clipped at 1.5 standard deviations, has 1.037 times
/// the variance where the rounds are Gaussian (Huber 1964, table I).
const OF_CENTRES: f64 = 1.018;

/// Two of the same, side by side for some launches.
#[derive(Debug, Clone, PartialEq)]
pub struct Twins {
    /// What was looked at, such as "CPU per answer of a server".
    pub what: &'static str,
    /// By which metric.
    pub metric: &'static str,
    /// The standard deviation of the log ratio of one round.
    pub round: f64,
    /// Rounds of a launch.
    pub rounds: usize,
    /// The centre of each launch's log ratios.
    pub centres: Vec<f64>,
    /// How long a launch took, its start and warm-up included, in seconds.
    pub launch: f64,
}

impl Twins {
    /// The spread of launches: as it was, but no less than the rounds' noise and fresh starts bring about.
    pub fn spread(&self) -> f64 {
        let seen = tseq::mean_and_sd(&self.centres).map_or(0.0, |(_, sd)| sd);
        let rounds = OF_CENTRES * self.round / (self.rounds.max(1) as f64).sqrt();
        seen.max(rounds).hypot(tseq::LEAST_SPREAD)
    }

    /// Launches in a time.
    fn launches(&self, seconds: f64) -> usize {
        (seconds / self.launch.max(0.001)) as usize
    }

    /// The least true difference (a ratio minus one) that is distinguishable from `margin` in nine runs of ten that last so
    /// many seconds and are as noisy as this; none where there are too few launches in that time.
    pub fn told_in(&self, seconds: f64, margin: f64) -> Option<f64> {
        let reach = power::reach(self.launches(seconds), ALPHA, NINE_IN_TEN)?;
        Some((margin.ln_1p() + reach * self.spread()).exp_m1())
    }
}

#[cfg(test)]
mod tests {
    use tare_stats::simulate::calibrate::{Setting, launches};

    use super::*;

    fn twins(round: f64, centres: &[f64]) -> Twins {
        Twins {
            what: "x",
            metric: "x",
            round,
            rounds: 10,
            centres: centres.to_vec(),
            launch: 10.0,
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
        assert_eq!(loud.told_in(15.0, 0.0), None, "one launch tells nothing");
    }

    /// Twins as the simulations have them: `setting.rounds` rounds a launch, of two slices each, two starts, and Huber's
    /// centre of it; a launch takes a second.
    fn simulated(setting: Setting) -> Twins {
        let round = 2_f64.sqrt() * setting.sigma;
        let starts = 2_f64.sqrt() * setting.effect_size;
        let centre = (OF_CENTRES * round / (setting.rounds as f64).sqrt()).hypot(starts);
        Twins {
            launch: 1.0,
            rounds: setting.rounds,
            // Two values with this standard deviation.
            ..twins(round, &[centre / 2_f64.sqrt(), -centre / 2_f64.sqrt()])
        }
    }

    /// The manual's row of Gaussian noise: the true difference, and the launches after which nine runs in ten have told that
    /// it is more than 1%.
    fn in_the_manual() -> Vec<(f64, Option<usize>)> {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/method.md");
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

    /// In no cell hopeful (one launch fewer did not tell what was there), and nowhere more than a tenth too cautious.
    #[test]
    fn the_sizes_are_those_of_the_manual() {
        let told = |launches: usize| {
            let size = simulated(Setting::default()).told_in(launches as f64, 0.01);
            size.unwrap_or(f64::INFINITY)
        };
        let cells = in_the_manual();
        assert!(cells.iter().filter(|(_, launches)| launches.is_some()).count() >= 3);
        for (truth, launches) in cells {
            let short = launches.map_or(40, |launches| launches - 1);
            assert!(
                told(short) > truth,
                "{truth}: {} in {short} launches",
                told(short)
            );
            if let Some(launches) = launches {
                assert!(
                    told(launches) < 1.1 * truth,
                    "{truth}: {} in {launches} launches",
                    told(launches)
                );
            }
        }
    }

    /// And simulated on purpose: the size that is said to be told in nine runs of ten is told in 88 to 97 of a hundred (a
    /// run looks after every launch, so it decides a little sooner).
    #[test]
    fn nine_simulated_runs_in_ten_tell_what_is_said() {
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
                    let told = simulated(like).told_in(looks as f64, margin).unwrap();
                    let truth = told.ln_1p();
                    let share = launches(Setting { truth, ..like }, TRIALS, SEED).decided_share();
                    let about = format!("margin {margin}, {looks} launches, slices at {sigma}, seed {SEED}");
                    println!("{told:.4} is told in {share:.3} of the runs: {about}");
                    assert!((0.88..=0.97).contains(&share), "{share} of the runs: {about}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_told_that_fresh_starts_could_bring_about() {
        let still = twins(0.0, &[0.0, 0.0, 0.0]);
        assert_eq!(still.spread(), tseq::LEAST_SPREAD);
        assert!(still.told_in(600.0, 0.0).unwrap() > 0.0005);
    }
}
