//! Why something could not be had from a harness.

use std::fmt;

use crate::text::shown;

/// What was tried, what was found, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// What was tried, on what: `list the benchmarks of ./words.test`.
    pub tried: String,
    /// What was found instead. It may have several lines: the last that a program printed.
    pub found: String,
    /// What to do.
    pub hint: String,
}

impl Refused {
    /// All three may quote foreign text: what a terminal would obey is escaped.
    pub(crate) fn new(tried: &str, found: &str, hint: &str) -> Self {
        Self {
            tried: shown(tried),
            found: shown(found),
            hint: shown(hint),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {}: {}\n\nhint: {}", self.tried, self.found, self.hint)
    }
}

impl std::error::Error for Refused {}
