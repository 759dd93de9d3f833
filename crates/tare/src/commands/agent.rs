//! `tare agent`: loads of this machine, as a `tare load --from` of another says.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use tare_host::interrupt;
use tare_load::limits;
use tare_prepare::servers::{AgentLimits, AgentLoad};
use tare_remote::{Allowed, Arrival, Link, Listener};
use tare_rig::fleet::{Session, SessionEnd};

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
    let command = generator::command()?;
    interrupt::install().map_err(Failure::outside)?;
    let listener = Listener::bind(args.listen, key).map_err(|error| cannot_listen(args.listen, &error))?;
    context::put(&format!(
        "listening at {}, may load {}\n",
        listener.address(),
        limits.allowed
    ))?;
    while !interrupt::asked() {
        match listener.next(LOOK_EVERY) {
            None => {}
            Some(Arrival::Stranger { from, why }) => context.say(format!("turned away {from}: {why}")),
            Some(Arrival::Conductor(link, claim)) => {
                let status = serve(context, *link, &limits, &command);
                drop(claim);
                if args.once || interrupt::asked() {
                    return Ok(status);
                }
            }
        }
    }
    Ok(0)
}

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
fn serve(context: &Context, link: Link, limits: &AgentLimits, command: impl Fn() -> Command) -> u8 {
    let peer = link.peer();
    match served(context, link, limits, command) {
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

fn served(
    context: &Context,
    link: Link,
    limits: &AgentLimits,
    command: impl Fn() -> Command,
) -> Result<(), Ended> {
    let peer = link.peer();
    let session = Session::open(link, limits::most_of_one_process()).map_err(Ended::Session)?;
    let part = session.asked(interrupt::asked).map_err(Ended::Session)?;
    let what = format!("{} over {} connections", part.url, part.connections);
    let AgentLoad { prepared, parts } = match limits.accept(part) {
        Ok(load) => load,
        Err(refusal) => {
            let why = refusal.to_string();
            session.refuse(&why, refusal.hint().as_deref());
            return Err(Ended::Refused(why));
        }
    };
    context.say(format!("{peer}: {what}, by {} generator processes", parts.len()));
    match session.run(prepared, command, &parts, limits.time, interrupt::asked) {
        SessionEnd::Over => Ok(()),
        end => Err(Ended::Session(end)),
    }
}
