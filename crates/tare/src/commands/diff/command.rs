//! A command in two trees, side by side in interleaved rounds.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tare_host::groups::Backing;
use tare_host::revisions::Repository;
use tare_host::{interrupt, machine};
use tare_model::ids::ContenderId;
use tare_report::html;
use tare_rig::commands::{CommandRig, Policy, Recipe};

use super::Side;
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

/// The longest that a run, or what is built before, may take.
const USUAL: Duration = Duration::from_secs(15 * 60);

/// Runs it; the exit status.
pub fn run(context: &Context, args: &DiffArgs) -> Result<u8, Failure> {
    let here =
        std::env::current_dir().map_err(|error| Failure::outside(format!("no current folder: {error}")))?;
    let repository = Repository::of(&here).map_err(Failure::usage)?;
    let state = match context.common.directory {
        Some(_) => context.kept()?,
        // Not the user's own folder: what is built there belongs to this repository.
        None => repository.root().join(".tare"),
    };
    let held = hold::take(context, state, Some(Backing::Plain))?;
    let sides = super::sides(context, args, &repository, &held.state)?;
    let root = repository
        .root()
        .canonicalize()
        .unwrap_or(repository.root().to_owned());
    let within = here
        .canonicalize()
        .unwrap_or(here)
        .strip_prefix(&root)
        .unwrap_or("".as_ref())
        .to_owned();
    let weighed = measured(context, args, &held, &sides, &within)?;
    let about = super::about(args.command.join(" "), &sides);
    super::tell(context, args, &weighed.results, &about)?;
    if let Some(path) = &args.out {
        context::write(path, html::render(&weighed.results).as_bytes())?;
    }
    Ok(weigh::status(&weighed, failure::OUTSIDE, args.fail_if.as_ref()))
}

fn measured(
    context: &Context,
    args: &DiffArgs,
    held: &Held,
    sides: &[Side; 2],
    within: &Path,
) -> Result<Weighed, Failure> {
    let seed = args.seed.unwrap_or_else(|| now().as_nanos() as u64 & 0xffff_ffff);
    let ids: Vec<ContenderId> = sides.iter().map(|side| ContenderId::plain(side.name)).collect();
    let mut taken: BTreeSet<ContenderId> = ids.iter().cloned().collect();
    let floor = whole::nothing(None).map(|argv| (naming::free(NOTHING, &mut taken), argv));
    let mut rig = rig(
        args,
        held,
        sides,
        within,
        floor.as_ref().map(|(_, argv)| argv.as_slice()),
    )?;
    if args.setup.is_some() {
        context.say("building each side; then each command is run once");
    }
    let walls = rig.first().map_err(|fault| match interrupt::asked() {
        true => failure::interrupted(),
        false => Failure::outside(fault),
    })?;
    let wish = Wish {
        runs: args.runs,
        until_decided: false,
        budget: args.budget.map(|budget| budget.0),
    };
    let pace = Pace::of(wish, sides.len(), &walls);
    let text = args.command.join(" ");
    let entrants = sides
        .iter()
        .zip(&ids)
        .map(|(side, id)| whole::entrant(id, &side.revision.describe()));
    let whole = Whole {
        name: "diff".to_owned(),
        summary: format!("`{text}` in two trees; an operation is one run"),
        entrants: entrants
            .chain(floor.iter().map(|(id, argv)| whole::floor(id, argv)))
            .collect(),
        floor: floor.as_ref().map(|(id, _)| id.clone()),
        baseline: ids[0].clone(),
        sweep: None,
        published: Vec::new(),
        warm_up: 1,
        alpha: args.alpha.0,
        margin: args.margin.0,
        seed,
    };
    let plan = whole.plan(&pace);
    let names: Vec<&ContenderId> = plan.groups[0]
        .entrants
        .iter()
        .map(|entrant| &entrant.id)
        .collect();
    let mut settings = super::settings(sides);
    settings.push(("margin".to_owned(), format!("{}%", args.margin.0 * 100.0)));
    settings.push(("alpha".to_owned(), format!("{}%", args.alpha.0 * 100.0)));
    settings.push(("seed".to_owned(), seed.to_string()));
    settings.extend(args.setup.iter().map(|setup| ("setup".to_owned(), setup.clone())));
    let new_run = weigh::new_run(whole::machine_of(&held.grouping), settings);
    weigh::weigh(context, &held.state, &plan, &mut rig, &new_run, |rig| {
        notes(rig, &names)
    })
}

fn rig(
    args: &DiffArgs,
    held: &Held,
    sides: &[Side; 2],
    within: &Path,
    floor: Option<&[String]>,
) -> Result<CommandRig<'static>, Failure> {
    let folder = held.state.join("time");
    std::fs::create_dir_all(&folder)
        .map_err(|error| Failure::outside(format!("cannot make {}: {error}", folder.display())))?;
    let policy = Policy {
        timeout: args.timeout.map_or(USUAL, |timeout| timeout.0),
        folder,
        sizes: Vec::new(),
        cores: machine::cores().len(),
        on_failure: "run it in the tree of that side to see why; the earlier one's is in .tare/worktrees/",
    };
    // Built before the command is looked for: most often it is what is built.
    for side in sides {
        build(args, held, side, &side.tree.join(within), &policy)?;
    }
    let recipe = |side: &Side| recipe(args, side, side.tree.join(within));
    let mut recipes: Vec<Vec<Recipe>> = sides.iter().map(|side| vec![recipe(side)]).collect();
    recipes.extend(floor.map(|argv| vec![whole::doing_nothing(argv)]));
    CommandRig::new(&held.keeper, interrupt::flag(), hold::spawner()?, recipes, policy).map_err(|error| {
        Failure::usage(error)
            .hint("what has to be built first: --setup 'cargo build --release'; for a shell: -- sh -c '…'")
    })
}

fn recipe(args: &DiffArgs, side: &Side, folder: PathBuf) -> Recipe {
    Recipe {
        text: format!(
            "{} ({}: {})",
            args.command.join(" "),
            side.name,
            side.revision.describe()
        ),
        run: tare_host::command::Plan {
            cwd: Some(folder),
            ..whole::spawned(&args.command)
        },
        prepare: None,
        setup: None,
        cleanup: None,
        may_fail: false,
        compared: false,
    }
}

/// Runs the setup of one side.
fn build(args: &DiffArgs, held: &Held, side: &Side, folder: &Path, policy: &Policy) -> Result<(), Failure> {
    let Some(setup) = &args.setup else { return Ok(()) };
    let recipe = Recipe {
        text: format!("{setup} ({}: {})", side.name, side.revision.describe()),
        run: tare_host::command::Plan {
            cwd: Some(folder.to_owned()),
            ..whole::spawned(&["sh", "-c", setup])
        },
        prepare: None,
        setup: None,
        cleanup: None,
        may_fail: false,
        compared: false,
    };
    let policy = Policy {
        timeout: USUAL,
        ..policy.clone()
    };
    let rig = CommandRig::new(
        &held.keeper,
        interrupt::flag(),
        hold::spawner()?,
        vec![vec![recipe]],
        policy,
    );
    match rig.map_err(Failure::outside)?.first() {
        Ok(_) => Ok(()),
        Err(_) if interrupt::asked() => Err(failure::interrupted()),
        Err(fault) => Err(Failure::outside(format!("the build of one side failed: {fault}"))),
    }
}
