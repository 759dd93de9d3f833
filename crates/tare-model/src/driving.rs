//! How the contenders of an arena were driven.

use serde::{Deserialize, Serialize};

use crate::units::{PerSecond, Seconds};

/// How the contenders of an arena were driven.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Driving {
    /// Unknown: figures of another suite.
    #[default]
    Unknown,
    /// Over sockets, by tare's load.
    Load(Load),
    /// By their own loops, in process.
    InProcess {
        /// Length of a slice before jitter.
        slice: Seconds,
    },
    /// Whole commands.
    Commands {
        /// Runs in a slice.
        runs: u32,
    },
    /// A benchmark by its harness, one process per slice.
    Benchmark {
        /// Iterations of a slice, the same for both sides; none where the harness cannot be told a number.
        iterations: Option<u64>,
        /// About how long it is told to measure, where it is told a time.
        time: Option<Seconds>,
    },
}

/// How tare's load drove servers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// Numbers of connections that were tried; with several, each contender was measured at its best.
    pub connections: Vec<u32>,
    /// The largest number of requests in flight on each connection.
    pub depth: u32,
    /// The job of a batch.
    pub batch: Option<Batch>,
    /// Cost mode: whether the generator busy-waited for send times.
    pub awake: Option<bool>,
    /// Cost mode: the rate for all, once it is known.
    pub rate: Option<PerSecond>,
    /// How requests followed each other on a connection.
    #[serde(default, skip_serializing_if = "ConnectionUse::is_usual")]
    pub usage: ConnectionUse,
}

/// How requests follow each other on a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConnectionUse {
    /// When further requests are sent on a connection that has some in flight.
    pub refill: Refill,
    /// The number of requests after which a connection is closed and another opened; none: it is kept.
    pub renew_after: Option<u32>,
}

/// When further requests are sent on a connection that has some in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refill {
    /// With each answer, as many as came.
    #[default]
    OneByOne,
    /// As many as may be in flight at once, when all those before were answered: as scripts of wrk pipeline.
    Batches,
}

impl ConnectionUse {
    /// Connections that are kept, each refilled with every answer.
    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

impl Refill {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::OneByOne, Self::Batches];

    /// The name used in manifests and options.
    pub fn name(self) -> &'static str {
        match self {
            Self::OneByOne => "one-by-one",
            Self::Batches => "batches",
        }
    }
}

/// The job of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// Load programs that run at the same time.
    pub programs: u32,
    /// Requests on each connection.
    pub requests: u32,
}

impl Driving {
    /// Whether contenders timed their own loops, in process. Only those have a time per operation; they have no
    /// connections.
    pub fn in_process(&self) -> bool {
        matches!(self, Driving::InProcess { .. })
    }

    /// How long a slice of contenders that timed their own loops was to be.
    pub fn slice(&self) -> Option<Seconds> {
        match self {
            Driving::InProcess { slice } => Some(*slice),
            _ => None,
        }
    }

    /// The rate for all, once it is known.
    pub fn rate(&self) -> Option<PerSecond> {
        match self {
            Driving::Load(load) => load.rate,
            _ => None,
        }
    }

    /// Sets the rate for all.
    pub fn set_rate(&mut self, rate: PerSecond) {
        if let Driving::Load(load) = self {
            load.rate = Some(rate);
        }
    }

    /// The part that was known beforehand, without what the run itself determined.
    pub fn planned(&self) -> Self {
        match self {
            Driving::Load(load) => Driving::Load(Load {
                rate: None,
                ..load.clone()
            }),
            Driving::Commands { .. } => Driving::Commands { runs: 0 },
            Driving::Benchmark { .. } => Driving::Benchmark {
                iterations: None,
                time: None,
            },
            other => other.clone(),
        }
    }
}
