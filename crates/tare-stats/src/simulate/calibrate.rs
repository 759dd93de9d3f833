//! Many simulated runs with known truth: how often a method is ever wrong, and how soon it decides.

use super::noise::{Effect, Launch, Noise};
use super::prng::Prng;
use crate::provisional::Blocks;
use crate::special::rate_upper;
use crate::verdict::{Judgement, Side, Sign, judge, log_margin};
use crate::{huber, rounds, tseq};

/// A simulated pair of contenders and how it is measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    /// Noise of slices.
    pub noise: Noise,
    /// Its size, in log units.
    pub sigma: f64,
    /// What a fresh start draws.
    pub effect: Effect,
    /// Its size, in log units.
    pub effect_size: f64,
    /// The true log ratio.
    pub truth: f64,
    /// Chance of a false declaration that is allowed.
    pub alpha: f64,
    /// A ratio minus one.
    pub margin: f64,
    /// Spread added to the observed one ([`launches`] only): [`tseq::LEAST_SPREAD`], as verdicts do.
    pub spread: f64,
    /// Rounds in a launch ([`launches`] only).
    pub rounds: usize,
    /// The most looks: launches for [`launches`], blocks for [`blocks`], rounds for [`rounds`].
    pub looks: usize,
}

/// The results of the trials.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    /// Trials made.
    pub trials: u32,
    /// Trials in which the interval missed the truth at any look.
    pub ever_missed: u32,
    /// Trials in which a false verdict, or a false "on this side of zero", was given at any look.
    pub ever_false: u32,
    /// Trials whose interval contained the truth at the last look (no interval contains everything).
    pub covered: u32,
    /// For each trial the look of the first verdict; none without one.
    pub decided: Vec<Option<u32>>,
}

/// Noise of a slice and size of a start's effect, from loud rounds to rounds so quiet that the starts' effects show.
pub const SIZES: [(f64, f64); 4] = [(0.03, 0.003), (0.01, 0.004), (0.002, 0.004), (0.0002, 0.004)];

/// The settings of a calibration: every noise with every effect in every size; otherwise as `like`.
pub fn settings(like: Setting) -> Vec<Setting> {
    let with = |noise, effect| {
        SIZES.map(|(sigma, effect_size)| Setting {
            noise,
            effect,
            sigma,
            effect_size,
            ..like
        })
    };
    let pairs = Noise::ALL
        .into_iter()
        .flat_map(|noise| Effect::ALL.map(|effect| (noise, effect)));
    pairs.flat_map(|(noise, effect)| with(noise, effect)).collect()
}

impl Default for Setting {
    /// A machine of middling noise: 3% a slice, 0.3% a start, ten rounds a launch, twelve launches.
    fn default() -> Self {
        Self {
            noise: Noise::Gaussian,
            sigma: 0.03,
            effect: Effect::Gaussian,
            effect_size: 0.003,
            truth: 0.0,
            alpha: 0.05,
            margin: 0.01,
            spread: tseq::LEAST_SPREAD,
            rounds: 10,
            looks: 12,
        }
    }
}

impl Calibration {
    fn new() -> Self {
        Self {
            trials: 0,
            ever_missed: 0,
            ever_false: 0,
            covered: 0,
            decided: Vec::new(),
        }
    }

    /// The share of trials that ever missed the truth.
    pub fn miss_rate(&self) -> f64 {
        f64::from(self.ever_missed) / f64::from(self.trials)
    }

    /// The upper 99% bound of that rate (one-sided, Clopper and Pearson).
    pub fn miss_upper(&self) -> f64 {
        rate_upper(self.ever_missed, self.trials, 0.99)
    }

    /// The upper 99% bound of the rate of trials with a false claim (one-sided, Clopper and Pearson).
    pub fn false_upper(&self) -> f64 {
        rate_upper(self.ever_false, self.trials, 0.99)
    }

    /// The share of trials whose last interval contained the truth.
    pub fn coverage(&self) -> f64 {
        f64::from(self.covered) / f64::from(self.trials)
    }

    /// The share of trials that were decided.
    pub fn decided_share(&self) -> f64 {
        self.decided.iter().flatten().count() as f64 / f64::from(self.trials)
    }

    /// The look by which the share `q` of all trials were decided; none where fewer were.
    pub fn decided_by(&self, q: f64) -> Option<u32> {
        let mut looks: Vec<u32> = self.decided.iter().map(|look| look.unwrap_or(u32::MAX)).collect();
        looks.sort_unstable();
        let rank = ((q * looks.len() as f64).ceil() as usize).clamp(1, looks.len().max(1));
        looks.get(rank - 1).copied().filter(|&look| look != u32::MAX)
    }
}

/// One trial as it goes on.
#[derive(Debug, Default)]
pub(super) struct Trial {
    missed: bool,
    false_claim: bool,
    covers: bool,
    decided: Option<u32>,
}

impl Trial {
    pub(super) fn look(&mut self, look: usize, covers: bool, judgement: Judgement, setting: Setting) {
        self.covers = covers;
        self.missed |= !covers;
        self.false_claim |= false_claim(judgement, setting.truth, log_margin(setting.margin));
        if judgement.decided() && self.decided.is_none() {
            self.decided = Some(look as u32);
        }
    }
}

/// Whether a judgement is false: a verdict that the truth contradicts, or the wrong side of zero.
fn false_claim(judgement: Judgement, truth: f64, margin: f64) -> bool {
    let wrong_side = match judgement.side {
        Side::Below => truth >= 0.0,
        Side::Above => truth <= 0.0,
        Side::Astride => false,
    };
    wrong_side
        || match judgement.verdict {
            Sign::Below => truth >= -margin,
            Sign::Above => truth <= margin,
            Sign::Within => truth.abs() > margin,
            Sign::Inconclusive => false,
        }
}

/// Calibrates the t sequence over launches, a look after every launch. Trial i of a seed is always the same.
pub fn launches(setting: Setting, trials: u32, seed: u64) -> Calibration {
    run(trials, seed, |prng| {
        let mut trial = Trial::default();
        let mut centres = Vec::new();
        for look in 1..=setting.looks {
            centres.extend(huber::centre(&launch_rounds(setting, prng)));
            let interval = tseq::interval_with_spread(&centres, setting.alpha, setting.spread);
            let covers = interval.is_none_or(|interval| interval.contains(setting.truth));
            trial.look(look, covers, judge(interval, setting.margin), setting);
        }
        trial
    })
}

/// Like [`launches`], with rounds that are chosen launch by launch from the spreads so far ([`crate::rounds::best`]), within
/// [`crate::rounds::BOUNDS`]. `cost`: what a launch takes apart from its rounds, in rounds. Of one pair, whose own spread
/// decides alone: with several it weighs less.
pub fn launches_of_chosen_rounds(setting: Setting, cost: f64, trials: u32, seed: u64) -> Calibration {
    run(trials, seed, |prng| {
        let mut trial = Trial::default();
        let (mut pair, mut centres) = (vec![Vec::new()], Vec::new());
        for look in 1..=setting.looks {
            let (least, most) = rounds::BOUNDS;
            let bounded = |best: f64| best.clamp(least as f64, most as f64).round() as usize;
            let chosen = rounds::best(&pair, cost).map(bounded);
            let rounds = chosen.unwrap_or(setting.rounds);
            let launch = launch_rounds(Setting { rounds, ..setting }, prng);
            centres.extend(huber::centre(&launch));
            pair[0].push(launch);
            let interval = tseq::interval_with_spread(&centres, setting.alpha, setting.spread);
            let covers = interval.is_none_or(|interval| interval.contains(setting.truth));
            trial.look(look, covers, judge(interval, setting.margin), setting);
        }
        trial
    })
}

/// What a provisional interval is drawn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Within {
    /// Rounds in a block, at the least.
    pub block: usize,
    /// How many usual slices one is as long as: 1, and more of a batch, whose slice is a whole job. Its noise is the mean
    /// of theirs.
    pub slices: usize,
    /// Launches, each with an equal number of rounds.
    pub launches: usize,
}

/// Calibrates the provisional interval within launches: `looks` rounds in all, a look after every block. The truth is that of
/// these starts: the mean of what they drew over the rounds so far.
pub fn rounds(setting: Setting, within: Within, trials: u32, seed: u64) -> Calibration {
    let of_launch = setting.looks / within.launches;
    run(trials, seed, |prng| {
        let mut trial = Trial::default();
        let mut launches: Vec<Vec<f64>> = Vec::new();
        let mut drawn = 0.0;
        for launch in 0..within.launches {
            let effect = start_effects(setting, prng);
            let mut machine = Launch::new(prng, setting.noise, setting.sigma);
            let mut slice =
                || (0..within.slices).map(|_| machine.round()).sum::<f64>() / within.slices as f64;
            launches.push(Vec::new());
            for round in 1..=of_launch {
                launches[launch].push(setting.truth + effect + slice());
                drawn += effect;
                if round % within.block == 0 {
                    let so_far = launch * of_launch + round;
                    let truth = setting.truth + drawn / so_far as f64;
                    look_at_blocks(
                        &mut trial,
                        so_far,
                        &launches,
                        within,
                        Setting { truth, ..setting },
                    );
                }
            }
        }
        trial
    })
}

/// The median half width, over the trials, of a provisional interval after `looks` rounds; none where it has none.
pub fn half_width(setting: Setting, block: usize, trials: u32, seed: u64) -> Option<f64> {
    let width = |index: u32| {
        let mut prng = Prng::part(seed, u64::from(index));
        let mut machine = Launch::new(&mut prng, setting.noise, setting.sigma);
        let rounds: Vec<f64> = (0..setting.looks).map(|_| machine.round()).collect();
        let interval = Blocks::of(&[rounds], block)?.interval(setting.alpha)?;
        Some(interval.width() / 2.0)
    };
    let widths: Option<Vec<f64>> = (0..trials).map(width).collect();
    huber::median(&widths?)
}

fn look_at_blocks(trial: &mut Trial, look: usize, launches: &[Vec<f64>], within: Within, setting: Setting) {
    let blocks = Blocks::of(launches, within.block);
    let interval = blocks.and_then(|blocks| blocks.interval(setting.alpha));
    let covers = interval.is_none_or(|interval| interval.contains(setting.truth));
    trial.look(look, covers, judge(interval, setting.margin), setting);
}

/// Calibrates the t sequence over blocks of rounds of commands: each run is a fresh process and draws its start anew;
/// the dependence between rounds continues from block to block. A look after every block; `rounds` of a setting is a block's.
pub fn blocks(setting: Setting, trials: u32, seed: u64) -> Calibration {
    run(trials, seed, |prng| {
        let mut starts = Prng::new(prng.bits());
        let mut drawn = || setting.effect.draw(&mut starts, setting.effect_size);
        let mut machine = Launch::new(prng, setting.noise, setting.sigma);
        let mut trial = Trial::default();
        let mut centres = Vec::new();
        for look in 1..=setting.looks {
            let rounds = (0..setting.rounds).map(|_| setting.truth + drawn() - drawn() + machine.round());
            let rounds: Vec<f64> = rounds.collect();
            centres.extend(huber::centre(&rounds));
            let interval = tseq::interval_with_spread(&centres, setting.alpha, setting.spread);
            let covers = interval.is_none_or(|interval| interval.contains(setting.truth));
            trial.look(look, covers, judge(interval, setting.margin), setting);
        }
        trial
    })
}

pub(super) fn run(trials: u32, seed: u64, one: impl Fn(&mut Prng) -> Trial) -> Calibration {
    let mut calibration = Calibration::new();
    for index in 0..trials {
        let trial = one(&mut Prng::part(seed, u64::from(index)));
        calibration.trials += 1;
        calibration.ever_missed += u32::from(trial.missed);
        calibration.ever_false += u32::from(trial.false_claim);
        calibration.covered += u32::from(trial.covers);
        calibration.decided.push(trial.decided);
    }
    calibration
}

/// One launch's rounds: the truth, what both starts drew, and their own noise.
pub(super) fn launch_rounds(setting: Setting, prng: &mut Prng) -> Vec<f64> {
    let effects = start_effects(setting, prng);
    let mut launch = Launch::new(prng, setting.noise, setting.sigma);
    (0..setting.rounds)
        .map(|_| setting.truth + effects + launch.round())
        .collect()
}

/// What the starts of both contenders drew, as a difference.
fn start_effects(setting: Setting, prng: &mut Prng) -> f64 {
    let a = setting.effect.draw(prng, setting.effect_size);
    a - setting.effect.draw(prng, setting.effect_size)
}
