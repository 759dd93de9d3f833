//! Probes: contenders that time their own loop, in process (docs/probe.md).

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
use tare_load::Load;
use tare_model::fault::{Fault, FaultKind};
use tare_model::measure::{HostReading, LoadReading, RequestCounts};
use tare_model::units::{Seconds, Share};

use crate::driver::{At, Driven, Driver, Messenger, Stop};
use crate::reference::{Reference, References};
use crate::rig::{RigGroup, Runnable};
use crate::start::process_spec;
use ask::{Ran, Said};
use judge::{Sums, Told};
use pace::Paces;

/// Before the timed part, this share of its iterations, so that it finds its code and data in the caches, where the
/// contenders before it had theirs. It counts for the request counts and the CPU time.
const PRELUDE: u64 = 10;

/// So many times in a row too short, a time is the contender's fault. Each try has twice the iterations of the one
/// before: what it takes to be woken does not grow with them, and what a contender hides mostly does.
const TRIES: u32 = 4;

/// Within a launch, the slice whose time does not fit its CPU time is the contender's fault when it is so many-th. A
/// hypervisor that stops a core between the loop's end and the answer has the kernel count that as CPU time: in trials once
/// in some thousands of slices.
const DOUBTS: u32 = 2;

/// Round trips shorter than this are no slices, and wake-ups outweigh what they show.
const JUDGED: Duration = Duration::from_millis(5);

/// One in so many slices is followed by a look at the whole result of some input.
const SAMPLE_EVERY: u64 = 16;

/// A conversation with a probe.
pub(crate) struct Probe {
    talk: Talk,
    references: Arc<References>,
    paces: Paces,
    sums: Sums,
    slices: u64,
    /// Slices whose time was too short for its CPU.
    doubts: u32,
    /// Results looked at since the last slice.
    shown: u64,
    size: Option<u64>,
    random: fastrand::Rng,
    /// The pipes to its other process, until both have them open.
    pipes: Option<fifo::Pair>,
}

/// Starts a probe and waits until it answers.
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

/// It is ready when it has answered that it did nothing.
pub(crate) fn ready(
    mut process: Process,
    mut probe: Probe,
    group: &RigGroup,
    cancel: &AtomicBool,
) -> Result<(Process, Box<dyn Driver>), Fault> {
    let mut at = At {
        process: &mut process,
        group,
        cancel,
    };
    let (size, _) = probe.references.of(None);
    match ask::run(&mut probe.talk, &mut at, 0, size, group.ready_within) {
        Ok(_) => Ok((process, Box::new(probe))),
        Err(stop) => Err(unready(&mut process, stop.into())),
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
                "{}\n\nhint: if it said that of itself, before it was asked: standard output is for answers; anything \
                 else goes to standard error",
                fault.detail
            ),
        ),
        (None, _) => fault,
    }
}

impl Probe {
    /// Of a contender that was started.
    pub fn new(
        talk: Talk,
        group: &RigGroup,
        runnable: &Runnable,
        pipes: Option<fifo::Pair>,
    ) -> Result<Self, Fault> {
        let references = runnable.references.clone().ok_or_else(|| {
            Fault::new(
                FaultKind::Instrument,
                "what it must answer was not read before it was started; this is a bug in tare",
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

    /// Something has gone through the pipes: both sides have them open.
    fn let_go(&mut self) {
        if let Some(mut pipes) = self.pipes.take() {
            pipes.let_go();
        }
    }

    /// Every input's whole result, and the checksums of no, one, and a little more than all inputs.
    fn check_size(&mut self, at: &mut At<'_>, size: Option<u64>, reference: &Reference) -> Result<(), Stop> {
        for input in 0..reference.inputs() {
            self.show(at, input, size, reference)?;
        }
        for n in [0, 1, reference.inputs() + 1] {
            let ran = self.run(at, n, size, reference)?;
            self.paces.note(size, ran.n, ran.nanos as f64 / 1e9);
        }
        Ok(())
    }

    fn show(
        &mut self,
        at: &mut At<'_>,
        input: u64,
        size: Option<u64>,
        reference: &Reference,
    ) -> Result<(), Stop> {
        let hex = ask::show(&mut self.talk, at, input, size, reference.longest_show())?;
        reference.judge(input, &hex).map_err(|difference| {
            let of = size.map_or_else(String::new, |size| format!(" of size {size}"));
            Stop::fault(
                FaultKind::Wrong,
                format!("its result of input {input}{of} is wrong: {difference}"),
            )
        })
    }

    /// Asks for n iterations; the checksum must be right, and the time no longer than the round trip.
    fn run(
        &mut self,
        at: &mut At<'_>,
        n: u64,
        size: Option<u64>,
        reference: &Reference,
    ) -> Result<Ran, Stop> {
        let expected = Duration::from_secs_f64(self.paces.expect(size, n).min(3600.0));
        let ran = ask::run(&mut self.talk, at, n, size, expected + at.group.timeout)?;
        let right = reference.checksum(n);
        if ran.sum != right {
            return Err(Stop::fault(
                FaultKind::Wrong,
                format!(
                    "the checksum of {n} iterations is {right}, it answered {}: a result was wrong, or left out",
                    ran.sum
                ),
            ));
        }
        self.sums.add(&ran);
        match judge::told(&ran, Duration::ZERO) {
            Told::Impossible => Err(Stop::Fault(judge::impossible(&ran))),
            _ => Ok(ran),
        }
    }

    /// The same, or more of them: where a time is too short, longer ones are asked for, with an eye on who waits for a
    /// core.
    fn timed(
        &mut self,
        at: &mut At<'_>,
        n: u64,
        size: Option<u64>,
        reference: &Reference,
        requests: &mut RequestCounts,
    ) -> Result<Ran, Stop> {
        let mut before = waited(at);
        let (mut n, mut tries) = (n, 1);
        loop {
            let ran = self.counted(at, n, size, reference, requests)?;
            let now = waited(at);
            let short = judge::told(&ran, now.saturating_sub(before)) == Told::Short;
            match () {
                () if ran.took < JUDGED || !short => return Ok(ran),
                () if tries == TRIES => return Err(Stop::Fault(judge::too_short(&ran, TRIES))),
                () => (n, tries) = (n * 2, tries + 1),
            }
            before = now;
        }
    }

    /// A run that is in the request counts, whatever becomes of it.
    fn counted(
        &mut self,
        at: &mut At<'_>,
        n: u64,
        size: Option<u64>,
        reference: &Reference,
        requests: &mut RequestCounts,
    ) -> Result<Ran, Stop> {
        let ran = self.run(at, n, size, reference);
        requests.sent += n;
        match &ran {
            Ok(_) => requests.valid += n,
            Err(Stop::Fault(fault)) if fault.kind == FaultKind::Wrong => requests.invalid += n,
            // Its checksum was right.
            Err(Stop::Fault(fault)) if fault.kind == FaultKind::Implausible => requests.valid += n,
            Err(_) => requests.lost += n,
        }
        ran
    }

    /// The iterations of a slice; at first, ever more are tried until they take a good part of it.
    fn iterations(
        &mut self,
        at: &mut At<'_>,
        size: Option<u64>,
        reference: &Reference,
        length: f64,
        requests: &mut RequestCounts,
    ) -> Result<u64, Stop> {
        let inputs = reference.inputs();
        if self.slices > 0 && self.paces.knows(size) {
            return Ok(self.paces.iterations(size, inputs, length));
        }
        let mut n = inputs;
        loop {
            let ran = self.timed(at, n, size, reference, requests)?;
            let seconds = ran.nanos as f64 / 1e9;
            self.paces.note(size, ran.n, seconds);
            let longer = self.paces.iterations(size, inputs, length);
            if seconds >= length / 4.0 {
                return Ok(longer);
            }
            // One that is as good as nothing must still grow.
            n = longer.max(ran.n.saturating_mul(2));
        }
    }

    fn measured(
        &mut self,
        at: &mut At<'_>,
        order: &SliceOrder,
        requests: &mut RequestCounts,
    ) -> Result<LoadReading, Stop> {
        let references = Arc::clone(&self.references);
        let (size, reference) = references.of(order.size);
        self.size = size;
        self.sums = Sums::default();
        let before = waited(at);
        let n = self.iterations(at, size, reference, order.length.0, requests)?;
        self.counted(at, (n / PRELUDE).max(1), size, reference, requests)?;
        let ran = self.timed(at, n, size, reference, requests)?;
        ask::nothing_unasked(&mut self.talk, || "at the end of its slice".to_owned())?;
        self.sums.waited = waited(at).saturating_sub(before).as_secs_f64();
        self.paces.note(size, ran.n, ran.nanos as f64 / 1e9);
        // In the first, all that was tried counts: the warm-up's curve is to begin where the contender did.
        let (told, answers) = match self.slices {
            0 => (Seconds(self.sums.told), requests.valid),
            _ => (Seconds::from_nanos(ran.nanos), ran.n),
        };
        self.slices += 1;
        let shown = std::mem::take(&mut self.shown);
        Ok(LoadReading {
            wall: told,
            answers,
            checked: Share(shown as f64 / requests.valid.max(1) as f64),
            ..LoadReading::default()
        })
    }
}

impl Driver for Probe {
    fn check(&mut self, at: &mut At<'_>, _thorough: bool) -> Result<(), Fault> {
        let references = Arc::clone(&self.references);
        for (size, reference) in references.all() {
            self.check_size(at, size, reference)?;
        }
        self.let_go();
        Ok(())
    }

    fn slice(&mut self, at: &mut At<'_>, _load: &mut Load, order: &SliceOrder) -> Driven {
        let _pinned = Pinned::to(&at.group.placement.load);
        let mut requests = RequestCounts::default();
        let measured = self.measured(at, order, &mut requests);
        let with_books = |reading: LoadReading| LoadReading { requests, ..reading };
        match measured {
            Ok(reading) => Driven {
                reading: Some(with_books(reading)),
                fault: None,
            },
            Err(Stop::Interrupted) => Driven::default(),
            Err(Stop::Fault(fault)) => Driven {
                reading: Some(with_books(LoadReading::default())),
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

    fn sample(&mut self, at: &mut At<'_>) -> Result<(), Fault> {
        let references = Arc::clone(&self.references);
        let (size, reference) = references.of(self.size);
        let input = self.random.u64(0..reference.inputs());
        match self.show(at, input, size, reference) {
            Ok(()) => self.shown += 1,
            Err(Stop::Interrupted) => {}
            Err(Stop::Fault(fault)) => return Err(fault),
        }
        Ok(())
    }

    fn messenger(&mut self) -> Option<&mut dyn Messenger> {
        Some(self)
    }

    /// The end of its input is the word to end.
    fn close(&mut self) -> bool {
        self.talk.end();
        true
    }
}

impl Messenger for Probe {
    fn ask(&mut self, at: &mut At<'_>, question: (&str, &str), longest: usize) -> Result<Said, Stop> {
        ask::message(&mut self.talk, at, question, longest)
    }

    fn still_right(&mut self, at: &mut At<'_>) -> Result<(), Stop> {
        let references = Arc::clone(&self.references);
        let (size, reference) = references.of(None);
        self.show(at, 0, size, reference)?;
        self.let_go();
        Ok(())
    }
}

/// How long the contender's threads and we were ready to run and had to wait for a core, so far.
fn waited(at: &At<'_>) -> Duration {
    let theirs: Duration = at.process.group().procs().into_iter().map(procfs::waited).sum();
    theirs + procfs::own_waited()
}

/// Keeps the calling thread on the load's cores while it lives, so that its waking up takes nothing from the
/// contender's.
struct Pinned {
    before: Option<Vec<u32>>,
}

impl Pinned {
    fn to(cores: &[u32]) -> Self {
        let before = sys::affinity().ok().filter(|_| !cores.is_empty());
        // Where that is not allowed, it wakes up wherever it may.
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
