//! An agent that a run on another machine started by ssh, for itself alone.

use std::io::{BufRead, Read};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tare_host::interrupt;
use tare_prepare::servers::AgentLimits;
use tare_remote::{Allowed, Key};

use super::agent::Agent;
use crate::context::Context;
use crate::failure::Failure;
use crate::reached;

/// Drive the load of a run on another machine (started by tare itself)
#[derive(Debug, Clone, clap::Args)]
pub struct StartedArgs {
    /// Further addresses that it may load
    allow: Vec<String>,
}

/// The most connections that it opens.
const CONNECTIONS: u32 = 100_000;

/// The longest that it loads; of contenders in turns that is a slice.
const LONGEST: Duration = Duration::from_secs(3600);

/// How long whoever started it may take to connect: as long as starting others. From then on it notices by itself when the
/// other side is gone.
const PATIENCE: Duration = Duration::from_secs(15 * 60);

/// The longest line with a key.
const KEY: u64 = 4096;

/// Whether standard input has ended: then nobody needs it any more.
static IS_OVER: AtomicBool = AtomicBool::new(false);

/// Serves the one who started it, whose key is the first line of standard input.
pub fn run(context: &Context, args: &StartedArgs) -> Result<u8, Failure> {
    let (client, own) = reached::ends()?;
    let allowed = [&[client.to_string()], &args.allow[..]].concat();
    let mut line = Vec::new();
    let read = std::io::stdin().lock().take(KEY).read_until(b'\n', &mut line);
    read.map_err(|error| Failure::outside(format!("there is no key: {error}")))?;
    let agent = Agent {
        limits: AgentLimits {
            allowed: Allowed::new(&allowed).map_err(Failure::usage)?,
            connections: CONNECTIONS,
            time: LONGEST,
        },
        once: true,
        patience: PATIENCE,
        over: || interrupt::asked() || IS_OVER.load(Ordering::SeqCst),
    };
    std::thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        IS_OVER.store(true, Ordering::SeqCst);
    });
    let key = Key::new(&line).map_err(Failure::usage)?;
    agent.listen(context, SocketAddr::new(own.into(), 0), key)
}
