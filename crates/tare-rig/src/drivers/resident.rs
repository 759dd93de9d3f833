//! A contender that is a resident server: its own process listens.

use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::AtomicBool;

use tare_host::keeper::Keeper;
use tare_host::process::Process;
use tare_host::{ports, ready};
use tare_model::fault::Fault;
use tare_model::manifest::Listen;

use crate::contender::{RigGroup, Runnable};
use crate::spec::process_spec;

/// Starts the contender's own process and waits until it is ready; returns the port that it listens on. `host`: the address
/// where it listens.
pub(super) fn start(
    keeper: &Keeper,
    cancel: &AtomicBool,
    (group, host): (&RigGroup, IpAddr),
    runnable: &Runnable,
) -> Result<(Process, u16), Fault> {
    let (mut process, port) = spawn(keeper, (group, host), runnable)?;
    let at = SocketAddr::new(host, port);
    ready::wait_on(&mut process, &runnable.ready, at, group.ready_within, cancel)?;
    Ok((process, port))
}

/// Starts its process; returns the port that it listens on, or will.
fn spawn(
    keeper: &Keeper,
    (group, host): (&RigGroup, IpAddr),
    runnable: &Runnable,
) -> Result<(Process, u16), Fault> {
    let (listener, port) = match runnable.listen {
        Listen::Port => (None, ports::free_port()?),
        Listen::Stdin => {
            let (listener, port) = ports::listener(host)?;
            (Some(listener), port)
        }
    };
    let values = [("port", port.to_string()), ("host", host.to_string())];
    let spec = process_spec(group, runnable, &values)?;
    let process = match listener {
        None => Process::start(keeper.group()?, spec)?,
        Some(listener) => Process::start_listening(keeper.group()?, spec, listener)?,
    };
    Ok((process, port))
}
