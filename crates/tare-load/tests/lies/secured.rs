//! TLS before the servers of the matrix.

use std::sync::LazyLock;

use rustls::ServerConfig;
use tare_load::{Address, Work};
use tare_tls::{Client, Protocol as Alpn};

use crate::protocol::Protocol;
use crate::tls::{self, Manner};

struct Both {
    server: ServerConfig,
    http1: Client,
    http2: Client,
}

static BOTH: LazyLock<Both> = LazyLock::new(|| {
    let (authority, server) = tls::tls13(&["http/1.1", "h2"]);
    let client = |protocol| tls::trusting(&authority, protocol, false);
    Both {
        server,
        http1: client(Alpn::Http1),
        http2: client(Alpn::Http2),
    }
});

/// A server that ends TLS before the one at `behind`.
pub fn front(behind: &Address) -> Address {
    tls::front(BOTH.server.clone(), behind, Manner::default())
}

/// The job over TLS.
pub fn over_tls(protocol: Protocol, work: Work) -> Work {
    let client = match protocol {
        Protocol::H2 => &BOTH.http2,
        _ => &BOTH.http1,
    };
    work.over_tls(client.clone())
}
