//! Machines that a run reaches by ssh: agents that it starts for itself, and the one that holds its services.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tare_cluster::{Attached, Engine, Ssh};
use tare_model::manifest::Lab;
use tare_prepare::{Hosts, ServiceHost};
use tare_remote::Key;

use crate::args::listens;
use crate::commands::agent::LISTENING;
use crate::context::Context;
use crate::copies::{self, PROGRAM, refused};
use crate::failure::{self, Failure};
use crate::key;

/// How long an agent may take to listen.
const STARTING: Duration = Duration::from_secs(20);

/// What was started there. Dropping it ends that.
pub struct Elsewhere {
    /// Of the agents; none if there are none.
    pub key: Option<Key>,
    _agents: Vec<Attached>,
}

/// Starts the agents that are named by their hosts, and copies the lab to the machine that holds services: where agents listen,
/// and the command that holds a service, are filled in.
pub fn start(
    context: &Context,
    lab: &Lab,
    hosts: &mut Hosts,
    key_file: Option<&Path>,
) -> Result<Elsewhere, Failure> {
    let started = reach(context, lab, hosts, key_file);
    // What Ctrl-C ended did not fail.
    failure::refuse_interrupted()?;
    started
}

fn reach(
    context: &Context,
    lab: &Lab,
    hosts: &mut Hosts,
    key_file: Option<&Path>,
) -> Result<Elsewhere, Failure> {
    let started: Vec<String> = hosts.load.iter().filter(|host| !listens(host)).cloned().collect();
    let key = match (hosts.load.len(), started.len()) {
        (0, _) => None,
        (all, own) if all > own => Some(key::read(key_file)?),
        _ => Some(Key::fresh().map_err(|error| Failure::outside(format!("there is no key: {error}")))?),
    };
    if let Some(host) = &mut hosts.service {
        host.command = holder(context, lab, host)?;
    }
    let mut agents = Vec::new();
    if let Some(key) = key.as_ref().filter(|_| !started.is_empty()) {
        let ssh = Ssh::new(started.clone(), copies::OF_TARE.to_owned(), here(context)?);
        let allow = hosts.address.map(|address| address.to_string());
        for host in started {
            let (at, agent) = agent(context, (&ssh, &host), allow.as_deref(), key)?;
            hosts.listening.insert(host, at);
            agents.push(agent);
            failure::refuse_interrupted()?;
        }
    }
    Ok(Elsewhere { key, _agents: agents })
}

/// Where archives and logs are meanwhile.
fn here(context: &Context) -> Result<PathBuf, Failure> {
    let here = context.state()?.join("cluster");
    std::fs::create_dir_all(&here)
        .map_err(|error| Failure::outside(format!("{}: {error}", here.display())))?;
    Ok(here)
}

/// The command that holds a service on a machine, which has the lab by then.
fn holder(context: &Context, lab: &Lab, host: &ServiceHost) -> Result<Vec<String>, Failure> {
    let ssh = Ssh::new(vec![host.name.clone()], copies::folder(lab), here(context)?);
    context.detail(format!("{}: copying the lab", host.name));
    let packed = copies::of_lab(lab)?.packed(&here(context)?).map_err(refused)?;
    ssh.place(&host.name, &packed).map_err(refused)?;
    Ok(ssh.command(&host.name, &[PROGRAM, "__holder", "--quiet"].map(str::to_owned)))
}

/// An agent on a machine, and where it listens.
fn agent(
    context: &Context,
    (ssh, host): (&Ssh, &str),
    allow: Option<&str>,
    key: &Key,
) -> Result<(String, Attached), Failure> {
    context.detail(format!("{host}: starting an agent"));
    let packed = copies::of_tare()?.packed(&here(context)?).map_err(refused)?;
    ssh.place(host, &packed).map_err(refused)?;
    let words = [PROGRAM, "__agent"].into_iter().chain(allow);
    let words: Vec<String> = words.map(str::to_owned).collect();
    let mut agent = ssh.attach(host, &words).map_err(refused)?;
    // What it does not take, it says below.
    let _ = key.hand_over(&mut agent.input());
    let said = agent.line(STARTING, "starting an agent").map_err(refused)?;
    let at = said
        .strip_prefix(LISTENING)
        .and_then(|rest| rest.split(',').next());
    match at {
        Some(at) => Ok((at.to_owned(), agent)),
        None => Err(Failure::outside(format!(
            "{host}: an agent was to say where it listens, and said {said:?}"
        ))),
    }
}
