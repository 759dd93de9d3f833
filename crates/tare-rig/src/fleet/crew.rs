//! Agents whose generators stay: they drive slices of one server or another, all of them together.

use std::sync::mpsc::Receiver;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use tare_lab::rig::{Pacing, SliceOrder};
use tare_load::{Cause, LoadFault};
use tare_model::driving::Refill;
use tare_model::measure::LoadReading;
use tare_model::units::Seconds;
use tare_remote::message::ToAgent;
use tare_remote::{Served, Slice};

use super::agent::{Agent, joined};
use super::course::{Course, Together};
use super::error::FleetError;
use super::message::Message;
use super::place::{Event, Heard, Machine, Place};
use super::process::LOOK_EVERY;

/// So many slices in a row of which the agents did not begin together end the run: they never will. Whatever keeps a machine
/// busy for a moment is over before that.
const IN_A_ROW: u32 = 50;

/// Agents that drive slices. Dropping it ends its connections with them, and their generators end, too.
#[derive(Debug)]
pub struct Crew {
    places: Vec<Place>,
    heard: Receiver<Event>,
    /// The number of the next server.
    next: u32,
    /// Why no further slice can be driven.
    broken: Option<FleetError>,
    /// Of the slices, those of which the agents did not begin together: all of them, and the last ones in a row.
    apart: (u32, u32),
    /// Whether the last slice was one of those.
    is_void: bool,
}

/// That agents have a server. Dropping it has them close their connections to it.
#[derive(Debug)]
pub(crate) struct Seat {
    number: u32,
    agents: Vec<Weak<tare_remote::Sender>>,
}

impl Crew {
    /// Agents that have generators which stay, with the number of those of each.
    pub fn of(agents: Vec<(Agent, u32)>) -> Self {
        let (places, heard) = joined(agents);
        Self {
            places,
            heard,
            next: 0,
            broken: None,
            apart: (0, 0),
            is_void: false,
        }
    }

    /// Gives all agents a server, of which slices can then be driven.
    pub(crate) fn serve(&mut self, server: &Served) -> Seat {
        let number = self.next;
        self.next += 1;
        let order = ToAgent::Serve {
            number,
            server: server.clone(),
        };
        self.tell(&order);
        let agents = self.places.iter().filter_map(|place| match &place.machine {
            Machine::There(agent) => Some(Arc::downgrade(agent)),
            Machine::Here(_) => None,
        });
        Seat {
            number,
            agents: agents.collect(),
        }
    }

    /// Drives a slice. An agent that is gone breaks the crew, and the slice then ends like an interrupted one, as all that
    /// follow do. So does a slice that is [void](Self::was_void).
    ///
    /// # Errors
    /// As [`tare_load::Load::run`].
    pub(crate) fn drive(
        &mut self,
        seat: &Seat,
        order: &SliceOrder,
        interrupted: impl Fn() -> bool,
    ) -> Result<LoadReading, LoadFault> {
        self.is_void = false;
        if self.broken.is_some() {
            return Err(LoadFault::interrupted());
        }
        let slice = slice(seat.number, order);
        let driven = self.slice(&slice, &interrupted);
        match driven.and_then(|together| self.judged(together)) {
            Ok(Some(together)) => reading(together, order.pacing),
            Ok(None) => Err(LoadFault::interrupted()),
            Err(error) => {
                self.broken = Some(error);
                Err(LoadFault::interrupted())
            }
        }
    }

    /// What broke it, if something did.
    pub fn broken(&self) -> Option<&FleetError> {
        self.broken.as_ref()
    }

    /// Whether the agents did not begin the last slice together, so that it has to be driven again. Whether they do has
    /// nothing to do with what the slice would have shown.
    pub(crate) fn was_void(&self) -> bool {
        self.is_void
    }

    /// How many slices were void.
    pub fn voids(&self) -> u32 {
        self.apart.0
    }

    /// The slice, if all agents drove it together; none if it is void.
    fn judged(&mut self, together: Together) -> Result<Option<Together>, FleetError> {
        let (apart, wall) = match together.at_once() {
            Ok(together) => {
                self.apart.1 = 0;
                return Ok(Some(together));
            }
            Err(FleetError::Apart { apart, wall }) => (apart, wall),
            Err(error) => return Err(error),
        };
        self.apart = (self.apart.0 + 1, self.apart.1 + 1);
        if self.apart.1 >= IN_A_ROW {
            return Err(FleetError::NeverTogether {
                slices: IN_A_ROW,
                apart,
                wall,
            });
        }
        self.is_void = true;
        Ok(None)
    }

    fn tell(&mut self, message: &ToAgent) {
        self.places.iter_mut().for_each(|place| place.tell(message));
    }

    fn slice(&mut self, slice: &Slice, interrupted: &dyn Fn() -> bool) -> Result<Together, FleetError> {
        let mut course = Course::new(&self.places);
        let count = self.places.len() as u32;
        for (number, place) in (0..).zip(&mut self.places) {
            place.tell(&ToAgent::Slice(slice.share(number, count)));
        }
        let (mut begun, mut stopped) = (false, false);
        while !course.has_ended() {
            let ends = match self.heard.recv_timeout(LOOK_EVERY) {
                Ok(event) => note(&mut course, event),
                Err(_) => interrupted(),
            };
            if ends && !stopped {
                stopped = true;
                self.tell(&ToAgent::Stop);
            }
            if course.is_ready() && !begun && !stopped {
                begun = true;
                course.let_go = self.go();
            }
        }
        course.outcome(&self.places, interrupted())
    }

    fn go(&mut self) -> Vec<Instant> {
        let told = self.places.iter_mut().map(|place| {
            let now = Instant::now();
            place.go();
            now
        });
        told.collect()
    }
}

/// Notes what was heard of a slice; whether all have to end.
fn note(course: &mut Course, event: Event) -> bool {
    match event.what {
        Heard::Said { process, message } => match message {
            Message::Ready => course.ready(process),
            Message::Began | Message::SoFar(_) => {}
            Message::Ended(outcome) => return course.ended(process, *outcome),
        },
        Heard::Began { place, after } => course.begun[place] = Some((event.at, after)),
        Heard::Gone { process } => return course.gone(process),
        Heard::Lost { place, why } => return course.lose(place, why),
    }
    false
}

/// What a load of this machine would have returned.
fn reading(together: Together, pacing: Pacing) -> Result<LoadReading, LoadFault> {
    let wall = match pacing {
        Pacing::Job => Some(together.all.reading.wall),
        Pacing::Closed | Pacing::Open => common_wall(&together),
    };
    let all = together.all;
    let reading = Box::new(LoadReading {
        wall: wall.unwrap_or(all.reading.wall),
        ..all.reading
    });
    match all.fault {
        Some(fault) => Err(LoadFault {
            cause: Cause::Fault(fault),
            reading,
        }),
        None if all.interrupted => Err(LoadFault {
            cause: Cause::Interrupted,
            reading,
        }),
        None => Ok(*reading),
    }
}

/// The time in which all answers came at the sum of the generators' throughputs. Slices of few answers are stretched, by each
/// generator for itself, so that the longest of their times would make less of it than it was.
fn common_wall(together: &Together) -> Option<Seconds> {
    let answers = together.all.reading.answers as f64;
    (together.throughput > 0.0).then(|| Seconds(answers / together.throughput))
}

/// A slice, as agents are told of it.
fn slice(server: u32, order: &SliceOrder) -> Slice {
    Slice {
        server,
        pacing: match order.pacing {
            Pacing::Closed => tare_remote::Pacing::Closed,
            Pacing::Open => tare_remote::Pacing::Open(order.rate.0),
            Pacing::Job => tare_remote::Pacing::Job {
                programs: order.programs,
                requests: order.requests,
            },
        },
        connections: order.connections,
        depth: order.depth,
        refill: match order.usage.refill {
            Refill::OneByOne => tare_remote::Refill::OneByOne,
            Refill::Batches => tare_remote::Refill::Batches,
        },
        renew_after: order.usage.renew_after,
        length: Duration::try_from_secs_f64(order.length.0).unwrap_or_default(),
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        for agent in self.agents.iter().filter_map(Weak::upgrade) {
            // One that is gone has closed them.
            let _ = agent.send(&ToAgent::Leave(self.number));
        }
    }
}
