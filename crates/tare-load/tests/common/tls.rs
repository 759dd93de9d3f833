//! A server that ends TLS before one in clear, and misbehaves where it is asked to.
#![allow(dead_code, reason = "each test file uses some")]

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

use rustls::version::TLS13;
use rustls::{ServerConfig, ServerConnection};
use tare_load::Address;
use tare_tls::{Client, ClientOptions, Protocol, Trust};

#[path = "../../../tare-tls/src/tests/authority.rs"]
pub mod authority;

use authority::{Authority, server};

/// How a server ends TLS.
#[derive(Debug, Clone, Copy, Default)]
pub struct Manner {
    /// Whether it closes without close_notify.
    pub rude: bool,
    /// The piece of what it sends, from 0, that is changed on its way.
    pub spoils: Option<usize>,
}

/// An authority, its certificate for this machine, and what a server speaks.
pub fn tls13(protocols: &[&str]) -> (Authority, ServerConfig) {
    let authority = Authority::new("ours");
    let config = server(authority.here(), protocols, &[&TLS13]);
    (authority, config)
}

/// A client that trusts an authority.
pub fn trusting(authority: &Authority, protocol: Protocol, resume: bool) -> Client {
    Client::new(&ClientOptions {
        name: "127.0.0.1".to_owned(),
        protocol,
        trust: Trust::Bundle(authority.pem().into_bytes()),
        resume,
    })
    .unwrap()
}

/// A server before the one at `behind`.
pub fn front(config: ServerConfig, behind: &Address, manner: Manner) -> Address {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    front_at(listener, Some(config), behind, manner);
    address.into()
}

/// The same where it listens already; without a configuration in clear.
pub fn front_at(listener: TcpListener, config: Option<ServerConfig>, behind: &Address, manner: Manner) {
    let Address::Ip(behind) = *behind else {
        panic!("a server of TCP stands behind")
    };
    let config = config.map(Arc::new);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            stream.set_nodelay(true).unwrap();
            let config = config.clone();
            thread::spawn(move || match config {
                Some(config) => converse(stream, config, behind, manner),
                None => pass(&stream, behind),
            });
        }
    });
}

/// Passes on what both sides say.
fn pass(stream: &TcpStream, behind: SocketAddr) -> Option<()> {
    let inner = TcpStream::connect(behind).ok()?;
    inner.set_nodelay(true).ok()?;
    let (mut from, mut to) = (inner.try_clone().ok()?, stream.try_clone().ok()?);
    thread::spawn(move || {
        let _ = std::io::copy(&mut from, &mut to);
        to.shutdown(Shutdown::Both)
    });
    let _ = std::io::copy(&mut &*stream, &mut &inner);
    inner.shutdown(Shutdown::Write).ok()
}

/// The connection of a client, which two threads hold.
struct Secured {
    stream: TcpStream,
    tls: Mutex<ServerConnection>,
}

impl Secured {
    fn tls(&self) -> MutexGuard<'_, ServerConnection> {
        self.tls.lock().unwrap()
    }

    /// Takes received bytes, and appends what they carry.
    fn take(&self, mut bytes: &[u8], plain: &mut Vec<u8>) -> Result<(), rustls::Error> {
        let mut tls = self.tls();
        while !bytes.is_empty() {
            tls.read_tls(&mut bytes).unwrap();
            let taken = tls.process_new_packets();
            // "Would block" where there is nothing more. It holds no more than a record.
            let _ = tls.reader().read_to_end(plain);
            self.flush(&mut tls, false);
            taken?;
        }
        Ok(())
    }

    /// Sends what TLS has to send; returns whether that went.
    fn flush(&self, tls: &mut ServerConnection, spoilt: bool) -> bool {
        let mut wire = Vec::new();
        while tls.wants_write() {
            tls.write_tls(&mut wire).unwrap();
        }
        if spoilt {
            *wire.last_mut().unwrap() ^= 1;
        }
        (&self.stream).write_all(&wire).is_ok()
    }
}

fn converse(stream: TcpStream, config: Arc<ServerConfig>, behind: SocketAddr, manner: Manner) -> Option<()> {
    let mut tls = ServerConnection::new(config).unwrap();
    tls.set_buffer_limit(None);
    while tls.is_handshaking() {
        if tls.complete_io(&mut &stream).is_err() {
            // An alert, and then what the client still says.
            let _ = tls.write_tls(&mut &stream);
            let _ = (&stream).read(&mut [0; 1024]);
            return None;
        }
    }
    let mut inner = TcpStream::connect(behind).ok()?;
    inner.set_nodelay(true).ok()?;
    let secured = Arc::new(Secured {
        stream,
        tls: Mutex::new(tls),
    });
    let (back, from) = (secured.clone(), inner.try_clone().ok()?);
    thread::spawn(move || answer(&back, from, manner));
    let mut plain = Vec::new();
    loop {
        // What came with the handshake comes first.
        let _ = secured.tls().reader().read_to_end(&mut plain);
        inner.write_all(&plain).ok()?;
        plain.clear();
        let mut bytes = vec![0; 64 << 10];
        let len = (&secured.stream).read(&mut bytes).unwrap_or(0);
        let taken = secured.take(&bytes[..len], &mut plain);
        if len == 0 || taken.is_err() {
            let _ = inner.shutdown(Shutdown::Both);
            return None;
        }
    }
}

/// Sends what the server in clear says.
fn answer(secured: &Secured, mut from: TcpStream, manner: Manner) {
    let mut bytes = vec![0; 64 << 10];
    for piece in 0.. {
        let len = from.read(&mut bytes).unwrap_or(0);
        let mut tls = secured.tls();
        if len == 0 {
            if !manner.rude {
                tls.send_close_notify();
                secured.flush(&mut tls, false);
            }
            let _ = secured.stream.shutdown(Shutdown::Write);
            return;
        }
        tls.writer().write_all(&bytes[..len]).unwrap();
        if !secured.flush(&mut tls, manner.spoils == Some(piece)) {
            return;
        }
    }
}
