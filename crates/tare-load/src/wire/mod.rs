//! Wire protocols, sans-IO: where an answer ends in received bytes, and whether it is the right one.
//!
//! A protocol sees the bytes received since the last answer, from their beginning each time, so it holds no state
//! of a connection: partial reads at any byte are the caller's to keep. What it may hold is what it has learned of
//! the server (a template of its answers).

pub mod http1;
mod lines;

pub use lines::Lines;

/// What the first bytes received after the last answer are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judged {
    /// Not a whole answer yet: at least `need` bytes in all are needed before it is worth asking again.
    Partial {
        /// Bytes from the answer's beginning.
        need: usize,
    },
    /// The right answer.
    Right {
        /// Its length in bytes.
        len: usize,
        /// Whether the server closes the connection after it.
        last: bool,
    },
    /// A wrong answer, or no answer at all: what was expected and what was found.
    Wrong {
        /// For a person; may have several lines.
        why: String,
    },
}

/// A wire protocol.
pub trait Wire: Send + Sync {
    /// Judges the first answer in `bytes` (never empty unless `closed`). `expected` is what the job says that it
    /// must be, in the protocol's own terms; `closed`: the server has closed, nothing will follow.
    fn judge(&mut self, bytes: &[u8], expected: &[u8], closed: bool) -> Judged;

    /// A judge of the same protocol for another thread.
    fn fork(&self) -> Box<dyn Wire>;
}
