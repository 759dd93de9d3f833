//! Why a fleet has no outcome.

use std::io;

use tare_model::measure::RequestCounts;
use tare_model::units::Seconds;

/// What to do about an agent that is gone.
pub(super) const SEE_THE_AGENT: &str = "see what the agent says on its machine; is the network between up?";

/// Why a fleet has no outcome.
#[derive(Debug, thiserror::Error)]
pub enum FleetError {
    /// A process could not be started.
    #[error("a generator process could not be started: {0}")]
    Start(io::Error),
    /// A process ended before its connections were open, and said nothing.
    #[error("a generator process{} ended before its connections were open", of(name.as_ref()))]
    EndedEarly {
        /// The agent that had started it.
        name: Option<String>,
    },
    /// A process ended in the middle, and said nothing.
    #[error("a generator process{} ended without saying what it saw", of(name.as_ref()))]
    EndedSilently {
        /// The agent that had started it.
        name: Option<String>,
    },
    /// A process was interrupted, and not by this fleet.
    #[error("a generator process{} was interrupted, and its share of the load is missing", of(name.as_ref()))]
    Interrupted {
        /// The agent that had started it.
        name: Option<String>,
    },
    /// An agent is gone.
    #[error("the agent at {name} was lost, and its share of the load with it: {why}")]
    Lost {
        /// As it was typed.
        name: String,
        /// Why.
        why: String,
    },
    /// Places began too far apart for their load to be one.
    #[error(
        "the agents may have begun {apart} apart, in a load of {wall}: for that long not all of them loaded the server, so \
         there are no figures"
    )]
    Apart {
        /// How far.
        apart: Seconds,
        /// How long they loaded.
        wall: Seconds,
    },
    /// Slices of which the same is so, one after the other.
    #[error(
        "the agents did not begin together in {slices} slices in a row: in the last one they may have begun {apart} apart, \
         and it took {wall}"
    )]
    NeverTogether {
        /// How many.
        slices: u32,
        /// How far apart, in the last one.
        apart: Seconds,
        /// How long that took.
        wall: Seconds,
    },
    /// The request counts of a process are wrong.
    #[error(
        "the request counts of a generator process{} do not balance: {} sent, {} valid, {} invalid, {} lost",
        of(name.as_ref()), counts.sent, counts.valid, counts.invalid, counts.lost
    )]
    Unbalanced {
        /// The agent that had started it.
        name: Option<String>,
        /// The counts.
        counts: RequestCounts,
    },
}

fn of(name: Option<&String>) -> String {
    name.map_or(String::new(), |name| format!(" of the agent at {name}"))
}

impl FleetError {
    /// What helps, where that is known.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Start(_) | Self::Interrupted { .. } => None,
            Self::Lost { .. } => Some(SEE_THE_AGENT),
            Self::Apart { .. } => {
                Some("load for longer (-d); is a machine or the network between very busy?")
            }
            Self::NeverTogether { .. } => Some(
                "is a machine or the network between very busy? a batch of few requests is too short for several machines.",
            ),
            Self::Unbalanced { .. } => Some("this is a defect of tare: report it with the command"),
            Self::EndedEarly { name: None } | Self::EndedSilently { name: None } => {
                Some("see what it said above; is the memory exhausted (dmesg)?")
            }
            Self::EndedEarly { .. } | Self::EndedSilently { .. } => {
                Some("see what it said on that machine; is the memory there exhausted (dmesg)?")
            }
        }
    }
}
