//! The record of a run: everything needed to redo its statistics, and nothing computed from it.
//!
//! The lab fills these types as it measures, the store keeps them, and one analysis computes
//! [`Results`](crate::results::Results) from them, whether just measured or read back years later.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::claim::Claim;
use crate::driving::Driving;
use crate::fault::Fault;
use crate::ids::ContenderId;
use crate::measure::SliceReading;
use crate::metric::{Metric, Mode, UnknownName};
use crate::placement::Placement;
use crate::published::Published;
use crate::results::RunInfo;
use crate::subject::Subject;
use crate::units::Seconds;

/// One run with all its raw slices.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunRecord {
    /// Which run, when, where, with what settings.
    pub info: RunInfo,
    /// One per workload, case, mode and size, in the order of measurement.
    pub arenas: Vec<ArenaRecord>,
}

/// One workload's case in one mode, at one size where it is swept. Only contenders of the same arena are compared.
///
/// The serialised form holds the head only: entrants, launches and slices are kept one by one, as they are measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArenaRecord {
    /// The workload's name.
    pub workload: String,
    /// One line on what the job is.
    pub summary: String,
    /// The case.
    pub case: String,
    /// One line on the case.
    pub case_summary: String,
    /// What the size counts, where the case is swept over sizes: `bytes`.
    pub sweep: Option<String>,
    /// The size, where the case is swept.
    pub size: Option<u64>,
    /// How it was driven.
    pub mode: Mode,
    /// The details of that.
    pub driving: Driving,
    /// Cores of contender and load.
    pub placement: Placement,
    /// The primary metric, which α is spent on.
    pub primary: Metric,
    /// The floor contender.
    pub floor: Option<ContenderId>,
    /// The contender that ratios are relative to.
    pub baseline: Option<ContenderId>,
    /// What counts as equivalent, as a ratio minus one (0.01 for 1%).
    pub margin: f64,
    /// The error rate: the chance of any false verdict, over all comparisons of the arena on its primary metric.
    pub alpha: f64,
    /// Published figures, as in the manifest when the run was made.
    pub published: Vec<Published>,
    /// Claims of the report, likewise.
    pub claims: Vec<Claim>,
    /// Every contender that was meant to take part; launches and slices refer to them by index.
    #[serde(skip)]
    pub entrants: Vec<EntrantRecord>,
    /// The launches, in order.
    #[serde(skip)]
    pub launches: Vec<LaunchRecord>,
    /// The slices, in the order of measurement: launch after launch.
    #[serde(skip)]
    pub slices: Vec<SliceRecord>,
}

/// A contender that was meant to take part in an arena.
///
/// The serialised form has no fault: faults are kept one by one, as they occur.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntrantRecord {
    /// Which.
    pub id: ContenderId,
    /// One line on how it does the job.
    pub summary: String,
    /// What it is.
    pub subject: Subject,
    /// Why it was left out or excluded. Of several faults, the first that is not `NotSteady`.
    #[serde(skip)]
    pub fault: Option<Fault>,
    /// The number of the launch in which `fault` occurred; none if before the first.
    #[serde(skip)]
    pub fault_launch: Option<u32>,
}

/// One launch: every contender is started afresh, checked, warmed up and measured for some rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct LaunchRecord {
    /// Its number, counted from 0.
    pub number: u32,
    /// The node that it was on, as its place in [`RunInfo::nodes`]; 0 in a run of one machine.
    pub node: u32,
    /// When it began, in seconds since the run began.
    pub began: Seconds,
    /// How the warm-up of each contender ended; without contenders that did not get that far.
    pub steady: Vec<SteadyRecord>,
}

/// How a contender's warm-up ended in one launch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SteadyRecord {
    /// The contender's index in the arena's entrants.
    pub entrant: usize,
    /// Whether it settled in time.
    pub steady: bool,
    /// Number of its warm-up slices before it was steady.
    pub truncated_at: u32,
    /// Interval of the remaining drift, as a ratio minus one; none with too few slices.
    pub drift: Option<(f64, f64)>,
}

/// The purpose of a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Warm-up: only used to judge whether a contender is steady.
    WarmUp,
    /// To choose a rate, a number of connections or a scale, or to warm up in a mode: never used for a verdict.
    Pilot,
    /// A measured round: what verdicts are based on.
    Round,
}

/// One slice of one contender and its place in the run.
#[derive(Debug, Clone, PartialEq)]
pub struct SliceRecord {
    /// Its purpose.
    pub phase: Phase,
    /// The number of its launch.
    pub launch: u32,
    /// The number of its round, counted from 0 in each launch and phase.
    pub round: u32,
    /// Its place in the order of the round, counted from 0.
    pub place: u32,
    /// The contender's index in the arena's entrants.
    pub entrant: usize,
    /// What was measured.
    pub reading: SliceReading,
}

impl Phase {
    /// All phases, in their order within a launch.
    pub const ALL: [Phase; 3] = [Phase::WarmUp, Phase::Pilot, Phase::Round];

    /// The name used in stores and documents.
    pub fn name(self) -> &'static str {
        match self {
            Phase::WarmUp => "warm-up",
            Phase::Pilot => "pilot",
            Phase::Round => "round",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Phase {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        Phase::ALL
            .into_iter()
            .find(|phase| phase.name() == text)
            .ok_or_else(|| UnknownName {
                what: "phase",
                text: text.to_owned(),
                expected: Phase::ALL.map(Phase::name).join(", "),
            })
    }
}

impl ArenaRecord {
    /// The index of a contender among the entrants.
    pub fn entrant(&self, id: &ContenderId) -> Option<usize> {
        self.entrants.iter().position(|entrant| entrant.id == *id)
    }

    /// The slices of one phase of one launch, in the order of measurement.
    pub fn slices_of(&self, launch: u32, phase: Phase) -> impl Iterator<Item = &SliceRecord> {
        let from = self.slices.partition_point(|slice| slice.launch < launch);
        self.slices[from..]
            .iter()
            .take_while(move |slice| slice.launch == launch)
            .filter(move |slice| slice.phase == phase)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_survive_their_names() {
        for phase in Phase::ALL {
            assert_eq!(phase.name().parse::<Phase>().unwrap(), phase);
        }
        assert_eq!(
            "rest".parse::<Phase>().unwrap_err().to_string(),
            "`rest` is not a phase: expected one of warm-up, pilot, round"
        );
    }
}
