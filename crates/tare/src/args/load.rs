//! The options of `tare load`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tare_model::driving::Refill;
use tare_model::ids::ContenderId;
use tare_model::units::PerSecond;
use tare_prepare::servers::{
    Authorities, Comparison, Files, HttpVersion, InFlight, LoadRequest, Requests, TlsRequest, Whereabouts,
};

use super::Exports;
use crate::clock;
use crate::values::{Chance, Cores, FailIf, Percent, Rate, Span};

/// Load a server that is already running: throughput, latency, errors, every answer checked
#[derive(Debug, Clone, Args)]
pub struct LoadArgs {
    /// A server: http:// or https://HOST:PORT/PATH; several: against each other. Further schemes, each in clear and over TLS:
    /// h2c:// and h2:// (HTTP/2), grpc:// and grpcs://HOST:PORT/SERVICE/METHOD, ws:// and wss:// (WebSocket); and
    /// tcp://HOST:PORT (lines; by default the doubling job)
    #[arg(value_name = "URL", required = true)]
    pub urls: Vec<String>,
    /// Connections
    #[arg(short, long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub connections: u32,
    /// How long; with several servers the longest that it may take [default: 10s; several: 30s]
    #[arg(short, long, value_name = "TIME", short_alias = 'z', alias = "budget")]
    pub duration: Option<Span>,
    /// The number of requests, instead of a time
    #[arg(short = 'n', long, value_name = "N", conflicts_with = "duration")]
    pub requests: Option<u64>,
    /// Requests a second, sent on time however long answers take (open loop) [default: as fast as possible]
    #[arg(short = 'R', long, value_name = "R")]
    pub rate: Option<Rate>,
    /// Requests in flight on a connection, answered in order [default: 1]
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub pipeline: Option<u32>,
    /// Requests in flight on a connection, each on a stream of its own (h2c, grpc) [default: 1]
    #[arg(long, value_name = "D", conflicts_with = "pipeline", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub streams: Option<u32>,
    /// The request's method (http, h2c)
    #[arg(short = 'X', long, value_name = "METHOD", short_alias = 'm')]
    pub method: Option<String>,
    /// A header field (all but tcp), as in -H 'Accept: text/plain'
    #[arg(short = 'H', long = "header", value_name = "FIELD")]
    pub headers: Vec<String>,
    /// The request's body (http, h2c) or message (grpc); with @ the content of a file, byte for byte
    #[arg(long, value_name = "TEXT|@FILE", alias = "data", allow_hyphen_values = true)]
    pub body: Option<String>,
    /// The line (tcp) or message (ws) to send; of messages: with @ the content of a file, as a binary one
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub send: Option<String>,
    /// What every answer must be: its body (http, h2c), line (tcp) or message (grpc, ws; with @ the content of a file); of
    /// several --raw once for each, in their order [default: any 2xx, the same as the first]
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub expect: Vec<String>,
    /// The generator's cores, as 0 or 0,2-3; at a rate it waits there without sleeping, if the server does not run on them
    /// [default: any, one thread]
    #[arg(long, value_name = "CORES")]
    pub cores: Option<Cores>,
    /// How long an answer may take before it is lost
    #[arg(long, value_name = "TIME", default_value = "10s")]
    pub timeout: Span,
    /// The target is not on this machine, and is yours to load
    #[arg(long)]
    pub remote: bool,
    /// A batch instead: the number of load programs at once, each with all the connections
    #[arg(long, value_name = "P", requires = "requests")]
    pub programs: Option<u32>,
    /// Load from other machines, by the agents that listen there (`tare agent`)
    #[arg(long, value_name = "HOST:PORT,…", value_delimiter = ',')]
    pub from: Vec<String>,
    /// The file with the key that the agents know [default: the variable TARE_KEY]
    #[arg(long, value_name = "FILE", requires = "from")]
    pub key_file: Option<PathBuf>,
    #[command(flatten)]
    pub more: LoadMore,
    #[command(flatten, next_help_heading = "TLS")]
    pub tls: LoadTls,
    #[command(flatten, next_help_heading = "Several servers")]
    pub versus: Versus,
}

/// Options for several servers.
#[derive(Debug, Clone, Args)]
pub struct Versus {
    /// Names for the servers, in their order [default: made of their addresses]
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub names: Vec<ContenderId>,
    /// The server that ratios are against, by name [default: the first]
    #[arg(long, value_name = "A")]
    pub baseline: Option<ContenderId>,
    /// What counts as equivalent [default: 1%]
    #[arg(long, value_name = "PERCENT")]
    pub margin: Option<Percent>,
    /// The chance of any false declaration [default: 5%]
    #[arg(long, value_name = "PERCENT")]
    pub alpha: Option<Chance>,
    /// Seed of what is sent and when, and of the order of the rounds (also for one server) [default: the time]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// A gate: exit status 4 if a server is slower than the baseline (`slower`), or not proven to be no slower
    /// (`not-proven`), or if a figure is beyond a limit ('latency_p99 > 200ms', also of one server); `slower:NAME` for one
    /// alone. It may be given several times: all have to hold
    #[arg(long, value_name = "GATE")]
    pub fail_if: Vec<FailIf>,
    #[command(flatten)]
    pub exports: Exports,
}

/// Options of TLS.
#[derive(Debug, Clone, Args)]
pub struct LoadTls {
    /// Accept any certificate [default: it must be signed by an authority of this machine, and be for the URL's host]
    #[arg(long, short_alias = 'k', conflicts_with = "cacert")]
    pub insecure: bool,
    /// Trust the certificate authorities in this file (PEM), in place of this machine's
    #[arg(long, value_name = "FILE")]
    pub cacert: Option<PathBuf>,
    /// The name to send (SNI), which certificates must be for [default: the URL's host]
    #[arg(long, value_name = "NAME")]
    pub sni: Option<String>,
    /// Resume the session of an earlier connection where the server allows it [default: every handshake is a full one]
    #[arg(long)]
    pub resume: bool,
}

/// The values of `--http`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Http {
    /// HTTP/1.1.
    #[value(name = "1.1", alias = "1")]
    One,
    /// HTTP/2.
    #[value(name = "2", alias = "h2")]
    Two,
}

/// Further options of `tare load`.
#[derive(Debug, Clone, Args)]
pub struct LoadMore {
    /// The status that every answer must have (http, h2c) [default: any 2xx]
    #[arg(long, value_name = "CODE", value_parser = clap::value_parser!(u16).range(100..=999))]
    pub status: Option<u16>,
    /// Answers may have any body (http, h2c): only their status, and where they end, are checked
    #[arg(long, conflicts_with_all = ["expect", "check_whole"])]
    pub any_body: bool,
    /// Calls are answered with a stream of messages (grpc); --expect @FILE then holds all, each behind its prefix
    #[arg(long)]
    pub server_streaming: bool,
    /// Check every byte of every body [default: of those over 64 KiB one in eight, and of the others the ends]
    #[arg(long)]
    pub check_whole: bool,
    /// A connection for each request (http)
    #[arg(long, conflicts_with = "renew_after")]
    pub fresh: bool,
    /// The version of HTTP: over TLS 2 is asked for by ALPN, in clear by prior knowledge, as with h2c:// [default: 1.1]
    #[arg(long, value_name = "VERSION", hide_possible_values = true)]
    pub http: Option<Http>,
    /// Close a connection after this number of requests, and open another
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub renew_after: Option<u32>,
    /// When further requests are sent on a connection of --pipeline D: with each answer, or D at once when all were answered
    /// [default: one-by-one]
    #[arg(long, value_name = "one-by-one|batches", requires = "pipeline", value_parser = refill)]
    pub refill: Option<Refill>,
    /// Send the body in chunks of at most so many bytes (http)
    #[arg(long, value_name = "BYTES", requires = "body", value_parser = clap::value_parser!(u32).range(1..))]
    pub chunk_size: Option<u32>,
    /// Ask for content codings; every answer must have one of them, and is decoded before it is compared (http, h2c)
    #[arg(long, value_name = "gzip,br", value_delimiter = ',', value_parser = ["gzip", "br"])]
    pub encoding: Vec<String>,
    /// Send the request that a file holds, byte for byte; several in turn (http)
    #[arg(long, value_name = "FILE", value_delimiter = ',', conflicts_with_all = ["method", "headers", "body", "fresh"])]
    pub raw: Vec<String>,
    /// Connect to this Unix socket, whatever host the URL names
    #[arg(long, value_name = "PATH")]
    pub unix_socket: Option<PathBuf>,
    /// List percentiles of latency, up to the highest with enough samples
    #[arg(long)]
    pub latency: bool,
    /// The number of generator processes, with --from of each agent [default: as few as can open a file for each connection]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub processes: Option<u32>,
}

/// A way to refill, by its name.
fn refill(text: &str) -> Result<Refill, String> {
    let found = Refill::ALL.into_iter().find(|one| one.name() == text);
    found.ok_or_else(|| {
        let names = Refill::ALL.map(Refill::name);
        format!("expected {}", names.join(" or "))
    })
}

impl LoadArgs {
    /// The request that the options make.
    pub fn request(&self) -> LoadRequest {
        let (more, versus) = (&self.more, &self.versus);
        let usual = Comparison::default();
        LoadRequest {
            urls: self.urls.clone(),
            http: more.http.map(|http| match http {
                Http::One => HttpVersion::One,
                Http::Two => HttpVersion::Two,
            }),
            tls: TlsRequest {
                insecure: self.tls.insecure,
                cacert: self.tls.cacert.clone().map(Authorities::File),
                sni: self.tls.sni.clone(),
                resume: self.tls.resume,
            },
            remote: self.remote,
            at: more.unix_socket.clone().map(Whereabouts::Unix),
            files: Files::Here,
            requests: Requests {
                method: self.method.clone(),
                headers: self.headers.clone(),
                body: self.body.clone(),
                chunk_size: more.chunk_size,
                encoding: more.encoding.clone(),
                raw: more.raw.clone(),
                send: self.send.clone(),
                expect: self.expect.clone(),
                server_streaming: more.server_streaming,
                status: more.status,
                any_body: more.any_body,
                check_whole: more.check_whole,
                fresh: more.fresh,
            },
            connections: self.connections,
            in_flight: match (self.pipeline, self.streams) {
                (Some(depth), _) => InFlight::Pipelined(depth),
                (None, Some(streams)) => InFlight::Streams(streams),
                (None, None) => InFlight::One,
            },
            refill: more.refill.unwrap_or_default(),
            renew_after: more.renew_after,
            rate: self.rate.map(|rate| PerSecond(rate.0)),
            programs: self.programs,
            count: self.requests,
            duration: self.duration.map(|duration| duration.0),
            processes: more.processes,
            cores: self.cores.as_ref().map(|cores| cores.0.clone()),
            timeout: self.timeout.0,
            // No two loads send in the same rhythm.
            seed: versus.seed.unwrap_or_else(clock::seed),
            comparison: Comparison {
                names: versus.names.clone(),
                baseline: versus.baseline.clone(),
                margin: versus.margin.map_or(usual.margin, |margin| margin.0),
                alpha: versus.alpha.map_or(usual.alpha, |alpha| alpha.0),
            },
        }
    }
}
