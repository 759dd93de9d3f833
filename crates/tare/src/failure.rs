//! How a command fails: what was tried and found, a hint, and the exit status. Printed in one place, `main`.

use std::fmt;

use tare_prepare::resume::ResumeError;
use tare_prepare::{Cause, PrepareError};
use tare_report::words;

/// Something outside failed.
pub const OUTSIDE: u8 = 1;
/// Wrong usage.
pub const USAGE: u8 = 2;
/// A contender misbehaved while measured.
pub const MISBEHAVED: u8 = 3;
/// A gate did not hold.
pub const GATE: u8 = 4;
/// Interrupted by a person.
pub const INTERRUPTED: u8 = 130;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub status: u8,
    pub message: String,
    pub hint: Option<String>,
}

/// The failure of a command that a person asked to stop before there was anything to show.
pub fn interrupted() -> Failure {
    Failure {
        status: INTERRUPTED,
        message: "interrupted".to_owned(),
        hint: None,
    }
}

/// Fails if a person asked to stop.
pub fn refuse_interrupted() -> Result<(), Failure> {
    if tare_host::interrupt::asked() {
        Err(interrupted())
    } else {
        Ok(())
    }
}

impl Failure {
    pub fn outside(message: impl fmt::Display) -> Self {
        Self::of(OUTSIDE, message)
    }

    pub fn usage(message: impl fmt::Display) -> Self {
        Self::of(USAGE, message)
    }

    fn of(status: u8, message: impl fmt::Display) -> Self {
        let (message, hint) = with_hint(&message.to_string());
        Self {
            status,
            message,
            hint,
        }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// A hint before the one that it has.
    pub fn hint_first(self, hint: &str) -> Self {
        let hint = match &self.hint {
            Some(own) => format!("{hint}; {own}"),
            None => hint.to_owned(),
        };
        self.hint(hint)
    }
}

/// A message, and the hint that follows it after an empty line, if one does.
pub fn with_hint(text: &str) -> (String, Option<String>) {
    match text.split_once("\n\nhint: ") {
        Some((message, hint)) => (message.to_owned(), Some(hint.to_owned())),
        None => (text.to_owned(), None),
    }
}

impl From<PrepareError> for Failure {
    fn from(error: PrepareError) -> Self {
        Self {
            status: match error.cause() {
                Cause::Request => USAGE,
                Cause::Outside => OUTSIDE,
                Cause::Interrupted => INTERRUPTED,
            },
            message: message(&error),
            hint: error.hint(),
        }
    }
}

/// An error of preparation. How contenders are driven has the names that reports give it.
fn message(error: &PrepareError) -> String {
    let difference = match error {
        PrepareError::Resume(ResumeError::OtherDriving { then, now, .. }) => {
            words::driving_difference(then, now)
        }
        _ => None,
    };
    match difference {
        Some(difference) => format!("{error}: {difference}"),
        None => error.to_string(),
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\n\nhint: {hint}"),
            None => Ok(()),
        }
    }
}
