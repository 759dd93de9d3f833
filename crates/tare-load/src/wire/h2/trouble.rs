//! What a server did wrong, before its bytes are added.

use super::frame::{NO_ERROR, PROTOCOL_ERROR, STREAM_CLOSED};
use crate::show;
use crate::wire::dialog::{Breach, BreachKind};

/// What a server did wrong.
#[derive(Debug)]
pub(super) enum Trouble {
    /// Frames that are not those of HTTP/2, and the error (RFC 9113 §7) that this is.
    Flaw { why: String, error: u32 },
    /// A wrong answer on an open stream.
    Answer(u32, String),
    /// An answer on a stream that is not open.
    Unasked(String),
    /// The server refuses to answer.
    Ended(String),
}

/// A flaw that is no other error than PROTOCOL_ERROR.
#[cold]
pub(super) fn flaw<T>(why: impl Into<String>) -> Result<T, Trouble> {
    flaw_of(PROTOCOL_ERROR, why)
}

/// A flaw that is this error.
#[cold]
pub(super) fn flaw_of<T>(error: u32, why: impl Into<String>) -> Result<T, Trouble> {
    let why = why.into();
    Err(Trouble::Flaw { why, error })
}

impl From<&'static str> for Trouble {
    fn from(why: &'static str) -> Self {
        Self::Flaw {
            why: why.to_owned(),
            error: PROTOCOL_ERROR,
        }
    }
}

impl Trouble {
    /// The error that the server is told.
    pub(super) fn error(&self) -> u32 {
        match self {
            Self::Flaw { error, .. } => *error,
            Self::Answer(..) => PROTOCOL_ERROR,
            Self::Unasked(_) => STREAM_CLOSED,
            Self::Ended(_) => NO_ERROR,
        }
    }

    /// With the bytes, which begin with the frame that it is about.
    #[cold]
    pub(super) fn breach(self, bytes: &[u8]) -> Breach {
        let got = show::bytes(bytes);
        let (kind, why) = match self {
            Self::Flaw { why, .. } => (
                BreachKind::Protocol,
                format!("no HTTP/2: {why}\n  expected frames as RFC 9113 has them\n  got      {got}"),
            ),
            Self::Answer(stream, why) => (BreachKind::Answer(format!("stream {stream}")), why),
            Self::Unasked(why) => (BreachKind::Unasked, format!("{why}\n  got      {got}")),
            Self::Ended(why) => (BreachKind::Ended, why),
        };
        Breach { kind, why }
    }
}
