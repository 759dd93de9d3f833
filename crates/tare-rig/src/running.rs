//! One running contender: its process, its connections, its accounts.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use tare_host::account::{self, Snapshot};
use tare_host::keeper::Keeper;
use tare_host::process::{Launch, Process};
use tare_host::{ports, ready, substitute};
use tare_lab::rig::{SliceOrder, SliceOutcome};
use tare_load::{Address, Cause, Length, Load, Schedule, Target, Work, exchange};
use tare_model::fault::{Fault, FaultKind};
use tare_model::measure::{LoadReading, SliceReading};
use tare_model::metric::Mode;
use tare_model::units::Seconds;

use crate::rig::{RigGroup, Runnable};
use crate::service;

/// After a thaw, before the first request: timers that fell due meanwhile fire, idle connections are closed
/// (docs/method.md, slices).
const SETTLE: Duration = Duration::from_millis(10);

/// The longest that a slice is stretched to hold its least number of answers.
const STRETCH: Duration = Duration::from_secs(10);

/// A started contender.
pub(crate) struct Running {
    name: String,
    process: Process,
    target: Target,
    stop_signal: String,
    /// The last frozen reading; none before the first freeze.
    frozen: Option<Snapshot>,
}

impl Running {
    /// Starts it on a free port and waits until it is ready. It runs on, thawed.
    pub fn start(
        keeper: &Keeper,
        cancel: &AtomicBool,
        group: &RigGroup,
        runnable: &Runnable,
    ) -> Result<Self, Fault> {
        let port = ports::free_port()?;
        let launch = launch(group, runnable, port)?;
        let mut process = Process::start(keeper.group()?, launch)?;
        ready::wait(&mut process, &runnable.ready, port, group.ready_within, cancel)?;
        let address = Address::loopback(port);
        let work = Work::new(&group.job, &address, group.seed);
        let work = work.map_err(|error| Fault::new(FaultKind::Instrument, error.to_string()))?;
        Ok(Self {
            name: runnable.name.clone(),
            target: Target::new(address, work),
            stop_signal: runnable.stop_signal.clone(),
            process,
            frozen: None,
        })
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

    /// Checks its answers, thawed for it.
    pub fn check(&mut self, group: &RigGroup, cancel: &AtomicBool) -> Result<(), Fault> {
        self.thaw()?;
        let checked = self.answers(group, cancel);
        let checked = checked.map_err(|fault| self.or_its_death(fault));
        let frozen = self.freeze();
        checked.and(frozen)
    }

    /// The fixed exchanges all at once, each on a connection of its own: most of an exchange is waiting for what must
    /// not come.
    fn answers(&self, group: &RigGroup, cancel: &AtomicBool) -> Result<(), Fault> {
        let address = self.target.address();
        let check = |fixed| exchange::check(address, fixed, group.timeout, cancel);
        thread::scope(|scope| {
            let spawn = |fixed| scope.spawn(move || check(fixed));
            let all: Vec<_> = group.exchanges.iter().map(spawn).collect();
            let join = |one: thread::ScopedJoinHandle<'_, _>| one.join().expect("an exchange does not panic");
            // All are waited for; of several faults the first in the manifest's order is told.
            let ends: Vec<Result<(), Fault>> = all.into_iter().map(join).collect();
            ends.into_iter().collect::<Result<(), Fault>>()
        })?;
        exchange::first_answer(address, self.target.work(), group.timeout, cancel)
    }

    /// Thaw, settle, measure, drain, freeze, account.
    pub fn slice(
        &mut self,
        load: &mut Load,
        order: &SliceOrder,
        cores: usize,
        cancel: &AtomicBool,
        began: Seconds,
    ) -> SliceOutcome {
        match self.measured(load, order, cores, cancel, began) {
            Ok(outcome) => outcome,
            Err(fault) => SliceOutcome {
                reading: None,
                fault: Some(self.or_its_death(fault)),
            },
        }
    }

    fn measured(
        &mut self,
        load: &mut Load,
        order: &SliceOrder,
        cores: usize,
        cancel: &AtomicBool,
        began: Seconds,
    ) -> Result<SliceOutcome, Fault> {
        let before = self.still_frozen()?;
        self.thaw()?;
        let thawed = Instant::now();
        thread::sleep(SETTLE);
        let driven = load.run(&mut self.target, &schedule(order), length(order), cancel);
        self.process.group().freeze()?;
        let thawed = Seconds::from_duration(thawed.elapsed());
        let after = Snapshot::take(self.process.group())?;
        self.frozen = Some(after);
        let host = account::reading(&before, &after, thawed, cores);
        let (reading, fault) = match driven {
            Ok(reading) => (Some(reading), None),
            Err(failed) => match failed.cause {
                Cause::Interrupted => (None, None),
                Cause::Fault(fault) => (Some(*failed.reading), Some(self.or_its_death(fault))),
            },
        };
        let slice = |mut load: LoadReading| {
            load.connections = order.connections;
            SliceReading {
                began,
                load,
                host,
                // The rig's business: a service is shared by several contenders.
                services: Vec::new(),
            }
        };
        Ok(SliceOutcome {
            reading: reading.map(slice),
            fault,
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
        match self.process.died(FaultKind::Died) {
            Some(death) => Fault::new(
                death.kind,
                format!("{}\nwhat its client saw: {}", death.detail, fault.detail),
            ),
            None => fault,
        }
    }

    /// Ends it; says so if that took force or it left something behind.
    pub fn stop(mut self) -> Option<String> {
        self.target.close();
        service::end(&self.name, self.process, &self.stop_signal)
    }
}

fn launch(group: &RigGroup, runnable: &Runnable, port: u16) -> Result<Launch, Fault> {
    let mut values = runnable.values.clone();
    values.insert("port".to_owned(), port.to_string());
    values.insert("host".to_owned(), "127.0.0.1".to_owned());
    let unfit = |error: substitute::BadPlaceholder| Fault::new(FaultKind::DiedAtStart, error.to_string());
    let argv = substitute::substitute(&runnable.run, &values).map_err(unfit)?;
    let mut env = BTreeMap::new();
    for (name, value) in &runnable.env {
        env.insert(
            name.clone(),
            substitute::substitute_word(value, &values).map_err(unfit)?,
        );
    }
    Ok(Launch {
        argv,
        env,
        cwd: runnable.cwd.clone(),
        cores: group.placement.contender.clone(),
        log: runnable.log.clone(),
    })
}

fn schedule(order: &SliceOrder) -> Schedule {
    let (connections, depth) = (order.connections, order.depth);
    match order.mode {
        Mode::Capacity => Schedule::Capacity { connections, depth },
        Mode::Cost => Schedule::Cost {
            connections,
            depth,
            rate: order.rate,
        },
        Mode::Batch => Schedule::Batch {
            programs: order.programs,
            connections,
            requests: order.requests,
            depth,
        },
    }
}

fn length(order: &SliceOrder) -> Length {
    let time = Duration::from_secs_f64(order.length.0);
    Length {
        at_most: time.max(STRETCH),
        ..Length::time(time)
    }
}
