//! What is asked for, in plain types: whoever asks may have typed it, read it from a file or made it.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::Duration;

use tare_model::ids::{ContenderId, Selector};
use tare_model::metric::Mode;
use tare_model::units::PerSecond;

/// The budget of a run where neither the request nor a suite has one.
pub(crate) const BUDGET: Duration = Duration::from_secs(600);

/// Which cases and contenders take part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choice {
    /// Workloads, or single cases of them; empty: every workload of the lab.
    pub workloads: Vec<Selector>,
    /// The suite of each workload that is named without a case; none: what the command is about by default.
    pub suite: Option<String>,
    /// Only these contenders; empty: all. A name without a variant means all of its variants.
    pub only: Vec<ContenderId>,
    /// Not these contenders; a name without a variant means all of its variants.
    pub except: Vec<ContenderId>,
}

/// Other machines that take part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hosts {
    /// The agents that drive the load, by where they listen or by their hosts; empty: this machine does.
    pub load: Vec<String>,
    /// Where those listen that are named by their hosts.
    pub listening: BTreeMap<String, String>,
    /// The machine that holds services; none: this one does.
    pub service: Option<ServiceHost>,
    /// The address of this machine where contenders listen and agents reach them; none: the one that the agents are
    /// connected to.
    pub address: Option<IpAddr>,
}

/// A machine that holds services.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServiceHost {
    /// As it was typed.
    pub name: String,
    /// The command that holds one there ([`tare_rig::service::Elsewhere`]); empty as long as nothing is prepared.
    pub command: Vec<String>,
}

/// What is to be measured, how it is driven, and by which rules.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Which cases and contenders take part.
    pub choice: Choice,
    /// Whether to install what is missing.
    pub install: bool,
    /// What ratios are against; none: as the case says.
    pub baseline: Option<ContenderId>,
    /// The longest that measuring may take, from the first start (builds apart); none: until every question is decided.
    pub budget: Option<Duration>,
    /// Rounds of a launch; none: the default of the mode.
    pub rounds: Option<u32>,
    /// The highest number of launches; none: as many as the budget holds.
    pub launches: Option<u32>,
    /// What counts as equivalent, as a share.
    pub margin: f64,
    /// The chance of any false declaration per workload, case and metric, as a share.
    pub alpha: f64,
    /// The modes to measure in; empty: as the case says.
    pub modes: Vec<Mode>,
    /// Requests a second for every contender in cost mode; none: half of what the slowest sustains.
    pub rate: Option<PerSecond>,
    /// Levels of connections; empty: as the case says.
    pub connections: Vec<u32>,
    /// Requests in flight on a connection; none: as the case says.
    pub depth: Option<u32>,
    /// Load programs at once in batch mode; none: as the case says.
    pub programs: Option<u32>,
    /// Cores of the contender; none: as the case's placement says.
    pub cores_contender: Option<Vec<u32>>,
    /// Cores of the load; none: as the case's placement says. Where other machines drive it, those of each of them.
    pub cores_load: Option<Vec<u32>>,
    /// Other machines that take part.
    pub hosts: Hosts,
    /// Seed of the order of rounds and of what is sent.
    pub seed: u64,
    /// How long an answer may take before it is lost.
    pub timeout: Duration,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            choice: Choice::default(),
            install: false,
            baseline: None,
            budget: Some(BUDGET),
            rounds: None,
            launches: None,
            margin: 0.01,
            alpha: 0.05,
            modes: Vec::new(),
            rate: None,
            connections: Vec::new(),
            depth: None,
            programs: None,
            cores_contender: None,
            cores_load: None,
            hosts: Hosts::default(),
            seed: 1,
            timeout: Duration::from_secs(10),
        }
    }
}

impl Choice {
    /// Whether it selects a contender.
    pub(crate) fn selects(&self, id: &ContenderId) -> bool {
        (self.only.is_empty() || names(&self.only, id)) && !names(&self.except, id)
    }

    /// Whether it names a contender as one that is to take part.
    pub(crate) fn names(&self, id: &ContenderId) -> bool {
        names(&self.only, id)
    }
}

/// Whether a list of names has a contender: `node` means every variant of it.
pub(crate) fn names(list: &[ContenderId], id: &ContenderId) -> bool {
    list.iter().any(|asked| asked.means(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_for_all_its_variants() {
        let choice = |only: &[&str], except: &[&str]| Choice {
            only: only.iter().map(|text| text.parse().unwrap()).collect(),
            except: except.iter().map(|text| text.parse().unwrap()).collect(),
            ..Choice::default()
        };
        let id = ContenderId::variant("haskell", "all");
        assert!(choice(&["haskell"], &[]).selects(&id));
        assert!(choice(&[], &["haskell@one"]).selects(&id));
        assert!(!choice(&[], &["haskell"]).selects(&id));
        assert!(!choice(&["haskell@one"], &[]).selects(&id));
    }
}
