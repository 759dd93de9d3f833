//! `tare time`: whole commands against each other.

mod entry;
mod hyperfine;
mod outcome;
mod pace;
mod split;

use std::collections::BTreeSet;
use std::path::Path;

use tare_host::command::Plan as Spawned;
use tare_host::groups::Backing;
use tare_host::{interrupt, machine, sys};
use tare_lab::plan::{Group, ModePlan, Plan, Rules};
use tare_model::ids::ContenderId;
use tare_model::manifest::Driving;
use tare_model::metric::{Metric, Mode};
use tare_model::record::EntrantRecord;
use tare_model::results::{Machine, Placement, Published};
use tare_model::units::Seconds;
use tare_rig::commands::{CommandRig, Policy, Recipe};

use crate::args::TimeArgs;
use crate::commands::hold::{self, Held};
use crate::commands::run::now;
use crate::commands::weigh::{self, Weighed};
use crate::context::Context;
use crate::failure::{self, Failure};
use crate::naming;
use entry::{Entries, Entry, at_size};
use pace::Pace;

/// What the do-nothing process is called.
const NOTHING: &str = "nothing";

/// Runs it; the exit status.
pub fn run(context: &Context, args: &TimeArgs) -> Result<u8, Failure> {
    weigh::refuse_formats(context, "time")?;
    let job = Job::of(args)?;
    let held = hold::take(context, context.kept()?, Some(Backing::Plain))?;
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
    let status = measured.and_then(|weighed| outcome::tell(context, &job, &rig, &weighed));
    // What commands wrote is nobody's business any more.
    let _ = std::fs::remove_dir_all(&folder);
    status
}

/// What was asked for, worked out.
struct Job<'a> {
    args: &'a TimeArgs,
    entries: Entries,
    /// Name and command of the process that does nothing; none where there is no such program.
    floor: Option<(ContenderId, Vec<String>)>,
    baseline: ContenderId,
    beside: Vec<Published>,
    seed: u64,
}

impl<'a> Job<'a> {
    fn of(args: &'a TimeArgs) -> Result<Self, Failure> {
        let entries = entry::entries(args)?;
        let ids: Vec<ContenderId> = entries.list.iter().map(|entry| entry.id.clone()).collect();
        let baseline = naming::baseline(args.baseline.as_ref(), &ids).map_err(Failure::usage)?;
        let beside = match &args.beside {
            Some(_) if entries.sweep.is_some() => {
                return Err(Failure::usage("--beside is for commands without sizes"));
            }
            Some(path) => {
                let texts = entries.list.iter().map(|entry| (entry.id.clone(), entry.text.clone()));
                hyperfine::read(path, &texts.collect::<Vec<_>>())?
            }
            None => Vec::new(),
        };
        let mut taken: BTreeSet<ContenderId> = ids.into_iter().collect();
        Ok(Self {
            floor: nothing(args).map(|argv| (naming::free(NOTHING, &mut taken), argv)),
            args,
            entries,
            baseline,
            beside,
            seed: args.seed.unwrap_or_else(|| now().as_nanos() as u64 & 0xffff_ffff),
        })
    }

    fn sizes(&self) -> Vec<u64> {
        let sweep = self.entries.sweep.as_ref();
        sweep.map_or(Vec::new(), |sweep| sweep.sizes.clone())
    }

    fn rig(&self, held: &Held, folder: &Path) -> Result<CommandRig<'static>, Failure> {
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
            recipes.push(vec![doing_nothing(argv); each.len()]);
        }
        let policy = Policy {
            timeout: self.args.timeout.0,
            folder: folder.to_owned(),
            sizes: self.sizes(),
            cores: machine::cores().len(),
        };
        CommandRig::new(&held.keeper, interrupt::flag(), recipes, policy).map_err(|error| {
            Failure::usage(error).hint("-N takes a command's first word for a program; without it, a shell reads all of it")
        })
    }

    fn recipe(&self, entry: &Entry, size: Option<u64>) -> Result<Recipe, Failure> {
        let args = self.args;
        let sweep = self.entries.sweep.as_ref();
        let at = |text: &String| at_size(text, sweep, size);
        let text = at(&entry.text);
        let argv = match args.no_shell {
            true => split::words(&text)
                .map_err(|error| Failure::usage(format!("`{text}` cannot be split into words: {error}")))?,
            false => vec![args.shell.clone(), "-c".to_owned(), text.clone()],
        };
        // What is around a command may need a shell though the command must not have one.
        let around = |text: &Option<String>| text.as_ref().map(|text| spawned(&["sh", "-c", &at(text)]));
        Ok(Recipe {
            run: Spawned {
                argv,
                input: args.input.clone(),
                ..spawned(&[])
            },
            text,
            prepare: around(&entry.prepare),
            setup: around(&entry.setup),
            cleanup: around(&entry.cleanup),
            may_fail: args.ignore_failure,
            compared: args.same_output,
        })
    }

    /// The plan, now that it is known how long the commands take.
    fn plan(&self, pace: &Pace) -> Plan {
        let driving = Driving {
            mode: Mode::Command,
            primary: Metric::Duration,
            connections: vec![1],
            depth: 1,
            programs: 1,
            requests: pace.runs_in_slice,
        };
        let entrants = self.entries.list.iter().map(|entry| entrant(&entry.id, &entry.text, ""));
        let floor = self.floor.iter().map(|(id, argv)| entrant(id, &argv.join(" "), "floor"));
        let how = match self.args.no_shell {
            true => "without a shell".to_owned(),
            false => format!("through `{} -c`", self.args.shell),
        };
        let group = Group {
            workload: "time".to_owned(),
            summary: format!("Whole commands {how}; an operation is one run"),
            case: "commands".to_owned(),
            case_summary: format!(
                "Each run is a process of its own, so an epoch is a block of {} rounds",
                pace.rounds
            ),
            in_process: false,
            placement: Placement {
                contender: machine::cores(),
                ..Placement::default()
            },
            floor: self.floor.as_ref().map(|(id, _)| id.clone()),
            baseline: Some(self.baseline.clone()),
            entrants: entrants.chain(floor).collect(),
            warm_up: driving.clone(),
            warm_up_rounds: Some(self.args.warmup),
            modes: vec![ModePlan {
                driving,
                rate: None,
                published: self.beside.clone(),
            }],
            sweep: self.entries.sweep.clone(),
        };
        Plan {
            groups: vec![group],
            rules: Rules {
                budget: pace.budget.map(Seconds::from_duration),
                epochs: pace.epochs,
                rounds: Some(pace.rounds),
                alpha: self.args.alpha.0,
                margin: self.args.margin.0,
                seed: self.seed,
                whole: self.args.runs.is_some(),
                ..Rules::default()
            },
        }
    }
}

/// Everything up to the last round.
fn measure(context: &Context, job: &Job<'_>, held: &Held, rig: &mut CommandRig<'_>) -> Result<Weighed, Failure> {
    context.detail("each command is run once, to see that it works and how long it takes");
    let walls = rig.first().map_err(|fault| match interrupt::asked() {
        true => failure::interrupted(),
        false => Failure::outside(fault),
    })?;
    let pace = Pace::of(job.args, job.entries.list.len(), &walls);
    let plan = job.plan(&pace);
    let names: Vec<&ContenderId> = plan.groups[0].entrants.iter().map(|entrant| &entrant.id).collect();
    let notes = |rig: &CommandRig<'_>| outcome::notes(rig, &names);
    weigh::weigh(context, &held.state, &plan, rig, &new_run(job, held, &pace), notes)
}

fn new_run(job: &Job<'_>, held: &Held, pace: &Pace) -> tare_store::NewRun {
    let args = job.args;
    let mut settings = vec![
        ("budget".to_owned(), pace.budget.map_or("none".to_owned(), |budget| format!("{} s", budget.as_secs_f64()))),
        ("margin".to_owned(), format!("{}%", args.margin.0 * 100.0)),
        ("alpha".to_owned(), format!("{}%", args.alpha.0 * 100.0)),
        ("seed".to_owned(), job.seed.to_string()),
        ("timeout".to_owned(), format!("{} s", args.timeout.0.as_secs_f64())),
        ("warm-up rounds".to_owned(), args.warmup.to_string()),
    ];
    let mut say = |name: &str, value: Option<String>| {
        settings.extend(value.map(|value| (name.to_owned(), value)));
    };
    say("runs", args.runs.map(|runs| runs.to_string()));
    say("input", args.input.as_ref().map(|path| path.display().to_string()));
    for (option, texts) in [("prepare", &args.prepare), ("setup", &args.setup), ("cleanup", &args.cleanup)] {
        say(option, (!texts.is_empty()).then(|| texts.join("; ")));
    }
    say("same output", args.same_output.then(|| "required".to_owned()));
    say("failures", args.ignore_failure.then(|| "ignored".to_owned()));
    let machine = Machine {
        freezer: "none: one command at a time".to_owned(),
        accounting: "wait4".to_owned(),
        ..machine::machine(&held.grouping)
    };
    weigh::new_run(machine, settings)
}

/// Commands run where tare does.
fn pin(cores: &[u32]) -> Result<(), Failure> {
    let own = machine::cores();
    match cores.iter().find(|core| !own.contains(core)) {
        Some(core) => Err(Failure::usage(format!(
            "core {core} is not among those that tare may use: {own:?}"
        ))),
        None => sys::set_affinity(cores).map_err(Failure::outside),
    }
}

fn spawned(argv: &[&str]) -> Spawned {
    Spawned {
        argv: argv.iter().map(|word| (*word).to_owned()).collect(),
        env: Vec::new(),
        cwd: None,
        input: None,
        output: None,
        errors: None,
    }
}

/// The least that is started in the way that the commands are: the shell with nothing to do, or a program that does
/// nothing.
fn nothing(args: &TimeArgs) -> Option<Vec<String>> {
    let argv = match args.no_shell {
        true => vec!["true".to_owned()],
        false => vec![args.shell.clone(), "-c".to_owned(), ":".to_owned()],
    };
    tare_host::command::find(&argv[0], None).map(|_| argv)
}

fn doing_nothing(argv: &[String]) -> Recipe {
    let words: Vec<&str> = argv.iter().map(String::as_str).collect();
    Recipe {
        text: argv.join(" "),
        run: spawned(&words),
        prepare: None,
        setup: None,
        cleanup: None,
        may_fail: false,
        compared: false,
    }
}

fn entrant(id: &ContenderId, text: &str, style: &str) -> EntrantRecord {
    EntrantRecord {
        id: id.clone(),
        language: "command".to_owned(),
        summary: text.to_owned(),
        style: if style.is_empty() { "command" } else { style }.to_owned(),
        stands_in_for: None,
        versions: Vec::new(),
        fault: None,
        fault_epoch: None,
    }
}

