//! One metric's values, by launch, round and entrant.

use tare_model::metric::{Metric, Mode};
use tare_model::record::{ArenaRecord, Phase};

/// Values of one metric; none for an entrant without a value in a round.
pub(crate) struct Values {
    pub metric: Metric,
    /// Launch, round, entrant.
    pub rounds: Vec<Vec<Vec<Option<f64>>>>,
    /// Rounds in a block of a provisional interval, at the least; none where launches are blocks themselves.
    pub block: Option<usize>,
}

impl Values {
    pub(crate) fn of(arena: &ArenaRecord, metric: Metric) -> Self {
        let rounds = arena.launches.iter();
        let rounds = rounds.map(|launch| table(arena, metric, launch.number)).collect();
        Self {
            metric,
            rounds,
            block: block(arena.mode),
        }
    }

    /// ln(a) − ln(b) in each round of a launch in which both have a value.
    pub(crate) fn differences(&self, launch: usize, a: usize, b: usize) -> Vec<f64> {
        self.rounds[launch]
            .iter()
            .filter_map(|round| Some(round[a]?.ln() - round[b]?.ln()))
            .collect()
    }

    /// An entrant's centre in each launch: the Huber centre of its logarithms.
    pub(crate) fn centres(&self, entrant: usize) -> Vec<Option<f64>> {
        let centre = |values: Vec<f64>| {
            let logs: Vec<f64> = values.into_iter().map(f64::ln).collect();
            tare_stats::huber::centre(&logs).map(f64::exp)
        };
        self.of_entrant(entrant).into_iter().map(centre).collect()
    }

    /// An entrant's values by launch.
    pub(crate) fn of_entrant(&self, entrant: usize) -> Vec<Vec<f64>> {
        let of_launch =
            |rounds: &Vec<Vec<Option<f64>>>| rounds.iter().filter_map(|round| round[entrant]).collect();
        self.rounds.iter().map(of_launch).collect()
    }
}

/// Rounds in the shortest block of a provisional interval. A batch is a whole job of half a second or more, which is as
/// long as several slices of the other modes; the runs of a command are fresh starts, and a launch is a block of them.
pub fn block(mode: Mode) -> Option<usize> {
    match mode {
        Mode::Capacity | Mode::Cost => Some(4),
        Mode::Batch => Some(1),
        Mode::Command | Mode::Benchmark => None,
    }
}

fn table(arena: &ArenaRecord, metric: Metric, launch: u32) -> Vec<Vec<Option<f64>>> {
    let entrants = arena.entrants.len();
    let mut rounds: Vec<Vec<Option<f64>>> = Vec::new();
    for slice in arena.slices_of(launch, Phase::Round) {
        let round = slice.round as usize;
        if rounds.len() <= round {
            rounds.resize(round + 1, vec![None; entrants]);
        }
        rounds[round][slice.entrant] = slice.reading.value(metric);
    }
    rounds
}

/// Number of launches with at least one measured round.
pub(crate) fn launches(arena: &ArenaRecord) -> u32 {
    let counted = arena
        .launches
        .iter()
        .filter(|launch| arena.slices_of(launch.number, Phase::Round).next().is_some());
    counted.count() as u32
}

/// Number of measured rounds, over all launches.
pub(crate) fn rounds(arena: &ArenaRecord) -> u32 {
    let counted = arena.slices.iter().filter(|slice| slice.phase == Phase::Round);
    let mut seen: Vec<(u32, u32)> = counted.map(|slice| (slice.launch, slice.round)).collect();
    seen.sort_unstable();
    seen.dedup();
    seen.len() as u32
}

/// Whether a contender has a slice of a measured round.
pub(crate) fn has_rounds(arena: &ArenaRecord, entrant: usize) -> bool {
    arena
        .slices
        .iter()
        .any(|slice| slice.entrant == entrant && slice.phase == Phase::Round)
}
