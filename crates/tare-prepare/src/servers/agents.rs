//! A load of one server by agents: who does what, and what they say of it before it begins.

use tare_remote::message::Prepared;
use tare_remote::{Key, Part};
use tare_rig::fleet::{Agent, Fleet};

use super::awake::Waiting;
use super::error::ServersError;
use super::one::ServerLoad;
use super::request::LoadRequest;
use crate::error::Result;

/// A load that agents have prepared.
#[derive(Debug)]
pub struct AgentsLoad {
    /// Their generators, which open their connections.
    pub fleet: Fleet,
    /// What each of them does, in their order.
    pub shares: Vec<AgentShare>,
    /// How they wait for send times; none where there are none.
    pub waiting: Option<Waiting>,
    /// What comes close to a limit of one of their machines.
    pub remarks: Vec<String>,
}

/// What an agent does.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentShare {
    /// Where it listens, as it was typed.
    pub name: String,
    /// Its generator processes.
    pub processes: u32,
    /// Its connections.
    pub connections: u32,
    /// Whether it waits for send times awake; none where there are none.
    pub awake: Option<bool>,
}

impl LoadRequest {
    /// Has agents prepare the load of a server. `names`: where they listen; `progress`: whether they report their right
    /// answers once a second.
    ///
    /// # Errors
    /// The load is not one that agents can drive; one of them is not there, or refuses.
    pub fn by_agents(
        &self,
        (url, load): (&str, &ServerLoad),
        (names, key): (&[String], &Key),
        progress: bool,
    ) -> Result<AgentsLoad> {
        refuse_twice(names)?;
        let whole = Part {
            progress,
            ..self.part(url, load, 1, false)?
        };
        let mut agents = Vec::new();
        for name in names {
            agents.push(Agent::connect(name, key)?);
        }
        let places: Vec<_> = agents
            .iter()
            .map(|agent| (agent.peer(), agent.connections()))
            .collect();
        let parts = self.spread(&whole, &places)?;
        let mut prepared = Vec::new();
        for (agent, part) in agents.iter_mut().zip(&parts) {
            prepared.push(agent.prepare(part)?);
        }
        let shares = names.iter().zip(&parts).zip(&prepared);
        Ok(AgentsLoad {
            shares: shares
                .map(|((name, part), prepared)| AgentShare {
                    name: name.clone(),
                    processes: part.processes,
                    connections: part.connections,
                    awake: prepared.waiting.as_ref().map(|(awake, _)| *awake),
                })
                .collect(),
            waiting: waiting(names, &prepared),
            remarks: remarks(names, &prepared),
            fleet: Fleet::there(
                agents
                    .into_iter()
                    .zip(parts.iter().map(|part| part.processes))
                    .collect(),
            ),
        })
    }
}

pub(super) fn refuse_twice(names: &[String]) -> std::result::Result<(), ServersError> {
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(ServersError::AgentTwice(pair[0].clone())),
        None => Ok(()),
    }
}

/// How all of them wait; where they differ, each with its name.
pub(super) fn waiting(names: &[String], prepared: &[Prepared]) -> Option<Waiting> {
    let all: Option<Vec<&(bool, String)>> = prepared.iter().map(|one| one.waiting.as_ref()).collect();
    let all = all?;
    let (_, first) = all.first()?;
    let why = if all.iter().all(|(_, why)| why == first) {
        first.clone()
    } else {
        let each = names.iter().zip(&all);
        let each: Vec<String> = each.map(|(name, (_, why))| format!("{name}: {why}")).collect();
        each.join("; ")
    };
    Some(Waiting {
        awake: all.iter().all(|(awake, _)| *awake),
        why,
    })
}

pub(super) fn remarks(names: &[String], prepared: &[Prepared]) -> Vec<String> {
    let each = names.iter().zip(prepared);
    each.flat_map(|(name, one)| one.remarks.iter().map(move |remark| format!("{name}: {remark}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn prepared(awake: bool, why: &str) -> Prepared {
        Prepared {
            waiting: Some((awake, why.to_owned())),
            remarks: vec!["close".to_owned()],
        }
    }

    #[test]
    fn what_agents_say_has_their_names_where_they_differ() {
        let two = names(&["n2:1", "n3:1"]);
        let alike = waiting(&two, &[prepared(true, "awake"), prepared(true, "awake")]).unwrap();
        assert_eq!((alike.awake, alike.why.as_str()), (true, "awake"));
        let apart = waiting(&two, &[prepared(true, "awake"), prepared(false, "asleep")]).unwrap();
        assert_eq!(
            (apart.awake, apart.why.as_str()),
            (false, "n2:1: awake; n3:1: asleep")
        );
        assert_eq!(
            waiting(&two, &[prepared(true, "awake"), Prepared::default()]),
            None
        );
        assert_eq!(
            remarks(&two, &[prepared(true, ""), Prepared::default()]),
            ["n2:1: close"]
        );
    }

    #[test]
    fn an_agent_is_named_once() {
        assert!(refuse_twice(&names(&["a:1", "b:1", "a:2"])).is_ok());
        let error = refuse_twice(&names(&["a:1", "b:1", "a:1"])).unwrap_err();
        assert_eq!(error.to_string(), "the agent at a:1 is named twice");
    }
}
