//! Which servers are loaded, with what, and when, in plain types.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use tare_load::{LoadConfig, Schedule};
use tare_model::driving::{ConnectionUse, Refill};
use tare_model::ids::ContenderId;
use tare_model::units::PerSecond;

use super::error::ServersError;

/// The longest that one server is loaded where nothing is said.
const USUAL: Duration = Duration::from_secs(10);

/// The same of several.
const USUAL_OF_SEVERAL: Duration = Duration::from_secs(30);

/// The servers to load, what is sent to them, and when.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadRequest {
    /// The servers: `http://HOST:PORT/PATH`, `h2c://…`, `grpc://…`, `ws://…`, over TLS `https://…`, `h2://…`, `grpcs://…`,
    /// `wss://…`; `tcp://HOST:PORT`.
    pub urls: Vec<String>,
    /// The version of HTTP; none: that of the scheme, which is 1.1 where it says none.
    pub http: Option<HttpVersion>,
    /// How connections are secured that are over TLS.
    pub tls: TlsRequest,
    /// Whether they may be on other machines.
    pub remote: bool,
    /// Where to connect to, whatever host the URL names.
    pub at: Option<Whereabouts>,
    /// What is sent, and what must come back.
    pub requests: Requests,
    /// Where the files are that the requests name.
    pub files: Files,
    /// Connections to each.
    pub connections: u32,
    /// Requests in flight on a connection.
    pub in_flight: InFlight,
    /// When further ones are sent there.
    pub refill: Refill,
    /// The number of requests after which a connection is closed and another opened; none: it is kept.
    pub renew_after: Option<u32>,
    /// Requests a second, sent on time however long answers take; none: as fast as possible.
    pub rate: Option<PerSecond>,
    /// A batch instead: the number of load programs at once, each with all the connections.
    pub programs: Option<u32>,
    /// The number of requests, instead of a time; of a batch: on each connection.
    pub count: Option<u64>,
    /// How long; of several the longest that it may take; none: what is usual.
    pub duration: Option<Duration>,
    /// The number of generator processes; none: as few as can open a file for each connection.
    pub processes: Option<u32>,
    /// The generator's cores; none: any, one thread.
    pub cores: Option<Vec<u32>>,
    /// How long an answer may take before it is lost.
    pub timeout: Duration,
    /// Seed of what is sent and when, and of the order of rounds.
    pub seed: u64,
    /// How several are compared.
    pub comparison: Comparison,
}

/// What is sent, and what must come back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Requests {
    /// The method (http, h2c).
    pub method: Option<String>,
    /// Header fields (all but tcp): `Accept: text/plain`.
    pub headers: Vec<String>,
    /// The body (http, h2c) or message (grpc); after an `@` the name of a file that has it.
    pub body: Option<String>,
    /// The most bytes of a chunk, where the body is sent in chunks (http).
    pub chunk_size: Option<u32>,
    /// The content codings that are asked for, of which every answer must have one (http, h2c): `gzip`, `br`.
    pub encoding: Vec<String>,
    /// Files with a whole request each, sent byte by byte and in turn (http), instead of what the others say.
    pub raw: Vec<String>,
    /// The line (tcp) or message (ws) to send; of a message, after an `@` the name of a file that has it.
    pub send: Option<String>,
    /// What every answer must be: its body (http, h2c), its line (tcp) or its message (grpc, ws; after an `@` the name of a
    /// file that has it). Of raw requests, what the answers to each must be, in their order.
    pub expect: Vec<String>,
    /// Whether calls are answered with streams of messages (grpc).
    pub server_streaming: bool,
    /// The status that every answer must have (http, h2c); none: any of 2xx.
    pub status: Option<u16>,
    /// Whether answers may have any body (http, h2c).
    pub any_body: bool,
    /// Whether every byte of every body is checked.
    pub check_whole: bool,
    /// Whether each has a connection of its own (http).
    pub fresh: bool,
}

/// Where a server listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whereabouts {
    /// At an address.
    Ip(SocketAddr),
    /// At a Unix socket.
    Unix(PathBuf),
}

/// Where the files are that requests name after an `@`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Files {
    /// On this machine.
    #[default]
    Here,
    /// They came along, with their contents: no file of this machine is read.
    Brought(BTreeMap<String, Vec<u8>>),
}

/// The authorities that certificates are checked by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Authorities {
    /// In a file of this machine.
    File(PathBuf),
    /// They came along, as such a file's content.
    Brought(Vec<u8>),
}

/// A version of HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HttpVersion {
    /// HTTP/1.1.
    One,
    /// HTTP/2.
    Two,
}

/// How connections over TLS are secured.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TlsRequest {
    /// Whether any certificate is accepted.
    pub insecure: bool,
    /// The authorities that are trusted, in place of this machine's.
    pub cacert: Option<Authorities>,
    /// The name that is sent, and that certificates must be for; none: the host of the URL.
    pub sni: Option<String>,
    /// Whether later connections resume the session of an earlier one.
    pub resume: bool,
}

/// Requests in flight on a connection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum InFlight {
    /// One, as nothing else was asked for.
    #[default]
    One,
    /// So many, whose answers come in order.
    Pipelined(u32),
    /// So many, each on a stream of its own (h2c, grpc).
    Streams(u32),
}

impl HttpVersion {
    /// Its number.
    pub fn number(self) -> &'static str {
        match self {
            Self::One => "1.1",
            Self::Two => "2",
        }
    }
}

impl TlsRequest {
    /// The first option that was given.
    pub(super) fn given(&self) -> Option<&'static str> {
        let given = [
            ("--insecure", self.insecure),
            ("--cacert", self.cacert.is_some()),
            ("--sni", self.sni.is_some()),
            ("--resume", self.resume),
        ];
        given.iter().find(|(_, given)| *given).map(|(option, _)| *option)
    }
}

impl InFlight {
    /// How many.
    pub fn depth(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Pipelined(depth) | Self::Streams(depth) => depth,
        }
    }
}

/// How several servers are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Their names, in their order; empty: made of their addresses.
    pub names: Vec<ContenderId>,
    /// What ratios are against; none: the first.
    pub baseline: Option<ContenderId>,
    /// What counts as equivalent, as a share.
    pub margin: f64,
    /// The chance of any false declaration, as a share.
    pub alpha: f64,
}

impl Default for LoadRequest {
    fn default() -> Self {
        Self {
            urls: Vec::new(),
            http: None,
            tls: TlsRequest::default(),
            remote: false,
            at: None,
            requests: Requests::default(),
            files: Files::Here,
            connections: 64,
            in_flight: InFlight::One,
            refill: Refill::OneByOne,
            renew_after: None,
            rate: None,
            programs: None,
            count: None,
            duration: None,
            processes: None,
            cores: None,
            timeout: Duration::from_secs(10),
            seed: 1,
            comparison: Comparison::default(),
        }
    }
}

impl Default for Comparison {
    fn default() -> Self {
        Self {
            names: Vec::new(),
            baseline: None,
            margin: 0.01,
            alpha: 0.05,
        }
    }
}

impl LoadRequest {
    /// The longest that it may take.
    pub fn duration(&self) -> Duration {
        let usual = match self.urls.as_slice() {
            [_, _, ..] => USUAL_OF_SEVERAL,
            _ => USUAL,
        };
        self.duration.unwrap_or(usual)
    }

    /// How requests follow each other on a connection.
    pub fn usage(&self) -> ConnectionUse {
        ConnectionUse {
            refill: self.refill,
            renew_after: self.renew_after.or(self.requests.fresh.then_some(1)),
        }
    }

    /// What a generator is made of. `awake`: whether it waits for send times without sleeping; `turn`: its number among so
    /// many generator processes.
    pub fn generator(&self, awake: bool, turn: (u32, u32)) -> LoadConfig {
        LoadConfig {
            cores: self.cores.clone().unwrap_or_default(),
            own_cores: awake,
            timeout: self.timeout,
            seed: self.seed,
            turn,
        }
    }

    /// When requests are sent.
    pub(super) fn schedule(&self) -> Result<Schedule, ServersError> {
        let (connections, depth) = (self.connections, self.in_flight.depth());
        match (self.programs, self.rate) {
            (Some(_), Some(_)) => Err(ServersError::BatchAtRate),
            (Some(_), None) if self.renew_after.is_some() => Err(ServersError::RenewedBatch),
            (None, Some(_)) if self.refill == Refill::Batches => Err(ServersError::BatchesAtRate),
            (Some(programs), None) => {
                let requests = self.count.unwrap_or(1);
                Ok(Schedule::Batch {
                    programs,
                    connections,
                    requests: u32::try_from(requests).map_err(|_| ServersError::TooMany(requests))?,
                    depth,
                })
            }
            (None, Some(rate)) => Ok(Schedule::Cost {
                connections,
                depth,
                rate,
            }),
            (None, None) => Ok(Schedule::Capacity { connections, depth }),
        }
    }
}
