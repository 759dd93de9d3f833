//! A load generator, its targets, and slices.

mod slice;

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tare_model::fault::{Fault, FaultKind};
use tare_model::measure::LoadReading;

use crate::address::{Address, PER_SOURCE};
use crate::connection_pool::ConnectionPool;
use crate::engine::Scratch;
use crate::job::Work;
use crate::schedule::{Length, Schedule, Tally, phase};

/// How a load generator works.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadConfig {
    /// The cores that it is pinned to, a thread each. Empty: one thread, left to the scheduler.
    pub cores: Vec<u32>,
    /// Whether nothing else runs on those cores: an open loop then waits for its send times awake, to the microsecond
    /// (asleep it was 25 µs late at the median and milliseconds at p99.9). Time so spent is not told as work.
    pub own_cores: bool,
    /// How long an outstanding answer, an opening or a closing connection is waited for.
    pub timeout: Duration,
    /// Seed of everything random: which request is next, the phase of an open loop. Generators that send together have
    /// the same.
    pub seed: u64,
    /// Which one it is of how many generators that send together, from 0: their open loops take turns, so that what all of
    /// them send is as even as what one would, and each draws requests of its own.
    pub turn: (u32, u32),
}

impl Default for LoadConfig {
    fn default() -> Self {
        Self {
            cores: Vec::new(),
            own_cores: false,
            timeout: Duration::from_secs(10),
            seed: 0,
            turn: (0, 1),
        }
    }
}

/// A load generator. Its threads live for a slice; its memory is kept.
pub struct Load {
    config: LoadConfig,
    scratch: Vec<Scratch>,
    rng: fastrand::Rng,
    /// Of open loops' phases: the same in all generators that send together.
    phases: fastrand::Rng,
    tally: Arc<Tally>,
}

/// How many answers a generator has had in the slice that is under way: for whoever looks on, from another thread.
#[derive(Debug, Clone)]
pub struct AnswerCounter(Arc<Tally>);

impl AnswerCounter {
    /// Right answers of the slice so far.
    pub fn answers(&self) -> u64 {
        self.0.total()
    }
}

/// A server, the job that it is to do, and the connections to it, which stay open between slices.
pub struct Target {
    address: Address,
    work: Work,
    pools: Vec<ConnectionPool>,
    /// The first source address that its connections come from, where that was said.
    source: Option<u32>,
}

/// Why a slice did not come to its end.
#[derive(Debug, Clone, PartialEq)]
pub enum Cause {
    /// The contender's fault, or the instrument's.
    Fault(Fault),
    /// The stop flag was set.
    Interrupted,
}

/// A slice that did not come to its end: why, and what was seen until then. Its requests balance: what was
/// outstanding is booked as lost.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", match cause { Cause::Fault(fault) => fault.detail.as_str(), Cause::Interrupted => "interrupted" })]
pub struct LoadFault {
    /// Why.
    pub cause: Cause,
    /// What was seen until then.
    pub reading: Box<LoadReading>,
}

impl Target {
    /// A server that listens at `address`; nothing is opened yet.
    pub fn new(address: Address, work: Work) -> Self {
        Self {
            address,
            work,
            pools: Vec::new(),
            source: None,
        }
    }

    /// Connections come from source addresses of their own, from the n-th on, 16,384 from each: so several generators
    /// share no ports. (Without that they do so where there are more than that.) On IPv4 loopback only.
    pub fn from_source(mut self, n: u32) -> Self {
        self.source = Some(n);
        self
    }

    /// Whether so many connections come from source addresses that are chosen here.
    fn is_spread(&self, n: usize) -> bool {
        self.source.is_some() || n > PER_SOURCE as usize
    }

    /// Where it listens.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// The job.
    pub fn work(&self) -> &Work {
        &self.work
    }

    /// Connections that are kept for it.
    pub fn connections(&self) -> usize {
        self.pools.iter().map(|pool| pool.conns.len()).sum()
    }

    /// Closes all connections.
    pub fn close(&mut self) {
        self.pools.clear();
    }

    /// Makes it hold `n` connections over `cores` pools, each with so many requests in flight at most.
    fn shape(&mut self, n: usize, depth: u32, cores: usize, rng: &mut fastrand::Rng) -> io::Result<()> {
        if self.pools.len() != cores {
            self.pools = (0..cores).map(|_| self.pool(rng)).collect::<io::Result<_>>()?;
        }
        let (mut before, source) = (0, self.source.unwrap_or(0));
        for (core, pool) in self.pools.iter_mut().enumerate() {
            let mine = share(n, core, cores);
            pool.resize(mine, depth, |index| {
                source + ((before + index) as u32) / PER_SOURCE
            });
            before += mine;
        }
        Ok(())
    }

    fn pool(&self, rng: &mut fastrand::Rng) -> io::Result<ConnectionPool> {
        ConnectionPool::new(self.work.wire.fork(), rng.u64(..))
    }
}

/// What one of `parts` gets of `n`, the first ones one more where it does not come out even.
fn share(n: usize, part: usize, parts: usize) -> usize {
    n / parts + usize::from(part < n % parts)
}

impl Load {
    /// A load generator.
    pub fn new(config: LoadConfig) -> Self {
        let threads = config.cores.len().max(1);
        let rng = fastrand::Rng::with_seed(config.seed.wrapping_add(u64::from(config.turn.0)));
        Self {
            phases: fastrand::Rng::with_seed(!config.seed),
            scratch: (0..threads).map(|_| Scratch::new()).collect(),
            tally: Arc::new(Tally::new(threads)),
            rng,
            config,
        }
    }

    /// Who can see from another thread how it goes.
    pub fn answer_counter(&self) -> AnswerCounter {
        AnswerCounter(self.tally.clone())
    }

    /// Its configuration.
    pub fn config(&self) -> &LoadConfig {
        &self.config
    }

    /// Makes a target hold `n` open connections; those that the server closed while idle are opened again. Returns
    /// how many those were. Bytes that nobody asked for are a fault; every fault closes all connections.
    pub fn connect(&mut self, target: &mut Target, n: u32, stop: &AtomicBool) -> Result<u32, LoadFault> {
        let schedule = Schedule::Capacity {
            connections: n,
            depth: 1,
        };
        let nothing = Length {
            at_least_answers: 0,
            ..Length::answers(0, Duration::ZERO)
        };
        self.run(target, &schedule, nothing, stop)
            .map(|reading| reading.reopened)
    }

    /// The phase of each of so many load cores in the next slice.
    fn next_phases(&mut self, cores: usize) -> Vec<f64> {
        let drawn = self.phases.f64();
        (0..cores)
            .map(|core| phase(drawn, self.config.turn, core, cores))
            .collect()
    }

    /// Drives a target for a slice.
    ///
    /// Before the measured time the schedule's connections are opened, or found open. At its end nothing new is
    /// sent (but what was due before, unless the length drops it), and what is outstanding is waited for, as long as no
    /// connection owes an answer for longer than the timeout: `wall` and `answers` count the measured time, `requests` and
    /// `latency` the whole slice.
    ///
    /// # Errors
    /// The first fault ends the slice at once, on all load cores, and closes all connections: `Wrong`, `Unasked`,
    /// `Hung`, `ClosedEarly`, `Died` (nothing listens), `Instrument` (this side could not).
    pub fn run(
        &mut self,
        target: &mut Target,
        schedule: &Schedule,
        length: Length,
        stop: &AtomicBool,
    ) -> Result<LoadReading, LoadFault> {
        if let Some(flaw) = schedule.flaw() {
            let what = format!("the schedule {schedule:?} cannot be driven: {flaw}");
            return Err(LoadFault::instrument(what));
        }
        let result = slice::drive(self, target, schedule, &length, stop);
        if result.is_err() {
            target.close();
        }
        result
    }
}

impl LoadFault {
    fn instrument(what: String) -> Self {
        let cause = Cause::Fault(Fault::new(FaultKind::Instrument, what));
        Self {
            cause,
            reading: Box::default(),
        }
    }

    /// The fault; none if it was interrupted.
    pub fn fault(&self) -> Option<&Fault> {
        match &self.cause {
            Cause::Fault(fault) => Some(fault),
            Cause::Interrupted => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_of(seed: u64, number: u32, count: u32) -> Load {
        Load::new(LoadConfig {
            seed,
            turn: (number, count),
            ..LoadConfig::default()
        })
    }

    #[test]
    fn generators_that_send_together_take_turns_in_every_slice() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        for count in [2_u32, 3, 7] {
            let mut all: Vec<Load> = (0..count).map(|number| one_of(seed, number, count)).collect();
            for slice in 0..3 {
                let phases: Vec<f64> = all.iter_mut().map(|one| one.next_phases(1)[0]).collect();
                let even = |pair: &[f64]| (pair[1] - pair[0] - 1.0 / f64::from(count)).abs() < 1e-9;
                assert!(
                    phases.windows(2).all(even),
                    "slice {slice} of {count}: {phases:?}"
                );
            }
        }
    }

    #[test]
    fn each_of_them_draws_requests_of_its_own() {
        let mut seen: Vec<u64> = (0..8).map(|number| one_of(1, number, 8).rng.u64(..)).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 8);
        assert_eq!(one_of(5, 0, 1).rng.u64(..), one_of(5, 0, 3).rng.u64(..));
    }
}
