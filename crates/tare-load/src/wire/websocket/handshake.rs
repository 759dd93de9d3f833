//! The handshake (RFC 6455 §4): a request of HTTP/1.1 and its answer, after which both sides send frames.

use super::sha1;
use crate::show;
use crate::wire::dialog::{Breach, BreachKind};
use crate::wire::header::{self, LONGEST_HEAD, ParseError};

/// What a server adds to the key (§1.3).
const GUID: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// A handshake.
#[derive(Debug)]
pub(crate) struct Handshake {
    request: Vec<u8>,
    accept: String,
}

impl Handshake {
    /// `first`: the first line and the header fields, each with its line end, without those of WebSocket.
    pub(crate) fn new(first: &str, rng: &mut fastrand::Rng) -> Self {
        let key = sha1::base64(&rng.u128(..).to_be_bytes());
        let request = format!(
            "{first}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
        );
        Self {
            request: request.into_bytes(),
            accept: accept(&key),
        }
    }

    pub(super) fn request(&self) -> &[u8] {
        &self.request
    }

    /// Checks the server's answer. Returns its length, or how many bytes are needed.
    pub(super) fn answered(&self, bytes: &[u8]) -> Result<Result<usize, usize>, Breach> {
        match self.parse(bytes) {
            Ok(len) => Ok(Ok(len)),
            Err(ParseError::Incomplete(need)) => Ok(Err(need)),
            Err(ParseError::Invalid { at: _, why }) => {
                let got = show::bytes(bytes);
                Err(Breach {
                    kind: BreachKind::Protocol,
                    why: format!(
                        "the handshake failed: {why}\n  expected status 101 as RFC 6455 §4.2.2 has it\n  got      {got}"
                    ),
                })
            }
        }
    }

    fn parse(&self, bytes: &[u8]) -> Result<usize, ParseError> {
        let begins = b"HTTP/1.1 101";
        if !begins.starts_with(&bytes[..bytes.len().min(begins.len())]) {
            return header::invalid(0, "it is no answer of HTTP/1.1 with status 101");
        }
        let (line, at) = header::line(bytes, 0, LONGEST_HEAD)?;
        header::status(bytes[line].get(9..).unwrap_or_default(), 0)?;
        let (fields, end) = header::fields(bytes, 0, at)?;
        let has = |name: &str, item: &str| {
            header::values(&fields, bytes, name)
                .flat_map(|value| value.split(|&byte| byte == b','))
                .any(|found| found.trim_ascii().eq_ignore_ascii_case(item.as_bytes()))
        };
        if !has("upgrade", "websocket") || !has("connection", "upgrade") {
            return header::invalid(
                0,
                "it does not say `Upgrade: websocket` and `Connection: Upgrade`",
            );
        }
        if header::value(&fields, bytes, "sec-websocket-accept") != Some(self.accept.as_bytes()) {
            return header::invalid(0, "its Sec-WebSocket-Accept is not that of the key");
        }
        if header::value(&fields, bytes, "sec-websocket-extensions").is_some() {
            return header::invalid(0, "it has an extension that was not offered");
        }
        Ok(end)
    }
}

/// What a server must answer to a key (§4.2.2).
fn accept(key: &str) -> String {
    sha1::base64(&sha1::digest(format!("{key}{GUID}").as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 6455 §1.3.
    #[test]
    fn the_key_is_accepted_as_the_standard_has_it() {
        assert_eq!(accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }

    #[test]
    fn only_a_right_answer_opens() {
        let handshake = Handshake::new("GET / HTTP/1.1\r\nHost: a\r\n", &mut fastrand::Rng::with_seed(1));
        let request = String::from_utf8(handshake.request().to_vec()).unwrap();
        assert!(
            request.starts_with("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n"),
            "{request}"
        );
        assert!(request.ends_with("==\r\n\r\n"), "16 bytes: {request}");
        let answer = |fields: &str| format!("HTTP/1.1 101 Switching Protocols\r\n{fields}\r\n");
        let right = answer(&format!(
            "upgrade: WebSocket\r\nconnection: keep-alive, Upgrade\r\nsec-websocket-accept: {}\r\n",
            handshake.accept
        ));
        for cut in 0..right.len() {
            let need = handshake.answered(&right.as_bytes()[..cut]).unwrap().unwrap_err();
            assert!(need > cut && need <= right.len(), "{cut}");
        }
        assert_eq!(
            handshake.answered((right.clone() + "x").as_bytes()).unwrap(),
            Ok(right.len())
        );
        for (wrong, why) in [
            (
                right.replace("101", "200"),
                "no answer of HTTP/1.1 with status 101",
            ),
            (right.replace("101", "1012"), "no status code"),
            (right.replace("WebSocket", "h2c"), "does not say"),
            (right.replace("Upgrade\r", "x\r"), "does not say"),
            (right.replace("accept: ", "accept: x"), "not that of the key"),
            (
                right.replace("\r\n\r\n", "\r\nSec-WebSocket-Extensions: x\r\n\r\n"),
                "was not offered",
            ),
        ] {
            let error = handshake.answered(wrong.as_bytes()).unwrap_err().why;
            assert!(
                error.contains(why) && error.contains("got      \"HTTP/1.1"),
                "{error}"
            );
        }
    }
}
