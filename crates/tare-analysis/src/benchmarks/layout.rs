//! Which part of the spread between launches is layout, where each launch has layouts of its own.

use tare_model::benchmark::{LayoutSpread, Standing};
use tare_model::record::ArenaRecord;
use tare_stats::huber;
use tare_stats::rounds::Spread;

use super::samples::{self, Series};
use super::standing;

/// Rounds of a launch that its own spread can be known from.
const LEAST_ROUNDS: usize = 2;

/// Of all benchmarks that are judged; none where none has three launches of two rounds.
pub(super) fn spread(arenas: &[&ArenaRecord]) -> Option<LayoutSpread> {
    let judged = arenas.iter().filter(|arena| standing(arena) == Standing::Judged);
    let launches: Vec<Vec<Vec<f64>>> = judged.filter_map(|arena| primary(arena)).collect();
    let spreads: Vec<Spread> = launches
        .iter()
        .filter_map(|launches| Spread::of(launches))
        .collect();
    let over = |part: fn(&Spread) -> f64| huber::median(&spreads.iter().map(part).collect::<Vec<f64>>());
    let layout = spreads.iter().map(|spread| spread.centres - spread.explained);
    Some(LayoutSpread {
        layouts: launches.iter().map(Vec::len).max().unwrap_or(0) as u32,
        between: over(|spread| spread.centres)?.sqrt(),
        within: over(|spread| spread.explained)?.sqrt(),
        largest: layout.fold(0.0, f64::max).sqrt(),
    })
}

/// The log ratios of a benchmark's primary figure, by launch and round.
fn primary(arena: &ArenaRecord) -> Option<Vec<Vec<f64>>> {
    let samples = samples::of(arena);
    let timed = |series: &&Series| !series.quantity.counted();
    let mut launches = samples.series.iter().find(timed)?.differences();
    launches.retain(|rounds| rounds.len() >= LEAST_ROUNDS);
    Some(launches)
}
