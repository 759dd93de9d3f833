//! What is reported of commands: tables, files, the exit status.

use tare_host::command::End;
use tare_model::record::RunRecord;
use tare_model::results::{ContenderResult, Results, WorkloadResult};
use tare_model::units::Seconds;
use tare_prepare::commands::{CommandsJob, Entries};
use tare_report::{hyperfine, json, terminal};
use tare_rig::commands::{CommandRig, Timed};

use crate::args::{Sort, TimeArgs};
use crate::context::{self, Context};
use crate::failure::{self, Failure};
use crate::measure::{self, TimedCommands};

/// Prints and writes all that was asked for; the exit status.
pub fn tell(
    context: &Context,
    args: &TimeArgs,
    job: &CommandsJob,
    timed: &TimedCommands,
) -> Result<u8, Failure> {
    let (compared, entries) = (&timed.compared, &job.request().entries);
    let (record, results) = (&compared.record, &compared.results);
    if context.json() {
        context::put(&json::render(results))?
    } else {
        context::put(&text(context, args.sort, entries, record, results))?
    }
    measure::faults(results);
    let hyperfine = || hyperfine::write(&measured(entries, &timed.rig, results));
    measure::export(&args.exports, results, Some(&hyperfine))?;
    Ok(measure::status(compared, failure::OUTSIDE, &args.fail_if))
}

fn text(context: &Context, sort: Sort, entries: &Entries, record: &RunRecord, results: &Results) -> String {
    let hint = match record.arenas.iter().map(|arena| arena.launches.len()).min() {
        Some(blocks) if blocks < 3 && entries.list.len() > 1 => {
            "\nhint: a verdict needs at least three blocks of rounds: give it more time with --budget\n"
        }
        _ if entries.list.len() == 1 && entries.sweep.is_some() => {
            "\nhint: the numbers were taken for sizes; --param-as commands compares them with each other\n"
        }
        _ => "",
    };
    let table = match sort {
        Sort::Command => terminal::render(results, context.terminal()),
        Sort::MeanTime => terminal::render_by_mean(results, context.terminal()),
    };
    format!("{table}{hint}")
}

/// The commands as hyperfine's format has them: those that were asked for, at each size.
fn measured<'a>(
    entries: &Entries,
    rig: &CommandRig<'_>,
    results: &'a Results,
) -> Vec<hyperfine::Command<'a>> {
    let of = |result: &'a WorkloadResult| {
        let all = result.contenders.iter();
        all.filter_map(move |contender| one(entries, rig, result, contender))
    };
    results.workloads.iter().flat_map(of).collect()
}

fn one<'a>(
    entries: &Entries,
    rig: &CommandRig<'_>,
    result: &WorkloadResult,
    contender: &'a ContenderResult,
) -> Option<hyperfine::Command<'a>> {
    let spread = contender.spread.as_ref()?;
    let mut ids = entries.list.iter().map(|entry| &entry.id);
    let entrant = ids.position(|id| *id == contender.id)?;
    let entry = &entries.list[entrant];
    let size = result
        .size
        .and_then(|size| entries.sizes().iter().position(|&known| known == size));
    let mine = |timed: &&Timed| timed.entrant == entrant && timed.size == size.unwrap_or(0);
    let runs: Vec<hyperfine::Run> = rig.timed().iter().filter(mine).map(run).collect();
    let size = entries.sweep.as_ref().zip(result.size);
    let size = size.map(|(sweep, size)| (sweep.name.clone(), size.to_string()));
    Some(hyperfine::Command {
        text: entries.at_size(&entry.text, result.size),
        parameters: entry.values.iter().cloned().chain(size).collect(),
        // Runs of the warm-up come first.
        runs: runs[runs.len().saturating_sub(spread.runs as usize)..].to_vec(),
        spread,
    })
}

fn run(timed: &Timed) -> hyperfine::Run {
    hyperfine::Run {
        wall: Seconds(timed.run.wall.as_secs_f64()),
        user: timed.run.user,
        system: timed.run.system,
        peak: timed.run.peak,
        status: match timed.run.end {
            End::Exit(status) => status.code(),
            End::Late | End::Interrupted => None,
        },
    }
}
