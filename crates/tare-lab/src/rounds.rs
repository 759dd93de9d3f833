//! How many rounds a launch has.

use tare_analysis as analysis;
use tare_model::metric::Mode;
use tare_stats::rounds;

use crate::experiment::Experiment;
use crate::group::GroupState;
use crate::plan::{Group, Rules};

/// The least and the greatest number of batches that is chosen: the centre of fewer is not robust.
const BATCHES: (usize, usize) = (3, 8);

impl Experiment<'_> {
    /// Rounds of the next launch in a mode, if its share of the budget holds them: as many as asked for; else, once there
    /// are launches to learn from, the number that makes the best of the time, within bounds.
    ///
    /// It depends on how launches and rounds vary and on what they take, never on which contender is ahead or by how much:
    /// so it favours no verdict (docs/measuring.md, launches).
    pub(crate) fn rounds_of(&self, group: &GroupState<'_>, mode: usize) -> u32 {
        let plan = group.plan;
        let of = plan.modes[mode].driving.mode;
        let chosen = are_chosen(self.rules, plan).then(|| best(group, mode)).flatten();
        let usual = || self.rules.rounds_of(of, plan.sizes().len());
        chosen.map_or_else(usual, |best| bounded(best, of))
    }
}

/// Whether launches of a group learn from those before them how many rounds to have.
pub(crate) fn are_chosen(rules: &Rules, plan: &Group) -> bool {
    rules.rounds.is_none() && !rules.evidence && plan.sweep.is_none()
}

/// The best number within the bounds of a mode.
pub(crate) fn bounded(best: f64, mode: Mode) -> u32 {
    let (least, most) = if mode == Mode::Batch {
        BATCHES
    } else {
        rounds::BOUNDS
    };
    best.clamp(least as f64, most as f64).round() as u32
}

/// The number of rounds of a mode that makes the best of the time; none before there are launches to learn from.
fn best(group: &GroupState<'_>, mode: usize) -> Option<f64> {
    let round = group.took.round[mode].filter(|round| round.0 > 0.0)?;
    // Modes share what a launch takes apart from rounds.
    let apart = group.took.apart?.0 / group.plan.modes.len() as f64;
    let arena = &group.arenas[group.plan.arenas_of(mode).start];
    rounds::best(&analysis::differences(arena), apart / round.0)
}
