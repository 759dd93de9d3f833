//! A connection of HTTP/2 to talk on, and frames to say.

use super::super::frame::{self, DATA, END_HEADERS, END_STREAM, HEADERS};
use super::super::{H2, Manner, encode};
use crate::check::Expectation;
use crate::wire::dialog::{Breach, BreachKind, Dialog, News, Taken, Times};

pub(super) const BODY: &[u8] = b"hello";

/// `:status: 200`, by the static table.
pub(super) const OK: &[u8] = &[0x88];

/// One connection.
pub(super) struct Talk {
    pub(super) h2: H2,
    pub(super) news: News,
    pub(super) sent: u64,
}

pub(super) fn frame(kind: u8, flags: u8, stream: u32, content: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    frame::push(&mut out, kind, flags, stream, content);
    out
}

pub(super) fn settings(values: &[(u16, u32)]) -> Vec<u8> {
    let mut out = Vec::new();
    frame::push_settings(&mut out, values);
    out
}

/// `content-length: N`, without indexing.
pub(super) fn length(text: &str) -> Vec<u8> {
    [&[0x0f, 0x0d, text.len() as u8], text.as_bytes()].concat()
}

/// A right answer.
pub(super) fn right(stream: u32) -> Vec<u8> {
    let head = [OK, &length("5")].concat();
    [
        frame(HEADERS, END_HEADERS, stream, &head),
        frame(DATA, END_STREAM, stream, BODY),
    ]
    .concat()
}

pub(super) fn made(method: &str, body: &[u8], expected: Expectation, manner: Manner) -> Talk {
    let block = encode([(":method", method.as_bytes()), (":path", b"/".as_slice())]);
    let mut h2 = H2::new(method, block, body.to_vec(), expected, manner);
    h2.resize(1, 8);
    h2.begin(0);
    Talk {
        h2,
        news: News::default(),
        sent: 0,
    }
}

impl Talk {
    pub(super) fn new() -> Self {
        made("GET", b"", Expectation::bytes(Some(BODY)), Manner::Http).greeted(&[])
    }

    pub(super) fn greeted(mut self, values: &[(u16, u32)]) -> Self {
        self.owed();
        self.take(&settings(values)).unwrap();
        assert!(self.news.greeted);
        self.owed();
        self
    }

    pub(super) fn owed(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        self.h2.owed(0, &mut out);
        out
    }

    /// Sends as many requests, whose intended times are 0, 1, 2 and so on.
    pub(super) fn ask(mut self, n: usize) -> Self {
        self.sends(n);
        self
    }

    pub(super) fn sends(&mut self, n: usize) -> Vec<u8> {
        let mut out = Vec::new();
        for _ in 0..n {
            let times = Times {
                intended: self.sent,
                sent: self.sent,
            };
            self.h2.send(0, times, &mut out);
            self.sent += 1;
        }
        out
    }

    /// Takes bytes, all of which must be whole frames. Returns the intended times of what was answered.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result<Vec<u64>, Breach> {
        self.news.clear();
        let taken = self.h2.take(0, bytes, &mut self.news)?;
        assert_eq!(
            taken,
            Taken {
                len: bytes.len(),
                need: 9
            }
        );
        Ok(self.news.answered.iter().map(|one| one.intended).collect())
    }

    /// What is said of wrong bytes.
    pub(super) fn breach(mut self, bytes: &[u8]) -> (BreachKind, String) {
        let breach = self.take(bytes).expect_err("a breach");
        (breach.kind, breach.why)
    }
}
