//! Received bytes: read, judged, booked.

use std::io;

use tare_model::fault::{Fault, FaultKind};

use super::{Engine, Halt, would_block};
use crate::conn::State;
use crate::schedule::Pace;
use crate::show;
use crate::wire::Judged;

impl<P: Pace> Engine<'_, P> {
    /// Reads until a read comes back short: then the kernel has no more, and a new edge will tell of more. With
    /// the other side closed no edge follows, so then it reads to the end.
    pub(super) fn receive(&mut self, index: usize, to_the_end: bool) -> Result<(), Halt> {
        let mut hot = std::mem::take(&mut self.scratch.hot);
        let result = self.receive_into(index, to_the_end, &mut hot);
        self.scratch.hot = hot;
        result
    }

    fn receive_into(&mut self, index: usize, to_the_end: bool, hot: &mut [u8]) -> Result<(), Halt> {
        loop {
            let conn = &self.lane.conns[index];
            let Some(socket) = conn.socket.as_ref().filter(|_| conn.state != State::Opening) else {
                return Ok(());
            };
            match socket.receive(hot) {
                Ok(0) => return self.closed(index, None),
                Ok(len) => {
                    self.tick();
                    self.part.bytes_in += len as u64;
                    self.take_in(index, &hot[..len])?;
                    if len < hot.len() && !to_the_end {
                        return Ok(());
                    }
                }
                Err(error) if would_block(&error) => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return self.closed(index, Some(error)),
            }
        }
    }

    fn take_in(&mut self, index: usize, bytes: &[u8]) -> Result<(), Halt> {
        let conn = &mut self.lane.conns[index];
        if conn.tail.is_empty() {
            let used = self.judge(index, bytes)?;
            self.lane.conns[index].tail.extend_from_slice(&bytes[used..]);
            return Ok(());
        }
        let mut tail = std::mem::take(&mut conn.tail);
        tail.extend_from_slice(bytes);
        let used = if tail.len() < conn.need {
            0
        } else {
            self.judge(index, &tail)?
        };
        self.lane.conns[index].keep(tail, used);
        Ok(())
    }

    /// Judges the answers in `bytes`, oldest request first; returns how many bytes they took.
    fn judge(&mut self, index: usize, bytes: &[u8]) -> Result<usize, Halt> {
        let mut used = 0;
        while used < bytes.len() {
            let (conn, ring) = self.lane.at(index);
            if conn.in_flight == 0 {
                return Err(self.unasked(index, &bytes[used..]));
            }
            let request = conn.front(ring).request;
            let expected = self.order.work.pool.answer(request);
            match self.lane.wire.judge(&bytes[used..], expected, false) {
                Judged::Right { len, last } => {
                    used += len;
                    self.right(index);
                    if last {
                        self.ended_by_server(index, &bytes[used..])?;
                        return Ok(bytes.len());
                    }
                }
                Judged::Partial { need } => {
                    self.lane.conns[index].need = need;
                    return Ok(used);
                }
                Judged::Wrong { why } => return Err(self.wrong(index, &bytes[used..], &why)),
            }
        }
        Ok(used)
    }

    /// Books the oldest request of a connection as rightly answered.
    #[inline]
    pub(super) fn right(&mut self, index: usize) {
        let now = self.now;
        let (conn, ring) = self.lane.at(index);
        let slot = conn.front(ring);
        conn.pop(ring);
        conn.need = 0;
        conn.proven = true;
        conn.progress = now;
        self.outstanding -= 1;
        self.part.books.right += 1;
        self.part.latency.record(now.saturating_sub(slot.intended));
        if self.pace.counts(now) {
            self.part.answers += 1;
        }
    }

    #[cold]
    fn wrong(&mut self, index: usize, bytes: &[u8], why: &str) -> Halt {
        let again = self.answered_again(index, bytes);
        let request = self.oldest_request(index);
        let (conn, ring) = self.lane.at(index);
        conn.pop(ring);
        self.outstanding -= 1;
        self.part.books.wrong += 1;
        match again {
            Some(before) => {
                let what = format!(
                    "{before} was answered twice on connection {index}: its answer came again where that to {request} \
                     should be\n  {why}"
                );
                self.fault(FaultKind::Unasked, what)
            }
            None => self.fault(FaultKind::Wrong, format!("a wrong answer to {request}:\n  {why}")),
        }
    }

    /// The request that was answered before, where the bytes are its right answer once more: with several requests
    /// in flight, an answer that is sent twice stands where the next one should.
    fn answered_again(&mut self, index: usize, bytes: &[u8]) -> Option<String> {
        let before = self.lane.conns[index].answered?;
        let pool = &self.order.work.pool;
        let again = self.lane.wire.judge(bytes, pool.answer(before), false);
        matches!(again, Judged::Right { .. }).then(|| show::bytes(pool.request(before)))
    }

    #[cold]
    fn unasked(&mut self, index: usize, bytes: &[u8]) -> Halt {
        let text = show::bytes(bytes);
        let what = format!(
            "connection {index} received {text} with no request outstanding: an answer sent twice, or one that \
             nobody asked for"
        );
        self.fault(FaultKind::Unasked, what)
    }

    /// The oldest outstanding request of a connection, as shown in errors.
    pub(super) fn oldest_request(&mut self, index: usize) -> String {
        let (conn, ring) = self.lane.at(index);
        let request = conn.front(ring).request;
        format!(
            "{} on connection {index}",
            show::bytes(self.order.work.pool.request(request))
        )
    }

    /// A fault, with the server's address.
    #[cold]
    pub(super) fn fault(&self, kind: FaultKind, what: impl std::fmt::Display) -> Halt {
        Halt::Fault(Fault::new(kind, format!("{}: {what}", self.order.address)))
    }
}
