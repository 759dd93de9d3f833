//! Connections over TLS: their handshakes, and the records of what is sent and received.

use std::io;
use std::ops::Range;

use tare_model::fault::{Fault, FaultKind};
use tare_tls::{Secured, Session, Step};

use super::{Engine, Halt, would_block};
use crate::conn::State;
use crate::schedule::Pace;

impl<P: Pace> Engine<'_, P> {
    /// Begins the handshake of a connection that is open.
    #[cold]
    pub(super) fn begin_handshake(&mut self, index: usize) -> Result<(), Halt> {
        let Some(client) = &self.slice.work.tls else {
            return Ok(());
        };
        self.scratch.owed.clear();
        let session = Session::begin(client, &mut self.scratch.owed);
        let session = session.map_err(|fault| self.refused(index, &fault))?;
        let now = self.now;
        let conn = &mut self.pool.conns[index];
        (conn.tls, conn.state, conn.progress) = (Some(Box::new(session)), State::Securing, now);
        self.pay(index);
        self.changed(index);
        Ok(())
    }

    /// Reads as [`Engine::receive`] does, and opens the records that come.
    pub(super) fn receive_sealed(
        &mut self,
        index: usize,
        to_the_end: bool,
        hot: &mut Vec<u8>,
    ) -> Result<(), Halt> {
        loop {
            let Some((begin, end)) = self.begin_with_record(index, hot) else {
                return Ok(());
            };
            let Some(socket) = &self.pool.conns[index].socket else {
                return Ok(());
            };
            let room = hot.len() - end;
            match socket.receive(&mut hot[end..]) {
                Ok(0) => return self.closed(index, Some(cut_short())),
                Ok(len) => {
                    self.tick();
                    self.reading.bytes_in += len as u64;
                    self.open_records(index, &mut hot[..end + len], begin)?;
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

    /// Copies the kept beginning of a record to where the next read continues it. It begins behind as many bytes as are kept of
    /// the answer, which are put right before its plain bytes: so those stay where they are decrypted. Returns where it begins
    /// and ends; none where the connection has no TLS (yet, or any more).
    #[inline]
    fn begin_with_record(&self, index: usize, hot: &mut Vec<u8>) -> Option<(usize, usize)> {
        let conn = &self.pool.conns[index];
        let kept = conn.tls.as_deref()?.kept();
        let begin = conn.tail.len();
        let end = begin + kept.len();
        while end > hot.len() / 2 {
            hot.resize(hot.len() * 2, 0);
        }
        hot[begin..end].copy_from_slice(kept);
        Some((begin, end))
    }

    /// Opens the records in `bytes` from `at` on, and takes what they carry.
    fn open_records(&mut self, index: usize, bytes: &mut [u8], mut at: usize) -> Result<(), Halt> {
        loop {
            // None: it was ended by what was taken.
            let Some(session) = &mut self.pool.conns[index].tls else {
                return Ok(());
            };
            self.scratch.owed.clear();
            let step = session.take(&mut bytes[at..], &mut self.scratch.owed);
            self.pay(index);
            match step {
                Ok(Step::Plain(plain, len)) => {
                    self.take_plain(index, bytes, at + plain.start..at + plain.end)?;
                    at += len;
                }
                Ok(Step::Silent(len)) => at += len,
                Ok(Step::More) => return Ok(()),
                Ok(Step::Secured(secured)) => return self.secured(index, &secured),
                Ok(Step::Ended) => return self.closed(index, None),
                Err(fault) => return Err(self.refused(index, &fault)),
            }
        }
    }

    /// Takes plain bytes, after what is kept of the answer that they continue.
    #[inline]
    fn take_plain(&mut self, index: usize, bytes: &mut [u8], mut plain: Range<usize>) -> Result<(), Halt> {
        let conn = &mut self.pool.conns[index];
        if conn.skip > 0 {
            let skipped = conn.skip.min(plain.len());
            conn.skipped(skipped);
            plain.start += skipped;
            if plain.is_empty() {
                return Ok(());
            }
        }
        let begin = plain.start - conn.tail.len();
        bytes[begin..plain.start].copy_from_slice(&conn.tail);
        self.take_in(index, &bytes[begin..plain.end])
    }

    /// Takes a connection into use whose handshake is complete.
    #[cold]
    fn secured(&mut self, index: usize, secured: &Secured) -> Result<(), Halt> {
        let in_time = self.now < self.pace.until();
        let took = self.now.saturating_sub(self.pool.conns[index].progress);
        let seen = self.pool.tls.get_or_insert_default();
        seen.saw(&secured.agreed);
        seen.handshakes += 1;
        seen.resumed += u64::from(secured.resumed);
        seen.in_time += u64::from(in_time);
        seen.times.record(took);
        self.admit(index);
        if !secured.early.is_empty() {
            self.take_in(index, &secured.early)?;
        }
        match &self.pool.conns[index].tls {
            Some(session) if session.ended() => self.closed(index, None),
            _ => Ok(()),
        }
    }

    /// Puts the records of the out buffer in its place.
    pub(super) fn seal(&mut self, index: usize) -> Result<(), Halt> {
        let (out, sealed) = (&mut self.scratch.out, &mut self.scratch.sealed);
        sealed.clear();
        let done = match &mut self.pool.conns[index].tls {
            Some(session) => session.seal(out, sealed),
            None => Ok(()),
        };
        std::mem::swap(out, sealed);
        done.map_err(|fault| self.refused(index, &fault))
    }

    /// Sends what TLS has to send by itself: flights of the handshake, alerts, new keys.
    #[inline]
    fn pay(&mut self, index: usize) {
        if !self.scratch.owed.is_empty() {
            self.pay_now(index);
        }
    }

    #[cold]
    fn pay_now(&mut self, index: usize) {
        let conn = &mut self.pool.conns[index];
        let owed = &self.scratch.owed;
        let sent = match &conn.socket {
            // What breaks a connection is found by the next read.
            Some(socket) if conn.unsent.is_empty() => socket.send(owed).unwrap_or(0),
            _ => 0,
        };
        self.reading.bytes_out += sent as u64;
        conn.unsent.extend_from_slice(&owed[sent..]);
    }

    /// What TLS finds wrong.
    #[cold]
    fn refused(&self, index: usize, fault: &Fault) -> Halt {
        self.fault(fault.kind, format!("connection {index}: {}", fault.detail))
    }

    /// A connection that was closed or reset before its handshake was complete.
    #[cold]
    pub(super) fn broken_off(&self, index: usize, error: Option<io::Error>) -> Halt {
        let how = match error {
            Some(error) if error.kind() != io::ErrorKind::UnexpectedEof => format!("broke ({error})"),
            _ => "closed".to_owned(),
        };
        let received = self.shaken(index);
        let what = format!(
            "the server {how} connection {index} in the middle of the TLS handshake, after {received} bytes of it: does it \
             speak TLS at this port? See its log"
        );
        self.fault(FaultKind::ClosedEarly, what)
    }

    /// The words for a handshake without an end.
    #[cold]
    pub(super) fn unfinished(&self, index: usize, seconds: f64) -> String {
        let received = self.shaken(index);
        format!(
            "the TLS handshake of connection {index} was not complete within {seconds} s: the server had sent {received} bytes of it"
        )
    }

    /// Bytes that were received of a handshake.
    fn shaken(&self, index: usize) -> u64 {
        let session = self.pool.conns[index].tls.as_deref();
        session.and_then(Session::in_handshake).unwrap_or(0)
    }
}

/// The end of a TCP connection whose TLS was not ended: somebody else may have cut it.
fn cut_short() -> io::Error {
    let what = "it ended without close_notify, so what it sent may be cut short";
    io::Error::new(io::ErrorKind::UnexpectedEof, what)
}
