//! One running contender: its process, its driver, its accounts.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tare_host::account::{self, Snapshot};
use tare_host::groups::ProcessGroup;
use tare_host::keeper::Keeper;
use tare_host::process::Process;
use tare_host::{interrupt, stop};
use tare_lab::rig::{SliceOrder, SliceOutcome};
use tare_model::fault::{Fault, FaultKind};
use tare_model::measure::{ServiceReading, SliceReading};
use tare_model::units::Seconds;

use crate::contender::{RigGroup, Runnable};
use crate::destination::Generators;
use crate::driver::{Driver, DriverContext};
use crate::drivers;
use crate::service;

/// How long a contender may take to end after its signal.
const GRACE: Duration = Duration::from_secs(2);

/// How long to wait for the end of a process after a sign of it: the machine may be busy.
const DYING: Duration = Duration::from_secs(1);

/// A started contender.
pub(crate) struct Running {
    name: String,
    process: Process,
    driver: Box<dyn Driver>,
    stop_signal: String,
    /// Slices so far.
    slices: u32,
    /// The last frozen reading; none before the first freeze.
    frozen: Option<Snapshot>,
}

impl Running {
    /// Starts it and waits until it is ready. It is left running.
    pub(crate) fn start(
        keeper: &Keeper,
        cancel: &AtomicBool,
        group: &RigGroup,
        runnable: &Runnable,
    ) -> Result<Self, Fault> {
        let (process, driver) = drivers::start(keeper, cancel, group, runnable)?;
        Ok(Self {
            name: runnable.name.clone(),
            process,
            driver,
            stop_signal: runnable.stop_signal.clone(),
            slices: 0,
            frozen: None,
        })
    }

    /// The number of its slices so far.
    pub(crate) fn slices(&self) -> u32 {
        self.slices
    }

    /// Its process group.
    pub(crate) fn tree(&self) -> &ProcessGroup {
        self.process.group()
    }

    /// Freezes it and reads its accounts.
    pub(crate) fn freeze(&mut self) -> Result<(), Fault> {
        self.process.group().freeze()?;
        self.frozen = Some(Snapshot::take(self.process.group())?);
        Ok(())
    }

    fn thaw(&self) -> Result<(), Fault> {
        Ok(self.process.group().thaw()?)
    }

    /// Thaws it and checks its answers; `thorough`: also those checks that take time.
    pub(crate) fn check(
        &mut self,
        group: &RigGroup,
        thorough: bool,
        cancel: &AtomicBool,
    ) -> Result<(), Fault> {
        self.thawed(group, cancel, |driver, context| driver.check(context, thorough))
    }

    /// Thaws it for work that is not measured, and freezes it again.
    pub(crate) fn thawed<T>(
        &mut self,
        group: &RigGroup,
        cancel: &AtomicBool,
        work: impl FnOnce(&mut dyn Driver, &mut DriverContext<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.thaw()?;
        let mut context = DriverContext {
            process: &mut self.process,
            group,
            cancel,
        };
        let done = work(&mut *self.driver, &mut context);
        let done = done.map_err(|fault| self.or_its_death(fault));
        let frozen = self.freeze();
        let done = done?;
        frozen.map(|()| done)
    }

    /// Thaw, settle, measure, drain, freeze, account.
    pub(crate) fn slice(
        &mut self,
        group: &RigGroup,
        by: &mut Generators<'_>,
        order: &SliceOrder,
        cancel: &AtomicBool,
        began: Seconds,
    ) -> SliceOutcome {
        self.slices += 1;
        let measured = self.measured(group, by, order, cancel, began);
        let mut outcome = measured.unwrap_or_else(|fault| SliceOutcome {
            reading: None,
            fault: Some(self.or_its_death(fault)),
        });
        if outcome.fault.is_none() && outcome.reading.is_some() && self.driver.wants_sample() {
            let sampled = self.thawed(group, cancel, |driver, context| driver.sample(context));
            outcome.fault = sampled.err();
        }
        outcome
    }

    fn measured(
        &mut self,
        group: &RigGroup,
        by: &mut Generators<'_>,
        order: &SliceOrder,
        cancel: &AtomicBool,
        began: Seconds,
    ) -> Result<SliceOutcome, Fault> {
        let cores = group.placement.contender.len();
        let before = self.still_frozen()?;
        let front_before = self.process.apart().map(|(_, cpu)| cpu);
        // From before the first of its threads can run to after the last has stopped.
        let thawed = Instant::now();
        self.thaw()?;
        let mut context = DriverContext {
            process: &mut self.process,
            group,
            cancel,
        };
        let driven = self.driver.slice(&mut context, by, order);
        self.process.group().freeze()?;
        let thawed = Seconds::from_duration(thawed.elapsed());
        let after = Snapshot::take(self.process.group())?;
        self.frozen = Some(after);
        let mut host = account::reading(&before, &after, thawed, cores);
        let front = front_before.and_then(|before| self.front_used(before));
        if let Some(front) = &front {
            // Two of the kernel's clocks, one read slightly later than the other.
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
                // The rig adds the services that several contenders share.
                services: front.into_iter().collect(),
                figures: Vec::new(),
            }),
            fault,
        })
    }

    /// CPU time that the web server in front of it used since `before`. It is frozen.
    fn front_used(&self, before: Seconds) -> Option<ServiceReading> {
        let (name, after) = self.process.apart()?;
        Some(ServiceReading {
            name: name.to_owned(),
            cpu: Seconds((after.0 - before.0).max(0.0)),
        })
    }

    /// The accounts before a thaw, checked against those of the last freeze: CPU time since then was used while paused.
    fn still_frozen(&mut self) -> Result<Snapshot, Fault> {
        let now = Snapshot::take(self.process.group())?;
        if let Some(frozen) = &self.frozen {
            account::kept_still(&self.name, frozen, &now)?;
        }
        Ok(now)
    }

    /// The fault that a client saw, or the end of the process if it has ended: then that is the cause.
    fn or_its_death(&mut self, fault: Fault) -> Fault {
        // Its connections close before it has ended, and a web server in front answers for it in the meantime.
        match self.process.dies_within(DYING, FaultKind::Died) {
            Some(death) => Fault::new(
                death.kind,
                format!("{}\nwhat its client saw: {}", death.detail, fault.detail),
            ),
            None => fault,
        }
    }

    /// Ends it; returns a message if it had to be killed or left processes running.
    pub(crate) fn stop(mut self) -> Option<String> {
        let asked = self.driver.close() && !interrupt::hurried();
        // If it cannot even be thawed, the stop itself reports that.
        let deaf = asked && !stop::ends_by_itself(&mut self.process, interrupt::grace(GRACE)).unwrap_or(true);
        let ended = service::end(&self.name, self.process, &self.stop_signal);
        let deaf = deaf && !interrupt::hurried();
        ended.or_else(|| {
            deaf.then(|| {
                format!(
                    "{} did not end at the end of its input within 2 s, as the protocol requires, but on SIG{}",
                    self.name, self.stop_signal
                )
            })
        })
    }
}
