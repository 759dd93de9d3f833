//! A rig that also records evidence: in rounds that count, every slice is measured as usual, and then again with stacks
//! sampled or system calls recorded. Contenders are paused in between, so counters are read while they stand still.
//!
//! Recordings of stacks are read when all contenders have stopped.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use tare_host::groups::ProcessGroup;
use tare_host::keeper::Keeper;
use tare_host::profile::ability::Ability;
use tare_host::profile::collector::Dialect;
use tare_host::profile::compiler;
use tare_host::profile::counters::Reading;
use tare_host::profile::recorder::{Place, Recorder, What};
use tare_host::profile::script::{self, Recording, Window};
use tare_host::sys;
use tare_lab::rig::{Rig, SliceOrder, SliceOutcome, Who};
use tare_model::evidence::{Collector, Compiled, Glance, Look, Observed, Profile};
use tare_model::fault::Fault;
use tare_model::ids::ContenderId;
use tare_model::measure::SliceReading;
use tare_model::record::Phase;
use tare_model::units::Seconds;

use crate::rig::RealRig;

/// System calls are recorded in one round of this many, the first included: recording slows them down, and counts vary
/// little.
const TRACE_EVERY: u32 = 4;
/// The length of those slices: a busy server makes a million calls a second.
const TRACED: Seconds = Seconds(0.1);
/// The length of all other slices before jitter: long enough for hundreds of samples.
const SLICE: Seconds = Seconds(0.25);

/// A contender to record, and how.
#[derive(Debug, Clone)]
pub struct Onlooker {
    /// The contender.
    pub id: ContenderId,
    /// Its language, and further languages that it uses.
    pub languages: Vec<String>,
    /// How its build or run is instrumented, in words.
    pub instrumentation: Option<String>,
    /// How to give its functions names, from its language's manifest.
    pub symbols: Option<String>,
    /// Whether its stacks and calls are recorded, or only counters.
    pub recorded: bool,
    /// The dialect of the lines on collections in its log.
    pub collector: Option<Dialect>,
    /// The dialect of the lines on compilations.
    pub compiler: Option<compiler::Dialect>,
}

/// The evidence on one entrant so far.
#[derive(Debug)]
struct View {
    look: Onlooker,
    rounds: u32,
    glances: Vec<Glance>,
    windows: Vec<Window>,
    recorder: Option<Recorder>,
    data: Option<PathBuf>,
    log_from: Option<u64>,
    collector: Option<Collector>,
    compiled: Option<Compiled>,
    fault: Option<Fault>,
}

/// The rig, and its evidence.
pub struct Witness<'r, 'k> {
    rig: &'r mut RealRig<'k>,
    keeper: &'k Keeper,
    cancel: &'k AtomicBool,
    ability: Ability,
    folder: PathBuf,
    phase: Phase,
    views: Vec<View>,
    notes: Vec<String>,
    random: fastrand::Rng,
}

impl<'r, 'k> Witness<'r, 'k> {
    /// Over a rig of one group, with its entrants. `folder`: an existing one, for recordings.
    pub fn new(rig: &'r mut RealRig<'k>, entrants: Vec<Onlooker>, folder: PathBuf, seed: u64) -> Self {
        let ability = Ability::look();
        let view = |look| View {
            look,
            rounds: 0,
            glances: Vec::new(),
            windows: Vec::new(),
            recorder: None,
            data: None,
            log_from: None,
            collector: None,
            compiled: None,
            fault: None,
        };
        let refused = [ability.stacks().err(), ability.calls().err()]
            .into_iter()
            .flatten();
        let mut notes: Vec<String> = refused.chain(ability.remarks()).collect();
        notes.dedup();
        Self {
            keeper: rig.keeper,
            cancel: rig.stop,
            rig,
            ability,
            folder,
            phase: Phase::WarmUp,
            views: entrants.into_iter().map(view).collect(),
            notes,
            random: fastrand::Rng::with_seed(seed),
        }
    }

    /// The evidence on each, and notes on what could not be recorded. Call this when all have stopped: runtimes write the
    /// names of compiled functions at their end.
    pub fn evidence(mut self) -> (Vec<Observed>, Vec<String>) {
        let views = std::mem::take(&mut self.views);
        let mut subjects = Vec::new();
        for (entrant, view) in views.into_iter().enumerate() {
            let profile = match &view.data {
                Some(data) => self.profile(entrant, data, &view.windows),
                None => Profile::default(),
            };
            subjects.push(Observed {
                id: view.look.id,
                languages: view.look.languages,
                instrumentation: view.look.instrumentation,
                symbols: view.look.symbols,
                glances: view.glances,
                profile,
                collector: view.collector,
                compiled: view.compiled,
                fault: view.fault,
            });
        }
        (subjects, self.notes)
    }

    fn profile(&mut self, entrant: usize, data: &std::path::Path, windows: &[Window]) -> Profile {
        let own = self.rig.groups[0].contenders[entrant]
            .as_ref()
            .map(|one| one.cwd.clone());
        let perf = self.ability.perf.clone().unwrap_or_default();
        let recording = Recording {
            perf: &perf,
            data,
            windows,
            cancel: self.cancel,
        };
        let read = script::stacks(recording, &own.unwrap_or_default());
        read.unwrap_or_else(|error| {
            self.note(error.to_string());
            Profile::default()
        })
    }

    fn note(&mut self, text: String) {
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }

    /// What to measure in an entrant's next round, in random order, since the first finds cold caches.
    fn looks(&mut self, entrant: usize) -> Vec<Look> {
        let view = &self.views[entrant];
        let mut looks = vec![Look::Plain];
        if view.look.recorded && self.ability.stacks().is_ok() {
            looks.push(Look::Sampled);
        }
        if view.look.recorded && view.rounds.is_multiple_of(TRACE_EVERY) && self.ability.calls().is_ok() {
            looks.push(Look::Traced);
        }
        self.random.shuffle(&mut looks);
        looks
    }

    /// Measures a round of one entrant; returns the outcome of its plain slice, and the first fault of any.
    fn round(&mut self, who: Who, order: &SliceOrder) -> SliceOutcome {
        let mut plain = SliceOutcome::default();
        if self.views[who.entrant].log_from.is_none() {
            let length = self.log(who.entrant).and_then(|path| fs::metadata(path).ok());
            self.views[who.entrant].log_from = length.map(|file| file.len());
        }
        for look in self.looks(who.entrant) {
            if self.rig.interrupted() {
                break;
            }
            let outcome = self.look(who, order, look);
            let fault = outcome.fault.clone();
            if look == Look::Plain {
                plain = outcome;
            }
            if fault.is_some() {
                plain.fault = fault.clone();
                self.views[who.entrant].fault = fault;
                break;
            }
        }
        self.views[who.entrant].rounds += 1;
        plain
    }

    fn look(&mut self, who: Who, order: &SliceOrder, look: Look) -> SliceOutcome {
        let mut order = *order;
        let length = if look == Look::Traced { TRACED } else { SLICE };
        // Jitter as in `tare run`, so that slices do not beat with anything periodic.
        order.length = Seconds(length.0 * (0.9 + 0.2 * self.random.f64()));
        let mut recorder = match look {
            Look::Plain => None,
            Look::Sampled => self.views[who.entrant]
                .recorder
                .take()
                .or_else(|| self.attach(who, What::Stacks)),
            Look::Traced => self.attach(who, What::Calls),
        };
        let recorded = recorder.as_mut().is_some_and(|recorder| recorder.on().is_ok());
        let (outcome, mut glance, window) = self.slice_seen(who, &order, look);
        if let Some(mut recorder) = recorder {
            // A recorder ends with the processes that it records.
            let off = recorder.off();
            match look {
                Look::Traced => self.traced(recorder, window, &mut glance),
                _ => self.views[who.entrant].recorder = Some(recorder),
            }
            if let Some(error) = off.err().filter(|_| outcome.fault.is_none()) {
                self.note(error.to_string());
            }
        }
        let view = &mut self.views[who.entrant];
        if look == Look::Sampled && recorded {
            view.windows.push(window);
        }
        view.glances
            .extend(glance.filter(|_| recorded || look == Look::Plain));
        outcome
    }

    /// A slice between two readings of all counters.
    fn slice_seen(
        &mut self,
        who: Who,
        order: &SliceOrder,
        look: Look,
    ) -> (SliceOutcome, Option<Glance>, Window) {
        let round = self.views[who.entrant].rounds;
        let before = self.rig.tree(who).map(|tree| (Reading::take(tree), used(tree)));
        let from = sys::monotonic().0;
        let outcome = self.rig.slice(who, order);
        let to = sys::monotonic().0;
        let after = self.rig.tree(who).map(|tree| (Reading::take(tree), used(tree)));
        let glance = |reading: &SliceReading| {
            let ((before, used_before), (after, used_after)) = before.zip(after)?;
            Some(Glance {
                look,
                round,
                ops: reading.load.requests.valid,
                thawed: reading.host.thawed,
                cpu: Seconds((used_after.0 - used_before.0).max(0.0)),
                memory: reading.host.memory,
                counters: after.since(&before),
                calls: Vec::new(),
            })
        };
        let glance = outcome.reading.as_ref().and_then(glance);
        (outcome, glance, Window { round, from, to })
    }

    fn attach(&mut self, who: Who, what: What) -> Option<Recorder> {
        let perf = self.ability.perf.clone()?;
        let cores = self.rig.groups[who.group].placement.load.clone();
        let pids = self.rig.tree(who)?.procs();
        let place = Place {
            perf: &perf,
            keeper: self.keeper,
            cores: &cores,
            folder: &self.folder,
        };
        let name = format!("{}-{what:?}", who.entrant).to_lowercase();
        match Recorder::attach(&place, what, &pids, &name) {
            Ok(recorder) => Some(recorder),
            Err(error) => {
                self.note(error.to_string());
                None
            }
        }
    }

    /// Reads the recorded calls at once: the recordings are too large to keep.
    fn traced(&mut self, recorder: Recorder, window: Window, glance: &mut Option<Glance>) {
        let perf = self.ability.perf.clone().unwrap_or_default();
        let called = recorder.finish().and_then(|data| {
            let recording = Recording {
                perf: &perf,
                data: &data,
                windows: &[window],
                cancel: self.cancel,
            };
            script::calls(recording)
        });
        match called {
            Ok(called) => {
                if called.lost > 0 {
                    self.note(format!(
                        "{} records of system calls were lost because a buffer was full: counts of calls are too low by that",
                        called.lost
                    ));
                }
                if let Some(glance) = glance {
                    glance.calls = called.calls;
                }
            }
            Err(error) => {
                *glance = None;
                self.note(error.to_string());
            }
        }
    }

    fn log(&self, entrant: usize) -> Option<PathBuf> {
        let runnable = self.rig.groups.first()?.contenders.get(entrant)?.as_ref()?;
        Some(runnable.log.clone())
    }

    /// Ends the recording of an entrant that is about to stop.
    fn finish_recording(&mut self, entrant: usize) {
        let view = &mut self.views[entrant];
        match view.recorder.take().map(Recorder::finish) {
            Some(Ok(data)) => view.data = Some(data),
            Some(Err(error)) => self.note(error.to_string()),
            None => {}
        }
    }

    /// Reads the messages of the collector and the compiler of an entrant that has ended: some are written at the end.
    fn read_log(&mut self, entrant: usize) {
        let Some(path) = self.log(entrant) else { return };
        let view = &mut self.views[entrant];
        let asked = view.look.collector.is_some() || view.look.compiler.is_some();
        let Some(from) = view.log_from.filter(|_| asked) else {
            return;
        };
        let log = fs::read(path).unwrap_or_default();
        let lines = String::from_utf8_lossy(log.get(from as usize..).unwrap_or_default());
        let ops = view.glances.iter().map(|glance| glance.ops).sum();
        view.collector = view.look.collector.and_then(|dialect| dialect.read(&lines, ops));
        view.compiled = view.look.compiler.map(|dialect| dialect.read(&lines));
    }
}

/// CPU time of everything in a group, including a front or forker, whose stacks are sampled too (docs/explain.md).
fn used(tree: &ProcessGroup) -> Seconds {
    tree.cpu().unwrap_or_default()
}

impl Rig for Witness<'_, '_> {
    fn now(&self) -> Seconds {
        self.rig.now()
    }

    fn interrupted(&self) -> bool {
        self.rig.interrupted()
    }

    fn start(&mut self, who: Who) -> Result<(), Fault> {
        let started = self.rig.start(who);
        self.views[who.entrant].fault = started.as_ref().err().cloned();
        started
    }

    fn check(&mut self, who: Who) -> Result<(), Fault> {
        let checked = self.rig.check(who);
        self.views[who.entrant].fault = checked.as_ref().err().cloned();
        checked
    }

    fn check_all(&mut self, all: &[Who]) -> Vec<Result<(), Fault>> {
        let checked = self.rig.check_all(all);
        for (who, outcome) in all.iter().zip(&checked) {
            self.views[who.entrant].fault = outcome.as_ref().err().cloned();
        }
        checked
    }

    fn entering(&mut self, phase: Phase) {
        self.phase = phase;
    }

    fn slice(&mut self, who: Who, order: &SliceOrder) -> SliceOutcome {
        match self.phase {
            Phase::WarmUp | Phase::Pilot => self.rig.slice(who, order),
            Phase::Round => self.round(who, order),
        }
    }

    fn stop(&mut self, who: Who) -> Option<String> {
        self.finish_recording(who.entrant);
        let message = self.rig.stop(who);
        self.read_log(who.entrant);
        message
    }
}
