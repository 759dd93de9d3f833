//! What is reported of benchmarks: tables, the comment, the page, the exit status.

use tare_lab::run::RunOutcome;
use tare_lab::sink::Done;
use tare_model::benchmark::{Benchmarks, Standing};
use tare_model::results::Results;
use tare_model::settings::Revisions;
use tare_report::comment::{self, About};
use tare_report::{html, json, markdown, terminal};

use crate::args::{BenchArgs, Exe};
use crate::context::{self, Context};
use crate::failure::{self, Failure};
use crate::gate;

/// Prints and writes all that was asked for; the exit status.
pub fn tell(
    context: &Context,
    args: &BenchArgs,
    results: &Results,
    outcome: &RunOutcome,
) -> Result<u8, Failure> {
    let Some(found) = &results.benchmarks else {
        return Err(Failure::outside("no benchmark was measured")
            .hint("it was interrupted before the first one, or the budget holds none: --budget"));
    };
    let comment = || comment::of_benchmarks(results, found, &about(args, results));
    let text = if context.json() {
        json::render(results)
    } else if context.asked_for(&markdown::FORMAT) {
        comment()
    } else if args.changed_only {
        terminal::render_changed(results, context.terminal())
    } else {
        terminal::render(results, context.terminal())
    };
    context::put(&text)?;
    faults(found);
    if let Some(path) = &args.comment {
        context::write(path, comment().as_bytes())?;
    }
    if let Some(path) = &args.out {
        context::write(path, html::render(results).as_bytes())?;
    }
    Ok(status(args, results, found, outcome))
}

fn about(args: &BenchArgs, results: &Results) -> About {
    let names = args.names.as_ref().or(args.only.as_ref());
    let given = |index: usize| args.exe.get(index).map_or(String::new(), Exe::path);
    let both = results.run.settings.revisions.clone();
    let both = both.unwrap_or_else(|| Revisions {
        before: given(0),
        after: given(1),
    });
    About {
        what: names.map_or("benchmarks".to_owned(), |names| format!("benchmarks {names}")),
        before: both.before,
        after: both.after,
    }
}

/// All that is known of benchmarks that failed, including their last output: tables have room for the first line.
fn faults(found: &Benchmarks) {
    for one in &found.list {
        if let Standing::Failed { side, fault } = &one.standing {
            let (program, name) = (&one.program, &one.name);
            context::note(format!("\nerror: {program} {name} ({side}): {}", fault.detail));
        }
    }
}

fn status(args: &BenchArgs, results: &Results, found: &Benchmarks, outcome: &RunOutcome) -> u8 {
    let failed = |one: &Standing| matches!(one, Standing::Failed { .. });
    let two = args.revisions.is_some() || args.exe.len() == 2;
    let judged = found.list.iter().any(|one| one.verdict().is_some());
    if outcome.done.contains(&Done::Interrupted) {
        failure::INTERRUPTED
    } else if found.list.iter().any(|one| failed(&one.standing)) || (two && !judged) {
        failure::OUTSIDE
    } else if !gate::hold(&args.fail_if, results) {
        failure::GATE
    } else {
        0
    }
}
