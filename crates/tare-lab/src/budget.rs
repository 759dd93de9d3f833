//! Division of the budget among groups, launches, and the phases of a launch.

use tare_model::units::Seconds;
use tare_stats::multiplicity;
use tare_stats::sizes::model;

use crate::group::GroupState;
use crate::plan::{Group, Rules};

/// The least number of launches that a verdict rests on.
pub(crate) const LEAST_LAUNCHES: u32 = 3;

/// The number of launches that a budget is divided among, whatever length they would need. At α = 0.6% the interval of
/// three launches reaches 20 of their standard deviations to each side, that of six 3.6 (`tare_stats::tseq::radius`), while
/// a launch with half of its rounds is at most 1.4 times as noisy.
const AIMED_LAUNCHES: u32 = 6;

/// The longest warm-up of a launch, however large the budget.
const LONGEST_WARM_UP: f64 = 60.0;

/// The part of a launch's share for start, warm-up and rounds; the rest is for stopping, and for rounds that overrun.
const ROUNDS_SHARE: f64 = 0.95;

/// The least time for rounds, as a part of the time that the launch took before them.
const ROUNDS_AT_LEAST: f64 = 0.25;

/// The least number of launches that answers all questions on a group: over sizes, enough to test whether cost is linear,
/// and for the difference of two lines.
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
    /// Time for one launch of one group that leaves every group the aimed number of launches.
    share: f64,
    /// Time for one launch that leaves every group the least number of launches.
    most: f64,
    /// The part of that time for its warm-up.
    warm_up: f64,
}

impl Budget {
    pub(crate) fn new(rules: &Rules, groups: &[Group], now: Seconds) -> Self {
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
            // A launch for evidence is only made for its rounds, and in a run of one launch they are all that there is.
            warm_up: if rules.evidence || rules.one_launch() {
                0.35
            } else {
                0.5
            },
        }
    }

    /// Time left; none without a budget.
    pub(crate) fn left(&self, now: Seconds) -> Option<Seconds> {
        self.whole
            .map(|whole| Seconds((self.began.0 + whole.0 - now.0).max(0.0)))
    }

    /// Whether the budget holds another launch of the group. The first is always begun; its phases keep to the deadline.
    pub(crate) fn affords(&self, group: &GroupState<'_>, now: Seconds) -> bool {
        // The next launch is expected to take as long as the longest so far. A tenth over is allowed, since rounds stop
        // at the deadline anyway and a launch with fewer rounds is still useful.
        let Some(left) = self.left(now) else { return true };
        left.0 > 0.0 && (group.launches == 0 || left.0 >= 0.9 * group.longest.0)
    }

    /// The budget that would hold the least number of launches of every group, if each took `took`; none where this budget
    /// does, with a tolerance of a tenth.
    pub(crate) fn too_small(&self, took: Seconds) -> Option<Seconds> {
        let whole = self.whole?;
        (took.0 > 1.1 * self.most).then(|| Seconds(whole.0 * took.0 / self.most))
    }

    /// When the warm-up of a launch that began then must end.
    pub(crate) fn warm_up_until(&self, launch_began: Seconds) -> Seconds {
        let left = self.left(launch_began).map_or(f64::INFINITY, |left| left.0);
        let share = self.share.min(left) * self.warm_up;
        Seconds(launch_began.0 + share.min(LONGEST_WARM_UP))
    }

    /// When the rounds of a launch should end, if their number does not end them before: with the launch's share, so that
    /// the aimed number of launches fits, however many contenders and sizes there are. Where the warm-up has used up that
    /// share, rounds get a part of the time that it took, as long as the least number of launches still fits: launches have
    /// equal weight, so one with a single round would add its noise to all.
    pub(crate) fn launch_until(&self, launch_began: Seconds, now: Seconds) -> Seconds {
        let end = self.whole.map_or(f64::INFINITY, |whole| self.began.0 + whole.0);
        let share = launch_began.0 + ROUNDS_SHARE * self.share;
        let some = now.0 + ROUNDS_AT_LEAST * (now.0 - launch_began.0);
        Seconds(end.min(share.max(some.min(launch_began.0 + ROUNDS_SHARE * self.most))))
    }
}
