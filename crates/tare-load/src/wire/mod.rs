//! Wire protocols, sans-IO: where an answer ends in received bytes.
//!
//! A protocol sees the bytes received since the last answer, or since those that it took of the current one. It may
//! await a small answer whole, and takes a large one piece by piece, so that none is kept and each byte is seen once. A
//! connection's [`Progress`] holds what is known of an answer of which a part was taken; what a protocol has learned of
//! the server (a template of its answers) it holds itself. Whether the parts of an answer are right is for
//! [`crate::check`] to say.
//!
//! A new protocol is one file or folder here, and, if it takes answers in parts, a variant of [`Progress`]. One whose answers
//! may come in any order, or whose server may ask for something itself, is a [`Dialog`].

mod cgi;
mod dialog;
pub(crate) mod fastcgi;
mod h2;
mod header;
mod http1;
mod lines;
mod websocket;

pub(crate) use dialog::{Breach, BreachKind, Dialog, News, Times};
pub(crate) use h2::{H2, Manner, OF_CONNECTIONS, encode};
pub(crate) use header::is_token;
pub(crate) use http1::Http1;
pub(crate) use lines::Lines;
pub use websocket::Message;
pub(crate) use websocket::{Handshake, WebSocket};

/// What the first bytes after the last answer are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Judged {
    /// Not a whole answer yet.
    Partial {
        /// Bytes that were taken: they must not be passed again.
        taken: usize,
        /// Bytes after those that are needed before the protocol is asked again.
        need: usize,
        /// Bytes after those taken (all were, then) that need not be looked at. They must be skipped, not passed: they are
        /// already counted.
        skip: usize,
    },
    /// The right answer.
    Right {
        /// Its length in bytes, without what was taken before.
        len: usize,
        /// Whether the server closes the connection after it.
        last: bool,
        /// Whether each of its bytes was checked (a large body may be sampled).
        whole: bool,
    },
    /// A wrong answer, or no answer at all.
    Wrong {
        /// What was expected and what was found, for a person; may have several lines.
        why: String,
    },
}

/// The part of a connection's current answer that was taken. The caller keeps one for each connection, and resets it
/// with a new connection; a protocol leaves it at `Start` with every whole answer.
#[derive(Debug, Default)]
pub(crate) enum Progress {
    /// Nothing was taken yet.
    #[default]
    Start,
    /// A part of an HTTP answer.
    Http1(http1::PartialAnswer),
    /// A part of a FastCGI responder's answer.
    FastCgi(Box<fastcgi::PartialAnswer>),
}

impl Progress {
    /// Whether nothing was taken yet.
    pub(crate) fn is_start(&self) -> bool {
        matches!(self, Self::Start)
    }
}

/// A wire protocol with what its answers must be.
pub(crate) trait Wire: Send + Sync {
    /// Judges the first answer in `bytes` (never empty unless `closed`). `expected`: the answer that the job expects, in
    /// the protocol's own terms; `progress`: the part of the connection's answer that was taken; `closed`: the server has
    /// closed, nothing will follow.
    fn judge(&mut self, bytes: &[u8], expected: &[u8], progress: &mut Progress, closed: bool) -> Judged;

    /// Checks only a share (0 to 1) of large answers whole, drawn at random, and of the others the length and both ends.
    /// A protocol whose answers are never large checks all.
    fn sample(&mut self, _share: f64) {}

    /// The body in the bytes of a whole answer to a request that expects `expected`; none where the protocol or the answer
    /// has none.
    fn body(&self, _answer: &[u8], _expected: &[u8]) -> Option<Vec<u8>> {
        None
    }

    /// The value of a header field in such bytes; none where the protocol or the answer has none.
    fn field(&self, _answer: &[u8], _expected: &[u8], _name: &str) -> Option<Vec<u8>> {
        None
    }

    /// The same protocol and expectation for another thread.
    fn fork(&self) -> Box<dyn Wire>;
}

/// A protocol of either kind.
pub(crate) enum Protocol {
    /// Answers come in the order of the requests, and nothing else comes.
    InOrder(Box<dyn Wire>),
    Dialog(Box<dyn Dialog>),
}

impl Protocol {
    /// Checks only a share (0 to 1) of large answers whole.
    pub(crate) fn sample(&mut self, share: f64) {
        match self {
            Self::InOrder(wire) => wire.sample(share),
            Self::Dialog(dialog) => dialog.sample(share),
        }
    }

    /// The same protocol and expectation for another thread.
    pub(crate) fn fork(&self) -> Self {
        match self {
            Self::InOrder(wire) => Self::InOrder(wire.fork()),
            Self::Dialog(dialog) => Self::Dialog(dialog.fork()),
        }
    }
}

#[cfg(test)]
mod fuzz;
