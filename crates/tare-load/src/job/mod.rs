//! Jobs: what is sent, and what must come back.
//!
//! A job is prepared once: a pool of framed requests with their answers, drawn from at random or in turn, so that under load a
//! request costs the generator a copy and its answer a compare. It joins a protocol ([`crate::wire`]) with what its answers must be
//! ([`crate::check`]). A new job is one file here.

mod cgi;
mod clamps;
mod doubling;
mod fastcgi;
mod h2;
mod http;
mod lines;
mod pool;
mod raw;
mod way;
mod websocket;

pub use doubling::double;
pub use h2::{GrpcAnswer, GrpcCall};
pub use http::HttpOptions;
pub(crate) use pool::RequestPool;
pub use raw::RawJob;
pub use way::Way;
pub use websocket::Messages;

use tare_model::manifest::{Job, Speaks};
use tare_model::scheme::Speech;
use tare_tls::Client;

use crate::address::Address;
pub use crate::wire::Message;
use crate::wire::Protocol;

/// The default share of answers with large bodies that is checked whole under load: one in eight, so that a load
/// generator is cheap compared with the server that computes them.
pub const WHOLE: f64 = 0.125;

/// A prepared job: its requests with their answers, and the protocol that judges them.
pub struct Work {
    pub(crate) requests: RequestPool,
    pub(crate) protocol: Protocol,
    /// What is checked of the first requests before anything is timed; one for each that is sent then.
    pub(crate) trials: Vec<Trial>,
    /// How connections are secured; none: they are in clear.
    pub(crate) tls: Option<Client>,
}

/// What only several answers together show, checked before anything is timed.
#[derive(Debug, Default)]
pub(crate) struct Trial {
    /// Whether dates must be fresh, and go on.
    pub(crate) dated: bool,
    /// The number of rows of the table of which answers must be random rows.
    pub(crate) rows: Option<u32>,
    /// Further requests, each asked once in a thorough check.
    pub(crate) also: Vec<Work>,
    /// Whether it is a request of HTTP/1.1, which can be sent in other ways that mean the same.
    pub(crate) http1: bool,
}

/// A job that cannot be framed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the job's {what} `{text}` cannot be sent: {why}")]
pub struct BadJob {
    /// Its part that cannot be sent.
    pub what: &'static str,
    /// That part as given, escaped.
    pub text: String,
    /// What is wrong with it, and a hint.
    pub why: &'static str,
}

impl Work {
    /// The job of a manifest, for a server at `address` (HTTP names it in `Host`). The same seed makes the same requests.
    ///
    /// # Errors
    /// The part of the job that cannot be sent.
    pub fn new(job: &Job, address: &Address, seed: u64) -> Result<Self, BadJob> {
        match job {
            Job::Doubling => Ok(Self::doubling(seed)),
            Job::Lines { send, expect } => Self::lines(send, expect),
            Job::Http(http) => Self::http(http, address),
            Job::Grpc(call) => Self::grpc(&GrpcCall::of(call, false), address),
            Job::WebSocket(messages) => Self::websocket(&Messages::from(messages), address, seed),
            Job::Probe(_) | Job::Pipe(_) => Err(BadJob {
                what: "kind",
                text: job.name().to_owned(),
                why: "it is done in process, and nothing of it goes over a socket",
            }),
        }
    }

    /// The job of a manifest, in a way that need not be the job's own.
    ///
    /// # Errors
    /// The part of the job that cannot be sent.
    pub fn over(way: &Way, job: &Job, address: &Address, seed: u64) -> Result<Self, BadJob> {
        let work = match (way.speaks, way.speech, job) {
            (Speaks::FastCgi, _, Job::Http(http)) => Self::fastcgi(http, address),
            (Speaks::Cgi, _, Job::Http(http)) => Self::cgi(http, address),
            (_, Speech::H2, Job::Http(http)) => Self::h2(http, address, &way.options()),
            (_, _, Job::Http(http)) => Self::http_with(http, address, &way.options()),
            (_, _, Job::Grpc(call)) => Self::grpc(&GrpcCall::of(call, way.is_secure()), address),
            _ => Self::new(job, address, seed),
        }?;
        Ok(match &way.client {
            Some(client) => work.over_tls(client.clone()),
            None => work,
        })
    }

    /// Checks only a share (0 to 1) of the answers with large bodies (over 64 KiB) whole, drawn at random, and of the others
    /// the length and both ends. The reading has the share that was checked whole.
    pub fn sampled(mut self, share: f64) -> Self {
        self.protocol.sample(share);
        self
    }

    /// Does it over TLS.
    pub fn over_tls(mut self, client: Client) -> Self {
        self.tls = Some(client);
        self
    }

    /// Whether it is done over TLS.
    pub fn is_over_tls(&self) -> bool {
        self.tls.is_some()
    }

    /// The n-th request and its expected answer, as bytes on the wire, of a protocol whose answers come in order. With HTTP
    /// the protocol holds what is expected, and this only says of which request; with FastCGI it is the id of the request.
    pub(crate) fn pair(&self, n: usize) -> (&[u8], &[u8]) {
        (self.requests.request(n as u32), self.requests.answer(n as u32))
    }
}

impl std::fmt::Debug for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Work")
            .field("requests", &self.requests.len())
            .finish_non_exhaustive()
    }
}
