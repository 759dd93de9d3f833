//! A row of the matrix, what is expected of it under each schedule, and how that is held.

use std::sync::Arc;
use std::time::Duration;

use tare_load::{Cause, Length, Schedule, Target, exchange};
use tare_model::fault::{Fault, FaultKind};
use tare_model::units::PerSecond;

use crate::common::{PATIENT, balanced, go, load};
use crate::fixture::{Act, Door, Server};
use crate::protocol::Protocol;

/// Under load the first answers are right, so that the judge has learned what they look like. Whether a server answers
/// requests one by one, by twos or by threes, this one is never the last of those that are in flight.
pub const FROM: usize = 4;

/// So many requests go over each connection of a batch.
pub const BATCH: usize = 30;

/// How a server is asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Column {
    Capacity,
    Cost,
    Batch,
    /// The first answer, before anything is timed: there the lie is told at once.
    Check,
}

pub const COLUMNS: [Column; 4] = [Column::Capacity, Column::Cost, Column::Batch, Column::Check];

/// What must be seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Seen {
    Right,
    /// One of these: where several are named, it depends on what comes first over the wire.
    Fault(&'static [FaultKind]),
    /// It depends on the moment whether the misbehaviour befalls a request: if it does, one of these, else all is right.
    RightOr(&'static [FaultKind]),
}

/// What a server does from a request on, given the right answers of its connection up to that one; the number counts
/// from the first at which it misbehaves.
type Lie = dyn Fn(usize, &[Vec<u8>]) -> Vec<Act> + Send + Sync;

/// A misbehaviour of a protocol's server.
#[derive(Clone)]
pub struct Row {
    pub name: &'static str,
    pub protocol: Protocol,
    lie: Arc<Lie>,
    door: Door,
    greeting: &'static [u8],
    reset: bool,
    depth: u32,
    connections: u32,
    /// Whether the fault names the request that it befell.
    befalls_a_request: bool,
    seen: [Seen; 4],
}

pub const WRONG: Seen = Seen::Fault(&[FaultKind::Wrong]);
pub const UNASKED: Seen = Seen::Fault(&[FaultKind::Unasked]);
pub const CLOSED: Seen = Seen::Fault(&[FaultKind::ClosedEarly]);
pub const HUNG: Seen = Seen::Fault(&[FaultKind::Hung]);

impl Row {
    /// From a request on the server acts so; every schedule sees the same.
    pub fn new(
        protocol: Protocol,
        name: &'static str,
        seen: Seen,
        lie: impl Fn(usize, &[Vec<u8>]) -> Vec<Act> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            protocol,
            lie: Arc::new(lie),
            door: Door::Open,
            greeting: b"",
            reset: false,
            depth: protocol.depth(),
            connections: 2,
            befalls_a_request: true,
            seen: [seen; 4],
        }
    }

    /// But one schedule sees something else.
    pub fn but(mut self, column: Column, seen: Seen) -> Self {
        self.seen[column as usize] = seen;
        self
    }

    /// One request in flight on a connection.
    pub fn shallow(mut self) -> Self {
        self.depth = 1;
        self
    }

    pub fn reset(mut self) -> Self {
        self.reset = true;
        self
    }

    /// The server takes connections in this way; so many are asked for.
    pub fn door(mut self, door: Door, connections: u32) -> Self {
        (self.door, self.connections, self.befalls_a_request) = (door, connections, false);
        self
    }

    pub fn greeting(mut self, greeting: &'static [u8]) -> Self {
        (self.greeting, self.befalls_a_request) = (greeting, false);
        self
    }

    /// Holds it under a schedule.
    ///
    /// # Errors
    /// What was expected and what was seen.
    pub fn hold(&self, column: Column) -> Result<(), String> {
        let expected = self.seen[column as usize];
        let told = self.try_once(column, expected);
        let judged = match (expected, told) {
            (Seen::Right | Seen::RightOr(_), Ok(())) => Ok(()),
            (Seen::Fault(kinds) | Seen::RightOr(kinds), Err(fault)) if kinds.contains(&fault.kind) => {
                self.is_told_well(&fault)
            }
            (_, Ok(())) => Err("nothing was seen".to_owned()),
            (_, Err(fault)) => Err(format!("seen: {}: {}", fault.kind.name(), fault.detail)),
        };
        let row = format!(
            "{:?}, {}, {column:?}: expected {expected:?}",
            self.protocol, self.name
        );
        judged.map_err(|why| format!("{row}; {why}"))
    }

    fn try_once(&self, column: Column, expected: Seen) -> Result<(), Fault> {
        let from = if column == Column::Check { 0 } else { FROM };
        let lie = self.lie.clone();
        let server = Server {
            protocol: self.protocol,
            door: self.door,
            greeting: self.greeting.to_vec(),
            reset: self.reset.then_some(from),
            script: Arc::new(move |n, rights: &[Vec<u8>]| match n.checked_sub(from) {
                Some(since) => lie(since, rights),
                None => vec![Act::Say(rights[n].clone())],
            }),
        };
        let serving = server.start();
        let address = serving.address.into();
        let work = self.protocol.work(&address);
        // Who is to be found hanging need not be waited for long; all others are waited for as long as it takes.
        let timeout = match expected {
            Seen::Fault(kinds) | Seen::RightOr(kinds) if kinds.contains(&FaultKind::Hung) => {
                Duration::from_millis(300)
            }
            _ => PATIENT,
        };
        if column == Column::Check {
            return exchange::first_answer(&address, &work, timeout, false, &go());
        }
        // So many that each lie comes to light, be it in the drain; a batch has its own number.
        let length = Length::answers(if self.connections > 2 { 600 } else { 200 }, PATIENT * 60);
        match load(timeout).run(
            &mut Target::new(address, work),
            &self.schedule(column),
            length,
            &go(),
        ) {
            Ok(reading) => {
                balanced(&reading);
                assert_eq!((reading.books.wrong, reading.books.lost), (0, 0));
                Ok(())
            }
            Err(failed) => {
                balanced(&failed.reading);
                match failed.cause {
                    Cause::Fault(fault) => Err(fault),
                    Cause::Interrupted => panic!("nobody has interrupted it"),
                }
            }
        }
    }

    fn schedule(&self, column: Column) -> Schedule {
        let (connections, depth) = (self.connections, self.depth);
        match column {
            Column::Cost => Schedule::Cost {
                // On one of two connections, which are given requests in turn, a second one might never be due.
                connections: if connections == 2 { 1 } else { connections },
                depth,
                rate: PerSecond(2000.0),
            },
            Column::Batch => Schedule::Batch {
                programs: 2,
                connections: connections.div_ceil(2),
                requests: BATCH as u32,
                depth,
            },
            _ => Schedule::Capacity { connections, depth },
        }
    }

    /// A fault is told with the exchange that it is about: the request, and what came; of a wrong answer also what was
    /// expected.
    fn is_told_well(&self, fault: &Fault) -> Result<(), String> {
        let mut parts = match fault.kind {
            FaultKind::Wrong => vec!["a wrong answer", "expected ", "\n  got      "],
            FaultKind::Unasked => vec!["\""],
            FaultKind::Hung if self.befalls_a_request => vec![" sent "],
            _ => vec![],
        };
        if self.befalls_a_request {
            parts.push(self.protocol.request());
        }
        match parts.into_iter().find(|part| !fault.detail.contains(part)) {
            Some(part) => Err(format!("told without {part:?}: {}", fault.detail)),
            None => Ok(()),
        }
    }
}
