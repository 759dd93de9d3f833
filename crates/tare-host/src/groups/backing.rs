//! The backings there are.

use super::holder::Description;
use super::{plain, v1, v2};

/// How processes are held together, paused and counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Backing {
    /// `cgroup.freeze`, `cgroup.kill`, `cpu.stat`.
    V2,
    /// The freezer and cpuacct controllers.
    V1,
    /// SIGSTOP, and the CPU clocks of the processes.
    Plain,
}

impl Backing {
    /// All, best first.
    pub const ALL: [Backing; 3] = [Backing::V2, Backing::V1, Backing::Plain];

    pub(super) fn description(self) -> &'static Description {
        match self {
            Backing::V2 => &v2::DESCRIPTION,
            Backing::V1 => &v1::DESCRIPTION,
            Backing::Plain => &plain::DESCRIPTION,
        }
    }

    /// The backing of this tag: `v2`, `v1` or `plain`.
    pub fn from_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|backing| backing.tag() == tag)
    }

    /// Its name in the registry and in `TARE_HOLD`.
    pub fn tag(self) -> &'static str {
        self.description().tag
    }

    /// How it pauses processes, as results name it.
    pub fn freezer(self) -> &'static str {
        self.description().freezer
    }

    /// How it counts CPU time, as results name it.
    pub fn accounting(self) -> &'static str {
        self.description().accounting
    }

    /// What is less exact with it, to be said once; none for cgroups.
    pub(super) fn less_exact(self) -> Option<&'static str> {
        self.description().less_exact
    }
}
