//! One connection's state: small, since a load may have thousands.

use crate::reactor::Socket;
use crate::show;
use crate::wire::Progress;

/// Where a connection is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// To be opened.
    New,
    /// The server closed it while nothing was outstanding: to be opened again.
    Stale,
    /// Being opened.
    Opening,
    /// Open.
    Ready,
    /// The farewell was sent; the server is to close.
    Leaving,
    /// Closed for good.
    Done,
}

/// A connection.
#[derive(Debug)]
pub(crate) struct Conn {
    pub(crate) socket: Option<Socket>,
    pub(crate) state: State,
    /// Requests outstanding.
    pub(crate) in_flight: u32,
    /// The ring's oldest entry.
    head: u32,
    /// The request that was answered last on it, in the pool.
    pub(crate) answered: Option<u32>,
    /// Whether it was opened, or an answer came on it, in this slice. One that was not may have been closed by the
    /// server for idleness at the very moment that a request was sent.
    pub(crate) proven: bool,
    /// The load program that it belongs to (batch), or else the source address that it has, where these are chosen.
    pub(crate) program: u32,
    /// Bytes of the tail that must be there before it is judged again.
    pub(crate) need: usize,
    /// Bytes of the current answer that come next and that nobody has to look at.
    pub(crate) skip: usize,
    /// How far the judge has taken the current answer, and how many bytes that were.
    pub(crate) judged: Progress,
    pub(crate) taken: u64,
    /// When it last came forward (ns of the run): a request sent while idle, an answer, a step of its life.
    pub(crate) progress: u64,
    /// Received bytes of an answer that the judge has not taken yet.
    pub(crate) tail: Vec<u8>,
    /// What the kernel did not take yet.
    pub(crate) unsent: Vec<u8>,
}

/// An outstanding request.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PendingRequest {
    /// When it was meant to be sent (ns of the run): latency counts from here.
    pub(crate) intended: u64,
    /// Which one, in the pool.
    pub(crate) request: u32,
}

impl Conn {
    pub(crate) fn new(program: u32) -> Self {
        Self {
            socket: None,
            state: State::New,
            in_flight: 0,
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
        *self = Self {
            state,
            ..Self::new(self.program)
        };
    }

    /// Begins again at the start of a ring that may have another size; nothing is outstanding.
    pub(crate) fn rewind(&mut self) {
        debug_assert_eq!(self.in_flight, 0);
        self.head = 0;
    }

    /// Whether requests can be written.
    pub(crate) fn writable(&self) -> bool {
        self.state == State::Ready && self.unsent.is_empty()
    }

    /// Whether something is owed: an answer, the end of opening, a close.
    pub(crate) fn waits(&self) -> bool {
        self.in_flight > 0 || matches!(self.state, State::Opening | State::Leaving)
    }

    /// The oldest outstanding request; `ring` is the connection's own, of `depth` entries.
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

    /// Keeps what the judge has not taken; a large buffer is given back once it is not needed.
    pub(crate) fn keep(&mut self, rest: &[u8]) {
        self.tail.clear();
        if rest.is_empty() && self.tail.capacity() > 4096 {
            self.tail = Vec::new();
        }
        self.tail.extend_from_slice(rest);
    }

    /// So many bytes of the current answer came that nobody had to look at.
    pub(crate) fn passed_over(&mut self, bytes: usize) {
        self.skip -= bytes;
        self.taken += bytes as u64;
    }

    /// Whether a byte of the current answer was received.
    pub(crate) fn is_answered(&self) -> bool {
        self.taken > 0 || !self.tail.is_empty()
    }

    /// What was received of the current answer, as shown in errors.
    pub(crate) fn got(&self) -> String {
        match self.taken {
            0 => show::bytes(&self.tail),
            taken => format!("{taken} bytes, and then {}", show::bytes(&self.tail)),
        }
    }
}
