//! One slice over all load cores.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Barrier, Mutex};
use std::thread;
use std::time::Instant;

use tare_model::fault::{Fault, FaultKind};
use tare_model::measure::LoadReading;
use tare_sys::affinity::set_affinity;
use tare_sys::limits::sleep_precisely;
use tare_sys::tcp::Counters;

use super::{Cause, Load, LoadFault, Target, share, tls_of};
use crate::address::Address;
use crate::conn::Conn;
use crate::connection_pool::ConnectionPool;
use crate::engine::{CoreReading, Engine, Halt, Scratch, SliceContext, merge};
use crate::limits;
use crate::schedule::{Batch, Capacity, Cost, Length, Pace, Ready, Schedule, SendTimes, Span};

/// The share of one load core in a slice.
struct CoreTask<'a> {
    slice: &'a SliceContext<'a>,
    schedule: &'a Schedule,
    length: &'a Length,
    core: usize,
    cores: usize,
    pin: Option<u32>,
    phase: f64,
    /// All load cores wait here for each other before they drive.
    ready: &'a Barrier,
    /// The first fault of all load cores.
    fault: &'a Mutex<Option<Fault>>,
}

/// Drives a target for a slice.
pub(super) fn drive(
    load: &mut Load,
    target: &mut Target,
    schedule: &Schedule,
    length: &Length,
    stop: &AtomicBool,
) -> Result<LoadReading, LoadFault> {
    // A load core without a connection would have nothing to do.
    let cores = load.scratch.len().min(schedule.connections() as usize);
    let mut fresh = Vec::new();
    let shaped = match schedule {
        Schedule::Batch { programs, .. } => {
            batch_pools(target, schedule, *programs, cores, &mut load.rng).map(|pools| fresh = pools)
        }
        _ => target.shape(
            schedule.connections() as usize,
            schedule.depth(),
            cores,
            &mut load.rng,
        ),
    };
    shaped
        .map_err(|error| LoadFault::instrument(format!("no event queue (epoll) could be made: {error}")))?;
    let batch = matches!(schedule, Schedule::Batch { .. });
    let spread = target.is_spread(schedule.connections() as usize);
    let pools = if batch { &mut fresh } else { &mut target.pools };
    let (abort, tally) = (AtomicBool::new(false), load.tally.clone());
    tally.reset();
    let slice = SliceContext {
        work: &target.work,
        address: &target.address,
        depth: schedule.depth(),
        usage: target.usage,
        awake: load.config.own_cores && matches!(schedule, Schedule::Cost { .. }),
        own_sources: batch || spread,
        unanswered_at_most: batch.then(|| (limits::unanswered_at_most() / cores as u32).max(1)),
        programs: if let Schedule::Batch { programs, .. } = schedule {
            *programs
        } else {
            0
        },
        timeout: load.config.timeout,
        start: Instant::now(),
        stop,
        abort: &abort,
        tally: &tally,
    };
    let before = counters(&target.address)?;
    let (readings, fault) = all_cores(load, pools, &slice, schedule, length);
    let seen = counters(&target.address)?.since(before);
    let mut reading = merge(&readings);
    (reading.retransmits, reading.overflows) = (seen.retransmits, seen.overflows);
    let of_batch = fresh.iter_mut().filter_map(|pool| pool.tls.take());
    reading.tls = tls_of(of_batch.chain(target.take_seen()));
    match fault {
        Some(fault) => Err(LoadFault {
            cause: Cause::Fault(fault),
            reading: Box::new(reading),
        }),
        // Set during the slice, or in its last moment: then the slice may be complete, but the caller does not want it.
        None if stop.load(Ordering::Relaxed) => Err(LoadFault {
            cause: Cause::Interrupted,
            reading: Box::new(reading),
        }),
        None => Ok(reading),
    }
}

/// The kernel's counters where the connections are.
fn counters(address: &Address) -> Result<Counters, LoadFault> {
    let _stay = address
        .enter()
        .map_err(|error| LoadFault::instrument(not_entered(&error)))?;
    Ok(Counters::read())
}

fn not_entered(error: &io::Error) -> String {
    format!("the load could not enter the network namespace of the server: {error}")
}

/// Fresh connections for a batch: programs take turns, so that all begin at the same time.
fn batch_pools(
    target: &Target,
    schedule: &Schedule,
    programs: u32,
    cores: usize,
    rng: &mut fastrand::Rng,
) -> io::Result<Vec<ConnectionPool>> {
    let all = schedule.connections() as usize;
    let mut number = 0..all as u32;
    let mut pools = Vec::with_capacity(cores);
    for core in 0..cores {
        let mut pool = target.pool(rng)?;
        let mine = number.by_ref().take(share(all, core, cores));
        pool.conns = mine.map(|number| Conn::new(number % programs)).collect();
        pool.fit(schedule.depth());
        pools.push(pool);
    }
    Ok(pools)
}

fn all_cores(
    load: &mut Load,
    pools: &mut [ConnectionPool],
    slice: &SliceContext,
    schedule: &Schedule,
    length: &Length,
) -> (Vec<CoreReading>, Option<Fault>) {
    let cores = pools.len();
    let (ready, fault) = (Barrier::new(cores), Mutex::new(None));
    let phases = load.next_phases(cores);
    let readings = thread::scope(|scope| {
        let threads: Vec<_> = pools
            .iter_mut()
            .zip(&mut load.scratch)
            .enumerate()
            .map(|(core, (pool, scratch))| {
                let pin = load.config.cores.get(core).copied();
                let phase = phases[core];
                let (ready, fault) = (&ready, &fault);
                let task = CoreTask {
                    slice,
                    schedule,
                    length,
                    core,
                    cores,
                    pin,
                    phase,
                    ready,
                    fault,
                };
                scope.spawn(move || task.run(pool, scratch))
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("a load thread does not panic"))
            .collect()
    });
    (
        readings,
        fault.into_inner().expect("a load thread does not panic"),
    )
}

/// Makes the calling thread a generator: pinned to `core`, and woken to the nanosecond.
fn become_generator(core: Option<u32>) -> io::Result<()> {
    sleep_precisely()?;
    core.map_or(Ok(()), |core| set_affinity(&[core]))
}

impl CoreTask<'_> {
    /// Opens connections, waits for the other cores, and drives.
    fn run(&self, pool: &mut ConnectionPool, scratch: &mut Scratch) -> CoreReading {
        // For the whole life of this thread: a connection that is opened later costs no change of namespace.
        let entered = self.slice.address.enter();
        let made = become_generator(self.pin).map_err(|error| self.not_made(&error));
        let made = made.and(
            entered
                .as_ref()
                .map(drop)
                .map_err(|error| Halt::Fault(Fault::new(FaultKind::Instrument, not_entered(error)))),
        );
        let opened = match made {
            Ok(()) if !matches!(self.schedule, Schedule::Batch { .. }) => self.open(pool, scratch),
            other => other.map(|()| 0),
        };
        let opened = self.note(opened);
        // Also after a fault: the other cores wait here.
        self.ready.wait();
        let Some(reopened) = opened else {
            return CoreReading::default();
        };
        let (mut reading, result) = self.drive(pool, scratch);
        reading.reopened += reopened;
        self.note(result);
        reading
    }

    fn not_made(&self, error: &io::Error) -> Halt {
        let core = self
            .pin
            .map_or("any core".to_owned(), |core| format!("core {core}"));
        Halt::Fault(Fault::new(
            FaultKind::Instrument,
            format!(
                "the load could not be placed on {core} ({error}): choose cores of the affinity mask that tare was \
                 started with (`taskset -p $$`)"
            ),
        ))
    }

    /// Opens the connections that are not open; returns how many were opened again.
    fn open(&self, pool: &mut ConnectionPool, scratch: &mut Scratch) -> Result<u32, Halt> {
        let until = self.slice.start.elapsed().as_nanos() as u64;
        let (reading, result) =
            Engine::new(self.slice, self.core, pool, scratch, Ready { until }, until).run();
        result.map(|()| reading.reopened)
    }

    /// Keeps the first fault, and stops the other cores.
    fn note<T>(&self, result: Result<T, Halt>) -> Option<T> {
        match result {
            Ok(value) => return Some(value),
            Err(Halt::Stopped) => {}
            Err(Halt::Fault(fault)) => {
                self.fault
                    .lock()
                    .expect("a load thread does not panic")
                    .get_or_insert(fault);
                self.slice.abort.store(true, Ordering::Relaxed);
            }
        }
        None
    }

    fn drive(&self, pool: &mut ConnectionPool, scratch: &mut Scratch) -> (CoreReading, Result<(), Halt>) {
        let start = self.slice.start.elapsed().as_nanos() as u64;
        let connections = pool.conns.len();
        let all = self.schedule.connections() as usize;
        let budget = self
            .length
            .answers
            .map(|n| share(n as usize, self.core, self.cores) as u64);
        match *self.schedule {
            Schedule::Capacity { depth, .. } => {
                let span = Span::new(start, self.length, self.slice.tally);
                self.pace(
                    pool,
                    scratch,
                    start,
                    Capacity::new(span, connections, depth, budget),
                )
            }
            Schedule::Cost { rate, depth, .. } => {
                let share = connections as f64 / all as f64;
                let times = SendTimes::new(start, rate.0 * share, self.phase, self.length, budget, share);
                let cost = Cost::new(times, connections, depth);
                // A given number of requests is sent, however long that takes.
                let drops = self.length.drops && budget.is_none();
                self.pace(pool, scratch, start, cost.dropping(drops))
            }
            Schedule::Batch { requests, .. } => {
                self.pace(pool, scratch, start, Batch::new(connections, requests))
            }
        }
    }

    fn pace<P: Pace>(
        &self,
        pool: &mut ConnectionPool,
        scratch: &mut Scratch,
        start: u64,
        pace: P,
    ) -> (CoreReading, Result<(), Halt>) {
        Engine::new(self.slice, self.core, pool, scratch, pace, start).run()
    }
}
