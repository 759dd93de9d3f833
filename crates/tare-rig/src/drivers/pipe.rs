//! Pipes: a contender of two processes, client and server, connected by two named pipes (docs/probe.md).

use std::sync::atomic::AtomicBool;

use tare_host::fifo::PipePair;
use tare_host::keeper::Keeper;
use tare_host::process::Process;
use tare_model::fault::Fault;

use super::probe::{self, Probe};
use crate::contender::{RigGroup, Runnable};
use crate::driver::Driver;
use crate::spec::process_spec;

/// The variable with the path of the client's pipe for requests.
const OUT: &str = "TARE_PIPE_OUT";
/// The variable with the path of the client's pipe for answers.
const IN: &str = "TARE_PIPE_IN";

/// Starts both in one group, which is paused, counted and ended as one, and waits until the client answers. Tare talks
/// to the client.
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
    let pipes = PipePair::make(keeper, processes.name())?;
    let ends = pipes.server()?;
    for (name, path) in [(OUT, pipes.requests()), (IN, pipes.answers())] {
        client.env.insert(name.to_owned(), path.display().to_string());
    }
    let (mut process, talk) = Process::start_talking(processes, client)?;
    process.accompany(server, ends)?;
    let probe = Probe::new(talk, group, runnable, Some(pipes))?;
    probe::ready(process, probe, group, cancel)
}
