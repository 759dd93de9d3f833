//! A mock rig for tests: contenders are numbers, and every step takes an exact time.

use std::collections::BTreeMap;

use tare_model::fault::{Fault, FaultKind};
use tare_model::figure::{Figure, Quantity};
use tare_model::measure::{HostReading, LoadReading, RequestCounts, SliceReading};
use tare_model::units::{Seconds, Share};

use crate::rig::{Pacing, Rig, SliceOrder, SliceOutcome, Who};

/// One scripted contender.
#[derive(Debug, Clone)]
pub(crate) struct Script {
    /// CPU seconds per answer.
    pub cpu: f64,
    /// Answers per second at full load (at size 0).
    pub capacity: f64,
    /// CPU seconds that each unit of size adds to an answer, and to the time it takes.
    pub per_unit: f64,
    /// A size from which on an answer costs more, and the extra CPU seconds.
    pub step: Option<(u64, f64)>,
    /// Standard deviation of the log of both, slice by slice.
    pub noise: f64,
    /// Standard deviation of the log of both, start by start.
    pub launch_noise: f64,
    /// A fault, and the slice (counted over the run) in which it shows; 0: at the start.
    pub fault: Option<(FaultKind, u32)>,
    /// Every slice, the log of both grows by this: never settles.
    pub drift: f64,
    /// How late each request of an open loop is sent, in seconds; latency includes it.
    pub lag: f64,
    /// Added to the log of both in the first slice after a start, like a just-in-time compiler.
    pub cold: f64,
    /// Added to the log of both in the first twelve slices after a start.
    pub slow: f64,
    /// Added to the log of both in the seventh to tenth slice of the run, as a neighbour on the machine does.
    pub disturbed: f64,
    /// Seconds of load after a start in which a compiler is at work: answers take five times as long, and it takes as much CPU
    /// time as they do.
    pub compiles: f64,
    /// Allocations of an iteration, of a benchmark; a twentieth more or less from slice to slice, and printed in whole ones.
    pub allocations: Option<f64>,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            cpu: 10e-6,
            capacity: 50_000.0,
            per_unit: 0.0,
            step: None,
            noise: 0.01,
            launch_noise: 0.002,
            fault: None,
            drift: 0.0,
            lag: 0.0,
            cold: 0.0,
            slow: 0.0,
            disturbed: 0.0,
            compiles: 0.0,
            allocations: None,
        }
    }
}

impl Script {
    /// The log factor of a slice by what is not yet compiled, which is so many slices after a start.
    fn slow(&self, compiling: bool, slices: u32) -> f64 {
        match compiling {
            true => 5_f64.ln(),
            false if slices == 1 => self.cold + self.slow,
            false if slices <= 12 => self.slow,
            false => 0.0,
        }
    }

    /// The log factor of so many slices after the run began by the machine's noise.
    fn disturbed(&self, slices: u32) -> f64 {
        match slices {
            7..=10 => self.disturbed,
            _ => 0.0,
        }
    }

    /// What a size adds to the cost of an answer, in CPU seconds.
    fn more(&self, size: u64) -> f64 {
        let step = self.step.filter(|(from, _)| size >= *from);
        self.per_unit * size as f64 + step.map_or(0.0, |(_, more)| more)
    }
}

/// What happened to a contender.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Did {
    /// Started.
    Start,
    /// Checked.
    Check,
    /// Measured.
    Slice(SliceOrder),
    /// Stopped.
    Stop,
}

/// The rig.
pub(crate) struct MockRig {
    scripts: BTreeMap<Who, Script>,
    /// Of each: the effect of its start, slices over the run, slices before its start.
    state: BTreeMap<Who, (f64, u32, u32)>,
    /// How long each was loaded since its start.
    loaded: BTreeMap<Who, f64>,
    random: fastrand::Rng,
    now: f64,
    /// Everything that happened, in order.
    pub log: Vec<(f64, Who, Did)>,
    /// When to be interrupted.
    pub interrupt_at: Option<f64>,
    /// What making a pass over benchmarks ready takes.
    pub pass: f64,
    /// The passes, and the groups of each.
    pub passes: Vec<(u32, Vec<usize>)>,
    /// Whose layouts cannot be made, and of which pass.
    pub no_layout: Option<(u32, Who)>,
}

/// What a start costs.
pub(crate) const START: f64 = 0.5;
/// What a check costs.
pub(crate) const CHECK: f64 = 0.25;
/// What thawing, settling, draining and freezing cost.
pub(crate) const SETTLE: f64 = 0.0125;
/// What a stop costs.
pub(crate) const STOP: f64 = 0.125;

impl MockRig {
    /// A rig with one group of scripts.
    pub(crate) fn new(seed: u64, scripts: &[Script]) -> Self {
        Self::with_groups(seed, &[scripts.to_vec()])
    }

    /// A rig with several groups of scripts.
    pub(crate) fn with_groups(seed: u64, groups: &[Vec<Script>]) -> Self {
        let of_group = |(group, scripts): (usize, &Vec<Script>)| {
            let scripts = scripts.iter().cloned().enumerate();
            let all = scripts.map(move |(entrant, script)| (Who { group, entrant }, script));
            all.collect::<Vec<_>>()
        };
        Self {
            scripts: groups.iter().enumerate().flat_map(of_group).collect(),
            state: BTreeMap::new(),
            loaded: BTreeMap::new(),
            random: fastrand::Rng::with_seed(seed),
            now: 0.0,
            log: Vec::new(),
            interrupt_at: None,
            pass: 0.0,
            passes: Vec::new(),
            no_layout: None,
        }
    }

    /// A fresh start draws what it adds to the log of all slices until the next one.
    fn draw(&mut self, who: Who) {
        let effect = self.gaussian() * self.scripts[&who].launch_noise;
        let slices = self.state.get(&who).map_or(0, |state| state.1);
        self.state.insert(who, (effect, slices, slices));
        self.loaded.remove(&who);
    }

    /// Whether a compiler is at work as a slice of this length begins.
    fn compiling(&mut self, who: Who, length: f64) -> bool {
        let loaded = self.loaded.entry(who).or_default();
        let compiling = *loaded < self.scripts[&who].compiles;
        *loaded += length;
        compiling
    }

    /// What a benchmark prints beside its time.
    fn figures(&mut self, script: &Script, time: f64) -> Vec<Figure> {
        let Some(allocations) = script.allocations else {
            return Vec::new();
        };
        let flicker = 0.1 * (self.random.f64() - 0.5);
        let allocations = Figure {
            step: Some(1.0),
            ..Figure::of(Quantity::Allocations, (allocations + flicker).floor())
        };
        vec![Figure::time(time), allocations]
    }

    fn gaussian(&mut self) -> f64 {
        // Box and Muller's transform; 1 − u keeps the logarithm off zero.
        let (u, v) = (1.0 - self.random.f64(), self.random.f64());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    fn log(&mut self, who: Who, did: Did, cost: f64) {
        self.log.push((self.now, who, did));
        self.now += cost;
    }

    fn due(&self, who: Who, slices: u32) -> Option<Fault> {
        let (kind, at) = self.scripts[&who].fault?;
        (slices == at).then(|| Fault::new(kind, format!("scripted: {}", kind.name())))
    }
}

/// Records equal latencies in nanoseconds, at most 200 of them.
fn record(load: &mut LoadReading, pacing: Pacing, latency: f64, lag: f64) {
    for _ in 0..load.answers.min(200) {
        load.latency.record((latency + lag) as u64);
        if pacing == Pacing::Open {
            load.lag.record(lag as u64);
        }
    }
}

impl Rig for MockRig {
    fn now(&self) -> Seconds {
        Seconds(self.now)
    }

    fn interrupted(&self) -> bool {
        self.interrupt_at.is_some_and(|at| self.now >= at)
    }

    fn start(&mut self, who: Who) -> Result<(), Fault> {
        self.log(who, Did::Start, START);
        self.draw(who);
        let slices = self.state[&who].1;
        self.due(who, slices).filter(|_| slices == 0).map_or(Ok(()), Err)
    }

    fn pass(&mut self, number: u32, groups: &[usize]) -> Vec<(Who, Fault)> {
        self.passes.push((number, groups.to_vec()));
        self.now += self.pass;
        let all: Vec<Who> = self.scripts.keys().copied().collect();
        for who in all.into_iter().filter(|who| groups.contains(&who.group)) {
            self.draw(who);
        }
        let out = self.no_layout.filter(|(pass, _)| *pass == number);
        let fault = Fault::new(FaultKind::BuildFailed, "the linker has no room");
        out.map(|(_, who)| (who, fault)).into_iter().collect()
    }

    fn check(&mut self, who: Who) -> Result<(), Fault> {
        self.log(who, Did::Check, CHECK);
        Ok(())
    }

    fn slice(&mut self, who: Who, order: &SliceOrder) -> SliceOutcome {
        let script = self.scripts[&who].clone();
        let compiling = self.compiling(who, order.length.0);
        let state = self.state.get_mut(&who).expect("it was started");
        state.1 += 1;
        let (effect, slices, before) = *state;
        let early = script.slow(compiling, slices - before) + script.disturbed(slices);
        let more = script.more(order.size.unwrap_or(0));
        let drift = script.drift * f64::from(slices);
        let factor = (effect + early + drift + self.gaussian() * script.noise).exp();
        let rate = match order.pacing {
            Pacing::Open => order.rate.0,
            Pacing::Closed | Pacing::Job => 1.0 / (1.0 / script.capacity + more) / factor,
        };
        let jobs = f64::from(order.programs * order.connections * order.requests);
        let length = if order.pacing == Pacing::Job {
            jobs / rate
        } else {
            order.length.0
        };
        let answers = (rate * length).round().max(1.0) as u64;
        let mut load = LoadReading {
            connections: order.connections,
            wall: Seconds(length),
            answers,
            requests: RequestCounts {
                sent: answers,
                valid: answers,
                ..Default::default()
            },
            checked: Share(1.0),
            ..Default::default()
        };
        if order.pacing == Pacing::Job {
            load.programs = vec![Seconds(length); order.programs as usize];
        }
        record(&mut load, order.pacing, factor * 1e5, script.lag * 1e9);
        let own = (script.cpu + more) * factor * answers as f64;
        let compilers = Seconds(if compiling { length } else { 0.0 });
        let host = HostReading {
            cpu: Seconds(own + compilers.0),
            compilers,
            thawed: Seconds(length + SETTLE),
            ..Default::default()
        };
        let figures = self.figures(&script, length / answers as f64);
        let began = Seconds(self.now);
        self.log(who, Did::Slice(*order), length + SETTLE);
        SliceOutcome {
            reading: Some(SliceReading {
                began,
                load,
                host,
                services: Vec::new(),
                figures,
            }),
            fault: self.due(who, slices),
        }
    }

    fn stop(&mut self, who: Who) -> Option<String> {
        self.log(who, Did::Stop, STOP);
        None
    }
}
