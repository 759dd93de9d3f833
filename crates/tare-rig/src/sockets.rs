//! Servers: driven by the load generator over loopback sockets.

use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use tare_host::keeper::Keeper;
use tare_host::process::Process;
use tare_host::{ports, ready};
use tare_lab::rig::SliceOrder;
use tare_load::{Address, Cause, Length, Load, Schedule, Target, Work, exchange, job};
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::{Job, Listen, Speaks};
use tare_model::metric::Mode;

use crate::driver::{At, Driven, Driver};
use crate::forker;
use crate::rig::{RigGroup, Runnable};
use crate::start::process_spec;

/// After a thaw, before the first request: timers that fell due meanwhile fire, idle connections are closed
/// (docs/method.md, slices).
const SETTLE: Duration = Duration::from_millis(10);

/// The longest that a slice is stretched to hold its least number of answers.
const STRETCH: Duration = Duration::from_secs(10);

/// So many of the last lines that CGI programs printed are shown with a fault.
const WORDS: usize = 5;

struct Sockets {
    address: Address,
    /// By size, in the order of the sweep; a case without one has one, of no size. Each has connections of its own.
    targets: Vec<(Option<u64>, Target)>,
    /// What the load speaks with it.
    speaks: Speaks,
}

/// Starts a server on a free port and waits until it is ready.
pub(crate) fn start(
    keeper: &Keeper,
    cancel: &AtomicBool,
    group: &RigGroup,
    runnable: &Runnable,
) -> Result<(Process, Box<dyn Driver>), Fault> {
    let (speaks, (process, port)) = match &runnable.front {
        // With a front, the load speaks HTTP.
        Some(front) => (Speaks::Own, front.start(keeper, cancel, group, runnable)?),
        None if runnable.speaks == Speaks::Cgi => {
            (Speaks::Cgi, forker::start(keeper, cancel, group, runnable)?)
        }
        None => (runnable.speaks, resident(keeper, cancel, group, runnable)?),
    };
    let address = Address::loopback(port);
    let sockets = Sockets {
        targets: targets(group, &address, speaks)?,
        address,
        speaks,
    };
    Ok((process, Box::new(sockets)))
}

/// Starts the contender's own process and waits until it is ready; the port that it listens on.
pub(crate) fn resident(
    keeper: &Keeper,
    cancel: &AtomicBool,
    group: &RigGroup,
    runnable: &Runnable,
) -> Result<(Process, u16), Fault> {
    let (mut process, port) = spawn(keeper, group, runnable)?;
    ready::wait(&mut process, &runnable.ready, port, group.ready_within, cancel)?;
    Ok((process, port))
}

/// Starts its process; the port that it listens on, or is to.
fn spawn(keeper: &Keeper, group: &RigGroup, runnable: &Runnable) -> Result<(Process, u16), Fault> {
    let (listener, port) = match runnable.listen {
        Listen::Port => (None, ports::free_port()?),
        Listen::Stdin => {
            let (listener, port) = ports::listener()?;
            (Some(listener), port)
        }
    };
    let values = [("port", port.to_string()), ("host", "127.0.0.1".to_owned())];
    let spec = process_spec(group, runnable, &values)?;
    let process = match listener {
        None => Process::start(keeper.group()?, spec)?,
        Some(listener) => Process::start_listening(keeper.group()?, spec, listener)?,
    };
    Ok((process, port))
}

fn targets(group: &RigGroup, address: &Address, speaks: Speaks) -> Result<Vec<(Option<u64>, Target)>, Fault> {
    let target = |job: &Job| -> Result<Target, Fault> {
        let work = Work::over(speaks, job, address, group.seed);
        let work = work.map_err(|error| Fault::new(FaultKind::Instrument, error.to_string()))?;
        Ok(Target::new(address.clone(), work.sampled(job::WHOLE)))
    };
    if group.sizes.is_empty() {
        return Ok(vec![(None, target(&group.job)?)]);
    }
    let at = |size: &u64| Ok((Some(*size), target(&group.job.at_size(*size))?));
    group.sizes.iter().map(at).collect()
}

impl Sockets {
    /// The target at a size; at none that was named (a warm-up): the first.
    fn target(&mut self, size: Option<u64>) -> &mut Target {
        let found = self.targets.iter().position(|(known, _)| *known == size);
        &mut self.targets[found.unwrap_or(0)].1
    }

    /// Whether it has one request in flight on a connection at the most.
    fn is_shallow(&self) -> bool {
        matches!(self.speaks, Speaks::FastCgi | Speaks::Cgi)
    }

    /// The fixed exchanges all at once, each on a connection of its own: most of an exchange is waiting for what must
    /// not come.
    fn exchanges(&self, at: &At<'_>) -> Result<(), Fault> {
        let address = &self.address;
        let (timeout, cancel) = (at.group.timeout, at.cancel);
        let check = |fixed| exchange::check(address, fixed, timeout, cancel);
        thread::scope(|scope| {
            let spawn = |fixed| scope.spawn(move || check(fixed));
            let all: Vec<_> = at.group.exchanges.iter().map(spawn).collect();
            let join = |one: thread::ScopedJoinHandle<'_, _>| one.join().expect("an exchange does not panic");
            // All are waited for; of several faults the first in the manifest's order is told.
            let ends: Vec<Result<(), Fault>> = all.into_iter().map(join).collect();
            ends.into_iter().collect()
        })
    }

    /// What the job itself asks for, at every size.
    fn answers(&self, at: &At<'_>, thorough: bool) -> Result<(), Fault> {
        let mut dates_go_on = thorough;
        for (_, target) in &self.targets {
            let (work, timeout) = (target.work(), at.group.timeout);
            exchange::first_answer(&self.address, work, timeout, dates_go_on, at.cancel)?;
            // One look is enough: all sizes are one program's.
            dates_go_on = false;
        }
        Ok(())
    }

    /// A fault with what a CGI program said to its standard error: it has ended since, so nobody else will tell.
    fn in_its_words(&self, at: &At<'_>, fault: Fault) -> Fault {
        if self.speaks != Speaks::Cgi || at.process.log_tail(WORDS).trim().is_empty() {
            return fault;
        }
        let text = format!("{}\n{}", fault.detail, at.process.log_words(WORDS));
        Fault::new(fault.kind, text)
    }
}

impl Driver for Sockets {
    fn check(&mut self, at: &mut At<'_>, thorough: bool) -> Result<(), Fault> {
        let checked = self.exchanges(at).and_then(|()| self.answers(at, thorough));
        checked.map_err(|fault| self.in_its_words(at, fault))
    }

    fn slice(&mut self, at: &mut At<'_>, load: &mut Load, order: &SliceOrder) -> Driven {
        if self.is_shallow() && order.depth > 1 {
            let text = format!(
                "{} has one request in flight on a connection, not {}: run it with `--pipeline 1`",
                if self.speaks == Speaks::Cgi {
                    "CGI"
                } else {
                    "FastCGI"
                },
                order.depth
            );
            return Driven {
                reading: None,
                fault: Some(Fault::new(FaultKind::Instrument, text)),
            };
        }
        thread::sleep(SETTLE);
        let driven = load.run(
            self.target(order.size),
            &schedule(order),
            length(order),
            at.cancel,
        );
        let (mut reading, fault) = match driven {
            Ok(reading) => (Some(reading), None),
            Err(failed) => match failed.cause {
                Cause::Interrupted => (None, None),
                Cause::Fault(fault) => (Some(*failed.reading), Some(self.in_its_words(at, fault))),
            },
        };
        if let Some(reading) = &mut reading {
            reading.connections = order.connections;
        }
        Driven { reading, fault }
    }

    fn close(&mut self) -> bool {
        self.targets.iter_mut().for_each(|(_, target)| target.close());
        false
    }
}

pub(crate) fn schedule(order: &SliceOrder) -> Schedule {
    let (connections, depth) = (order.connections, order.depth);
    match order.mode {
        Mode::Capacity => Schedule::Capacity { connections, depth },
        Mode::Cost => Schedule::Cost {
            connections,
            depth,
            rate: order.rate,
        },
        // No server is a command.
        Mode::Command => unreachable!("commands are not driven over sockets"),
        Mode::Batch => Schedule::Batch {
            programs: order.programs,
            connections,
            requests: order.requests,
            depth,
        },
    }
}

pub(crate) fn length(order: &SliceOrder) -> Length {
    let time = Duration::from_secs_f64(order.length.0);
    Length {
        at_most: time.max(STRETCH),
        ..Length::time(time)
    }
}
