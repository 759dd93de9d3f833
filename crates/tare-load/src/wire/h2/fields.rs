//! What the fields of a head, or of trailers, must be (RFC 9113 §8.1 to §8.3).

use super::hpack::Field;
use crate::check::{Checker, Coding};
use crate::show;
use crate::wire::{header, is_token};

/// Fields of HTTP/1.1's connections, which make a head malformed (RFC 9113 §8.2.2).
pub(crate) const OF_CONNECTIONS: [&[u8]; 5] = [
    b"connection",
    b"keep-alive",
    b"proxy-connection",
    b"transfer-encoding",
    b"upgrade",
];

/// What a block of fields is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Before the body.
    Head,
    /// After it.
    Trailers,
}

/// What an answer must be, beyond HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    Http,
    /// gRPC: its status is in the trailers, or in the head of an answer that has none.
    Grpc,
}

/// What is needed of a right block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    /// Whether another head follows (1xx).
    pub(super) interim: bool,
    /// The length of the body, where it is announced.
    pub(super) length: Option<usize>,
    /// How the body is encoded.
    pub(super) coding: Option<Coding>,
    /// Whether it says that a gRPC call succeeded.
    pub(super) succeeded: bool,
}

/// The fields of a block.
pub(super) struct Fields<'f> {
    fields: &'f [Field],
    manner: Manner,
    /// As lines, for a person.
    text: Vec<u8>,
}

impl<'f> Fields<'f> {
    pub(super) fn new(fields: &'f [Field], manner: Manner) -> Self {
        let line = |field: &Field| [&field.name[..], b": ", &field.value, b"\n"].concat();
        Self {
            text: fields.iter().flat_map(line).collect(),
            fields,
            manner,
        }
    }

    /// Checks them.
    ///
    /// # Errors
    /// What was expected and what was found.
    pub(super) fn judge(&self, place: Place, checker: &Checker) -> Result<Head, String> {
        if let Some(why) = self.fields.iter().find_map(flaw) {
            return self.malformed(why);
        }
        let is_pseudo = |field: &Field| field.name.starts_with(b":");
        let pseudo = self.fields.iter().take_while(|field| is_pseudo(field)).count();
        if self.fields[pseudo..].iter().any(is_pseudo) {
            return self.malformed("a pseudo-header field after others");
        }
        match place {
            Place::Head if pseudo == 1 => self.head(checker),
            Place::Head => self.malformed("not exactly one `:status` of three digits"),
            Place::Trailers if pseudo > 0 => self.malformed("a pseudo-header field in trailers"),
            Place::Trailers => Ok(Head {
                interim: false,
                length: None,
                coding: None,
                succeeded: self.succeeded()?,
            }),
        }
    }

    fn head(&self, checker: &Checker) -> Result<Head, String> {
        let status = match self.value(":status") {
            Some([a @ b'1'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9']) => [a, b, c]
                .iter()
                .fold(0, |sum, digit| sum * 10 + u16::from(**digit - b'0')),
            _ => return self.malformed("not exactly one `:status` of three digits"),
        };
        let Ok(length) = self.length() else {
            return self.malformed("a content-length that is not one number");
        };
        if status == 101 {
            return self.malformed("status 101, which HTTP/2 does not have");
        }
        let interim = status < 200;
        if interim {
            return Ok(Head {
                interim,
                length: None,
                coding: None,
                succeeded: false,
            });
        }
        checker.head(status, &self.text, self.text.len(), |name| self.value(name))?;
        let calls = |found: &[u8]| found.starts_with(b"application/grpc");
        if self.manner == Manner::Grpc && !self.value("content-type").is_some_and(calls) {
            let got = show::bytes(&self.text);
            return Err(format!(
                "expected the media type application/grpc\n  got      {got}"
            ));
        }
        Ok(Head {
            interim,
            // Such answers have no body.
            length: length.filter(|_| !matches!(status, 204 | 304)),
            coding: Coding::named(self.value("content-encoding")),
            succeeded: self.succeeded()?,
        })
    }

    /// The value of the first field of a name, whatever its case.
    fn value(&self, name: &str) -> Option<&'f [u8]> {
        let named = |field: &&Field| field.name.eq_ignore_ascii_case(name.as_bytes());
        self.fields.iter().find(named).map(|field| &*field.value)
    }

    /// The announced length of the body; an error: it is no number, or there are several that differ.
    fn length(&self) -> Result<Option<usize>, ()> {
        let mut lengths = self
            .fields
            .iter()
            .filter(|field| *field.name == *b"content-length");
        let Some(first) = lengths.next() else {
            return Ok(None);
        };
        if lengths.any(|other| other.value != first.value) {
            return Err(());
        }
        header::length(&first.value).map(Some).ok_or(())
    }

    /// Whether they say that a gRPC call succeeded.
    ///
    /// # Errors
    /// They say that it failed.
    fn succeeded(&self) -> Result<bool, String> {
        match self.value("grpc-status").filter(|_| self.manner == Manner::Grpc) {
            None => Ok(false),
            Some(b"0") => Ok(true),
            Some(other) => {
                let (got, other) = (show::bytes(&self.text), other.escape_ascii());
                Err(format!(
                    "the call failed: expected grpc-status 0, found {other}\n  got      {got}"
                ))
            }
        }
    }

    fn malformed(&self, why: &str) -> Result<Head, String> {
        let got = show::bytes(&self.text);
        Err(format!(
            "a malformed head: {why}\n  expected fields as RFC 9113 §8.2 has them\n  got      {got}"
        ))
    }
}

/// What is wrong with a field by itself.
fn flaw(field: &Field) -> Option<&'static str> {
    let name = field.name.strip_prefix(b":").unwrap_or(&field.name);
    let odd = |byte: &u8| matches!(byte, 0 | b'\r' | b'\n');
    if !is_token(name) || name.iter().any(u8::is_ascii_uppercase) {
        return Some("a field name that is no token in lower case");
    }
    if field.value.iter().any(odd) {
        return Some("a field value with a line end or NUL");
    }
    OF_CONNECTIONS
        .contains(&&*field.name)
        .then_some("a field of HTTP/1.1's connections")
}
