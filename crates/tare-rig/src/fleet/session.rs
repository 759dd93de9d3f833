//! A conductor, as its agent sees it: what it has this machine load, by generator processes that live no longer than its
//! connection.

use std::io;
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use tare_remote::message::{FromAgent, Prepared, ToAgent};
use tare_remote::{Link, Lost, Part};

use super::message::BEGAN;
use super::process::{GeneratorProcess, LOOK_EVERY};

/// How long a conductor may think about what to load, and how long it may stay when all has ended.
const IDLE: Duration = Duration::from_secs(60);

/// Longer than any load.
const A_YEAR: Duration = Duration::from_secs(365 * 86_400);

/// A conductor that has this agent.
#[derive(Debug)]
pub struct Session {
    says: tare_remote::Sender,
    heard: Receiver<Event>,
    tell: Sender<Event>,
}

/// How it ended.
#[derive(Debug, thiserror::Error)]
pub enum SessionEnd {
    /// The conductor said farewell.
    #[error("the conductor ended the connection")]
    Over,
    /// The conductor is gone.
    #[error("the conductor was lost: {0}")]
    Lost(Lost),
    /// It was interrupted here.
    #[error("interrupted")]
    Interrupted,
    /// The conductor said something else than what it should.
    #[error("the conductor said something else than what was expected")]
    Unexpected,
    /// A generator could not be started.
    #[error("a generator process could not be started: {0}")]
    Start(io::Error),
    /// It took longer than it may.
    #[error("the load took longer than it may")]
    TooLong,
}

#[derive(Debug)]
enum Event {
    Conductor(Result<Option<ToAgent>, Lost>),
    /// What a process said, by its number; none at its end.
    Process(u32, Option<String>),
}

impl Session {
    /// Begins with an offer: how many connections one generator process can hold here.
    ///
    /// # Errors
    /// The conductor is gone.
    pub fn open(link: Link, connections: u32) -> Result<Self, SessionEnd> {
        let (tell, heard) = channel();
        let hear = tell.clone();
        let says = link
            .listen(move |_, message| drop(hear.send(Event::Conductor(message))))
            .map_err(|error| SessionEnd::Lost(Lost::Broken(error)))?;
        let session = Self { says, heard, tell };
        session.say(&FromAgent::Offer { connections })?;
        Ok(session)
    }

    /// What the conductor has this machine load.
    ///
    /// # Errors
    /// It does not say.
    pub fn asked(&self, interrupted: impl Fn() -> bool) -> Result<Part, SessionEnd> {
        match self.next(Instant::now() + IDLE, interrupted)? {
            Event::Conductor(Ok(Some(ToAgent::Load(part)))) => Ok(*part),
            Event::Conductor(message) => Err(end(message)),
            Event::Process(..) => Err(SessionEnd::Unexpected),
        }
    }

    /// Says why that is not done, and waits until the conductor has gone.
    pub fn refuse(self, why: &str, hint: Option<&str>) {
        let refused = FromAgent::Refused {
            why: why.to_owned(),
            hint: hint.map(str::to_owned),
        };
        if self.say(&refused).is_ok() {
            let _ = self.next(Instant::now() + IDLE, || false);
        }
    }

    /// Starts a process for each part, by such a command, passes on what they say, and lets them begin and end when the
    /// conductor says so. They are killed when the conductor is gone, or after `longest`.
    pub fn run(
        self,
        prepared: Prepared,
        command: impl Fn() -> Command,
        parts: &[Part],
        longest: Duration,
        interrupted: impl Fn() -> bool,
    ) -> SessionEnd {
        let until = Instant::now() + longest.min(A_YEAR) + IDLE;
        match self.driven(prepared, command, parts, until, interrupted) {
            Ok(()) => SessionEnd::Over,
            Err(end) => {
                let own = matches!(
                    end,
                    SessionEnd::Start(_) | SessionEnd::TooLong | SessionEnd::Interrupted
                );
                if own {
                    let why = format!("{end} there");
                    let _ = self.say(&FromAgent::Refused { why, hint: None });
                }
                end
            }
        }
    }

    fn driven(
        &self,
        prepared: Prepared,
        command: impl Fn() -> Command,
        parts: &[Part],
        until: Instant,
        interrupted: impl Fn() -> bool,
    ) -> Result<(), SessionEnd> {
        self.say(&FromAgent::Prepared(prepared))?;
        let mut processes = self.start(command, parts)?;
        let (mut let_go, mut begun) = (None, 0);
        loop {
            match self.next(until, &interrupted)? {
                Event::Conductor(Ok(Some(ToAgent::Go))) => {
                    let_go = Some(Instant::now());
                    processes.iter_mut().for_each(GeneratorProcess::go);
                }
                Event::Conductor(Ok(Some(ToAgent::Stop))) => {
                    processes.iter_mut().for_each(GeneratorProcess::stop);
                }
                Event::Conductor(Ok(None)) => return Ok(()),
                Event::Conductor(message) => return Err(end(message)),
                Event::Process(_, Some(line)) if line == BEGAN => {
                    begun += 1;
                    if let Some(since) = let_go.filter(|_| begun == processes.len()) {
                        let after = since.elapsed();
                        self.say(&FromAgent::Began { after })?;
                    }
                }
                Event::Process(process, Some(line)) => self.say(&FromAgent::Said { process, line })?,
                Event::Process(process, None) => self.say(&FromAgent::Gone { process })?,
            }
        }
    }

    fn start(
        &self,
        command: impl Fn() -> Command,
        parts: &[Part],
    ) -> Result<Vec<GeneratorProcess>, SessionEnd> {
        let start = |(number, part): (u32, &Part)| {
            let tell = self.tell.clone();
            // A session that is over needs no messages.
            let hear = move |_, line| drop(tell.send(Event::Process(number, line)));
            GeneratorProcess::start(command(), part, hear)
        };
        let started: io::Result<Vec<GeneratorProcess>> = (0..).zip(parts).map(start).collect();
        started.map_err(SessionEnd::Start)
    }

    fn say(&self, message: &FromAgent) -> Result<(), SessionEnd> {
        let said = self.says.send(message);
        said.map_err(|error| SessionEnd::Lost(Lost::Broken(error)))
    }

    fn next(&self, until: Instant, interrupted: impl Fn() -> bool) -> Result<Event, SessionEnd> {
        loop {
            match self.heard.recv_timeout(LOOK_EVERY) {
                Ok(event) => return Ok(event),
                Err(RecvTimeoutError::Disconnected) => return Err(SessionEnd::Lost(Lost::Closed)),
                Err(RecvTimeoutError::Timeout) if interrupted() => return Err(SessionEnd::Interrupted),
                Err(RecvTimeoutError::Timeout) if Instant::now() > until => return Err(SessionEnd::TooLong),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// How a session ends in which this came.
fn end(message: Result<Option<ToAgent>, Lost>) -> SessionEnd {
    match message {
        Ok(None) => SessionEnd::Over,
        Ok(Some(_)) => SessionEnd::Unexpected,
        Err(error) => SessionEnd::Lost(error),
    }
}
