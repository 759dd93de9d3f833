//! One metric's values, by launch, round and entrant.

use tare_model::metric::Metric;
use tare_model::record::{ArenaRecord, Phase, SliceRecord};

use crate::warmup::LONG_ROUNDS;

/// Values of one metric; none for an entrant without a value in a round.
pub(crate) struct Values {
    pub metric: Metric,
    /// Launch, round, entrant.
    pub rounds: Vec<Vec<Vec<Option<f64>>>>,
    /// Rounds of the first launch that only set a scale: round, entrant. The pilot's, and in process before them the
    /// warm-up's after each contender had settled, which have the same length.
    pub pilot: Vec<Vec<Option<f64>>>,
}

impl Values {
    pub(crate) fn of(arena: &ArenaRecord, metric: Metric) -> Self {
        let rounds = arena.launches.iter();
        let rounds = rounds
            .map(|launch| table(arena, metric, launch.number, Phase::Round, |_| true))
            .collect();
        let first = arena.launches.first().map_or(0, |launch| launch.number);
        let mut pilot = settled(arena, metric, first);
        pilot.extend(table(arena, metric, first, Phase::Pilot, |slice| {
            at_its_level(arena, slice)
        }));
        Self {
            metric,
            rounds,
            pilot,
        }
    }

    /// ln(a) − ln(b) in each round of a launch in which both have a value.
    pub(crate) fn differences(&self, launch: usize, a: usize, b: usize) -> Vec<f64> {
        differences(&self.rounds[launch], a, b)
    }

    /// The same for the pilot rounds.
    pub(crate) fn pilot_differences(&self, a: usize, b: usize) -> Vec<f64> {
        differences(&self.pilot, a, b)
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

fn differences(rounds: &[Vec<Option<f64>>], a: usize, b: usize) -> Vec<f64> {
    rounds
        .iter()
        .filter_map(|round| Some(round[a]?.ln() - round[b]?.ln()))
        .collect()
}

fn table(
    arena: &ArenaRecord,
    metric: Metric,
    launch: u32,
    phase: Phase,
    keep: impl Fn(&SliceRecord) -> bool,
) -> Vec<Vec<Option<f64>>> {
    let entrants = arena.entrants.len();
    let mut rounds: Vec<Vec<Option<f64>>> = Vec::new();
    for slice in arena.slices_of(launch, phase).filter(|slice| keep(slice)) {
        let round = slice.round as usize;
        if rounds.len() <= round {
            rounds.resize(round + 1, vec![None; entrants]);
        }
        rounds[round][slice.entrant] = slice.reading.value(metric);
    }
    rounds
}

/// The settled end of a warm-up in process: the slices after each contender's cut, without the long rounds.
fn settled(arena: &ArenaRecord, metric: Metric, launch: u32) -> Vec<Vec<Option<f64>>> {
    if !arena.driving.in_process() {
        return Vec::new();
    }
    let records = arena.launches.iter().find(|record| record.number == launch);
    let cut = |entrant: usize| {
        let mine = records?.steady.iter().find(|record| record.entrant == entrant)?;
        Some(mine.truncated_at.max(LONG_ROUNDS))
    };
    let cuts: Vec<Option<u32>> = (0..arena.entrants.len()).map(cut).collect();
    table(arena, metric, launch, Phase::WarmUp, |slice| {
        cuts[slice.entrant].is_some_and(|cut| slice.round >= cut)
    })
}

/// Number of rounds in the settled end of a warm-up in which all remaining contenders were measured.
pub fn settled_rounds(arena: &ArenaRecord, launch: u32) -> u32 {
    let there = |entrant: &usize| arena.entrants[*entrant].fault.is_none();
    let all: Vec<usize> = (0..arena.entrants.len()).filter(there).collect();
    let rounds = settled(arena, arena.primary, launch);
    let whole = rounds
        .iter()
        .filter(|round| all.iter().all(|&entrant| round[entrant].is_some()));
    whole.count() as u32
}

/// Whether a pilot slice had the chosen number of connections; others are not comparable.
fn at_its_level(arena: &ArenaRecord, slice: &SliceRecord) -> bool {
    let chosen = |other: &&SliceRecord| other.phase == Phase::Round && other.entrant == slice.entrant;
    arena
        .slices
        .iter()
        .find(chosen)
        .is_some_and(|other| other.reading.load.connections == slice.reading.load.connections)
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
