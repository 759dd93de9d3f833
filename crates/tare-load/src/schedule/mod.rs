//! Schedules: when a request is sent, and on which connection.
//!
//! A schedule knows nothing of bytes or sockets. The engine asks it through [`Pace`]; a new schedule is one file
//! here and one arm where a slice begins.

mod batch;
mod capacity;
mod cost;
mod least_loaded;
mod ready;
mod span;

pub(crate) use batch::Batch;
pub(crate) use capacity::Capacity;
pub(crate) use cost::{Cost, SendTimes, phase};
pub(crate) use ready::Ready;
pub(crate) use span::{Span, Tally};

use std::time::Duration;

use tare_model::histogram::Histogram;
use tare_model::units::PerSecond;

/// How a target is driven.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Schedule {
    /// Closed loop: every connection is kept at its depth, refilled per answer. Where the server ends connections
    /// with an answer, the time to open the next is not in the latency (in an open loop it is).
    Capacity {
        /// Connections.
        connections: u32,
        /// Requests in flight on each.
        depth: u32,
    },
    /// Open loop: requests at constant spacing, with a random phase, whatever the answers do. Each goes to the least
    /// loaded connection; while all are full it waits in the generator, and its latency counts all the same.
    Cost {
        /// Connections.
        connections: u32,
        /// Requests in flight on each, at most.
        depth: u32,
        /// Requests per second, over all connections.
        rate: PerSecond,
    },
    /// A fixed job: fresh connections, all opened at the same time, each with so many requests, then the job's
    /// farewell. The length of a slice does not apply.
    Batch {
        /// Load programs.
        programs: u32,
        /// Connections of each program.
        connections: u32,
        /// Requests on each connection.
        requests: u32,
        /// Requests in flight on each connection, at most.
        depth: u32,
    },
}

/// How long a slice is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Length {
    /// Measured time; none: until `answers` are there.
    pub time: Option<Duration>,
    /// Requests to send (capacity: spread over connections as they come; cost: at the rate); none: until `time`.
    /// With both, whichever is first.
    pub answers: Option<u64>,
    /// A slice by time is stretched until it holds so many answers.
    pub at_least_answers: u64,
    /// But never beyond this.
    pub at_most: Duration,
    /// Of an open loop by time: what is due at its end and finds every connection full is dropped and counted
    /// (`LoadReading::unsent`), instead of sent late. A server that is offered more than it takes owes ever more.
    pub drops: bool,
}

impl Length {
    /// A slice by time, stretched to 30 answers, for a minute at most (or the time, if that is longer).
    pub fn time(time: Duration) -> Self {
        let at_most = time.max(Duration::from_secs(60));
        Self {
            time: Some(time),
            answers: None,
            at_least_answers: 30,
            at_most,
            drops: false,
        }
    }

    /// A slice of so many requests, within `at_most`.
    pub fn answers(answers: u64, at_most: Duration) -> Self {
        Self {
            time: None,
            answers: Some(answers),
            at_least_answers: 0,
            at_most,
            drops: false,
        }
    }
}

impl Schedule {
    /// Connections in all.
    pub fn connections(&self) -> u32 {
        match *self {
            Schedule::Capacity { connections, .. } | Schedule::Cost { connections, .. } => connections,
            Schedule::Batch {
                programs,
                connections,
                ..
            } => programs.saturating_mul(connections),
        }
    }

    /// Requests in flight on a connection, at most.
    pub fn depth(&self) -> u32 {
        match *self {
            Schedule::Capacity { depth, .. }
            | Schedule::Cost { depth, .. }
            | Schedule::Batch { depth, .. } => depth,
        }
    }

    /// What is wrong with it, if anything: zero of something, or a rate that is none.
    pub(crate) fn flaw(&self) -> Option<&'static str> {
        if self.connections() == 0 {
            return Some("it has no connections");
        }
        match *self {
            _ if self.depth() == 0 => Some("its depth is 0"),
            Schedule::Cost { rate, .. } if !(rate.0.is_finite() && rate.0 > 0.0) => {
                Some("its rate is not above 0")
            }
            Schedule::Cost { rate, .. } if rate.0 > 1e9 => Some("its rate is over 1e9 /s"),
            Schedule::Batch { requests: 0, .. } => Some("it has no requests"),
            _ => None,
        }
    }
}

/// When a slice is complete, apart from outstanding answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Every answer is there.
    Answered,
    /// Every connection is open.
    Opened,
    /// Every connection is closed for good.
    Closed,
}

/// What the engine asks a schedule. Times are ns of the run.
pub(crate) trait Pace {
    /// It is `now`, `start` the first time: what has come due? Returns when to be asked again at the latest.
    fn turn(&mut self, now: u64) -> Option<u64>;

    /// A connection that is to send now, and how many requests at most.
    fn pick(&mut self) -> Option<(usize, u32)> {
        None
    }

    /// The intended time of one more request on a connection, if there is to be one.
    fn next(&mut self, conn: usize, now: u64) -> Option<u64>;

    /// A request with this intended time was not sent after all: it is due again. The newest comes first.
    fn take_back(&mut self, _intended: u64) {}

    /// A connection's requests in flight have changed; its depth if it cannot take any now.
    fn changed(&mut self, _conn: usize, _in_flight: u32) {}

    /// Whether a connection has had all its answers, and is to part.
    fn finished(&self, _conn: usize) -> bool {
        false
    }

    /// An answer came: does it count as within the measured time?
    fn counts(&mut self, now: u64) -> bool;

    /// Whether nothing will be sent any more.
    fn over(&mut self, now: u64) -> bool;

    /// The end of the measured time: as planned, or as it was once it is over; the slice's own end comes first.
    fn until(&self) -> u64;

    /// What completes it.
    fn goal(&self) -> Goal {
        Goal::Answered
    }

    /// Requests that were due and will not be sent.
    fn unsent(&self) -> u64 {
        0
    }

    /// The generator's lateness, where the schedule has intended times.
    fn lag(&mut self) -> Histogram {
        Histogram::new()
    }
}
