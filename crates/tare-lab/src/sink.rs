//! Events of a run, for the store and for progress lines.

use tare_model::benchmark::BenchmarkResult;
use tare_model::fault::Fault;
use tare_model::record::{ArenaRecord, LaunchRecord, SliceRecord};
use tare_model::results::WorkloadResult;
use tare_model::units::{PerSecond, Seconds};

use crate::phases::Phases;
use crate::rig::Who;

/// A step within a launch that takes a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// It is being started.
    Start,
    /// Its answers are being checked.
    Check,
    /// It is being stopped.
    Stop,
}

/// Why the measurement of a group ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// Every comparison on a primary metric is decided.
    Decided,
    /// The budget does not hold another launch.
    Budget,
    /// It was not begun: the budget does not hold enough launches of it.
    LeftOut,
    /// The requested number of launches was made.
    Launches,
    /// Fewer than two contenders are left to compare.
    Nothing,
    /// The user asked to stop.
    Interrupted,
}

/// What happens in a run, in the order in which it happens.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// A group begins a launch.
    LaunchBegan {
        /// The group.
        group: usize,
        /// The launch, from 1.
        launch: u32,
        /// Since the run began.
        began: Seconds,
    },
    /// Something is about to happen to one contender.
    Stepping {
        /// Which.
        who: Who,
        /// What.
        step: Step,
    },
    /// A contender is out of the run.
    Failed {
        /// Which.
        who: Who,
        /// Out of which of the group's arenas; none: of all.
        arena: Option<usize>,
        /// In which launch, from 1.
        launch: u32,
        /// Why.
        fault: &'a Fault,
    },
    /// A round is over: a slice of each contender, in the order in which they were measured.
    Round {
        /// The group.
        group: usize,
        /// Which of the group's arenas (warm-up rounds: one of the first mode's).
        arena: usize,
        /// Its slices.
        slices: &'a [SliceRecord],
        /// About how many rounds this phase will have.
        of: u32,
    },
    /// The warm-up of a launch is over.
    WarmedUp {
        /// The group.
        group: usize,
        /// What is known of the launch.
        launch: &'a LaunchRecord,
    },
    /// The rate of a group's cost mode is set.
    Rate {
        /// The group.
        group: usize,
        /// Which of the group's arenas.
        arena: usize,
        /// The rate for all.
        rate: PerSecond,
        /// The arena's record, which now names it.
        record: &'a ArenaRecord,
    },
    /// The run ends, and the budget did not hold enough launches of some groups. Most were not begun.
    LeftOut {
        /// The groups.
        groups: &'a [usize],
        /// The budget of a further run that would measure them.
        enough: Seconds,
    },
    /// A pass over benchmarks begins: a launch of each of these groups.
    PassBegan {
        /// The groups, in the order of the plan.
        groups: &'a [usize],
        /// What is known of the launch, the same of all.
        launch: &'a LaunchRecord,
        /// Rounds that it will have.
        rounds: u32,
    },
    /// A pass over benchmarks is over (the last time: the run), and all benchmarks were judged together.
    Passed {
        /// Passes made.
        passes: u32,
        /// Results so far, by group; none of those that were not measured.
        results: &'a [Option<BenchmarkResult>],
        /// Why the measurement of each group ended, if it did.
        done: &'a [Option<Done>],
        /// Time left in the budget.
        left: Option<Seconds>,
        /// Since the run began.
        now: Seconds,
        /// Time by phase so far.
        phases: &'a Phases,
    },
    /// A note for readers of the results.
    Note {
        /// The sentence.
        text: &'a str,
    },
    /// New results: after a launch (in a run of one launch, after some rounds).
    Standing {
        /// The group.
        group: usize,
        /// Results so far, one per arena.
        results: &'a [WorkloadResult],
        /// Why its measurement ended, if it did.
        done: Option<Done>,
        /// Time left in the budget.
        left: Option<Seconds>,
        /// Since the run began.
        now: Seconds,
        /// Time by phase so far.
        phases: &'a Phases,
    },
}

/// The sink could not accept an event; the run ends.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SinkError(pub String);

/// Accepts events.
pub trait Sink {
    /// Accepts one event. An error ends the run in an orderly way: contenders are stopped, earlier rounds are kept.
    fn event(&mut self, event: &Event<'_>) -> Result<(), SinkError>;
}
