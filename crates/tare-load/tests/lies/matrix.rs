//! A row of the matrix, what is expected of it under each schedule, and how that is checked.

use std::sync::Arc;
use std::time::Duration;

use tare_load::{Cause, Length, Schedule, Target, exchange};
use tare_model::fault::{Fault, FaultKind};
use tare_model::units::PerSecond;

use crate::common::{PATIENT, balanced, go, load, renewed_after};
use crate::fixture::{Act, Door, Server};
use crate::protocol::Protocol;
use crate::secured;
use crate::sockets::Family;

/// The request from which a server misbehaves under load: before it answers are right, so that the protocol has learned what
/// they look like. Whether the server answers one, two or three requests at a time, this one is never the last of those in
/// flight. Where each request has a connection of its own, this is the number of the connection.
pub const FROM: usize = 4;

/// The number of requests on each connection of a batch.
pub const BATCH: usize = 30;

/// How a server is asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Column {
    Capacity,
    Cost,
    Batch,
    /// The first answer, before anything is timed: there the server misbehaves at once.
    Check,
    /// As capacity, with each request on a connection of its own.
    Fresh,
}

pub const COLUMNS: [Column; 5] = [
    Column::Capacity,
    Column::Cost,
    Column::Batch,
    Column::Check,
    Column::Fresh,
];

/// What must be seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Seen {
    Right,
    /// One of these: which one may depend on what comes first over the wire.
    Fault(&'static [FaultKind]),
    /// It depends on the moment whether the misbehaviour affects a request: one of these if it does, else all is right.
    RightOr(&'static [FaultKind]),
}

/// What a server does from a request on, given the right answers of its connection up to that one; the number counts from the
/// first request at which it misbehaves.
type Lie = dyn Fn(usize, &[Vec<u8>]) -> Vec<Act> + Send + Sync;

/// A misbehaviour of a protocol's server.
#[derive(Clone)]
pub struct Row {
    pub name: &'static str,
    pub protocol: Protocol,
    family: Family,
    lie: Arc<Lie>,
    door: Door,
    greeting: &'static [u8],
    reset: bool,
    depth: u32,
    connections: u32,
    /// Whether the fault names the request that it affected.
    names_a_request: bool,
    /// What the check shows of the bytes that came.
    shows: &'static str,
    /// In the order of the columns; none for the last one: there an answer is alone on its connection, as in the check.
    seen: [Option<Seen>; 5],
    not_fresh: bool,
}

/// What an early close must be shown with: the part of the answer that came; or that all answers had come and more requests
/// were to follow; or that the server announced it while others were outstanding.
const CLOSES: [&str; 4] = [
    "of whose answer it had sent ",
    "of which it had sent ",
    "before its last request was sent; answered last: ",
    "further requests outstanding, the oldest of which is ",
];

pub const WRONG: Seen = Seen::Fault(&[FaultKind::Wrong]);
pub const UNASKED: Seen = Seen::Fault(&[FaultKind::Unasked]);
pub const CLOSED: Seen = Seen::Fault(&[FaultKind::ClosedEarly]);
pub const HUNG: Seen = Seen::Fault(&[FaultKind::Hung]);

impl Row {
    /// A server that misbehaves from a request on; every schedule sees the same.
    pub fn new(
        protocol: Protocol,
        name: &'static str,
        seen: Seen,
        lie: impl Fn(usize, &[Vec<u8>]) -> Vec<Act> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            protocol,
            family: Family::V4,
            lie: Arc::new(lie),
            door: Door::Open,
            greeting: b"",
            reset: false,
            depth: protocol.depth(),
            connections: 2,
            names_a_request: true,
            shows: "",
            seen: [Some(seen), Some(seen), Some(seen), Some(seen), None],
            not_fresh: protocol.is_dialog(),
        }
    }

    /// One schedule sees something else.
    pub fn but(mut self, column: Column, seen: Seen) -> Self {
        self.seen[column as usize] = Some(seen);
        self
    }

    /// It needs several requests on a connection.
    pub fn not_fresh(mut self) -> Self {
        self.not_fresh = true;
        self
    }

    /// Over another family of sockets.
    pub fn over(mut self, family: Family) -> Self {
        self.family = family;
        self
    }

    /// The check shows this of the answer.
    pub fn showing(mut self, text: &'static str) -> Self {
        self.shows = text;
        self
    }

    /// The columns that apply to it.
    pub fn columns(&self) -> impl Iterator<Item = Column> + use<> {
        let fresh = !self.not_fresh;
        COLUMNS
            .into_iter()
            .filter(move |column| fresh || *column != Column::Fresh)
    }

    fn seen(&self, column: Column) -> Seen {
        let check = self.seen[Column::Check as usize];
        self.seen[column as usize]
            .or(check)
            .expect("the check has an expectation")
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

    /// The server takes connections in this way; the load opens this number of them.
    pub fn door(mut self, door: Door, connections: u32) -> Self {
        (self.door, self.connections, self.names_a_request) = (door, connections, false);
        self
    }

    pub fn greeting(mut self, greeting: &'static [u8]) -> Self {
        (self.greeting, self.names_a_request) = (greeting, false);
        self
    }

    /// Checks it under a schedule.
    ///
    /// # Errors
    /// What was expected and what was seen.
    pub fn hold(&self, column: Column) -> Result<(), String> {
        let expected = self.seen(column);
        let seen = self.try_once(column, expected);
        let judged = match (expected, seen) {
            (Seen::Right | Seen::RightOr(_), Ok(())) => Ok(()),
            (Seen::Fault(kinds) | Seen::RightOr(kinds), Err(fault)) if kinds.contains(&fault.kind) => {
                self.is_shown_well(&fault, column)
            }
            (_, Ok(())) => Err("nothing was seen".to_owned()),
            (_, Err(fault)) => Err(format!("seen: {}: {}", fault.kind.name(), fault.detail)),
        };
        let row = format!("{self}, {column:?}: expected {expected:?}");
        judged.map_err(|why| format!("{row}; {why}"))
    }

    fn try_once(&self, column: Column, expected: Seen) -> Result<(), Fault> {
        let from = if column == Column::Check { 0 } else { FROM };
        let lie = self.lie.clone();
        let server = Server {
            protocol: self.protocol,
            family: self.family,
            fresh: column == Column::Fresh,
            door: self.door,
            greeting: self.greeting.to_vec(),
            reset: self.reset.then_some(from),
            script: Arc::new(move |n, rights: &[Vec<u8>]| match n.checked_sub(from) {
                Some(since) => lie(since, rights),
                None => vec![Act::Say(rights.last().expect("of this request").clone())],
            }),
        };
        let serving = server.start();
        let address = serving.address.clone();
        let work = self.protocol.work(&address);
        let work = match self.family {
            Family::Tls => secured::over_tls(self.protocol, work),
            _ => work,
        };
        // A server that must be found hanging needs a short timeout; for all others the load waits as long as it takes.
        let timeout = match expected {
            Seen::Fault(kinds) | Seen::RightOr(kinds) if kinds.contains(&FaultKind::Hung) => {
                Duration::from_millis(300)
            }
            _ => PATIENT,
        };
        if column == Column::Check {
            return exchange::first_answer(&address, &work, timeout, false, &go());
        }
        // Enough for each misbehaviour to be seen, if only in the drain; a batch has its own number.
        let answers = match (column, self.connections > 2) {
            (Column::Fresh, _) => 60,
            (_, true) => 600,
            (_, false) => 200,
        };
        let large = if self.protocol.is_large() { 3 } else { 1 };
        let length = Length::answers(answers / large, PATIENT * 60);
        let mut target = Target::new(address, work);
        if column == Column::Fresh {
            target.set_use(renewed_after(1));
        }
        match load(timeout).run(&mut target, &self.schedule(column), length, &go()) {
            Ok(reading) => {
                balanced(&reading);
                assert_eq!((reading.requests.invalid, reading.requests.lost), (0, 0));
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
                // With two connections, which get requests in turn, a second one might never be due.
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
            Column::Fresh => Schedule::Capacity {
                connections,
                depth: 1,
            },
            _ => Schedule::Capacity { connections, depth },
        }
    }

    /// Checks that a fault shows the exchange that it is about: the request and what came, and for a wrong answer also what
    /// was expected.
    pub fn is_shown_well(&self, fault: &Fault, column: Column) -> Result<(), String> {
        let said = |text: &&str| fault.detail.contains(*text);
        if fault.kind == FaultKind::ClosedEarly && self.names_a_request && !CLOSES.iter().any(said) {
            return Err(format!("shown without what came: {}", fault.detail));
        }
        let mut parts = match fault.kind {
            FaultKind::Wrong => vec!["a wrong answer", "expected ", "\n  got      "],
            FaultKind::Unasked => vec!["\""],
            FaultKind::Hung if self.names_a_request => vec![" sent "],
            _ => vec![],
        };
        if self.names_a_request {
            parts.push(self.protocol.request());
        }
        if column == Column::Check {
            parts.push(self.shows);
        }
        match parts.into_iter().find(|part| !said(part)) {
            Some(part) => Err(format!("shown without {part:?}: {}", fault.detail)),
            None => Ok(()),
        }
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} over {:?}, {}", self.protocol, self.family, self.name)
    }
}
