//! Schedules: when a request is sent, and on which connection.
//!
//! A schedule knows nothing of bytes or sockets. The engine asks it through [`Pace`]. A new schedule is one file here, a
//! variant of [`Schedule`], and an arm in `session/slice.rs`.

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

use tare_model::driving::{ConnectionUse, Refill};
use tare_model::histogram::Histogram;
use tare_model::units::PerSecond;

/// How a target is driven.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Schedule {
    /// Closed loop: every connection is refilled to its depth after each answer. If the server closes connections after an
    /// answer, the latency does not include the time to open the next one (in an open loop it does).
    Capacity {
        /// Connections.
        connections: u32,
        /// Requests in flight on each connection.
        depth: u32,
    },
    /// Open loop: requests at constant spacing with a random phase, independent of the answers. Each goes to the least
    /// loaded connection; while all are full it waits in the generator, and its latency includes that wait.
    Cost {
        /// Connections.
        connections: u32,
        /// The most requests in flight on each connection.
        depth: u32,
        /// Requests per second, over all connections.
        rate: PerSecond,
    },
    /// A fixed job: new connections, all opened at the same time, each with a number of requests and then the job's
    /// farewell. The length of a slice does not apply.
    Batch {
        /// Load programs.
        programs: u32,
        /// Connections of each program.
        connections: u32,
        /// Requests on each connection.
        requests: u32,
        /// The most requests in flight on each connection.
        depth: u32,
    },
}

/// The length of a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Length {
    /// Measured time; none: until `answers` have come.
    pub time: Option<Duration>,
    /// Requests to send (capacity: on whichever connection is free; cost: at the rate); none: until `time`. With both, the
    /// first of them ends the slice.
    pub answers: Option<u64>,
    /// A slice by time is stretched until it has this number of answers.
    pub at_least_answers: u64,
    /// The longest measured time, stretched or not.
    pub at_most: Duration,
    /// In an open loop by time: requests that are due at the end and find every connection full are dropped and counted
    /// (`LoadReading::unsent`) instead of sent late. A server that is offered more than it can answer owes more and more.
    pub drops: bool,
}

impl Length {
    /// A slice by time, stretched to 30 answers, for at most a minute (or the time, if that is longer).
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

    /// A slice of a number of requests, within `at_most`.
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
    /// The number of connections in all.
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

    /// The most requests in flight on a connection.
    pub fn depth(&self) -> u32 {
        match *self {
            Schedule::Capacity { depth, .. }
            | Schedule::Cost { depth, .. }
            | Schedule::Batch { depth, .. } => depth,
        }
    }

    /// What is wrong with it where connections are used so, if anything: zero of something, an impossible rate, or what
    /// does not go together.
    pub(crate) fn flaw(&self, usage: ConnectionUse) -> Option<&'static str> {
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
            Schedule::Batch { .. } if usage.renew_after.is_some() => {
                Some("the connections of a batch have a number of requests already")
            }
            Schedule::Cost { .. } if usage.refill == Refill::Batches => {
                Some("at a rate each request is sent when it is due, not in batches")
            }
            _ if usage.renew_after == Some(0) => Some("a connection without a request cannot be renewed"),
            _ => None,
        }
    }
}

/// What completes a slice, apart from outstanding answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Every answer has come.
    Answered,
    /// Every connection is open.
    Opened,
    /// Every connection is closed for good.
    Closed,
}

/// What the engine asks a schedule. Times are in ns since the slice's start.
pub(crate) trait Pace {
    /// Finds out what is due at `now`. Returns the latest time to be asked again.
    fn turn(&mut self, now: u64) -> Option<u64>;

    /// A connection that has to send now, and the most requests to send on it.
    fn pick(&mut self) -> Option<(usize, u32)> {
        None
    }

    /// The intended time of one more request on a connection, if one is due.
    fn next(&mut self, conn: usize, now: u64) -> Option<u64>;

    /// Makes a request with this intended time due again, which was not sent after all on a connection. The newest is taken
    /// back first.
    fn take_back(&mut self, _conn: usize, _intended: u64) {}

    /// Notes a change of the requests in flight on a connection; the depth if it can take none now.
    fn changed(&mut self, _conn: usize, _in_flight: u32) {}

    /// Whether a connection has had all its answers and has to be closed.
    fn finished(&self, _conn: usize) -> bool {
        false
    }

    /// Whether an answer that comes now is within the measured time.
    fn counts(&mut self, now: u64) -> bool;

    /// Whether nothing more will be sent.
    fn over(&mut self, now: u64) -> bool;

    /// The end of the measured time: as planned, or as it was once it is over. A slice that ends earlier ends it, too.
    fn until(&self) -> u64;

    /// What completes the slice.
    fn goal(&self) -> Goal {
        Goal::Answered
    }

    /// Requests that were due and will not be sent.
    fn unsent(&self) -> u64 {
        0
    }

    /// The lateness of the generator, where the schedule has intended times.
    fn lag(&mut self) -> Histogram {
        Histogram::new()
    }
}
