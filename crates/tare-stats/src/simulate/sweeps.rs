//! Simulated sweeps over sizes with known truth: how often a fixed part, a part per unit, a difference or a break-even
//! is ever missed.

use super::noise::{Effect, Launch, Noise};
use super::prng::Prng;
use crate::huber;
use crate::mean::Mean;
use crate::sizes::{Even, Line, Linearity, Model, Pair, Zeros};
use crate::verdict::Side;

/// Two simulated contenders, swept over sizes.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// Noise of slices.
    pub noise: Noise,
    /// Its size, in log units.
    pub sigma: f64,
    /// What a fresh start draws; it multiplies all costs of that start.
    pub effect: Effect,
    /// Its size, in log units.
    pub effect_size: f64,
    /// The true costs of both.
    pub truth: [Line; 2],
    /// The sizes.
    pub sizes: Vec<f64>,
    /// Rounds of every size in a launch.
    pub rounds: usize,
    /// The most launches; a look after each.
    pub looks: usize,
    /// Chance of a miss that is allowed, for each statement.
    pub alpha: f64,
}

/// In how many trials each statement was ever false, at any look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Misses {
    /// Trials made.
    pub trials: u32,
    /// The first's cost at size 0.
    pub fixed: u32,
    /// The first's cost per unit.
    pub per_unit: u32,
    /// The difference at size 0.
    pub fixed_difference: u32,
    /// The difference per unit.
    pub per_unit_difference: u32,
    /// The size at which both cost the same.
    pub break_even: u32,
    /// At some size (0 to 10⁹), the wrong contender was called the cheaper.
    pub cheaper: u32,
    /// A true line was called bent.
    pub bent: u32,
    /// Trials whose last look had a bounded break-even.
    pub bounded: u32,
}

impl Default for Setting {
    /// As a boundary is: 0.4 µs against 1.2 µs fixed, 60 against 50 ps a byte, so even at 80,000 bytes.
    fn default() -> Self {
        let line = |fixed, per_unit| Line { fixed, per_unit };
        Self {
            noise: Noise::Gaussian,
            sigma: 0.02,
            effect: Effect::Gaussian,
            effect_size: 0.003,
            truth: [line(1.2e-6, 50e-12), line(0.4e-6, 60e-12)],
            sizes: vec![13.0, 64.0, 256.0, 1024.0, 4096.0, 16384.0, 65536.0],
            rounds: 8,
            looks: 10,
            alpha: 0.05,
        }
    }
}

impl Misses {
    /// The counts with their names, in the order of the tables.
    pub fn listed(&self) -> [(&'static str, u32); 7] {
        [
            ("fixed", self.fixed),
            ("per unit", self.per_unit),
            ("Δ fixed", self.fixed_difference),
            ("Δ per unit", self.per_unit_difference),
            ("break-even", self.break_even),
            ("cheaper", self.cheaper),
            ("bent", self.bent),
        ]
    }

    fn add(&mut self, other: Misses) {
        self.trials += other.trials;
        self.fixed += other.fixed;
        self.per_unit += other.per_unit;
        self.fixed_difference += other.fixed_difference;
        self.per_unit_difference += other.per_unit_difference;
        self.break_even += other.break_even;
        self.cheaper += other.cheaper;
        self.bent += other.bent;
        self.bounded += other.bounded;
    }
}

/// Runs the trials, a look after every launch. Trial i of a seed is always the same.
///
/// Noise that is not symmetric (bursts, stolen time) multiplies all costs by one factor, which is then part of the
/// truth; it is found first, from 2000 launches.
pub fn sweeps(setting: &Setting, trials: u32, seed: u64) -> Misses {
    let factor = factor(setting, &mut Prng::part(seed, u64::MAX));
    let truth = setting.truth.map(|line| Line {
        fixed: factor * line.fixed,
        per_unit: factor * line.per_unit,
    });
    let mut all = Misses::default();
    for index in 0..trials {
        all.add(trial(setting, truth, &mut Prng::part(seed, u64::from(index))));
    }
    all
}

/// The factor by which noise and starts raise a cost: the mean of the centres at a cost of one.
fn factor(setting: &Setting, prng: &mut Prng) -> f64 {
    const LAUNCHES: usize = 2000;
    let one = Line {
        fixed: 1.0,
        per_unit: 0.0,
    };
    let level = Setting {
        truth: [one; 2],
        ..setting.clone()
    };
    let sum: f64 = (0..LAUNCHES).flat_map(|_| launch(&level, prng)).flatten().sum();
    sum / (LAUNCHES * 2 * setting.sizes.len()) as f64
}

fn trial(setting: &Setting, truth: [Line; 2], prng: &mut Prng) -> Misses {
    let mut misses = Misses {
        trials: 1,
        ..Misses::default()
    };
    let mut replicates: [Vec<Vec<f64>>; 2] = [Vec::new(), Vec::new()];
    for _ in 0..setting.looks {
        for (kept, costs) in replicates.iter_mut().zip(launch(setting, prng)) {
            kept.push(costs);
        }
        look(setting, truth, &replicates, &mut misses);
    }
    misses
}

/// The typical cost of both contenders at each size in one launch: rounds of every size in random order.
fn launch(setting: &Setting, prng: &mut Prng) -> [Vec<f64>; 2] {
    let starts = [(); 2].map(|()| setting.effect.draw(prng, setting.effect_size));
    let mut values = [(); 2].map(|()| vec![Vec::new(); setting.sizes.len()]);
    let mut launch = Launch::new(prng, setting.noise, setting.sigma);
    for _ in 0..setting.rounds {
        let mut order: Vec<usize> = (0..setting.sizes.len()).collect();
        launch.shuffle(&mut order);
        for size in order {
            let noise = launch.both();
            for who in 0..2 {
                let cost = setting.truth[who].at(setting.sizes[size]);
                values[who][size].push(cost * (starts[who] + noise[who]).exp());
            }
        }
    }
    values.map(|sizes| {
        sizes
            .iter()
            .map(|costs| huber::centre(costs).unwrap_or(f64::NAN))
            .collect()
    })
}

fn look(setting: &Setting, truth: [Line; 2], replicates: &[Vec<Vec<f64>>; 2], misses: &mut Misses) {
    let model = |who: usize| Model::fit(&setting.sizes, &replicates[who], setting.alpha);
    let (Some(first), Some(second)) = (model(0), model(1)) else {
        return;
    };
    let lines: Vec<(Line, Line)> = first
        .lines()
        .iter()
        .copied()
        .zip(second.lines().iter().copied())
        .collect();
    let Some(pair) = Pair::of(&lines, setting.alpha) else {
        return;
    };
    let missed =
        |mean: &Mean, truth: f64| u32::from(mean.interval.is_some_and(|interval| !interval.contains(truth)));
    let ever = |count: &mut u32, now: u32| *count = (*count).max(now);
    let difference = Line {
        fixed: truth[0].fixed - truth[1].fixed,
        per_unit: truth[0].per_unit - truth[1].per_unit,
    };
    ever(&mut misses.fixed, missed(&first.fixed(), truth[0].fixed));
    ever(&mut misses.per_unit, missed(&first.per_unit(), truth[0].per_unit));
    ever(
        &mut misses.fixed_difference,
        missed(&pair.fixed, difference.fixed),
    );
    ever(
        &mut misses.per_unit_difference,
        missed(&pair.per_unit, difference.per_unit),
    );
    ever(&mut misses.bent, u32::from(first.linearity() == Linearity::Bent));
    let Some(set) = pair.even else { return };
    let even = -difference.fixed / difference.per_unit;
    if even.is_finite() && even >= 0.0 {
        ever(&mut misses.break_even, u32::from(!set.contains(even)));
    }
    ever(&mut misses.cheaper, u32::from(wrong_anywhere(&set, difference)));
    misses.bounded = u32::from(matches!(set.zeros, Zeros::Within(sizes) if sizes.low > 0.0));
}

/// Whether the wrong one is called the cheaper at any of many sizes from 0 to 10⁹.
fn wrong_anywhere(set: &Even, difference: Line) -> bool {
    let sizes = std::iter::once(0.0).chain((0..180).map(|step| 10f64.powf(f64::from(step) / 20.0)));
    sizes.into_iter().any(|size| match set.side(size) {
        Side::Below => difference.at(size) >= 0.0,
        Side::Above => difference.at(size) <= 0.0,
        Side::Astride => false,
    })
}
