//! The throughput at each number of connections, as the document has it.

use tare_model::results as model;

/// The throughput of a contender at one number of connections, in the pilot.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct Level {
    /// How many connections.
    pub connections: u32,
    /// Answers per second, the median of the pilot's slices.
    pub rate: f64,
    /// Whether its figures were measured at it.
    pub chosen: bool,
}

impl From<&model::Level> for Level {
    fn from(level: &model::Level) -> Self {
        Self {
            connections: level.connections,
            rate: level.rate.0,
            chosen: level.chosen,
        }
    }
}
