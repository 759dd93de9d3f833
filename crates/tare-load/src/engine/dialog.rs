//! Connections that are dialogs: greeted, answered in any order, and asked by the server in between.

use std::io;

use tare_model::fault::FaultKind;

use super::{Engine, Halt};
use crate::conn::State;
use crate::schedule::{Goal, Pace};
use crate::show;
use crate::wire::{Breach, BreachKind, Protocol, Times};

impl<P: Pace> Engine<'_, P> {
    /// Takes received bytes; returns the number of bytes that were taken.
    #[inline(never)]
    pub(super) fn listen(&mut self, index: usize, bytes: &[u8]) -> Result<usize, Halt> {
        let Protocol::Dialog(dialog) = &mut self.pool.protocol else {
            return Ok(0);
        };
        self.scratch.news.clear();
        let taken = dialog.take(index, bytes, &mut self.scratch.news);
        self.note(index);
        let taken = match taken {
            Ok(taken) => taken,
            Err(breach) => {
                self.say_why(index);
                return Err(self.breach(index, breach));
            }
        };
        let conn = &mut self.pool.conns[index];
        if (self.scratch.news.ending && conn.in_flight == 0) || conn.is_used_up() {
            self.leave(index)?;
            return Ok(bytes.len());
        }
        conn.need = taken.need;
        Ok(taken.len)
    }

    /// Counts what received bytes said.
    fn note(&mut self, index: usize) {
        let (now, news) = (self.now, &self.scratch.news);
        let (answered, back) = (news.answered.len() as u32, news.taken_back.len() as u32);
        let conn = &mut self.pool.conns[index];
        if answered > 0 {
            self.unanswered = self.unanswered.saturating_sub(u32::from(conn.answered.is_none()));
            (conn.answered, conn.proven, conn.progress) = (Some(0), true, now);
            let counts = self.pace.counts(now);
            self.reading.answers += if counts { u64::from(answered) } else { 0 };
            self.reading.requests.valid += u64::from(answered);
            for one in &news.answered {
                self.reading.whole += u64::from(one.whole);
                self.reading.latency.record(now.saturating_sub(one.intended));
            }
        }
        conn.in_flight -= answered + back;
        self.outstanding -= u64::from(answered + back);
        self.reading.requests.sent -= u64::from(back);
        for &intended in &news.taken_back {
            self.pace.take_back(index, intended);
        }
        if news.greeted {
            (conn.state, conn.progress) = (State::Ready, now);
        }
        if let Some(allowed) = news.allowed {
            self.reading.streams = Some(self.reading.streams.map_or(allowed, |least| least.min(allowed)));
        }
    }

    /// Sends what is owed on a connection, and up to `most` further requests if the schedule has them, in one write.
    #[inline(never)]
    pub(super) fn talk(&mut self, index: usize, most: u32) -> Result<(), Halt> {
        let Protocol::Dialog(dialog) = &mut self.pool.protocol else {
            return Ok(());
        };
        let conn = &self.pool.conns[index];
        if !conn.speaks() {
            return Ok(());
        }
        self.scratch.out.clear();
        dialog.owed(index, &mut self.scratch.out);
        let room = match conn.state {
            State::Ready => dialog.room(index).min(most),
            _ => 0,
        };
        let (mut left, now) = (self.room(index).min(room), self.now);
        let before = left;
        let Protocol::Dialog(dialog) = &mut self.pool.protocol else {
            return Ok(());
        };
        while left > 0
            && let Some(intended) = self.pace.next(index, now)
        {
            let times = Times { intended, sent: now };
            dialog.send(index, times, &mut self.scratch.out);
            left -= 1;
        }
        let sent = before - left;
        let conn = &mut self.pool.conns[index];
        conn.uses(sent);
        if conn.in_flight == 0 && sent > 0 {
            conn.progress = now;
        }
        conn.in_flight += sent;
        let idle = conn.in_flight == 0;
        self.reading.requests.sent += u64::from(sent);
        self.outstanding += u64::from(sent);
        if !self.scratch.out.is_empty() {
            self.write(index)?;
        }
        let open = self.pool.conns[index].state == State::Ready;
        if idle && open && self.pace.finished(index) {
            return self.say_farewell(index);
        }
        self.changed_dialog(index);
        Ok(())
    }

    /// Passes the load of a connection to the schedule.
    fn changed_dialog(&mut self, index: usize) {
        let Protocol::Dialog(dialog) = &self.pool.protocol else {
            return;
        };
        let conn = &self.pool.conns[index];
        let free = conn.writable() && conn.left > 0 && dialog.room(index) > 0;
        let load = if free { conn.in_flight } else { self.slice.depth };
        self.pace.changed(index, load);
    }

    /// Ends a connection that takes no further requests, and has nothing outstanding.
    fn leave(&mut self, index: usize) -> Result<(), Halt> {
        match self.pace.goal() {
            Goal::Closed if self.pace.finished(index) => {
                self.done(index);
                Ok(())
            }
            _ => self.replace(index),
        }
    }

    /// Handles a connection that the server closed or reset.
    #[cold]
    pub(super) fn left(&mut self, index: usize, error: Option<io::Error>) -> Result<(), Halt> {
        let Protocol::Dialog(dialog) = &mut self.pool.protocol else {
            return Ok(());
        };
        let conn = &mut self.pool.conns[index];
        // It was idle since before the slice: the requests and the close have passed each other.
        if conn.in_flight > 0
            && !conn.proven
            && conn.tail.is_empty()
            && let Some(back) = dialog.take_back(index)
        {
            self.outstanding -= back.len() as u64;
            self.reading.requests.sent -= back.len() as u64;
            conn.in_flight = 0;
            for intended in back {
                self.pace.take_back(index, intended);
            }
        }
        let conn = &self.pool.conns[index];
        if conn.in_flight > 0 || conn.state == State::Greeting {
            return Err(self.left_early(index, error));
        }
        self.leave(index)
    }

    #[cold]
    fn left_early(&mut self, index: usize, error: Option<io::Error>) -> Halt {
        let how = error.map_or("closed".to_owned(), |error| format!("broke ({error})"));
        let conn = &self.pool.conns[index];
        let what = match conn.state {
            State::Greeting => {
                let (greeting, got) = (self.greeting(), show::bytes(&conn.tail));
                format!(
                    "the server {how} connection {index} before {greeting}, of which it had sent {got}: does it speak this protocol?"
                )
            }
            _ => format!(
                "the server {how} a connection with {} requests outstanding; the oldest is {}",
                conn.in_flight,
                self.waiting(index)
            ),
        };
        self.fault(FaultKind::ClosedEarly, what)
    }

    /// Tells the server why the connection ends, as far as that goes out at once.
    #[cold]
    fn say_why(&mut self, index: usize) {
        if let Protocol::Dialog(dialog) = &mut self.pool.protocol {
            self.scratch.out.clear();
            dialog.owed(index, &mut self.scratch.out);
            // The fault is the server's, whatever becomes of this.
            let _ = self.write(index);
        }
    }

    /// The fault of a breach of the protocol.
    #[cold]
    fn breach(&mut self, index: usize, breach: Breach) -> Halt {
        let request = self.slice.work.requests.show(0);
        let Breach { kind, why } = breach;
        let outstanding = self.pool.conns[index].in_flight;
        match kind {
            BreachKind::Answer(place) => {
                self.pool.conns[index].in_flight -= 1;
                self.outstanding -= 1;
                self.reading.requests.invalid += 1;
                let what = format!("a wrong answer to {request}, {place} of connection {index}:\n  {why}");
                self.fault(FaultKind::Wrong, what)
            }
            BreachKind::Unasked => {
                let what = format!(
                    "connection {index} received {why}\n  an answer that was sent twice, or that nobody asked for; each \
                     request is {request}"
                );
                self.fault(FaultKind::Unasked, what)
            }
            BreachKind::Protocol => {
                let what = format!(
                    "a wrong answer on connection {index}, where {outstanding} requests are outstanding, each {request}:\n  {why}"
                );
                self.fault(FaultKind::Wrong, what)
            }
            BreachKind::Ended => {
                let what = format!(
                    "{why}; on connection {index}, with {outstanding} requests outstanding; the oldest is {}",
                    self.waiting(index)
                );
                self.fault(FaultKind::ClosedEarly, what)
            }
        }
    }

    /// The request of a dialog that has waited for longest, for errors.
    pub(super) fn waiting(&self, index: usize) -> String {
        let request = self.slice.work.requests.show(0);
        match &self.pool.protocol {
            Protocol::Dialog(dialog) => format!("{request}, {}", dialog.waiting(index)),
            Protocol::InOrder(_) => request,
        }
    }

    /// What the server must send first, for errors.
    pub(super) fn greeting(&self) -> &'static str {
        match &self.pool.protocol {
            Protocol::Dialog(dialog) => dialog.greeting(),
            Protocol::InOrder(_) => "its greeting",
        }
    }
}
