//! `tare diff`: two revisions against each other, each in a tree of its own.

mod command;
mod contender;
mod setup;

use std::path::{Path, PathBuf};

use tare_host::revisions::{Repository, Revision};
use tare_model::results::Results;
use tare_report::comment::{self, About};
use tare_report::{json, terminal};

use crate::args::{DiffArgs, Format};
use crate::context::{self, Context};
use crate::failure::Failure;

/// What the two sides are called.
const NAMES: [&str; 2] = ["before", "after"];

/// One side: its revision, and the folder of its files.
pub struct Side {
    pub name: &'static str,
    pub revision: Revision,
    pub tree: PathBuf,
}

/// Runs it; the exit status.
pub fn run(context: &Context, args: &DiffArgs) -> Result<u8, Failure> {
    if !matches!(context.common.format, Format::Text | Format::Json | Format::Md) {
        return Err(Failure::usage("`tare diff` prints text, json or md")
            .hint("other formats: `tare report --format …` of the run"));
    }
    let ran = match &args.contender {
        Some(name) => contender::run(context, args, name),
        None => command::run(context, args),
    };
    if let (Err(failure), Some(path)) = (&ran, &args.comment) {
        let what = args.contender.clone().unwrap_or_else(|| args.command.join(" "));
        let comment = comment::failed(&what, &args.revisions, &failure.to_string());
        // Where it cannot be written, that is the lesser evil: the failure is told.
        let _ = context::write(path, comment.as_bytes());
    }
    ran
}

/// Both sides of what was asked for, their trees under this folder, which is tare's own.
fn sides(
    context: &Context,
    args: &DiffArgs,
    repository: &Repository,
    own: &Path,
) -> Result<[Side; 2], Failure> {
    let (before, after) = match args.revisions.split_once("..") {
        Some((before, after)) => (
            before,
            Some(after.trim_start_matches('.')).filter(|after| !after.is_empty()),
        ),
        None => (args.revisions.as_str(), None),
    };
    let before = if before.is_empty() { "HEAD" } else { before };
    let [first, last] = NAMES;
    let sides = [
        side(repository, first, Some(before), own)?,
        side(repository, last, after, own)?,
    ];
    for side in &sides {
        context.say(format!("{}: {}", side.name, side.revision.describe()));
    }
    let [before, after] = &sides;
    if before.revision.commit == after.revision.commit && after.revision.changed.unwrap_or(0) == 0 {
        context.say("note: both sides are the same; whatever is found between them is chance");
    }
    Ok(sides)
}

fn side(
    repository: &Repository,
    name: &'static str,
    revision: Option<&str>,
    own: &Path,
) -> Result<Side, Failure> {
    let Some(revision) = revision else {
        return Ok(Side {
            name,
            revision: repository.working_tree().map_err(Failure::usage)?,
            tree: repository.root().to_owned(),
        });
    };
    let revision = repository.revision(revision).map_err(Failure::usage)?;
    let trees = own.join("worktrees");
    let tree = repository
        .check_out(&revision, &trees)
        .map_err(Failure::outside)?;
    // So that what tare makes is no change of the working tree it measures.
    let ignore = own.join(".gitignore");
    if !ignore.exists() {
        context::write(&ignore, b"*\n")?;
    }
    Ok(Side { name, revision, tree })
}

/// What is compared, in words.
fn about(what: String, sides: &[Side; 2]) -> About {
    let [before, after] = sides;
    About {
        what,
        before: before.revision.describe(),
        after: after.revision.describe(),
    }
}

/// The revisions, as settings of the run.
fn settings(sides: &[Side; 2]) -> Vec<(String, String)> {
    let of = |side: &Side| (side.name.to_owned(), side.revision.describe());
    sides.iter().map(of).collect()
}

/// Prints and writes what was asked for.
fn tell(context: &Context, args: &DiffArgs, results: &Results, about: &About) -> Result<(), Failure> {
    let comment = || comment::render(results, about);
    match context.common.format {
        Format::Json => context::put(&json::render(results))?,
        Format::Md => context::put(&comment())?,
        _ => context::put(&terminal::render(results, context.terminal()))?,
    }
    match &args.comment {
        Some(path) => context::write(path, comment().as_bytes()),
        None => Ok(()),
    }
}
