//! `tare time`: whole commands against each other.

mod entry;
mod outcome;
mod split;

use std::collections::BTreeSet;
use std::path::Path;

use tare_host::command::CommandSpec;
use tare_host::groups::Backing;
use tare_host::{interrupt, machine, sys};
use tare_model::ids::ContenderId;
use tare_model::published::Published;
use tare_model::settings::{CommandSettings, RunKind, Settings, Surroundings};
use tare_model::units::Seconds;
use tare_prepare::commands::{self, Commands};
use tare_prepare::{Pace, Supervision, Wish, naming};
use tare_report::hyperfine;
use tare_rig::commands::{CommandRig, Hints, Policy, Recipe};

pub use crate::args::TimeArgs;
use crate::clock;
use crate::context::Context;
use crate::failure::Failure;
use crate::measure::{self, Compared};
use crate::supervise;
use entry::{Entries, Entry, at_size};
pub use outcome::notes;
#[cfg(test)]
pub use split::words;

/// Name of the command that does nothing.
pub const NOTHING: &str = "nothing";

/// Runs it; the exit status.
pub fn run(context: &Context, args: &TimeArgs) -> Result<u8, Failure> {
    measure::refuse_formats(context, "time")?;
    let job = Job::of(args)?;
    let held = supervise::begin(context, context.kept()?, Some(Backing::Plain))?;
    if let Some(cores) = &args.cores {
        pin(&cores.0)?;
    }
    let folder = held.state.join("time");
    std::fs::create_dir_all(&folder)
        .map_err(|error| Failure::outside(format!("cannot make {}: {error}", folder.display())))?;
    let mut rig = job.rig(&held, &folder)?;
    let measured = measure(context, &job, &held, &mut rig);
    for note in rig.clean_up() {
        context.say(format!("note: {note}"));
    }
    let status = measured.and_then(|compared| outcome::tell(context, &job, &rig, &compared));
    // The output of commands is not needed any more.
    let _ = std::fs::remove_dir_all(&folder);
    status
}

/// What was asked for, resolved.
struct Job<'a> {
    args: &'a TimeArgs,
    entries: Entries,
    /// Name and words of the command that does nothing; none where there is no such program.
    floor: Option<(ContenderId, Vec<String>)>,
    baseline: ContenderId,
    beside: Vec<Published>,
    seed: u64,
}

/// Figures of `--beside FILE` for those of our commands that it has.
fn timed_by_hyperfine(path: &Path, ours: &[(ContenderId, String)]) -> Result<Vec<Published>, Failure> {
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::usage(format!("--beside: cannot read {}: {error}", path.display())))?;
    hyperfine::read(&bytes, &path.display().to_string(), ours)
        .map_err(|unfit| Failure::usage(format!("--beside {}", unfit.why)).hint(unfit.hint))
}

impl<'a> Job<'a> {
    fn of(args: &'a TimeArgs) -> Result<Self, Failure> {
        let entries = entry::entries(args)?;
        if let Some((path, error)) = args.input.as_deref().and_then(unreadable) {
            return Err(Failure::usage(format!("--input {}: {error}", path.display())));
        }
        let ids: Vec<ContenderId> = entries.list.iter().map(|entry| entry.id.clone()).collect();
        let baseline = naming::baseline(args.baseline.as_ref(), &ids).map_err(Failure::usage)?;
        let beside = match &args.beside {
            Some(_) if entries.sweep.is_some() => {
                return Err(Failure::usage("--beside is for commands without sizes")
                    .hint("as commands of their own, values have figures beside them: --param-as commands"));
            }
            Some(path) => {
                let texts = entries
                    .list
                    .iter()
                    .map(|entry| (entry.id.clone(), entry.text.clone()));
                timed_by_hyperfine(path, &texts.collect::<Vec<_>>())?
            }
            None => Vec::new(),
        };
        let mut taken: BTreeSet<ContenderId> = ids.into_iter().collect();
        Ok(Self {
            floor: commands::nothing((!args.no_shell).then_some(args.shell.as_str()))
                .map(|argv| (naming::free(NOTHING, &mut taken), argv)),
            args,
            entries,
            baseline,
            beside,
            seed: args.seed.unwrap_or_else(clock::seed),
        })
    }

    fn sizes(&self) -> Vec<u64> {
        let sweep = self.entries.sweep.as_ref();
        sweep.map_or(Vec::new(), |sweep| sweep.sizes.clone())
    }

    fn rig(&self, held: &Supervision, folder: &Path) -> Result<CommandRig<'static>, Failure> {
        let each: Vec<Option<u64>> = match self.sizes().as_slice() {
            [] => vec![None],
            sizes => sizes.iter().copied().map(Some).collect(),
        };
        let mut recipes = Vec::new();
        for entry in &self.entries.list {
            let at = |size: &Option<u64>| self.recipe(entry, *size);
            recipes.push(each.iter().map(at).collect::<Result<Vec<_>, _>>()?);
        }
        if let Some((_, argv)) = &self.floor {
            recipes.push(vec![commands::doing_nothing(argv); each.len()]);
        }
        let policy = Policy {
            timeout: self.args.timeout.0,
            folder: folder.to_owned(),
            sizes: self.sizes(),
            cores: machine::cores().len(),
            hints: Hints {
                failed: "where that is meant, such as by grep without a match: --ignore-failure",
                not_found: if self.args.no_shell {
                    Hints::NOT_BY_THE_PROGRAM
                } else {
                    Hints::NOT_BY_THE_SHELL
                },
                late: "where it may take longer: --timeout; its standard input is empty unless there is --input",
            },
        };
        CommandRig::new(
            &held.keeper,
            interrupt::flag(),
            supervise::spawner()?,
            recipes,
            policy,
        )
        .map_err(|error| {
            Failure::usage(error).hint(if self.args.no_shell {
                "-N takes a command's first word for a program; without it, a shell reads all of it"
            } else {
                "--shell names the one that commands are given to, -N has them run without"
            })
        })
    }

    fn recipe(&self, entry: &Entry, size: Option<u64>) -> Result<Recipe, Failure> {
        let args = self.args;
        let sweep = self.entries.sweep.as_ref();
        let at = |text: &String| at_size(text, sweep, size);
        let text = at(&entry.text);
        let argv = if args.no_shell {
            split::words(&text)
                .map_err(|error| Failure::usage(format!("`{text}` cannot be split into words: {error}")))?
        } else {
            vec![args.shell.clone(), "-c".to_owned(), text.clone()]
        };
        // The commands around it may need a shell even where it is run without one.
        let around = |text: &Option<String>| {
            text.as_ref()
                .map(|text| commands::spawned(&["sh", "-c", &at(text)]))
        };
        Ok(Recipe {
            run: CommandSpec {
                argv,
                input: args.input.clone(),
                ..commands::spawned::<&str>(&[])
            },
            text,
            prepare: around(&entry.prepare),
            setup: around(&entry.setup),
            cleanup: around(&entry.cleanup),
            may_fail: args.ignore_failure,
            output: commands::output(args.same_output),
        })
    }

    fn commands(&self) -> Commands {
        let list = self
            .entries
            .list
            .iter()
            .map(|entry| commands::entrant(&entry.id, &entry.text, &entry.text));
        let floor = self.floor.iter().map(|(id, argv)| commands::floor(id, argv));
        let how = if self.args.no_shell {
            "without a shell".to_owned()
        } else {
            format!("through `{} -c`", self.args.shell)
        };
        Commands {
            name: "time".to_owned(),
            summary: format!("Whole commands {how}; an operation is one run"),
            entrants: list.chain(floor).collect(),
            floor: self.floor.as_ref().map(|(id, _)| id.clone()),
            baseline: self.baseline.clone(),
            sweep: self.entries.sweep.clone(),
            published: self.beside.clone(),
            warm_up: self.args.warmup,
            alpha: self.args.alpha.0,
            margin: self.args.margin.0,
            seed: self.seed,
        }
    }

    fn wish(&self) -> Wish {
        Wish {
            runs: self.args.runs,
            until_decided: self.args.until.is_some(),
            budget: self.args.budget.map(|budget| budget.0),
        }
    }
}

/// A file that cannot be read, and why.
fn unreadable(path: &Path) -> Option<(&Path, std::io::Error)> {
    std::fs::File::open(path).err().map(|error| (path, error))
}

/// Measures up to the last round, and keeps the run.
fn measure(
    context: &Context,
    job: &Job<'_>,
    held: &Supervision,
    rig: &mut CommandRig<'_>,
) -> Result<Compared, Failure> {
    context.detail("each command is run once, to see that it works and how long it takes");
    let walls = commands::first_runs(rig)?;
    let pace = Pace::of(job.wish(), job.entries.list.len(), &walls);
    let plan = job.commands().plan(&pace);
    let names: Vec<&ContenderId> = plan.groups[0]
        .entrants
        .iter()
        .map(|entrant| &entrant.id)
        .collect();
    let notes = |rig: &mut CommandRig<'_>| outcome::notes(rig, &names);
    measure::compare(
        context,
        &held.state,
        &plan,
        rig,
        &new_run(job, held, &pace),
        notes,
    )
}

fn new_run(job: &Job<'_>, held: &Supervision, pace: &Pace) -> tare_store::NewRun {
    let args = job.args;
    let around = Surroundings {
        shell: (!args.no_shell).then(|| args.shell.clone()),
        repository: None,
        folder: commands::folder(),
        setup: args.setup.clone(),
        prepare: args.prepare.clone(),
        input: args.input.as_ref().map(|path| path.display().to_string()),
        same_output: args.same_output,
    };
    let settings = Settings {
        kind: RunKind::Time,
        budget: pace.budget.map(Seconds::from_duration),
        margin: Some(args.margin.0),
        alpha: Some(args.alpha.0),
        seed: Some(job.seed),
        timeout: Some(Seconds::from_duration(args.timeout.0)),
        revision: commands::revision(),
        commands: Some(CommandSettings {
            warm_up_rounds: args.warmup,
            runs: args.runs,
            cleanup: args.cleanup.clone(),
            failures_ignored: args.ignore_failure,
            around,
        }),
        ..Settings::default()
    };
    measure::new_run(commands::machine(&held.grouping), settings)
}

/// Restricts tare to these cores: commands run where it does.
fn pin(cores: &[u32]) -> Result<(), Failure> {
    let own = machine::cores();
    match cores.iter().find(|core| !own.contains(core)) {
        Some(core) => Err(Failure::usage(format!(
            "core {core} is not among those that tare may use: {own:?}"
        ))),
        None => sys::set_affinity(cores).map_err(Failure::outside),
    }
}
