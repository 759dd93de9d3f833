//! One running contender: its process, who drives it, its accounts.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tare_host::account::{self, Snapshot};
use tare_host::groups::Group;
use tare_host::keeper::Keeper;
use tare_host::process::Process;
use tare_host::{interrupt, stop};
use tare_lab::rig::{SliceOrder, SliceOutcome};
use tare_load::Load;
use tare_model::fault::{Fault, FaultKind};
use tare_model::measure::{ServiceReading, SliceReading};
use tare_model::units::Seconds;

use crate::driver::{self, At, Driver};
use crate::rig::{RigGroup, Runnable};
use crate::service;

/// How long a contender may take to end after it was asked to.
const GRACE: Duration = Duration::from_secs(2);

/// How long the end of a process may take to be seen, after a sign of it: a machine may be busy.
const DYING: Duration = Duration::from_secs(1);

/// A started contender.
pub(crate) struct Running {
    name: String,
    process: Process,
    driver: Box<dyn Driver>,
    stop_signal: String,
    /// The last frozen reading; none before the first freeze.
    frozen: Option<Snapshot>,
}

impl Running {
    /// Starts it and waits until it is ready. It runs on, thawed.
    pub fn start(
        keeper: &Keeper,
        cancel: &AtomicBool,
        group: &RigGroup,
        runnable: &Runnable,
    ) -> Result<Self, Fault> {
        let (process, driver) = driver::start(keeper, cancel, group, runnable)?;
        Ok(Self {
            name: runnable.name.clone(),
            process,
            driver,
            stop_signal: runnable.stop_signal.clone(),
            frozen: None,
        })
    }

    /// Its process tree.
    pub fn tree(&self) -> &Group {
        self.process.group()
    }

    /// Freezes it and reads its accounts.
    pub fn freeze(&mut self) -> Result<(), Fault> {
        self.process.group().freeze()?;
        self.frozen = Some(Snapshot::take(self.process.group())?);
        Ok(())
    }

    fn thaw(&self) -> Result<(), Fault> {
        Ok(self.process.group().thaw()?)
    }

    /// Checks its answers, thawed for it; `thorough`: also what takes time to show.
    pub fn check(&mut self, group: &RigGroup, thorough: bool, cancel: &AtomicBool) -> Result<(), Fault> {
        self.thawed(group, cancel, |driver, at| driver.check(at, thorough))
    }

    /// Thaws it for something that is not measured.
    pub fn thawed<T>(
        &mut self,
        group: &RigGroup,
        cancel: &AtomicBool,
        work: impl FnOnce(&mut dyn Driver, &mut At<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.thaw()?;
        let mut at = At {
            process: &mut self.process,
            group,
            cancel,
        };
        let done = work(&mut *self.driver, &mut at);
        let done = done.map_err(|fault| self.or_its_death(fault));
        let frozen = self.freeze();
        let done = done?;
        frozen.map(|()| done)
    }

    /// Thaw, settle, measure, drain, freeze, account.
    pub fn slice(
        &mut self,
        group: &RigGroup,
        load: &mut Load,
        order: &SliceOrder,
        cancel: &AtomicBool,
        began: Seconds,
    ) -> SliceOutcome {
        let measured = self.measured(group, load, order, cancel, began);
        let mut outcome = measured.unwrap_or_else(|fault| SliceOutcome {
            reading: None,
            fault: Some(self.or_its_death(fault)),
        });
        if outcome.fault.is_none() && outcome.reading.is_some() && self.driver.wants_sample() {
            let sampled = self.thawed(group, cancel, |driver, at| driver.sample(at));
            outcome.fault = sampled.err();
        }
        outcome
    }

    fn measured(
        &mut self,
        group: &RigGroup,
        load: &mut Load,
        order: &SliceOrder,
        cancel: &AtomicBool,
        began: Seconds,
    ) -> Result<SliceOutcome, Fault> {
        let cores = group.placement.contender.len();
        let before = self.still_frozen()?;
        let front_before = self.process.apart().map(|(_, cpu)| cpu);
        // From before the first of its threads may run, to after the last was stopped.
        let thawed = Instant::now();
        self.thaw()?;
        let mut at = At {
            process: &mut self.process,
            group,
            cancel,
        };
        let driven = self.driver.slice(&mut at, load, order);
        self.process.group().freeze()?;
        let thawed = Seconds::from_duration(thawed.elapsed());
        let after = Snapshot::take(self.process.group())?;
        self.frozen = Some(after);
        let mut host = account::reading(&before, &after, thawed, cores);
        let front = front_before.and_then(|before| self.front_used(before));
        if let Some(front) = &front {
            // Two clocks of the kernel's, of which one may be read a little later.
            host.cpu = Seconds((host.cpu.0 - front.cpu.0).max(0.0));
        }
        let fault = match driven.fault {
            Some(fault) => Some(self.or_its_death(fault)),
            None if driven.reading.is_some() => self.driver.audit(&host, cores).err(),
            None => None,
        };
        Ok(SliceOutcome {
            reading: driven.reading.map(|load| SliceReading {
                began,
                load,
                host,
                // Those that several contenders share are the rig's business.
                services: front.into_iter().collect(),
            }),
            fault,
        })
    }

    /// What the web server in front of it used since then; it is frozen.
    fn front_used(&self, before: Seconds) -> Option<ServiceReading> {
        let (name, after) = self.process.apart()?;
        Some(ServiceReading {
            name: name.to_owned(),
            cpu: Seconds((after.0 - before.0).max(0.0)),
        })
    }

    /// The accounts as they were left at the last freeze: anything used since then was used while frozen.
    fn still_frozen(&mut self) -> Result<Snapshot, Fault> {
        let now = Snapshot::take(self.process.group())?;
        if let Some(frozen) = &self.frozen {
            account::kept_still(&self.name, frozen, &now)?;
        }
        Ok(now)
    }

    /// What a client saw of a process that ended is not the cause: its end is.
    fn or_its_death(&mut self, fault: Fault) -> Fault {
        // Its connections close before it has ended, and a web server in front answers for it meanwhile.
        match self.process.dies_within(DYING, FaultKind::Died) {
            Some(death) => Fault::new(
                death.kind,
                format!("{}\nwhat its client saw: {}", death.detail, fault.detail),
            ),
            None => fault,
        }
    }

    /// Ends it; says so if that took force or it left something behind.
    pub fn stop(mut self) -> Option<String> {
        let told = self.driver.close() && !interrupt::hurried();
        // Where it cannot even be thawed, the stop itself says so.
        let deaf = told && !stop::ends_by_itself(&mut self.process, interrupt::grace(GRACE)).unwrap_or(true);
        let ended = service::end(&self.name, self.process, &self.stop_signal);
        let deaf = deaf && !interrupt::hurried();
        ended.or_else(|| {
            deaf.then(|| {
                format!(
                    "{} did not end at the end of its input within 2 s, as the protocol has it, but on SIG{}",
                    self.name, self.stop_signal
                )
            })
        })
    }
}
