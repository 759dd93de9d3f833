//! `tare time`: whole commands against each other.

mod outcome;

use std::path::Path;

use tare_host::groups::Backing;
use tare_model::ids::ContenderId;
use tare_model::published::Published;
use tare_model::settings::{RunKind, Settings};
use tare_prepare::commands::{self, CommandsJob, CommandsRequest, Entries, Outputs};
use tare_report::hyperfine;

pub use crate::args::TimeArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::gate;
use crate::measure;
use crate::supervise;
use crate::writable::refuse_unwritable;

/// Runs it; the exit status.
pub fn run(context: &Context, args: &TimeArgs) -> Result<u8, Failure> {
    measure::refuse_formats(context, "time")?;
    refuse_crossed(args)?;
    let job = CommandsJob::new(request(args)?)?;
    gate::known(&args.fail_if, |name| job.refuse_uncompared(name))?;
    refuse_unwritable(args.exports.paths())?;
    let held = supervise::begin(context, context.kept()?, Some(Backing::Plain))?;
    let outputs = Outputs::make(&held.state)?;
    let settings = Settings {
        kind: RunKind::Time,
        revision: commands::revision(),
        ..Settings::default()
    };
    let timed = measure::commands(context, &held, (&job, &outputs), settings)?;
    outcome::tell(context, args, &job, &timed)
}

/// Refuses more runs at the least than at the most.
fn refuse_crossed(args: &TimeArgs) -> Result<(), Failure> {
    match (args.min_runs, args.max_runs) {
        (Some(least), Some(most)) if least > most => Err(Failure::usage(format!(
            "--min-runs {least} is more than --max-runs {most}"
        ))
        .hint("exactly N runs of each: -r N")),
        _ => Ok(()),
    }
}

/// The request that the options make.
fn request(args: &TimeArgs) -> Result<CommandsRequest, Failure> {
    let rules = args.rules();
    let entries = args.texts().entries(&rules.how)?;
    let how = match &rules.how.around.shell {
        None => "without a shell".to_owned(),
        Some(shell) => format!("through `{shell} -c`"),
    };
    Ok(CommandsRequest {
        name: "time".to_owned(),
        summary: format!("Whole commands {how}; an operation is one run"),
        baseline: args.baseline.clone(),
        published: match &args.beside {
            Some(path) => beside(path, &entries)?,
            None => Vec::new(),
        },
        entries,
        rules,
    })
}

/// Figures of `--beside FILE` for those of our commands that it has.
fn beside(path: &Path, entries: &Entries) -> Result<Vec<Published>, Failure> {
    if entries.sweep.is_some() {
        return Err(Failure::usage("--beside is for commands without sizes")
            .hint("as commands of their own, values have figures beside them: --param-as commands"));
    }
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::usage(format!("--beside: cannot read {}: {error}", path.display())))?;
    let texts = entries
        .list
        .iter()
        .map(|entry| (entry.id.clone(), entry.text.clone()));
    let ours: Vec<(ContenderId, String)> = texts.collect();
    hyperfine::read(&bytes, &path.display().to_string(), &ours)
        .map_err(|unfit| Failure::usage(format!("--beside {}", unfit.why)).hint(unfit.hint))
}
