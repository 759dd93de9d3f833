//! Agents that drive slices of several servers together: who does what.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use tare_model::placement::Node;
use tare_remote::{Key, Standing};
use tare_rig::fleet::{Agent, Crew};

use super::agents::{refuse_twice, remarks, waiting};
use super::awake::Waiting;
use super::error::ServersError;
use super::there::is_here;
use crate::error::Result;

/// What agents are to drive.
#[derive(Debug, Clone)]
pub(crate) struct TeamRequest {
    /// The most connections to a server.
    pub(crate) connections: u32,
    /// How many servers have their connections at the same time.
    pub(crate) resident: u32,
    /// The fewest that can have a share of a slice.
    pub(crate) shares: u32,
    /// The longest slice.
    pub(crate) longest: Duration,
    /// The generator processes of each; none: as few as can open a file for each connection.
    pub(crate) processes: Option<u32>,
    /// The cores of the generators of each.
    pub(crate) cores: Option<Vec<u32>>,
    /// The cores of this machine where servers run, as far as that is known.
    pub(crate) contended: Vec<u32>,
    /// How long an answer may take.
    pub(crate) timeout: Duration,
    /// The seed of all that is random.
    pub(crate) seed: u64,
    /// The servers, where they are known already.
    pub(crate) servers: Vec<SocketAddr>,
}

/// Agents that can drive slices.
pub(crate) struct Team {
    pub(crate) crew: Crew,
    /// Their machines, in their order.
    pub(crate) nodes: Vec<Node>,
    /// How they wait for send times.
    pub(crate) waiting: Option<Waiting>,
    /// What comes close to a limit of one of their machines.
    pub(crate) remarks: Vec<String>,
}

/// Connects to the agents that are named, by where they listen or as `listening` says.
///
/// # Errors
/// One is named twice, is not there, or does not know the key.
pub(crate) fn connected(
    names: &[String],
    listening: &BTreeMap<String, String>,
    key: &Key,
) -> Result<Vec<Agent>> {
    refuse_twice(names)?;
    let mut agents = Vec::new();
    for name in names {
        let at = listening.get(name).unwrap_or(name);
        agents.push(Agent::connect(at, key)?.called(name));
    }
    Ok(agents)
}

/// Refuses an address that only its own machine reaches, if an agent is on another.
pub(crate) fn refuse_within(server: SocketAddr, agents: &[Agent]) -> std::result::Result<(), ServersError> {
    let within = server.ip().is_loopback() || server.ip().is_unspecified();
    match agents.iter().find(|agent| within && !is_here(agent.peer())) {
        Some(agent) => Err(ServersError::Within {
            server,
            agent: agent.peer(),
        }),
        None => Ok(()),
    }
}

/// Whether an address is one of this machine's.
pub(crate) fn is_own(address: IpAddr) -> bool {
    is_here(SocketAddr::new(address, 1))
}

impl TeamRequest {
    /// Has agents start the generators that this needs.
    ///
    /// # Errors
    /// There are more of them than can have a share of a slice, or one of the agents refuses.
    pub(crate) fn stand(&self, mut agents: Vec<Agent>) -> Result<Team> {
        let most: Vec<u32> = agents.iter().map(Agent::connections).collect();
        let parts = self.parts(&most)?;
        let mut prepared = Vec::new();
        for (agent, part) in agents.iter_mut().zip(&parts) {
            let standing = Standing {
                awake: !is_here(agent.peer()) || self.is_apart(),
                ..part.clone()
            };
            prepared.push(agent.stand(&standing)?);
        }
        let names: Vec<String> = agents.iter().map(|agent| agent.name().to_owned()).collect();
        let here = agents.iter().filter(|agent| is_here(agent.peer()));
        let beside = here.map(|agent| {
            format!(
                "the agent at {} is on this machine: what it uses is taken from the servers",
                agent.name()
            )
        });
        let beside: Vec<String> = beside.collect();
        Ok(Team {
            nodes: agents.iter().map(Agent::node).collect(),
            waiting: waiting(&names, &prepared),
            remarks: [beside, remarks(&names, &prepared)].concat(),
            crew: Crew::of(
                agents
                    .into_iter()
                    .zip(parts.iter().map(|part| part.processes))
                    .collect(),
            ),
        })
    }

    /// Whether generators of this machine would have cores on which no server runs.
    fn is_apart(&self) -> bool {
        let own = self.cores.iter().flatten();
        self.contended.is_empty() || !own.clone().any(|core| self.contended.contains(core))
    }

    /// What each agent is told. `most`: how many connections a generator process of each can hold.
    fn parts(&self, most: &[u32]) -> std::result::Result<Vec<Standing>, ServersError> {
        let count = u32::try_from(most.len()).unwrap_or(u32::MAX);
        if count > self.shares {
            return Err(ServersError::IdleAgent);
        }
        let mine = self.connections.div_ceil(count);
        let (mut parts, mut first) = (Vec::new(), 0);
        for most in most {
            let open = mine.saturating_mul(self.resident.max(1));
            let processes = self.processes.unwrap_or(open.div_ceil((*most).max(1)).max(1));
            // Shares of agents differ by one at most.
            if processes > self.shares / count {
                return Err(ServersError::IdleProcess);
            }
            parts.push(Standing {
                connections: mine,
                longest: self.longest,
                cores: self.cores.clone(),
                timeout: self.timeout,
                seed: self.seed,
                servers: self.servers.clone(),
                awake: true,
                first,
                processes,
                of: 0,
            });
            first += processes;
        }
        parts.iter_mut().for_each(|part| part.of = first);
        Ok(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> TeamRequest {
        TeamRequest {
            connections: 100,
            resident: 3,
            shares: 100,
            longest: Duration::from_secs(5),
            processes: None,
            cores: Some(vec![0]),
            contended: vec![1],
            timeout: Duration::from_secs(10),
            seed: 1,
            servers: Vec::new(),
        }
    }

    #[test]
    fn each_has_as_many_processes_as_its_connections_need() {
        let parts = request().parts(&[1000, 60, 150]).unwrap();
        let told: Vec<_> = parts
            .iter()
            .map(|part| (part.connections, part.first, part.processes, part.of))
            .collect();
        assert_eq!(told, [(34, 0, 1, 4), (34, 1, 2, 4), (34, 3, 1, 4)]);
    }

    #[test]
    fn nobody_is_without_a_share() {
        let few = TeamRequest {
            shares: 2,
            connections: 2,
            ..request()
        };
        assert!(matches!(few.parts(&[9, 9, 9]), Err(ServersError::IdleAgent)));
        assert!(few.parts(&[9, 9]).is_ok());
        let many = TeamRequest {
            processes: Some(2),
            ..few
        };
        assert!(matches!(many.parts(&[9, 9]), Err(ServersError::IdleProcess)));
    }

    #[test]
    fn generators_beside_servers_wait_asleep() {
        assert!(request().is_apart());
        let shared = TeamRequest {
            contended: vec![0, 1],
            ..request()
        };
        assert!(!shared.is_apart());
    }

    #[test]
    fn addresses_of_this_machine_are_known() {
        assert!(is_own("127.0.0.1".parse().unwrap()));
        // Reserved for documentation (RFC 5737).
        assert!(!is_own("192.0.2.1".parse().unwrap()));
    }
}
