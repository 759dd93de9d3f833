//! What an agent does of what a conductor asks for: only loads of servers that it may load, and no larger ones than it may.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::time::Duration;

use tare_load::{Schedule, limits};
use tare_model::units::Seconds;
use tare_remote::message::Prepared;
use tare_remote::{Allowed, Pacing, Part, Served, Server, Slice, Standing};
use tare_rig::fleet::{Judge, Refusal};

use super::request::LoadRequest;
use super::standing::{served, standing_waiting};
use crate::error::PrepareError;

/// What an agent may be asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentLimits {
    /// The addresses that it may load.
    pub allowed: Allowed,
    /// The most connections.
    pub connections: u32,
    /// The longest load.
    pub time: Duration,
}

/// The most generator processes of an agent.
const PROCESSES: u32 = 256;

/// The longest time that an answer may take.
const TIMEOUT: Duration = Duration::from_secs(3600);

/// Why an agent does not do what it is asked for.
#[derive(Debug, thiserror::Error)]
pub enum AgentRefusal {
    /// The server may not be loaded.
    #[error("{0} may not be loaded from here: this agent loads {1}")]
    Address(IpAddr, Allowed),
    /// The server is at a Unix socket.
    #[error("an agent loads servers at addresses, and no Unix sockets")]
    Socket,
    /// More connections than are allowed.
    #[error("{asked} connections are more than this agent may open, which is {most}")]
    Connections {
        /// How many were asked for.
        asked: u32,
        /// How many it may open.
        most: u32,
    },
    /// Longer than allowed.
    #[error("{asked} is longer than this agent may load, which is {most}")]
    Time {
        /// How long was asked for.
        asked: Seconds,
        /// How long it may load.
        most: Seconds,
    },
    /// An address is not reached.
    #[error("{0} is not reached from here: {1}")]
    Unreached(SocketAddr, io::Error),
    /// A server is none that can be driven.
    #[error("the server cannot be driven: {0}")]
    Served(String),
    /// Numbers that no conductor of ours sends.
    #[error("a load of {0} is not one that can be driven")]
    Numbers(&'static str),
    /// The load is wrong, or this machine cannot carry it.
    #[error(transparent)]
    Load(#[from] PrepareError),
}

impl AgentRefusal {
    /// What helps, where that is known.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Address(address, _) => Some(format!(
                "if it is yours to load, start the agent with --allow {address}"
            )),
            Self::Connections { .. } => {
                Some("start the agent with --max-connections, or use more agents".to_owned())
            }
            Self::Time { .. } => {
                Some("start the agent with --max-time, or load for less time (-d)".to_owned())
            }
            Self::Unreached(..) => Some(
                "is a firewall between? --address names another address of the conductor's machine"
                    .to_owned(),
            ),
            Self::Socket | Self::Served(_) | Self::Numbers(_) => None,
            Self::Load(error) => error.hint(),
        }
    }
}

/// A load that an agent drives.
#[derive(Debug)]
pub struct AgentLoad {
    /// What its conductor is told.
    pub prepared: Prepared,
    /// What each of its generator processes does.
    pub parts: Vec<Part>,
}

/// Generators that an agent has stay.
#[derive(Debug)]
pub struct AgentStand {
    /// What its conductor is told.
    pub prepared: Prepared,
    /// What each of its generator processes is.
    pub all: Vec<Standing>,
}

impl From<AgentRefusal> for Refusal {
    fn from(refusal: AgentRefusal) -> Self {
        Self {
            why: refusal.to_string(),
            hint: refusal.hint(),
        }
    }
}

impl Judge for AgentLimits {
    fn serve(&self, server: &Served) -> Result<(), Refusal> {
        Ok(self.may_serve(server)?)
    }

    fn slice(&self, slice: &Slice) -> Result<(), Refusal> {
        Ok(self.may_drive(slice)?)
    }
}

impl AgentLimits {
    /// Opens a connection to an address, and closes it.
    ///
    /// # Errors
    /// It may not be loaded, or is not reached.
    pub fn reach(&self, address: SocketAddr) -> Result<(), AgentRefusal> {
        const PATIENCE: Duration = Duration::from_secs(5);
        self.refuse_address(address)?;
        let reached = TcpStream::connect_timeout(&address, PATIENCE);
        reached
            .map(drop)
            .map_err(|error| AgentRefusal::Unreached(address, error))
    }

    /// What generators that stay need here, if there may be such.
    ///
    /// # Errors
    /// There may not, or cannot.
    pub fn stand(&self, standing: &Standing) -> Result<AgentStand, AgentRefusal> {
        self.refuse_size(standing.connections, Some(standing.longest))?;
        let processes = standing.processes;
        let places = standing.first.checked_add(processes);
        refuse_processes(processes, standing.connections)?;
        refuse_any(&[
            (
                "processes beyond all",
                places.is_none_or(|places| places > standing.of),
            ),
            ("so long a timeout", standing.timeout > TIMEOUT),
        ])?;
        let schedule = Schedule::Capacity {
            connections: standing.connections,
            depth: 1,
        };
        // Each server has an address of its own, and which does not matter.
        let remarks = limits::check(&schedule, &SocketAddr::from(([192, 0, 2, 1], 1)).into());
        let remarks = remarks.map_err(PrepareError::from)?;
        let waiting = standing_waiting(standing);
        let awake = waiting.as_ref().is_some_and(|waiting| waiting.awake);
        let standing = Standing {
            awake,
            ..standing.clone()
        };
        Ok(AgentStand {
            all: (0..processes).map(|number| standing.of_process(number)).collect(),
            prepared: Prepared {
                waiting: waiting.map(|waiting| (waiting.awake, waiting.why)),
                remarks,
            },
        })
    }

    fn may_serve(&self, server: &Served) -> Result<(), AgentRefusal> {
        let address = server.address().ok_or(AgentRefusal::Socket)?;
        self.refuse_address(address)?;
        served(server).map(drop).map_err(AgentRefusal::Served)
    }

    fn may_drive(&self, slice: &Slice) -> Result<(), AgentRefusal> {
        let timed = !matches!(slice.pacing, Pacing::Job { .. });
        self.refuse_size(slice.all_connections(), timed.then_some(slice.length))
    }

    fn refuse_address(&self, address: SocketAddr) -> Result<(), AgentRefusal> {
        match self.allowed.contains(address.ip()) {
            true => Ok(()),
            false => Err(AgentRefusal::Address(address.ip(), self.allowed.clone())),
        }
    }

    /// What a part of a load needs here, if it may be driven.
    ///
    /// # Errors
    /// It may not be, or cannot.
    pub fn accept(&self, part: Part) -> Result<AgentLoad, AgentRefusal> {
        let Server::Ip(address) = part.server else {
            return Err(AgentRefusal::Socket);
        };
        self.refuse_address(address)?;
        self.refuse_numbers(&part)?;
        let request = LoadRequest::of_part(&part);
        let load = request.of_one(&part.url)?;
        let generators = request.generators(&load)?;
        let awake = generators.waiting.as_ref().is_some_and(|waiting| waiting.awake);
        let part = Part { awake, ..part };
        Ok(AgentLoad {
            parts: part.of_processes(),
            prepared: Prepared {
                waiting: generators.waiting.map(|waiting| (waiting.awake, waiting.why)),
                remarks: generators.remarks,
            },
        })
    }

    fn refuse_numbers(&self, part: &Part) -> Result<(), AgentRefusal> {
        self.refuse_size(part.connections, part.count.is_none().then_some(part.duration))?;
        refuse_processes(part.processes, part.connections)?;
        let places = part.first.checked_add(part.processes);
        refuse_any(&[
            (
                "processes beyond all",
                places.is_none_or(|places| places > part.of),
            ),
            ("so long a timeout", part.timeout > TIMEOUT),
            ("no request on a connection", part.renew_after == Some(0)),
        ])
    }

    fn refuse_size(&self, connections: u32, time: Option<Duration>) -> Result<(), AgentRefusal> {
        if connections > self.connections {
            return Err(AgentRefusal::Connections {
                asked: connections,
                most: self.connections,
            });
        }
        match time {
            Some(time) if time > self.time => Err(AgentRefusal::Time {
                asked: Seconds::from_duration(time),
                most: Seconds::from_duration(self.time),
            }),
            _ => Ok(()),
        }
    }
}

fn refuse_processes(processes: u32, connections: u32) -> Result<(), AgentRefusal> {
    refuse_any(&[
        ("no process", processes == 0),
        ("so many processes", processes > PROCESSES),
        ("more processes than connections", processes > connections),
    ])
}

/// Refuses the first of these that is so.
fn refuse_any(wrong: &[(&'static str, bool)]) -> Result<(), AgentRefusal> {
    match wrong.iter().find(|(_, wrong)| *wrong) {
        Some((what, _)) => Err(AgentRefusal::Numbers(what)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "http://127.0.0.1:9/";

    fn part() -> Part {
        let request = LoadRequest {
            urls: vec![URL.to_owned()],
            connections: 6,
            ..LoadRequest::default()
        };
        let load = request.of_one(URL).unwrap();
        request.part(URL, &load, 2, false).unwrap()
    }

    fn limits() -> AgentLimits {
        AgentLimits {
            allowed: Allowed::new::<&str>(&[]).unwrap(),
            connections: 100,
            time: Duration::from_secs(60),
        }
    }

    fn refused(part: Part) -> AgentRefusal {
        limits().accept(part).expect_err("it is not to be driven")
    }

    #[test]
    fn what_may_be_loaded_is_shared_by_the_processes() {
        let load = limits().accept(part()).unwrap();
        let shares: Vec<(u32, u32)> = load
            .parts
            .iter()
            .map(|part| (part.first, part.connections))
            .collect();
        assert_eq!(shares, [(0, 3), (1, 3)]);
        assert_eq!(load.prepared.waiting, None);
    }

    /// An address that is reserved for documentation (RFC 5737); nothing is sent to it here.
    #[test]
    fn only_addresses_that_are_allowed_are_loaded_whatever_the_url_says() {
        let elsewhere = Part {
            server: Server::Ip("192.0.2.1:80".parse().unwrap()),
            ..part()
        };
        let refusal = refused(elsewhere.clone());
        assert!(
            refusal
                .to_string()
                .contains("192.0.2.1 may not be loaded from here"),
            "{refusal}"
        );
        assert!(refusal.hint().unwrap().contains("--allow 192.0.2.1"));
        let named = AgentLimits {
            allowed: Allowed::new(&["192.0.2.0/24"]).unwrap(),
            ..limits()
        };
        assert!(named.accept(elsewhere).is_ok());
        assert!(
            named.accept(part()).is_err(),
            "what is named replaces what is usual"
        );
        let socket = Part {
            server: Server::Unix(tare_remote::Bytes(b"/run/docker.sock".to_vec())),
            ..part()
        };
        assert!(matches!(refused(socket), AgentRefusal::Socket));
    }

    fn standing() -> Standing {
        Standing {
            connections: 6,
            longest: Duration::from_secs(5),
            cores: None,
            timeout: Duration::from_secs(10),
            seed: 1,
            servers: Vec::new(),
            awake: true,
            first: 1,
            processes: 2,
            of: 3,
        }
    }

    #[test]
    fn generators_that_stay_are_held_to_the_same_limits() {
        let standing = standing();
        let stand = limits().stand(&standing).unwrap();
        let numbers: Vec<u32> = stand.all.iter().map(|one| one.first).collect();
        assert_eq!(numbers, [1, 2]);
        assert!(
            stand.all.iter().all(|one| !one.awake),
            "it has no core of its own"
        );
        let refused = |standing: Standing| limits().stand(&standing).unwrap_err().to_string();
        let many = Standing {
            connections: 101,
            ..standing.clone()
        };
        assert!(refused(many).contains("more than this agent may open"));
        for numbers in [
            Standing {
                of: 2,
                ..standing.clone()
            },
            Standing {
                processes: 7,
                of: 9,
                ..standing.clone()
            },
        ] {
            assert!(refused(numbers).contains("is not one that can be driven"));
        }
    }

    #[test]
    fn slices_are_held_to_the_same_limits() {
        let slice = Slice {
            server: 0,
            pacing: Pacing::Closed,
            connections: 100,
            depth: 1,
            refill: tare_remote::Refill::OneByOne,
            renew_after: None,
            length: Duration::from_secs(60),
        };
        assert_eq!(limits().slice(&slice), Ok(()));
        let programs = Slice {
            pacing: Pacing::Job {
                programs: 2,
                requests: 1,
            },
            ..slice.clone()
        };
        assert!(limits().slice(&programs).is_err());
        let long = Slice {
            length: Duration::from_secs(61),
            ..slice
        };
        assert!(
            limits()
                .slice(&long)
                .unwrap_err()
                .hint
                .unwrap()
                .contains("--max-time")
        );
    }

    /// Addresses that are reserved for documentation (RFC 5737); nothing is sent to them here.
    #[test]
    fn servers_of_slices_are_those_that_may_be_loaded() {
        let job = |server: &str| {
            Served::Job(tare_remote::ServedJob {
                job: tare_model::manifest::Job::Doubling.to_text(),
                speaks: "http".to_owned(),
                scheme: "http".to_owned(),
                server: server.parse().unwrap(),
                seed: 1,
            })
        };
        assert_eq!(limits().serve(&job("127.0.0.1:9")), Ok(()));
        let refusal = limits().serve(&job("192.0.2.1:80")).unwrap_err();
        assert!(
            refusal.why.contains("192.0.2.1 may not be loaded from here"),
            "{refusal:?}"
        );
        assert_eq!(limits().serve(&Served::Url(Box::new(part()))), Ok(()));
        let socket = Part {
            server: Server::Unix(tare_remote::Bytes(b"/run/docker.sock".to_vec())),
            ..part()
        };
        assert!(limits().serve(&Served::Url(Box::new(socket))).is_err());
        let reached = limits().reach("192.0.2.1:80".parse().unwrap());
        assert!(matches!(reached, Err(AgentRefusal::Address(..))));
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let here = listener.local_addr().unwrap();
        assert!(limits().reach(here).is_ok());
        drop(listener);
        let refusal = limits().reach(here).unwrap_err();
        assert!(
            refusal.to_string().contains("is not reached from here"),
            "{refusal}"
        );
    }

    #[test]
    fn no_load_is_larger_than_it_may_be() {
        let many = Part {
            connections: 101,
            ..part()
        };
        assert!(refused(many).hint().unwrap().contains("--max-connections"));
        let long = Part {
            duration: Duration::from_secs(61),
            ..part()
        };
        assert!(refused(long).hint().unwrap().contains("--max-time"));
        for numbers in [
            Part {
                processes: 0,
                ..part()
            },
            Part {
                processes: 7,
                ..part()
            },
            Part { first: 1, ..part() },
            Part {
                first: u32::MAX,
                ..part()
            },
            Part {
                timeout: Duration::from_secs(86_400),
                ..part()
            },
            Part {
                renew_after: Some(0),
                ..part()
            },
        ] {
            assert!(matches!(refused(numbers), AgentRefusal::Numbers(_)));
        }
        let nonsense = Part {
            url: "http://".to_owned(),
            ..part()
        };
        assert!(matches!(refused(nonsense), AgentRefusal::Load(_)));
    }
}
