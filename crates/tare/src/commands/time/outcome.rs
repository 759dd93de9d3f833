//! What is told of commands: tables, files, the exit status.

use tare_lab::analysis;
use tare_model::ids::ContenderId;
use tare_model::record::RunRecord;
use tare_model::results::Results;
use tare_model::spread::Spread;
use tare_report::{json, terminal};
use tare_rig::commands::{CommandRig, Timed};

use super::Job;
use super::entry::at_size;
use super::hyperfine::{self, Measured};
use crate::commands::weigh::{self, Weighed};
use crate::context::{self, Context};
use crate::failure::{self, Failure};

/// Prints and writes all that was asked for; the exit status.
pub fn tell(
    context: &Context,
    job: &Job<'_>,
    rig: &CommandRig<'_>,
    weighed: &Weighed,
) -> Result<u8, Failure> {
    let (record, results) = (&weighed.record, &weighed.results);
    let spreads: Vec<Spread> = record.arenas.iter().flat_map(analysis::spreads).collect();
    match context.json() {
        true => context::put(&json::render(results))?,
        false => context::put(&text(context, job, record, results, &spreads))?,
    }
    let hyperfine = || hyperfine::write(&measured(job, rig, &spreads));
    weigh::export(&job.args.exports, results, Some(&hyperfine))?;
    Ok(weigh::status(
        weighed,
        failure::OUTSIDE,
        job.args.fail_if.as_ref(),
    ))
}

fn text(
    context: &Context,
    job: &Job<'_>,
    record: &RunRecord,
    results: &Results,
    spreads: &[Spread],
) -> String {
    let terminal = context.terminal();
    let sweep = job.entries.sweep.as_ref().map(|sweep| sweep.name.as_str());
    let tare = results
        .workloads
        .first()
        .map_or(String::new(), |result| terminal::commands::tare(result, terminal));
    let hint = match record.arenas.iter().map(|arena| arena.epochs.len()).min() {
        Some(blocks) if blocks < 3 && job.entries.list.len() > 1 => {
            "\nhint: a verdict rests on three rounds at the least: give it more time with --budget\n"
        }
        _ => "",
    };
    format!(
        "{}\n{tare}\n{}{hint}",
        terminal::commands::spreads(spreads, sweep, terminal),
        terminal::render(results, terminal)
    )
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
fn measured<'a>(job: &Job<'_>, rig: &CommandRig<'_>, spreads: &'a [Spread]) -> Vec<Measured<'a>> {
    let sweep = job.entries.sweep.as_ref();
    let sizes = job.sizes();
    let of = |spread: &'a Spread| {
        let entrant = job.entries.list.iter().position(|entry| entry.id == spread.id)?;
        let size = spread
            .size
            .and_then(|size| sizes.iter().position(|&known| known == size))
            .unwrap_or(0);
        let mine = |timed: &&Timed| timed.entrant == entrant && timed.size == size;
        let runs: Vec<Timed> = rig.timed().iter().filter(mine).copied().collect();
        Some(Measured {
            text: at_size(&job.entries.list[entrant].text, sweep, spread.size),
            parameters: {
                let size = sweep.zip(spread.size);
                let size = size.map(|(sweep, size)| (sweep.name.clone(), size.to_string()));
                let values = job.entries.list[entrant].values.iter().cloned();
                values.chain(size).collect()
            },
            // Those of the warm-up come first.
            runs: runs[runs.len().saturating_sub(spread.runs as usize)..].to_vec(),
            spread,
        })
    };
    spreads.iter().filter_map(of).collect()
}
