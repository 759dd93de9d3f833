//! A conductor, as its agent sees it: what it has this machine load, by generator processes that live no longer than its
//! connection.

use std::io;
use std::net::SocketAddr;
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use tare_remote::message::{FromAgent, Machine, Prepared, ToAgent};
use tare_remote::{Link, Lost, Part, Served, Slice, Standing};

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
    /// It asked for what may not be done here.
    #[error("refused: {0}")]
    Refused(String),
}

/// What a conductor has its agent do.
#[derive(Debug)]
pub enum Asked {
    /// Try whether an address is reached.
    Reach(SocketAddr),
    /// A load.
    Load(Box<Part>),
    /// Generators that stay, for slices.
    Stand(Standing),
}

/// Why something is not done here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub why: String,
    /// What helps.
    pub hint: Option<String>,
}

/// Which servers may be driven here, and how much.
pub trait Judge {
    /// Whether slices of a server may be driven.
    ///
    /// # Errors
    /// Why not.
    fn serve(&self, server: &Served) -> Result<(), Refusal>;

    /// Whether such a slice may be driven.
    ///
    /// # Errors
    /// Why not.
    fn slice(&self, slice: &Slice) -> Result<(), Refusal>;
}

#[derive(Debug)]
enum Event {
    Conductor(Result<Option<ToAgent>, Lost>),
    /// What a process said, by its number; none at its end.
    Process(u32, Option<String>),
}

impl Session {
    /// Begins with an offer: how many connections one generator process can hold here, and on what machine.
    ///
    /// # Errors
    /// The conductor is gone.
    pub fn open(link: Link, connections: u32, machine: Machine) -> Result<Self, SessionEnd> {
        let (tell, heard) = channel();
        let hear = tell.clone();
        let says = link
            .listen(move |_, message| drop(hear.send(Event::Conductor(message))))
            .map_err(|error| SessionEnd::Lost(Lost::Broken(error)))?;
        let session = Self { says, heard, tell };
        session.say(&FromAgent::Offer { connections, machine })?;
        Ok(session)
    }

    /// What the conductor has this machine do.
    ///
    /// # Errors
    /// It does not say.
    pub fn asked(&self, interrupted: impl Fn() -> bool) -> Result<Asked, SessionEnd> {
        match self.next(Some(Instant::now() + IDLE), interrupted)? {
            Event::Conductor(Ok(Some(ToAgent::Load(part)))) => Ok(Asked::Load(part)),
            Event::Conductor(Ok(Some(ToAgent::Stand(standing)))) => Ok(Asked::Stand(standing)),
            Event::Conductor(Ok(Some(ToAgent::Reach(address)))) => Ok(Asked::Reach(address)),
            Event::Conductor(message) => Err(end(message)),
            Event::Process(..) => Err(SessionEnd::Unexpected),
        }
    }

    /// Says that the address is reached.
    ///
    /// # Errors
    /// The conductor is gone.
    pub fn reached(&self) -> Result<(), SessionEnd> {
        self.say(&FromAgent::Reached)
    }

    /// Says why that is not done, and waits until the conductor has gone.
    pub fn refuse(self, refusal: &Refusal) {
        self.dismiss(refusal);
    }

    fn dismiss(&self, refusal: &Refusal) {
        let refused = FromAgent::Refused {
            why: refusal.why.clone(),
            hint: refusal.hint.clone(),
        };
        let until = Some(Instant::now() + IDLE);
        if self.say(&refused).is_ok() {
            while let Ok(Event::Process(..)) = self.next(until, || false) {}
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
        let ended = self.driven(prepared, command, parts, until, interrupted);
        self.end(ended)
    }

    /// Starts a process for each of these, by such a command, and has them drive slices as the conductor says, which is asked
    /// of the judge before. They are killed when the conductor is gone.
    pub fn stand(
        self,
        prepared: Prepared,
        command: impl Fn() -> Command,
        all: &[Standing],
        judge: &impl Judge,
        interrupted: impl Fn() -> bool,
    ) -> SessionEnd {
        let ended = self.stood(prepared, command, all, judge, interrupted);
        self.end(ended)
    }

    /// Tells the conductor of an end that it does not know of.
    fn end(&self, ended: Result<(), SessionEnd>) -> SessionEnd {
        match ended {
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
        let orders = parts.iter().map(|part| ToAgent::Load(Box::new(part.clone())));
        let mut processes = self.start(command, orders)?;
        let mut beginning = Beginning::default();
        loop {
            match self.next(Some(until), &interrupted)? {
                Event::Conductor(Ok(Some(ToAgent::Go))) => {
                    beginning.go();
                    tell(&mut processes, &ToAgent::Go);
                }
                Event::Conductor(Ok(Some(ToAgent::Stop))) => {
                    processes.iter_mut().for_each(GeneratorProcess::stop);
                }
                Event::Conductor(Ok(None)) => return Ok(()),
                Event::Conductor(message) => return Err(end(message)),
                Event::Process(process, line) => {
                    self.pass_on(process, line, &mut beginning, processes.len())?
                }
            }
        }
    }

    fn stood(
        &self,
        prepared: Prepared,
        command: impl Fn() -> Command,
        all: &[Standing],
        judge: &impl Judge,
        interrupted: impl Fn() -> bool,
    ) -> Result<(), SessionEnd> {
        let orders = all.iter().map(|standing| ToAgent::Stand(standing.clone()));
        let mut processes = self.start(command, orders)?;
        self.say(&FromAgent::Prepared(prepared))?;
        let mut beginning = Beginning::default();
        loop {
            // The conductor prepares for as long as it likes: it says that it is there.
            let message = match self.next(None, &interrupted)? {
                Event::Conductor(Ok(None)) => return Ok(()),
                Event::Conductor(Ok(Some(message))) => message,
                Event::Conductor(Err(error)) => return Err(SessionEnd::Lost(error)),
                Event::Process(process, line) => {
                    self.pass_on(process, line, &mut beginning, processes.len())?;
                    continue;
                }
            };
            match &message {
                ToAgent::Serve { server, .. } => self.allowed(judge.serve(server))?,
                ToAgent::Slice(slice) => {
                    self.allowed(judge.slice(slice))?;
                    beginning = Beginning::default();
                    let count = processes.len() as u32;
                    for (number, process) in (0..).zip(&mut processes) {
                        process.tell(&ToAgent::Slice(slice.share(number, count)));
                    }
                    continue;
                }
                ToAgent::Go => beginning.go(),
                ToAgent::Stop | ToAgent::Leave(_) => {}
                ToAgent::Load(_) | ToAgent::Reach(_) | ToAgent::Stand(_) => {
                    return Err(SessionEnd::Unexpected);
                }
            }
            tell(&mut processes, &message);
        }
    }

    /// Ends the session of a conductor that asks for what may not be done.
    fn allowed(&self, judged: Result<(), Refusal>) -> Result<(), SessionEnd> {
        judged.map_err(|refusal| {
            self.dismiss(&refusal);
            SessionEnd::Refused(refusal.why)
        })
    }

    /// Passes on what a process said, or that it is gone.
    fn pass_on(
        &self,
        process: u32,
        line: Option<String>,
        beginning: &mut Beginning,
        processes: usize,
    ) -> Result<(), SessionEnd> {
        match line {
            Some(line) if line == BEGAN => match beginning.began(processes) {
                Some(after) => self.say(&FromAgent::Began { after }),
                None => Ok(()),
            },
            Some(line) => self.say(&FromAgent::Said { process, line }),
            None => self.say(&FromAgent::Gone { process }),
        }
    }

    fn start(
        &self,
        command: impl Fn() -> Command,
        orders: impl Iterator<Item = ToAgent>,
    ) -> Result<Vec<GeneratorProcess>, SessionEnd> {
        let start = |(number, order): (u32, ToAgent)| {
            let tell = self.tell.clone();
            // A session that is over needs no messages.
            let hear = move |_, line| drop(tell.send(Event::Process(number, line)));
            GeneratorProcess::start(command(), &order, hear)
        };
        let started: io::Result<Vec<GeneratorProcess>> = (0..).zip(orders).map(start).collect();
        started.map_err(SessionEnd::Start)
    }

    fn say(&self, message: &FromAgent) -> Result<(), SessionEnd> {
        let said = self.says.send(message);
        said.map_err(|error| SessionEnd::Lost(Lost::Broken(error)))
    }

    fn next(&self, until: Option<Instant>, interrupted: impl Fn() -> bool) -> Result<Event, SessionEnd> {
        loop {
            match self.heard.recv_timeout(LOOK_EVERY) {
                Ok(event) => return Ok(event),
                Err(RecvTimeoutError::Disconnected) => return Err(SessionEnd::Lost(Lost::Closed)),
                Err(RecvTimeoutError::Timeout) if interrupted() => return Err(SessionEnd::Interrupted),
                Err(RecvTimeoutError::Timeout) if until.is_some_and(|until| Instant::now() > until) => {
                    return Err(SessionEnd::TooLong);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// How the processes begin that were let go.
#[derive(Debug, Default)]
struct Beginning {
    let_go: Option<Instant>,
    begun: usize,
}

impl Beginning {
    fn go(&mut self) {
        self.let_go = Some(Instant::now());
    }

    /// Notes that one more has begun; how long after they were let go, if it is the last of so many.
    fn began(&mut self, of: usize) -> Option<Duration> {
        self.begun += 1;
        Some(self.let_go.filter(|_| self.begun == of)?.elapsed())
    }
}

fn tell(processes: &mut [GeneratorProcess], message: &ToAgent) {
    processes.iter_mut().for_each(|process| process.tell(message));
}

/// How a session ends in which this came.
fn end(message: Result<Option<ToAgent>, Lost>) -> SessionEnd {
    match message {
        Ok(None) => SessionEnd::Over,
        Ok(Some(_)) => SessionEnd::Unexpected,
        Err(error) => SessionEnd::Lost(error),
    }
}
