//! The loop of one load core: asks the schedule, writes requests, judges answers, counts.

mod answers;
mod core_reading;
mod dialog;
mod life;
mod secure;
mod watch;

pub(crate) use core_reading::{CoreReading, merge};

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tare_model::driving::{ConnectionUse, Refill};
use tare_model::fault::{Fault, FaultKind};
use tare_sys::clock;

use crate::address::Address;
use crate::conn::{PendingRequest, State};
use crate::connection_pool::ConnectionPool;
use crate::job::Work;
use crate::reactor::{Event, Events};
use crate::schedule::{Goal, Pace, Tally};
use crate::wire::News;

/// Requests or connections begun before the kernel is asked for answers again.
const BURST: u32 = 64;

/// The longest wait between two looks at the stop flag, in ns.
const LONGEST_WAIT: u64 = 20_000_000;

/// Asking the kernel for events when there are none takes a microsecond or less. A question that took at least this many ns
/// was interrupted: the thread was off the core, which cost no CPU time.
const OFF_CORE: u64 = 20_000;

/// What all load cores share in a slice.
pub(crate) struct SliceContext<'a> {
    pub(crate) work: &'a Work,
    pub(crate) address: &'a Address,
    pub(crate) depth: u32,
    pub(crate) usage: ConnectionUse,
    /// Whether to wait awake, by asking again and again.
    pub(crate) awake: bool,
    /// Whether each load program has a source address of its own.
    pub(crate) own_sources: bool,
    /// The most connections of one load core that may be open without an answer yet; none: no limit.
    pub(crate) unanswered_at_most: Option<u32>,
    pub(crate) programs: u32,
    pub(crate) timeout: Duration,
    /// The start of the slice, from which times count.
    pub(crate) start: Instant,
    pub(crate) stop: &'a AtomicBool,
    /// Whether a load core has met a fault.
    pub(crate) abort: &'a AtomicBool,
    pub(crate) tally: &'a Tally,
}

/// Why a slice ended early.
#[derive(Debug)]
pub(crate) enum Halt {
    Fault(Fault),
    /// The caller asked, or another load core met a fault.
    Stopped,
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Memory of a load core that outlives slices.
pub(crate) struct Scratch {
    /// One buffer for the reads of all connections: it stays in the cache.
    hot: Vec<u8>,
    out: Vec<u8>,
    /// The records of what is sent.
    sealed: Vec<u8>,
    /// What TLS has to send by itself.
    owed: Vec<u8>,
    events: Events,
    /// What a dialog said.
    news: News,
}

/// Size of the read buffer: it holds the answers to 16 requests of most jobs, and fits the second-level cache.
const HOT: usize = 256 << 10;

impl Scratch {
    pub(crate) fn new() -> Self {
        Self {
            hot: vec![0; HOT],
            out: Vec::new(),
            sealed: Vec::new(),
            owed: Vec::new(),
            events: Events::new(),
            news: News::default(),
        }
    }
}

/// The loop of one load core.
pub(crate) struct Engine<'a, P> {
    slice: &'a SliceContext<'a>,
    core: usize,
    pool: &'a mut ConnectionPool,
    scratch: &'a mut Scratch,
    pace: P,
    /// Whether connections are dialogs.
    talks: bool,
    /// Whether connections are over TLS: looked at once for each read, and once for each write.
    secure: bool,
    /// The time as last read, in ns since the slice's start.
    now: u64,
    /// When the kernel was last asked for events: all events before that were handled.
    asked: u64,
    next_watch: u64,
    /// When dropped connections are begun again.
    next_retry: u64,
    outstanding: u64,
    /// Connections that were opened in this slice and have had no answer yet.
    unanswered: u32,
    /// Connections that are being opened.
    opening: u32,
    /// Whether the slice is complete, so that closed connections stay closed until the next.
    closing: bool,
    /// The progress of the slice as a whole, and since when it stands there; only for the watch.
    standing: (u64, u64),
    reading: CoreReading,
}

impl<'a, P: Pace> Engine<'a, P> {
    /// `now`: when the core begins, in ns since the slice's start.
    pub(crate) fn new(
        slice: &'a SliceContext<'a>,
        core: usize,
        pool: &'a mut ConnectionPool,
        scratch: &'a mut Scratch,
        pace: P,
        now: u64,
    ) -> Self {
        let reading = CoreReading::new(now, slice.programs);
        let (outstanding, unanswered, talks) = (0, 0, pool.talks());
        Self {
            slice,
            core,
            pool,
            scratch,
            pace,
            talks,
            secure: slice.work.tls.is_some(),
            now,
            asked: now,
            next_watch: 0,
            next_retry: 0,
            outstanding,
            unanswered,
            opening: 0,
            closing: false,
            standing: (0, now),
            reading,
        }
    }

    /// Runs the slice to its end. Requests that are outstanding when a fault or the stop flag ends it are counted as lost.
    pub(crate) fn run(mut self) -> (CoreReading, Result<(), Halt>) {
        let cpu = clock::thread_cpu();
        let result = self.serve();
        self.reading.requests.lost += self.pool.outstanding();
        let cpu = clock::thread_cpu().saturating_sub(cpu);
        self.reading.cpu = cpu.saturating_sub(Duration::from_nanos(self.reading.awake));
        self.reading.until = self.pace.until().min(self.now);
        self.reading.lag = self.pace.lag();
        self.reading.unsent = self.pace.unsent();
        (self.reading, result)
    }

    fn serve(&mut self) -> Result<(), Halt> {
        self.look()?;
        loop {
            let wake = self.pace.turn(self.now);
            self.open_dropped()?;
            let more = self.send_due()? | self.open_due()?;
            self.slice.tally.set(self.core, self.reading.requests.valid);
            if self.complete() {
                return self.last_look();
            }
            if self.slice.stop.load(Ordering::Relaxed) || self.slice.abort.load(Ordering::Relaxed) {
                return Err(Halt::Stopped);
            }
            self.watch()?;
            self.wait(if more { Some(self.now) } else { wake })?;
            self.handle_all()?;
        }
    }

    fn complete(&mut self) -> bool {
        if self.outstanding > 0 || !self.pace.over(self.now) {
            return false;
        }
        let conns = &self.pool.conns;
        match self.pace.goal() {
            Goal::Answered => true,
            Goal::Opened => conns.iter().all(|conn| conn.state == State::Ready),
            Goal::Closed => conns.iter().all(|conn| conn.state == State::Done),
        }
    }

    /// Waits for events until `wake`. Time spent here within the measured time is idle time.
    fn wait(&mut self, wake: Option<u64>) -> Result<(), Halt> {
        self.tick();
        let begun = self.now;
        let until = wake
            .unwrap_or(u64::MAX)
            .min(self.next_watch)
            .min(begun + LONGEST_WAIT);
        if self.slice.awake {
            self.poll_awake(until)?;
        } else {
            self.poll(Duration::from_nanos(until.saturating_sub(begun)))?;
        }
        self.tick();
        self.asked = begun;
        self.reading.idle += self.now.min(self.pace.until()).saturating_sub(begun);
        Ok(())
    }

    /// Asks for events until there are some or it is `until`, without ever sleeping.
    fn poll_awake(&mut self, until: u64) -> Result<(), Halt> {
        loop {
            self.poll(Duration::ZERO)?;
            // The last question is work; all before it only passed the time.
            if self.scratch.events.len() > 0 || self.now >= until {
                return Ok(());
            }
            let before = self.now;
            self.tick();
            let passed = self.now - before;
            if passed < OFF_CORE {
                self.reading.awake += passed;
            }
        }
    }

    fn poll(&mut self, timeout: Duration) -> Result<(), Halt> {
        self.pool
            .poll
            .wait(&mut self.scratch.events, timeout)
            .map_err(|error| {
                Halt::Fault(Fault::new(
                    FaultKind::Instrument,
                    format!("waiting for answers (epoll) failed: {error}"),
                ))
            })
    }

    fn handle_all(&mut self) -> Result<(), Halt> {
        for n in 0..self.scratch.events.len() {
            self.handle(self.scratch.events.get(n))?;
        }
        Ok(())
    }

    fn handle(&mut self, event: Event) -> Result<(), Halt> {
        let index = event.token;
        if self.pool.conns[index].state == State::Opening {
            self.opened(index)?;
        }
        if event.writable && !self.pool.conns[index].unsent.is_empty() {
            self.flush(index)?;
        }
        if event.readable {
            self.receive(index, event.hung_up)?;
        }
        self.refill(index, self.slice.depth)
    }

    /// Looks a last time for bytes that were not asked for.
    fn last_look(&mut self) -> Result<(), Halt> {
        self.closing = true;
        self.look()
    }

    /// Handles all events without waiting. Edges are never missed, so this finds whatever was received on any connection.
    fn look(&mut self) -> Result<(), Halt> {
        loop {
            self.poll(Duration::ZERO)?;
            if self.scratch.events.len() == 0 {
                return Ok(());
            }
            self.tick();
            self.handle_all()?;
        }
    }

    /// Sends what is due. Returns whether there is more than one burst.
    fn send_due(&mut self) -> Result<bool, Halt> {
        for _ in 0..BURST {
            let Some((index, most)) = self.pace.pick() else {
                return Ok(false);
            };
            self.tick();
            self.refill(index, most)?;
        }
        Ok(true)
    }

    /// Writes up to `most` further requests on a connection, if the schedule has them, in one write.
    fn refill(&mut self, index: usize, most: u32) -> Result<(), Halt> {
        if self.talks {
            return self.talk(index, most);
        }
        let requests = &self.slice.work.requests;
        if !self.pool.conns[index].writable() {
            return Ok(());
        }
        self.scratch.out.clear();
        let mut room = self.room(index).min(most);
        let before = room;
        while room > 0
            && let Some(intended) = self.pace.next(index, self.now)
        {
            let request = self.pool.next_request(requests);
            self.scratch.out.extend_from_slice(requests.request(request));
            let (conn, ring) = self.pool.at(index);
            if conn.in_flight == 0 {
                conn.progress = self.now;
            }
            conn.push(ring, PendingRequest { intended, request });
            room -= 1;
        }
        if room < before {
            self.pool.conns[index].uses(before - room);
            self.reading.requests.sent += u64::from(before - room);
            self.outstanding += u64::from(before - room);
            self.write(index)?;
        } else if self.pool.conns[index].in_flight == 0 && self.pace.finished(index) {
            return self.say_farewell(index);
        }
        self.changed(index);
        Ok(())
    }

    /// The most requests that a connection takes now, as it is used.
    #[inline]
    fn room(&self, index: usize) -> u32 {
        let conn = &self.pool.conns[index];
        match self.slice.usage.refill {
            Refill::Batches if conn.in_flight > 0 => 0,
            _ => conn.left.min(self.slice.depth - conn.in_flight),
        }
    }

    /// Writes the out buffer to a connection, over TLS as records.
    fn write(&mut self, index: usize) -> Result<(), Halt> {
        if self.secure {
            self.seal(index)?;
        }
        self.transmit(index)
    }

    /// Passes the out buffer to the kernel; what that does not accept is kept until the next edge.
    fn transmit(&mut self, index: usize) -> Result<(), Halt> {
        let out = &self.scratch.out;
        let conn = &mut self.pool.conns[index];
        let Some(socket) = &conn.socket else { return Ok(()) };
        let sent = match socket.send(out) {
            Ok(sent) => sent,
            Err(error) if would_block(&error) => 0,
            // A reset: the read finds what was received before, and handles the close.
            Err(_) => return self.receive(index, true),
        };
        self.reading.bytes_out += sent as u64;
        conn.unsent.extend_from_slice(&out[sent..]);
        Ok(())
    }

    /// Writes what was kept.
    fn flush(&mut self, index: usize) -> Result<(), Halt> {
        self.scratch.out.clear();
        let conn = &mut self.pool.conns[index];
        self.scratch.out.append(&mut conn.unsent);
        conn.unsent = Vec::new();
        self.transmit(index)?;
        self.changed(index);
        Ok(())
    }

    /// Passes the load of a connection to the schedule.
    #[inline]
    fn changed(&mut self, index: usize) {
        let conn = &self.pool.conns[index];
        let load = if conn.writable() && conn.left > 0 {
            conn.in_flight
        } else {
            self.slice.depth
        };
        self.pace.changed(index, load);
    }

    #[inline]
    fn tick(&mut self) {
        self.now = self.slice.start.elapsed().as_nanos() as u64;
    }
}

/// Whether a socket has nothing now; an edge will announce more.
fn would_block(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::WouldBlock
}
