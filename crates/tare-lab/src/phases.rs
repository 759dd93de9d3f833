//! The wall time of a run by phase.

use tare_model::units::Seconds;

/// Sums by phase, in the order in which a report lists them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Phases {
    /// Starting contenders until they are ready.
    pub start: f64,
    /// Checking answers.
    pub check: f64,
    /// Warm-up.
    pub warm_up: f64,
    /// Pilots.
    pub pilot: f64,
    /// The measured time of the rounds' slices.
    pub slices: f64,
    /// The rest of the rounds: resuming, settling, draining, pausing, accounting, and storing results.
    pub hand_over: f64,
    /// Stopping contenders.
    pub stop: f64,
}

impl Phases {
    /// The time of measured rounds.
    pub(crate) fn rounds(&self) -> f64 {
        self.slices + self.hand_over
    }

    /// As names and times.
    pub fn listed(&self) -> Vec<(String, Seconds)> {
        let all = [
            ("start", self.start),
            ("check", self.check),
            ("warm-up", self.warm_up),
            ("pilot", self.pilot),
            ("slices", self.slices),
            ("hand-over", self.hand_over),
            ("stop", self.stop),
        ];
        all.into_iter()
            .map(|(name, seconds)| (name.to_owned(), Seconds(seconds)))
            .collect()
    }
}

/// What the latest launch of a group took.
#[derive(Debug, Clone, Default)]
pub(crate) struct Took {
    /// Apart from its measured rounds.
    pub apart: Option<Seconds>,
    /// Each round, by mode.
    pub round: Vec<Option<Seconds>>,
}
