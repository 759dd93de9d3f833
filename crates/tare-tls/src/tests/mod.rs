//! A client here against a server by rustls, in memory.

mod authority;
mod fuzz;
mod records;
mod wrong;

use std::io::Read;
use std::sync::Arc;

use authority::{Authority, server, server_by};
use rustls::version::{TLS12, TLS13};
use rustls::{ServerConfig, ServerConnection, SupportedProtocolVersion};
use tare_model::fault::{Fault, FaultKind};

use crate::{Client, ClientOptions, Protocol, Secured, Session, Step, Trust};

/// A client and a server with all that went between them.
struct Pair {
    client: Session,
    server: ServerConnection,
    secured: Option<Secured>,
    to_server: Vec<u8>,
    /// Plain bytes that each has received.
    at_client: Vec<u8>,
    at_server: Vec<u8>,
    ended: bool,
}

fn client(trust: Trust, protocol: Protocol) -> Client {
    let options = ClientOptions {
        name: "localhost".to_owned(),
        protocol,
        trust,
        resume: false,
    };
    Client::new(&options).unwrap()
}

/// A client that trusts an authority, and a server with a certificate of that.
fn both(protocols: &[&str], version: &'static SupportedProtocolVersion) -> (Client, ServerConfig) {
    let authority = Authority::new("ours");
    let config = server(authority.here(), protocols, &[version]);
    let trust = Trust::Bundle(authority.pem().into_bytes());
    let protocol = if protocols.contains(&"h2") {
        Protocol::Http2
    } else {
        Protocol::Http1
    };
    (client(trust, protocol), config)
}

impl Pair {
    fn new(client: &Client, config: ServerConfig) -> Self {
        Self::with(client, &Arc::new(config))
    }

    fn with(client: &Client, config: &Arc<ServerConfig>) -> Self {
        let mut to_server = Vec::new();
        Self {
            client: Session::begin(client, &mut to_server).unwrap(),
            server: ServerConnection::new(config.clone()).unwrap(),
            secured: None,
            to_server,
            at_client: Vec::new(),
            at_server: Vec::new(),
            ended: false,
        }
    }

    /// A pair after the handshake.
    fn open(client: &Client, config: ServerConfig) -> Self {
        let mut pair = Self::new(client, config);
        pair.talk(usize::MAX).unwrap();
        assert!(pair.secured.is_some(), "the handshake is complete");
        pair
    }

    /// Lets both talk until nothing more is said; the client receives at most so many bytes at a time.
    fn talk(&mut self, at_a_time: usize) -> Result<(), Fault> {
        loop {
            self.feed_server();
            let mut wire = Vec::new();
            while self.server.wants_write() {
                self.server.write_tls(&mut wire).unwrap();
            }
            if wire.is_empty() && self.to_server.is_empty() {
                return Ok(());
            }
            for piece in wire.chunks(at_a_time) {
                self.feed_client(piece)?;
            }
        }
    }

    fn feed_server(&mut self) {
        let bytes = std::mem::take(&mut self.to_server);
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            self.server.read_tls(&mut rest).unwrap();
            // What it does not accept it answers with an alert.
            if self.server.process_new_packets().is_err() {
                return;
            }
            let _ = self.server.reader().read_to_end(&mut self.at_server);
        }
    }

    fn feed_client(&mut self, received: &[u8]) -> Result<(), Fault> {
        let mut bytes = [self.client.kept(), received].concat();
        let mut at = 0;
        loop {
            match self.client.take(&mut bytes[at..], &mut self.to_server)? {
                Step::More => return Ok(()),
                Step::Silent(len) => at += len,
                Step::Plain(plain, len) => {
                    self.at_client
                        .extend_from_slice(&bytes[at + plain.start..at + plain.end]);
                    at += len;
                }
                Step::Secured(secured) => {
                    self.at_client.extend_from_slice(&secured.early);
                    self.secured = Some(*secured);
                    return Ok(());
                }
                Step::Ended => {
                    self.ended = true;
                    return Ok(());
                }
            }
        }
    }

    fn say(&mut self, bytes: &[u8]) {
        use std::io::Write;
        self.server.writer().write_all(bytes).unwrap();
    }
}

#[test]
fn both_versions_are_spoken_whatever_the_pieces() {
    let large: Vec<u8> = (0..100_000_u32).map(|n| n as u8).collect();
    for version in [&TLS13, &TLS12] {
        for at_a_time in [1, 7, 4096, usize::MAX] {
            let (client, config) = both(&["http/1.1"], version);
            let mut pair = Pair::new(&client, config);
            pair.server.set_buffer_limit(None);
            pair.talk(at_a_time).unwrap();
            pair.client.seal(&large, &mut pair.to_server).unwrap();
            pair.say(b"hello");
            pair.talk(at_a_time).unwrap();
            pair.say(&large);
            pair.say(b"end");
            pair.server.send_close_notify();
            pair.talk(at_a_time).unwrap();
            assert_eq!(pair.at_server, large, "{version:?}");
            assert_eq!(
                pair.at_client,
                [&b"hello"[..], &large, b"end"].concat(),
                "{version:?}"
            );
            assert!(pair.ended && pair.client.ended());
            pair.client.end(&mut pair.to_server);
            pair.feed_server();
            assert!(!pair.server.wants_read(), "the client has ended it, too");
        }
    }
}

#[test]
fn what_was_agreed_is_known() {
    for (version, named, suite) in [
        (&TLS13, "TLS 1.3", "TLS_AES_128_GCM_SHA256"),
        (&TLS12, "TLS 1.2", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"),
    ] {
        let (client, mut config) = both(&["http/1.1", "h2"], version);
        // As servers do that leave the choice to the client.
        config.ignore_client_order = false;
        let secured = Pair::open(&client, config).secured.unwrap();
        let agreed = secured.agreed;
        assert_eq!((agreed.version.as_str(), agreed.suite.as_str()), (named, suite));
        assert_eq!(
            (agreed.group.as_deref(), agreed.alpn.as_deref()),
            (Some("X25519"), Some("h2"))
        );
        assert!(!secured.resumed);
    }
    // A server that chooses nothing speaks HTTP/1.1.
    let (client, config) = both(&[], &TLS13);
    assert_eq!(Pair::open(&client, config).secured.unwrap().agreed.alpn, None);
}

#[test]
fn every_suite_that_is_offered_is_spoken() {
    let (offering, _) = both(&[], &TLS13);
    for suite in &offering.config.crypto_provider().cipher_suites {
        let mut provider = rustls::crypto::aws_lc_rs::default_provider();
        provider.cipher_suites = vec![*suite];
        let authority = Authority::new("ours");
        let config = server_by(provider, authority.here(), &[suite.version()]);
        // The certificate has a key for ECDSA.
        if format!("{suite:?}").contains("_RSA_") {
            continue;
        }
        let client = client(Trust::Bundle(authority.pem().into_bytes()), Protocol::Http1);
        let mut pair = Pair::open(&client, config);
        pair.client.seal(b"ping", &mut pair.to_server).unwrap();
        pair.say(b"pong");
        pair.talk(3).unwrap();
        assert_eq!(
            (&pair.at_server[..], &pair.at_client[..]),
            (&b"ping"[..], &b"pong"[..]),
            "{suite:?}"
        );
    }
}

/// The first handshake begins twice, and all further ones with the group that the server wants.
#[test]
fn another_group_is_agreed_on_and_remembered() {
    let mut provider = rustls::crypto::aws_lc_rs::default_provider();
    provider.kx_groups = vec![rustls::crypto::aws_lc_rs::kx_group::SECP384R1];
    let authority = Authority::new("ours");
    let config = Arc::new(server_by(provider, authority.here(), &[&TLS13]));
    let client = client(Trust::Bundle(authority.pem().into_bytes()), Protocol::Http1);
    let kinds = [(); 2].map(|()| {
        let mut pair = Pair::with(&client, &config);
        pair.talk(usize::MAX).unwrap();
        let group = pair.secured.unwrap().agreed.group;
        assert_eq!(group.as_deref(), Some("secp384r1"));
        pair.server.handshake_kind().unwrap()
    });
    use rustls::HandshakeKind::{Full, FullWithHelloRetryRequest};
    assert_eq!(kinds, [FullWithHelloRetryRequest, Full]);
}

/// As many as there are connections at a time, and more than rustls itself would keep.
#[test]
fn tickets_are_kept_for_many_connections() {
    let authority = Authority::new("ours");
    let mut config = server(authority.here(), &[], &[&TLS13]);
    config.ticketer = rustls::crypto::aws_lc_rs::Ticketer::new().unwrap();
    let config = Arc::new(config);
    let client = Client::new(&ClientOptions {
        name: "localhost".to_owned(),
        protocol: Protocol::Http1,
        trust: Trust::Bundle(authority.pem().into_bytes()),
        resume: true,
    })
    .unwrap();
    for round in [false, true] {
        let mut pairs: Vec<Pair> = (0..20).map(|_| Pair::with(&client, &config)).collect();
        for pair in &mut pairs {
            pair.talk(usize::MAX).unwrap();
            // What came with the last flight.
            pair.say(b"x");
            pair.talk(usize::MAX).unwrap();
        }
        let resumed = |pair: &Pair| pair.secured.as_ref().is_some_and(|secured| secured.resumed);
        assert!(pairs.iter().all(|pair| resumed(pair) == round), "{round}");
    }
}

#[test]
fn a_session_is_resumed_where_that_is_asked_for() {
    for version in [&TLS13, &TLS12] {
        let authority = Authority::new("ours");
        let mut config = server(authority.here(), &[], &[version]);
        config.ticketer = rustls::crypto::aws_lc_rs::Ticketer::new().unwrap();
        let config = Arc::new(config);
        for resume in [true, false] {
            let client = Client::new(&ClientOptions {
                name: "localhost".to_owned(),
                protocol: Protocol::Http1,
                trust: Trust::Bundle(authority.pem().into_bytes()),
                resume,
            })
            .unwrap();
            let resumed = [(); 3].map(|()| {
                let mut pair = Pair::with(&client, &config);
                // A ticket comes with the first bytes after the handshake.
                pair.talk(usize::MAX).unwrap();
                pair.say(b"x");
                pair.talk(5).unwrap();
                assert_eq!(pair.at_client, b"x");
                pair.secured.unwrap().resumed
            });
            assert_eq!(resumed, [false, resume, resume], "{version:?}");
        }
    }
}

#[test]
fn keys_are_replaced_in_the_middle() {
    let (client, config) = both(&[], &TLS13);
    let mut pair = Pair::open(&client, config);
    for round in 0..5 {
        pair.server.refresh_traffic_keys().unwrap();
        pair.say(b"a");
        pair.talk(2).unwrap();
        pair.client.seal(b"b", &mut pair.to_server).unwrap();
        pair.talk(2).unwrap();
        let expected = round + 1;
        assert_eq!((pair.at_client.len(), pair.at_server.len()), (expected, expected));
    }
}
