//! How the budget is shared out: over groups, launches, and the phases of a launch.

use tare_model::units::Seconds;
use tare_stats::multiplicity;
use tare_stats::sizes::model;

use crate::group::GroupState;
use crate::plan::{Group, Rules};

/// The least number of launches that a verdict rests on.
pub(crate) const LEAST_LAUNCHES: u32 = 3;

/// As many launches as a budget is shared out over, however long they would like to be. At α = 0.6% the interval of three
/// launches reaches 20 of their standard deviations to each side, that of six 3.6 (`tare_stats::tseq::radius`), while an
/// launch with half of its rounds is at most 1.4 times as noisy.
const AIMED_LAUNCHES: u32 = 6;

/// The longest warm-up of a launch, however large the budget.
const LONGEST_WARM_UP: f64 = 60.0;

/// Of a launch's share, what start, warm-up and rounds may take; the rest is for stopping, and for rounds that are
/// finished after their time.
const ROUNDS_SHARE: f64 = 0.95;

/// Of the time that a launch took before its rounds, what these have at the least.
const ROUNDS_AT_LEAST: f64 = 0.25;

/// The least number of launches that all that is to be said of a group rests on: over sizes, as many as it takes to test
/// whether cost is a line, and to draw the difference of two.
fn least_launches(group: &Group, rules: &Rules) -> u32 {
    let Some(sweep) = &group.sweep else {
        return LEAST_LAUNCHES;
    };
    let alpha = group.alpha(rules);
    let lines = model::least_replicates(sweep.sizes.len(), alpha);
    let pairs = model::least_replicates(1, multiplicity::against_baseline(alpha, group.entrants.len()));
    LEAST_LAUNCHES.max(lines.max(pairs) as u32)
}

/// The clock of a run: when its first start began, and when it must be over.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    began: Seconds,
    whole: Option<Seconds>,
    /// What one launch of one group may take, so that every group has as many as are aimed at.
    share: f64,
    /// What it may take for the least number of launches.
    most: f64,
    /// What part of that its warm-up may take.
    warm_up: f64,
}

impl Budget {
    pub fn new(rules: &Rules, groups: &[Group], now: Seconds) -> Self {
        let share_of = |aimed: u32| {
            let launches = |group: &Group| {
                let least = aimed.max(least_launches(group, rules));
                rules.launches.unwrap_or(least).clamp(1, least)
            };
            let pieces: u32 = groups.iter().map(launches).sum();
            rules
                .budget
                .map_or(f64::INFINITY, |budget| budget.0 / f64::from(pieces.max(1)))
        };
        Self {
            began: now,
            whole: rules.budget,
            share: share_of(AIMED_LAUNCHES),
            most: share_of(LEAST_LAUNCHES),
            // Rounds that are made for evidence are all that such a launch is for.
            warm_up: if rules.evidence { 0.35 } else { 0.5 },
        }
    }

    /// Time left; none without a budget.
    pub fn left(&self, now: Seconds) -> Option<Seconds> {
        self.whole
            .map(|whole| Seconds((self.began.0 + whole.0 - now.0).max(0.0)))
    }

    /// Whether the group can have another launch. The first is always begun; phases keep to the deadline.
    pub fn affords(&self, group: &GroupState<'_>, now: Seconds) -> bool {
        // The next launch is as long as the longest so far, give or take: a tenth over is let through, since
        // rounds stop at the deadline anyway and a launch with fewer rounds is still a launch.
        let Some(left) = self.left(now) else { return true };
        left.0 > 0.0 && (group.launches == 0 || left.0 >= 0.9 * group.longest.0)
    }

    /// How large a budget would hold the least launches of every group, if all took as long as one that took so long; none
    /// where this one does, a tenth aside.
    pub fn too_small(&self, took: Seconds) -> Option<Seconds> {
        let whole = self.whole?;
        (took.0 > 1.1 * self.most).then(|| Seconds(whole.0 * took.0 / self.most))
    }

    /// When the warm-up of a launch that began then must end.
    pub fn warm_up_until(&self, launch_began: Seconds) -> Seconds {
        let left = self.left(launch_began).map_or(f64::INFINITY, |left| left.0);
        let share = self.share.min(left) * self.warm_up;
        Seconds(launch_began.0 + share.min(LONGEST_WARM_UP))
    }

    /// When the rounds, which began just now, of a launch that began then should end, if they have not by their number:
    /// with its share, so that there are as many launches as are aimed at, however many contenders and sizes there are. Where
    /// the warm-up has used that up, they have a part of what it took, as long as the least number of launches still fits:
    /// launches count alike, and one of a single round would be the noise of all.
    pub fn launch_until(&self, launch_began: Seconds, now: Seconds) -> Seconds {
        let end = self.whole.map_or(f64::INFINITY, |whole| self.began.0 + whole.0);
        let share = launch_began.0 + ROUNDS_SHARE * self.share;
        let some = now.0 + ROUNDS_AT_LEAST * (now.0 - launch_began.0);
        Seconds(end.min(share.max(some.min(launch_began.0 + ROUNDS_SHARE * self.most))))
    }
}
