//! The rig: which contenders there are, and which of them run.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tare_host::keeper::Keeper;
use tare_lab::rig::{Rig, SliceOrder, SliceOutcome, Who};
use tare_load::{Load, LoadConfig};
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::{Exchange, Job, Ready};
use tare_model::results::Placement;
use tare_model::units::Seconds;

use crate::running::Running;

/// A contender that is built and can be started.
#[derive(Debug, Clone)]
pub struct Runnable {
    /// Its id, as people write it.
    pub name: String,
    /// The command, with `{port}` and `{host}` still in it.
    pub run: Vec<String>,
    /// Its environment, likewise.
    pub env: BTreeMap<String, String>,
    /// Values of all other placeholders.
    pub values: BTreeMap<String, String>,
    /// The folder that it runs in.
    pub cwd: PathBuf,
    /// How readiness is seen.
    pub ready: Ready,
    /// The signal that asks it to stop, without `SIG`.
    pub stop_signal: String,
    /// Where its output goes.
    pub log: PathBuf,
}

/// A group of contenders that do the same job in the same placement.
#[derive(Debug, Clone)]
pub struct RigGroup {
    /// What they do.
    pub job: Job,
    /// What they must get right before they are timed.
    pub exchanges: Vec<Exchange>,
    /// Cores of each side.
    pub placement: Placement,
    /// By entrant; none where there is nothing to run (a tool is missing, the build failed).
    pub contenders: Vec<Option<Runnable>>,
    /// How long an answer may take.
    pub timeout: Duration,
    /// How long it may take from its start until it is ready.
    pub ready_within: Duration,
    /// Seed of what is sent.
    pub seed: u64,
}

/// The rig.
pub struct RealRig<'k> {
    pub(crate) keeper: &'k Keeper,
    pub(crate) stop: &'k AtomicBool,
    began: Instant,
    groups: Vec<RigGroup>,
    loads: Vec<Load>,
    running: BTreeMap<Who, Running>,
}

impl<'k> RealRig<'k> {
    /// A rig in which nothing runs yet. `stop` is set when a person asks to stop; the run begins now.
    pub fn new(keeper: &'k Keeper, stop: &'k AtomicBool, groups: Vec<RigGroup>) -> Self {
        let load = |group: &RigGroup| {
            let cores = group.placement.load.clone();
            Load::new(LoadConfig {
                own_cores: !cores.is_empty()
                    && cores.iter().all(|core| !group.placement.contender.contains(core)),
                cores,
                timeout: group.timeout,
                seed: group.seed,
            })
        };
        let loads = groups.iter().map(load).collect();
        Self {
            keeper,
            stop,
            began: Instant::now(),
            groups,
            loads,
            running: BTreeMap::new(),
        }
    }

    fn not_running() -> Fault {
        Fault::new(
            FaultKind::Instrument,
            "it was to be measured but is not running; this is a bug in tare",
        )
    }
}

impl Rig for RealRig<'_> {
    fn now(&self) -> Seconds {
        Seconds::from_duration(self.began.elapsed())
    }

    fn interrupted(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    fn start(&mut self, who: Who) -> Result<(), Fault> {
        let group = &self.groups[who.group];
        let runnable = group.contenders[who.entrant]
            .as_ref()
            .ok_or_else(Self::not_running)?;
        let mut running = Running::start(self.keeper, self.stop, group, runnable)?;
        let frozen = running.freeze();
        self.running.insert(who, running);
        frozen
    }

    fn check(&mut self, who: Who) -> Result<(), Fault> {
        let group = &self.groups[who.group];
        let running = self.running.get_mut(&who).ok_or_else(Self::not_running)?;
        running.check(group, self.stop)
    }

    fn slice(&mut self, who: Who, order: &SliceOrder) -> SliceOutcome {
        let began = self.now();
        let cores = self.groups[who.group].placement.contender.len();
        match self.running.get_mut(&who) {
            Some(running) => running.slice(&mut self.loads[who.group], order, cores, self.stop, began),
            None => SliceOutcome {
                reading: None,
                fault: Some(Self::not_running()),
            },
        }
    }

    fn stop(&mut self, who: Who) -> Option<String> {
        self.running.remove(&who)?.stop()
    }
}
