//! A command in two trees, side by side in interleaved rounds.

use tare_host::groups::Backing;
use tare_host::revisions::Repository;
use tare_model::settings::{RunKind, Settings};
use tare_prepare::commands::{CommandsJob, Outputs};
use tare_prepare::revisions::Trees;
use tare_report::html;

use crate::args::DiffArgs;
use crate::context::{self, Context};
use crate::failure::{self, Failure};
use crate::measure::{self, TimedCommands};
use crate::supervise;

/// Runs it; the exit status.
pub fn run(context: &Context, args: &DiffArgs) -> Result<u8, Failure> {
    let request = args.command_request();
    let here =
        std::env::current_dir().map_err(|error| Failure::outside(format!("no current folder: {error}")))?;
    let repository = Repository::of(&here).map_err(Failure::usage)?;
    let held = supervise::begin(context, context.kept()?, Some(Backing::Plain))?;
    // Results go where `tare report` looks for them; builds belong to this repository.
    let own = match context.common.directory {
        Some(_) => held.state.clone(),
        None => repository.root().join(".tare"),
    };
    let trees = Trees::of(&args.revisions, (&repository, &here), &own, context)?;
    let job = CommandsJob::new(request.commands(&trees))?;
    let outputs = Outputs::make(&held.state)?;
    // Before the command is looked for: most often the setup builds it.
    request.set_up(&trees, &held, &outputs, context)?;
    let settings = Settings {
        kind: RunKind::Diff,
        revisions: Some(super::revisions(&trees.sides)),
        ..Settings::default()
    };
    let TimedCommands { compared, .. } = measure::commands(context, &held, (&job, &outputs), settings)?;
    let about = super::about(args.command.join(" "), &trees.sides);
    super::tell(context, args, &compared.results, &about)?;
    measure::faults(&compared.results);
    if let Some(path) = &args.out {
        context::write(path, html::render(&compared.results).as_bytes())?;
    }
    Ok(measure::status(&compared, failure::OUTSIDE, &args.fail_if))
}
