//! From records to results: the same for a run that is under way and for one that is read back years later.
//!
//! Pure: records in, results out. This room knows no rig, no clock, no file and no format.

#![warn(unreachable_pub)]

mod arena;
mod benchmarks;
mod bound;
mod claims;
mod compare;
mod compilers;
mod contender;
mod convert;
mod expected;
mod field;
pub mod history;
mod levels;
mod lone;
mod median;
mod net;
mod pool;
mod ranks;
mod replicates;
mod sizes;
mod spread;
mod values;
pub mod warmup;

use tare_model::record::{ArenaRecord, RunRecord};
use tare_model::results::{NotMeasured, Results, WhyNot};
use tare_model::settings::RunKind;

pub use arena::{analyse, analyse_all, analyse_among, differences, primary};
pub use benchmarks::{benchmarks, is_decided, judged, launches_needed};
pub use claims::{awaits, is_asked};
pub use expected::{Expected, Tempo, expected};
pub use levels::ROUNDS as LEVEL_ROUNDS;
pub use lone::own_half_width;
pub use median::median;
pub use pool::{Apart, pooled};
pub use sizes::settled;
pub use values::block;

/// The results of a whole run. Cases that were not begun have no entry of their own, but are named.
pub fn results(run: &RunRecord) -> Results {
    let not_measured = not_measured(run);
    if let Some(benchmarks) = benchmarks(&run.arenas, &run.info.settings) {
        // There may be hundreds, and all that is said of them is said together.
        return Results {
            run: run.info.clone(),
            not_measured,
            benchmarks: Some(benchmarks),
            ..Results::default()
        };
    }
    let mut workloads = analyse_all(&run.arenas);
    let mut sweeps = sizes::sweeps(&run.arenas, &workloads);
    let measured = |workload: &str, case: &str| {
        let mut left_out = not_measured.iter();
        !left_out.any(|one| (one.workload.as_str(), one.case.as_str()) == (workload, case))
    };
    workloads.retain(|result| measured(&result.workload, &result.case));
    sweeps.retain(|result| measured(&result.workload, &result.case));
    Results {
        run: run.info.clone(),
        sweeps,
        workloads,
        explanations: Vec::new(),
        not_measured,
        benchmarks: None,
    }
}

/// The cases that have no launch though some of their contenders could have had one, each once.
fn not_measured(run: &RunRecord) -> Vec<NotMeasured> {
    let why = if run.info.complete {
        WhyNot::Budget
    } else {
        WhyNot::Unfinished
    };
    let mut cases: Vec<NotMeasured> = Vec::new();
    if !matches!(
        run.info.settings.kind,
        RunKind::Run | RunKind::Diff | RunKind::Bench
    ) {
        // Others have one case, and say themselves why it has no launch.
        return cases;
    }
    for arena in run.arenas.iter().filter(|arena| !begun(arena)) {
        let (workload, case) = (arena.workload.clone(), arena.case.clone());
        let one = NotMeasured { workload, case, why };
        if !cases.contains(&one) {
            cases.push(one);
        }
    }
    cases
}

fn begun(arena: &ArenaRecord) -> bool {
    if benchmarks::is_benchmark(arena) {
        return !benchmarks::is_left_out(arena);
    }
    !arena.launches.is_empty() || arena.entrants.iter().all(|entrant| entrant.fault.is_some())
}
