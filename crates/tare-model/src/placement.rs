//! The cores of contender and load.

use serde::{Deserialize, Serialize};

/// The cores of each side.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// The contender's cores.
    pub contender: Vec<u32>,
    /// The load's cores.
    pub load: Vec<u32>,
    /// Services that ran on the load's cores; they are never paused.
    pub services: Vec<String>,
}

impl Placement {
    /// Whether contender and load share a core: such results are never ranked together with
    /// results on separate cores.
    pub fn shared(&self) -> bool {
        self.contender.iter().any(|core| self.load.contains(core))
    }

    /// Whether nothing else runs on the load's cores, neither the contender nor a service. An open loop then busy-waits
    /// for its send times.
    pub fn load_alone(&self) -> bool {
        !self.load.is_empty() && !self.shared() && self.services.is_empty()
    }
}
