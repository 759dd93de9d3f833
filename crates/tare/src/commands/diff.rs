//! `tare diff`: two revisions against each other, each in a tree of its own.

mod command;
mod contender;

use std::path::PathBuf;

use tare_model::results::Results;
use tare_model::settings::Revisions;
use tare_prepare::revisions::Side;
use tare_report::comment::{self, About};
use tare_report::{json, markdown, terminal};

pub use crate::args::DiffArgs;
use crate::context::{self, Context};
use crate::failure::Failure;
use crate::writable::refuse_unwritable;

/// Runs it; the exit status.
pub fn run(context: &Context, args: &DiffArgs) -> Result<u8, Failure> {
    if !context.text_or_json() && !context.asked_for(&markdown::FORMAT) {
        return Err(Failure::usage("`tare diff` prints text, json or md")
            .hint("other formats: `tare report --format …` of the run"));
    }
    refuse_unwritable(
        [&args.comment, &args.out]
            .into_iter()
            .flatten()
            .map(PathBuf::as_path),
    )?;
    let ran = match &args.contender {
        Some(name) => contender::run(context, args, name),
        None if args.command.is_empty() => return Err(nothing(&args.revisions)),
        None => command::run(context, args),
    };
    if let (Err(failure), Some(path)) = (&ran, &args.comment) {
        let what = args.contender.clone().unwrap_or_else(|| args.command.join(" "));
        let comment = comment::failed(&what, &args.revisions, &failure.to_string());
        // If the comment cannot be written either, the failure itself is the one to report.
        let _ = context::write(path, comment.as_bytes());
    }
    ran
}

/// The failure of revisions without anything to compare at them.
fn nothing(revisions: &str) -> Failure {
    Failure::usage(format!("`tare diff {revisions}` names revisions, and nothing to measure at them")).hint(format!(
        "a command: tare diff {revisions} -- ./program its arguments; a contender of the lab: tare diff {revisions} \
         WORKLOAD/CONTENDER"
    ))
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
fn revisions(sides: &[Side; 2]) -> Revisions {
    let [before, after] = sides;
    Revisions {
        before: before.revision.describe(),
        after: after.revision.describe(),
    }
}

/// Prints and writes what was asked for.
fn tell(context: &Context, args: &DiffArgs, results: &Results, about: &About) -> Result<(), Failure> {
    let comment = || comment::render(results, about);
    let text = if context.json() {
        json::render(results)
    } else if context.asked_for(&markdown::FORMAT) {
        comment()
    } else {
        terminal::render(results, context.terminal())
    };
    context::put(&text)?;
    match &args.comment {
        Some(path) => context::write(path, comment().as_bytes()),
        None => Ok(()),
    }
}
