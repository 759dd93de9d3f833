//! A container that was started.

use std::fs::{self, File};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use tare_sys::network::Namespace;

use super::call;
use super::engine::{Engine, Kind};
use super::remains::Remains;
use crate::error::{HostError, Result};
use crate::groups::ProcessGroup;
use crate::keeper::Keeper;
use crate::process::Leader;
use crate::procfs;
use crate::registry::Ticket;
use crate::spawn;
use crate::sys;

/// How long after a container's end its exit code may take to be known: conmon writes it.
const CODE_WITHIN: Duration = Duration::from_secs(1);
const POLL: Duration = Duration::from_millis(1);
/// The exit status of a container whose code was never written: that of no program.
const UNKNOWN: i32 = 255;

/// A container's name and what tare has to remove, from before it exists. Dropping it removes the container.
#[derive(Debug)]
pub(super) struct Claim {
    engine: Engine,
    remains: Remains,
    /// The engine's own processes beside the container (conmon), which are not accounted.
    helpers: ProcessGroup,
    /// What copies docker's log.
    follower: Option<Child>,
    ticket: Option<Ticket>,
}

impl Claim {
    /// Registers a container that is about to be started in a cgroup.
    pub(super) fn new(keeper: &Keeper, engine: &Engine, cgroup: &str) -> Result<Self> {
        let remains = |name: &str| Remains::container(engine.kind(), name, cgroup);
        let helpers = keeper.group()?;
        let ticket = keeper.register(|name| remains(name).line())?;
        Ok(Self {
            engine: engine.clone(),
            remains: remains(ticket.name()),
            helpers,
            follower: None,
            ticket: Some(ticket),
        })
    }

    /// The container's name.
    pub(super) fn name(&self) -> &str {
        self.remains.name()
    }

    /// Has a file receive the container's output, where that does not go there by itself.
    pub(super) fn follow(&mut self, log: &Path) -> Result<()> {
        let file = File::options().append(true).open(log);
        let out = file.map_err(HostError::on("open the log", log))?;
        let err = out.try_clone().map_err(HostError::on("open the log", log))?;
        let words = ["logs", "--follow", self.name()].map(str::to_owned);
        let mut command = self.engine.command(&words);
        command.stdout(out).stderr(err);
        self.follower = Some(call::spawn(command, Some(&self.helpers))?);
        Ok(())
    }

    /// The group of what the engine leaves running beside the container.
    pub(super) fn helpers(&self) -> &ProcessGroup {
        &self.helpers
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let removed = self.remains.end_with(&self.engine);
        if let Some(ticket) = self.ticket.take().filter(|_| removed.is_ok()) {
            ticket.give_back();
        }
        // Otherwise the entry stays, and the guard or the next start tries again.
        let ended = self.helpers.remove();
        if let Some(mut follower) = self.follower.take().filter(|_| ended.is_ok()) {
            let _ = follower.wait();
        }
    }
}

/// A container, as the first process of its group.
#[derive(Debug)]
pub(super) struct Instance {
    claim: Claim,
    id: String,
    pid: u32,
    /// Can be read once the first process has ended; none where the kernel has no such descriptor.
    end: Option<OwnedFd>,
    network: Namespace,
    exit: Option<ExitStatus>,
}

impl Instance {
    pub(super) fn new(claim: Claim, id: String, pid: u32, network: Namespace) -> Self {
        Self {
            claim,
            id,
            pid,
            end: spawn::end_of(pid),
            network,
            exit: None,
        }
    }

    fn runs(&self) -> bool {
        match &self.end {
            Some(end) => !sys::wait_readable(end.as_fd(), Duration::ZERO).unwrap_or(true),
            None => procfs::is_alive(self.pid),
        }
    }

    fn code(&self) -> Option<i32> {
        let engine = &self.claim.engine;
        if engine.kind() == Kind::Docker {
            let said = engine.ask(&["inspect", "--format", "{{.State.ExitCode}}", self.claim.name()]);
            return said.ok()?.out.trim().parse().ok();
        }
        let file = engine.place().exit(&self.id);
        let began = Instant::now();
        loop {
            let written = fs::read_to_string(&file).unwrap_or_default();
            if let Ok(code) = written.trim().parse() {
                return Some(code);
            }
            if began.elapsed() > CODE_WITHIN {
                return None;
            }
            thread::sleep(POLL);
        }
    }
}

impl Leader for Instance {
    fn id(&self) -> u32 {
        self.pid
    }

    fn ended(&mut self) -> Option<ExitStatus> {
        if self.exit.is_none() && !self.runs() {
            let code = self.code().unwrap_or(UNKNOWN);
            self.exit = Some(ExitStatus::from_raw((code & 0xff) << 8));
        }
        self.exit
    }

    fn network(&self) -> Option<&Namespace> {
        Some(&self.network)
    }
}
