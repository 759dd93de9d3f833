//! Other machines that take part in a run of contenders: those whose agents drive the load.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use tare_host::ports;
use tare_lab::plan::{Group, Plan};
use tare_model::ids::ContenderId;
use tare_model::manifest::{ModeDriving, Service};
use tare_model::metric::Mode;
use tare_model::placement::Node;
use tare_remote::Key;
use tare_rig::fleet::{Agent, Crew};

use crate::choose::ChosenCase;
use crate::error::{Cause, Result};
use crate::ready::{Preparation, Prepared, outline};
use crate::request::Request;
use crate::servers::team::{TeamRequest, connected, is_own, refuse_within};

/// The longest slice that the lab asks for: at a low rate, and for those that take a while to settle.
const LONGEST: Duration = Duration::from_secs(60);

/// Why other machines cannot take part.
#[derive(Debug, thiserror::Error)]
pub enum HostsError {
    /// What is measured has no load.
    #[error(
        "{0} is measured in its contenders' own processes: there is no load that other machines could drive"
    )]
    InProcess(String),
    /// The address is another machine's.
    #[error("{0} is not an address of this machine")]
    NotOwn(IpAddr),
    /// No case has a service that another machine could hold.
    #[error("none of the chosen cases has a service that runs, so {0} would have nothing to do")]
    NoService(String),
    /// Contenders in containers have a network of their own.
    #[error(
        "{contender} is in a container, which reaches this machine alone, and services would be on {host}"
    )]
    Contained {
        /// Which.
        contender: ContenderId,
        /// The other machine.
        host: String,
    },
    /// Agents do not agree on where this machine is.
    #[error("the agent at {one} is connected to {here} of this machine, and the one at {other} to {there}")]
    Addresses {
        /// An agent.
        one: String,
        /// Where it is connected to.
        here: IpAddr,
        /// Another.
        other: String,
        /// Where that is connected to.
        there: IpAddr,
    },
}

impl HostsError {
    /// Where the error lies.
    pub(crate) fn cause(&self) -> Cause {
        match self {
            Self::InProcess(_) | Self::NotOwn(_) | Self::NoService(_) | Self::Contained { .. } => {
                Cause::Request
            }
            Self::Addresses { .. } => Cause::Outside,
        }
    }

    /// What helps.
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::InProcess(_) => "leave out --hosts, or choose cases whose contenders are servers",
            Self::NotOwn(_) => "`ip address` lists those that it has; --address takes one that agents reach",
            Self::NoService(_) => {
                "leave out `service=`, or choose cases that need one (`tare show WORKLOAD`)"
            }
            Self::Contained { .. } => "leave out `service=`, or such contenders by --except",
            Self::Addresses { .. } => "--address names one that all of them reach",
        }
    }
}

/// Agents that drive the contenders of a run.
pub struct Away {
    crew: Crew,
    address: IpAddr,
    nodes: Vec<Node>,
    awake: bool,
    cores: Vec<u32>,
    remarks: Vec<String>,
}

/// Whether another machine can hold a service: data and fronts stay with the contenders.
pub(crate) fn can_be_held(service: &Service) -> bool {
    !service.run.is_empty() && service.fronts.is_empty()
}

/// Refuses a machine for services that would have nothing to do, or that contenders would not reach.
pub(crate) fn refuse_service_host(
    chosen: &[ChosenCase],
    request: &Request,
) -> std::result::Result<(), HostsError> {
    let Some(host) = request.hosts.service.as_ref().map(|host| &host.name) else {
        return Ok(());
    };
    let mut served = chosen
        .iter()
        .filter(|case| case.services.iter().any(can_be_held))
        .peekable();
    if served.peek().is_none() {
        return Err(HostsError::NoService(host.clone()));
    }
    let mut contenders = served.flat_map(|case| &case.contenders);
    match contenders.find(|contender| contender.container.is_some()) {
        Some(contender) => Err(HostsError::Contained {
            contender: contender.id.clone(),
            host: host.clone(),
        }),
        None => Ok(()),
    }
}

impl Preparation<'_> {
    /// The agents that the request names, ready to drive what was chosen; none if it names none. They reach this machine.
    ///
    /// # Errors
    /// What was chosen is not driven from outside, an agent does not take part, or does not reach this machine.
    pub fn away(&self, chosen: &[ChosenCase], request: &Request, key: &Key) -> Result<Option<Away>> {
        if request.hosts.load.is_empty() {
            return Ok(None);
        }
        let plan = outline(self.lab, chosen, request)?;
        let team = team(&plan, request)?;
        let mut agents = connected(&request.hosts.load, &request.hosts.listening, key)?;
        let address = address(request.hosts.address, &agents)?;
        let (listener, port) = ports::listener(address)?;
        refuse_within(SocketAddr::new(address, port), &agents)?;
        for agent in &mut agents {
            agent.reach(SocketAddr::new(address, port))?;
        }
        drop(listener);
        let team = team.stand(agents)?;
        Ok(Some(Away {
            crew: team.crew,
            address,
            nodes: team.nodes,
            awake: team.waiting.is_some_and(|waiting| waiting.awake),
            cores: request.cores_load.clone().unwrap_or_default(),
            remarks: team.remarks,
        }))
    }
}

impl Prepared {
    /// Lets agents drive it.
    pub fn driven_by(&mut self, away: Away) -> Crew {
        for group in &mut self.plan.groups {
            group.awake = away.awake;
            group.placement.agents.clone_from(&away.nodes);
            group.placement.load.clone_from(&away.cores);
        }
        for group in &mut self.groups {
            group.reached = Some(away.address);
            group.placement.agents.clone_from(&away.nodes);
            group.placement.load.clone_from(&away.cores);
        }
        self.remarks.extend(away.remarks);
        away.crew
    }
}

/// The address where contenders are to listen.
fn address(asked: Option<IpAddr>, agents: &[Agent]) -> std::result::Result<IpAddr, HostsError> {
    if let Some(address) = asked {
        return match is_own(address) && !address.is_unspecified() {
            true => Ok(address),
            false => Err(HostsError::NotOwn(address)),
        };
    }
    let at = |agent: &Agent| agent.local().ip().to_canonical();
    let (first, rest) = agents.split_first().expect("there is an agent");
    match rest.iter().find(|agent| at(agent) != at(first)) {
        Some(other) => Err(HostsError::Addresses {
            one: first.name().to_owned(),
            here: at(first),
            other: other.name().to_owned(),
            there: at(other),
        }),
        None => Ok(at(first)),
    }
}

/// What the agents have to be able to do.
fn team(plan: &Plan, request: &Request) -> std::result::Result<TeamRequest, HostsError> {
    if let Some(group) = plan.groups.iter().find(|group| group.in_process) {
        return Err(HostsError::InProcess(format!(
            "{}/{}",
            group.workload, group.case
        )));
    }
    let drivings = || plan.groups.iter().flat_map(drivings);
    let mut contended: Vec<u32> = plan
        .groups
        .iter()
        .flat_map(|group| group.placement.contender.clone())
        .collect();
    contended.sort_unstable();
    contended.dedup();
    Ok(TeamRequest {
        connections: drivings().map(most).max().unwrap_or(1),
        resident: plan.groups.iter().map(resident).max().unwrap_or(1),
        shares: drivings().map(shares).min().unwrap_or(1),
        longest: LONGEST,
        processes: None,
        cores: request.cores_load.clone(),
        contended,
        timeout: request.timeout,
        seed: request.seed,
        servers: Vec::new(),
    })
}

fn drivings(group: &Group) -> impl Iterator<Item = &ModeDriving> {
    group
        .modes
        .iter()
        .map(|mode| &mode.driving)
        .chain([&group.warm_up])
}

/// The most connections to a contender.
fn most(driving: &ModeDriving) -> u32 {
    let connections = driving.connections.iter().copied().max().unwrap_or(1);
    match driving.mode {
        Mode::Batch => connections.saturating_mul(driving.programs),
        _ => connections,
    }
}

/// The fewest that can have a share of a slice.
fn shares(driving: &ModeDriving) -> u32 {
    match driving.mode {
        Mode::Batch => driving.programs,
        _ => driving.connections.iter().copied().min().unwrap_or(1),
    }
}

/// How many targets have connections at the same time.
fn resident(group: &Group) -> u32 {
    let sizes = group.sweep.as_ref().map_or(1, |sweep| sweep.sizes.len().max(1));
    (group.entrants.len() * sizes) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::metric::Metric;

    fn driving(mode: Mode, connections: &[u32], programs: u32) -> ModeDriving {
        ModeDriving {
            mode,
            primary: Metric::CpuPerOp,
            connections: connections.to_vec(),
            depth: 1,
            programs,
            requests: 10,
            usage: Default::default(),
        }
    }

    #[test]
    fn a_batch_is_shared_by_its_programs_and_all_else_by_its_connections() {
        let levels = driving(Mode::Capacity, &[8, 64, 256], 1);
        assert_eq!((most(&levels), shares(&levels)), (256, 8));
        let batch = driving(Mode::Batch, &[20], 10);
        assert_eq!((most(&batch), shares(&batch)), (200, 10));
    }

    /// An address that is reserved for documentation (RFC 5737).
    #[test]
    fn contenders_listen_at_an_address_of_this_machine() {
        let of = |text: &str| address(Some(text.parse().unwrap()), &[]);
        assert!(matches!(of("127.0.0.1"), Ok(address) if address.is_loopback()));
        for other in ["192.0.2.1", "0.0.0.0"] {
            let error = of(other).unwrap_err();
            assert!(
                error.to_string().contains("not an address of this machine"),
                "{error}"
            );
            assert!(error.hint().contains("--address"));
        }
    }
}
