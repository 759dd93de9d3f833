//! Timeouts: answers, opened connections and closes that do not come.

use tare_model::fault::FaultKind;

use super::{Engine, Halt};
use crate::conn::State;
use crate::schedule::{Goal, Pace};
use crate::show;
use crate::wire::Protocol;

impl<P: Pace> Engine<'_, P> {
    /// Looks for connections without progress for the timeout, sixteen times within one. Each is judged by its own progress,
    /// also after the end of the measured time: a server that is offered more than it can answer owes many answers then, and
    /// sends them.
    pub(super) fn watch(&mut self) -> Result<(), Halt> {
        if self.now < self.next_watch {
            return Ok(());
        }
        let timeout = self.slice.timeout.as_nanos() as u64;
        self.next_watch = self.now + (timeout / 16).max(1_000_000);
        // By the time of the last look, so that a generator that was itself delayed does not blame the server.
        let oldest = self.asked.saturating_sub(timeout);
        let conns = &self.pool.conns;
        let late = match &self.pool.protocol {
            Protocol::InOrder(_) => conns
                .iter()
                .position(|conn| conn.waits() && conn.progress < oldest),
            // One answer may be missing while others come; and a server may allow no request.
            Protocol::Dialog(dialog) => (0..conns.len()).find(|&index| {
                let conn = &conns[index];
                let since = || dialog.oldest(index).unwrap_or(conn.progress);
                (conn.waits() || conn.writable() && dialog.room(index) == 0) && since() < oldest
            }),
        };
        match late {
            Some(index) => Err(self.hung(index)),
            None if self.stands_still(self.patience(timeout)) => Err(self.never_opened()),
            None => Ok(()),
        }
    }

    /// How long to wait for progress of the slice as a whole: as long as a connection waits, the timeout once more, since one that
    /// was opened late will soon be late by itself, and says more.
    fn patience(&self, timeout: u64) -> u64 {
        match self.pool.conns.iter().any(|conn| conn.waits()) {
            true => timeout.saturating_mul(2),
            false => timeout,
        }
    }

    /// Whether the slice as a whole has made no progress for so long, though it should be over. A drain has an end: no
    /// connection owes more than its depth and what is still to be sent, nor may it take longer than the timeout for each.
    fn stands_still(&mut self, patience: u64) -> bool {
        let progress = match self.pace.goal() {
            Goal::Opened => self
                .pool
                .conns
                .iter()
                .filter(|conn| conn.state == State::Ready)
                .count() as u64,
            Goal::Answered | Goal::Closed => self.reading.requests.valid,
        };
        if progress > self.standing.0 {
            self.standing = (progress, self.now);
        }
        let since = self.standing.1.max(self.pace.until());
        self.asked > since.saturating_add(patience)
    }

    #[cold]
    pub(super) fn hung(&mut self, index: usize) -> Halt {
        let seconds = self.slice.timeout.as_secs_f64();
        let lost = self.pool.outstanding();
        let conn = &self.pool.conns[index];
        let what = match conn.state {
            State::Opening => format!("connection {index} was not accepted within {seconds} s"),
            State::Securing => self.unfinished(index, seconds),
            State::Greeting => {
                let (greeting, got) = (self.greeting(), conn.got());
                format!(
                    "connection {index} was open for {seconds} s without {greeting}, of which it had sent {got}"
                )
            }
            State::Leaving => {
                let farewell = show::bytes(self.slice.work.requests.farewell());
                format!("connection {index} was not closed within {seconds} s of {farewell}")
            }
            _ => self.unanswered(index, seconds, lost),
        };
        self.fault(FaultKind::Hung, what)
    }

    fn unanswered(&mut self, index: usize, seconds: f64, lost: u64) -> String {
        let waiting = self.pool.conns.iter().filter(|conn| conn.in_flight > 0).count();
        if self.talks {
            return format!(
                "no answer within {seconds} s: {lost} requests lost on {waiting} connections; the first is {} of \
                 connection {index}",
                self.waiting(index)
            );
        }
        let request = self.oldest_request(index);
        let got = self.pool.conns[index].got();
        format!(
            "no answer within {seconds} s: {lost} requests lost on {waiting} connections; the first is {request}, of \
             whose answer it had sent {got}"
        )
    }

    /// No connection is late by itself, and still all together make no progress: they are closed again and again, or cannot
    /// be begun (a Unix listener with a full backlog).
    #[cold]
    fn never_opened(&self) -> Halt {
        let seconds = self.slice.timeout.as_secs_f64();
        let what = format!(
            "the server closes connections as fast as they are opened, or accepts none: not all were open {seconds} s after \
             they had to be"
        );
        self.fault(FaultKind::Hung, what)
    }
}
