//! One metric's values, by epoch, round and entrant.

use tare_model::metric::Metric;
use tare_model::record::{ArenaRecord, Phase, SliceRecord};

/// Values of one metric. Rounds in which an entrant has no value hold none for it.
pub(super) struct Values {
    pub metric: Metric,
    /// Epoch, round, entrant.
    pub rounds: Vec<Vec<Vec<Option<f64>>>>,
    /// The pilot rounds of the first epoch: round, entrant.
    pub pilot: Vec<Vec<Option<f64>>>,
}

impl Values {
    pub fn of(arena: &ArenaRecord, metric: Metric) -> Self {
        let entrants = arena.entrants.len();
        let rounds = arena.epochs.iter();
        let rounds = rounds
            .map(|epoch| table(arena, metric, epoch.number, Phase::Round, entrants))
            .collect();
        let first = arena.epochs.first().map_or(0, |epoch| epoch.number);
        Self {
            metric,
            rounds,
            pilot: table(arena, metric, first, Phase::Pilot, entrants),
        }
    }

    /// ln(a) − ln(b) in each round of an epoch in which both have a value.
    pub fn differences(&self, epoch: usize, a: usize, b: usize) -> Vec<f64> {
        differences(&self.rounds[epoch], a, b)
    }

    /// The same of the pilot rounds.
    pub fn pilot_differences(&self, a: usize, b: usize) -> Vec<f64> {
        differences(&self.pilot, a, b)
    }

    /// An entrant's typical value in each epoch: the Huber centre of its logarithms.
    pub fn centres(&self, entrant: usize) -> Vec<Option<f64>> {
        let centre = |values: Vec<f64>| {
            let logs: Vec<f64> = values.into_iter().map(f64::ln).collect();
            tare_stats::huber::centre(&logs).map(f64::exp)
        };
        self.of_entrant(entrant).into_iter().map(centre).collect()
    }

    /// An entrant's values by epoch.
    pub fn of_entrant(&self, entrant: usize) -> Vec<Vec<f64>> {
        let of_epoch =
            |rounds: &Vec<Vec<Option<f64>>>| rounds.iter().filter_map(|round| round[entrant]).collect();
        self.rounds.iter().map(of_epoch).collect()
    }
}

fn differences(rounds: &[Vec<Option<f64>>], a: usize, b: usize) -> Vec<f64> {
    rounds
        .iter()
        .filter_map(|round| Some(round[a]?.ln() - round[b]?.ln()))
        .collect()
}

fn table(
    arena: &ArenaRecord,
    metric: Metric,
    epoch: u32,
    phase: Phase,
    entrants: usize,
) -> Vec<Vec<Option<f64>>> {
    let mut rounds: Vec<Vec<Option<f64>>> = Vec::new();
    for slice in arena
        .slices_of(epoch, phase)
        .filter(|slice| at_its_level(arena, slice))
    {
        let round = slice.round as usize;
        if rounds.len() <= round {
            rounds.resize(round + 1, vec![None; entrants]);
        }
        rounds[round][slice.entrant] = slice.reading.value(metric);
    }
    rounds
}

/// Pilot slices that tried another number of connections than the one that was chosen are not comparable.
fn at_its_level(arena: &ArenaRecord, slice: &SliceRecord) -> bool {
    let chosen = |other: &&SliceRecord| other.phase == Phase::Round && other.entrant == slice.entrant;
    slice.phase != Phase::Pilot
        || arena
            .slices
            .iter()
            .find(chosen)
            .is_some_and(|other| other.reading.load.connections == slice.reading.load.connections)
}

/// Epochs with at least one slice that counts.
pub(super) fn epochs(arena: &ArenaRecord) -> u32 {
    let counted = arena
        .epochs
        .iter()
        .filter(|epoch| arena.slices_of(epoch.number, Phase::Round).next().is_some());
    counted.count() as u32
}

/// Rounds that count, over all epochs.
pub(super) fn rounds(arena: &ArenaRecord) -> u32 {
    let counted = arena.slices.iter().filter(|slice| slice.phase == Phase::Round);
    let mut seen: Vec<(u32, u32)> = counted.map(|slice| (slice.epoch, slice.round)).collect();
    seen.sort_unstable();
    seen.dedup();
    seen.len() as u32
}
