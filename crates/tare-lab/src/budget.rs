//! Division of the budget among groups, launches, and the phases of a launch.

use tare_model::units::Seconds;
use tare_stats::multiplicity;
use tare_stats::sizes::model;

use crate::plan::{Group, Rules};
use crate::turns::Share;

/// The least number of launches that a verdict rests on.
const LEAST_LAUNCHES: u32 = 3;

/// The number of launches that a budget is divided among, whatever length they would need. At α = 0.6% the interval of
/// three launches reaches 20 of their standard deviations to each side, that of six 3.6 (`tare_stats::tseq::radius`), while
/// a launch with half of its rounds is at most 1.4 times as noisy.
const AIMED_LAUNCHES: u32 = 6;

/// The longest warm-up of a launch, however large the budget.
const LONGEST_WARM_UP: f64 = 60.0;

/// The part of a launch's share for start, warm-up and rounds; the rest is for stopping, and for rounds that overrun.
const ROUNDS_SHARE: f64 = 0.95;

/// The least time for rounds, as a part of the time that the launch took before them.
pub(crate) const ROUNDS_AT_LEAST: f64 = 0.25;

/// The least number of launches that answers all questions on a group: over sizes, enough to test whether cost is linear,
/// and for the difference of two lines.
pub(crate) fn least_launches(group: &Group, rules: &Rules) -> u32 {
    let Some(sweep) = &group.sweep else {
        return LEAST_LAUNCHES;
    };
    let alpha = group.alpha(rules);
    let lines = model::least_replicates(sweep.sizes.len(), alpha);
    let pairs = model::least_replicates(1, multiplicity::against_baseline(alpha, group.entrants.len()));
    LEAST_LAUNCHES.max(lines.max(pairs) as u32)
}

/// The number of launches that a group's part of the budget is divided among.
pub(crate) fn aimed_launches(group: &Group, rules: &Rules) -> u32 {
    AIMED_LAUNCHES.max(least_launches(group, rules))
}

/// The time for one launch of each group where all groups are measured, and as often.
pub(crate) fn equal_share(rules: &Rules, groups: &[Group]) -> Share {
    let share_of = |aimed: fn(&Group, &Rules) -> u32| {
        let launches = |group: &Group| {
            let most = aimed(group, rules);
            rules.launches.unwrap_or(most).clamp(1, most)
        };
        let pieces: u32 = groups.iter().map(launches).sum();
        rules
            .budget
            .map_or(f64::INFINITY, |budget| budget.0 / f64::from(pieces.max(1)))
    };
    Share {
        aimed: share_of(aimed_launches),
        most: share_of(least_launches),
    }
}

/// The clock of a run: when its first start began, and when it must be over.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    began: Seconds,
    whole: Option<Seconds>,
    /// The part of a launch's time for its warm-up.
    warm_up: f64,
}

impl Budget {
    pub(crate) fn new(rules: &Rules, now: Seconds) -> Self {
        Self {
            began: now,
            whole: rules.budget,
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

    /// Whether the budget holds another launch of a group with so many, of which the longest took `longest`. The first is
    /// always begun; its phases keep to the deadline.
    pub(crate) fn affords(&self, launches: u32, longest: Seconds, now: Seconds) -> bool {
        // The next launch is expected to take as long as the longest so far. A tenth over is allowed, since rounds stop
        // at the deadline anyway and a launch with fewer rounds is still useful.
        let Some(left) = self.left(now) else { return true };
        left.0 > 0.0 && (launches == 0 || left.0 >= 0.9 * longest.0)
    }

    /// The budget that would hold the least number of launches, if each took `took` instead of `most`; none where this budget
    /// does, with a tolerance of a tenth.
    pub(crate) fn too_small(&self, took: Seconds, most: f64) -> Option<Seconds> {
        let whole = self.whole?;
        (took.0 > 1.1 * most).then(|| Seconds(whole.0 * took.0 / most))
    }

    /// When the warm-up of a launch that began then must end.
    pub(crate) fn warm_up_until(&self, share: Share, launch_began: Seconds) -> Seconds {
        let left = self.left(launch_began).map_or(f64::INFINITY, |left| left.0);
        let time = share.aimed.min(left) * self.warm_up;
        Seconds(launch_began.0 + time.min(LONGEST_WARM_UP))
    }

    /// When the rounds of a launch should end, if their number does not end them before: with the launch's share, so that
    /// the aimed number of launches fits, however many contenders and sizes there are. Where the warm-up has used up that
    /// share, rounds get a part of the time that it took, as long as the least number of launches still fits: launches have
    /// equal weight, so one with a single round would add its noise to all.
    pub(crate) fn launch_until(&self, share: Share, launch_began: Seconds, now: Seconds) -> Seconds {
        let end = self.whole.map_or(f64::INFINITY, |whole| self.began.0 + whole.0);
        let aimed = launch_began.0 + ROUNDS_SHARE * share.aimed;
        let some = now.0 + ROUNDS_AT_LEAST * (now.0 - launch_began.0);
        Seconds(end.min(aimed.max(some.min(launch_began.0 + ROUNDS_SHARE * share.most))))
    }
}
