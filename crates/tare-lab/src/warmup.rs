//! The length of warm-up slices, and when a warm-up is judged.

use tare_analysis::warmup::LONG_ROUNDS;
use tare_stats::mser;

/// How long a group's warm-up is, in rounds, and how long its rounds are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Patience {
    /// Rounds before the first judgement: the long ones, and some that show whether these were enough.
    pub least: u32,
    /// Rounds of a warm-up that a small budget cuts short, or of contenders that settle at once.
    pub shortest: u32,
    /// Rounds after which a contender that still drifts counts as not steady.
    pub most: u32,
    /// How much longer the first rounds are: just-in-time compilers count work, not rounds.
    pub long: f64,
}

impl Patience {
    /// In trials on two cores HotSpot, the slowest to settle, was steady after the three long rounds, which is 1.2 s.
    pub(crate) const SOCKETS: Self = Self {
        least: 20,
        shortest: 10,
        most: 60,
        long: 5.0,
    };

    /// The same times in shorter slices.
    pub(crate) const IN_PROCESS: Self = Self {
        least: 30,
        shortest: 10,
        most: 400,
        long: 40.0,
    };

    /// The length of a round's slices, as a multiple of a measured one's.
    pub(crate) fn stretch(self, round: u32) -> f64 {
        if round < LONG_ROUNDS { self.long } else { 1.0 }
    }

    /// Whether to check if all are steady: after every batch of rounds.
    pub(crate) fn is_time_to_judge(self, rounds: u32, soon: bool) -> bool {
        let least = if soon { self.shortest } else { self.least };
        rounds >= least && rounds.is_multiple_of(mser::BATCH as u32)
    }
}
