//! The warm-up: how long its slices are, when it is judged, and how.

use tare_model::metric::Metric;
use tare_model::record::{ArenaRecord, Phase, SteadyRecord};
use tare_stats::mser;

/// Rounds before the first judgement: the long ones, and seventeen that show whether they were enough. In trials on
/// two cores HotSpot, the slowest to settle, was steady after the long ones.
pub(crate) const LEAST_ROUNDS: u32 = 20;

/// Rounds of a warm-up that a small budget cuts short.
pub(crate) const SHORTEST: u32 = 10;

/// Rounds after which a contender that still drifts is called not steady.
pub(crate) const MOST_ROUNDS: u32 = 60;

/// The first rounds are longer: just-in-time compilers count work, not rounds.
const LONG_ROUNDS: u32 = 3;

/// How much longer.
const LONG: f64 = 5.0;

/// The length of a warm-up round's slices, as a multiple of a measured one's.
pub(crate) fn stretch(round: u32) -> f64 {
    if round < LONG_ROUNDS { LONG } else { 1.0 }
}

/// Whether it is worth looking whether all are steady: with every new batch.
pub(crate) fn is_time_to_judge(rounds: u32) -> bool {
    rounds >= LEAST_ROUNDS && rounds.is_multiple_of(mser::BATCH as u32)
}

/// How the warm-up of an epoch stands, for each contender that was measured in it. Judged by the CPU per operation:
/// it shows a compiler at work in every mode, and is the steadiest of what a slice yields. Over several sizes (an arena
/// each) by the mean of its logarithms, in rounds that have them all.
pub(crate) fn judge(arenas: &[ArenaRecord], epoch: u32) -> Vec<SteadyRecord> {
    let entrants = arenas.first().map_or(0, |arena| arena.entrants.len());
    let sizes = arenas.len();
    let mut sums: Vec<Vec<(f64, usize)>> = Vec::new();
    for slice in arenas
        .iter()
        .flat_map(|arena| arena.slices_of(epoch, Phase::WarmUp))
    {
        let round = slice.round as usize;
        sums.resize((round + 1).max(sums.len()), vec![(0.0, 0); entrants]);
        if let Some(value) = slice.reading.value(Metric::CpuPerOp) {
            let (sum, count) = &mut sums[round][slice.entrant];
            (*sum, *count) = (*sum + value.ln(), *count + 1);
        }
    }
    let mean = |&(sum, count): &(f64, usize)| (count == sizes).then(|| sum / sizes as f64);
    let rounds: Vec<Vec<Option<f64>>> = sums
        .iter()
        .map(|round| round.iter().map(mean).collect())
        .collect();
    let present = |entrant: &usize| rounds.iter().any(|round| round[*entrant].is_some());
    let judged = mser::judge(&rounds)
        .into_iter()
        .enumerate()
        .filter(|(entrant, _)| present(entrant));
    judged
        .map(|(entrant, settling)| record(entrant, &settling))
        .collect()
}

fn record(entrant: usize, settling: &mser::Settling) -> SteadyRecord {
    let as_ratio = |drift: &mser::Drift| (drift.interval.low.exp_m1(), drift.interval.high.exp_m1());
    SteadyRecord {
        entrant,
        steady: settling.steady,
        truncated_at: settling.truncate_at_round as u32,
        drift: settling.drift.as_ref().map(as_ratio),
    }
}
