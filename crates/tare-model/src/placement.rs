//! The cores of contender and load.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A list of cores: written `1` or `0,2-3`, shown as `core 1` or `cores 0, 2–3`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cores(pub Vec<u32>);

/// A text that is not a list of cores.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadCores {
    /// A part of it is not a number, or higher than that of any core.
    #[error("`{0}` is not a list of cores: expected one as in 1 or 0,2-3")]
    NoList(String),
    /// A range ends before it begins.
    #[error("`{0}` counts backwards")]
    Backwards(String),
}

/// No machine has this many cores; a list of them has an end.
const MOST: u32 = 4096;

impl FromStr for Cores {
    type Err = BadCores;

    fn from_str(text: &str) -> Result<Self, BadCores> {
        let number = |part: &str| {
            let core = part.trim().parse::<u32>().ok().filter(|core| *core < MOST);
            core.ok_or_else(|| BadCores::NoList(text.to_owned()))
        };
        let mut cores = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (number(first)?, number(last)?);
            if last < first {
                return Err(BadCores::Backwards(part.to_owned()));
            }
            cores.extend(first..=last);
        }
        cores.sort_unstable();
        cores.dedup();
        Ok(Self(cores))
    }
}

impl fmt::Display for Cores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let mut parts: Vec<(u32, u32)> = Vec::new();
        for &core in &sorted {
            match parts.last_mut() {
                Some((_, last)) if last.checked_add(1) == Some(core) => *last = core,
                _ => parts.push((core, core)),
            }
        }
        let span = |(first, last): (u32, u32)| match first == last {
            true => first.to_string(),
            false => format!("{first}–{last}"),
        };
        let parts: Vec<String> = parts.into_iter().map(span).collect();
        let unit = if sorted.len() == 1 { "core" } else { "cores" };
        write!(f, "{unit} {}", parts.join(", "))
    }
}

/// The cores of each side.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// The contender's cores.
    pub contender: Vec<u32>,
    /// The load's cores.
    pub load: Vec<u32>,
    /// Services that ran on the load's cores, or on another machine; they are never paused.
    pub services: Vec<String>,
    /// The machine that the services ran on, where that was another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub services_on: Option<Node>,
    /// The machines that drove the load, where those were others. The load's cores are then those of each of them, none if
    /// they were not chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<Node>,
}

/// A machine that took part in a run: what its figures depend on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// What it was called when the run was started: of an agent where it listens.
    pub name: String,
    /// Its host name.
    pub host: String,
    /// Its CPU model.
    pub cpu: String,
    /// The cores that tare could use there.
    pub cores: u32,
}

impl Placement {
    /// Whether contender and load share a core: such results are never ranked together with
    /// results on separate cores.
    pub fn shared(&self) -> bool {
        self.agents.is_empty() && self.contender.iter().any(|core| self.load.contains(core))
    }

    /// Whether nothing else runs on the load's cores of this machine, neither the contender nor a service. An open loop then
    /// busy-waits for its send times.
    pub fn load_alone(&self) -> bool {
        let beside = !self.services.is_empty() && self.services_on.is_none();
        !self.load.is_empty() && !self.shared() && !beside && self.agents.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_read_as_they_are_written() {
        assert_eq!("0,2-3,2".parse::<Cores>(), Ok(Cores(vec![0, 2, 3])));
        for bad in ["3-2", "", "a", "1,", "4096", "+-1"] {
            assert!(bad.parse::<Cores>().is_err(), "{bad}");
        }
    }

    #[test]
    fn cores_are_shown_in_ranges() {
        let shown = |cores: &[u32]| Cores(cores.to_vec()).to_string();
        assert_eq!(shown(&[1]), "core 1");
        assert_eq!(shown(&[3, 0, 1, 1, 6]), "cores 0–1, 3, 6");
    }
}
