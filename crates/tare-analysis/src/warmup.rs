//! The warm-up: by what it is judged, and how.

use tare_model::metric::Metric;
use tare_model::record::{ArenaRecord, LaunchRecord, Phase, SteadyRecord};
use tare_model::results::WarmUp;
use tare_stats::mser;

use crate::median::median;

/// The first rounds are longer.
pub const LONG_ROUNDS: u32 = 3;

/// A contender settles at once if its first round costs at most this much more than the later ones. In trials HotSpot's
/// first round cost two to four times as much, V8's 1.3 times; those of compiled programs and of CPython differed by up to
/// 10% either way.
const AT_ONCE: f64 = 0.1;

/// The metric that a warm-up is judged by: over sockets the CPU per operation, which shows a just-in-time compiler in
/// every mode and varies least; in process the time per operation, which includes nothing else.
fn metric(arena: &ArenaRecord) -> Metric {
    if arena.driving.in_process() {
        Metric::TimePerOp
    } else {
        Metric::CpuPerOp
    }
}

/// The warm-up of a launch as logarithms, by round and contender. With several sizes (an arena each): the mean of the
/// logarithms, in rounds that have every size.
fn logs(arenas: &[&ArenaRecord], launch: u32) -> Vec<Vec<Option<f64>>> {
    let entrants = arenas.first().map_or(0, |arena| arena.entrants.len());
    let sizes = arenas.len();
    let mut sums: Vec<Vec<(f64, usize)>> = Vec::new();
    for arena in arenas {
        let metric = metric(arena);
        for slice in arena.slices_of(launch, Phase::WarmUp) {
            let round = slice.round as usize;
            sums.resize((round + 1).max(sums.len()), vec![(0.0, 0); entrants]);
            if let Some(value) = slice.reading.value(metric) {
                let (sum, count) = &mut sums[round][slice.entrant];
                (*sum, *count) = (*sum + value.ln(), *count + 1);
            }
        }
    }
    let mean = |&(sum, count): &(f64, usize)| (count == sizes).then(|| sum / sizes as f64);
    sums.iter()
        .map(|round| round.iter().map(mean).collect())
        .collect()
}

/// Judges the warm-up of a launch, for each contender that was measured in it.
pub fn judge(arenas: &[&ArenaRecord], launch: u32) -> Vec<SteadyRecord> {
    let rounds = logs(arenas, launch);
    let present = |entrant: &usize| rounds.iter().any(|round| round[*entrant].is_some());
    let judged = mser::judge(&rounds)
        .into_iter()
        .enumerate()
        .filter(|(entrant, _)| present(entrant));
    judged
        .map(|(entrant, settling)| record(entrant, &settling))
        .collect()
}

/// Whether each contender's first round was like its later ones in the launches so far, so that long rounds are
/// unnecessary. False for all before the first launch.
pub fn settle_at_once(arenas: &[&ArenaRecord]) -> Vec<bool> {
    let excesses = mean_excesses(arenas, 0, mser::first_rounds_excess);
    let at_once = |excess: Option<f64>| excess.is_some_and(|excess| excess <= AT_ONCE.ln_1p());
    excesses.into_iter().map(at_once).collect()
}

/// Whether each contender's first rounds, as many as in the shortest warm-up, were like the later ones, so that further
/// rounds are unnecessary; cheaper first rounds do not count as warming up. The first launch is left out: its rounds are
/// long.
pub fn settle_soon(arenas: &[&ArenaRecord], shortest: u32) -> Vec<bool> {
    let excesses = mean_excesses(arenas, 1, |rounds| mser::early_excess(rounds, shortest as usize));
    let soon = |excess: Option<f64>| excess.is_some_and(|excess| excess <= mser::TOLERANCE);
    excesses.into_iter().map(soon).collect()
}

/// The mean of a figure over each contender's warm-ups from a launch on; none where no launch has it.
fn mean_excesses(
    arenas: &[&ArenaRecord],
    from: u32,
    figure: impl Fn(&[Vec<Option<f64>>]) -> Vec<Option<f64>>,
) -> Vec<Option<f64>> {
    let entrants = arenas.first().map_or(0, |arena| arena.entrants.len());
    let launches = arenas.first().map_or(&[][..], |arena| &arena.launches);
    let figures: Vec<Vec<Option<f64>>> = launches
        .iter()
        .filter(|launch| launch.number >= from)
        .map(|launch| figure(&logs(arenas, launch.number)))
        .collect();
    let mean = |entrant: usize| {
        let known: Vec<f64> = figures.iter().filter_map(|of| *of.get(entrant)?).collect();
        (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
    };
    (0..entrants).map(mean).collect()
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

/// A contender's warm-up in each launch, for charts.
pub(crate) fn curves(arena: &ArenaRecord, entrant: usize) -> Vec<WarmUp> {
    let metric = metric(arena);
    let of = |launch: &LaunchRecord| {
        let record = launch.steady.iter().find(|record| record.entrant == entrant)?;
        let slices = arena.slices_of(launch.number, Phase::WarmUp);
        let mine = slices.filter(|slice| slice.entrant == entrant);
        let measured: Vec<(u32, f64)> = mine
            .filter_map(|slice| Some((slice.round, slice.reading.value(metric)?)))
            .collect();
        let before = measured.iter().filter(|(round, _)| *round < record.truncated_at);
        let values: Vec<f64> = measured.iter().map(|(_, value)| *value).collect();
        let cut = before.count();
        Some(WarmUp {
            launch: launch.number,
            metric,
            cut,
            level: level(&values, cut),
            values,
            steady: record.steady,
        })
    };
    let curves = arena.launches.iter().filter_map(of);
    curves.filter(|curve| !curve.values.is_empty()).collect()
}

/// The level that a warm-up reached: the median of what came after the cut, or of all where nothing did.
fn level(values: &[f64], cut: usize) -> Option<f64> {
    let after = values.get(cut..).filter(|rest| !rest.is_empty());
    median(after.unwrap_or(values).to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_of_a_warm_up_is_the_median_of_what_came_after_the_cut() {
        assert_eq!(level(&[8.0, 4.0, 2.0, 2.0, 2.0], 2), Some(2.0));
        assert_eq!(level(&[3.0], 2), Some(3.0), "all was cut");
        assert_eq!(level(&[], 0), None);
    }
}
