//! One direction of an open connection: its records, opened where they were received, and sealed from where they were made.
//!
//! TLS 1.3 (RFC 8446 §5) and 1.2 with AEAD suites (RFC 5246 §6.2.3.3, RFC 5288, RFC 7905).

use std::ops::Range;

use aws_lc_rs::aead::{
    AES_128_GCM, AES_256_GCM, Aad, Algorithm, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey,
};
use rustls::ConnectionTrafficSecrets;
use tare_model::fault::{Fault, FaultKind};

use crate::alert;
use crate::trouble::{fault, hex, no_record};

/// Bytes before the content of a record: its kind, a version, and the content's length.
pub(crate) const HEADER: usize = 5;

/// The most plain bytes of a record.
pub(crate) const PLAIN: usize = 1 << 14;

/// The most bytes of a record's content: TLS 1.2 allows that many more, 1.3 fewer.
const CONTENT: usize = PLAIN + 2048;

/// Bytes of a tag, in every suite.
const TAG: usize = 16;

/// Bytes of the nonce that records of TLS 1.2 with AES-GCM carry.
const CARRIED: usize = 8;

/// Kinds of records.
const CHANGE_CIPHER_SPEC: u8 = 20;
pub(crate) const ALERT: u8 = 21;
pub(crate) const HANDSHAKE: u8 = 22;
pub(crate) const DATA: u8 = 23;

/// A record that is not accepted: the alert that answers it, and what is wrong.
pub(crate) type Refused = (u8, Fault);

/// One direction of a connection.
pub(crate) struct Direction {
    key: LessSafeKey,
    iv: [u8; 12],
    /// Records so far under this key.
    count: u64,
    tls13: bool,
    /// Whether records carry a part of their nonce.
    carries: bool,
}

/// Whether a byte may be the first of a record.
pub(crate) fn begins(byte: u8) -> bool {
    (CHANGE_CIPHER_SPEC..=DATA).contains(&byte)
}

/// The kind of the first record and the length of its content; none where that has not come.
pub(crate) fn header(bytes: &[u8]) -> Result<Option<(u8, usize)>, Fault> {
    match *bytes {
        [] => Ok(None),
        [kind, ..] if !begins(kind) => Err(no_record(bytes)),
        [_, major, ..] if major != 3 => Err(no_record(bytes)),
        [kind, _, _, high, low, ..] => {
            let len = usize::from(u16::from_be_bytes([high, low]));
            if len > CONTENT {
                let head = hex(&bytes[..HEADER]);
                let what = format!("a record of {len} bytes came, and {CONTENT} are allowed: {head}");
                return Err(fault(what));
            }
            Ok(Some((kind, len)))
        }
        _ => Ok(None),
    }
}

impl Direction {
    /// The direction with these keys, and this number of records so far.
    pub(crate) fn new(secrets: &ConnectionTrafficSecrets, count: u64, tls13: bool) -> Result<Self, Fault> {
        use ConnectionTrafficSecrets::{Aes128Gcm, Aes256Gcm, Chacha20Poly1305};
        let (algorithm, key, iv): (&'static Algorithm, _, _) = match secrets {
            Aes128Gcm { key, iv } => (&AES_128_GCM, key, iv),
            Aes256Gcm { key, iv } => (&AES_256_GCM, key, iv),
            Chacha20Poly1305 { key, iv } => (&CHACHA20_POLY1305, key, iv),
            _ => return Err(instrument("a suite was agreed on whose records are unknown here")),
        };
        let carries = !tls13 && !matches!(secrets, Chacha20Poly1305 { .. });
        let key = UnboundKey::new(algorithm, key.as_ref()).ok();
        let Some((key, iv)) = key.zip(iv.as_ref().try_into().ok()) else {
            return Err(instrument("a key has another length than its suite's"));
        };
        Ok(Self {
            key: LessSafeKey::new(key),
            iv,
            count,
            tls13,
            carries,
        })
    }

    /// Records so far under this key.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// The nonce of the next record: no two of a key are the same.
    fn nonce(&self) -> [u8; 12] {
        let mut nonce = self.iv;
        for (byte, count) in nonce[4..].iter_mut().zip(self.count.to_be_bytes()) {
            *byte ^= count;
        }
        nonce
    }

    /// Opens a whole record. Returns the kind of what it carries, and where that is now.
    #[inline]
    pub(crate) fn open(&mut self, kind: u8, record: &mut [u8]) -> Result<(u8, Range<usize>), Refused> {
        if self.tls13 {
            self.open_new(kind, record)
        } else {
            self.open_old(kind, record)
        }
    }

    /// A record of TLS 1.3, whose kind is sealed, too.
    fn open_new(&mut self, kind: u8, record: &mut [u8]) -> Result<(u8, Range<usize>), Refused> {
        let (head, content) = record.split_at_mut(HEADER);
        if kind != DATA {
            return Err((alert::UNEXPECTED_MESSAGE, in_clear(kind, head, content)));
        }
        let head = &*head;
        let inner = self.open_in_place(self.nonce(), head, head, content)?;
        // The kind stands behind the content, and zeros may follow it.
        let Some(end) = inner.iter().rposition(|byte| *byte != 0) else {
            let what = format!(
                "a record of {} zeros came, which carries nothing at all",
                inner.len()
            );
            return Err((alert::UNEXPECTED_MESSAGE, fault(what)));
        };
        if end > PLAIN {
            return Err((alert::RECORD_OVERFLOW, too_long(end)));
        }
        Ok((inner[end], HEADER..HEADER + end))
    }

    /// A record of TLS 1.2.
    fn open_old(&mut self, kind: u8, record: &mut [u8]) -> Result<(u8, Range<usize>), Refused> {
        let carried = if self.carries { CARRIED } else { 0 };
        let (head, content) = record.split_at_mut(HEADER);
        let Some(len) = content.len().checked_sub(carried + TAG) else {
            return Err((alert::BAD_RECORD_MAC, too_short(head, content.len())));
        };
        let (explicit, content) = content.split_at_mut(carried);
        let nonce = match self.carries {
            true => self.nonce_carrying(explicit),
            false => self.nonce(),
        };
        let aad = old_aad(self.count, kind, len);
        self.open_in_place(nonce, &aad, head, content)?;
        if len > PLAIN {
            return Err((alert::RECORD_OVERFLOW, too_long(len)));
        }
        let begin = HEADER + carried;
        Ok((kind, begin..begin + len))
    }

    /// A nonce of which the record carries a part.
    fn nonce_carrying(&self, explicit: &[u8]) -> [u8; 12] {
        let mut nonce = self.iv;
        nonce[4..].copy_from_slice(explicit);
        nonce
    }

    fn open_in_place<'c>(
        &mut self,
        nonce: [u8; 12],
        aad: &[u8],
        head: &[u8],
        content: &'c mut [u8],
    ) -> Result<&'c mut [u8], Refused> {
        let Some(at) = content.len().checked_sub(TAG) else {
            return Err((alert::BAD_RECORD_MAC, too_short(head, content.len())));
        };
        // A failure overwrites it.
        let mut tag = [0; TAG];
        tag.copy_from_slice(&content[at..]);
        let once = Nonce::assume_unique_for_key(nonce);
        let opened = self.key.open_in_place(once, Aad::from(aad), content);
        self.count += 1;
        opened.map_err(|_| (alert::BAD_RECORD_MAC, bad_tag(self.count, head, &tag)))
    }

    /// Appends a record of this kind to `out`.
    #[inline]
    pub(crate) fn seal(&mut self, kind: u8, plain: &[u8], out: &mut Vec<u8>) -> Result<(), Fault> {
        let (nonce, own) = (self.nonce(), [kind]);
        let carried = if self.carries { CARRIED } else { 0 };
        let inner: &[u8] = if self.tls13 { &own } else { &[] };
        let content = carried + plain.len() + inner.len() + TAG;
        let [high, low] = (content as u16).to_be_bytes();
        let head = [if self.tls13 { DATA } else { kind }, 3, 3, high, low];
        let begin = out.len();
        out.extend_from_slice(&head);
        out.extend_from_slice(&nonce[12 - carried..]);
        out.resize(begin + HEADER + content, 0);
        let (sealed, tag) = out[begin + HEADER + carried..].split_at_mut(plain.len());
        let old = old_aad(self.count, kind, plain.len());
        let aad = Aad::from(if self.tls13 { &head[..] } else { &old[..] });
        let once = Nonce::assume_unique_for_key(nonce);
        let done = self
            .key
            .seal_out_of_place_scatter(once, aad, plain, sealed, inner, tag);
        self.count += 1;
        done.map_err(|_| instrument("a record could not be sealed"))
    }
}

/// What TLS 1.2 authenticates beside the content.
fn old_aad(count: u64, kind: u8, len: usize) -> [u8; 13] {
    let mut aad = [0; 13];
    aad[..8].copy_from_slice(&count.to_be_bytes());
    let [high, low] = (len as u16).to_be_bytes();
    aad[8..].copy_from_slice(&[kind, 3, 3, high, low]);
    aad
}

fn instrument(what: &str) -> Fault {
    Fault::new(FaultKind::Instrument, format!("TLS: {what}"))
}

#[cold]
fn bad_tag(number: u64, head: &[u8], tag: &[u8]) -> Fault {
    fault(format!(
        "a record cannot be decrypted, number {number} under its key: its tag is wrong (it begins with {}, and its tag is {})",
        hex(head),
        hex(tag)
    ))
}

#[cold]
fn too_short(head: &[u8], len: usize) -> Fault {
    let head = hex(head);
    fault(format!(
        "a record of {len} bytes came, which cannot hold a tag: {head}"
    ))
}

#[cold]
fn too_long(len: usize) -> Fault {
    fault(format!(
        "a record of {len} plain bytes came, and {PLAIN} are allowed"
    ))
}

/// The fault of a record in clear where all are sealed.
#[cold]
fn in_clear(kind: u8, head: &[u8], content: &[u8]) -> Fault {
    match (kind, content) {
        (ALERT, &[_, code]) => {
            let name = alert::named(code);
            fault(format!(
                "the server ended the connection with the alert {name}, in clear"
            ))
        }
        _ => fault(format!(
            "a record in clear came, of the kind {kind}, where all are sealed: {} {}",
            hex(head),
            hex(content)
        )),
    }
}
