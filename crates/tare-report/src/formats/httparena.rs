//! HttpArena's files of results, written from runs and read as an imported run.

mod read;
mod write;

pub use read::{FileOf, read};
pub use write::files;

use tare_model::published::Published;
use tare_model::record::{ArenaRecord, RunRecord};

use crate::format::{Format, Output, Unfit};
use crate::imported::best_of;

/// The workload that runs of the suite's folders have.
const WORKLOAD: &str = "httparena";

/// The workload of imported figures.
pub const IMPORTED: &str = "http-arena";

/// The suite's own files.
pub const FORMAT: Format = Format {
    name: "httparena",
    render: |source| match files(source.record) {
        files if files.is_empty() => Err(Unfit {
            why: format!(
                "run {} has no profile of HttpArena in mode capacity",
                source.record.info.id
            ),
            hint: "`tare run httparena:DIR` measures its folders".to_owned(),
        }),
        files => Ok(Output::Files(files)),
    },
};

/// Puts an imported run's figures beside those of a measured run of the suite's folders: each implementation's best, at the
/// contender of its name, in the profile's case and mode. Returns how many.
pub fn beside(record: &mut RunRecord, imported: &RunRecord) -> usize {
    let theirs = |arena: &ArenaRecord| {
        let same = |other: &&ArenaRecord| {
            other.workload == IMPORTED && (&other.case, other.mode) == (&arena.case, arena.mode)
        };
        imported.arenas.iter().find(same)
    };
    let mut count = 0;
    for arena in record
        .arenas
        .iter_mut()
        .filter(|arena| arena.workload == WORKLOAD)
    {
        let Some(theirs) = theirs(arena) else { continue };
        for entrant in &arena.entrants {
            let of_it = theirs
                .published
                .iter()
                .filter(|figure| figure.contender.name == entrant.id.name);
            let best = best_of(of_it);
            arena.published.extend(best.map(|figure| Published {
                contender: entrant.id.clone(),
                ..figure.clone()
            }));
            count += usize::from(best.is_some());
        }
    }
    count
}
