//! Connections: opened, replaced, closed.

use std::io;

use tare_model::fault::FaultKind;

use super::{BURST, Engine, Halt, would_block};
use crate::conn::State;
use crate::schedule::{Goal, Pace};
use crate::show;
use crate::wire::{Judged, Protocol};

/// Connections that one load core opens at a time. On loopback one takes microseconds, so the limit costs no time. If the
/// server cannot accept more, the kernel would drop them and try again after more and more seconds. (With 50,000 at once,
/// some were not open after a minute.)
const OPENING: u32 = 256;

/// The same where one that was dropped is begun again soon: the fewer, the less of that is in vain.
const OPENING_AT_HAND: u32 = 32;

/// How long an address at hand leaves a connection unopened, in ns, before it is begun again.
const DROPPED: u64 = 20_000_000;

impl<P: Pace> Engine<'_, P> {
    /// Begins to open the connections that are due. Returns whether there are more than one burst.
    pub(super) fn open_due(&mut self) -> Result<bool, Halt> {
        if self.closing {
            return Ok(false);
        }
        let most = if self.begins_again() {
            OPENING_AT_HAND
        } else {
            OPENING
        };
        for _ in 0..BURST {
            if self.opening >= most
                || self
                    .slice
                    .unanswered_at_most
                    .is_some_and(|most| self.unanswered >= most)
            {
                return Ok(false);
            }
            let Some(index) = self.pool.next_unopened() else {
                return Ok(false);
            };
            if self.pool.conns[index].state == State::Stale {
                self.reading.reopened += 1;
            }
            if !self.open(index)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Begins to open a connection. Returns false if that has to be tried again.
    fn open(&mut self, index: usize) -> Result<bool, Halt> {
        self.tick();
        let now = self.now;
        let opened = self
            .pool
            .open(index, self.slice.address, self.slice.own_sources, now);
        match opened {
            Ok(()) => {}
            // The backlog of a Unix listener is full: the next turn tries again.
            Err(error) if would_block(&error) => return Ok(false),
            Err(error) => return Err(self.not_opened(index, &error)),
        }
        self.reading.program(self.pool.conns[index].program, now);
        self.unanswered += 1;
        self.opening += 1;
        self.changed(index);
        Ok(true)
    }

    /// Whether a connection that the kernel dropped is begun again before the kernel would. Only before the slice: within it,
    /// a client of the server's would wait.
    fn begins_again(&self) -> bool {
        self.pace.goal() == Goal::Opened && self.slice.address.is_at_hand()
    }

    /// Begins connections again that the kernel dropped because the server's listen queue was full. The kernel would try them
    /// after a second, and then after more and more: 4096 connections took five seconds to open, in every launch.
    pub(super) fn open_dropped(&mut self) -> Result<(), Halt> {
        if self.opening == 0 || self.now < self.next_retry || !self.begins_again() {
            return Ok(());
        }
        self.next_retry = self.now + DROPPED;
        for index in 0..self.pool.conns.len() {
            let conn = &mut self.pool.conns[index];
            let since = conn.progress;
            if conn.state != State::Opening || since + DROPPED > self.now {
                continue;
            }
            conn.close(State::New);
            self.opening -= 1;
            self.unanswered -= 1;
            if self.open(index)? {
                // It has waited since it was first begun.
                self.pool.conns[index].progress = since;
            } else {
                self.pool.look_again(index);
            }
        }
        Ok(())
    }

    /// Handles a connection that was being opened: it is ready, or it failed.
    pub(super) fn opened(&mut self, index: usize) -> Result<(), Halt> {
        let result = self.pool.conns[index]
            .socket
            .as_ref()
            .map_or(Ok(()), |socket| socket.connected());
        if let Err(error) = result {
            return Err(self.not_opened(index, &error));
        }
        if self.secure {
            return self.begin_handshake(index);
        }
        self.admit(index);
        Ok(())
    }

    /// Takes a connection into use, which is open, and secured where it has to be.
    pub(super) fn admit(&mut self, index: usize) {
        let now = self.now;
        self.opening -= 1;
        let conn = &mut self.pool.conns[index];
        conn.state = State::Ready;
        conn.progress = now;
        if let Protocol::Dialog(dialog) = &mut self.pool.protocol {
            dialog.begin(index);
            conn.state = State::Greeting;
        }
        self.changed(index);
    }

    #[cold]
    fn not_opened(&self, index: usize, error: &io::Error) -> Halt {
        use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, NotFound, TimedOut};
        let (kind, hint) = match error.kind() {
            ConnectionRefused | NotFound => {
                (FaultKind::Died, "nothing listens there (any more); see its log")
            }
            ConnectionReset | ConnectionAborted => (
                FaultKind::ClosedEarly,
                "the server reset the connection while it was opened",
            ),
            TimedOut => (FaultKind::Hung, "the server does not accept connections"),
            _ => (
                FaultKind::Instrument,
                "the load generator could not open it: see `ulimit -n`, net.ipv4.ip_local_port_range, and fewer \
                 connections",
            ),
        };
        self.fault(
            kind,
            format!("connection {index} could not be opened ({error}): {hint}"),
        )
    }

    /// Handles a connection that the server closed or reset.
    #[cold]
    pub(super) fn closed(&mut self, index: usize, error: Option<io::Error>) -> Result<(), Halt> {
        self.tick();
        if self.pool.conns[index].state == State::Securing {
            return Err(self.broken_off(index, error));
        }
        if self.talks {
            return self.left(index, error);
        }
        if self.pool.conns[index].in_flight > 0 {
            if self.take_back(index) {
                return self.replace(index);
            }
            self.last_answer(index, error.is_none());
            if self.pool.conns[index].in_flight > 0 {
                return Err(self.closed_early(index, error));
            }
        }
        let conn = &self.pool.conns[index];
        match self.pace.goal() {
            Goal::Closed if conn.state == State::Leaving || self.pace.finished(index) => self.done(index),
            Goal::Closed => return Err(self.closed_early(index, error)),
            _ => return self.replace(index),
        }
        Ok(())
    }

    /// Takes back the requests on a connection that the server closed for idleness at the moment that they were sent: they
    /// count as not sent and go out on another connection, as RFC 9112 §9.3.1 asks of clients. Only for connections that
    /// were idle since before the slice, and only if no byte of an answer was received. Returns whether it did.
    fn take_back(&mut self, index: usize) -> bool {
        let conn = &self.pool.conns[index];
        if conn.proven || conn.is_answered() {
            return false;
        }
        let (conn, ring) = self.pool.at(index);
        let mut taken = Vec::new();
        while conn.in_flight > 0 {
            taken.push(conn.front(ring).intended);
            conn.pop(ring);
        }
        self.outstanding -= taken.len() as u64;
        self.reading.requests.sent -= taken.len() as u64;
        taken
            .into_iter()
            .rev()
            .for_each(|intended| self.pace.take_back(index, intended));
        true
    }

    /// Judges an answer that may end with the connection (HTTP without a length).
    fn last_answer(&mut self, index: usize, in_order: bool) {
        let tail = std::mem::take(&mut self.pool.conns[index].tail);
        let (conn, ring) = self.pool.at(index);
        let expected = self.slice.work.requests.answer(conn.front(ring).request);
        let pool = &mut *self.pool;
        let Protocol::InOrder(wire) = &mut pool.protocol else {
            return;
        };
        let judged = wire.judge(&tail, expected, &mut pool.conns[index].judged, true);
        match judged {
            Judged::Right { len, whole, .. } if in_order && len == tail.len() => self.right(index, whole),
            _ => self.pool.conns[index].tail = tail,
        }
    }

    #[cold]
    fn closed_early(&mut self, index: usize, error: Option<io::Error>) -> Halt {
        let how = error.map_or("closed".to_owned(), |error| format!("broke ({error})"));
        let outstanding = self.pool.conns[index].in_flight;
        let what = if outstanding == 0 {
            let before = self.answered_last(index);
            format!(
                "the server {how} connection {index} before its last request was sent; answered last: {before}"
            )
        } else {
            let request = self.oldest_request(index);
            let got = self.pool.conns[index].got();
            format!(
                "the server {how} a connection with {outstanding} requests outstanding; the oldest is {request}, \
                 of whose answer it had sent {got}"
            )
        };
        self.fault(FaultKind::ClosedEarly, what)
    }

    /// Handles an answer that is the last of a connection, since the server announced that, or since it is used up; `rest`:
    /// the bytes after it.
    pub(super) fn ended_by_server(&mut self, index: usize, rest: &[u8]) -> Result<(), Halt> {
        let outstanding = self.pool.conns[index].in_flight;
        if outstanding > 0 {
            let request = self.oldest_request(index);
            let what = format!(
                "the server ended a connection (`Connection: close` or HTTP/1.0) with {outstanding} further requests \
                 outstanding, the oldest of which is {request}: it can only be driven at depth 1"
            );
            return Err(self.fault(FaultKind::ClosedEarly, what));
        }
        if !rest.is_empty() {
            let (what, before) = (show::bytes(rest), self.answered_last(index));
            let what =
                format!("{what} followed the answer to {before}, which was the last of its connection");
            return Err(self.fault(FaultKind::Unasked, what));
        }
        match self.pace.goal() {
            Goal::Closed if self.pace.finished(index) => self.done(index),
            Goal::Closed => return Err(self.closed_early(index, None)),
            _ => return self.replace(index),
        }
        Ok(())
    }

    /// Opens a closed connection again, or leaves that to the next slice if this one is complete.
    pub(super) fn replace(&mut self, index: usize) -> Result<(), Halt> {
        // One that was used up is closed by this side, which nobody has to know.
        let renewed = self.pool.conns[index].is_used_up();
        let state = if renewed { State::New } else { State::Stale };
        self.pool.conns[index].close(state);
        self.changed(index);
        if self.closing {
            // The next user of this pool opens it: the slice itself, if only its opening is complete.
            self.pool.look_again(index);
            return Ok(());
        }
        self.reading.reopened += u32::from(!renewed);
        self.pool.conns[index].state = State::New;
        if !self.open(index)? {
            self.pool.look_again(index);
        }
        Ok(())
    }

    /// Ends a connection of a batch that has had its answers: sends the farewell, or closes where the job has none.
    pub(super) fn say_farewell(&mut self, index: usize) -> Result<(), Halt> {
        let farewell = self.slice.work.requests.farewell();
        if farewell.is_empty() {
            self.done(index);
            return Ok(());
        }
        self.scratch.out.clear();
        self.scratch.out.extend_from_slice(farewell);
        let now = self.now;
        let conn = &mut self.pool.conns[index];
        conn.state = State::Leaving;
        conn.progress = now;
        self.write(index)
    }

    pub(super) fn done(&mut self, index: usize) {
        let program = self.pool.conns[index].program;
        self.reading.program(program, self.now);
        self.pool.conns[index].close(State::Done);
    }
}
