//! Received bytes: read, judged, counted.

use std::io;
use std::sync::atomic::Ordering;

use tare_model::fault::{Fault, FaultKind};

use super::{Engine, Halt, would_block};
use crate::conn::State;
use crate::schedule::Pace;
use crate::show;
use crate::wire::{Judged, Progress, Protocol};

impl<P: Pace> Engine<'_, P> {
    /// Reads until a read returns fewer bytes than it could: the kernel has no more then, and a new edge announces more.
    /// After the other side has closed no edge follows, so `to_the_end` reads to the end.
    pub(super) fn receive(&mut self, index: usize, to_the_end: bool) -> Result<(), Halt> {
        let mut hot = std::mem::take(&mut self.scratch.hot);
        let result = if self.secure {
            self.receive_sealed(index, to_the_end, &mut hot)
        } else {
            self.receive_into(index, to_the_end, &mut hot)
        };
        self.scratch.hot = hot;
        result
    }

    fn receive_into(&mut self, index: usize, to_the_end: bool, hot: &mut Vec<u8>) -> Result<(), Halt> {
        loop {
            let kept = self.begin_with_tail(index, hot);
            let conn = &self.pool.conns[index];
            let Some(socket) = conn.socket.as_ref().filter(|_| conn.state != State::Opening) else {
                return Ok(());
            };
            let (room, received) = match conn.skip {
                0 => (hot.len() - kept, socket.receive(&mut hot[kept..])),
                skip => {
                    let tcp = self.slice.address.ip().is_some();
                    (skip, socket.skip(skip, hot, tcp))
                }
            };
            match received {
                Ok(0) => return self.closed(index, None),
                Ok(len) => {
                    self.tick();
                    self.reading.bytes_in += len as u64;
                    match self.pool.conns[index].skip {
                        0 => self.take_in(index, &hot[..kept + len])?,
                        _ => self.pool.conns[index].skipped(len),
                    }
                    if len < room && !to_the_end {
                        return Ok(());
                    }
                    self.check_patience(index)?;
                }
                Err(error) if would_block(&error) => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return self.closed(index, Some(error)),
            }
        }
    }

    /// Ends the reading from a server that sends faster than it is read once its answer has taken too long, or once the slice
    /// is stopped.
    pub(super) fn check_patience(&mut self, index: usize) -> Result<(), Halt> {
        let conn = &self.pool.conns[index];
        let timeout = self.slice.timeout.as_nanos() as u64;
        if conn.in_flight > 0 && self.now > conn.progress.saturating_add(timeout) {
            return Err(self.hung(index));
        }
        if self.slice.stop.load(Ordering::Relaxed) || self.slice.abort.load(Ordering::Relaxed) {
            return Err(Halt::Stopped);
        }
        Ok(())
    }

    /// Copies the kept bytes of an answer to where the next read continues them; returns their number. They are few:
    /// protocols take large answers piece by piece.
    #[inline]
    fn begin_with_tail(&self, index: usize, hot: &mut Vec<u8>) -> usize {
        let tail = &self.pool.conns[index].tail;
        if tail.len() > hot.len() / 2 {
            hot.resize(hot.len() * 2, 0);
            return self.begin_with_tail(index, hot);
        }
        hot[..tail.len()].copy_from_slice(tail);
        tail.len()
    }

    /// Takes the kept bytes of the current answer with those that were just received.
    #[inline]
    pub(super) fn take_in(&mut self, index: usize, bytes: &[u8]) -> Result<(), Halt> {
        let used = if bytes.len() < self.pool.conns[index].need {
            0
        } else if self.talks {
            self.listen(index, bytes)?
        } else {
            self.judge(index, bytes)?
        };
        let conn = &mut self.pool.conns[index];
        if used < bytes.len() || !conn.tail.is_empty() {
            conn.keep(&bytes[used..]);
        }
        Ok(())
    }

    /// Judges the answers in `bytes`, that to the oldest request first; returns the number of bytes that were taken.
    fn judge(&mut self, index: usize, bytes: &[u8]) -> Result<usize, Halt> {
        let mut used = 0;
        while used < bytes.len() {
            let (conn, ring) = self.pool.at(index);
            if conn.in_flight == 0 {
                return Err(self.unasked(index, &bytes[used..]));
            }
            let request = conn.front(ring).request;
            let expected = self.slice.work.requests.answer(request);
            let pool = &mut *self.pool;
            let Protocol::InOrder(wire) = &mut pool.protocol else {
                return Ok(used);
            };
            let progress = &mut pool.conns[index].judged;
            match wire.judge(&bytes[used..], expected, progress, false) {
                Judged::Right { len, last, whole } => {
                    used += len;
                    self.right(index, whole);
                    if last || self.pool.conns[index].is_used_up() {
                        self.ended_by_server(index, &bytes[used..])?;
                        return Ok(bytes.len());
                    }
                }
                Judged::Partial { taken, need, skip } => {
                    let conn = &mut pool.conns[index];
                    conn.taken += taken as u64;
                    conn.need = need;
                    conn.skip = skip;
                    return Ok(used + taken);
                }
                Judged::Wrong { why } => return Err(self.wrong(index, &bytes[used..], &why)),
            }
        }
        Ok(used)
    }

    /// Counts the oldest request of a connection as answered right.
    #[inline]
    pub(super) fn right(&mut self, index: usize, whole: bool) {
        let now = self.now;
        let (conn, ring) = self.pool.at(index);
        let slot = conn.front(ring);
        let first = conn.answered.is_none();
        conn.pop(ring);
        conn.need = 0;
        conn.taken = 0;
        conn.proven = true;
        conn.progress = now;
        self.outstanding -= 1;
        // It may have been opened in an earlier slice.
        self.unanswered = self.unanswered.saturating_sub(u32::from(first));
        self.reading.requests.valid += 1;
        self.reading.whole += u64::from(whole);
        self.reading.latency.record(now.saturating_sub(slot.intended));
        if self.pace.counts(now) {
            self.reading.answers += 1;
        }
    }

    #[cold]
    fn wrong(&mut self, index: usize, bytes: &[u8], why: &str) -> Halt {
        let again = self.answered_again(index, bytes);
        let request = self.oldest_request(index);
        let (conn, ring) = self.pool.at(index);
        conn.pop(ring);
        self.outstanding -= 1;
        self.reading.requests.invalid += 1;
        match again {
            Some(before) => {
                let what = format!(
                    "{before} was answered twice on connection {index}: its answer came again in place of the answer to \
                     {request}\n  {why}"
                );
                self.fault(FaultKind::Unasked, what)
            }
            None => self.fault(FaultKind::Wrong, format!("a wrong answer to {request}:\n  {why}")),
        }
    }

    /// The request that was answered before, if the bytes are its right answer again: with several requests in flight, an
    /// answer that is sent twice comes in place of the next one.
    fn answered_again(&mut self, index: usize, bytes: &[u8]) -> Option<String> {
        let (conn, ring) = self.pool.at(index);
        let (before, current) = (conn.answered?, conn.front(ring).request);
        // The current request is the same one, so the same answer would be right.
        if before == current {
            return None;
        }
        let requests = &self.slice.work.requests;
        let Protocol::InOrder(wire) = &mut self.pool.protocol else {
            return None;
        };
        let again = wire.judge(bytes, requests.answer(before), &mut Progress::Start, false);
        matches!(again, Judged::Right { .. }).then(|| requests.show(before))
    }

    #[cold]
    fn unasked(&mut self, index: usize, bytes: &[u8]) -> Halt {
        let text = show::bytes(bytes);
        let before = self.answered_last(index);
        let what = format!(
            "connection {index} received {text} with no request outstanding (answered last: {before}): an answer that \
             was sent twice, or that nobody asked for"
        );
        self.fault(FaultKind::Unasked, what)
    }

    /// The oldest outstanding request of a connection, for errors.
    pub(super) fn oldest_request(&mut self, index: usize) -> String {
        let (conn, ring) = self.pool.at(index);
        let request = conn.front(ring).request;
        format!("{} on connection {index}", self.slice.work.requests.show(request))
    }

    /// The last answered request of a connection, for errors.
    pub(super) fn answered_last(&self, index: usize) -> String {
        match self.pool.conns[index].answered {
            Some(request) => self.slice.work.requests.show(request),
            None => "none yet".to_owned(),
        }
    }

    /// A fault with the address of the server.
    #[cold]
    pub(super) fn fault(&self, kind: FaultKind, what: impl std::fmt::Display) -> Halt {
        Halt::Fault(Fault::new(kind, format!("{}: {what}", self.slice.address)))
    }
}
