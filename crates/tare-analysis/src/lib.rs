//! From records to results: the same for a run that is under way and for one that is read back years later.
//!
//! Pure: records in, results out. This room knows no rig, no clock, no file and no format.

#![warn(unreachable_pub)]

mod arena;
mod bound;
mod claims;
mod compare;
mod contender;
mod convert;
mod field;
pub mod history;
mod levels;
mod median;
mod net;
mod ranks;
mod sizes;
mod spread;
mod values;
pub mod warmup;

use tare_model::record::RunRecord;
use tare_model::results::{Results, WorkloadResult};

pub use arena::{analyse, primary};
pub use claims::results as claims;
pub use levels::ROUNDS as LEVEL_ROUNDS;
pub use median::median;
pub use sizes::settled;
pub use values::block;

/// The results of a whole run.
pub fn results(run: &RunRecord) -> Results {
    let workloads: Vec<WorkloadResult> = run.arenas.iter().map(analyse).collect();
    Results {
        run: run.info.clone(),
        sweeps: sizes::sweeps(&run.arenas, &workloads),
        workloads,
        explanations: Vec::new(),
    }
}
