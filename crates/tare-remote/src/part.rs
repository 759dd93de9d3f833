//! A share of a load: what one agent does, or one generator process.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::bytes::Bytes;

/// A share of the load of one server. Everything that a generator has to know is in it; it looks up no name and reads no
/// file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The URL, as it was typed.
    pub url: String,
    /// Where the server listens.
    pub server: Server,
    /// The version of HTTP, 1 or 2; none: that of the URL's scheme.
    pub http: Option<u8>,
    /// How connections over TLS are secured.
    pub tls: Tls,
    /// What is sent, and what must come back.
    pub requests: Requests,
    /// Its connections.
    pub connections: u32,
    /// Requests in flight on each.
    pub in_flight: InFlight,
    /// When further ones are sent there.
    pub refill: Refill,
    /// The number of requests after which a connection is closed and another opened; none: it is kept.
    pub renew_after: Option<u32>,
    /// Its requests a second; none: as fast as possible.
    pub rate: Option<f64>,
    /// Its number of requests; none: until the time is over.
    pub count: Option<u64>,
    /// How long.
    pub duration: Duration,
    /// The cores of its generators; none: any, one thread.
    pub cores: Option<Vec<u32>>,
    /// How long an answer may take before it is lost.
    pub timeout: Duration,
    /// The seed of all that is random; the same for all parts.
    pub seed: u64,
    /// The number of its first generator process among those of all parts, from 0.
    pub first: u32,
    /// How many processes it has.
    pub processes: u32,
    /// How many there are in all parts.
    pub of: u32,
    /// Whether it waits for send times without sleeping.
    pub awake: bool,
    /// Whether it says once a second how many right answers it has had.
    pub progress: bool,
}

/// Where a server listens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Server {
    /// At an address.
    Ip(SocketAddr),
    /// At a Unix socket of the generator's own machine.
    Unix(Bytes),
}

/// How connections over TLS are secured.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tls {
    /// Whether any certificate is accepted.
    pub insecure: bool,
    /// The authorities that are trusted, as a bundle; none: those of the generator's own machine.
    pub cacert: Option<Bytes>,
    /// The name that is sent, and that certificates must be for; none: the host of the URL.
    pub sni: Option<String>,
    /// Whether later connections resume the session of an earlier one.
    pub resume: bool,
}

/// What is sent, and what must come back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Requests {
    /// The method.
    pub method: Option<String>,
    /// Header fields.
    pub headers: Vec<String>,
    /// The body or message; after an `@` the name of a file.
    pub body: Option<String>,
    /// The most bytes of a chunk, where the body is sent in chunks.
    pub chunk_size: Option<u32>,
    /// The content codings of which every answer must have one.
    pub encoding: Vec<String>,
    /// The names of files with a whole request each, sent in turn.
    pub raw: Vec<String>,
    /// The line or message to send; after an `@` the name of a file.
    pub send: Option<String>,
    /// What every answer must be; after an `@` the name of a file. Of raw requests, of each its own.
    pub expect: Vec<String>,
    /// Whether calls are answered with streams of messages.
    pub server_streaming: bool,
    /// What is in the files that are named, by their names.
    pub files: BTreeMap<String, Bytes>,
    /// The status that every answer must have.
    pub status: Option<u16>,
    /// Whether answers may have any body.
    pub any_body: bool,
    /// Whether every byte of every body is checked.
    pub check_whole: bool,
    /// Whether each has a connection of its own.
    pub fresh: bool,
}

/// Requests in flight on a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum InFlight {
    /// One, as nothing else was asked for.
    One,
    /// So many, whose answers come in order.
    Pipelined(u32),
    /// So many, each on a stream of its own.
    Streams(u32),
}

/// When further requests are sent on a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Refill {
    /// One with each answer.
    OneByOne,
    /// All at once, when all before were answered.
    Batches,
}

impl Server {
    /// The address; none of a Unix socket.
    pub(crate) fn address(&self) -> Option<SocketAddr> {
        match self {
            Self::Ip(address) => Some(*address),
            Self::Unix(_) => None,
        }
    }
}

/// The share of a number that one of several does; if it does not divide evenly, the first ones do one more.
pub fn share(all: u64, number: u32, count: u32) -> u64 {
    let (count, number) = (u64::from(count), u64::from(number));
    all / count + u64::from(number < all % count)
}

impl Part {
    /// The share of one of several machines, with the cores that are named on each.
    pub fn of_machine(&self, number: u32, count: u32) -> Self {
        let mine = share(u64::from(self.connections), number, count);
        // By its connections, so that each of those has the same.
        let weight = mine as f64 / f64::from(self.connections);
        Self {
            connections: u32::try_from(mine).expect("a share is not more than all"),
            rate: self.rate.map(|rate| rate * weight),
            count: self.count.map(|all| share(all, number, count)),
            ..self.clone()
        }
    }

    /// The share of each of its processes, one of the cores for each in turn; of a single one all of them.
    pub fn of_processes(&self) -> Vec<Self> {
        (0..self.processes)
            .map(|number| self.of_process(number))
            .collect()
    }

    fn of_process(&self, number: u32) -> Self {
        let cores = self.cores.as_ref().filter(|cores| !cores.is_empty());
        let cores = cores.map(|cores| match self.processes {
            1 => cores.clone(),
            _ => vec![cores[number as usize % cores.len()]],
        });
        Self {
            first: self.first + number,
            processes: 1,
            cores,
            ..self.of_machine(number, self.processes)
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn part() -> Part {
        Part {
            url: "http://10.77.0.11:8080/".to_owned(),
            server: Server::Ip("10.77.0.11:8080".parse().unwrap()),
            http: None,
            tls: Tls::default(),
            requests: Requests {
                body: Some("@body".to_owned()),
                files: BTreeMap::from([("body".to_owned(), Bytes(vec![0, 255]))]),
                ..Requests::default()
            },
            connections: 10,
            in_flight: InFlight::Pipelined(4),
            refill: Refill::Batches,
            renew_after: Some(10),
            rate: Some(1000.0),
            count: None,
            duration: Duration::from_millis(1500),
            cores: Some(vec![0, 2]),
            timeout: Duration::from_secs(10),
            seed: u64::MAX,
            first: 0,
            processes: 1,
            of: 1,
            awake: true,
            progress: false,
        }
    }

    #[test]
    fn shares_add_up_and_differ_by_one_at_most() {
        for (all, count) in [(50_000, 3), (7, 7), (10, 4), (1, 1)] {
            let shares: Vec<u64> = (0..count).map(|number| share(all, number, count)).collect();
            assert_eq!(shares.iter().sum::<u64>(), all);
            assert!(shares.iter().max().unwrap() - shares.iter().min().unwrap() <= 1);
        }
    }

    #[test]
    fn parts_add_up_over_machines_and_processes() {
        let whole = Part {
            count: Some(1001),
            ..part()
        };
        let (mut all, mut first) = (Vec::new(), 0);
        for machine in 0..3 {
            let mine = Part {
                first,
                processes: machine + 1,
                of: 6,
                ..whole.of_machine(machine, 3)
            };
            first += mine.processes;
            all.extend(mine.of_processes());
        }
        assert_eq!(all.iter().map(|one| one.connections).sum::<u32>(), 10);
        assert_eq!(all.iter().filter_map(|one| one.count).sum::<u64>(), 1001);
        let rate: f64 = all.iter().filter_map(|one| one.rate).sum();
        assert!((rate - 1000.0).abs() < 1e-9, "{rate}");
        let numbers: Vec<u32> = all.iter().map(|one| one.first).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5]);
        assert!(all.iter().all(|one| one.of == 6 && one.processes == 1));
        let cores: Vec<Vec<u32>> = all.iter().filter_map(|one| one.cores.clone()).collect();
        assert_eq!(cores, [vec![0, 2], vec![0], vec![2], vec![0], vec![2], vec![0]]);
    }

    #[test]
    fn a_part_survives_its_own_text() {
        let before = part();
        let text = serde_json::to_string(&before).unwrap();
        assert_eq!(serde_json::from_str::<Part>(&text).unwrap(), before);
        assert!(!text.contains('\n'), "it is one line");
        let more = text.replacen('{', "{\"run\":\"rm\",", 1);
        assert!(
            serde_json::from_str::<Part>(&more).is_err(),
            "unknown keys are refused"
        );
    }
}
