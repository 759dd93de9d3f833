//! Why servers cannot be loaded.

use std::io;
use std::net::SocketAddr;

use tare_load::BadJob;
use tare_tls::BadTls;

/// Why servers cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum ServersError {
    /// A text is no URL of a server that can be loaded.
    #[error("`{0}` is not a target")]
    NoTarget(String),
    /// A text names a host and no scheme.
    #[error("`{0}` is not a URL: it has no scheme")]
    NoScheme(String),
    /// Connections over TLS cannot be made.
    #[error("{url}: {source}")]
    Tls {
        /// As it was typed.
        url: String,
        /// What is wrong.
        source: BadTls,
    },
    /// The file of authorities cannot be read.
    #[error("`{path}` (--cacert) cannot be read: {source}")]
    CaCert {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// An option is about TLS, and no connection is over it.
    #[error("{0} is about TLS, and no connection is over it")]
    InClear(&'static str),
    /// The version of HTTP that is asked for is not that of the scheme.
    #[error("`{url}` is reached by HTTP/{of_scheme}, and --http asks for another")]
    OtherHttp {
        /// As it was typed.
        url: String,
        /// The version that the scheme says.
        of_scheme: &'static str,
    },
    /// No server is where it was said to be.
    #[error("nothing listens at {address}, for {url}: {source}")]
    NobodyListens {
        /// As it was typed.
        url: String,
        /// Where that is.
        address: String,
        /// What the system said.
        source: io::Error,
    },
    /// A URL names a user.
    #[error("`{0}` names a user")]
    User(String),
    /// A URL names no host, or no port where a colon says that there is one.
    #[error("`{authority}` in `{url}` is not a host and port")]
    NoHost {
        /// The part of the URL.
        authority: String,
        /// The URL.
        url: String,
    },
    /// A URL must name a port, and does not.
    #[error("`{0}` names no port")]
    NoPort(String),
    /// A host is not found.
    #[error("`{host}` cannot be found: {source}")]
    NotFound {
        /// The host.
        host: String,
        /// What the system said.
        source: io::Error,
    },
    /// A host is found, and has no address.
    #[error("`{0}` has no address")]
    NoAddress(String),
    /// A server is on another machine, and nobody said that it may be loaded.
    #[error("{0} is not on this machine")]
    Remote(SocketAddr),
    /// The file of a body or message cannot be read.
    #[error("`{path}` cannot be read: {source}")]
    Body {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// A file that a part of a load names is not in it.
    #[error("the file `{0}` did not come along")]
    NotBrought(String),
    /// An option means nothing for servers of another kind.
    #[error("{option} is for {schemes} targets")]
    Kind {
        /// The option.
        option: &'static str,
        /// The kinds that it is for.
        schemes: &'static str,
    },
    /// A connection for each request has one in flight.
    #[error("--fresh has one request in flight: leave out --pipeline")]
    FreshInFlight,
    /// A connection for each request has no number of them.
    #[error("a batch has a number of requests on each connection: leave out --fresh")]
    FreshBatch,
    /// A batch whose connections are renewed.
    #[error("a batch has a number of requests on each connection: leave out --renew-after")]
    RenewedBatch,
    /// Batches of requests at a rate.
    #[error("at a rate each request is sent when it is due: leave out --refill")]
    BatchesAtRate,
    /// Raw requests to a URL with a path.
    #[error("raw requests have paths of their own, and `{0}` has one, too")]
    RawPath(String),
    /// Not one expected answer for each raw request.
    #[error(
        "{expects} expected answers for {requests} requests: give --expect once for each, in their order, or not at all"
    )]
    Expects {
        /// Requests.
        requests: usize,
        /// Expected answers.
        expects: usize,
    },
    /// A message to expect without one to send.
    #[error("a WebSocket needs a message that is sent: --send TEXT")]
    NoMessage,
    /// A stream of messages as one text.
    #[error("a stream of messages is not one text: --expect @FILE")]
    StreamAsText,
    /// A text is no header field.
    #[error("`{0}` is not a header field")]
    NoHeader(String),
    /// A line to send without one to expect, or the other way round.
    #[error("a line that is sent needs one that is expected: --send LINE --expect LINE")]
    HalfLine,
    /// What is asked for cannot be sent.
    #[error(transparent)]
    Job(BadJob),
    /// A batch at a rate.
    #[error("a batch has no rate: give either --programs or --rate")]
    BatchAtRate,
    /// More requests on a connection than are counted.
    #[error("{0} requests on a connection are too many for a batch")]
    TooMany(u64),
    /// A batch by several processes.
    #[error("a batch is driven by one process: leave out --processes")]
    BatchByProcesses,
    /// More processes than connections.
    #[error("a process without a connection has nothing to do: fewer --processes")]
    IdleProcess,
    /// A batch by agents.
    #[error("a batch is driven by one process of this machine: leave out --from, or --programs")]
    BatchByAgents,
    /// One agent for two.
    #[error("the agent at {0} is named twice")]
    AgentTwice(String),
    /// A Unix socket by agents.
    #[error("a Unix socket is on one machine, and cannot be loaded from others")]
    SocketByAgents,
    /// More agents than connections.
    #[error("an agent without a connection has nothing to do: more connections, or fewer agents")]
    IdleAgent,
    /// An address of this machine alone, by agents elsewhere.
    #[error("{server} is an address within one machine, and the agent at {agent} is on another")]
    Within {
        /// The server.
        server: SocketAddr,
        /// The agent.
        agent: SocketAddr,
    },
    /// Servers of different kinds.
    #[error("servers of different kinds do not do the same, and cannot be compared")]
    DifferentJobs,
}

impl ServersError {
    /// What helps, where the error does not say it.
    pub(crate) fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NoScheme(text) => {
                return Some(format!(
                    "did you mean `http://{text}`? for a server of lines: `tcp://{text}`"
                ));
            }
            Self::NoTarget(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
                return Some(format!(
                    "a rate is -R {text} (-q prints less), connections are -c {text}, requests -n {text}"
                ));
            }
            Self::Tls { source, .. } => return tls_hint(source),
            Self::InClear(_) => "leave it out, or load a server by https://, h2://, grpcs:// or wss://",
            Self::OtherHttp { .. } => "leave out --http, or write http:// or https://, which may be either",
            Self::NobodyListens { .. } => {
                "start the server first, or correct the port; `ss -tlnp` lists what listens on this machine"
            }
            Self::NoTarget(_) => {
                "expected http://HOST:PORT/PATH, h2c:// (HTTP/2), grpc://HOST:PORT/SERVICE/METHOD, ws://, over TLS https://, h2://, \
                 grpcs://, wss://; or tcp://HOST:PORT for lines"
            }
            Self::User(_) => "send it as a header field: -H 'Authorization: Basic …'",
            Self::NoHost { .. } => {
                "expected HOST or HOST:PORT, of an IPv6 address [::1] or [::1]:PORT; a port is from 1 to 65535"
            }
            Self::NotFound { .. } | Self::NoAddress(_) => {
                "correct the name, or write the address instead; a server of this machine is at localhost"
            }
            Self::NoPort(_) => "as in tcp://localhost:7000",
            Self::Remote(_) => "load only what is yours to load; if it is, say --remote",
            Self::Body { .. } => {
                "what follows an @ is the name of a file; a text that begins with @ is sent from one, too"
            }
            Self::Within { .. } => {
                "let the server listen on an address of the network, and name that in the URL"
            }
            Self::DifferentJobs => {
                "what is asked by HTTP can be compared, whatever its version and with or without TLS; all others with their own kind"
            }
            Self::StreamAsText => {
                "the file holds the messages that must come, each behind its prefix of five bytes (a 0, and its length in \
                 four); without --expect they must be those of the first answer"
            }
            Self::RawPath(_) => "as in http://127.0.0.1:8080/",
            Self::NoHeader(_) => "expected one as in -H 'Accept: text/plain'",
            _ => return None,
        };
        Some(hint.to_owned())
    }
}

fn tls_hint(error: &BadTls) -> Option<String> {
    let hint = match error {
        BadTls::Name(_) => "--sni NAME gives the name that the certificate is for",
        BadTls::Bundle(_) => "--cacert takes a file of certificates in PEM: -----BEGIN CERTIFICATE-----",
        BadTls::NoRoots(_) => {
            "install them (Debian: ca-certificates); or --cacert FILE trusts one, --insecure checks none"
        }
        BadTls::Refused(_) => return None,
    };
    Some(hint.to_owned())
}
