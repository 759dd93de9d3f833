//! The interface between what all contenders have (a process group that is thawed, frozen and accounted) and the ways of
//! driving them.

use std::sync::atomic::AtomicBool;

use tare_host::process::Process;
use tare_lab::rig::SliceOrder;
use tare_model::fault::{Fault, FaultKind};
use tare_model::measure::{HostReading, LoadReading};

use crate::contender::RigGroup;
use crate::destination::Generators;

/// What a driver works with.
pub(crate) struct DriverContext<'a> {
    /// The contender, thawed.
    pub process: &'a mut Process,
    /// The group that the contender is in.
    pub group: &'a RigGroup,
    /// Set by an interrupt.
    pub cancel: &'a AtomicBool,
}

/// The result of driving a slice. Neither: it was interrupted.
#[derive(Debug, Default)]
pub(crate) struct Driven {
    /// What was measured; with a fault, for its request counts.
    pub reading: Option<LoadReading>,
    /// What was wrong.
    pub fault: Option<Fault>,
}

/// Drives one contender. It is thawed in all calls, except those that say otherwise. Several are checked and stopped at the
/// same time, each on a thread of its own.
pub(crate) trait Driver: Send {
    /// Checks its answers before anything is timed; `thorough`: also those checks that take time.
    fn check(&mut self, context: &mut DriverContext<'_>, thorough: bool) -> Result<(), Fault>;

    /// Lets it settle after its thaw, and drives it for a slice until no answer is outstanding.
    fn slice(
        &mut self,
        context: &mut DriverContext<'_>,
        by: &mut Generators<'_>,
        order: &SliceOrder,
    ) -> Driven;

    /// Checks the last slice's times against its accounts. It is frozen.
    fn audit(&mut self, _accounts: &HostReading, _cores: usize) -> Result<(), Fault> {
        Ok(())
    }

    /// Whether an answer is to be checked now that is neither timed nor accounted. It is frozen.
    fn wants_sample(&self) -> bool {
        false
    }

    /// Checks such an answer.
    fn sample(&mut self, _at: &mut DriverContext<'_>) -> Result<(), Fault> {
        Ok(())
    }

    /// Asks it once at a size, beside what is measured: the rows of a database that the right answer holds, with their numbers.
    fn rows(
        &mut self,
        _context: &mut DriverContext<'_>,
        _size: Option<u64>,
    ) -> Result<Vec<(u64, u64)>, Fault> {
        Ok(Vec::new())
    }

    /// How to ask it about messages, if its protocol has commands for that.
    fn messenger(&mut self) -> Option<&mut dyn Messenger> {
        None
    }

    /// Closes the connection to it, before it is stopped; returns whether that already asks it to end. It is frozen.
    fn close(&mut self) -> bool;
}

/// Asks a contender about messages (docs/probe.md). It is thawed; after an error it must not be asked again.
pub(crate) trait Messenger {
    /// Sends a command and its argument; `longest`: the most characters of the answer.
    fn ask(
        &mut self,
        context: &mut DriverContext<'_>,
        question: (&str, &str),
        longest: usize,
    ) -> Result<Reply, Abort>;

    /// Checks that it still does its job: the whole result of its first input.
    fn still_right(&mut self, context: &mut DriverContext<'_>) -> Result<(), Abort>;
}

/// The answer to a command about messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reply {
    /// `ok`, and the hex digits after it.
    Ok(String),
    /// `error`, and the reason, safe to print.
    Refused(String),
}

/// Why a conversation ended early.
#[derive(Debug)]
pub(crate) enum Abort {
    /// An interrupt.
    Interrupted,
    /// A fault.
    Fault(Fault),
}

impl Abort {
    /// A fault of a kind.
    pub(crate) fn fault(kind: FaultKind, detail: impl Into<String>) -> Self {
        Self::Fault(Fault::new(kind, detail))
    }
}

impl From<Abort> for Fault {
    fn from(abort: Abort) -> Self {
        match abort {
            Abort::Interrupted => Fault::new(FaultKind::Instrument, "interrupted"),
            Abort::Fault(fault) => fault,
        }
    }
}
