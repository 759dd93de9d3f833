//! A rig for benchmarks: a slice is one process that measures one benchmark, as its harness describes.
//!
//! Nothing is resident. Where layouts are drawn, each pass has another one of every program.

mod build;
mod runner;

use std::time::{Duration, Instant};

use tare_harness::{Benchmark, Effort, Sample};
use tare_host::interrupt;
use tare_lab::rig::{Rig, SliceOrder, SliceOutcome, Who};
use tare_model::fault::{Fault, FaultKind};
use tare_model::measure::{HostReading, LoadReading, SliceReading};
use tare_model::units::Seconds;

pub use build::{Layout, SuiteAt};
pub use runner::{Ran, Runner};

use crate::commands::Around;

/// About how long a sample measures. Longer ones of fewer rounds say less: what disturbs one mostly lasts longer than it.
pub const LENGTH: Duration = Duration::from_millis(50);

/// A benchmark at one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct At {
    /// The index of its suite among those of the rig.
    pub suite: usize,
    /// The index of its program among the suite's.
    pub program: usize,
    /// The benchmark, as its program lists it.
    pub benchmark: Benchmark,
}

/// A benchmark that is measured, and how much one sample does.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// By entrant; none where a side does not have it.
    pub sides: Vec<Option<At>>,
    /// The same for all sides.
    pub effort: Effort,
}

/// How samples are taken.
#[derive(Debug, Clone, Copy)]
pub struct SamplePolicy {
    /// How long one may take.
    pub timeout: Duration,
    /// How long a command of a build may take.
    pub build_timeout: Duration,
    /// The number of cores that they may run on.
    pub cores: usize,
    /// The most layouts of each side; 1: none is drawn.
    pub layouts: u32,
}

/// The rig.
#[derive(Debug)]
pub struct BenchRig {
    runner: Runner,
    suites: Vec<SuiteAt>,
    /// By group.
    benchmarks: Vec<Measured>,
    policy: SamplePolicy,
    began: Instant,
    /// Time for builds, which is no part of the run.
    aside: Duration,
}

impl BenchRig {
    /// A rig for the benchmarks of suites that are built.
    pub fn new(runner: Runner, suites: Vec<SuiteAt>, policy: SamplePolicy) -> Self {
        Self {
            runner,
            suites,
            benchmarks: Vec::new(),
            policy,
            began: Instant::now(),
            aside: Duration::ZERO,
        }
    }

    /// Takes one sample of a benchmark, of about the usual length; returns how much further ones do.
    ///
    /// # Errors
    /// It fails, or does not end in time.
    pub fn calibrate(&mut self, at: &At) -> Result<Effort, Fault> {
        let (sample, _) = self.sample(at, Effort::Time(LENGTH))?;
        Ok(sample.again(LENGTH))
    }

    /// What is measured, by group. The run begins now.
    pub fn begin(&mut self, benchmarks: Vec<Measured>) {
        self.benchmarks = benchmarks;
        self.aside = Duration::ZERO;
        self.began = Instant::now();
    }

    fn sample(&mut self, at: &At, effort: Effort) -> Result<(Sample, Ran), Fault> {
        let suite = &self.suites[at.suite];
        let program = &suite.programs[at.program];
        let scratch = self.runner.scratch()?;
        let command = suite.harness.sample(program, &at.benchmark, effort, &scratch);
        let ran = self.runner.run_padded(&command, self.policy.timeout)?;
        match suite.harness.sampled(&at.benchmark, &ran.done) {
            Ok(sample) => Ok((sample, ran)),
            Err(refused) => Err(Fault::new(FaultKind::Died, refused.to_string())),
        }
    }

    fn measured(&mut self, who: Who) -> Result<SliceReading, Fault> {
        let Measured { sides, effort } = &self.benchmarks[who.group];
        let effort = *effort;
        let Some(at) = sides[who.entrant].clone() else {
            return Err(Fault::new(
                FaultKind::Absent,
                "this side does not have the benchmark",
            ));
        };
        let began = self.now();
        let around = Around::look();
        let (sample, ran) = self.sample(&at, effort)?;
        let host = HostReading {
            steal: around.stolen(),
            pressure: around.waited(),
            ..ran.host(self.policy.cores)
        };
        Ok(SliceReading {
            began,
            load: load(&sample),
            host,
            services: Vec::new(),
            figures: sample.figures,
        })
    }

    /// Has all suites of these groups in a layout of this pass's own.
    fn lay_out(&mut self, number: u32, groups: &[usize]) -> Vec<(Who, Fault)> {
        let mut faults = Vec::new();
        for index in 0..self.suites.len() {
            let whose: Vec<Who> = groups
                .iter()
                .flat_map(|&group| self.members(group))
                .filter(|(_, suite)| *suite == index)
                .map(|(who, _)| who)
                .collect();
            if whose.is_empty() || !self.suites[index].shuffles || interrupt::asked() {
                continue;
            }
            let layout = Layout::of(number % self.policy.layouts);
            if let Err(fault) = self.suites[index].build(layout, &mut self.runner, self.policy.build_timeout)
            {
                faults.extend(whose.into_iter().map(|who| (who, fault.clone())));
            }
        }
        faults
    }

    fn members(&self, group: usize) -> impl Iterator<Item = (Who, usize)> {
        let sides = self.benchmarks[group].sides.iter().enumerate();
        sides.filter_map(move |(entrant, at)| Some((Who { group, entrant }, at.as_ref()?.suite)))
    }
}

/// The time as a load of so many answers, so that the metric time per operation is the figure that was printed.
fn load(sample: &Sample) -> LoadReading {
    let answers = sample.iterations.unwrap_or(1).max(1);
    LoadReading {
        answers,
        wall: Seconds(sample.time().unwrap_or(0.0) * answers as f64),
        ..LoadReading::default()
    }
}

impl Rig for BenchRig {
    fn now(&self) -> Seconds {
        Seconds::from_duration(self.began.elapsed().saturating_sub(self.aside))
    }

    fn interrupted(&self) -> bool {
        interrupt::asked()
    }

    /// Each sample is a start of its own.
    fn start(&mut self, _who: Who) -> Result<(), Fault> {
        Ok(())
    }

    /// What a sample left is checked when it is read.
    fn check(&mut self, _who: Who) -> Result<(), Fault> {
        Ok(())
    }

    fn pass(&mut self, number: u32, groups: &[usize]) -> Vec<(Who, Fault)> {
        if self.policy.layouts < 2 {
            return Vec::new();
        }
        let began = Instant::now();
        let faults = self.lay_out(number, groups);
        self.aside += began.elapsed();
        faults
    }

    fn slice(&mut self, who: Who, _order: &SliceOrder) -> SliceOutcome {
        self.measured(who).into()
    }

    fn stop(&mut self, _who: Who) -> Option<String> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::figure::{Figure, Quantity};
    use tare_model::metric::Metric;

    #[test]
    fn the_time_per_operation_is_the_figure() {
        let sample = |figure: Figure, iterations| Sample {
            figures: vec![figure],
            iterations,
            left_out: Vec::new(),
        };
        let value = |sample: &Sample| {
            let reading = SliceReading {
                load: load(sample),
                ..SliceReading::default()
            };
            (reading.value(Metric::TimePerOp), reading.value(Metric::CpuPerOp))
        };
        let (time, cpu) = value(&sample(Figure::time(2e-6), Some(1000)));
        assert!((time.unwrap() - 2e-6).abs() < 1e-18 && cpu.is_none());
        assert_eq!(value(&sample(Figure::time(0.5), None)).0, Some(0.5));
        assert_eq!(value(&sample(Figure::of(Quantity::Bytes, 3.0), None)).0, None);
    }
}
