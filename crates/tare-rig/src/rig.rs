//! The rig: which contenders there are, and which of them run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tare_host::groups::Group;
use tare_host::keeper::Keeper;
use tare_lab::rig::{Rig, SliceOrder, SliceOutcome, Who};
use tare_load::{Load, LoadConfig};
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::{Exchange, Job, Listen, Ready, Speaks};
use tare_model::measure::ServiceReading;
use tare_model::results::Placement;
use tare_model::units::Seconds;

use crate::front::Front;
use crate::reference::References;
use crate::running::Running;
use crate::service::Service;

/// A contender whose database is going notices first. So long is looked whether a service has ended before what its
/// client saw is held against the contender.
const DYING: Duration = Duration::from_millis(250);

/// A contender that is built and can be started.
#[derive(Debug, Clone)]
pub struct Runnable {
    /// Its id, as people write it.
    pub name: String,
    /// The command, with `{port}`, `{host}` and `{role}` still in it.
    pub run: Vec<String>,
    /// Its environment, likewise.
    pub env: BTreeMap<String, String>,
    /// Values of all other placeholders.
    pub values: BTreeMap<String, String>,
    /// The folder that it runs in.
    pub cwd: PathBuf,
    /// What it speaks to whoever sends it requests.
    pub speaks: Speaks,
    /// Where it finds the socket that it listens on.
    pub listen: Listen,
    /// The web server in front of it.
    pub front: Option<Front>,
    /// How readiness is seen.
    pub ready: Ready,
    /// The signal that asks it to stop, without `SIG`.
    pub stop_signal: String,
    /// Where its output goes.
    pub log: PathBuf,
    /// What it must answer, where the job is done in process.
    pub references: Option<Arc<References>>,
    /// Messages (`FORMAT/NAME`) that it is known not to survive, and what happens.
    pub fails_on: BTreeMap<String, String>,
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
    /// Tare's own command that starts CGI programs where no web server does ([`tare_host::forker`]), without its words.
    pub forker: Vec<String>,
    /// The services that they need: indices among the rig's.
    pub services: Vec<usize>,
    /// The sizes of a swept case.
    pub sizes: Vec<u64>,
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
    /// Who has been checked in this run, thoroughly.
    checked: BTreeSet<Who>,
    pub(crate) groups: Vec<RigGroup>,
    loads: Vec<Load>,
    services: Vec<Service>,
    pub(crate) running: BTreeMap<Who, Running>,
}

impl<'k> RealRig<'k> {
    /// A rig in which nothing runs yet. `stop` is set when a person asks to stop; the run begins now.
    pub fn new(keeper: &'k Keeper, stop: &'k AtomicBool, groups: Vec<RigGroup>) -> Self {
        let load = |group: &RigGroup| {
            let cores = group.placement.load.clone();
            Load::new(LoadConfig {
                own_cores: group.placement.load_alone(),
                cores,
                timeout: group.timeout,
                seed: group.seed,
                ..LoadConfig::default()
            })
        };
        let loads = groups.iter().map(load).collect();
        Self {
            keeper,
            stop,
            began: Instant::now(),
            checked: BTreeSet::new(),
            groups,
            loads,
            services: Vec::new(),
            running: BTreeMap::new(),
        }
    }

    /// With services that have started, by the indices that groups know them by. They run until they are
    /// [stopped](Self::stop_services), over all launches.
    pub fn with_services(mut self, services: Vec<Service>) -> Self {
        self.services = services;
        self
    }

    /// Ends the services; what took force or was left behind.
    pub fn stop_services(&mut self) -> Vec<String> {
        self.services.drain(..).filter_map(Service::stop).collect()
    }

    /// The process tree of a contender that runs.
    pub(crate) fn tree(&self, who: Who) -> Option<&Group> {
        self.running.get(&who).map(Running::tree)
    }

    /// Whether everything that a group needs is there.
    fn served(&mut self, group: usize) -> Result<(), Fault> {
        for &index in &self.groups[group].services {
            if let Some(fault) = self.services.get_mut(index).and_then(Service::died) {
                return Err(fault);
            }
        }
        Ok(())
    }

    /// What a client saw of a contender whose service was ending is not the cause.
    pub(crate) fn or_its_services(&mut self, group: usize, fault: Fault) -> Fault {
        let began = Instant::now();
        while !self.groups[group].services.is_empty() {
            if let Err(death) = self.served(group) {
                let text = format!(
                    "{}\nwhat was seen of the contender: {}",
                    death.detail, fault.detail
                );
                return Fault::new(death.kind, text);
            }
            if began.elapsed() >= DYING {
                break;
            }
            thread::sleep(Duration::from_millis(5));
        }
        fault
    }

    /// CPU time of each of a group's services that is a process.
    fn used(&self, group: usize) -> Result<Vec<ServiceReading>, Fault> {
        let services = self.groups[group].services.iter();
        let mut used = Vec::new();
        for service in services.filter_map(|&index| self.services.get(index)) {
            let name = service.name().to_owned();
            used.extend(service.cpu()?.map(|cpu| ServiceReading { name, cpu }));
        }
        Ok(used)
    }

    /// A slice, and what the services used meanwhile. Theirs is read outside of the contender's thaw and freeze:
    /// while it is frozen, nobody asks them for anything.
    fn served_slice(&mut self, who: Who, order: &SliceOrder) -> Result<SliceOutcome, Fault> {
        self.served(who.group)?;
        let before = self.used(who.group)?;
        let began = self.now();
        let running = self.running.get_mut(&who).ok_or_else(Self::not_running)?;
        let (group, load) = (&self.groups[who.group], &mut self.loads[who.group]);
        let mut outcome = running.slice(group, load, order, self.stop, began);
        let after = self.used(who.group)?;
        if let Some(reading) = &mut outcome.reading {
            // What is there already is the contender's own front.
            reading.services.extend(between(before, after));
        }
        outcome.fault = match outcome.fault {
            Some(fault) => Some(self.or_its_services(who.group, fault)),
            None => self.served(who.group).err(),
        };
        Ok(outcome)
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
        self.served(who.group)?;
        let group = &self.groups[who.group];
        let runnable = group.contenders[who.entrant]
            .as_ref()
            .ok_or_else(Self::not_running)?;
        let started = Running::start(self.keeper, self.stop, group, runnable);
        let mut running = started.map_err(|fault| self.or_its_services(who.group, fault))?;
        let frozen = running.freeze();
        self.running.insert(who, running);
        frozen
    }

    fn check(&mut self, who: Who) -> Result<(), Fault> {
        let group = &self.groups[who.group];
        let running = self.running.get_mut(&who).ok_or_else(Self::not_running)?;
        // What only time shows, such as a date that stands still, is a program's, not a process's.
        let thorough = self.checked.insert(who);
        let checked = running.check(group, thorough, self.stop);
        checked.map_err(|fault| self.or_its_services(who.group, fault))
    }

    fn slice(&mut self, who: Who, order: &SliceOrder) -> SliceOutcome {
        self.served_slice(who, order)
            .unwrap_or_else(|fault| SliceOutcome {
                reading: None,
                fault: Some(fault),
            })
    }

    fn stop(&mut self, who: Who) -> Option<String> {
        self.running.remove(&who)?.stop()
    }
}

fn between(before: Vec<ServiceReading>, after: Vec<ServiceReading>) -> Vec<ServiceReading> {
    let both = before.into_iter().zip(after);
    let used = both.map(|(before, after)| ServiceReading {
        name: after.name,
        // Without cgroups, a child that nobody waited for takes its time with it.
        cpu: Seconds((after.cpu.0 - before.cpu.0).max(0.0)),
    });
    used.collect()
}
