//! How the runs of commands lie.

use tare_model::record::{ArenaRecord, Phase};
use tare_model::spread::Spread;
use tare_model::units::Seconds;

/// Of each command that has runs that count, in the order of the entrants. For arenas of commands.
pub fn spreads(arena: &ArenaRecord) -> Vec<Spread> {
    let of = |entrant: usize| {
        let mine = arena
            .slices
            .iter()
            .filter(|slice| slice.entrant == entrant && slice.phase == Phase::Round);
        let runs = mine.flat_map(|slice| &slice.reading.load.programs);
        spread(arena, entrant, runs.map(|run| run.0).collect())
    };
    (0..arena.entrants.len()).filter_map(of).collect()
}

fn spread(arena: &ArenaRecord, entrant: usize, mut runs: Vec<f64>) -> Option<Spread> {
    runs.sort_by(f64::total_cmp);
    let (least, most) = (*runs.first()?, *runs.last()?);
    let count = runs.len() as f64;
    let mean = runs.iter().sum::<f64>() / count;
    let squares: f64 = runs.iter().map(|run| (run - mean).powi(2)).sum();
    let middle = (runs[(runs.len() - 1) / 2] + runs[runs.len() / 2]) / 2.0;
    let record = &arena.entrants[entrant];
    Some(Spread {
        id: record.id.clone(),
        text: record.summary.clone(),
        size: arena.size,
        runs: runs.len() as u64,
        mean: Seconds(mean),
        deviation: (runs.len() > 1).then(|| Seconds((squares / (count - 1.0)).sqrt())),
        median: Seconds(middle),
        least: Seconds(least),
        most: Seconds(most),
    })
}
