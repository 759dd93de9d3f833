//! What preparation reports while it works.

use std::time::Duration;

use tare_model::fault::Fault;
use tare_model::ids::ContenderId;
use tare_model::manifest::Contender;

use crate::revisions::side::Side;
use crate::tour::Tour;

/// A step of preparation.
#[derive(Debug)]
pub enum Event<'e> {
    /// A process group that an earlier, killed run left behind was ended.
    LeftoverEnded {
        /// The group's name.
        name: &'e str,
    },
    /// No workload was named: what is measured instead.
    Tour {
        /// The workloads, in order.
        tour: &'e Tour,
    },
    /// Contenders of a workload of the tour are not built, and left out.
    NotBuilt {
        /// The workload.
        workload: &'e str,
        /// The contenders.
        contenders: &'e [ContenderId],
        /// Whether nothing is left to compare.
        all: bool,
    },
    /// Something is being installed.
    Installing {
        /// What.
        what: &'e str,
    },
    /// A contender is being built, or its build looked up.
    Building {
        /// The contender.
        contender: &'e Contender,
    },
    /// A contender was built anew.
    Built {
        /// The contender.
        contender: &'e Contender,
        /// How long it took.
        took: Duration,
    },
    /// A contender takes no part.
    LeftOut {
        /// The contender.
        contender: &'e Contender,
        /// Why.
        fault: &'e Fault,
    },
    /// The instrumented build of a contender failed; the usual build is examined instead.
    InstrumentedBuildFailed {
        /// The instrumented contender.
        id: &'e ContenderId,
        /// Why.
        fault: &'e Fault,
    },
    /// The state of a service is being made, or looked up.
    PreparingService {
        /// Its name.
        service: &'e str,
    },
    /// The state of a service was made anew.
    PreparedService {
        /// Its name.
        service: &'e str,
    },
    /// A service cannot be prepared or started.
    ServiceFailed {
        /// Its name.
        service: &'e str,
        /// Why.
        fault: &'e Fault,
    },
    /// Each command is run once, to see that it works and how long it takes.
    TryingCommands,
    /// A step on the way to benchmarks.
    Bench(BenchStep<'e>),
    /// One of the two revisions that are compared is there.
    Side {
        /// The side.
        side: &'e Side,
    },
    /// Files in the tree of a side were not as its revision has them, and were put back.
    TreeRestored {
        /// The side.
        side: &'e Side,
    },
    /// The first side is the merge base of two revisions.
    MergeBase {
        /// One of them.
        one: &'e str,
        /// The other.
        other: &'e str,
    },
    /// Both sides are the same revision.
    SameSides,
    /// The working tree has changes that neither side has.
    UncommittedChanges {
        /// How many files were changed.
        files: u64,
    },
    /// Trees of revisions that nobody had used for long were removed.
    UnusedRemoved {
        /// How many.
        trees: u64,
    },
    /// The submodules in the tree of a side are empty.
    EmptySubmodules {
        /// The side.
        side: &'e Side,
    },
    /// A side is as its setup left it, and is not set up again.
    SideKept {
        /// The side.
        side: &'e Side,
        /// When it was set up, in seconds since 1970 (UTC).
        at: i64,
    },
    /// A side is being set up.
    SettingUp {
        /// The side.
        side: &'e Side,
    },
}

/// A step on the way to benchmarks. Sides are `before` and `after`; a suite is what people call it: a package, a folder.
#[derive(Debug, Clone, Copy)]
pub enum BenchStep<'e> {
    /// The benchmarks of a suite are being built, or what was built is looked up.
    Building {
        /// The side.
        side: &'e str,
        /// The suite.
        suite: &'e str,
        /// Its harness.
        harness: &'e str,
    },
    /// The benchmarks of a suite are being listed.
    Listing {
        /// The side.
        side: &'e str,
        /// The suite.
        suite: &'e str,
    },
    /// A sample of each benchmark is taken, to see how much one does.
    Trying {
        /// How many there are.
        count: usize,
    },
    /// Further layouts of a suite are being built.
    DrawingLayouts {
        /// The side.
        side: &'e str,
        /// The suite.
        suite: &'e str,
    },
}

/// Where the events of preparation go.
pub trait Progress {
    /// Takes an event.
    fn event(&self, event: &Event<'_>);
}
