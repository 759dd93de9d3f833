//! Stored runs by their ids; several, joined by `+`, are taken together as one.

use tare_analysis::{Apart, pooled};
use tare_model::record::RunRecord;
use tare_store::Store;

use crate::failure::Failure;

/// Joins the ids of runs that are taken together.
pub const AND: char = '+';

/// The run of an id, or of several.
pub fn run(store: &Store, which: &str, unlike: bool) -> Result<RunRecord, Failure> {
    let ids: Vec<&str> = which.split(AND).collect();
    let runs = ids.iter().map(|id| store.run(id).map_err(Failure::usage));
    let mut runs = runs.collect::<Result<Vec<RunRecord>, Failure>>()?;
    if runs.len() == 1 {
        return Ok(runs.remove(0));
    }
    pooled(runs, unlike).map_err(|apart| Failure::usage(&apart).hint(hint(&apart)))
}

fn hint(apart: &Apart) -> &'static str {
    match apart {
        Apart::Twice { .. } => "`tare list runs` has their ids",
        Apart::Kind { .. } => "benchmarks, loads and imported figures are shown one by one",
        Apart::Version { .. } => "measure both with the same tare",
        Apart::Settings { .. } | Apart::Case { .. } => {
            "measure the same, with the same options, on each machine"
        }
        Apart::Machines { .. } => "--unlike takes them together all the same; the verdict is of their mean",
        Apart::Contender { .. } => {
            "install the same versions on each machine; --unlike takes them together all the same"
        }
    }
}
