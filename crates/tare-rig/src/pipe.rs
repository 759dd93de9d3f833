//! Pipes: two processes of one contender, one of which answers the other over two named pipes (docs/probe.md).

use std::sync::atomic::AtomicBool;

use tare_host::fifo::Pair;
use tare_host::keeper::Keeper;
use tare_host::process::Process;
use tare_model::fault::Fault;

use crate::driver::Driver;
use crate::probe::{self, Probe};
use crate::rig::{RigGroup, Runnable};
use crate::start::process_spec;

/// Where the client finds the pipe that it writes requests to.
const OUT: &str = "TARE_PIPE_OUT";
/// Where it finds the one that it reads answers from.
const IN: &str = "TARE_PIPE_IN";

/// Starts both into one group, which is frozen, counted and ended as one, and waits until the client answers. The
/// conversation is with the client.
pub(crate) fn start(
    keeper: &Keeper,
    cancel: &AtomicBool,
    group: &RigGroup,
    runnable: &Runnable,
) -> Result<(Process, Box<dyn Driver>), Fault> {
    let role = |name: &str| process_spec(group, runnable, &[("role", name.to_owned())]);
    let (mut client, mut server) = (role("client")?, role("server")?);
    server.log = runnable.log.with_extension("server.log");
    let processes = keeper.group()?;
    let pipes = Pair::make(keeper, processes.name())?;
    let ends = pipes.server()?;
    for (name, path) in [(OUT, pipes.requests()), (IN, pipes.answers())] {
        client.env.insert(name.to_owned(), path.display().to_string());
    }
    let (mut process, talk) = Process::start_talking(processes, client)?;
    process.accompany(server, ends)?;
    let probe = Probe::new(talk, group, runnable, Some(pipes))?;
    probe::ready(process, probe, group, cancel)
}
