//! A fleet: several generator processes that drive one load together, of this machine when one process cannot open enough
//! files, or of other machines. Each has its share of the connections and of the rate. They begin together.
//!
//! A process of the fleet is any program that calls [`Member::take_part`]. It gets its part of the load over its standard
//! input, and reports over its standard output; it is sent `go` once all are ready, and its input is closed to end the load.
//! Those of another machine are started by an agent there ([`Session`]), which passes on what they say ([`Agent`]).

mod agent;
mod course;
mod crew;
#[cfg(test)]
mod crew_tests;
mod error;
#[cfg(test)]
mod fuzz;
mod member;
mod message;
mod outcome;
mod place;
mod process;
mod session;
mod standing;
#[cfg(test)]
mod tests;

use std::io;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use tare_remote::Part;
use tare_remote::message::ToAgent;

pub use agent::{Agent, AgentError};
pub use course::{AgentOutcome, Together};
pub use crew::Crew;
pub(crate) use crew::Seat;
pub use error::FleetError;
pub use member::Member;
pub use outcome::GeneratorOutcome;
pub use session::{Asked, Judge, Refusal, Session, SessionEnd};
pub use standing::stand;

use course::Course;
use message::Message;
use place::{Event, Heard, Place};
use process::LOOK_EVERY;

/// Generator processes that were started, for one load. Dropping it kills those of this machine that still run, and ends its connections
/// with agents, who then do the same.
#[derive(Debug)]
pub struct Fleet {
    places: Vec<Place>,
    heard: Receiver<Event>,
    answers: Answers,
}

/// The right answers of a fleet so far, to be read from another thread.
#[derive(Debug, Clone)]
pub struct Answers(Arc<Vec<AtomicU64>>);

impl Fleet {
    /// Starts a process of this machine for each part, by such a command; its standard input and output become the fleet's.
    ///
    /// # Errors
    /// [`FleetError::Start`] for the first that cannot be started; the others are killed.
    pub fn here(command: impl Fn() -> Command, parts: &[Part]) -> Result<Self, FleetError> {
        let (tell, heard) = channel();
        let places = parts
            .iter()
            .enumerate()
            .map(|(number, part)| {
                let order = ToAgent::Load(Box::new(part.clone()));
                Place::here(command(), &order, number, tell.clone())
            })
            .collect::<io::Result<Vec<_>>>()
            .map_err(FleetError::Start)?;
        Ok(Self::of(places, heard))
    }

    /// The processes of agents that were prepared, with the number of those of each.
    pub fn there(agents: Vec<(Agent, u32)>) -> Self {
        let (places, heard) = agent::joined(agents);
        Self::of(places, heard)
    }

    fn of(places: Vec<Place>, heard: Receiver<Event>) -> Self {
        let processes: usize = places.iter().map(|place| place.processes).sum();
        let answers = (0..processes).map(|_| AtomicU64::new(0)).collect();
        Self {
            places,
            heard,
            answers: Answers(Arc::new(answers)),
        }
    }

    /// The right answers so far, of the members that report [progress](Member::progress).
    pub fn answers(&self) -> Answers {
        self.answers.clone()
    }

    /// Waits until all are ready, lets them begin (and calls `began`), and waits for their ends. The first fault, or
    /// `interrupted`, ends all. Returns what they saw together.
    ///
    /// # Errors
    /// One ended without a word, an agent was lost, or counts do not balance: what the others saw is no figure of the load.
    pub fn run(
        mut self,
        interrupted: impl Fn() -> bool,
        began: impl FnOnce(),
    ) -> Result<Together, FleetError> {
        let mut course = Course::new(&self.places);
        let mut began = Some(began);
        while !course.is_over() {
            match self.heard.recv_timeout(LOOK_EVERY) {
                Ok(event) => {
                    if self.note(&mut course, event) {
                        self.stop();
                    }
                }
                Err(_) if interrupted() => self.stop(),
                Err(_) => {}
            }
            if course.is_ready()
                && let Some(began) = began.take()
            {
                course.let_go = self.go();
                began();
            }
        }
        let stopped = interrupted();
        drop(self.heard);
        course.outcome(&self.places, stopped)
    }

    /// Notes what was heard; whether all have to end.
    fn note(&self, course: &mut Course, event: Event) -> bool {
        match event.what {
            Heard::Said { process, message } => match message {
                Message::Ready => course.ready(process),
                // Places say it of all of their processes.
                Message::Began => {}
                Message::SoFar(answers) => self.answers.0[process].store(answers, Ordering::Relaxed),
                Message::Ended(outcome) => return course.ended(process, *outcome),
            },
            Heard::Began { place, after } => course.begun[place] = Some((event.at, after)),
            Heard::Gone { process } => return course.gone(process),
            Heard::Lost { place, why } => return course.lose(place, why),
        }
        false
    }

    /// Lets all begin; when each place was told.
    fn go(&mut self) -> Vec<Instant> {
        let places = self.places.iter_mut();
        places
            .map(|place| {
                let now = Instant::now();
                place.go();
                now
            })
            .collect()
    }

    fn stop(&mut self) {
        self.places.iter_mut().for_each(Place::stop);
    }
}

impl Answers {
    /// The sum over all processes.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|one| one.load(Ordering::Relaxed)).sum()
    }
}
