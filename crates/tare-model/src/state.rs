//! Whether a contender has figures, and why not.

/// Whether a contender has figures, and why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// It has figures.
    Measured,
    /// It did not settle: no verdict.
    NotSteady,
    /// It gave a wrong answer, or lost one: no figures.
    Wrong,
    /// It could not be built, started or measured.
    Failed,
    /// It was left out (missing tool, or marked as broken).
    Skipped,
}

impl State {
    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            State::Measured => "measured",
            State::NotSteady => "not-steady",
            State::Wrong => "wrong",
            State::Failed => "failed",
            State::Skipped => "skipped",
        }
    }
}
