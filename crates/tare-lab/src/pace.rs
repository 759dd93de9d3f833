//! How long a launch of a group is expected to take, as long as none was measured.

use tare_analysis::warmup::LONG_ROUNDS;
use tare_analysis::{Expected, LEVEL_ROUNDS};
use tare_model::metric::Mode;

use crate::budget::ROUNDS_AT_LEAST;
use crate::patience::{Patience, later_rounds};
use crate::plan::{FIRST_BATCHES, Group, ModePlan, Rules};
use crate::rounds;

/// Starting, checking and stopping one contender, in seconds: 0.1 to 1 s in the runs of docs/results.
const START_AND_STOP: f64 = 0.4;

/// The part of a slice that is not measured: resuming, settling, draining, pausing, accounting.
const AROUND: f64 = 0.02;

/// Answers a second of a contender in a batch: the median over those in docs/results.
const ANSWERS: f64 = 100_000.0;

/// The part of a warm-up that a small budget leaves.
const LEAST_WARM_UP: f64 = 0.5;

/// A launch in parts, in seconds, with all contenders together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pace {
    /// Starting, checking and stopping.
    fixed: f64,
    /// From the first slice to the first measured round.
    warm_up: f64,
    /// All measured rounds, if nothing cuts them short.
    rounds: f64,
    /// The same in launches that learned from those before them how many rounds to have.
    learned: f64,
    /// How much longer the first launch takes.
    pub first: f64,
}

impl Pace {
    /// From stored runs; without any, from the plan.
    pub(crate) fn of(group: &Group, rules: &Rules) -> Self {
        match &group.expected {
            Some(expected) => Self::stored(expected, group, rules),
            None => Self::planned(group, rules),
        }
    }

    /// A launch after the first, if the budget does not cut it short.
    pub(crate) fn launch(&self) -> f64 {
        self.fixed + self.warm_up + self.rounds
    }

    /// The same, once there are launches to learn from.
    pub(crate) fn learned(&self) -> f64 {
        self.fixed + self.warm_up + self.learned
    }

    /// The shortest that is worth making: half of the warm-up, and rounds for a quarter of what went before.
    pub(crate) fn shortest(&self) -> f64 {
        let before = self.fixed + LEAST_WARM_UP * self.warm_up;
        before + self.rounds.min(ROUNDS_AT_LEAST * before)
    }

    fn stored(expected: &Expected, group: &Group, rules: &Rules) -> Self {
        let tempo = &expected.tempo;
        let usual = |mode: Mode| rules.rounds_of(mode, group.sizes().len());
        let learned = |mode: Mode| {
            let best = expected.best.iter().find(|(of, _)| *of == mode);
            let chosen = best.filter(|_| rounds::are_chosen(rules, group));
            chosen.map_or_else(|| usual(mode), |(_, best)| rounds::bounded(*best, mode))
        };
        let time = |rounds: &dyn Fn(Mode) -> u32| {
            let of_mode = |(mode, round): &(Mode, f64)| f64::from(rounds(*mode)) * round;
            tempo.rounds.iter().map(of_mode).sum::<f64>()
        };
        Self {
            fixed: tempo.fixed,
            warm_up: tempo.warm_up,
            rounds: time(&usual),
            learned: time(&learned),
            first: tempo.first,
        }
    }

    fn planned(group: &Group, rules: &Rules) -> Self {
        let contenders = group.taking_part() as f64;
        let slice = group.slice(rules).0 + AROUND;
        let patience = if group.in_process {
            Patience::IN_PROCESS
        } else {
            Patience::SOCKETS
        };
        let long = f64::from(LONG_ROUNDS) * (patience.long - 1.0) * group.slice(rules).0;
        // The long rounds of later launches are no longer than those of the first.
        let warm_up = |rounds: u32| f64::from(rounds) * slice + long;
        let (first, later) = (warm_up(patience.least), warm_up(later_rounds(group, rules)));
        let sizes = group.sizes().len();
        let of_mode = |mode: &ModePlan| {
            let driving = &mode.driving;
            let rounds = rules.rounds_of(driving.mode, sizes);
            let (rounds, slice) = match driving.mode {
                Mode::Batch => {
                    let connections = driving.connections.first().copied().unwrap_or(1);
                    let answers = f64::from(driving.programs * connections) * f64::from(driving.requests);
                    (rounds + FIRST_BATCHES, answers / ANSWERS + AROUND)
                }
                _ => (rounds, slice),
            };
            f64::from(rounds) * sizes as f64 * slice
        };
        let pilot = |mode: &ModePlan| match mode.driving.connections.len() {
            levels if levels > 1 && !group.in_process => levels * LEVEL_ROUNDS as usize * sizes,
            _ => 0,
        };
        let rounds = contenders * group.modes.iter().map(of_mode).sum::<f64>();
        let pilots: usize = group.modes.iter().map(pilot).sum();
        Self {
            fixed: contenders * START_AND_STOP,
            warm_up: contenders * later,
            rounds,
            // What they will learn is not known.
            learned: rounds,
            first: contenders * (pilots as f64 * slice + first - later),
        }
    }
}
