//! A load generator, its targets, and slices.

mod slice;

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tare_model::driving::ConnectionUse;
use tare_model::fault::{Fault, FaultKind};
use tare_model::measure::LoadReading;
use tare_model::tls::TlsReading;

use crate::address::{Address, PER_SOURCE};
use crate::connection_pool::ConnectionPool;
use crate::engine::Scratch;
use crate::job::Work;
use crate::schedule::{Length, Schedule, Tally, phase};

/// The configuration of a load generator.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadConfig {
    /// The cores that it is pinned to, with a thread on each. Empty: one thread, which the scheduler places.
    pub cores: Vec<u32>,
    /// Whether nothing else runs on those cores: an open loop then waits awake for its send times, to the microsecond
    /// (asleep it was 25 µs late at the median and milliseconds at p99.9). The reading does not count this time as work.
    pub own_cores: bool,
    /// How long to wait for an outstanding answer, or an opening or closing connection.
    pub timeout: Duration,
    /// Seed of everything random: which request is next, the phase of an open loop. Generators that send together have the
    /// same seed.
    pub seed: u64,
    /// Its number (from 0) and the number of generators that send together: their open loops take turns, so that all of them
    /// send as evenly as one would, and each draws requests of its own.
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
    /// For the phases of open loops: the same in all generators that send together.
    phases: fastrand::Rng,
    tally: Arc<Tally>,
}

/// Counts the answers of the current slice, for another thread.
#[derive(Debug, Clone)]
pub struct AnswerCounter(Arc<Tally>);

impl AnswerCounter {
    /// Right answers of the slice so far.
    pub fn answers(&self) -> u64 {
        self.0.total()
    }
}

/// A server, the job that it has to do, and the connections to it, which stay open between slices.
pub struct Target {
    address: Address,
    work: Work,
    pools: Vec<ConnectionPool>,
    /// The number of the first source address that its connections come from, where that was given.
    source: Option<u32>,
    usage: ConnectionUse,
    /// What was seen of TLS when connections were opened apart from a slice.
    seen: Option<TlsReading>,
}

/// Why a slice ended early.
#[derive(Debug, Clone, PartialEq)]
pub enum Cause {
    /// A fault of the contender, or of the instrument.
    Fault(Fault),
    /// The stop flag was set.
    Interrupted,
}

/// A slice that ended early: why, and what was measured until then. Its request counts balance: outstanding requests are
/// counted as lost.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", match cause { Cause::Fault(fault) => fault.detail.as_str(), Cause::Interrupted => "interrupted" })]
pub struct LoadFault {
    /// Why.
    pub cause: Cause,
    /// What was measured until then.
    pub reading: Box<LoadReading>,
}

impl Target {
    /// A server that listens at `address`; no connection is opened yet.
    pub fn new(address: Address, work: Work) -> Self {
        Self {
            address,
            work,
            pools: Vec::new(),
            source: None,
            usage: ConnectionUse::default(),
            seen: None,
        }
    }

    /// How requests follow each other on its connections, from the next slice on.
    pub fn set_use(&mut self, usage: ConnectionUse) {
        self.usage = usage;
    }

    /// Gives its connections source addresses of their own, from the n-th on, 16,384 connections from each, so that several
    /// generators share no ports. (Otherwise only a target with more connections than that has them.) Only on IPv4 loopback.
    pub fn from_source(mut self, n: u32) -> Self {
        self.source = Some(n);
        self
    }

    /// Whether the source addresses of `n` connections are chosen here.
    fn is_spread(&self, n: usize) -> bool {
        self.source.is_some() || n > PER_SOURCE as usize
    }

    /// The address where it listens.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// The job.
    pub fn work(&self) -> &Work {
        &self.work
    }

    /// The number of connections that are kept for it.
    pub fn connections(&self) -> usize {
        self.pools.iter().map(|pool| pool.conns.len()).sum()
    }

    /// Closes all connections.
    pub fn close(&mut self) {
        self.pools.clear();
    }

    /// What was seen of TLS since this was asked last.
    fn take_seen(&mut self) -> Option<TlsReading> {
        let before = self.seen.take();
        let all = before
            .into_iter()
            .chain(self.pools.iter_mut().filter_map(|pool| pool.tls.take()));
        tls_of(all)
    }

    /// Changes it to `n` connections in `cores` pools, each connection with up to `depth` requests in flight.
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
            pool.limit(self.usage.renew_after);
            before += mine;
        }
        Ok(())
    }

    fn pool(&self, rng: &mut fastrand::Rng) -> io::Result<ConnectionPool> {
        ConnectionPool::new(self.work.protocol.fork(), rng.u64(..))
    }
}

/// What was seen of TLS in all, if something was.
fn tls_of(parts: impl Iterator<Item = TlsReading>) -> Option<TlsReading> {
    parts.reduce(|mut all, part| {
        all.merge(&part);
        all
    })
}

/// The share of one of `parts` in `n`: the first ones have one more where `n` cannot be divided evenly.
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

    /// A counter of the current slice's answers, for another thread.
    pub fn answer_counter(&self) -> AnswerCounter {
        AnswerCounter(self.tally.clone())
    }

    /// Opens the connections of a target until it has `n`; those that the server closed while idle are opened again. Returns
    /// how many those were.
    ///
    /// # Errors
    /// As [`Load::run`]; bytes that were not asked for are a fault, too.
    pub fn connect(&mut self, target: &mut Target, n: u32, stop: &AtomicBool) -> Result<u32, LoadFault> {
        let schedule = Schedule::Capacity {
            connections: n,
            depth: 1,
        };
        let nothing = Length {
            at_least_answers: 0,
            ..Length::answers(0, Duration::ZERO)
        };
        let reading = self.run(target, &schedule, nothing, stop)?;
        // The next slice has it.
        target.seen = reading.tls;
        Ok(reading.reopened)
    }

    /// The phase of each load core in the next slice.
    fn next_phases(&mut self, cores: usize) -> Vec<f64> {
        let drawn = self.phases.f64();
        (0..cores)
            .map(|core| phase(drawn, self.config.turn, core, cores))
            .collect()
    }

    /// Drives a target for a slice.
    ///
    /// Before the measured time the connections of the schedule are opened, unless they are open. At its end no new request
    /// is sent (except those that were due, unless the length drops them), and outstanding answers are waited for, as long
    /// as no connection owes one for longer than the timeout. `wall` and `answers` are of the measured time, `requests` and
    /// `latency` of the whole slice.
    ///
    /// # Errors
    /// The first fault ends the slice at once, on all load cores, and closes all connections: `Wrong`, `Unasked`, `Hung`,
    /// `ClosedEarly`, `Died` (nothing listens), `Instrument` (the generator failed).
    pub fn run(
        &mut self,
        target: &mut Target,
        schedule: &Schedule,
        length: Length,
        stop: &AtomicBool,
    ) -> Result<LoadReading, LoadFault> {
        if let Some(flaw) = schedule.flaw(target.usage) {
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
    /// A slice of which nothing is known, since it was interrupted.
    pub fn interrupted() -> Self {
        Self {
            cause: Cause::Interrupted,
            reading: Box::default(),
        }
    }

    /// A slice that the load side could not drive.
    pub fn instrument(what: String) -> Self {
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
