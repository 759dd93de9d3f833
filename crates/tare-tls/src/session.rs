//! One connection.

use std::fmt;
use std::ops::Range;

use tare_model::fault::Fault;
use tare_model::tls::Agreed;

use crate::client::Client;
use crate::handshake::{Complete, Handshake};
use crate::records::{Opened, Records};

/// The kept bytes above which their memory is given back once they are taken.
const SMALL: usize = 4096;

/// A connection: bytes in, bytes out, without I/O.
pub struct Session {
    phase: Phase,
    /// The beginning of a record.
    kept: Vec<u8>,
}

enum Phase {
    Handshake(Box<Handshake>),
    Open(Records),
    /// A handshake that failed.
    Broken,
}

/// What the first received bytes are.
#[derive(Debug)]
pub enum Step {
    /// All of them were taken or kept: more are needed.
    More,
    /// The handshake is complete, and all bytes were taken.
    Secured(Box<Secured>),
    /// So many bytes carried nothing for the reader.
    Silent(usize),
    /// Plain bytes, which are in this range of the passed bytes now; how many the record has.
    Plain(Range<usize>, usize),
    /// The server has ended the connection in order; what follows does not count.
    Ended,
}

/// A handshake that is complete.
#[derive(Debug)]
pub struct Secured {
    /// What both ends agreed on.
    pub agreed: Agreed,
    /// Whether an earlier session was resumed.
    pub resumed: bool,
    /// Plain bytes that came with it.
    pub early: Vec<u8>,
}

impl Session {
    /// Begins a connection: its first flight is appended to `out`.
    ///
    /// # Errors
    /// No handshake can be begun.
    pub fn begin(client: &Client, out: &mut Vec<u8>) -> Result<Self, Fault> {
        Ok(Self {
            phase: Phase::Handshake(Box::new(Handshake::begin(client, out)?)),
            kept: Vec::new(),
        })
    }

    /// The kept beginning of a record: it has to be passed again, before what follows.
    pub fn kept(&self) -> &[u8] {
        &self.kept
    }

    /// Bytes of a handshake that were received so far; none once it is complete.
    pub fn in_handshake(&self) -> Option<u64> {
        match &self.phase {
            Phase::Handshake(handshake) => Some(handshake.received()),
            _ => None,
        }
    }

    /// Whether the server has ended the connection in order: what it sent is all that it wanted to send.
    pub fn ended(&self) -> bool {
        matches!(&self.phase, Phase::Open(records) if records.ended())
    }

    /// Takes the first of received bytes, and decrypts them where they are. It is called again with what is left until it
    /// needs more. What has to be sent because of them is appended to `out`, also if they are wrong.
    ///
    /// # Errors
    /// What is wrong, with the alert or the bytes, and what helps.
    #[inline]
    pub fn take(&mut self, bytes: &mut [u8], out: &mut Vec<u8>) -> Result<Step, Fault> {
        let records = match &mut self.phase {
            Phase::Open(records) => records,
            _ => return self.shake(bytes, out),
        };
        Ok(match records.open(bytes, out)? {
            Opened::Plain(plain, len) => Step::Plain(plain, len),
            Opened::Silent(len) => Step::Silent(len),
            Opened::Ended => Step::Ended,
            Opened::Partial => {
                self.keep(bytes);
                Step::More
            }
        })
    }

    /// Appends the records of plain bytes to `out`.
    ///
    /// # Errors
    /// There is no open connection.
    #[inline]
    pub fn seal(&mut self, plain: &[u8], out: &mut Vec<u8>) -> Result<(), Fault> {
        match &mut self.phase {
            Phase::Open(records) => records.seal(plain, out),
            // Nothing is written before the handshake is complete.
            _ => Ok(()),
        }
    }

    /// Appends the end of the client's direction to `out` (RFC 8446 §6.1): it is not cut short. Nothing before the handshake is
    /// complete.
    pub fn end(&mut self, out: &mut Vec<u8>) {
        if let Phase::Open(records) = &mut self.phase {
            records.end(out);
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.kept.clear();
        if bytes.is_empty() && self.kept.capacity() > SMALL {
            self.kept = Vec::new();
        }
        self.kept.extend_from_slice(bytes);
    }

    #[cold]
    fn shake(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<Step, Fault> {
        let Phase::Handshake(mut handshake) = std::mem::replace(&mut self.phase, Phase::Broken) else {
            return Ok(Step::More);
        };
        if !handshake.take(bytes, out)? {
            self.phase = Phase::Handshake(handshake);
            return Ok(Step::More);
        }
        let Complete {
            records,
            agreed,
            resumed,
            early,
            rest,
        } = handshake.complete()?;
        self.phase = Phase::Open(records);
        self.kept = rest;
        Ok(Step::Secured(Box::new(Secured {
            agreed,
            resumed,
            early,
        })))
    }
}

/// Without its keys.
impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let phase = match self.phase {
            Phase::Handshake(_) => "handshake",
            Phase::Open(_) => "open",
            Phase::Broken => "broken",
        };
        f.debug_struct("Session")
            .field("phase", &phase)
            .field("kept", &self.kept.len())
            .finish_non_exhaustive()
    }
}
