//! How long a warm-up is, in rounds, and when it may end.

use tare_analysis::warmup::{IN_A_ROW, LONG_ROUNDS};
use tare_stats::mser;

use crate::plan::{Group, ModePlan, Rules};

/// The rounds that show whether a contender is as warm as it was in earlier launches.
const SHOWN: u32 = 2;

/// So many more, where it looks colder.
const IN_DOUBT: u32 = 4;

/// How long a group's warm-up is, in rounds, and how long its rounds are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Patience {
    /// Rounds before the first judgement: the long ones, and some that show whether these were enough.
    pub least: u32,
    /// Rounds of a warm-up that a small budget cuts short.
    pub shortest: u32,
    /// Rounds after which a contender that still drifts counts as not steady.
    pub most: u32,
    /// How much longer the first rounds are: just-in-time compilers count work, not rounds.
    pub long: f64,
    /// How much longer they are in a brief warm-up, of contenders that take no time to settle.
    pub at_once: f64,
    /// How much longer slices are while a compiler is at work.
    pub burst: f64,
}

impl Patience {
    /// In trials on two cores HotSpot, the slowest to settle, was steady after the three long rounds, which is 1.2 s.
    pub(crate) const SOCKETS: Self = Self {
        least: 20,
        shortest: 10,
        most: 60,
        long: 5.0,
        // That is 20 ms, in which 200 to 2,000 requests are answered.
        at_once: 0.25,
        burst: 6.0,
    };

    /// The same times in shorter slices.
    pub(crate) const IN_PROCESS: Self = Self {
        least: 30,
        shortest: 10,
        most: 400,
        long: 40.0,
        at_once: 1.0,
        burst: 20.0,
    };
}

/// How the warm-up of a launch goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Course {
    /// Rounds before it may end.
    pub least: u32,
    /// Whether it ends there without being judged; the measured rounds are.
    pub brief: bool,
}

impl Course {
    /// The long rounds, and two that show whether a contender is as warm as it was in earlier launches; the measured rounds
    /// are judged in its stead. In process there are as many as show whether a compiler is at work.
    pub(crate) fn brief(in_process: bool) -> Self {
        let more = SHOWN + if in_process { IN_A_ROW as u32 } else { 0 };
        Self {
            least: LONG_ROUNDS + more,
            brief: true,
        }
    }

    /// How it goes on where a contender looks colder than in earlier launches: with a few more rounds, since of many contenders
    /// one has two dear rounds now and then; if it still looks so, in full.
    pub(crate) fn of_cold(self, in_process: bool, patience: Patience) -> Self {
        let brief = Self::brief(in_process);
        match self == brief {
            true => Self {
                least: brief.least + IN_DOUBT,
                brief: true,
            },
            false => Self::full(patience),
        }
    }

    /// The last rounds of a brief one, which show whether a contender is cold.
    pub(crate) fn shows(self, in_process: bool) -> u32 {
        SHOWN + self.least - Self::brief(in_process).least
    }

    /// The shortest that is judged by itself: MSER-5 cuts a batch from fewer rounds, and leaves too few to judge.
    pub(crate) const JUDGED: Self = Self {
        least: (mser::MIN_ROUNDS + mser::BATCH) as u32,
        brief: false,
    };

    pub(crate) fn full(patience: Patience) -> Self {
        Self {
            least: patience.least,
            brief: false,
        }
    }

    /// Whether to check after a round if all are steady: after every batch.
    pub(crate) fn is_time_to_judge(self, rounds: u32) -> bool {
        rounds >= self.least && (self.brief || rounds.is_multiple_of(mser::BATCH as u32))
    }
}

/// The rounds of a warm-up after the first launch, where every contender settles.
pub(crate) fn later_rounds(plan: &Group, rules: &Rules) -> u32 {
    let of_mode = |mode: &ModePlan| rules.rounds_of(mode.driving.mode, plan.sizes().len());
    if can_be_judged(plan, rules, plan.modes.iter().map(of_mode)) {
        Course::brief(plan.in_process).least
    } else {
        Course::JUDGED.least
    }
}

/// Whether a launch with these rounds in each mode shows a drift in them.
pub(crate) fn can_be_judged(plan: &Group, rules: &Rules, mut rounds: impl Iterator<Item = u32>) -> bool {
    !rules.one_launch() && plan.sweep.is_none() && rounds.all(|rounds| rounds >= mser::MIN_ROUNDS as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_cold_twice_is_warmed_up_in_full() {
        for (in_process, patience) in [(false, Patience::SOCKETS), (true, Patience::IN_PROCESS)] {
            let brief = Course::brief(in_process);
            let doubt = brief.of_cold(in_process, patience);
            assert!(doubt.brief && doubt.least == brief.least + 4, "{doubt:?}");
            assert_eq!([brief, doubt].map(|course| course.shows(in_process)), [2, 6]);
            assert_eq!(doubt.of_cold(in_process, patience), Course::full(patience));
        }
    }
}
