//! The seam between what all contenders have (a process tree that is thawed, frozen and accounted) and how a job of
//! a kind is driven.

use std::sync::atomic::AtomicBool;

use tare_host::keeper::Keeper;
use tare_host::process::Process;
use tare_lab::rig::SliceOrder;
use tare_load::Load;
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::Job;
use tare_model::measure::{HostReading, LoadReading};

use crate::probe::ask::Said;
use crate::rig::{RigGroup, Runnable};
use crate::{pipe, probe, sockets};

/// What a driver works with.
pub(crate) struct At<'a> {
    /// The contender, thawed.
    pub process: &'a mut Process,
    /// What the contender's group is.
    pub group: &'a RigGroup,
    /// Set when a person asks to stop.
    pub cancel: &'a AtomicBool,
}

/// What came of driving a slice. Neither: a person asked to stop.
#[derive(Debug, Default)]
pub(crate) struct Driven {
    /// What was measured, for the request counts also where there is a fault.
    pub reading: Option<LoadReading>,
    /// What was wrong.
    pub fault: Option<Fault>,
}

/// Drives one contender. All calls find it thawed, but for those that say otherwise.
pub(crate) trait Driver {
    /// Checks its answers before anything is timed; `thorough`: also what takes time to show.
    fn check(&mut self, at: &mut At<'_>, thorough: bool) -> Result<(), Fault>;

    /// Lets it settle after its thaw, and drives it for a slice until nothing is outstanding.
    fn slice(&mut self, at: &mut At<'_>, load: &mut Load, order: &SliceOrder) -> Driven;

    /// Holds what it told of the last slice against its accounts. It is frozen.
    fn audit(&mut self, _accounts: &HostReading, _cores: usize) -> Result<(), Fault> {
        Ok(())
    }

    /// Whether it is time for a look at an answer that is neither timed nor accounted. It is frozen.
    fn wants_sample(&self) -> bool {
        false
    }

    /// That look.
    fn sample(&mut self, _at: &mut At<'_>) -> Result<(), Fault> {
        Ok(())
    }

    /// How it is asked about messages, where its protocol has words for that.
    fn messenger(&mut self) -> Option<&mut dyn Messenger> {
        None
    }

    /// Lets go of it, before it is stopped; whether that is already a word to end. It is frozen.
    fn close(&mut self) -> bool;
}

/// Asks about messages (docs/probe.md). Whoever is asked is thawed; after an error it is not to be asked any more.
pub(crate) trait Messenger {
    /// One word and its argument; `longest`: the most characters of the answer.
    fn ask(&mut self, at: &mut At<'_>, question: (&str, &str), longest: usize) -> Result<Said, Stop>;

    /// Whether it still does its job: the whole result of its first input.
    fn still_right(&mut self, at: &mut At<'_>) -> Result<(), Stop>;
}

/// Starts a contender and waits until it is ready. It runs on, thawed.
pub(crate) fn start(
    keeper: &Keeper,
    cancel: &AtomicBool,
    group: &RigGroup,
    runnable: &Runnable,
) -> Result<(Process, Box<dyn Driver>), Fault> {
    match &group.job {
        Job::Probe(_) => probe::start(keeper, cancel, group, runnable),
        Job::Pipe(_) => pipe::start(keeper, cancel, group, runnable),
        Job::Doubling | Job::Lines { .. } | Job::Http { .. } => {
            sockets::start(keeper, cancel, group, runnable)
        }
    }
}

/// Why a conversation went no further.
#[derive(Debug)]
pub(crate) enum Stop {
    /// A person asked to stop.
    Interrupted,
    /// Something was wrong.
    Fault(Fault),
}

impl Stop {
    /// A fault of a kind.
    pub fn fault(kind: FaultKind, detail: impl Into<String>) -> Self {
        Self::Fault(Fault::new(kind, detail))
    }
}

impl From<Stop> for Fault {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Interrupted => Fault::new(FaultKind::Instrument, "interrupted"),
            Stop::Fault(fault) => fault,
        }
    }
}
