//! What the records of an open connection say.

use std::ops::Range;

use rustls::client::ClientConnectionData;
use rustls::kernel::KernelConnection;
use rustls::{ConnectionTrafficSecrets, ExtractedSecrets, ProtocolVersion};
use tare_model::fault::Fault;

use crate::alert;
use crate::direction::{ALERT, DATA, Direction, HANDSHAKE, HEADER, PLAIN, header};
use crate::later::{self, Message};
use crate::trouble::{fault, hex};

/// The most records in a row that carry nothing for the reader.
const SILENT: u32 = 1000;

/// Records after which a key is replaced: half of the 2^24 that rustls allows a key of AES-GCM (RFC 8446 §5.5). TLS 1.2 has
/// no other key.
const WORN: u64 = 1 << 23;

/// What the first record in received bytes is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Opened {
    /// It is not whole.
    Partial,
    /// It carried nothing for the reader; its length.
    Silent(usize),
    /// It carried plain bytes, which are there now; its length.
    Plain(Range<usize>, usize),
    /// The server sends nothing more.
    Ended,
}

/// The records of a connection.
pub(crate) struct Records {
    sealing: Direction,
    opening: Direction,
    tls13: bool,
    /// Derives further keys, and keeps sessions.
    kernel: Box<KernelConnection<ClientConnectionData>>,
    resume: bool,
    ended: bool,
    silent: u32,
    /// The beginning of a message of the handshake's kind.
    part: Vec<u8>,
}

impl Records {
    /// Those after a handshake. `ended`: whether the server has ended its direction in the meantime.
    pub(crate) fn new(
        secrets: ExtractedSecrets,
        kernel: KernelConnection<ClientConnectionData>,
        resume: bool,
        ended: bool,
    ) -> Result<Self, Fault> {
        let tls13 = kernel.protocol_version() == ProtocolVersion::TLSv1_3;
        let way = |(count, secrets): (u64, ConnectionTrafficSecrets)| Direction::new(&secrets, count, tls13);
        Ok(Self {
            sealing: way(secrets.tx)?,
            opening: way(secrets.rx)?,
            tls13,
            kernel: Box::new(kernel),
            resume,
            ended,
            silent: 0,
            part: Vec::new(),
        })
    }

    /// Whether the server has said that it sends nothing more.
    pub(crate) fn ended(&self) -> bool {
        self.ended
    }

    /// Opens the first record in `bytes`. What has to be sent because of it is appended to `out`, also if it is wrong.
    #[inline]
    pub(crate) fn open(&mut self, bytes: &mut [u8], out: &mut Vec<u8>) -> Result<Opened, Fault> {
        if self.ended {
            return Ok(Opened::Ended);
        }
        let Some((kind, len)) = header(bytes)? else {
            return Ok(Opened::Partial);
        };
        let whole = HEADER + len;
        let Some(record) = bytes.get_mut(..whole) else {
            return Ok(Opened::Partial);
        };
        match self.opening.open(kind, record) {
            Ok((DATA, plain)) if !plain.is_empty() => {
                self.silent = 0;
                Ok(Opened::Plain(plain, whole))
            }
            Ok((kind, content)) => self.unusual(kind, &record[content], out, whole),
            Err((code, fault)) => Err(self.refuse(code, fault, out)),
        }
    }

    /// A record that carries nothing for the reader.
    #[cold]
    fn unusual(
        &mut self,
        kind: u8,
        content: &[u8],
        out: &mut Vec<u8>,
        whole: usize,
    ) -> Result<Opened, Fault> {
        self.silent += 1;
        if self.silent > SILENT {
            let what = format!(
                "more than {SILENT} records in a row carried nothing, the last of the kind {kind}: {}",
                hex(content)
            );
            return Err(self.refuse(alert::UNEXPECTED_MESSAGE, fault(what), out));
        }
        match (kind, content) {
            (DATA, []) => {}
            (ALERT, &[_, alert::CLOSE_NOTIFY]) => {
                self.ended = true;
                return Ok(Opened::Ended);
            }
            (ALERT, &[_, alert::USER_CANCELED]) => {}
            // A warning, which TLS 1.3 has no more.
            (ALERT, &[1, _]) if !self.tls13 => {}
            (ALERT, &[level, code]) => {
                let name = alert::named(code);
                return Err(fault(format!(
                    "the server ended the connection with the alert {name}: {level:02x} {code:02x}"
                )));
            }
            (HANDSHAKE, content) => {
                let taken = self.messages(content, out);
                taken.map_err(|fault| self.refuse(alert::UNEXPECTED_MESSAGE, fault, out))?;
            }
            _ => {
                let bytes = hex(content);
                let what =
                    format!("a record of the kind {kind} came in the middle of the connection: {bytes}");
                return Err(self.refuse(alert::UNEXPECTED_MESSAGE, fault(what), out));
            }
        }
        Ok(Opened::Silent(whole))
    }

    /// Takes messages of the handshake's kind that came after it.
    fn messages(&mut self, content: &[u8], out: &mut Vec<u8>) -> Result<(), Fault> {
        if !self.tls13 {
            return Err(later::renegotiation(content));
        }
        let mut part = std::mem::take(&mut self.part);
        part.extend_from_slice(content);
        let mut used = 0;
        while let Some((message, len)) = later::message(&part[used..])? {
            used += len;
            match message {
                Message::Ticket(ticket) if self.resume => {
                    let kept = self.kernel.handle_new_session_ticket(ticket);
                    kept.map_err(|error| {
                        fault(format!(
                            "a session ticket cannot be used ({error}): {}",
                            hex(ticket)
                        ))
                    })?;
                }
                Message::Ticket(_) => {}
                Message::KeyUpdate { .. } if used < part.len() => {
                    let rest = hex(&part[used..]);
                    return Err(fault(format!("bytes follow a KeyUpdate in its record: {rest}")));
                }
                Message::KeyUpdate { asked } => self.update(asked, out)?,
            }
        }
        self.part = part.split_off(used);
        Ok(())
    }

    /// Opens with the next key; and seals with the next one, too, if that was asked for.
    fn update(&mut self, asked: bool, out: &mut Vec<u8>) -> Result<(), Fault> {
        self.opening = next_direction(self.kernel.update_rx_secret())?;
        if asked { self.renew(out) } else { Ok(()) }
    }

    /// Seals with the next key from now on, and says so.
    #[cold]
    fn renew(&mut self, out: &mut Vec<u8>) -> Result<(), Fault> {
        self.sealing.seal(HANDSHAKE, &later::KEY_UPDATE, out)?;
        self.sealing = next_direction(self.kernel.update_tx_secret())?;
        Ok(())
    }

    /// A fault that the server is told by an alert.
    #[cold]
    fn refuse(&mut self, code: u8, mut fault: Fault, out: &mut Vec<u8>) -> Fault {
        if self.sealing.seal(ALERT, &[2, code], out).is_ok() {
            fault.detail += &format!("; it was answered with the alert {}", alert::named(code));
        }
        fault
    }

    /// Appends the end of this direction to `out`.
    pub(crate) fn end(&mut self, out: &mut Vec<u8>) {
        // What cannot be sealed ends without it.
        let _ = self.sealing.seal(ALERT, &[1, alert::CLOSE_NOTIFY], out);
    }

    /// Appends the records of plain bytes to `out`.
    #[inline]
    pub(crate) fn seal(&mut self, plain: &[u8], out: &mut Vec<u8>) -> Result<(), Fault> {
        if self.tls13 && self.sealing.count() >= WORN {
            self.renew(out)?;
        }
        let mut pieces = plain.chunks(PLAIN);
        pieces.try_for_each(|piece| self.sealing.seal(DATA, piece, out))
    }
}

fn next_direction(next: Result<(u64, ConnectionTrafficSecrets), rustls::Error>) -> Result<Direction, Fault> {
    let (count, secrets) =
        next.map_err(|error| fault(format!("no further key could be derived: {error}")))?;
    Direction::new(&secrets, count, true)
}
