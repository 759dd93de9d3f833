//! A server that follows a script at each request of each connection.

use std::io::{BufRead, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use tare_load::Address;

use crate::protocol::Protocol;
use crate::secured;
use crate::sockets::{Family, Listener, Stream};

/// One thing that a server does.
#[derive(Debug, Clone)]
pub enum Act {
    /// Sends bytes, in one write.
    Say(Vec<u8>),
    /// Sends bytes, this number of them in each write.
    Dribble(Vec<u8>, usize),
    /// Sends bytes again and again, until the other side has closed.
    Forever(Vec<u8>),
    /// Closes in order.
    Close,
    /// Ends its own direction, and continues to read.
    EndDirection,
    /// Sends nothing more, and continues to read.
    Mute,
}

/// How it takes connections.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Door {
    Open,
    /// Each connection waits in the backlog for a while.
    Slow,
    /// No connection is ever accepted.
    Shut,
    /// It stops listening after this number of connections.
    Limit(usize),
    /// It accepts connections beyond this number, and closes them at once.
    TurnsAway(usize),
}

/// What it does at the n-th request of a connection (from 0), given the right answers up to that one, of which only the last
/// two are kept.
pub type Script = dyn Fn(usize, &[Vec<u8>]) -> Vec<Act> + Send + Sync;

/// A server with its script.
#[derive(Clone)]
pub struct Server {
    pub protocol: Protocol,
    pub family: Family,
    /// Whether each request has a connection of its own: then requests are counted over all of them.
    pub fresh: bool,
    pub door: Door,
    /// What it sends on each connection before any request.
    pub greeting: Vec<u8>,
    /// The request of a connection at whose first byte the connection is reset.
    pub reset: Option<usize>,
    pub script: Arc<Script>,
}

/// A running server; it takes no more connections after this is dropped.
pub struct Serving {
    pub address: Address,
    /// Where it listens itself.
    behind: Address,
    over: Arc<AtomicBool>,
}

impl Server {
    pub fn start(self) -> Serving {
        let (listener, behind) = Listener::bind(self.family).unwrap();
        let address = match self.family {
            Family::Tls => secured::front(&behind),
            _ => behind.clone(),
        };
        let over = Arc::new(AtomicBool::new(false));
        let ended = over.clone();
        thread::spawn(move || self.accept(listener, &ended));
        Serving {
            address,
            behind,
            over,
        }
    }

    fn accept(self, listener: Listener, over: &AtomicBool) {
        let open = Arc::new(AtomicUsize::new(0));
        for number in 0.. {
            match self.door {
                Door::Shut => while_not(over),
                // So that connections wait; no result depends on how long.
                Door::Slow => thread::sleep(Duration::from_millis(20)),
                Door::Limit(most) if number == most => return,
                _ => {}
            }
            let Ok(stream) = listener.accept() else {
                return;
            };
            if over.load(Ordering::Relaxed) {
                return;
            }
            match self.door {
                Door::TurnsAway(most) if open.load(Ordering::SeqCst) >= most => continue,
                _ => open.fetch_add(1, Ordering::SeqCst),
            };
            let (server, open) = (self.clone(), open.clone());
            let before = if self.fresh { number } else { 0 };
            let thread = thread::Builder::new().stack_size(128 << 10);
            let serve = move || {
                server.converse(stream, before);
                open.fetch_sub(1, Ordering::SeqCst);
            };
            thread.spawn(serve).unwrap();
        }
    }

    /// `before`: the number of requests that came over other connections.
    fn converse(&self, stream: Stream, before: usize) {
        let mut out = stream.try_clone().unwrap();
        // Unread bytes turn a close into a reset, so not one byte too many may be read.
        let ahead = if self.reset.is_some() { 1 } else { 64 << 10 };
        let mut requests = BufReader::with_capacity(ahead, stream);
        if out.write_all(&self.greeting).is_err() || !self.protocol.open(&mut requests, &mut out) {
            return;
        }
        let mut rights: Vec<Vec<u8>> = Vec::new();
        for n in before.. {
            if self.reset == Some(n) {
                let _ = requests.read_exact(&mut [0]);
                return;
            }
            let Some(right) = self.protocol.read(&mut requests) else {
                return;
            };
            // Large answers would fill the memory.
            if let Some(old) = rights.len().checked_sub(2) {
                rights[old] = Vec::new();
            }
            rights.push(right);
            for act in (self.script)(n, &rights) {
                if !act.done(&mut out, &mut requests) {
                    return;
                }
            }
        }
    }
}

impl Act {
    /// Does it. Returns whether the conversation continues.
    fn done(&self, out: &mut Stream, requests: &mut impl BufRead) -> bool {
        match self {
            Self::Say(bytes) => out.write_all(bytes).is_ok(),
            Self::Dribble(bytes, size) => bytes.chunks(*size).all(|piece| out.write_all(piece).is_ok()),
            Self::Forever(bytes) => {
                while out.write_all(bytes).is_ok() {}
                false
            }
            Self::Close => {
                out.end(true);
                false
            }
            Self::EndDirection => {
                out.end(false);
                linger(requests)
            }
            Self::Mute => linger(requests),
        }
    }
}

/// Reads until the other side closes.
fn linger(requests: &mut impl Read) -> bool {
    let _ = std::io::copy(requests, &mut std::io::sink());
    false
}

fn while_not(over: &AtomicBool) {
    while !over.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(5));
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        // Wakes a thread that waits in `accept`.
        Stream::knock(&self.behind);
    }
}
