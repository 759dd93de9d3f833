//! Messages of the handshake's kind that come after it.

use tare_model::fault::Fault;

use crate::trouble::{fault, hex};

/// The longest message: larger than any ticket that servers make.
const LONGEST: usize = 1 << 16;

/// Bytes before a message: its type, and its length in three bytes.
const HEADER: usize = 4;

const HELLO_REQUEST: u8 = 0;
const NEW_SESSION_TICKET: u8 = 4;
const CERTIFICATE_REQUEST: u8 = 13;
const KEY_UPDATE_TYPE: u8 = 24;

/// Says that the sender's key is another one from now on, and asks for nothing (RFC 8446 §4.6.3).
pub(crate) const KEY_UPDATE: [u8; 5] = [KEY_UPDATE_TYPE, 0, 0, 1, 0];

/// A message of TLS 1.3.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Message<'m> {
    /// What resumes the session, without the message's header.
    Ticket(&'m [u8]),
    /// The server's key is another one from now on.
    KeyUpdate {
        /// Whether the client's must be, too.
        asked: bool,
    },
}

/// The first message in bytes, and its length; none where it is not whole.
pub(crate) fn message(bytes: &[u8]) -> Result<Option<(Message<'_>, usize)>, Fault> {
    let &[kind, a, b, c, ref rest @ ..] = bytes else {
        return Ok(None);
    };
    let len = usize::from(a) << 16 | usize::from(b) << 8 | usize::from(c);
    match kind {
        NEW_SESSION_TICKET | KEY_UPDATE_TYPE if len <= LONGEST => {}
        CERTIFICATE_REQUEST => {
            return Err(fault(
                "the server wants a certificate of the client's, and there is none to send",
            ));
        }
        _ => {
            return Err(fault(format!(
                "an unexpected message of the handshake came after it, of the type {kind} and {len} bytes: {}",
                hex(bytes)
            )));
        }
    }
    let Some(content) = rest.get(..len) else {
        return Ok(None);
    };
    let message = match (kind, content) {
        (NEW_SESSION_TICKET, ticket) => Message::Ticket(ticket),
        (_, &[asked @ (0 | 1)]) => Message::KeyUpdate { asked: asked == 1 },
        (_, other) => {
            let other = hex(other);
            return Err(fault(format!("a KeyUpdate came that is none: {other}")));
        }
    };
    Ok(Some((message, HEADER + len)))
}

/// The fault of a message of the handshake in the middle of a connection of TLS 1.2.
pub(crate) fn renegotiation(bytes: &[u8]) -> Fault {
    match bytes {
        [HELLO_REQUEST, ..] => fault(format!(
            "the server asks for another handshake in the middle of the connection (renegotiation, HelloRequest): {}",
            hex(bytes)
        )),
        _ => fault(format!(
            "a message of the handshake came after it: {}",
            hex(bytes)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_told_apart() {
        assert_eq!(
            message(&KEY_UPDATE),
            Ok(Some((Message::KeyUpdate { asked: false }, 5)))
        );
        assert_eq!(
            message(&[24, 0, 0, 1, 1, 9]),
            Ok(Some((Message::KeyUpdate { asked: true }, 5)))
        );
        assert_eq!(
            message(&[4, 0, 0, 2, 7, 8]),
            Ok(Some((Message::Ticket(&[7, 8]), 6)))
        );
        for part in [&[][..], &[4], &[4, 0, 0, 2, 7]] {
            assert_eq!(message(part), Ok(None), "{part:?}");
        }
        for (bad, why) in [
            (&[24, 0, 0, 1, 2][..], "a KeyUpdate came that is none: 02"),
            (&[24, 0, 0, 0], "a KeyUpdate came that is none: nothing"),
            (&[4, 1, 0, 1], "of the type 4 and 65537 bytes"),
            (&[13, 0, 0, 0], "wants a certificate"),
            (&[0, 0, 0, 0], "of the type 0"),
        ] {
            let text = message(bad).unwrap_err().detail;
            assert!(text.contains(why), "{text}");
        }
        assert!(
            renegotiation(&[0, 0, 0, 0])
                .detail
                .contains("renegotiation, HelloRequest): 00 00 00 00")
        );
    }
}
