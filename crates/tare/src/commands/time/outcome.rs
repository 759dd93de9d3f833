//! What is reported of commands: tables, files, the exit status.

use tare_host::command::End;
use tare_model::ids::ContenderId;
use tare_model::record::RunRecord;
use tare_model::results::{ContenderResult, Results, WorkloadResult};
use tare_model::units::Seconds;
use tare_report::{hyperfine, json, terminal};
use tare_rig::commands::{CommandRig, Timed};

use super::Job;
use super::entry::at_size;
use crate::context::{self, Context};
use crate::failure::{self, Failure};
use crate::measure::{self, Compared};

/// Prints and writes all that was asked for; the exit status.
pub fn tell(
    context: &Context,
    job: &Job<'_>,
    rig: &CommandRig<'_>,
    compared: &Compared,
) -> Result<u8, Failure> {
    let (record, results) = (&compared.record, &compared.results);
    if context.json() {
        context::put(&json::render(results))?
    } else {
        context::put(&text(context, job, record, results))?
    }
    measure::faults(results);
    let hyperfine = || hyperfine::write(&measured(job, rig, results));
    measure::export(&job.args.exports, results, Some(&hyperfine))?;
    Ok(measure::status(
        compared,
        failure::OUTSIDE,
        job.args.fail_if.as_ref(),
    ))
}

fn text(context: &Context, job: &Job<'_>, record: &RunRecord, results: &Results) -> String {
    let hint = match record.arenas.iter().map(|arena| arena.launches.len()).min() {
        Some(blocks) if blocks < 3 && job.entries.list.len() > 1 => {
            "\nhint: a verdict rests on three rounds at the least: give it more time with --budget\n"
        }
        _ if job.entries.list.len() == 1 && job.entries.sweep.is_some() => {
            "\nhint: the numbers were taken for sizes; --param-as commands compares them with each other\n"
        }
        _ => "",
    };
    format!("{}{hint}", terminal::render(results, context.terminal()))
}

/// What a reader should know of the runs.
pub fn notes(rig: &mut CommandRig<'_>, names: &[&ContenderId]) -> Vec<String> {
    let mut notes = Vec::new();
    let untold = |entrant: usize| {
        rig.timed()
            .iter()
            .any(|timed| timed.entrant == entrant && timed.run.peak.is_none())
    };
    let untold: Vec<String> = (0..names.len())
        .filter(|&one| untold(one))
        .map(|one| names[one].to_string())
        .collect();
    if let Some(shadow) = rig.shadow().filter(|_| !untold.is_empty()) {
        notes.push(format!(
            "peak memory is told above {} only, which is held where each command begins: not of {}",
            shadow,
            untold.join(", ")
        ));
    }
    for (name, _) in names.iter().zip(rig.left()).filter(|(_, left)| **left) {
        notes.push(format!(
            "{name} left processes behind, which were ended after each run and whose CPU time is not in its own"
        ));
    }
    notes
}

/// The commands as hyperfine's format has them: those that were asked for, at each size.
fn measured<'a>(job: &Job<'_>, rig: &CommandRig<'_>, results: &'a Results) -> Vec<hyperfine::Command<'a>> {
    let of = |result: &'a WorkloadResult| {
        let all = result.contenders.iter();
        all.filter_map(move |contender| one(job, rig, result, contender))
    };
    results.workloads.iter().flat_map(of).collect()
}

fn one<'a>(
    job: &Job<'_>,
    rig: &CommandRig<'_>,
    result: &WorkloadResult,
    contender: &'a ContenderResult,
) -> Option<hyperfine::Command<'a>> {
    let spread = contender.spread.as_ref()?;
    let mut entries = job.entries.list.iter();
    let entrant = entries.position(|entry| entry.id == contender.id)?;
    let entry = &job.entries.list[entrant];
    let sizes = job.sizes();
    let size = result
        .size
        .and_then(|size| sizes.iter().position(|&known| known == size));
    let mine = |timed: &&Timed| timed.entrant == entrant && timed.size == size.unwrap_or(0);
    let runs: Vec<hyperfine::Run> = rig.timed().iter().filter(mine).map(run).collect();
    let sweep = job.entries.sweep.as_ref();
    let size = sweep.zip(result.size);
    let size = size.map(|(sweep, size)| (sweep.name.clone(), size.to_string()));
    Some(hyperfine::Command {
        text: at_size(&entry.text, sweep, result.size),
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
