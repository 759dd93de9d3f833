//! A rig for whole commands: nothing is resident, a slice is one or more runs, and each run is a process of its own.

mod outcome;
mod output;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tare_host::account;
use tare_host::command::{CommandSpec, Run};
use tare_host::error::HostError;
use tare_host::groups::ProcessGroup;
use tare_host::interrupt;
use tare_host::keeper::Keeper;
use tare_host::spawner::Spawner;
use tare_lab::rig::{Rig, SliceOrder, SliceOutcome, Who};
use tare_model::fault::{Fault, FaultKind};
use tare_model::ids::ContenderId;
use tare_model::measure::{HostReading, LoadReading, RequestCounts, SliceReading};
use tare_model::units::{Bytes, Seconds, Share};

pub use outcome::Hints;

use outcome::RunCheck;
use output::Outputs;

/// For shorter slices the machine's counters are not read: reading them would take longer than the slice.
const LOOKED_AROUND: Duration = Duration::from_millis(5);
/// If a command writes more bytes than this to its standard error, they are discarded while it is timed: keeping a page
/// takes a few microseconds, keeping megabytes does not.
const HEARD: u64 = 4096;

/// A command that takes part, at one size of the parameter.
#[derive(Debug, Clone)]
pub struct Recipe {
    /// The command as the user wrote it.
    pub text: String,
    /// The command that is timed.
    pub run: CommandSpec,
    /// Run before each run, not timed.
    pub prepare: Option<CommandSpec>,
    /// Run once before its first run.
    pub setup: Option<CommandSpec>,
    /// Run once after its last run.
    pub cleanup: Option<CommandSpec>,
    /// Whether another exit status than 0 is accepted.
    pub may_fail: bool,
    /// What happens to its standard output.
    pub output: Output,
}

/// What happens to the standard output of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// It is discarded.
    Unread,
    /// It is kept until the next run.
    Kept {
        /// Whether it must be equal to that of the others.
        compared: bool,
    },
    /// It is logged like its errors: for a command whose time does not matter.
    Heard,
}

/// How commands are run.
#[derive(Debug, Clone)]
pub struct Policy {
    /// How long a run may take.
    pub timeout: Duration,
    /// An existing folder for the output of commands, used for nothing else.
    pub folder: PathBuf,
    /// The sizes of the parameter, one recipe for each; empty: a single recipe.
    pub sizes: Vec<u64>,
    /// The number of cores that they may run on, to compute how busy those were.
    pub cores: usize,
    /// The hints for a failed run.
    pub hints: Hints,
    /// Called after each run with the files of what it wrote, where output is kept.
    pub show: Option<fn(&Path)>,
}

/// One timed run, for export.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timed {
    /// The command.
    pub entrant: usize,
    /// The index of its size.
    pub size: usize,
    /// Its result.
    pub run: Run,
}

/// A recipe, ready to be run.
#[derive(Debug)]
struct Ready {
    recipe: Recipe,
    /// The spawner's numbers of these commands.
    run: usize,
    prepare: Option<usize>,
    set_up: bool,
}

/// The rig.
#[derive(Debug)]
pub struct CommandRig<'k> {
    cancel: &'k AtomicBool,
    began: Instant,
    policy: Policy,
    /// By entrant, then by size.
    commands: Vec<Vec<Ready>>,
    outputs: Outputs,
    spawner: Spawner,
    /// Whether the standard error of commands is kept until their next run: not if one writes so much that keeping it would
    /// be timed.
    heard: bool,
    timed: Vec<Timed>,
    /// Which commands left processes running.
    left: Vec<bool>,
    /// The group of all processes. They end with it.
    group: ProcessGroup,
}

impl<'k> CommandRig<'k> {
    /// A rig for these commands, by entrant and by size. Nothing has run yet. `spawner`: tare's own binary with the argument
    /// that makes it [serve](tare_host::spawner::serve).
    ///
    /// # Errors
    /// [`HostError::Other`] with the first command that has no program.
    pub fn new(
        keeper: &Keeper,
        cancel: &'k AtomicBool,
        spawner: Vec<OsString>,
        recipes: Vec<Vec<Recipe>>,
        policy: Policy,
    ) -> Result<Self, HostError> {
        let group = keeper.group()?;
        let outputs = Outputs::new(&policy.folder);
        let mut spawner = Spawner::new(spawner, group.marker());
        let mut commands = Vec::new();
        for sizes in recipes {
            let ready = sizes
                .into_iter()
                .map(|recipe| ready(recipe, &outputs, &mut spawner));
            commands.push(ready.collect::<Result<Vec<Ready>, HostError>>()?);
        }
        Ok(Self {
            cancel,
            began: Instant::now(),
            left: vec![false; commands.len()],
            commands,
            outputs,
            spawner,
            heard: true,
            timed: Vec::new(),
            policy,
            group,
        })
    }

    /// Sets every command up and runs it once, to check that it works; returns how long each took, by entrant and size. These
    /// runs are not part of the results.
    ///
    /// # Errors
    /// The fault of the first that does not work; `Instrument` also after an interrupt.
    pub fn first(&mut self) -> Result<Vec<Vec<Duration>>, Fault> {
        let mut walls = Vec::new();
        for entrant in 0..self.commands.len() {
            let sizes = 0..self.commands[entrant].len();
            let of_sizes: Result<Vec<Duration>, Fault> =
                sizes.map(|size| self.first_of(entrant, size)).collect();
            walls.push(of_sizes?);
        }
        if !self.heard {
            self.discard_errors()?;
        }
        // The measured run begins now.
        self.began = Instant::now();
        self.timed.clear();
        Ok(walls)
    }

    fn first_of(&mut self, entrant: usize, size: usize) -> Result<Duration, Fault> {
        if let Some(setup) = self.commands[entrant][size].recipe.setup.clone() {
            let (run, text) = self.once(&setup, "--setup", Spawner::run)?;
            self.judge_around(&text, &run)?;
        }
        self.commands[entrant][size].set_up = true;
        let wall = self.run(entrant, size)?.wall;
        self.heard &= self.policy.show.is_some() || self.outputs.logged_bytes() <= HEARD;
        Ok(wall)
    }

    /// Discards the standard error of commands from now on.
    fn discard_errors(&mut self) -> Result<(), HostError> {
        for ready in self.commands.iter_mut().flatten() {
            let discarded = CommandSpec {
                errors: None,
                ..self.outputs.directed(&ready.recipe)
            };
            ready.run = self.spawner.define(&discarded)?;
        }
        Ok(())
    }

    /// Every timed run after the first ones, in the order of the runs.
    pub fn timed(&self) -> &[Timed] {
        &self.timed
    }

    /// What a reader of the figures should know of the runs. `names`: the names of the commands, in their order.
    pub fn remarks(&mut self, names: &[&ContenderId]) -> Vec<String> {
        let named = |entrant: usize| names.get(entrant).map_or(String::new(), ToString::to_string);
        let unmeasured = |entrant: &usize| {
            let mut mine = self.timed.iter().filter(|timed| timed.entrant == *entrant);
            mine.any(|timed| timed.run.peak.is_none())
        };
        let without: Vec<String> = (0..self.commands.len()).filter(unmeasured).map(named).collect();
        let shadow = (!without.is_empty())
            .then(|| self.spawner.shadow().ok())
            .flatten();
        let memory = shadow.map(|shadow| {
            format!(
                "peak memory below {shadow}, which is held where each command begins, cannot be measured: there is none of \
                 {}",
                without.join(", ")
            )
        });
        let left = self.left.iter().enumerate().filter(|(_, left)| **left);
        let left = left.map(|(entrant, _)| {
            format!(
                "{} left processes behind, which were ended after each run and whose CPU time is not in its own",
                named(entrant)
            )
        });
        memory.into_iter().chain(left).collect()
    }

    /// Runs the cleanup commands, even after an interrupt (only a second interrupt ends them); returns what went wrong.
    pub fn clean_up(&mut self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.interrupted() {
            // Kills what ran then, and the spawner.
            notes.extend(self.group.kill().err().map(|error| error.to_string()));
        }
        // Cleanup must not depend on a spawner that was killed, or on commands that cannot be found any more.
        self.spawner.renew();
        let set_up = self.commands.iter().flatten().filter(|ready| ready.set_up);
        let cleanups: Vec<CommandSpec> = set_up.filter_map(|ready| ready.recipe.cleanup.clone()).collect();
        for cleanup in &cleanups {
            notes.extend(self.cleaned(cleanup).err());
        }
        self.commands
            .iter_mut()
            .flatten()
            .for_each(|ready| ready.set_up = false);
        notes
    }

    fn cleaned(&mut self, cleanup: &CommandSpec) -> Result<(), String> {
        if interrupt::hurried() {
            return Err(format!(
                "{} was not run: interrupted twice",
                named(cleanup, "--cleanup")
            ));
        }
        let ran = self.once(cleanup, "--cleanup", Spawner::finish);
        let (run, text) = ran.map_err(|error| error.to_string())?;
        self.judge_around(&text, &run).map_err(|fault| fault.detail)
    }

    /// Runs a command once, in this way; returns the result and a name for messages.
    fn once(
        &mut self,
        spec: &CommandSpec,
        option: &str,
        way: fn(&mut Spawner, usize, Duration) -> Result<Run, HostError>,
    ) -> Result<(Run, String), HostError> {
        let number = self.spawner.define(&self.outputs.logged(spec))?;
        let run = way(&mut self.spawner, number, self.policy.timeout)?;
        Ok((run, named(spec, option)))
    }

    /// Judges a run of `--setup`, `--prepare` or `--cleanup`, which must not fail even if the command may.
    fn judge_around(&self, text: &str, run: &Run) -> Result<(), Fault> {
        let check = RunCheck {
            text,
            timeout: self.policy.timeout,
            log: Some(self.outputs.log()),
            may_fail: false,
            hints: Hints::AROUND,
        };
        check
            .judge(run)
            .map_err(|fault| Fault::new(FaultKind::Instrument, fault.detail))
    }

    fn prepare(&mut self, entrant: usize, size: usize) -> Result<(), Fault> {
        let ready = &self.commands[entrant][size];
        let Some((number, spec)) = ready.prepare.zip(ready.recipe.prepare.as_ref()) else {
            return Ok(());
        };
        let text = named(spec, "--prepare");
        let run = self.spawner.run(number, self.policy.timeout)?;
        self.judge_around(&text, &run)
    }

    /// Prepares, runs and judges a command once.
    fn run(&mut self, entrant: usize, size: usize) -> Result<Run, Fault> {
        self.prepare(entrant, size)?;
        let ready = &self.commands[entrant][size];
        let run = self.spawner.run(ready.run, self.policy.timeout)?;
        let (kept, compared) = match ready.recipe.output {
            Output::Kept { compared } => (true, compared),
            Output::Unread | Output::Heard => (false, false),
        };
        if let Some(show) = self.policy.show.filter(|_| kept) {
            show(&self.outputs.latest());
            show(&self.outputs.log());
        }
        let check = RunCheck {
            text: &ready.recipe.text,
            timeout: self.policy.timeout,
            log: self.heard.then(|| self.outputs.log()),
            may_fail: ready.recipe.may_fail,
            hints: self.policy.hints,
        };
        check.judge(&run)?;
        if compared {
            self.outputs.judge(&ready.recipe.text, size)?;
        }
        self.left[entrant] |= run.left;
        self.timed.push(Timed { entrant, size, run });
        Ok(run)
    }

    fn measured(&mut self, who: Who, order: &SliceOrder) -> Result<SliceReading, Fault> {
        let size = order
            .size
            .and_then(|size| self.policy.sizes.iter().position(|&known| known == size));
        let began = self.now();
        let before = Around::look();
        let mut runs = Vec::with_capacity(order.requests as usize);
        for _ in 0..order.requests.max(1) {
            runs.push(self.run(who.entrant, size.unwrap_or(0))?);
        }
        Ok(reading(began, &runs, before, self.policy.cores))
    }
}

fn ready(recipe: Recipe, outputs: &Outputs, spawner: &mut Spawner) -> Result<Ready, HostError> {
    let prepare = recipe.prepare.as_ref().map(|spec| outputs.logged(spec));
    Ok(Ready {
        run: spawner.define(&outputs.directed(&recipe))?,
        prepare: prepare.map(|spec| spawner.define(&spec)).transpose()?,
        recipe,
        set_up: false,
    })
}

/// A name for messages: the option, and the text after `sh -c`.
fn named(spec: &CommandSpec, option: &str) -> String {
    format!("{option} '{}'", spec.argv.last().map_or("", String::as_str))
}

/// The machine's counters around a slice.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Around {
    at: Instant,
    steal: Seconds,
    pressure: Option<Seconds>,
}

impl Around {
    pub(crate) fn look() -> Self {
        Self {
            steal: account::steal(),
            pressure: account::pressure(),
            at: Instant::now(),
        }
    }

    /// Time stolen since.
    pub(crate) fn stolen(&self) -> Seconds {
        Seconds((account::steal().0 - self.steal.0).max(0.0))
    }

    /// The share of the time since in which some task waited for a core.
    pub(crate) fn waited(&self) -> Option<Share> {
        let waited = account::pressure()?.0 - self.pressure?.0;
        Some(share(waited.max(0.0), self.at.elapsed().as_secs_f64()))
    }
}

fn share(part: f64, whole: f64) -> Share {
    Share((part / whole.max(1e-9)).clamp(0.0, 1.0))
}

fn reading(began: Seconds, runs: &[Run], before: Around, cores: usize) -> SliceReading {
    let wall: f64 = runs.iter().map(|run| run.wall.as_secs_f64()).sum();
    let cpu: f64 = runs.iter().map(|run| run.user.0 + run.system.0).sum();
    let count = runs.len() as u64;
    let long = before.at.elapsed() >= LOOKED_AROUND;
    SliceReading {
        began,
        load: LoadReading {
            connections: 1,
            wall: Seconds(wall),
            answers: count,
            requests: RequestCounts {
                sent: count,
                valid: count,
                ..RequestCounts::default()
            },
            programs: runs.iter().map(|run| Seconds::from_duration(run.wall)).collect(),
            checked: Share(1.0),
            ..LoadReading::default()
        },
        host: HostReading {
            cpu: Seconds(cpu),
            thawed: Seconds(wall),
            busy: share(cpu, wall * cores as f64),
            memory_peak: highest(runs),
            switches: runs.iter().map(|run| run.switches).sum(),
            steal: if long { before.stolen() } else { Seconds(0.0) },
            pressure: long.then(|| before.waited()).flatten(),
            ..HostReading::default()
        },
        services: Vec::new(),
        figures: Vec::new(),
    }
}

/// The highest peak of all runs; 0 (which stands for no figure) if one of them was not measured.
fn highest(runs: &[Run]) -> Bytes {
    let all: Option<Vec<Bytes>> = runs.iter().map(|run| run.peak).collect();
    all.and_then(|all| all.into_iter().max()).unwrap_or_default()
}

impl Rig for CommandRig<'_> {
    fn now(&self) -> Seconds {
        Seconds::from_duration(self.began.elapsed())
    }

    fn interrupted(&self) -> bool {
        self.cancel.load(Ordering::SeqCst)
    }

    /// Each run is a start of its own.
    fn start(&mut self, _who: Who) -> Result<(), Fault> {
        Ok(())
    }

    /// Each run is checked.
    fn check(&mut self, _who: Who) -> Result<(), Fault> {
        Ok(())
    }

    fn slice(&mut self, who: Who, order: &SliceOrder) -> SliceOutcome {
        self.measured(who, order).into()
    }

    fn stop(&mut self, _who: Who) -> Option<String> {
        None
    }
}
