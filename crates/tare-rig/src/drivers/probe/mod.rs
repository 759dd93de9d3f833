//! In-process benchmarks: contenders that time their own loop, by the probe protocol (docs/probe.md).

pub(crate) mod ask;
mod judge;
mod pace;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tare_host::keeper::Keeper;
use tare_host::process::Process;
use tare_host::talk::Talk;
use tare_host::{fifo, procfs, sys};
use tare_lab::rig::SliceOrder;
use tare_model::fault::{Fault, FaultKind};
use tare_model::measure::{HostReading, LoadReading, RequestCounts};
use tare_model::units::{Seconds, Share};

use crate::contender::{RigGroup, Runnable};
use crate::destination::Generators;
use crate::driver::{Abort, Driven, Driver, DriverContext, Messenger, Reply};
use crate::reference::{Reference, References};
use crate::spec::process_spec;
use ask::Ran;
use judge::{Plausibility, Sums};
use pace::Paces;

/// One in this many of the iterations run before the timed part, so that the contender's code and data are in the caches,
/// where those of the previous contender were. They are in the request counts and the CPU time.
const PRELUDE: u64 = 10;

/// If a time is too short this many times in a row, it is the contender's fault. Each try has twice the iterations of the
/// previous one: wake-up times do not grow with them, and what a contender hides mostly does.
const TRIES: u32 = 4;

/// How many slices of a launch must have a time that does not match their CPU time before that is the contender's fault.
/// If a hypervisor stops a core between the end of the loop and the answer, the kernel counts that as CPU time: in trials
/// once in some thousands of slices.
const DOUBTS: u32 = 2;

/// Shorter round trips are not judged: they are no whole slices, and wake-ups dominate them.
const JUDGED: Duration = Duration::from_millis(5);

/// After one in this many slices, the whole result of a random input is checked.
const SAMPLE_EVERY: u64 = 16;

/// A conversation with an in-process benchmark.
pub(crate) struct Probe {
    talk: Talk,
    references: Arc<References>,
    paces: Paces,
    sums: Sums,
    slices: u64,
    /// Slices of this launch whose time was too short for their CPU time.
    doubts: u32,
    /// Whole results checked since the last slice.
    shown: u64,
    size: Option<u64>,
    random: fastrand::Rng,
    /// The pipes to its other process, until both processes have opened them.
    pipes: Option<fifo::PipePair>,
}

/// Starts a contender and waits until it answers.
pub(crate) fn start(
    keeper: &Keeper,
    cancel: &AtomicBool,
    group: &RigGroup,
    runnable: &Runnable,
) -> Result<(Process, Box<dyn Driver>), Fault> {
    let spec = process_spec(group, runnable, &[("role", "probe".to_owned())])?;
    let (process, talk) = Process::start_talking(keeper.group()?, spec)?;
    ready(process, Probe::new(talk, group, runnable, None)?, group, cancel)
}

/// Waits until it is ready: until it has answered `run 0`.
pub(crate) fn ready(
    mut process: Process,
    mut probe: Probe,
    group: &RigGroup,
    cancel: &AtomicBool,
) -> Result<(Process, Box<dyn Driver>), Fault> {
    let mut context = DriverContext {
        process: &mut process,
        group,
        cancel,
    };
    let (size, _) = probe.references.of(None);
    match ask::run(&mut probe.talk, &mut context, 0, size, group.ready_within) {
        Ok(_) => Ok((process, Box::new(probe))),
        Err(abort) => Err(unready(&mut process, abort.into())),
    }
}

fn unready(process: &mut Process, fault: Fault) -> Fault {
    match (process.died(FaultKind::DiedAtStart), fault.kind) {
        (Some(death), _) => Fault::new(
            death.kind,
            format!("it ended before it was ready: {}", death.detail),
        ),
        (None, FaultKind::Hung) => Fault::new(
            FaultKind::NeverReady,
            format!(
                "it was not ready: {}\n{}\n\nhint: a probe answers each line on its standard input with one on its \
                 standard output, and flushes that",
                fault.detail,
                process.log_words(20)
            ),
        ),
        (None, FaultKind::Wrong) => Fault::new(
            FaultKind::Unasked,
            format!(
                "{}\n\nhint: if it said that before it was asked: standard output is for answers; anything \
                 else goes to standard error",
                fault.detail
            ),
        ),
        (None, _) => fault,
    }
}

impl Probe {
    /// Of a contender that was started.
    pub(crate) fn new(
        talk: Talk,
        group: &RigGroup,
        runnable: &Runnable,
        pipes: Option<fifo::PipePair>,
    ) -> Result<Self, Fault> {
        let references = runnable.references.clone().ok_or_else(|| {
            Fault::new(
                FaultKind::Instrument,
                "its reference was not read before it was started; this is a bug in tare",
            )
        })?;
        Ok(Self {
            talk,
            references,
            paces: Paces::default(),
            sums: Sums::default(),
            doubts: 0,
            slices: 0,
            shown: 0,
            size: None,
            random: fastrand::Rng::with_seed(group.seed),
            pipes,
        })
    }

    /// Closes tare's own ends of the pipes. Call this when something has gone through them, so that both sides have them
    /// open.
    fn let_go(&mut self) {
        if let Some(mut pipes) = self.pipes.take() {
            pipes.let_go();
        }
    }

    /// Checks every input's whole result, and the checksums of no, one, and one more than all inputs.
    fn check_size(
        &mut self,
        context: &mut DriverContext<'_>,
        size: Option<u64>,
        reference: &Reference,
    ) -> Result<(), Abort> {
        for input in 0..reference.inputs() {
            self.show(context, input, size, reference)?;
        }
        for n in [0, 1, reference.inputs() + 1] {
            let ran = self.run(context, n, size, reference)?;
            self.paces.note(size, ran.n, ran.nanos as f64 / 1e9);
        }
        Ok(())
    }

    fn show(
        &mut self,
        context: &mut DriverContext<'_>,
        input: u64,
        size: Option<u64>,
        reference: &Reference,
    ) -> Result<(), Abort> {
        let hex = ask::show(&mut self.talk, context, input, size, reference.longest_show())?;
        reference.judge(input, &hex).map_err(|difference| {
            let of = size.map_or_else(String::new, |size| format!(" of size {size}"));
            Abort::fault(
                FaultKind::Wrong,
                format!("its result of input {input}{of} is wrong: {difference}"),
            )
        })
    }

    /// Runs n iterations; the checksum must be right, and the time no longer than the round trip.
    fn run(
        &mut self,
        context: &mut DriverContext<'_>,
        n: u64,
        size: Option<u64>,
        reference: &Reference,
    ) -> Result<Ran, Abort> {
        let expected = Duration::from_secs_f64(self.paces.expect(size, n).min(3600.0));
        let ran = ask::run(&mut self.talk, context, n, size, expected + context.group.timeout)?;
        let right = reference.checksum(n);
        if ran.sum != right {
            return Err(Abort::fault(
                FaultKind::Wrong,
                format!(
                    "the checksum of {n} iterations is {right}, it answered {}: a result was wrong, or left out",
                    ran.sum
                ),
            ));
        }
        self.sums.add(&ran);
        match judge::plausibility(&ran, Duration::ZERO) {
            Plausibility::Impossible => Err(Abort::Fault(judge::impossible(&ran))),
            _ => Ok(ran),
        }
    }

    /// Runs n iterations; if the time is too short, runs more, unless threads waited for a core in that time.
    fn timed(
        &mut self,
        context: &mut DriverContext<'_>,
        n: u64,
        size: Option<u64>,
        reference: &Reference,
        requests: &mut RequestCounts,
    ) -> Result<Ran, Abort> {
        let mut before = waited(context);
        let (mut n, mut tries) = (n, 1);
        loop {
            let ran = self.counted(context, n, size, reference, requests)?;
            let now = waited(context);
            let short = judge::plausibility(&ran, now.saturating_sub(before)) == Plausibility::Short;
            if ran.took < JUDGED || !short {
                return Ok(ran);
            }
            if tries == TRIES {
                return Err(Abort::Fault(judge::too_short(&ran, TRIES)));
            }
            (n, tries) = (n * 2, tries + 1);
            before = now;
        }
    }

    /// Runs n iterations and counts them, whatever the result.
    fn counted(
        &mut self,
        context: &mut DriverContext<'_>,
        n: u64,
        size: Option<u64>,
        reference: &Reference,
        requests: &mut RequestCounts,
    ) -> Result<Ran, Abort> {
        let ran = self.run(context, n, size, reference);
        requests.sent += n;
        match &ran {
            Ok(_) => requests.valid += n,
            Err(Abort::Fault(fault)) if fault.kind == FaultKind::Wrong => requests.invalid += n,
            // Its checksum was right.
            Err(Abort::Fault(fault)) if fault.kind == FaultKind::Implausible => requests.valid += n,
            Err(_) => requests.lost += n,
        }
        ran
    }

    /// The iterations of a slice. In the first slice, tries more and more until they take a quarter of its length.
    fn iterations(
        &mut self,
        context: &mut DriverContext<'_>,
        size: Option<u64>,
        reference: &Reference,
        length: f64,
        requests: &mut RequestCounts,
    ) -> Result<u64, Abort> {
        let inputs = reference.inputs();
        if self.slices > 0 && self.paces.knows(size) {
            return Ok(self.paces.iterations(size, inputs, length));
        }
        let mut n = inputs;
        loop {
            let ran = self.timed(context, n, size, reference, requests)?;
            let seconds = ran.nanos as f64 / 1e9;
            self.paces.note(size, ran.n, seconds);
            let longer = self.paces.iterations(size, inputs, length);
            if seconds >= length / 4.0 {
                return Ok(longer);
            }
            // Iterations that take no measurable time must still grow in number.
            n = longer.max(ran.n.saturating_mul(2));
        }
    }

    fn measured(
        &mut self,
        context: &mut DriverContext<'_>,
        order: &SliceOrder,
        requests: &mut RequestCounts,
    ) -> Result<LoadReading, Abort> {
        let references = Arc::clone(&self.references);
        let (size, reference) = references.of(order.size);
        self.size = size;
        self.sums = Sums::default();
        let before = waited(context);
        let n = self.iterations(context, size, reference, order.length.0, requests)?;
        self.counted(context, (n / PRELUDE).max(1), size, reference, requests)?;
        let ran = self.timed(context, n, size, reference, requests)?;
        ask::nothing_unasked(&mut self.talk, || "at the end of its slice".to_owned())?;
        self.sums.waited = waited(context).saturating_sub(before).as_secs_f64();
        self.paces.note(size, ran.n, ran.nanos as f64 / 1e9);
        // In the first slice all tries count, so that the warm-up's curve begins where the contender did.
        let (wall, answers) = match self.slices {
            0 => (Seconds(self.sums.reported), requests.valid),
            _ => (Seconds::from_nanos(ran.nanos), ran.n),
        };
        self.slices += 1;
        let shown = std::mem::take(&mut self.shown);
        Ok(LoadReading {
            wall,
            answers,
            checked: Share(shown as f64 / requests.valid.max(1) as f64),
            ..LoadReading::default()
        })
    }
}

impl Driver for Probe {
    fn check(&mut self, context: &mut DriverContext<'_>, _thorough: bool) -> Result<(), Fault> {
        let references = Arc::clone(&self.references);
        for (size, reference) in references.all() {
            self.check_size(context, size, reference)?;
        }
        self.let_go();
        Ok(())
    }

    fn slice(
        &mut self,
        context: &mut DriverContext<'_>,
        _by: &mut Generators<'_>,
        order: &SliceOrder,
    ) -> Driven {
        let _pinned = Pinned::to(&context.group.placement.load);
        let mut requests = RequestCounts::default();
        let measured = self.measured(context, order, &mut requests);
        let with_counts = |reading: LoadReading| LoadReading { requests, ..reading };
        match measured {
            Ok(reading) => Driven {
                reading: Some(with_counts(reading)),
                fault: None,
            },
            Err(Abort::Interrupted) => Driven::default(),
            Err(Abort::Fault(fault)) => Driven {
                reading: Some(with_counts(LoadReading::default())),
                fault: Some(fault),
            },
        }
    }

    fn audit(&mut self, accounts: &HostReading, cores: usize) -> Result<(), Fault> {
        judge::kept_its_cores(accounts, cores)?;
        let doubt = judge::too_short_for_its_cpu(&self.sums, accounts, cores);
        self.doubts += u32::from(doubt.is_some());
        match doubt {
            Some(fault) if self.doubts >= DOUBTS => Err(fault),
            _ => Ok(()),
        }
    }

    fn wants_sample(&self) -> bool {
        self.slices.is_multiple_of(SAMPLE_EVERY)
    }

    fn sample(&mut self, context: &mut DriverContext<'_>) -> Result<(), Fault> {
        let references = Arc::clone(&self.references);
        let (size, reference) = references.of(self.size);
        let input = self.random.u64(0..reference.inputs());
        match self.show(context, input, size, reference) {
            Ok(()) => self.shown += 1,
            Err(Abort::Interrupted) => {}
            Err(Abort::Fault(fault)) => return Err(fault),
        }
        Ok(())
    }

    fn messenger(&mut self) -> Option<&mut dyn Messenger> {
        Some(self)
    }

    /// Ends its input, which asks it to end.
    fn close(&mut self) -> bool {
        self.talk.end();
        true
    }
}

impl Messenger for Probe {
    fn ask(
        &mut self,
        context: &mut DriverContext<'_>,
        question: (&str, &str),
        longest: usize,
    ) -> Result<Reply, Abort> {
        ask::message(&mut self.talk, context, question, longest)
    }

    fn still_right(&mut self, context: &mut DriverContext<'_>) -> Result<(), Abort> {
        let references = Arc::clone(&self.references);
        let (size, reference) = references.of(None);
        self.show(context, 0, size, reference)?;
        self.let_go();
        Ok(())
    }
}

/// How long the contender's threads and the calling thread have been ready to run and waiting for a core, so far.
fn waited(context: &DriverContext<'_>) -> Duration {
    let theirs: Duration = context
        .process
        .group()
        .procs()
        .into_iter()
        .map(procfs::waited)
        .sum();
    theirs + procfs::own_waited()
}

/// Keeps the calling thread on the load's cores while this exists, so that its wake-ups take no time from the
/// contender's cores.
struct Pinned {
    before: Option<Vec<u32>>,
}

impl Pinned {
    fn to(cores: &[u32]) -> Self {
        let before = sys::affinity().ok().filter(|_| !cores.is_empty());
        // If that is not allowed, it wakes up on any core.
        let _ = before.is_some() && sys::set_affinity(cores).is_ok();
        Self { before }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            let _ = sys::set_affinity(before);
        }
    }
}
