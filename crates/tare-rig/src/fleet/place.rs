//! Where processes of a fleet run, and what is heard of them.

use std::io;
use std::process::Command;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use tare_remote::message::ToAgent;

use super::message::Message;
use super::process::GeneratorProcess;

/// Where processes of a fleet run: one of this machine, or those of an agent.
#[derive(Debug)]
pub(super) struct Place {
    /// The agent, as it was typed.
    pub(super) name: Option<String>,
    pub(super) machine: Machine,
    pub(super) processes: usize,
}

#[derive(Debug)]
pub(super) enum Machine {
    Here(GeneratorProcess),
    There(Arc<tare_remote::Sender>),
}

/// What was heard, and when it came.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) at: Instant,
    pub(super) what: Heard,
}

#[derive(Debug)]
pub(super) enum Heard {
    /// A process, by its number, said something.
    Said { process: usize, message: Message },
    /// All processes of a place have begun, so long after they were let go, by the clock there.
    Began { place: usize, after: Duration },
    /// The output of a process has ended.
    Gone { process: usize },
    /// A place is gone with all of its processes.
    Lost { place: usize, why: String },
}

impl Place {
    /// A process of this machine, by its number.
    pub(super) fn here(
        command: Command,
        order: &ToAgent,
        number: usize,
        tell: Sender<Event>,
    ) -> io::Result<Self> {
        let hear = move |at, line: Option<String>| {
            let what = match line.as_deref().map(Message::parse) {
                None => Heard::Gone { process: number },
                Some(Some(Message::Began)) => Heard::Began {
                    place: number,
                    after: Duration::ZERO,
                },
                Some(Some(message)) => Heard::Said {
                    process: number,
                    message,
                },
                Some(None) => return,
            };
            // A fleet that is gone needs no messages.
            let _ = tell.send(Event { at, what });
        };
        Ok(Self {
            name: None,
            machine: Machine::Here(GeneratorProcess::start(command, order, hear)?),
            processes: 1,
        })
    }

    /// Lets its processes begin.
    pub(super) fn go(&mut self) {
        self.tell(&ToAgent::Go);
    }

    /// Tells it something.
    pub(super) fn tell(&mut self, message: &ToAgent) {
        match &mut self.machine {
            Machine::Here(process) => process.tell(message),
            // An agent that is gone is noticed by what is heard.
            Machine::There(agent) => drop(agent.send(message)),
        }
    }

    /// Ends their load.
    pub(super) fn stop(&mut self) {
        match &mut self.machine {
            Machine::Here(process) => process.stop(),
            Machine::There(agent) => drop(agent.send(&ToAgent::Stop)),
        }
    }
}
