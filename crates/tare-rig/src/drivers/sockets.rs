//! Servers: driven by the load generator over loopback sockets.

use std::net::SocketAddr;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use tare_host::keeper::Keeper;
use tare_host::process::Process;
use tare_lab::rig::SliceOrder;
use tare_load::job::{self, Way};
use tare_load::{Address, Cause, Target, Work, exchange};
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::{HttpJob, Job, Speaks};
use tare_model::scheme::{Scheme, Speech};
use tare_remote::{Served, ServedJob};

use super::{contained, forker, front, resident};
use crate::contender::{RigGroup, Runnable};
use crate::destination::{Destination, Generators, UNREACHED, UNTRUSTED};
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
    /// How the load speaks with it.
    way: Way,
    /// What is asked of it.
    job: Job,
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
    let scheme = scheme(group, runnable);
    if group.reached.is_some() && scheme.secure {
        return Err(Fault::new(FaultKind::NeverReady, UNTRUSTED));
    }
    // What is wrong with it is known before anything runs.
    let way = way(group, runnable, scheme)?;
    let (process, port) = match (&runnable.front, &runnable.container) {
        (Some(own), _) => front::start(own, keeper, cancel, group, runnable)?,
        (None, Some(own)) => contained::start(own, keeper, cancel, group, runnable)?,
        (None, None) if runnable.speaks == Speaks::Cgi => forker::start(keeper, cancel, group, runnable)?,
        (None, None) => resident::start(keeper, cancel, (group, group.host()), runnable)?,
    };
    let at = SocketAddr::new(group.host(), port);
    let address = match process.network() {
        Some(network) => Address::Inside(network.clone(), at),
        None => Address::Ip(at),
    };
    let job = job_of(group, runnable);
    let sockets = Sockets {
        targets: targets(group, &job, &address, (&way, scheme))?,
        address,
        way,
        job,
    };
    Ok((process, Box::new(sockets)))
}

/// The job of its group, at the path where this contender does it.
fn job_of(group: &RigGroup, runnable: &Runnable) -> Job {
    match (&group.job, &runnable.path) {
        (Job::Http(http), Some(path)) => Job::Http(HttpJob {
            path: path.clone(),
            ..http.clone()
        }),
        (job, _) => job.clone(),
    }
}

/// Whether it speaks to the load by itself, in its own way and by a scheme.
fn speaks_own(runnable: &Runnable) -> bool {
    // With a front, the load speaks HTTP with that.
    runnable.front.is_some() || !matches!(runnable.speaks, Speaks::FastCgi | Speaks::Cgi)
}

/// The scheme of what the load sends a contender.
fn scheme(group: &RigGroup, runnable: &Runnable) -> Scheme {
    match speaks_own(runnable) {
        true => runnable
            .scheme
            .or(group.job.scheme())
            .expect("a job over sockets has a scheme"),
        false => Scheme::clear(Speech::Http),
    }
}

/// How the load speaks with a contender.
fn way(group: &RigGroup, runnable: &Runnable, scheme: Scheme) -> Result<Way, Fault> {
    if !speaks_own(runnable) {
        return Ok(Way::clear(runnable.speaks, scheme.speech));
    }
    let authority = group.certificate.as_ref().map(|files| files.authority.as_str());
    let way = Way::of_scheme(scheme, authority.unwrap_or_default());
    way.map_err(|error| Fault::new(FaultKind::Instrument, error.to_string()))
}

fn targets(
    group: &RigGroup,
    whole: &Job,
    address: &Address,
    (way, scheme): (&Way, Scheme),
) -> Result<Vec<(Option<u64>, Destination)>, Fault> {
    let target = |job: &Job| -> Result<Destination, Fault> {
        let work = work_of(way, job, address, group.seed)?;
        let target = Target::new(address.clone(), work.sampled(job::WHOLE));
        let served = |server: SocketAddr| {
            Served::Job(ServedJob {
                job: job.to_text(),
                speaks: way.speaks().name().to_owned(),
                scheme: scheme.name().to_owned(),
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
        return Ok(vec![(None, target(whole)?)]);
    }
    let at = |size: &u64| Ok((Some(*size), target(&whole.at_size(*size))?));
    group.sizes.iter().map(at).collect()
}

fn work_of(way: &Way, job: &Job, address: &Address, seed: u64) -> Result<Work, Fault> {
    let work = Work::over(way, job, address, seed);
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
        matches!(self.way.speaks(), Speaks::FastCgi | Speaks::Cgi)
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
            let work = work_of(&self.way, &self.job.at_size(size), &self.address, group.seed)?;
            exchange::first_answer(&self.address, &work, group.timeout, false, cancel).map_err(|fault| {
                let text = format!("at size {size}, drawn for this check: {}", fault.detail);
                Fault::new(fault.kind, text)
            })?;
        }
        Ok(())
    }

    /// Adds to a fault what a CGI program wrote to its standard error: it has ended, so its log is the only trace.
    fn with_log(&self, context: &DriverContext<'_>, fault: Fault) -> Fault {
        if self.way.speaks() != Speaks::Cgi || context.process.log_tail(LINES).trim().is_empty() {
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
        checked.map_err(|fault| with_certificate(self.with_log(context, fault)))
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
                if self.way.speaks() == Speaks::Cgi {
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
        let allowed = reading.as_ref().and_then(|reading| reading.streams);
        let fault = fault.or_else(|| allowed.map(|allowed| too_few_streams(allowed, order)));
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

/// Adds to a fault of TLS where a contender has its certificate from.
fn with_certificate(fault: Fault) -> Fault {
    if fault.kind != FaultKind::Tls {
        return fault;
    }
    let text = format!(
        "{}\n\nhint: over TLS a contender shows the certificate of the run, whose files are {{cert}} and {{key}}",
        fault.detail
    );
    Fault::new(fault.kind, text)
}

/// A contender that allows fewer streams than were asked for is not driven as the others are.
fn too_few_streams(allowed: u32, order: &SliceOrder) -> Fault {
    let what = format!(
        "it allows {allowed} streams on a connection, and {} were asked for: have it allow more, or run all with \
         `--pipeline {allowed}`",
        order.depth
    );
    Fault::new(FaultKind::Instrument, what)
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
