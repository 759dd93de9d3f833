//! A command in two trees, side by side in interleaved rounds.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tare_host::command::CommandSpec;
use tare_host::groups::Backing;
use tare_host::revisions::Repository;
use tare_host::{interrupt, machine};
use tare_model::ids::ContenderId;
use tare_model::settings::{CommandSettings, Kind, Settings, Surroundings};
use tare_report::html;
use tare_rig::commands::{CommandRig, Hints, Policy, Recipe};

use super::Side;
use super::setup::SetUp;
use crate::args::DiffArgs;
use crate::commands::hold::{self, Held};
use crate::commands::pace::{Pace, Wish};
use crate::commands::run::now;
use crate::commands::time::{NOTHING, notes};
use crate::commands::weigh::{self, Weighed};
use crate::commands::whole::{self, Whole};
use crate::context::{self, Context};
use crate::failure::{self, Failure};
use crate::naming;

/// The longest that a run, or what is built before, may take where nothing else is said.
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
    let held = hold::take(context, context.kept()?, Some(Backing::Plain))?;
    // Results are where `report` looks for them; what is built belongs to this repository.
    let trees = match context.common.directory {
        Some(_) => held.state.clone(),
        None => repository.root().join(".tare"),
    };
    let sides = super::sides(context, &args.revisions, &repository, &trees)?;
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
    let weighed = asked.measured();
    // What was written there is nobody's business any more.
    let _ = std::fs::remove_dir_all(asked.outputs());
    let weighed = weighed?;
    let about = super::about(args.command.join(" "), &sides);
    super::tell(context, args, &weighed.results, &about)?;
    weigh::faults(&weighed.results);
    if let Some(path) = &args.out {
        context::write(path, html::render(&weighed.results).as_bytes())?;
    }
    Ok(weigh::status(&weighed, failure::OUTSIDE, args.fail_if.as_ref()))
}

/// What is measured, and with what.
struct Asked<'a> {
    context: &'a Context,
    args: &'a DiffArgs,
    held: &'a Held,
    sides: &'a [Side; 2],
    /// The repository's folder.
    repository: &'a Path,
    /// The folder that tare was called in, within the repository.
    within: &'a Path,
    /// Where it is kept what setups made.
    setups: PathBuf,
    input: Option<PathBuf>,
}

/// The file for standard input, the same for both sides: where it is from the folder that tare was called in.
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
    fn measured(&self) -> Result<Weighed, Failure> {
        let (args, held, sides) = (self.args, self.held, self.sides);
        let seed = args.seed.unwrap_or_else(|| now().as_nanos() as u64 & 0xffff_ffff);
        let ids: Vec<ContenderId> = sides.iter().map(|side| ContenderId::plain(side.name)).collect();
        let mut taken: BTreeSet<ContenderId> = ids.iter().cloned().collect();
        let floor = whole::nothing(None).map(|argv| (naming::free(NOTHING, &mut taken), argv));
        let mut rig = self.rig(floor.as_ref().map(|(_, argv)| argv.as_slice()))?;
        let walls = rig.first().map_err(|fault| match interrupt::asked() {
            true => failure::interrupted(),
            false => Failure::outside(fault),
        })?;
        let wish = Wish {
            runs: args.runs,
            until_decided: args.until.is_some(),
            budget: args.budget.map(|budget| budget.0),
        };
        let pace = Pace::of(wish, sides.len(), &walls);
        let plan = self.whole(&ids, floor, seed).plan(&pace);
        let names: Vec<&ContenderId> = plan.groups[0]
            .entrants
            .iter()
            .map(|entrant| &entrant.id)
            .collect();
        let new_run = weigh::new_run(whole::machine_of(&held.grouping), self.settings(seed));
        weigh::weigh(self.context, &held.state, &plan, &mut rig, &new_run, |rig| {
            notes(rig, &names)
        })
    }

    fn whole(&self, ids: &[ContenderId], floor: Option<(ContenderId, Vec<String>)>, seed: u64) -> Whole {
        let text = self.args.command.join(" ");
        let entrants = self
            .sides
            .iter()
            .zip(ids)
            .map(|(side, id)| whole::entrant(id, &side.revision.describe(), &text));
        Whole {
            name: "diff".to_owned(),
            summary: format!("`{text}` in two trees; an operation is one run"),
            entrants: entrants
                .chain(floor.iter().map(|(id, argv)| whole::floor(id, argv)))
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
            repository: Some(whole::place(self.repository)),
            folder: Some(within).filter(|folder| !folder.is_empty()),
            setup: args.setup.iter().cloned().collect(),
            prepare: args.prepare.iter().cloned().collect(),
            input: self.input.as_ref().map(|path| path.display().to_string()),
            same_output: args.same_output,
        };
        Settings {
            kind: Kind::Diff,
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

    /// What runs write goes into this folder, for as long as somebody may ask for it.
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
        // Built before the command is looked for: most often it is what is built.
        let set_up = SetUp {
            context: self.context,
            args: self.args,
            held: self.held,
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
        };
        self.sides.iter().try_for_each(|side| set_up.side(side))?;
        let mut recipes: Vec<Vec<Recipe>> = self.sides.iter().map(|side| vec![self.recipe(side)]).collect();
        recipes.extend(floor.map(|argv| vec![whole::doing_nothing(argv)]));
        let keeper = &self.held.keeper;
        CommandRig::new(keeper, interrupt::flag(), hold::spawner()?, recipes, policy).map_err(|error| {
            Failure::usage(error).hint(
                "what has to be built first: --setup 'cargo build --release'; for a shell: -- sh -c '…'",
            )
        })
    }

    fn recipe(&self, side: &Side) -> Recipe {
        let args = self.args;
        let there = |argv: &[&str], input: Option<PathBuf>| CommandSpec {
            cwd: Some(side.tree.join(self.within)),
            input,
            ..whole::spawned(argv)
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
            output: whole::output(args.same_output),
        }
    }
}
