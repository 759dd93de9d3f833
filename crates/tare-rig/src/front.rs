//! A web server in front of a contender: in its group, frozen and thawed with it, and counted apart.
//!
//! One group holds both: so they are frozen in one step, and a CGI program that the front starts is the contender's from
//! its fork on, with nothing between that would have to be paid for. The front's own CPU time is its process's clock,
//! which counts none of its children; the rest of the group's is the contender's.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use tare_host::groups::Group;
use tare_host::keeper::Keeper;
use tare_host::process::{Process, ProcessSpec};
use tare_host::service::no_service;
use tare_host::{ports, ready, substitute};
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::{Ready, Speaks};

use crate::rig::{RigGroup, Runnable};
use crate::sockets;
use crate::start::process_spec;

/// A front that can be started.
#[derive(Debug, Clone)]
pub struct Front {
    /// The service's name.
    pub name: String,
    /// The command, with placeholders, `{config}` among them.
    pub run: Vec<String>,
    /// Its configuration for what the contender speaks, with placeholders: `{host}` and `{port}` to listen on,
    /// `{backend}` (the contender's port), `{program}` (a CGI program's path), `{environment}` (what that gets besides,
    /// as `"NAME" => "value"`, with commas between), `{out}` (the contender's files), `{state}` (a folder to write to).
    pub config: String,
    /// Values of all other placeholders.
    pub values: BTreeMap<String, String>,
    /// Its folder, made anew for each start.
    pub state: PathBuf,
}

impl Front {
    /// Starts the contender, where it is a process that waits for requests, and the front; waits until both are ready.
    /// The port is the front's.
    pub(crate) fn start(
        &self,
        keeper: &Keeper,
        cancel: &AtomicBool,
        group: &RigGroup,
        runnable: &Runnable,
    ) -> Result<(Process, u16), Fault> {
        let port = ports::free_port()?;
        let mut process = match runnable.speaks.is_resident() {
            true => {
                let (mut process, backend) = sockets::resident(keeper, cancel, group, runnable)?;
                let own = self.spec(group, runnable, process.group(), port, Some(backend))?;
                process.accompany_apart(own, &self.name)?;
                process
            }
            false => {
                let processes = keeper.group()?;
                let own = self.spec(group, runnable, &processes, port, None)?;
                let mut process = Process::start(processes, own)?;
                // Where it serves files there is nobody else: then it is what is measured.
                if runnable.speaks == Speaks::Cgi {
                    process.count_apart(&self.name);
                }
                process
            }
        };
        let ready = ready::wait(&mut process, &Ready::Connect, port, group.ready_within, cancel);
        ready.map_err(|fault| no_service(&self.name, "did not start", fault))?;
        Ok((process, port))
    }

    /// Its command, with its configuration written.
    fn spec(
        &self,
        group: &RigGroup,
        runnable: &Runnable,
        processes: &Group,
        port: u16,
        backend: Option<u16>,
    ) -> Result<ProcessSpec, Fault> {
        let program = process_spec(group, runnable, &[])?;
        let config = self.state.join("front.conf");
        let mut values = self.values.clone();
        let (name, value) = processes.marker();
        let marker = (name.to_owned(), value.to_owned());
        let environment: Vec<String> = std::iter::once(marker)
            .chain(program.env)
            .map(|(name, value)| format!("{} => {}", quoted(&name), quoted(&value)))
            .collect();
        values.extend(
            [
                ("host", "127.0.0.1".to_owned()),
                ("port", port.to_string()),
                (
                    "backend",
                    backend.map(|port| port.to_string()).unwrap_or_default(),
                ),
                ("program", program.argv.first().cloned().unwrap_or_default()),
                ("environment", environment.join(", ")),
                ("out", runnable.cwd.display().to_string()),
                ("state", self.state.display().to_string()),
                ("config", config.display().to_string()),
            ]
            .map(|(name, value)| (name.to_owned(), value)),
        );
        let text = substitute::substitute_word(&self.config, &values).map_err(unfit)?;
        let failed = |error: std::io::Error| {
            let text = format!("cannot write {}: {error}", config.display());
            Fault::new(FaultKind::Instrument, text)
        };
        fs::create_dir_all(&self.state).map_err(failed)?;
        fs::write(&config, text).map_err(failed)?;
        Ok(ProcessSpec {
            argv: substitute::substitute(&self.run, &values).map_err(unfit)?,
            env: BTreeMap::new(),
            cwd: self.state.clone(),
            cores: group.placement.contender.clone(),
            log: runnable.log.with_extension("front.log"),
        })
    }
}

/// A text between quotation marks, for a configuration.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn unfit(error: substitute::BadPlaceholder) -> Fault {
    Fault::new(FaultKind::NoService, error.to_string())
}
