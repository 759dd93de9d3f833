//! The throughput of contenders at each number of connections that the pilot tried.

use std::collections::BTreeMap;

use tare_model::metric::{Metric, Mode};
use tare_model::record::{ArenaRecord, Phase, SliceRecord};
use tare_model::results::Level;
use tare_model::units::PerSecond;

use crate::median::median;

/// The least pilot rounds at each level.
pub const ROUNDS: u32 = 3;

/// One entrant's levels, rising; none where the pilot had no choice. At the fixed rate of an open loop the throughput does
/// not differ.
pub(crate) fn tried(arena: &ArenaRecord, entrant: usize) -> Vec<Level> {
    if arena.mode == Mode::Cost {
        return Vec::new();
    }
    let mut rates: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    let connections = |slice: &SliceRecord| slice.reading.load.connections;
    let pilots = arena.slices_of(0, Phase::Pilot);
    for slice in pilots.filter(|slice| slice.entrant == entrant) {
        let known = rates.entry(connections(slice)).or_default();
        known.extend(slice.reading.value(Metric::Throughput));
    }
    if rates.len() < 2 {
        return Vec::new();
    }
    let rounds = arena.slices.iter().filter(|slice| slice.phase == Phase::Round);
    let chosen = rounds
        .filter(|slice| slice.entrant == entrant)
        .map(connections)
        .next();
    let others = rates.iter().filter(|(level, _)| Some(**level) != chosen);
    let most = others.map(|(_, rates)| rates.len()).max().unwrap_or(0);
    let level = |(level, mut rates): (u32, Vec<f64>)| {
        // Later slices, at the chosen level, warm up in a mode.
        rates.truncate(most);
        Some(Level {
            connections: level,
            rate: PerSecond(median(rates)?),
            chosen: chosen == Some(level),
        })
    };
    rates.into_iter().filter_map(level).collect()
}
