//! Jobs: what is sent, and what must come back.
//!
//! A job is prepared once: a pool of framed requests with their answers, drawn from at random, so that under load
//! a request costs the generator a copy and its answer a compare. A new job is one file here.

mod cgi;
mod doubling;
mod fastcgi;
mod http;
mod lines;
mod pool;

pub use doubling::{POOL as DOUBLING_POOL, double};
pub use http::Asked;
pub(crate) use pool::Pool;

use tare_model::manifest::Job;

use crate::address::Address;
use crate::wire::Wire;

/// The share of answers with large bodies that is checked whole under load, unless somebody says otherwise: one in
/// eight, so that a load generator is cheap beside the server that computes them.
pub const WHOLE: f64 = 0.125;

/// A prepared job: its requests with their answers, and the protocol that judges them.
pub struct Work {
    pub(crate) pool: Pool,
    pub(crate) wire: Box<dyn Wire>,
    pub(crate) trial: Trial,
    /// Whether each request has a connection of its own.
    pub(crate) fresh: bool,
}

/// What only several answers together can tell, asked before anything is timed.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Trial {
    /// Whether dates are fresh, and go on.
    pub(crate) dated: bool,
    /// Whether rows of a table with so many are drawn at random; and what finds the row in an answer's bytes.
    pub(crate) rows: Option<(u32, FindRow)>,
}

/// Finds the id of a row of a table with so many, in the bytes of a whole answer.
pub(crate) type FindRow = fn(&[u8], u32) -> Option<u64>;

/// A job that cannot be framed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the job's {what} `{text}` cannot be sent: {why}")]
pub struct BadJob {
    /// Which part.
    pub what: &'static str,
    /// The part as given, escaped.
    pub text: String,
    /// What is wrong with it, and a hint.
    pub why: &'static str,
}

impl Work {
    /// The job of a manifest, for a server at `address` (HTTP names it in `Host`). The same seed makes the same
    /// requests.
    pub fn new(job: &Job, address: &Address, seed: u64) -> Result<Self, BadJob> {
        match job {
            Job::Doubling => Ok(Self::doubling(seed)),
            Job::Lines { send, expect } => Self::lines(send, expect),
            Job::Http(http) => Self::http(http, address),
            Job::Probe(_) | Job::Pipe(_) => Err(BadJob {
                what: "kind",
                text: job.name().to_owned(),
                why: "it is done in process, and nothing of it goes over a socket",
            }),
        }
    }

    /// Has only a share (0 to 1) of the answers with large bodies (over 64 KB) checked whole, drawn at random; of the
    /// others the length and both ends. What was checked whole is told in the reading.
    pub fn sampled(mut self, share: f64) -> Self {
        self.wire.sample(share);
        self
    }

    /// Each request has a connection of its own, which is closed here if the server does not. For schedules without a
    /// number of requests on each connection, at depth 1.
    pub fn fresh(mut self) -> Self {
        self.fresh = true;
        self
    }

    /// How many different requests there are.
    pub fn requests(&self) -> usize {
        self.pool.len()
    }

    /// The n-th request and its expected answer, as bytes on the wire (HTTP: the answer is empty, since
    /// the protocol's judge holds the body; FastCGI: it is the request's id).
    pub fn pair(&self, n: usize) -> (&[u8], &[u8]) {
        (self.pool.request(n as u32), self.pool.answer(n as u32))
    }
}

impl std::fmt::Debug for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Work")
            .field("requests", &self.requests())
            .finish_non_exhaustive()
    }
}
