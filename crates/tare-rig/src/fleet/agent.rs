//! An agent, as its conductor sees it: a machine that drives its part of a load.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use tare_remote::message::{FromAgent, Machine as Offered, Prepared, ToAgent};
use tare_remote::{ConnectError, Key, Lost, Part, Sender, Standing, connect};

use tare_model::placement::Node;

use super::message::Message;
use super::place::{Event, Heard, Machine, Place};

/// How long an agent may take to prepare a load: it checks it, and starts nothing yet.
const PREPARING: Duration = Duration::from_secs(30);

type Said = (Instant, Result<Option<FromAgent>, Lost>);

/// An agent that is connected.
#[derive(Debug)]
pub struct Agent {
    name: String,
    peer: SocketAddr,
    local: SocketAddr,
    /// Connections that one of its generator processes can hold.
    connections: u32,
    machine: Offered,
    says: Sender,
    heard: Receiver<Said>,
}

/// Why an agent does not take part.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// There is no connection with it.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// It does not do what it was told to.
    #[error("the agent at {name} refuses: {why}")]
    Refused {
        /// As it was typed.
        name: String,
        /// Why.
        why: String,
        /// What helps.
        hint: Option<String>,
    },
    /// It is gone, or says something else than what it should.
    #[error("the agent at {name} was lost: {why}")]
    Lost {
        /// As it was typed.
        name: String,
        /// Why.
        why: String,
    },
}

impl AgentError {
    /// What helps, where that is known.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Connect(error) => Some(error.hint().to_owned()),
            Self::Refused { hint, .. } => hint.clone(),
            Self::Lost { .. } => Some(super::error::SEE_THE_AGENT.to_owned()),
        }
    }
}

impl Agent {
    /// Connects to the agent at `name`, which is `HOST:PORT`.
    ///
    /// # Errors
    /// There is none that knows the key, or it has another conductor.
    pub fn connect(name: &str, key: &Key) -> Result<Self, AgentError> {
        let link = connect(name, key)?;
        let peer = link.peer();
        let local = link.local().map_err(|error| lost(name, &Lost::Broken(error)))?;
        let (tell, heard) = channel();
        let says = link.listen(move |at, message| drop(tell.send((at, message))));
        let mut agent = Self {
            says: says.map_err(|error| lost(name, &Lost::Broken(error)))?,
            name: name.to_owned(),
            peer,
            local,
            connections: 0,
            machine: Offered::default(),
            heard,
        };
        match agent.next()? {
            FromAgent::Offer { connections, machine } => {
                agent.connections = connections;
                agent.machine = plain_machine(machine);
            }
            other => return Err(agent.unexpected(&other)),
        }
        Ok(agent)
    }

    /// Under another name than where it listens.
    pub fn called(self, name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..self
        }
    }

    /// As it was typed.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where it is.
    pub fn peer(&self) -> SocketAddr {
        self.peer
    }

    /// The address of this machine that it is connected to.
    pub fn local(&self) -> SocketAddr {
        self.local
    }

    /// Connections that one of its generator processes can hold.
    pub fn connections(&self) -> u32 {
        self.connections
    }

    /// Its machine.
    pub fn node(&self) -> Node {
        Node {
            name: self.name.clone(),
            host: self.machine.host.clone(),
            cpu: self.machine.cpu.clone(),
            cores: self.machine.cores,
        }
    }

    /// Has it open a connection to an address, and close it.
    ///
    /// # Errors
    /// It does not reach it, or may not load it.
    pub fn reach(&mut self, address: SocketAddr) -> Result<(), AgentError> {
        match self.asked(&ToAgent::Reach(address))? {
            FromAgent::Reached => Ok(()),
            other => Err(self.unexpected(&other)),
        }
    }

    /// Tells it what to load. It starts its generators, which open their connections and wait.
    ///
    /// # Errors
    /// It refuses, or is gone.
    pub fn prepare(&mut self, part: &Part) -> Result<Prepared, AgentError> {
        self.prepared(&ToAgent::Load(Box::new(part.clone())))
    }

    /// Has it start generators that stay.
    ///
    /// # Errors
    /// It refuses, or is gone.
    pub fn stand(&mut self, standing: &Standing) -> Result<Prepared, AgentError> {
        self.prepared(&ToAgent::Stand(standing.clone()))
    }

    fn asked(&mut self, order: &ToAgent) -> Result<FromAgent, AgentError> {
        self.says
            .send(order)
            .map_err(|error| lost(&self.name, &Lost::Broken(error)))?;
        self.next()
    }

    fn prepared(&mut self, order: &ToAgent) -> Result<Prepared, AgentError> {
        match self.asked(order)? {
            FromAgent::Prepared(prepared) => Ok(Prepared {
                waiting: prepared.waiting.map(|(awake, why)| (awake, plain(&why))),
                remarks: prepared.remarks.iter().map(|remark| plain(remark)).collect(),
            }),
            other => Err(self.unexpected(&other)),
        }
    }

    fn next(&self) -> Result<FromAgent, AgentError> {
        let gone = |why: &str| AgentError::Lost {
            name: self.name.clone(),
            why: why.to_owned(),
        };
        match self.heard.recv_timeout(PREPARING) {
            Ok((_, Ok(Some(FromAgent::Refused { why, hint })))) => Err(AgentError::Refused {
                name: self.name.clone(),
                why: plain(&why),
                hint: hint.map(|hint| plain(&hint)),
            }),
            Ok((_, Ok(Some(message)))) => Ok(message),
            Ok((_, Ok(None))) => Err(gone(ENDED)),
            Ok((_, Err(error))) => Err(lost(&self.name, &error)),
            Err(RecvTimeoutError::Timeout) => Err(gone("it did not answer")),
            Err(RecvTimeoutError::Disconnected) => Err(gone(ENDED)),
        }
    }

    fn unexpected(&self, message: &FromAgent) -> AgentError {
        AgentError::Lost {
            name: self.name.clone(),
            why: plain(&format!(
                "it said something else than what was expected: {message:?}"
            )),
        }
    }

    /// Becomes a place of a fleet, which hears from now on what it says.
    fn join(self, at: Range, tell: mpsc::Sender<Event>) -> Place {
        let heard = self.heard;
        let processes = at.processes;
        thread::spawn(move || {
            for (came, message) in heard {
                let what = at.event(message);
                let is_last = matches!(what, Heard::Lost { .. });
                // A fleet that is gone needs no messages.
                if tell.send(Event { at: came, what }).is_err() || is_last {
                    return;
                }
            }
        });
        Place {
            name: Some(self.name),
            machine: Machine::There(Arc::new(self.says)),
            processes,
        }
    }
}

/// Agents as places, with the number of processes of each, and what is heard of them.
pub(super) fn joined(agents: Vec<(Agent, u32)>) -> (Vec<Place>, Receiver<Event>) {
    let (tell, heard) = channel();
    let mut first = 0;
    let places = agents.into_iter().enumerate().map(|(place, (agent, processes))| {
        let at = Range {
            place,
            first,
            processes: processes as usize,
        };
        first += at.processes;
        agent.join(at, tell.clone())
    });
    (places.collect(), heard)
}

/// Which of a fleet's processes are those of an agent.
#[derive(Debug, Clone, Copy)]
struct Range {
    /// The agent's number among the places.
    place: usize,
    /// The number of its first process.
    first: usize,
    /// How many it has.
    processes: usize,
}

impl Range {
    /// What a message of the agent means to the fleet.
    fn event(self, message: Result<Option<FromAgent>, Lost>) -> Heard {
        let lost = |why: String| Heard::Lost {
            place: self.place,
            why,
        };
        match message {
            Ok(Some(FromAgent::Said { process, line })) => match (self.own(process), Message::parse(&line)) {
                (Some(process), Some(message)) => Heard::Said { process, message },
                _ => lost(plain(&format!(
                    "process {process} said what is no message: {line}"
                ))),
            },
            Ok(Some(FromAgent::Gone { process })) => match self.own(process) {
                Some(process) => Heard::Gone { process },
                None => lost(format!("it has no process {process}")),
            },
            Ok(Some(FromAgent::Began { after })) => Heard::Began {
                place: self.place,
                after,
            },
            Ok(Some(FromAgent::Refused { why, hint })) => lost(match hint {
                Some(hint) => plain(&format!("{why}; {hint}")),
                None => plain(&why),
            }),
            Ok(Some(other)) => lost(plain(&format!(
                "it said something else than what was expected: {other:?}"
            ))),
            Ok(None) => lost(ENDED.to_owned()),
            Err(error) => lost(error.to_string()),
        }
    }

    fn own(self, process: u32) -> Option<usize> {
        let process = process as usize;
        (process < self.processes).then_some(self.first + process)
    }
}

fn plain_machine(machine: Offered) -> Offered {
    Offered {
        host: plain(&machine.host),
        cpu: plain(&machine.cpu),
        ..machine
    }
}

/// A text of another machine, short and without what a terminal would take for a command.
fn plain(text: &str) -> String {
    const LONGEST: usize = 300;
    let plain = text.chars().filter(|char| !char.is_control());
    plain.take(LONGEST).collect()
}

const ENDED: &str = "it ended the connection";

fn lost(name: &str, error: &Lost) -> AgentError {
    AgentError::Lost {
        name: name.to_owned(),
        why: error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANGE: Range = Range {
        place: 1,
        first: 3,
        processes: 2,
    };

    fn said(process: u32, line: &str) -> Heard {
        let line = line.to_owned();
        RANGE.event(Ok(Some(FromAgent::Said { process, line })))
    }

    #[test]
    fn what_an_agent_says_is_of_its_own_processes() {
        assert!(matches!(
            said(1, "so far 7"),
            Heard::Said {
                process: 4,
                message: Message::SoFar(7)
            }
        ));
        assert!(matches!(
            RANGE.event(Ok(Some(FromAgent::Gone { process: 0 }))),
            Heard::Gone { process: 3 }
        ));
        for foreign in [
            said(2, "ready"),
            said(0, "red\u{1b}[2Jady"),
            RANGE.event(Ok(Some(FromAgent::Gone { process: 2 }))),
            RANGE.event(Ok(Some(FromAgent::Reached))),
            RANGE.event(Ok(None)),
            RANGE.event(Err(Lost::Silent)),
        ] {
            let Heard::Lost { place: 1, why } = &foreign else {
                panic!("{foreign:?}")
            };
            assert!(!why.contains('\u{1b}'), "{why}");
        }
    }
}
