//! A command in two trees, side by side in interleaved rounds.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tare_host::command::CommandSpec;
use tare_host::groups::Backing;
use tare_host::revisions::Repository;
use tare_host::{interrupt, machine};
use tare_model::ids::ContenderId;
use tare_model::settings::{CommandSettings, RunKind, Settings, Surroundings};
use tare_prepare::commands::{self, Commands};
use tare_prepare::revisions::{Side, SideSetup, sides};
use tare_prepare::{Pace, Supervision, Wish, naming};
use tare_report::html;
use tare_rig::commands::{CommandRig, Hints, Policy, Recipe};

use crate::args::DiffArgs;
use crate::clock;
use crate::commands::time::{NOTHING, notes};
use crate::context::{self, Context};
use crate::failure::{self, Failure};
use crate::measure::{self, Compared};
use crate::supervise;

/// The longest that a run or a setup may take by default.
const USUAL: Duration = Duration::from_secs(15 * 60);

/// Rounds before those that count.
const WARM_UP: u32 = 1;

/// The hint for a command that fails on one side.
const IN_ITS_TREE: &str =
    "run it in the tree of that side to see why; the earlier one's is in .tare/worktrees/";

/// Runs it; the exit status.
pub fn run(context: &Context, args: &DiffArgs) -> Result<u8, Failure> {
    let here =
        std::env::current_dir().map_err(|error| Failure::outside(format!("no current folder: {error}")))?;
    let repository = Repository::of(&here).map_err(Failure::usage)?;
    let held = supervise::begin(context, context.kept()?, Some(Backing::Plain))?;
    // Results go where `tare report` looks for them; builds belong to this repository.
    let trees = match context.common.directory {
        Some(_) => held.state.clone(),
        None => repository.root().join(".tare"),
    };
    let sides = sides(&args.revisions, &repository, &trees, context)?;
    let root = repository
        .root()
        .canonicalize()
        .unwrap_or(repository.root().to_owned());
    let within = here
        .canonicalize()
        .unwrap_or(here.clone())
        .strip_prefix(&root)
        .unwrap_or("".as_ref())
        .to_owned();
    let asked = Asked {
        context,
        args,
        held: &held,
        sides: &sides,
        repository: &root,
        within: &within,
        setups: trees.join("setups"),
        input: input(args, &here)?,
    };
    let compared = asked.measured();
    // The output of runs is not needed any more.
    let _ = std::fs::remove_dir_all(asked.outputs());
    let compared = compared?;
    let about = super::about(args.command.join(" "), &sides);
    super::tell(context, args, &compared.results, &about)?;
    measure::faults(&compared.results);
    if let Some(path) = &args.out {
        context::write(path, html::render(&compared.results).as_bytes())?;
    }
    Ok(measure::status(
        &compared,
        failure::OUTSIDE,
        args.fail_if.as_ref(),
    ))
}

/// What is measured, and with what.
struct Asked<'a> {
    context: &'a Context,
    args: &'a DiffArgs,
    held: &'a Supervision,
    sides: &'a [Side; 2],
    /// The repository's folder.
    repository: &'a Path,
    /// The folder that tare was called in, within the repository.
    within: &'a Path,
    /// The folder for what is kept of setups.
    setups: PathBuf,
    input: Option<PathBuf>,
}

/// The file for standard input, the same for both sides; relative to the folder that tare was called in.
fn input(args: &DiffArgs, here: &Path) -> Result<Option<PathBuf>, Failure> {
    let Some(path) = &args.input else { return Ok(None) };
    let path = here.join(path);
    match std::fs::File::open(&path) {
        Ok(_) => Ok(Some(path)),
        Err(error) => Err(Failure::usage(format!("--input {}: {error}", path.display()))
            .hint("it is read from the folder that tare was called in, the same for both sides")),
    }
}

impl Asked<'_> {
    fn measured(&self) -> Result<Compared, Failure> {
        let (args, held, sides) = (self.args, self.held, self.sides);
        let seed = args.seed.unwrap_or_else(clock::seed);
        let ids: Vec<ContenderId> = sides.iter().map(|side| ContenderId::plain(side.name)).collect();
        let mut taken: BTreeSet<ContenderId> = ids.iter().cloned().collect();
        let floor = commands::nothing(None).map(|argv| (naming::free(NOTHING, &mut taken), argv));
        let mut rig = self.rig(floor.as_ref().map(|(_, argv)| argv.as_slice()))?;
        let walls = commands::first_runs(&mut rig)?;
        let wish = Wish {
            runs: args.runs,
            until_decided: args.until.is_some(),
            budget: args.budget.map(|budget| budget.0),
        };
        let pace = Pace::of(wish, sides.len(), &walls);
        let plan = self.commands(&ids, floor, seed).plan(&pace);
        let names: Vec<&ContenderId> = plan.groups[0]
            .entrants
            .iter()
            .map(|entrant| &entrant.id)
            .collect();
        let new_run = measure::new_run(commands::machine(&held.grouping), self.settings(seed));
        measure::compare(self.context, &held.state, &plan, &mut rig, &new_run, |rig| {
            notes(rig, &names)
        })
    }

    fn commands(
        &self,
        ids: &[ContenderId],
        floor: Option<(ContenderId, Vec<String>)>,
        seed: u64,
    ) -> Commands {
        let text = self.args.command.join(" ");
        let entrants = self
            .sides
            .iter()
            .zip(ids)
            .map(|(side, id)| commands::entrant(id, &side.revision.describe(), &text));
        Commands {
            name: "diff".to_owned(),
            summary: format!("`{text}` in two trees; an operation is one run"),
            entrants: entrants
                .chain(floor.iter().map(|(id, argv)| commands::floor(id, argv)))
                .collect(),
            floor: floor.map(|(id, _)| id),
            baseline: ids[0].clone(),
            sweep: None,
            published: Vec::new(),
            warm_up: WARM_UP,
            alpha: self.args.alpha.0,
            margin: self.args.margin.0,
            seed,
        }
    }

    fn settings(&self, seed: u64) -> Settings {
        let args = self.args;
        let within = self.within.display().to_string();
        let around = Surroundings {
            shell: None,
            repository: Some(commands::place(self.repository)),
            folder: Some(within).filter(|folder| !folder.is_empty()),
            setup: args.setup.iter().cloned().collect(),
            prepare: args.prepare.iter().cloned().collect(),
            input: self.input.as_ref().map(|path| path.display().to_string()),
            same_output: args.same_output,
        };
        Settings {
            kind: RunKind::Diff,
            margin: Some(args.margin.0),
            alpha: Some(args.alpha.0),
            seed: Some(seed),
            revisions: Some(super::revisions(self.sides)),
            commands: Some(CommandSettings {
                warm_up_rounds: WARM_UP,
                runs: args.runs,
                around,
                ..CommandSettings::default()
            }),
            ..Settings::default()
        }
    }

    /// The folder for the output of runs.
    fn outputs(&self) -> PathBuf {
        self.held.state.join("time")
    }

    fn rig(&self, floor: Option<&[String]>) -> Result<CommandRig<'static>, Failure> {
        let folder = self.outputs();
        std::fs::create_dir_all(&folder)
            .map_err(|error| Failure::outside(format!("cannot make {}: {error}", folder.display())))?;
        let policy = Policy {
            timeout: self.args.timeout.map_or(USUAL, |timeout| timeout.0),
            folder,
            sizes: Vec::new(),
            cores: machine::cores().len(),
            hints: Hints {
                failed: IN_ITS_TREE,
                not_found: Hints::NOT_BY_THE_PROGRAM,
                late: "where it may take longer: --timeout; its standard input is empty unless there is --input",
            },
        };
        // Before the command is looked for: most often the setup builds it.
        self.set_up(&policy)?;
        let mut recipes: Vec<Vec<Recipe>> = self.sides.iter().map(|side| vec![self.recipe(side)]).collect();
        recipes.extend(floor.map(|argv| vec![commands::doing_nothing(argv)]));
        let keeper = &self.held.keeper;
        CommandRig::new(keeper, interrupt::flag(), supervise::spawner()?, recipes, policy).map_err(|error| {
            Failure::usage(error).hint(
                "what has to be built first: --setup 'cargo build --release'; for a shell: -- sh -c '…'",
            )
        })
    }

    fn set_up(&self, policy: &Policy) -> Result<(), Failure> {
        let Some(command) = &self.args.setup else {
            return Ok(());
        };
        let setup = SideSetup {
            command,
            rebuild: self.args.rebuild,
            within: self.within,
            folder: self.setups.clone(),
            policy: Policy {
                timeout: self.args.setup_timeout.map_or(USUAL, |timeout| timeout.0),
                hints: Hints {
                    failed: IN_ITS_TREE,
                    not_found: Hints::NOT_BY_THE_SHELL,
                    late: "where it may take longer: --setup-timeout",
                },
                ..policy.clone()
            },
            keeper: &self.held.keeper,
            spawner: supervise::spawner()?,
            progress: self.context,
        };
        for side in self.sides {
            setup.run(side)?;
        }
        Ok(())
    }

    fn recipe(&self, side: &Side) -> Recipe {
        let args = self.args;
        let there = |argv: &[&str], input: Option<PathBuf>| CommandSpec {
            cwd: Some(side.tree.join(self.within)),
            input,
            ..commands::spawned(argv)
        };
        let command: Vec<&str> = args.command.iter().map(String::as_str).collect();
        Recipe {
            text: format!(
                "{} ({}: {})",
                args.command.join(" "),
                side.name,
                side.revision.describe()
            ),
            run: there(&command, self.input.clone()),
            prepare: args.prepare.as_ref().map(|text| there(&["sh", "-c", text], None)),
            setup: None,
            cleanup: None,
            may_fail: false,
            output: commands::output(args.same_output),
        }
    }
}
