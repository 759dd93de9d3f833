//! The state of one connection: small, since a load may have thousands.

use tare_tls::Session;

use crate::reactor::Socket;
use crate::show;
use crate::wire::Progress;

/// The stages of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// Not opened yet.
    New,
    /// The server closed it while nothing was outstanding; it will be opened again.
    Stale,
    /// Being opened.
    Opening,
    /// Open, and the TLS handshake is under way.
    Securing,
    /// Open, and the server has not sent its greeting yet.
    Greeting,
    /// Open.
    Ready,
    /// The farewell was sent; the server must close.
    Leaving,
    /// Closed for good.
    Done,
}

/// A connection.
#[derive(Debug)]
pub(crate) struct Conn {
    pub(crate) socket: Option<Socket>,
    /// TLS, from the beginning of its handshake on; none in clear.
    pub(crate) tls: Option<Box<Session>>,
    pub(crate) state: State,
    /// Requests outstanding.
    pub(crate) in_flight: u32,
    /// Requests that may still be sent on it; `u32::MAX`: no limit.
    pub(crate) left: u32,
    /// The oldest entry of the ring.
    head: u32,
    /// The request that was answered last on it, as a number in the request pool.
    pub(crate) answered: Option<u32>,
    /// Whether it was opened, or an answer came on it, in this slice. Otherwise the server may have closed it for idleness
    /// at the moment that a request was sent.
    pub(crate) proven: bool,
    /// The load program that it belongs to (batch), or the number of its source address, where that is chosen.
    pub(crate) program: u32,
    /// Bytes that the tail must have before it is judged again.
    pub(crate) need: usize,
    /// Bytes of the current answer that come next and need not be looked at.
    pub(crate) skip: usize,
    /// The part of the current answer that was taken, and its length in bytes.
    pub(crate) judged: Progress,
    pub(crate) taken: u64,
    /// When it last made progress (ns since the slice's start): a request sent while idle, an answer, another stage.
    pub(crate) progress: u64,
    /// Received bytes of an answer that were not taken yet.
    pub(crate) tail: Vec<u8>,
    /// Bytes that the kernel has not accepted yet.
    pub(crate) unsent: Vec<u8>,
}

/// An outstanding request.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PendingRequest {
    /// When it was meant to be sent (ns since the slice's start): latency counts from here.
    pub(crate) intended: u64,
    /// Its number in the request pool.
    pub(crate) request: u32,
}

impl Conn {
    pub(crate) fn new(program: u32) -> Self {
        Self {
            socket: None,
            tls: None,
            state: State::New,
            in_flight: 0,
            left: u32::MAX,
            head: 0,
            answered: None,
            proven: true,
            program,
            need: 0,
            skip: 0,
            judged: Progress::Start,
            taken: 0,
            progress: 0,
            tail: Vec::new(),
            unsent: Vec::new(),
        }
    }

    /// Closes the socket and forgets what was received.
    pub(crate) fn close(&mut self, state: State) {
        self.end_tls();
        *self = Self {
            state,
            ..Self::new(self.program)
        };
    }

    /// Tells the server that nothing more comes, where that goes out at once.
    pub(crate) fn end_tls(&mut self) {
        if let (Some(socket), Some(session)) = (&self.socket, &mut self.tls)
            && self.unsent.is_empty()
        {
            let mut out = Vec::new();
            session.end(&mut out);
            let _ = socket.send(&out);
        }
    }

    /// Starts over with a ring that may have another size; nothing is outstanding. What is still being opened is closed: its
    /// times are of another slice.
    pub(crate) fn rewind(&mut self) {
        debug_assert_eq!(self.in_flight, 0);
        self.head = 0;
        if matches!(self.state, State::Opening | State::Securing) {
            self.close(State::New);
        }
    }

    /// Counts requests that were sent on it.
    #[inline]
    pub(crate) fn uses(&mut self, requests: u32) {
        if self.left != u32::MAX {
            self.left -= requests;
        }
    }

    /// Whether it has had all the requests that it may have, and their answers.
    #[inline]
    pub(crate) fn is_used_up(&self) -> bool {
        self.left == 0 && self.in_flight == 0
    }

    /// Whether requests can be written.
    pub(crate) fn writable(&self) -> bool {
        self.state == State::Ready && self.unsent.is_empty()
    }

    /// Whether anything can be written on the connection of a dialog.
    pub(crate) fn speaks(&self) -> bool {
        matches!(self.state, State::Greeting | State::Ready) && self.unsent.is_empty()
    }

    /// Whether it waits for the server: for an answer, the end of opening, a handshake, a greeting, or a close.
    pub(crate) fn waits(&self) -> bool {
        use State::{Greeting, Leaving, Opening, Securing};
        self.in_flight > 0 || matches!(self.state, Opening | Securing | Greeting | Leaving)
    }

    /// The oldest outstanding request; `ring` is the ring of this connection, with `depth` entries.
    #[inline]
    pub(crate) fn front(&self, ring: &[PendingRequest]) -> PendingRequest {
        ring[self.head as usize]
    }

    #[inline]
    pub(crate) fn push(&mut self, ring: &mut [PendingRequest], request: PendingRequest) {
        let mut at = (self.head + self.in_flight) as usize;
        if at >= ring.len() {
            at -= ring.len();
        }
        ring[at] = request;
        self.in_flight += 1;
    }

    #[inline]
    pub(crate) fn pop(&mut self, ring: &[PendingRequest]) {
        self.answered = Some(self.front(ring).request);
        self.head = if self.head as usize + 1 == ring.len() {
            0
        } else {
            self.head + 1
        };
        self.in_flight -= 1;
    }

    /// Keeps the bytes that were not taken; a large buffer is freed once it is not needed.
    pub(crate) fn keep(&mut self, rest: &[u8]) {
        self.tail.clear();
        if rest.is_empty() && self.tail.capacity() > 4096 {
            self.tail = Vec::new();
        }
        self.tail.extend_from_slice(rest);
    }

    /// Counts bytes of the current answer that came and were skipped.
    pub(crate) fn skipped(&mut self, bytes: usize) {
        self.skip -= bytes;
        self.taken += bytes as u64;
    }

    /// Whether a byte of the current answer was received.
    pub(crate) fn is_answered(&self) -> bool {
        let record = |tls: &Session| !tls.kept().is_empty();
        self.taken > 0 || !self.tail.is_empty() || self.tls.as_deref().is_some_and(record)
    }

    /// The received part of the current answer, for errors.
    pub(crate) fn got(&self) -> String {
        match self.taken {
            0 => show::bytes(&self.tail),
            taken => format!("{taken} bytes, and then {}", show::bytes(&self.tail)),
        }
    }
}
