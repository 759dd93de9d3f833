//! What a server did wrong, before its bytes are added.

use crate::show;
use crate::wire::dialog::{Breach, BreachKind};

/// What a server did wrong.
#[derive(Debug)]
pub(super) enum Trouble {
    /// Frames that are not those of HTTP/2.
    Flaw(String),
    /// A wrong answer on an open stream.
    Answer(u32, String),
    /// An answer on a stream that is not open.
    Unasked(String),
    /// The server refuses to answer.
    Ended(String),
}

/// A flaw.
#[cold]
pub(super) fn flaw<T>(why: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Flaw(why.into()))
}

impl From<&'static str> for Trouble {
    fn from(why: &'static str) -> Self {
        Self::Flaw(why.to_owned())
    }
}

impl Trouble {
    /// With the bytes, which begin with the frame that it is about.
    #[cold]
    pub(super) fn breach(self, bytes: &[u8]) -> Breach {
        let got = show::bytes(bytes);
        let (kind, why) = match self {
            Self::Flaw(why) => (
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
