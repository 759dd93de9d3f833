//! A web server in front of a contender: in its group, frozen and thawed with it, and counted apart.
//!
//! One group holds both: so they are frozen in one step, and a CGI program that the front starts belongs to the contender
//! from its fork on, without a process in between. The front's own CPU time is its process's clock, which does not count
//! its children; the rest of the group's CPU time is the contender's.

use std::collections::BTreeMap;
use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::AtomicBool;

use tare_host::groups::ProcessGroup;
use tare_host::keeper::Keeper;
use tare_host::process::{Process, ProcessSpec};
use tare_host::service::no_service;
use tare_host::{ports, ready, substitute};
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::{Ready, Speaks};

use super::resident;
use crate::contender::{Front, RigGroup, Runnable};
use crate::spec::process_spec;

/// Starts the contender (if it is a resident process) and the front, and waits until both are ready. Returns the front's
/// port.
pub(crate) fn start(
    front: &Front,
    keeper: &Keeper,
    cancel: &AtomicBool,
    group: &RigGroup,
    runnable: &Runnable,
) -> Result<(Process, u16), Fault> {
    let port = ports::free_port()?;
    let mut process = match runnable.speaks.is_resident() {
        true => {
            // Only the front is reached from elsewhere.
            let beside = (group, Ipv4Addr::LOCALHOST.into());
            let (mut process, backend) = resident::start(keeper, cancel, beside, runnable)?;
            let own = spec(front, group, runnable, process.group(), port, Some(backend))?;
            process.accompany_apart(own, &front.name)?;
            process
        }
        false => {
            let processes = keeper.group()?;
            let own = spec(front, group, runnable, &processes, port, None)?;
            let mut process = Process::start(processes, own)?;
            // A front that serves files is itself what is measured.
            if runnable.speaks == Speaks::Cgi {
                process.count_apart(&front.name);
            }
            process
        }
    };
    let at = SocketAddr::new(group.host(), port);
    let ready = ready::wait_at(&mut process, &Ready::Connect, at, group.ready_within, cancel);
    ready.map_err(|fault| no_service(&front.name, "did not start", fault))?;
    Ok((process, port))
}

/// Its command, with its configuration written.
fn spec(
    front: &Front,
    group: &RigGroup,
    runnable: &Runnable,
    processes: &ProcessGroup,
    port: u16,
    backend: Option<u16>,
) -> Result<ProcessSpec, Fault> {
    let program = process_spec(group, runnable, &[])?;
    let config = front.state.join("front.conf");
    let mut values = front.values.clone();
    let (name, value) = processes.marker();
    let marker = (name.to_owned(), value.to_owned());
    let environment: Vec<String> = std::iter::once(marker)
        .chain(program.env)
        .map(|(name, value)| format!("{} => {}", quoted(&name), quoted(&value)))
        .collect();
    values.extend(
        [
            ("host", group.host().to_string()),
            ("port", port.to_string()),
            ("clients", group.host().to_string()),
            (
                "backend",
                backend.map(|port| port.to_string()).unwrap_or_default(),
            ),
            ("program", program.argv.first().cloned().unwrap_or_default()),
            ("environment", environment.join(", ")),
            ("out", runnable.cwd.display().to_string()),
            ("state", front.state.display().to_string()),
            ("config", config.display().to_string()),
        ]
        .map(|(name, value)| (name.to_owned(), value)),
    );
    let text = substitute::substitute_word(&front.config, &values).map_err(unfit)?;
    let failed = |error: std::io::Error| {
        let text = format!("cannot write {}: {error}", config.display());
        Fault::new(FaultKind::Instrument, text)
    };
    fs::create_dir_all(&front.state).map_err(failed)?;
    fs::write(&config, text).map_err(failed)?;
    Ok(ProcessSpec {
        argv: substitute::substitute(&front.run, &values).map_err(unfit)?,
        env: BTreeMap::new(),
        cwd: front.state.clone(),
        cores: group.placement.contender.clone(),
        log: runnable.log.with_extension("front.log"),
    })
}

/// A text in quotation marks, for a configuration.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn unfit(error: substitute::BadPlaceholder) -> Fault {
    Fault::new(FaultKind::NoService, error.to_string())
}
