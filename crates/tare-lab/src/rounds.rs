//! How many rounds a launch has.

use tare_analysis as analysis;
use tare_stats::rounds;

use crate::experiment::Experiment;
use crate::group::GroupState;
use crate::plan::{Group, Rules};

/// The least number of rounds that is chosen: the centre of fewer is not robust.
const LEAST: u32 = 3;

impl Experiment<'_> {
    /// Rounds of the next launch in a mode, if its share of the budget holds them: as many as asked for; else, once there
    /// are launches to learn from, the number that makes the best of the time, from half the usual one to twice.
    ///
    /// It depends on how launches and rounds vary and on what they take, never on which contender is ahead or by how much:
    /// so it favours no verdict (docs/measuring.md, launches).
    pub(crate) fn rounds_of(&self, group: &GroupState<'_>, mode: usize) -> u32 {
        let plan = group.plan;
        let usual = self
            .rules
            .rounds_of(plan.modes[mode].driving.mode, plan.sizes().len());
        let chosen = are_chosen(self.rules, plan).then(|| best(group, mode)).flatten();
        chosen.map_or(usual, |best| bounded(best, usual))
    }
}

/// Whether launches of a group learn from those before them how many rounds to have.
pub(crate) fn are_chosen(rules: &Rules, plan: &Group) -> bool {
    rules.rounds.is_none() && !rules.evidence && plan.sweep.is_none()
}

/// The best number, from half the usual one to twice.
pub(crate) fn bounded(best: f64, usual: u32) -> u32 {
    best.clamp(f64::from((usual / 2).max(LEAST)), f64::from(2 * usual))
        .round() as u32
}

/// The number of rounds of a mode that makes the best of the time; none before there are launches to learn from.
fn best(group: &GroupState<'_>, mode: usize) -> Option<f64> {
    let round = group.took.round[mode].filter(|round| round.0 > 0.0)?;
    // Modes share what a launch takes apart from rounds.
    let apart = group.took.apart?.0 / group.plan.modes.len() as f64;
    let arena = &group.arenas[group.plan.arenas_of(mode).start];
    rounds::best(&analysis::differences(arena), apart / round.0)
}
