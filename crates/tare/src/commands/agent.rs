//! `tare agent`: loads of this machine, as a `tare load --from` of another says.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use tare_host::interrupt;
use tare_host::machine;
use tare_load::limits;
use tare_prepare::servers::{AgentLimits, AgentLoad, AgentRefusal, AgentStand};
use tare_remote::message::Machine;
use tare_remote::{Allowed, Arrival, Key, Link, Listener, Part, Standing};
use tare_rig::fleet::{Asked, Session, SessionEnd};

use super::generator;
use crate::context::{self, Context};
use crate::failure::{self, Failure};
use crate::key;
use crate::values::Span;

/// Drive loads from this machine for a `tare load --from` of another
#[derive(Debug, Clone, clap::Args)]
pub struct AgentArgs {
    /// Where to listen; port 0 is any that is free
    #[arg(long, value_name = "IP:PORT")]
    pub listen: SocketAddr,
    /// The file with the key that those who use the agent have to know [default: the variable TARE_KEY]
    #[arg(long, value_name = "FILE")]
    pub key_file: Option<PathBuf>,
    /// Addresses and networks that it may load [default: loopback and private ones]
    #[arg(long, value_name = "ADDR|CIDR,…", value_delimiter = ',')]
    pub allow: Vec<String>,
    /// The most connections that it opens
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_connections: u32,
    /// The longest that it loads
    #[arg(long, value_name = "TIME", default_value = "1h")]
    pub max_time: Span,
    /// End with the first conductor
    #[arg(long)]
    pub once: bool,
}

/// How often it checks for an interrupt.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Serves until it is interrupted, or its only conductor has gone.
pub fn run(context: &Context, args: &AgentArgs) -> Result<u8, Failure> {
    let limits = AgentLimits {
        allowed: Allowed::new(&args.allow).map_err(Failure::usage)?,
        connections: args.max_connections,
        time: args.max_time.0,
    };
    let key = key::read(args.key_file.as_deref())?;
    let agent = Agent {
        limits,
        once: args.once,
        over: interrupt::asked,
        patience: Duration::MAX,
    };
    agent.listen(context, args.listen, key)
}

/// An agent.
pub struct Agent {
    /// What it may be told.
    pub limits: AgentLimits,
    /// Whether it ends with its first conductor.
    pub once: bool,
    /// Whether it is to end.
    pub over: fn() -> bool,
    /// The longest that it waits for its first conductor.
    pub patience: Duration,
}

impl Agent {
    /// Serves conductors, one after the other.
    pub fn listen(&self, context: &Context, at: SocketAddr, key: Key) -> Result<u8, Failure> {
        let command = generator::command()?;
        interrupt::install().map_err(Failure::outside)?;
        let listener = Listener::bind(at, key).map_err(|error| cannot_listen(at, &error))?;
        context::put(&format!(
            "{LISTENING}{}, may load {}\n",
            listener.address(),
            self.limits.allowed
        ))?;
        let began = Instant::now();
        while !(self.over)() {
            match listener.next(LOOK_EVERY) {
                None if self.once && began.elapsed() >= self.patience => {
                    return Err(Failure::outside("nobody came who knows the key"));
                }
                None => {}
                Some(Arrival::Stranger { from, why }) => context.say(format!("turned away {from}: {why}")),
                Some(Arrival::Conductor(link, claim)) => {
                    let status = serve(context, *link, self, &command);
                    drop(claim);
                    if self.once || (self.over)() {
                        return Ok(status);
                    }
                }
            }
        }
        Ok(0)
    }
}

/// How the line begins that says where an agent listens.
pub const LISTENING: &str = "listening at ";

fn cannot_listen(address: SocketAddr, error: &io::Error) -> Failure {
    let failure = Failure::outside(format!("cannot listen at {address}: {error}"));
    match error.kind() {
        io::ErrorKind::AddrInUse => failure.hint(format!(
            "another program listens there (`ss -tlnp sport = :{}`): end it, or take another port",
            address.port()
        )),
        io::ErrorKind::AddrNotAvailable => {
            failure.hint("it has to be an address of this machine (`ip address`)")
        }
        _ => failure,
    }
}

/// Does what one conductor asks for; the exit status if that was all.
fn serve(context: &Context, link: Link, agent: &Agent, command: impl Fn() -> Command) -> u8 {
    let peer = link.peer();
    match served(context, link, agent, command) {
        Ok(()) => {
            context.say(format!("{peer}: done"));
            0
        }
        Err(Ended::Refused(why)) => {
            context.say(format!("{peer}: refused: {why}"));
            failure::OUTSIDE
        }
        Err(Ended::Session(end)) => {
            context.say(format!("{peer}: {end}"));
            if matches!(end, SessionEnd::Interrupted) {
                failure::INTERRUPTED
            } else {
                failure::OUTSIDE
            }
        }
    }
}

/// Why a conductor did not get what it asked for.
enum Ended {
    Refused(String),
    Session(SessionEnd),
}

fn served(context: &Context, link: Link, agent: &Agent, command: impl Fn() -> Command) -> Result<(), Ended> {
    let peer = link.peer();
    let session = Session::open(link, limits::most_of_one_process(), this()).map_err(Ended::Session)?;
    loop {
        match session.asked(agent.over).map_err(Ended::Session)? {
            Asked::Reach(address) => match agent.limits.reach(address) {
                Ok(()) => session.reached().map_err(Ended::Session)?,
                Err(refusal) => return Err(refused(session, refusal)),
            },
            Asked::Load(part) => return load(context, (session, peer), *part, agent, command),
            Asked::Stand(standing) => return stand(context, (session, peer), &standing, agent, command),
        }
    }
}

/// This machine, as conductors are told of it.
fn this() -> Machine {
    let machine = machine::ungrouped();
    Machine {
        host: machine.host,
        cpu: machine.cpu,
        cores: machine.cores,
    }
}

fn refused(session: Session, refusal: AgentRefusal) -> Ended {
    let why = refusal.to_string();
    session.refuse(&refusal.into());
    Ended::Refused(why)
}

/// A load of one server.
fn load(
    context: &Context,
    (session, peer): (Session, SocketAddr),
    part: Part,
    agent: &Agent,
    command: impl Fn() -> Command,
) -> Result<(), Ended> {
    let what = format!("{} over {} connections", part.url, part.connections);
    let AgentLoad { prepared, parts } = match agent.limits.accept(part) {
        Ok(load) => load,
        Err(refusal) => return Err(refused(session, refusal)),
    };
    context.say(format!("{peer}: {what}, by {} generator processes", parts.len()));
    over(session.run(prepared, command, &parts, agent.limits.time, agent.over))
}

/// Slices of several servers.
fn stand(
    context: &Context,
    (session, peer): (Session, SocketAddr),
    standing: &Standing,
    agent: &Agent,
    command: impl Fn() -> Command,
) -> Result<(), Ended> {
    let AgentStand { prepared, all } = match agent.limits.stand(standing) {
        Ok(stand) => stand,
        Err(refusal) => return Err(refused(session, refusal)),
    };
    context.say(format!(
        "{peer}: slices over {} connections at the most, by {} generator processes",
        standing.connections,
        all.len()
    ));
    over(session.stand(prepared, command, &all, &agent.limits, agent.over))
}

fn over(end: SessionEnd) -> Result<(), Ended> {
    match end {
        SessionEnd::Over => Ok(()),
        end => Err(Ended::Session(end)),
    }
}
