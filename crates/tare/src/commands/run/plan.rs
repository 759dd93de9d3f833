//! The plan of a run before it starts: what stored runs let expect, and what fits into the budget.

use std::path::Path;

use tare_analysis::{Expected, expected};
use tare_host::machine;
use tare_lab::forecast::forecast;
use tare_lab::plan::Plan;
use tare_model::forecast::Forecast;
use tare_model::manifest::Lab;
use tare_model::record::ArenaRecord;
use tare_model::settings::RunKind;
use tare_prepare::{ChosenCase, Request, outline};
use tare_report::{forecast as words, when, words::budget};
use tare_store::{RunSummary, Store, StoreError};

use crate::context::{self, Context};
use crate::failure::Failure;
use crate::short_slices;

/// The number of stored runs that a case is known from, and the most that are read for all: each is read whole.
const RUNS: usize = 3;
const MOST_READ: usize = 8;

/// What a run of these cases is expected to do.
pub fn of(lab: &Lab, state: &Path, chosen: &[ChosenCase], request: &Request) -> Result<Forecast, Failure> {
    let mut plan = outline(lab, chosen, request)?;
    plan.rules = short_slices::of(plan.rules);
    recall(state, &mut plan);
    Ok(forecast(&plan))
}

/// Prints it as data.
pub fn print(context: &Context, forecast: &Forecast) -> Result<u8, Failure> {
    context::put(&if context.json() {
        words::document(forecast)
    } else {
        words::text(forecast)
    })?;
    Ok(0)
}

/// Says it to people.
pub fn say(context: &Context, forecast: &Forecast) {
    context.say(words::text(forecast).trim_end());
}

/// Refuses a budget that, as stored runs have it, does not even hold the shortest launches of the first case: nothing would
/// have an interval.
pub fn refuse_vain(forecast: &Forecast, request: &Request) -> Result<(), Failure> {
    let first = forecast.groups.iter().find(|group| group.contenders > 0);
    let (Some(first), Some(whole), None) = (first, forecast.budget, request.launches) else {
        return Ok(());
    };
    // A tenth of tolerance: the machine may be quicker today.
    if first.stored.is_none() || first.needs_at_least.0 <= 1.1 * whole.0 {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "a budget of {} holds no {} launches of {}/{}, and fewer have no interval: by stored runs they take {} at the least",
        when::length(whole),
        first.least,
        first.workload,
        first.case,
        when::length(first.needs_at_least),
    ))
    .hint(format!(
        "--budget {}, fewer contenders (--only), or --launches 1 for provisional verdicts",
        budget(first.needs_at_least)
    )))
}

/// Gives each group of a plan what stored runs of this machine say of it. A store that cannot be read says nothing here: what
/// is wrong with it is found when the run is kept.
pub fn recall(state: &Path, plan: &mut Plan) {
    let known = Store::open_existing(state.join("results.sqlite")).and_then(|store| remembered(&store, plan));
    for (group, known) in plan.groups.iter_mut().zip(known.unwrap_or_default()) {
        group.expected = Expected::together(known);
    }
}

/// For each group what the newest runs of it say, the newest first.
fn remembered(store: &Store, plan: &Plan) -> Result<Vec<Vec<Expected>>, StoreError> {
    let here = machine::ungrouped().identity();
    let groups: Vec<_> = plan
        .groups
        .iter()
        .map(|group| group.records(&plan.rules))
        .collect();
    let mut known: Vec<Vec<Expected>> = vec![Vec::new(); groups.len()];
    let mut read = 0;
    for summary in store.runs()?.iter().filter(|run| run.kind == RunKind::Run) {
        let wanted = |index: &usize| known[*index].len() < RUNS && has(summary, &groups[*index][0]);
        let wanted: Vec<usize> = (0..groups.len()).filter(wanted).collect();
        if wanted.is_empty() || read == MOST_READ {
            continue;
        }
        read += 1;
        let run = store.run(&summary.id)?;
        if run.info.machine.identity() == here {
            for index in wanted {
                known[index].extend(expected(&run, &groups[index]));
            }
        }
    }
    Ok(known)
}

/// Whether a run has some launches of an arena's case.
fn has(run: &RunSummary, arena: &ArenaRecord) -> bool {
    let mut arenas = run.arenas.iter();
    arenas.any(|one| one.workload == arena.workload && one.case == arena.case && one.launches > 1)
}
