//! A rig for whole commands: nothing is resident, a slice is one run or some, and each run is a process of its own.

mod outcome;
mod output;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tare_host::account;
use tare_host::command::{Plan, Run};
use tare_host::error::HostError;
use tare_host::groups::Group;
use tare_host::interrupt;
use tare_host::keeper::Keeper;
use tare_host::spawner::Spawner;
use tare_lab::rig::{Rig, SliceOrder, SliceOutcome, Who};
use tare_model::fault::{Fault, FaultKind};
use tare_model::measure::{HostReading, LoadReading, RequestCounts, SliceReading};
use tare_model::units::{Bytes, Seconds, Share};

pub use outcome::Cures;

use outcome::Told;
use output::Outputs;

/// Slices shorter than this are measured without a look at the machine around them: the look would take longer than
/// what it is about.
const LOOKED_AROUND: Duration = Duration::from_millis(5);
/// A command that writes more bytes than this to its standard error is timed while nobody reads them: keeping a page is
/// some microseconds at the most, keeping megabytes is not.
const HEARD: u64 = 4096;

/// A command that takes part, at one size of the parameter.
#[derive(Debug, Clone)]
pub struct Recipe {
    /// As a person wrote it.
    pub text: String,
    /// What is run and timed.
    pub run: Plan,
    /// Before each run, not timed.
    pub prepare: Option<Plan>,
    /// Once before its first run.
    pub setup: Option<Plan>,
    /// Once after its last run.
    pub cleanup: Option<Plan>,
    /// Whether it may end with another status than 0.
    pub may_fail: bool,
    /// What becomes of its standard output.
    pub output: Output,
}

/// What becomes of what a command writes to its standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// Nobody reads it.
    Unread,
    /// It has to be that of the others.
    Compared,
    /// It belongs to its last words, as its errors do: of a command whose time does not matter.
    Heard,
}

/// How commands are run.
#[derive(Debug, Clone)]
pub struct Policy {
    /// The longest that a run may take.
    pub timeout: Duration,
    /// The folder for what commands write: it is there, and nobody else's.
    pub folder: PathBuf,
    /// The sizes of the parameter, one recipe each; empty: one recipe.
    pub sizes: Vec<u64>,
    /// Cores that they may run on, for what is said of how busy these were.
    pub cores: usize,
    /// The hints for a run that is no good.
    pub hints: Cures,
}

/// One timed run, as other programs' formats want it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timed {
    /// Which command.
    pub entrant: usize,
    /// At which of the sizes.
    pub size: usize,
    /// How it went.
    pub run: Run,
}

/// A command's three commands, ready to be run.
#[derive(Debug)]
struct Ready {
    recipe: Recipe,
    /// Numbers of the spawner's.
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
    /// What commands write to their standard error is kept until their next run: else those that write much there would
    /// be timed with the keeping.
    heard: bool,
    timed: Vec<Timed>,
    /// Who left processes behind.
    left: Vec<bool>,
    /// What all processes are found by, were one to get away. Its end is theirs.
    group: Group,
}

impl<'k> CommandRig<'k> {
    /// A rig for these commands, by entrant and by size. Nothing has run yet. `spawner`: tare's own binary with the word
    /// that makes it [serve](tare_host::spawner::serve).
    ///
    /// # Errors
    /// [`HostError::Other`] with the command that there is no program for.
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

    /// Sets every command up and runs it once, to see that it works and how long it takes: by entrant and size. These
    /// runs count for nothing.
    ///
    /// # Errors
    /// A fault of the first that does not work. `Instrument` also where a person asked to stop.
    pub fn first(&mut self) -> Result<Vec<Vec<Duration>>, Fault> {
        let mut walls = Vec::new();
        for entrant in 0..self.commands.len() {
            let sizes = 0..self.commands[entrant].len();
            let of_sizes: Result<Vec<Duration>, Fault> =
                sizes.map(|size| self.first_of(entrant, size)).collect();
            walls.push(of_sizes?);
        }
        if !self.heard {
            self.hear_no_more()?;
        }
        // The run begins now.
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
        self.heard &= self.outputs.heard() <= HEARD;
        Ok(wall)
    }

    /// From now on nobody reads what commands write to their standard error.
    fn hear_no_more(&mut self) -> Result<(), HostError> {
        for ready in self.commands.iter_mut().flatten() {
            let unheard = Plan {
                errors: None,
                ..self.outputs.directed(&ready.recipe)
            };
            ready.run = self.spawner.define(&unheard)?;
        }
        Ok(())
    }

    /// Every timed run since the first, in the order in which they were made.
    pub fn timed(&self) -> &[Timed] {
        &self.timed
    }

    /// Which commands left processes behind, by entrant; these were ended after each run.
    pub fn left(&self) -> &[bool] {
        &self.left
    }

    /// Runs what is to be run after all, though a person asked to stop; what came of it, where that was no good. Only one
    /// who asks again ends that.
    pub fn clean_up(&mut self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.interrupted() {
            // What ran then, and who started it.
            notes.extend(self.group.kill().err().map(|error| error.to_string()));
        }
        // Nothing depends on a spawner that was ended, or on commands that cannot be found any more.
        self.spawner.renew();
        let set_up = self.commands.iter().flatten().filter(|ready| ready.set_up);
        let cleanups: Vec<Plan> = set_up.filter_map(|ready| ready.recipe.cleanup.clone()).collect();
        for cleanup in &cleanups {
            notes.extend(self.cleaned(cleanup).err());
        }
        self.commands
            .iter_mut()
            .flatten()
            .for_each(|ready| ready.set_up = false);
        notes
    }

    fn cleaned(&mut self, cleanup: &Plan) -> Result<(), String> {
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

    /// Runs something that is run once, in this way; how that went, and what it is called.
    fn once(
        &mut self,
        plan: &Plan,
        option: &str,
        way: fn(&mut Spawner, usize, Duration) -> Result<Run, HostError>,
    ) -> Result<(Run, String), HostError> {
        let number = self.spawner.define(&self.outputs.logged(plan))?;
        let run = way(&mut self.spawner, number, self.policy.timeout)?;
        Ok((run, named(plan, option)))
    }

    /// Below this the kernel does not tell a command's memory.
    pub fn shadow(&mut self) -> Option<Bytes> {
        self.spawner.shadow().ok()
    }

    /// Judges what is around a command, which must not fail though the command may.
    fn judge_around(&self, text: &str, run: &Run) -> Result<(), Fault> {
        let told = Told {
            text,
            timeout: self.policy.timeout,
            log: Some(self.outputs.log()),
            may_fail: false,
            hints: Cures::AROUND,
        };
        told.judge(run)
            .map_err(|fault| Fault::new(FaultKind::Instrument, fault.detail))
    }

    fn prepare(&mut self, entrant: usize, size: usize) -> Result<(), Fault> {
        let ready = &self.commands[entrant][size];
        let Some((number, plan)) = ready.prepare.zip(ready.recipe.prepare.as_ref()) else {
            return Ok(());
        };
        let text = named(plan, "--prepare");
        let run = self.spawner.run(number, self.policy.timeout)?;
        self.judge_around(&text, &run)
    }

    /// One run, prepared and judged.
    fn run(&mut self, entrant: usize, size: usize) -> Result<Run, Fault> {
        self.prepare(entrant, size)?;
        let ready = &self.commands[entrant][size];
        let run = self.spawner.run(ready.run, self.policy.timeout)?;
        let told = Told {
            text: &ready.recipe.text,
            timeout: self.policy.timeout,
            log: self.heard.then(|| self.outputs.log()),
            may_fail: ready.recipe.may_fail,
            hints: self.policy.hints,
        };
        told.judge(&run)?;
        if ready.recipe.output == Output::Compared {
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
    let prepare = recipe.prepare.as_ref().map(|plan| outputs.logged(plan));
    Ok(Ready {
        run: spawner.define(&outputs.directed(&recipe))?,
        prepare: prepare.map(|plan| spawner.define(&plan)).transpose()?,
        recipe,
        set_up: false,
    })
}

/// What is said of something around a command: its text, behind `sh -c`, and where that was given.
fn named(plan: &Plan, option: &str) -> String {
    format!("{option} '{}'", plan.argv.last().map_or("", String::as_str))
}

/// The machine around a slice.
#[derive(Debug, Clone, Copy)]
struct Around {
    at: Instant,
    steal: Seconds,
    pressure: Option<Seconds>,
}

impl Around {
    fn look() -> Self {
        Self {
            steal: account::steal(),
            pressure: account::pressure(),
            at: Instant::now(),
        }
    }
}

fn reading(began: Seconds, runs: &[Run], before: Around, cores: usize) -> SliceReading {
    let wall: f64 = runs.iter().map(|run| run.wall.as_secs_f64()).sum();
    let cpu: f64 = runs.iter().map(|run| run.user.0 + run.system.0).sum();
    let count = runs.len() as u64;
    let elapsed = before.at.elapsed();
    let after = (elapsed >= LOOKED_AROUND).then(Around::look);
    let steal = after.map_or(0.0, |after| (after.steal.0 - before.steal.0).max(0.0));
    let pressure = after.and_then(|after| Some(after.pressure?.0 - before.pressure?.0));
    let share = |part: f64, whole: f64| Share((part / whole.max(1e-9)).clamp(0.0, 1.0));
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
            steal: Seconds(steal),
            pressure: pressure.map(|waited| share(waited.max(0.0), elapsed.as_secs_f64())),
            ..HostReading::default()
        },
        services: Vec::new(),
    }
}

/// The highest of all runs; nothing (which is no figure) where one of them is not told.
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
        match self.measured(who, order) {
            Ok(reading) => SliceOutcome {
                reading: Some(reading),
                fault: None,
            },
            // What was ended for a person's sake is no fault; the lab asks.
            Err(fault) => SliceOutcome {
                reading: None,
                fault: Some(fault),
            },
        }
    }

    fn stop(&mut self, _who: Who) -> Option<String> {
        None
    }
}
