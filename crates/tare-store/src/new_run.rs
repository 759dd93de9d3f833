//! A run that begins.

use tare_model::results::Machine;
use tare_model::settings::Settings;

/// A run's data at its beginning.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NewRun {
    /// Start, in seconds since 1970 (UTC); the run's id is made of it.
    pub started: i64,
    /// Version of tare.
    pub tare: String,
    /// The file that it is imported from, where it is not measured here.
    pub imported: Option<String>,
    /// The machine.
    pub machine: Machine,
    /// The settings.
    pub settings: Settings,
}
