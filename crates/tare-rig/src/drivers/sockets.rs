//! Servers: driven by the load generator over loopback sockets.

use std::net::SocketAddr;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use tare_host::keeper::Keeper;
use tare_host::process::Process;
use tare_lab::rig::SliceOrder;
use tare_load::{Address, Cause, Target, Work, exchange, job};
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::{Job, Speaks};
use tare_remote::{Served, ServedJob};

use super::{contained, forker, front, resident};
use crate::contender::{RigGroup, Runnable};
use crate::destination::{Destination, Generators, UNREACHED};
use crate::driver::{Driven, Driver, DriverContext};

/// The wait between a thaw and the first request, in which timers that fell due fire and idle connections close
/// (docs/measuring.md, slices).
const SETTLE: Duration = Duration::from_millis(10);

/// How many of the last lines that CGI programs printed a fault shows.
const LINES: usize = 5;

/// Sizes that are drawn for a check, besides those that are measured.
const DRAWN: usize = 3;

struct Sockets {
    address: Address,
    /// By size, in the order of the sweep; without a sweep, one without a size. Each has connections of its own.
    targets: Vec<(Option<u64>, Destination)>,
    /// The protocol that the load speaks with it.
    speaks: Speaks,
}

/// Starts a server on a free port and waits until it is ready.
pub(crate) fn start(
    keeper: &Keeper,
    cancel: &AtomicBool,
    group: &RigGroup,
    runnable: &Runnable,
) -> Result<(Process, Box<dyn Driver>), Fault> {
    if group.reached.is_some() && runnable.container.is_some() {
        return Err(Fault::new(FaultKind::NeverReady, UNREACHED));
    }
    let (speaks, (process, port)) = match (&runnable.front, &runnable.container) {
        // With a front, the load speaks HTTP.
        (Some(own), _) => (Speaks::Own, front::start(own, keeper, cancel, group, runnable)?),
        (None, Some(own)) => (
            Speaks::Own,
            contained::start(own, keeper, cancel, group, runnable)?,
        ),
        (None, None) if runnable.speaks == Speaks::Cgi => {
            (Speaks::Cgi, forker::start(keeper, cancel, group, runnable)?)
        }
        (None, None) => {
            let host = group.host();
            (
                runnable.speaks,
                resident::start(keeper, cancel, (group, host), runnable)?,
            )
        }
    };
    let at = SocketAddr::new(group.host(), port);
    let address = match process.network() {
        Some(network) => Address::Inside(network.clone(), at),
        None => Address::Ip(at),
    };
    let sockets = Sockets {
        targets: targets(group, &address, speaks)?,
        address,
        speaks,
    };
    Ok((process, Box::new(sockets)))
}

fn targets(
    group: &RigGroup,
    address: &Address,
    speaks: Speaks,
) -> Result<Vec<(Option<u64>, Destination)>, Fault> {
    let target = |job: &Job| -> Result<Destination, Fault> {
        let work = work_of(speaks, job, address, group.seed)?;
        let target = Target::new(address.clone(), work.sampled(job::WHOLE));
        let served = |server: SocketAddr| {
            Served::Job(ServedJob {
                job: job.to_text(),
                speaks: speaks.name().to_owned(),
                server,
                seed: group.seed,
            })
        };
        let served = match address {
            Address::Ip(server) if group.reached.is_some() => Some(served(*server)),
            _ => None,
        };
        Ok(Destination::new(target, served))
    };
    if group.sizes.is_empty() {
        return Ok(vec![(None, target(&group.job)?)]);
    }
    let at = |size: &u64| Ok((Some(*size), target(&group.job.at_size(*size))?));
    group.sizes.iter().map(at).collect()
}

fn work_of(speaks: Speaks, job: &Job, address: &Address, seed: u64) -> Result<Work, Fault> {
    let work = Work::over(speaks, job, address, seed);
    work.map_err(|error| Fault::new(FaultKind::Instrument, error.to_string()))
}

/// Some sizes from the smallest of these to the largest, none of which is among them.
fn sizes_between(sizes: &[u64], seed: u64) -> Vec<u64> {
    let (Some(&least), Some(&most)) = (sizes.iter().min(), sizes.iter().max()) else {
        return Vec::new();
    };
    let mut random = fastrand::Rng::with_seed(seed);
    let drawn = (0..DRAWN).map(|_| random.u64(least..=most));
    drawn.filter(|size| !sizes.contains(size)).collect()
}

impl Sockets {
    /// The target at a size; without a size (in a warm-up), the first.
    fn target(&mut self, size: Option<u64>) -> &mut Destination {
        let found = self.targets.iter().position(|(known, _)| *known == size);
        &mut self.targets[found.unwrap_or(0)].1
    }

    /// Whether it allows only one request in flight on a connection.
    fn is_shallow(&self) -> bool {
        matches!(self.speaks, Speaks::FastCgi | Speaks::Cgi)
    }

    /// Runs the fixed exchanges all at once, each on a connection of its own: an exchange mostly waits for bytes that must
    /// not come.
    fn exchanges(&self, context: &DriverContext<'_>) -> Result<(), Fault> {
        let address = &self.address;
        let (timeout, cancel) = (context.group.timeout, context.cancel);
        let check = |fixed| exchange::check(address, fixed, timeout, cancel);
        thread::scope(|scope| {
            let spawn = |fixed| scope.spawn(move || check(fixed));
            let all: Vec<_> = context.group.exchanges.iter().map(spawn).collect();
            let join = |one: thread::ScopedJoinHandle<'_, _>| one.join().expect("an exchange does not panic");
            // Waits for all; of several faults, returns the first in the manifest's order.
            let ends: Vec<Result<(), Fault>> = all.into_iter().map(join).collect();
            ends.into_iter().collect()
        })
    }

    /// Checks the answers of the job itself, at every size.
    fn answers(&self, context: &DriverContext<'_>, thorough: bool) -> Result<(), Fault> {
        for (n, (_, one)) in self.targets.iter().enumerate() {
            let (work, timeout) = (one.target.work(), context.group.timeout);
            // One thorough check is enough: all sizes run the same program.
            exchange::first_answer(&self.address, work, timeout, thorough && n == 0, context.cancel)?;
        }
        if thorough {
            self.other_requests(context)?;
        }
        Ok(())
    }

    /// Checks requests that mean the same as the job's, and those of sizes that no run measures: a program that does the job
    /// answers them as well.
    fn other_requests(&self, context: &DriverContext<'_>) -> Result<(), Fault> {
        let (group, cancel) = (context.group, context.cancel);
        let work = self.targets[0].1.target.work();
        exchange::other_ways(&self.address, work, group.timeout, cancel)?;
        for size in sizes_between(&group.sizes, group.seed) {
            let work = work_of(self.speaks, &group.job.at_size(size), &self.address, group.seed)?;
            exchange::first_answer(&self.address, &work, group.timeout, false, cancel).map_err(|fault| {
                let text = format!("at size {size}, drawn for this check: {}", fault.detail);
                Fault::new(fault.kind, text)
            })?;
        }
        Ok(())
    }

    /// Adds to a fault what a CGI program wrote to its standard error: it has ended, so its log is the only trace.
    fn with_log(&self, context: &DriverContext<'_>, fault: Fault) -> Fault {
        if self.speaks != Speaks::Cgi || context.process.log_tail(LINES).trim().is_empty() {
            return fault;
        }
        let text = format!("{}\n{}", fault.detail, context.process.log_words(LINES));
        Fault::new(fault.kind, text)
    }
}

impl Driver for Sockets {
    fn check(&mut self, context: &mut DriverContext<'_>, thorough: bool) -> Result<(), Fault> {
        let checked = self
            .exchanges(context)
            .and_then(|()| self.answers(context, thorough));
        checked.map_err(|fault| self.with_log(context, fault))
    }

    fn slice(
        &mut self,
        context: &mut DriverContext<'_>,
        by: &mut Generators<'_>,
        order: &SliceOrder,
    ) -> Driven {
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
        let (reading, fault) = match self.target(order.size).drive(by, order, context.cancel) {
            Ok(reading) => (Some(reading), None),
            Err(failed) => match failed.cause {
                Cause::Interrupted => (None, None),
                Cause::Fault(fault) => (Some(*failed.reading), Some(self.with_log(context, fault))),
            },
        };
        Driven { reading, fault }
    }

    fn rows(&mut self, context: &mut DriverContext<'_>, size: Option<u64>) -> Result<Vec<(u64, u64)>, Fault> {
        let (timeout, stop) = (context.group.timeout, context.cancel);
        let address = self.address.clone();
        exchange::rows(&address, self.target(size).target.work(), timeout, stop)
    }

    fn close(&mut self) -> bool {
        self.targets.iter_mut().for_each(|(_, one)| one.close());
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_drawn_between_those_that_are_measured() {
        assert!(sizes_between(&[], 1).is_empty() && sizes_between(&[7], 1).is_empty());
        for seed in 0..100 {
            let drawn = sizes_between(&[10, 1000, 100], seed);
            assert!(drawn.len() <= DRAWN);
            assert!(
                drawn.iter().all(|size| (11..1000).contains(size) && *size != 100),
                "{drawn:?}"
            );
        }
        assert_eq!(sizes_between(&[10, 1000], 5), sizes_between(&[10, 1000], 5));
    }
}
