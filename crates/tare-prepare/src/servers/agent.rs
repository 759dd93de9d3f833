//! What an agent does of what a conductor asks for: only loads of servers that it may load, and no larger ones than it may.

use std::net::IpAddr;
use std::time::Duration;

use tare_model::units::Seconds;
use tare_remote::message::Prepared;
use tare_remote::{Allowed, Part, Server};

use super::request::LoadRequest;
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
            Self::Socket | Self::Numbers(_) => None,
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

impl AgentLimits {
    /// What a part of a load needs here, if it may be driven.
    ///
    /// # Errors
    /// It may not be, or cannot.
    pub fn accept(&self, part: Part) -> Result<AgentLoad, AgentRefusal> {
        let Server::Ip(address) = part.server else {
            return Err(AgentRefusal::Socket);
        };
        if !self.allowed.contains(address.ip()) {
            return Err(AgentRefusal::Address(address.ip(), self.allowed.clone()));
        }
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
        if part.connections > self.connections {
            return Err(AgentRefusal::Connections {
                asked: part.connections,
                most: self.connections,
            });
        }
        if part.count.is_none() && part.duration > self.time {
            return Err(AgentRefusal::Time {
                asked: Seconds::from_duration(part.duration),
                most: Seconds::from_duration(self.time),
            });
        }
        let places = part.first.checked_add(part.processes);
        let wrong = [
            ("no process", part.processes == 0),
            ("so many processes", part.processes > PROCESSES),
            (
                "more processes than connections",
                part.processes > part.connections,
            ),
            (
                "processes beyond all",
                places.is_none_or(|places| places > part.of),
            ),
            ("so long a timeout", part.timeout > TIMEOUT),
            ("no request on a connection", part.renew_after == Some(0)),
        ];
        match wrong.iter().find(|(_, wrong)| *wrong) {
            Some((what, _)) => Err(AgentRefusal::Numbers(what)),
            None => Ok(()),
        }
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
