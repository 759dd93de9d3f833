//! A contender that is a resident server: its own process listens.

use std::sync::atomic::AtomicBool;

use tare_host::keeper::Keeper;
use tare_host::process::Process;
use tare_host::{ports, ready};
use tare_model::fault::Fault;
use tare_model::manifest::Listen;

use crate::contender::{RigGroup, Runnable};
use crate::spec::process_spec;

/// Starts the contender's own process and waits until it is ready; returns the port that it listens on.
pub(super) fn start(
    keeper: &Keeper,
    cancel: &AtomicBool,
    group: &RigGroup,
    runnable: &Runnable,
) -> Result<(Process, u16), Fault> {
    let (mut process, port) = spawn(keeper, group, runnable)?;
    ready::wait(&mut process, &runnable.ready, port, group.ready_within, cancel)?;
    Ok((process, port))
}

/// Starts its process; returns the port that it listens on, or will.
fn spawn(keeper: &Keeper, group: &RigGroup, runnable: &Runnable) -> Result<(Process, u16), Fault> {
    let (listener, port) = match runnable.listen {
        Listen::Port => (None, ports::free_port()?),
        Listen::Stdin => {
            let (listener, port) = ports::listener()?;
            (Some(listener), port)
        }
    };
    let values = [("port", port.to_string()), ("host", "127.0.0.1".to_owned())];
    let spec = process_spec(group, runnable, &values)?;
    let process = match listener {
        None => Process::start(keeper.group()?, spec)?,
        Some(listener) => Process::start_listening(keeper.group()?, spec, listener)?,
    };
    Ok((process, port))
}
