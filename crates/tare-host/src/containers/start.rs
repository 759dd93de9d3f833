//! Starting a container, so that its processes are in a group of tare's.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::Limits;
use tare_sys::network::Namespace;

use super::call;
use super::engine::{Engine, Kind};
use super::instance::{Claim, Instance};
use super::link::HostAddress;
use crate::error::HostError;
use crate::groups::ProcessGroup;
use crate::keeper::Keeper;
use crate::process::{Process, ProcessSpec, describe_exit, tail_words};
use crate::procfs;
use crate::sys;

/// How long an engine may take to start a container: 0.2 s on an idle machine.
const START_WITHIN: Duration = Duration::from_secs(60);

/// How many of its last lines a fault shows.
const LINES: usize = 20;

/// Where podman's init is, which passes signals on: a program that is the first of its container would not see those that
/// it does not handle.
const INITS: [&str; 3] = [
    "/usr/libexec/podman/catatonit",
    "/usr/local/libexec/podman/catatonit",
    "/usr/bin/catatonit",
];

/// How to start a container.
#[derive(Debug, Clone)]
pub struct ContainerSpec {
    /// The image's id.
    pub image: String,
    /// What messages call it.
    pub name: String,
    /// What is run instead of the image's own command; empty: that.
    pub command: Vec<String>,
    /// Variables on top of the image's own.
    pub env: BTreeMap<String, String>,
    /// Further names that it knows, and their addresses.
    pub hosts: BTreeMap<String, String>,
    /// Files and folders of this machine, by the path where it finds them. It can only read them.
    pub files: BTreeMap<String, PathBuf>,
    /// Its limits. No limit is above tare's own.
    pub limits: Limits,
    /// The address of this machine that it reaches, where its services listen; none: it reaches nothing but itself.
    pub reaches: Option<Arc<HostAddress>>,
    /// The cores that it runs on; empty: all.
    pub cores: Vec<u32>,
    /// The file that receives its output; overwritten.
    pub log: PathBuf,
}

/// Starts a container: its processes in a group of their own and in a network namespace of their own.
///
/// # Errors
/// `DiedAtStart` if it cannot be started or has ended; `Instrument` if the group, the namespace or the engine fails.
pub fn start(keeper: &Keeper, engine: &Engine, spec: &ContainerSpec) -> Result<Process, Fault> {
    let group = keeper.group()?;
    let cgroup = group.cgroup().ok_or_else(no_cgroups)?;
    let network = network(engine.kind(), spec.reaches.as_deref())?;
    let mut claim = Claim::new(keeper, engine, &cgroup)?;
    let notes = Notes::of(&engine.place().scratch(), claim.name());
    let words = words(engine, spec, &claim, &cgroup, network.as_ref(), &notes);
    let status = run(engine, &words, spec, claim.helpers())?;
    if !status.success() {
        return Err(not_started(spec, status));
    }
    if engine.kind() == Kind::Docker {
        claim.follow(&spec.log)?;
    }
    let (id, pid) = notes.read(engine, claim.name())?;
    let network = match network {
        Some(network) => network,
        None => Namespace::of_process(pid).map_err(no_network)?,
    };
    let shown = ProcessSpec {
        argv: shown(engine, spec),
        env: spec.env.clone(),
        cwd: PathBuf::from("/"),
        cores: spec.cores.clone(),
        log: spec.log.clone(),
    };
    let instance = Instance::new(claim, id, pid, network);
    let process = Process::new(group, shown, Box::new(instance));
    refuse_outside(process.group(), pid)?;
    Ok(process)
}

/// The network namespace of a container, with its link to services. Docker makes the namespace itself.
fn network(engine: Kind, reaches: Option<&HostAddress>) -> Result<Option<Namespace>, Fault> {
    if engine == Kind::Docker {
        return match reaches {
            None => Ok(None),
            Some(_) => {
                let text = "docker begins the program before a link to its services can be made\n\nhint: install podman, or name \
                            the cases without services in `cases`";
                Err(Fault::new(FaultKind::NoService, text))
            }
        };
    }
    let namespace = Namespace::new().map_err(no_network)?;
    if let Some(host) = reaches {
        host.attach(&namespace)?;
    }
    Ok(Some(namespace))
}

/// The command as messages have it.
fn shown(engine: &Engine, spec: &ContainerSpec) -> Vec<String> {
    let words = [engine.kind().name(), "run", &spec.name].map(str::to_owned);
    words.into_iter().chain(spec.command.iter().cloned()).collect()
}

/// Files in which podman notes the container's id and first process.
struct Notes {
    id: PathBuf,
    pid: PathBuf,
}

impl Notes {
    fn of(folder: &Path, name: &str) -> Self {
        Self {
            id: folder.join(format!("{name}.id")),
            pid: folder.join(format!("{name}.pid")),
        }
    }

    fn read(&self, engine: &Engine, name: &str) -> Result<(String, u32), Fault> {
        let (id, pid) = match engine.kind() {
            Kind::Podman => {
                let text = |path: &Path| fs::read_to_string(path).map_err(HostError::on("read", path));
                (text(&self.id)?, text(&self.pid)?)
            }
            Kind::Docker => {
                let said = engine.ask(&["inspect", "--format", "{{.Id}} {{.State.Pid}}", name])?;
                let (id, pid) = said.out.split_once(' ').unwrap_or_default();
                (id.to_owned(), pid.to_owned())
            }
        };
        let number = pid.trim().parse().map_err(|_| {
            let text = format!(
                "{} names no process of the container {name}: {pid:?}",
                engine.kind().name()
            );
            Fault::new(FaultKind::Instrument, text)
        })?;
        Ok((id.trim().to_owned(), number))
    }
}

impl Drop for Notes {
    fn drop(&mut self) {
        for path in [&self.id, &self.pid] {
            let _ = fs::remove_file(path);
        }
    }
}

fn words(
    engine: &Engine,
    spec: &ContainerSpec,
    claim: &Claim,
    cgroup: &str,
    network: Option<&Namespace>,
    notes: &Notes,
) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut add = |word: &str| words.push(word.to_owned());
    for word in [
        "run",
        "--detach",
        "--pull",
        "never",
        "--no-healthcheck",
        "--name",
        claim.name(),
    ] {
        add(word);
    }
    add(&format!("--cgroup-parent={cgroup}"));
    match network {
        Some(network) => {
            add(&format!("--network=ns:{}", network.path().display()));
            // Its monitor stays in the group of helpers; its output goes to the log by itself, through nobody.
            for word in [
                "--cgroups=no-conmon",
                "--log-driver=passthrough",
                "--systemd=false",
            ] {
                add(word);
            }
            add(&format!("--cidfile={}", notes.id.display()));
            add(&format!("--pidfile={}", notes.pid.display()));
        }
        None => add("--network=none"),
    }
    init(engine.kind()).iter().for_each(|word| add(word));
    if !spec.cores.is_empty() {
        let cores: Vec<String> = spec.cores.iter().map(u32::to_string).collect();
        add(&format!("--cpuset-cpus={}", cores.join(",")));
    }
    limits(&spec.limits, sys::hard_limits())
        .iter()
        .for_each(|word| add(word));
    for (name, address) in &spec.hosts {
        add(&format!("--add-host={name}:{address}"));
    }
    for (there, path) in &spec.files {
        add(&format!("--volume={}:{there}:ro", path.display()));
    }
    for (name, value) in &spec.env {
        add(&format!("--env={name}={value}"));
    }
    add(&spec.image);
    words.extend(spec.command.iter().cloned());
    words
}

/// The words for an init in the container, if the engine has one.
fn init(engine: Kind) -> Vec<String> {
    let found = INITS.iter().find(|path| Path::new(path).exists());
    match (engine, found) {
        (Kind::Podman, Some(path)) => vec!["--init".to_owned(), format!("--init-path={path}")],
        (Kind::Podman, None) => Vec::new(),
        (Kind::Docker, _) => vec!["--init".to_owned()],
    }
}

/// The limits of a container: tare's own hard ones, as every contender has them, unless it asks for less. The engine's usual
/// ones may be more than this machine allows.
fn limits(asked: &Limits, (files, processes): (u64, u64)) -> Vec<String> {
    let text = |limit: u64| match i64::try_from(limit) {
        Ok(limit) => limit.to_string(),
        // RLIM_INFINITY.
        Err(_) => "-1".to_owned(),
    };
    let files = text(asked.open_files.map_or(files, |asked| asked.min(files)));
    let processes = text(processes);
    let mut words = vec![
        format!("--ulimit=nofile={files}:{files}"),
        format!("--ulimit=nproc={processes}:{processes}"),
        format!("--pids-limit={}", asked.processes.map_or("-1".to_owned(), text)),
    ];
    words.extend(asked.memory.iter().map(|memory| format!("--memory={memory}")));
    words
}

/// Runs the engine, with the log as its output: the container inherits it.
fn run(
    engine: &Engine,
    words: &[String],
    spec: &ContainerSpec,
    helpers: &ProcessGroup,
) -> Result<ExitStatus, Fault> {
    let log = File::create(&spec.log).map_err(HostError::on("create the log", &spec.log))?;
    let same = log
        .try_clone()
        .map_err(HostError::on("open the log", &spec.log))?;
    let mut command = engine.command(words);
    command.stdout(same).stderr(log);
    Ok(call::run(command, Some(helpers), START_WITHIN, None)?)
}

/// What the engine's exit status means (podman-run(1)).
fn not_started(spec: &ContainerSpec, status: ExitStatus) -> Fault {
    let (what, hint) = match status.code() {
        Some(126) => (
            "its command cannot be run",
            "see that the file is executable, and made for this machine's processor",
        ),
        Some(127) => (
            "its command is not in the image",
            "`command` in `[container]`, or `CMD` in the Dockerfile, names the program",
        ),
        _ => (
            "the engine refused",
            "containers have no further privileges, no published ports and no volumes here",
        ),
    };
    let text = format!(
        "the container of {} could not be started: {what} ({})\n{}\n\nhint: {hint}",
        spec.name,
        describe_exit(status),
        tail_words(&spec.log, LINES)
    );
    Fault::new(FaultKind::DiedAtStart, text)
}

/// A process outside the group could be neither paused nor counted. One that has ended is no such: that is found next.
fn refuse_outside(group: &ProcessGroup, pid: u32) -> Result<(), Fault> {
    if group.procs().contains(&pid) || !procfs::is_alive(pid) {
        return Ok(());
    }
    let text = format!(
        "the engine started process {} outside of tare's control group {}, so it could not be paused or counted\n\nhint: \
         see in /proc/{pid}/cgroup where it is; the engine must make control groups itself (cgroupfs)",
        procfs::describe(pid),
        group.name()
    );
    Err(Fault::new(FaultKind::Instrument, text))
}

fn no_cgroups() -> Fault {
    let text = "containers need control groups, and contenders are held by signals here\n\nhint: `tare doctor` says why; \
                leave these contenders out with `--except`";
    Fault::new(FaultKind::Instrument, text)
}

fn no_network(error: std::io::Error) -> Fault {
    let text = format!(
        "no network namespace for a container ({error})\n\nhint: that needs CAP_SYS_ADMIN: run tare as root of the machine, or \
         leave these contenders out with `--except`"
    );
    Fault::new(FaultKind::Instrument, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_what_is_asked_for_and_never_above_tares_own() {
        let asked = Limits {
            memory: Some("512m".to_owned()),
            open_files: Some(200_000),
            processes: Some(100),
        };
        assert_eq!(
            limits(&asked, (20_000, u64::MAX)),
            [
                "--ulimit=nofile=20000:20000",
                "--ulimit=nproc=-1:-1",
                "--pids-limit=100",
                "--memory=512m"
            ]
        );
        assert_eq!(
            limits(&Limits::default(), (1024, 9)),
            [
                "--ulimit=nofile=1024:1024",
                "--ulimit=nproc=9:9",
                "--pids-limit=-1"
            ]
        );
    }
}
