//! A blocking connection, in clear or over TLS.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tare_model::fault::{Fault, FaultKind};
use tare_tls::{Client, Session, Step};

use super::LONGEST_WAIT;
use super::link::{Failure, not_sent};
use super::stream::Stream;
use crate::address::Address;

/// A blocking connection.
pub(super) struct Channel {
    stream: Stream,
    tls: Option<Session>,
    /// Plain bytes that came with the handshake.
    early: Vec<u8>,
    /// What broke it; none of a connection that was only closed.
    broken: Option<Failure>,
}

fn failure(fault: Fault) -> Failure {
    (fault.kind, fault.detail)
}

impl Channel {
    /// Connects, and secures the connection where there is a `client`.
    pub(super) fn connect(
        address: &Address,
        client: Option<&Client>,
        timeout: Duration,
        stop: &AtomicBool,
    ) -> Result<Self, Failure> {
        let stream = Stream::connect(address, timeout).map_err(|error| not_sent(&error))?;
        let mut channel = Self {
            stream,
            tls: None,
            early: Vec::new(),
            broken: None,
        };
        if let Some(client) = client {
            channel.shake(client, Instant::now() + timeout, stop)?;
        }
        Ok(channel)
    }

    fn shake(&mut self, client: &Client, deadline: Instant, stop: &AtomicBool) -> Result<(), Failure> {
        let mut out = Vec::new();
        let mut session = Session::begin(client, &mut out).map_err(failure)?;
        loop {
            // The next read says what became of a connection that broke.
            let _ = self.stream.write_all(&out);
            out.clear();
            let mut bytes = Vec::new();
            let left = deadline.saturating_duration_since(Instant::now());
            match self.stream.read_more(&mut bytes, left.min(LONGEST_WAIT)) {
                Ok(true) => return Err(cut(&session, FaultKind::ClosedEarly, "closed the connection")),
                Ok(false) => {}
                Err(_) if left > LONGEST_WAIT && !stop.load(Ordering::Relaxed) => continue,
                Err(_) => return Err(cut(&session, FaultKind::Hung, "was silent then")),
            }
            match session.take(&mut bytes, &mut out) {
                Err(fault) => {
                    let _ = self.stream.write_all(&out);
                    return Err(failure(fault));
                }
                Ok(Step::Secured(secured)) => {
                    (self.tls, self.early) = (Some(session), secured.early);
                    return self.stream.write_all(&out).map_err(|error| not_sent(&error));
                }
                Ok(_) => {}
            }
            // Bytes that come all the time are no handshake either.
            if left.is_zero() {
                return Err(cut(&session, FaultKind::Hung, "went on sending"));
            }
        }
    }

    /// Reads some plain bytes, or none, within `left`. Returns whether the server has closed, or the connection is broken.
    pub(super) fn read_more(&mut self, got: &mut Vec<u8>, left: Duration) -> io::Result<bool> {
        let Some(session) = &mut self.tls else {
            return self.stream.read_more(got, left);
        };
        if !self.early.is_empty() {
            got.append(&mut self.early);
            return Ok(session.ended());
        }
        let (mut bytes, mut out) = (session.kept().to_vec(), Vec::new());
        let before = bytes.len();
        let closed = self.stream.read_more(&mut bytes, left)?;
        if closed && bytes.len() == before {
            let what = "the server closed the connection without close_notify: what it sent may be cut short";
            self.broken = Some((FaultKind::ClosedEarly, what.to_owned()));
            return Ok(true);
        }
        let ended = open(session, &mut bytes, got, &mut out);
        let _ = self.stream.write_all(&out);
        ended.or_else(|fault| {
            self.broken = Some(failure(fault));
            Ok(true)
        })
    }

    /// Reads plain bytes that nobody asked for, until some have come or the time is over: that is the right result. A close is
    /// seen where an answer is read, and that of an idle connection is no fault.
    pub(super) fn overhear(&mut self, got: &mut Vec<u8>, wait: Duration) {
        let deadline = Instant::now() + wait;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            // What comes may be of TLS alone.
            let quiet = left.is_zero() || !matches!(self.read_more(got, left), Ok(false));
            if quiet || !got.is_empty() {
                return;
            }
        }
    }

    /// What broke the connection, once.
    pub(super) fn broken(&mut self) -> Option<Failure> {
        self.broken.take()
    }
}

impl Write for Channel {
    /// Writes plain bytes; over TLS all of them.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(session) = &mut self.tls else {
            return self.stream.write(bytes);
        };
        let mut out = Vec::new();
        session.seal(bytes, &mut out).map_err(io::Error::other)?;
        self.stream.write_all(&out)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        if let Some(session) = &mut self.tls {
            let mut out = Vec::new();
            session.end(&mut out);
            let _ = self.stream.write_all(&out);
        }
    }
}

/// Opens the records in `bytes`. Returns whether the server has ended the connection.
fn open(
    session: &mut Session,
    bytes: &mut [u8],
    got: &mut Vec<u8>,
    out: &mut Vec<u8>,
) -> Result<bool, Fault> {
    let mut at = 0;
    loop {
        match session.take(&mut bytes[at..], out)? {
            Step::Plain(plain, len) => {
                got.extend_from_slice(&bytes[at + plain.start..at + plain.end]);
                at += len;
            }
            Step::Silent(len) => at += len,
            Step::Ended => return Ok(true),
            Step::More | Step::Secured(_) => return Ok(false),
        }
    }
}

/// A handshake that is not completed.
fn cut(session: &Session, kind: FaultKind, how: &str) -> Failure {
    let received = session.in_handshake().unwrap_or(0);
    let what = format!(
        "the TLS handshake was not completed: the server sent {received} bytes of it and {how}; does it speak TLS at this port?"
    );
    (kind, what)
}
