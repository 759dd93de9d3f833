//! Slices: several servers in turns, driven by generators that stay.

use std::net::SocketAddr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::part::{Part, Refill, share};

/// Generators that stay, and drive a slice of one server or another whenever they are told to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    /// The most connections to a server.
    pub connections: u32,
    /// The longest slice, unless it is of a fixed number of requests.
    pub longest: Duration,
    /// The cores of the generators; none: any, one thread.
    pub cores: Option<Vec<u32>>,
    /// How long an answer may take before it is lost.
    pub timeout: Duration,
    /// The seed of all that is random; the same for all generators.
    pub seed: u64,
    /// The servers, where they are known already: whether send times are waited for awake depends on them.
    pub servers: Vec<SocketAddr>,
    /// Whether send times may be waited for without sleeping.
    pub awake: bool,
    /// The number of its first generator process among those of all agents, from 0.
    pub first: u32,
    /// How many processes it has.
    pub processes: u32,
    /// How many all agents have.
    pub of: u32,
}

/// A server that slices are of, and what is asked of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Served {
    /// As a load of it says. How much it is loaded, and for how long, is each slice's.
    Url(Box<Part>),
    /// The job of a manifest.
    Job(ServedJob),
}

/// A server that does the job of a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServedJob {
    /// The job, as a text that passes through.
    pub job: String,
    /// The protocol that the server speaks.
    pub speaks: String,
    /// How it is spoken to, by the scheme of a URL.
    pub scheme: String,
    /// Where it listens.
    pub server: SocketAddr,
    /// The seed of what is sent.
    pub seed: u64,
}

/// A slice of a server, or somebody's share of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slice {
    /// The number of the server.
    pub server: u32,
    /// How requests are given out.
    pub pacing: Pacing,
    /// Connections; of a job those of each load program.
    pub connections: u32,
    /// Requests in flight on each.
    pub depth: u32,
    /// When further ones are sent there.
    pub refill: Refill,
    /// The number of requests after which a connection is closed and another opened; none: it is kept.
    pub renew_after: Option<u32>,
    /// How long, except of a job.
    pub length: Duration,
}

/// How the requests of a slice are given out.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Pacing {
    /// As fast as they are answered.
    Closed,
    /// So many a second.
    Open(f64),
    /// A number of requests on each connection of each load program.
    Job {
        /// Load programs.
        programs: u32,
        /// Requests.
        requests: u32,
    },
}

impl Standing {
    /// The share of one of its processes: one of the cores for each in turn, of a single one all of them.
    pub fn of_process(&self, number: u32) -> Self {
        let cores = self.cores.as_ref().filter(|cores| !cores.is_empty());
        Self {
            first: self.first + number,
            cores: cores.map(|cores| match self.processes {
                1 => cores.clone(),
                _ => vec![cores[number as usize % cores.len()]],
            }),
            processes: 1,
            ..self.clone()
        }
    }
}

impl Served {
    /// Where it listens; none if that is no address.
    pub fn address(&self) -> Option<SocketAddr> {
        match self {
            Self::Url(part) => part.server.address(),
            Self::Job(job) => Some(job.server),
        }
    }
}

impl Slice {
    /// The share of one of several machines, or processes. Of a job that is whole load programs, otherwise connections, with
    /// as much of the rate as each has.
    pub fn share(&self, number: u32, count: u32) -> Self {
        let mine = |all: u32| u32::try_from(share(u64::from(all), number, count)).expect("no more than all");
        match self.pacing {
            Pacing::Job { programs, requests } => Self {
                pacing: Pacing::Job {
                    programs: mine(programs),
                    requests,
                },
                ..self.clone()
            },
            Pacing::Closed => Self {
                connections: mine(self.connections),
                ..self.clone()
            },
            Pacing::Open(rate) => {
                let connections = mine(self.connections);
                Self {
                    connections,
                    pacing: Pacing::Open(rate * f64::from(connections) / f64::from(self.connections)),
                    ..self.clone()
                }
            }
        }
    }

    /// All of its connections.
    pub fn all_connections(&self) -> u32 {
        match self.pacing {
            Pacing::Job { programs, .. } => programs.saturating_mul(self.connections),
            Pacing::Closed | Pacing::Open(_) => self.connections,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn slice(pacing: Pacing) -> Slice {
        Slice {
            server: 3,
            pacing,
            connections: 10,
            depth: 4,
            refill: Refill::OneByOne,
            renew_after: None,
            length: Duration::from_millis(80),
        }
    }

    #[test]
    fn shares_of_a_slice_add_up() {
        for count in [1, 2, 3, 7, 10] {
            let of = |pacing| (0..count).map(move |number| slice(pacing).share(number, count));
            assert_eq!(of(Pacing::Closed).map(|one| one.connections).sum::<u32>(), 10);
            let rates = of(Pacing::Open(1000.0)).map(|one| match one.pacing {
                Pacing::Open(rate) => (rate, one.connections),
                other => panic!("{other:?}"),
            });
            let rates: Vec<(f64, u32)> = rates.collect();
            assert!((rates.iter().map(|one| one.0).sum::<f64>() - 1000.0).abs() < 1e-9);
            assert!(
                rates
                    .iter()
                    .all(|(rate, mine)| (rate / f64::from(*mine) - 100.0).abs() < 1e-9)
            );
            let job = Pacing::Job {
                programs: 10,
                requests: 5,
            };
            assert_eq!(of(job).map(|one| one.all_connections()).sum::<u32>(), 100);
            assert!(of(job).all(|one| one.connections == 10));
        }
    }

    #[test]
    fn processes_have_numbers_and_cores_of_their_own() {
        let all = Standing {
            connections: 10,
            longest: Duration::from_secs(5),
            cores: Some(vec![0, 2]),
            timeout: Duration::from_secs(10),
            seed: 7,
            servers: Vec::new(),
            awake: true,
            first: 4,
            processes: 3,
            of: 9,
        };
        let shares: Vec<_> = (0..3).map(|number| all.of_process(number)).collect();
        let told: Vec<_> = shares
            .iter()
            .map(|one| (one.first, one.cores.clone().unwrap(), one.of))
            .collect();
        assert_eq!(told, [(4, vec![0], 9), (5, vec![2], 9), (6, vec![0], 9)]);
        let alone = Standing { processes: 1, ..all };
        assert_eq!(alone.of_process(0).cores, Some(vec![0, 2]));
    }
}
