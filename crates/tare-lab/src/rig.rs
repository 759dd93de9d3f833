//! The lab's interface to the world: contenders that can be started, checked, measured for a slice, and stopped.

use tare_model::driving::ConnectionUse;
use tare_model::fault::Fault;
use tare_model::measure::SliceReading;
use tare_model::metric::Mode;
use tare_model::record::Phase;
use tare_model::units::{PerSecond, Seconds};

/// A contender of a group: indices into the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Who {
    /// Index of the group.
    pub group: usize,
    /// Index of the entrant in the group.
    pub entrant: usize,
}

/// How the work of a slice is given out. A mode is more than this: a rig does not have to know what a slice is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pacing {
    /// Closed loop: as much as the contender can take.
    Closed,
    /// Open loop, at the order's rate.
    Open,
    /// A fixed job: the requests of a batch, or the runs of a command.
    Job,
}

impl Pacing {
    /// The pacing in a mode.
    pub(crate) fn of(mode: Mode) -> Self {
        match mode {
            Mode::Capacity => Pacing::Closed,
            Mode::Cost => Pacing::Open,
            Mode::Batch | Mode::Command | Mode::Benchmark => Pacing::Job,
        }
    }
}

/// How to drive one slice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SliceOrder {
    /// How its work is given out.
    pub pacing: Pacing,
    /// Requested measured time (not for a job, which takes as long as it takes).
    pub length: Seconds,
    /// Rate (open loop).
    pub rate: PerSecond,
    /// Connections (of each load program, in a batch).
    pub connections: u32,
    /// In flight on each connection.
    pub depth: u32,
    /// Load programs (job).
    pub programs: u32,
    /// Requests on each connection, or runs of a command (job).
    pub requests: u32,
    /// How requests follow each other on a connection.
    pub usage: ConnectionUse,
    /// The size parameter of the job, in a case that is swept.
    pub size: Option<u64>,
}

/// The outcome of a slice. One with a fault may have a reading too, for the request counts.
#[derive(Debug, Clone, Default)]
pub struct SliceOutcome {
    /// What was measured.
    pub reading: Option<SliceReading>,
    /// What was wrong.
    pub fault: Option<Fault>,
}

impl From<Result<SliceReading, Fault>> for SliceOutcome {
    /// Of a slice that is measured or not. After an interrupt, which is no fault, it is one all the same: the lab checks for that.
    fn from(measured: Result<SliceReading, Fault>) -> Self {
        let (reading, fault) = match measured {
            Ok(reading) => (Some(reading), None),
            Err(fault) => (None, Some(fault)),
        };
        Self { reading, fault }
    }
}

/// The world. Contenders are paused except during calls on them.
pub trait Rig {
    /// Time since the run began.
    fn now(&self) -> Seconds;

    /// Whether the user asked to stop. Calls in progress then return early.
    fn interrupted(&self) -> bool;

    /// Starts a contender afresh and waits until it is ready.
    fn start(&mut self, who: Who) -> Result<(), Fault>;

    /// Checks its answers before it is timed.
    fn check(&mut self, who: Who) -> Result<(), Fault>;

    /// Checks several that have started, as [`check`](Self::check) does; returns the outcomes in their order. Nothing is
    /// measured meanwhile, so a rig may check them at the same time.
    fn check_all(&mut self, all: &[Who]) -> Vec<Result<(), Fault>> {
        all.iter().map(|&who| self.check(who)).collect()
    }

    /// A pass is about to begin in which each of these groups has one launch (`number`: counted from 0). For rigs that
    /// make something afresh for it; returns what that went wrong for.
    fn pass(&mut self, _number: u32, _groups: &[usize]) -> Vec<(Who, Fault)> {
        Vec::new()
    }

    /// A round of this phase is about to begin. For rigs that treat measured rounds differently.
    fn entering(&mut self, _phase: Phase) {}

    /// Resumes it, measures one slice, drains, pauses it again and reads its accounts.
    fn slice(&mut self, who: Who, order: &SliceOrder) -> SliceOutcome;

    /// Stops it and everything that it started. Returns a note if that took force.
    fn stop(&mut self, who: Who) -> Option<String>;

    /// Stops several, as [`stop`](Self::stop) does; a rig may stop them at the same time. Returns the notes in their order.
    fn stop_all(&mut self, all: &[Who]) -> Vec<Option<String>> {
        all.iter().map(|&who| self.stop(who)).collect()
    }
}
