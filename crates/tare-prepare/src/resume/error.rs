//! Why an earlier run cannot be continued. Launches of different questions, programs or machines are not pooled.

use tare_model::driving::Driving;
use tare_model::placement::{Cores, Placement};

/// Why an earlier run cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// It measured nothing.
    #[error("the run {id} has nothing to continue")]
    Empty {
        /// The run.
        id: String,
    },
    /// It compared something else than contenders of a lab.
    #[error("the run {id} was not made by `tare run`")]
    NoRunOfContenders {
        /// The run.
        id: String,
    },
    /// It was made on another machine.
    #[error("the run {id} was not made on this machine: {there}")]
    Elsewhere {
        /// The run.
        id: String,
        /// Its machine.
        there: String,
    },
    /// The lab's sources are not those that it was made of.
    #[error("the run {id} was made of {then}, and here is {now}")]
    OtherRevision {
        /// The run.
        id: String,
        /// Its revision.
        then: String,
        /// The revision here.
        now: String,
    },
    /// The manifests have changed.
    #[error("the manifests of workloads and services are not those of the run: {then} then, {now} now")]
    OtherManifests {
        /// Their hash in the run.
        then: String,
        /// Their hash now.
        now: String,
    },
    /// The lab has other cases, or other contenders in them.
    #[error("the lab no longer has the cases, modes and contenders that it had when the run was made")]
    OtherLab,
    /// An arena is measured on other cores.
    #[error("{arena} was measured with {}, and here it is {}", sides(then), sides(now))]
    OtherPlacement {
        /// The arena.
        arena: String,
        /// Its placement in the run.
        then: Box<Placement>,
        /// Its placement now.
        now: Box<Placement>,
    },
    /// An arena is driven in another way.
    #[error("{arena} is not driven as it was")]
    OtherDriving {
        /// The arena.
        arena: String,
        /// How it was driven in the run.
        then: Box<Driving>,
        /// How it would be now.
        now: Box<Driving>,
    },
    /// A contender is made with tools of other versions.
    #[error("{who} was made with {then}, and now with {now}")]
    OtherTools {
        /// The contender, with its arena.
        who: String,
        /// The tools of the run.
        then: String,
        /// The tools now.
        now: String,
    },
    /// A contender is built from something else.
    #[error("{who} is not the program that the run measured: it was built from {then}, and now from {now}")]
    OtherProgram {
        /// The contender, with its arena.
        who: String,
        /// Hash of what the run's was built from.
        then: String,
        /// Hash of what it is built from now.
        now: String,
    },
    /// The run does not say what a contender was built from.
    #[error("{who} was built from something that the run does not name: an older tare made it")]
    UnknownProgram {
        /// The contender, with its arena.
        who: String,
    },
}

impl ResumeError {
    /// What helps, where that is known.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::Empty { .. } => return None,
            Self::NoRunOfContenders { .. } | Self::Elsewhere { .. } => "begin a new run here",
            Self::OtherRevision { .. } => {
                "launches of different sources are not pooled: check that revision out, or begin a new run"
            }
            Self::OtherManifests { .. } => {
                "launches of different questions are not pooled: undo what was changed, or begin a new run"
            }
            Self::OtherLab => "launches of different questions are not pooled: begin a new run",
            Self::OtherPlacement { .. } => {
                "launches in another place are not pooled: give the same cores and machines (--cores-contender, \
                 --cores-load, --hosts), or begin a new run"
            }
            Self::OtherDriving { .. } => {
                "launches that were driven in different ways are not pooled: begin a new run, with all options that it \
                 is to have"
            }
            Self::OtherTools { .. } => "launches of different programs are not pooled: begin a new run",
            Self::OtherProgram { .. } => {
                "launches of different programs are not pooled: undo what was changed in its folder or its language, or \
                 begin a new run"
            }
            Self::UnknownProgram { .. } => {
                "whether it is still the same program cannot be determined: begin a new run"
            }
        })
    }
}

/// `the contender on core 1, the load on core 0`.
fn sides(placement: &Placement) -> String {
    let cores = |list: &[u32]| match list {
        [] => "no core of its own".to_owned(),
        some => Cores(some.to_vec()).to_string(),
    };
    let (contender, load) = (cores(&placement.contender), cores(&placement.load));
    let beside = match (placement.services.as_slice(), &placement.services_on) {
        ([], _) => String::new(),
        (services, None) => format!(", beside it {}", services.join(", ")),
        (services, Some(node)) => format!(", {} on {} ({})", services.join(", "), node.name, node.cpu),
    };
    let from: Vec<String> = placement
        .agents
        .iter()
        .map(|node| format!("{} ({}, {})", node.name, node.host, node.cpu))
        .collect();
    match from.as_slice() {
        [] => format!("the contender on {contender}, the load on {load}{beside}"),
        some => format!(
            "the contender on {contender}, the load from {}{beside}",
            some.join(", ")
        ),
    }
}
