//! The rig: the contenders, and those of them that run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tare_host::groups::ProcessGroup;
use tare_host::keeper::Keeper;
use tare_lab::rig::{Rig, SliceOrder, SliceOutcome, Who};
use tare_load::{Load, LoadConfig};
use tare_model::fault::{Fault, FaultKind};
use tare_model::measure::ServiceReading;
use tare_model::tls::TlsReading;
use tare_model::units::Seconds;

use crate::at_once;
use crate::contender::RigGroup;
use crate::destination::Generators;
use crate::fleet::Crew;
use crate::running::Running;
use crate::service::Service;

/// A contender notices the end of its database first. This is how long to check whether a service has ended before a fault
/// counts as the contender's.
const DYING: Duration = Duration::from_millis(250);

/// How many contenders are checked or stopped at the same time. Both are mostly waits (for bytes that must not come, for
/// a process to end), but each has a limit of time, in which the others also want the cores that they share.
const AT_ONCE: usize = 4;

/// The rig.
pub struct RealRig<'k> {
    pub(crate) keeper: &'k Keeper,
    pub(crate) stop: &'k AtomicBool,
    began: Instant,
    /// The contenders that were checked thoroughly in this run.
    checked: BTreeSet<Who>,
    pub(crate) groups: Vec<RigGroup>,
    loads: Vec<Load>,
    /// What drives servers in place of the loads.
    agents: Option<Crew>,
    pub(crate) services: Vec<Service>,
    pub(crate) running: BTreeMap<Who, Running>,
    /// What was seen of the TLS of each contender that was measured; none of one in clear.
    seen: BTreeMap<Who, Option<TlsReading>>,
}

impl<'k> RealRig<'k> {
    /// A rig in which nothing runs yet. `stop`: set by an interrupt. The run begins now.
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
            agents: None,
            services: Vec::new(),
            running: BTreeMap::new(),
            seen: BTreeMap::new(),
        }
    }

    /// Adds services that have started; groups refer to them by index. They run through all launches, until they are
    /// [stopped](Self::stop_services).
    pub fn with_services(mut self, services: Vec<Service>) -> Self {
        self.services = services;
        self
    }

    /// Has agents drive all servers; groups say at which address they reach contenders.
    pub fn with_agents(mut self, agents: Option<Crew>) -> Self {
        self.agents = agents;
        self
    }

    /// The agents that drive servers.
    pub fn agents(&self) -> Option<&Crew> {
        self.agents.as_ref()
    }

    /// Ends the services; returns a message for each that had to be killed or left processes running.
    pub fn stop_services(&mut self) -> Vec<String> {
        self.services.drain(..).filter_map(Service::stop).collect()
    }

    /// What was seen of the TLS of a contender: none of one that was not measured, and of one in clear that there was none.
    pub fn seen(&self, who: Who) -> Option<Option<&TlsReading>> {
        self.seen.get(&who).map(Option::as_ref)
    }

    /// Adds what a slice saw of TLS.
    fn see(&mut self, who: Who, tls: Option<&TlsReading>) {
        let seen = self.seen.entry(who).or_default();
        if let Some(tls) = tls {
            seen.get_or_insert_default().merge(tls);
        }
    }

    /// The process group of a running contender.
    pub(crate) fn tree(&self, who: Who) -> Option<&ProcessGroup> {
        self.running.get(&who).map(Running::tree)
    }

    /// Checks that all services of a group run.
    fn served(&mut self, group: usize) -> Result<(), Fault> {
        for &index in &self.groups[group].services {
            if let Some(fault) = self.services.get_mut(index).and_then(Service::died) {
                return Err(fault);
            }
        }
        Ok(())
    }

    /// The fault of a contender, or that of its service if the service has ended: then that is the cause.
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

    /// CPU time of each of a group's services that has a process.
    fn used(&self, group: usize) -> Result<Vec<ServiceReading>, Fault> {
        let services = self.groups[group].services.iter();
        let mut used = Vec::new();
        for service in services.filter_map(|&index| self.services.get(index)) {
            let name = service.name().to_owned();
            used.extend(service.cpu()?.map(|cpu| ServiceReading { name, cpu }));
        }
        Ok(used)
    }

    /// A slice, and the CPU time of the services during it, and whether they were asked enough. Both are read before the
    /// contender's thaw and after its freeze: while it is paused, the services have nothing to do.
    fn served_slice(&mut self, who: Who, order: &SliceOrder) -> Result<SliceOutcome, Fault> {
        self.served(who.group)?;
        let asked = self.asked(who.group)?;
        let before = self.used(who.group)?;
        let began = self.now();
        let running = self.running.get_mut(&who).ok_or_else(Self::not_running)?;
        let group = &self.groups[who.group];
        let mut by = match &mut self.agents {
            Some(crew) => Generators::Agents(crew),
            None => Generators::Here(&mut self.loads[who.group]),
        };
        let mut outcome = running.slice(group, &mut by, order, self.stop, began);
        let after = self.used(who.group)?;
        if let Some(reading) = &mut outcome.reading {
            // The contender's own front is already in the list.
            reading.services.extend(between(before, after));
        }
        if let Some(reading) = &outcome.reading {
            self.see(who, reading.load.tls.as_ref());
        }
        outcome.fault = match outcome.fault {
            Some(fault) => Some(self.or_its_services(who.group, fault)),
            None => self.served(who.group).err(),
        };
        if let (None, Some(reading), Some(asked)) = (&outcome.fault, &outcome.reading, asked) {
            let right = reading.load.requests.valid;
            let enough = self.asked_enough(who.group, order.size, asked, right);
            let audited = enough.and_then(|()| self.audit_sometimes(who, order.size));
            // What an interruption broke is no fault.
            outcome.fault = audited.err().filter(|_| !self.interrupted());
        }
        Ok(outcome)
    }

    pub(crate) fn not_running() -> Fault {
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
        let lost = self.agents.as_ref().and_then(Crew::broken);
        lost.is_some() || self.stop.load(Ordering::SeqCst)
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
        self.check_all(&[who]).into_iter().collect()
    }

    fn check_all(&mut self, all: &[Who]) -> Vec<Result<(), Fault>> {
        // What takes time to show, such as a date that stands still, belongs to the program: one thorough check is enough.
        let thorough = all.iter().map(|who| self.checked.insert(*who));
        let thorough: Vec<bool> = thorough.collect();
        let mut running: Vec<Option<Running>> = all.iter().map(|who| self.running.remove(who)).collect();
        let over_sockets = all
            .iter()
            .all(|who| self.groups[who.group].job.in_process().is_none());
        let (groups, stop) = (&self.groups, self.stop);
        let checks: Vec<_> = all.iter().zip(&mut running).zip(thorough).collect();
        // In process a check is work for the cores that all share, not a wait.
        let limit = if over_sockets { AT_ONCE } else { 1 };
        let outcomes = at_once::map(limit, checks, |((who, running), thorough)| {
            let running = running.as_mut().ok_or_else(Self::not_running)?;
            running.check(&groups[who.group], thorough, stop)
        });
        let back = all.iter().zip(running);
        self.running
            .extend(back.filter_map(|(who, running)| Some((*who, running?))));
        let outcomes = all.iter().zip(outcomes);
        let audited = outcomes.map(|(who, outcome)| {
            // One after the other: what a database counts is then of the one that is not paused.
            let audited = outcome.and_then(|()| self.audit(*who));
            audited.map_err(|fault| self.or_its_services(who.group, fault))
        });
        audited.collect()
    }

    fn slice(&mut self, who: Who, order: &SliceOrder) -> SliceOutcome {
        loop {
            let outcome = self.served_slice(who, order);
            let void = self.agents.as_ref().is_some_and(Crew::was_void);
            if !void || self.interrupted() {
                return outcome.unwrap_or_else(|fault| SliceOutcome {
                    reading: None,
                    fault: Some(fault),
                });
            }
        }
    }

    fn stop(&mut self, who: Who) -> Option<String> {
        self.running.remove(&who)?.stop()
    }

    fn stop_all(&mut self, all: &[Who]) -> Vec<Option<String>> {
        let running: Vec<Option<Running>> = all.iter().map(|who| self.running.remove(who)).collect();
        at_once::map(AT_ONCE, running, |running| running?.stop())
    }
}

fn between(before: Vec<ServiceReading>, after: Vec<ServiceReading>) -> Vec<ServiceReading> {
    let both = before.into_iter().zip(after);
    let used = both.map(|(before, after)| ServiceReading {
        name: after.name,
        // Without cgroups, the CPU time of a child that nobody waited for is lost.
        cpu: Seconds((after.cpu.0 - before.cpu.0).max(0.0)),
    });
    used.collect()
}
