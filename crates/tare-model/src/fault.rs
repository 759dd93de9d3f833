//! What can go wrong with a contender: one list for tables, reports and the exit status.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The kind of a contender's fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// A toolchain or package is missing on this machine: skipped; the run counts as successful.
    MissingTool,
    /// The manifest marks it as broken: skipped; the run counts as successful.
    Broken,
    /// The build failed.
    BuildFailed,
    /// The process could not be started, or ended before it was ready.
    DiedAtStart,
    /// It was not listening in time.
    NeverReady,
    /// It ended while it was checked, warmed up or measured.
    Died,
    /// It stopped answering: requests were unanswered at the timeout.
    Hung,
    /// It answered wrongly.
    Wrong,
    /// It sent unrequested bytes, or answered twice.
    Unasked,
    /// It closed or reset a connection with unanswered requests.
    ClosedEarly,
    /// Its TLS was refused: the handshake, its certificate, or a record.
    Tls,
    /// The times that it reported contradict each other: its clock, the round trip, its CPU.
    Implausible,
    /// It used CPU time while it was paused, so it cannot be kept from disturbing the others.
    NotPaused,
    /// Its performance did not settle in the warm-up.
    NotSteady,
    /// It is so much slower than the others that a common rate would be meaningless: left out of the cost mode.
    OutOfReach,
    /// A benchmark that the other revision has, and this one does not: skipped.
    Absent,
    /// A benchmark whose own sources differ between the revisions: skipped, since its figures do not say what changed.
    Rewritten,
    /// A service that its case needs could not be prepared or started: skipped.
    NoService,
    /// A service that its case needs ended, or had ended, while the contender was checked or measured.
    ServiceDied,
    /// The measuring side failed (descriptors, ports, permissions), not the contender.
    Instrument,
}

/// A contender's fault: the kind, and a sentence or two with what was tried, what was found and a hint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// What was tried, what was found, and what to do; may have several lines.
    pub detail: String,
}

impl FaultKind {
    /// All kinds.
    pub const ALL: [FaultKind; 20] = [
        FaultKind::MissingTool,
        FaultKind::Broken,
        FaultKind::BuildFailed,
        FaultKind::DiedAtStart,
        FaultKind::NeverReady,
        FaultKind::Died,
        FaultKind::Hung,
        FaultKind::Wrong,
        FaultKind::Unasked,
        FaultKind::ClosedEarly,
        FaultKind::Tls,
        FaultKind::Implausible,
        FaultKind::NotPaused,
        FaultKind::NotSteady,
        FaultKind::OutOfReach,
        FaultKind::Absent,
        FaultKind::Rewritten,
        FaultKind::NoService,
        FaultKind::ServiceDied,
        FaultKind::Instrument,
    ];

    /// A short stable name for stores and documents.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::MissingTool => "missing-tool",
            FaultKind::Broken => "broken",
            FaultKind::BuildFailed => "build-failed",
            FaultKind::DiedAtStart => "died-at-start",
            FaultKind::NeverReady => "never-ready",
            FaultKind::Died => "died",
            FaultKind::Hung => "hung",
            FaultKind::Wrong => "wrong",
            FaultKind::Unasked => "unasked",
            FaultKind::ClosedEarly => "closed-early",
            FaultKind::Tls => "tls",
            FaultKind::Implausible => "implausible",
            FaultKind::NotPaused => "not-paused",
            FaultKind::NotSteady => "not-steady",
            FaultKind::OutOfReach => "out-of-reach",
            FaultKind::Absent => "absent",
            FaultKind::Rewritten => "rewritten",
            FaultKind::NoService => "no-service",
            FaultKind::ServiceDied => "service-died",
            FaultKind::Instrument => "instrument",
        }
    }

    /// Whether the contender itself misbehaved.
    pub fn is_misbehaviour(self) -> bool {
        use FaultKind::{ClosedEarly, Died, Hung, Implausible, NotPaused, Tls, Unasked, Wrong};
        matches!(
            self,
            Died | Hung | Wrong | Unasked | ClosedEarly | Tls | Implausible | NotPaused
        )
    }

    /// The kind of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl Fault {
    /// A fault of a kind.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Self {
        Self {
            kind,
            detail: detail.into(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl std::error::Error for Fault {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_goes_by_its_name() {
        for kind in FaultKind::ALL {
            assert_eq!(FaultKind::from_name(kind.name()), Some(kind));
        }
        assert_eq!(FaultKind::from_name("tired"), None);
    }
}
