//! Wire protocols, sans-IO: where an answer ends in received bytes, and whether it is the right one.
//!
//! A protocol sees the bytes received since the last answer, or since the bytes that it took of the current one: a
//! small answer it may await whole, a large one it takes piece by piece, so that none is kept and each byte is seen
//! once. What it must remember of a half-taken answer is in the connection's [`Progress`]. What it has learned of the
//! server (a template of its answers) it holds itself.

mod cgi;
pub mod fastcgi;
pub mod http1;
mod lines;

pub use lines::Lines;

/// What the first bytes received after the last answer are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judged {
    /// Not a whole answer yet.
    Partial {
        /// Bytes that were taken in: they are not to be shown again.
        taken: usize,
        /// Bytes after those that must be there before it is worth asking again.
        need: usize,
        /// Bytes after those taken (then all of them were) that nobody has to look at: they may be passed over without
        /// being shown, and are to be, since the judge has counted them already.
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
    /// A wrong answer, or no answer at all: what was expected and what was found.
    Wrong {
        /// For a person; may have several lines.
        why: String,
    },
}

/// How far a judge has come in the current answer of a connection. The caller keeps one for each connection, and
/// resets it with a new connection; a judge leaves it at `Start` with every answer that is whole.
#[derive(Debug, Default)]
pub enum Progress {
    /// Nothing was taken yet.
    #[default]
    Start,
    /// In the middle of an HTTP answer's body.
    Http1(http1::Midway),
    /// In the middle of a FastCGI responder's answer.
    FastCgi(Box<fastcgi::Midway>),
}

impl Progress {
    /// Whether no byte of an answer was taken yet.
    pub fn is_start(&self) -> bool {
        matches!(self, Self::Start)
    }
}

/// A wire protocol.
pub trait Wire: Send + Sync {
    /// Judges the first answer in `bytes` (never empty unless `closed`). `expected` is what the job says that it
    /// must be, in the protocol's own terms; `progress`: how far the connection's answer was taken; `closed`: the
    /// server has closed, nothing will follow.
    fn judge(&mut self, bytes: &[u8], expected: &[u8], progress: &mut Progress, closed: bool) -> Judged;

    /// Has only a share (0 to 1) of large answers checked whole, drawn at random; of the others their length and both
    /// ends. A protocol whose answers are never large checks all.
    fn sample(&mut self, _share: f64) {}

    /// A judge of the same protocol for another thread.
    fn fork(&self) -> Box<dyn Wire>;
}

#[cfg(test)]
mod fuzz;
