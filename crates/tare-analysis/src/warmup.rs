//! The warm-up: by what it is judged, and how; and what earlier launches showed to be enough.

use tare_model::metric::Metric;
use tare_model::record::{ArenaRecord, LaunchRecord, Phase, SteadyRecord};
use tare_model::results::WarmUp;
use tare_model::units::Seconds;
use tare_stats::{early, mser};

use crate::compilers;
use crate::median::median;

/// The first rounds are longer.
pub const LONG_ROUNDS: u32 = 3;

/// The CPU time of a process over that of its loop, which has one thread, from which on other threads of it are at work. In trials
/// 1.1 to 1.25 where none are (C++, Rust, Haskell, HotSpot once it has compiled), 1.4 to 2 while HotSpot compiles.
const AT_WORK: f64 = 1.3;

/// How much longer than usual a slice is that says nothing of that.
const LONG: f64 = 2.5;

/// So many slices in a row show that. While HotSpot collects garbage, one in three is below.
pub const IN_A_ROW: usize = 6;

/// The metric that a warm-up is judged by: over sockets the CPU per operation, which shows a just-in-time compiler in
/// every mode and varies least; in process the time per operation, which includes nothing else.
fn metric(arena: &ArenaRecord) -> Metric {
    if arena.driving.in_process() {
        Metric::TimePerOp
    } else {
        Metric::CpuPerOp
    }
}

/// The rounds of a phase of a launch as logarithms, by round and contender. With several sizes (an arena each): the mean of
/// the logarithms, in rounds that have every size.
fn logs(arenas: &[&ArenaRecord], launch: u32, phase: Phase) -> Vec<Vec<Option<f64>>> {
    let entrants = arenas.first().map_or(0, |arena| arena.entrants.len());
    let sizes = arenas.len();
    let mut sums: Vec<Vec<(f64, usize)>> = Vec::new();
    for arena in arenas {
        let metric = metric(arena);
        for slice in arena.slices_of(launch, phase) {
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
    let rounds = logs(arenas, launch, Phase::WarmUp);
    let present = |entrant: &usize| rounds.iter().any(|round| round[*entrant].is_some());
    let judged = mser::judge(&rounds)
        .into_iter()
        .enumerate()
        .filter(|(entrant, _)| present(entrant));
    judged
        .map(|(entrant, settling)| record(entrant, &settling))
        .collect()
}

/// How each contender settled in a launch: as its warm-up was judged. Where that was too short to be judged, in any launch
/// but the first, its measured rounds are, all of them: in those a drift does harm.
pub fn judgements(arena: &ArenaRecord, launch: &LaunchRecord) -> Vec<SteadyRecord> {
    let mut records = launch.steady.clone();
    let is_first = arena.launches.first().map(|first| first.number) == Some(launch.number);
    if is_first || records.iter().all(|record| record.drift.is_some()) {
        return records;
    }
    let rounds = mser::judge_whole(&logs(&[arena], launch.number, Phase::Round));
    for mine in records.iter_mut().filter(|record| record.drift.is_none()) {
        if let Some(found) = rounds.get(mine.entrant) {
            let found = record(mine.entrant, found);
            (mine.steady, mine.drift) = (found.steady, found.drift);
        }
    }
    records
}

/// Whether each contender's first round was like its later ones in the launches so far, so that long rounds are
/// unnecessary. False for all before the first launch.
pub fn settle_at_once(arenas: &[&ArenaRecord]) -> Vec<bool> {
    let excesses = each_launch(arenas, mser::first_rounds_excess);
    let mean = |known: &[f64]| known.iter().sum::<f64>() / known.len() as f64;
    excesses
        .iter()
        .map(|known| !known.is_empty() && mean(known) <= early::DEARER.ln_1p())
        .collect()
}

/// What a contender's warm-up took until it was settled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settled {
    /// Rounds.
    pub rounds: u32,
    /// The time that it was loaded in these.
    pub load: Seconds,
}

impl Settled {
    const AT_ONCE: Self = Self {
        rounds: 0,
        load: Seconds(0.0),
    };
}

/// What each contender takes to settle, as far as the launches so far show it. Noise makes a round dear, too, but not in every
/// launch: of what the costs of the rounds show, the middle launch counts (of two the shorter). Of what compilers and other
/// threads show, which noise does not put to work, the longest.
pub fn settled(arenas: &[&ArenaRecord]) -> Vec<Option<Settled>> {
    let launches = arenas.first().map_or(&[][..], |arena| &arena.launches);
    let warm_ups: Vec<WarmUpLogs> = launches
        .iter()
        .map(|launch| (launch.number, logs(arenas, launch.number, Phase::WarmUp)))
        .collect();
    let of = |entrant: usize| {
        let costs = middle(by_costs(arenas, &warm_ups, entrant))?;
        let threads = warm_ups
            .iter()
            .filter(|(_, rounds)| rounds.len() >= mser::MIN_ROUNDS);
        let threads = threads.filter_map(|(launch, _)| by_threads(arenas, *launch, entrant));
        Some(threads.fold(costs, longer))
    };
    (0..entrants(arenas)).map(of).collect()
}

/// The rounds of a launch's warm-up, with its number.
type WarmUpLogs = (u32, Vec<Vec<Option<f64>>>);

/// What the costs of a contender's rounds show in each launch. A brief warm-up, which is too short to show it by itself, shows that
/// nothing was needed, where its first round costs what the later rounds of a long one did.
fn by_costs(arenas: &[&ArenaRecord], warm_ups: &[WarmUpLogs], entrant: usize) -> Vec<Settled> {
    let rounds = |rounds: &[Vec<Option<f64>>]| -> Option<Vec<f64>> {
        rounds.iter().map(|row| *row.get(entrant)?).collect()
    };
    let mut least: Option<f64> = None;
    let mut found = Vec::new();
    for (launch, logs) in warm_ups {
        let Some(values) = rounds(logs) else { continue };
        match (early::settled(&values), least) {
            (Some(rounds), _) => {
                let level = early::level(&values);
                least = least.into_iter().chain(level).reduce(f64::min);
                found.push(taken(arenas, *launch, entrant, rounds as u32));
            }
            (None, Some(level)) if values.first().is_some_and(|first| !early::is_dear(*first, level)) => {
                found.push(Settled::AT_ONCE);
            }
            _ => {}
        }
    }
    found
}

/// For how long a contender's compilers, and in process other threads of it, were at work in a launch.
fn by_threads(arenas: &[&ArenaRecord], launch: u32, entrant: usize) -> Option<Settled> {
    let others = at_work_until(&beside(arenas, launch, Phase::WarmUp, entrant));
    let others = others.map(|rounds| taken(arenas, launch, entrant, rounds));
    let compilers = compilers::at_work_until(arenas, launch, entrant);
    let compilers = compilers.map(|load| Settled { rounds: 0, load });
    others.into_iter().chain(compilers).reduce(longer)
}

fn taken(arenas: &[&ArenaRecord], launch: u32, entrant: usize, rounds: u32) -> Settled {
    Settled {
        rounds,
        load: load(arenas, launch, entrant, rounds),
    }
}

fn longer(a: Settled, b: Settled) -> Settled {
    Settled {
        rounds: a.rounds.max(b.rounds),
        load: Seconds(a.load.0.max(b.load.0)),
    }
}

fn middle(mut known: Vec<Settled>) -> Option<Settled> {
    known.sort_by(|a, b| a.load.0.total_cmp(&b.load.0));
    known.get(known.len().saturating_sub(1) / 2).copied()
}

/// Whether a launch's warm-up was too short to be judged by itself.
pub fn was_brief(launch: &LaunchRecord) -> bool {
    launch.steady.iter().any(|record| record.drift.is_none())
}

/// The longest time that each contender was loaded in a warm-up that was not brief: brief ones may be as long as the longest, and with
/// the jitter of their slices would grow without end.
pub fn longest_loads(arenas: &[&ArenaRecord]) -> Vec<Seconds> {
    let launches = arenas.first().map_or(&[][..], |arena| &arena.launches);
    let of = |entrant: usize| {
        let full = launches.iter().filter(|launch| !was_brief(launch));
        let loads = full.map(|launch| load(arenas, launch.number, entrant, u32::MAX).0);
        Seconds(loads.fold(0.0, f64::max))
    };
    (0..entrants(arenas)).map(of).collect()
}

/// The time that a contender was loaded in the first rounds of a launch's warm-up.
fn load(arenas: &[&ArenaRecord], launch: u32, entrant: usize, rounds: u32) -> Seconds {
    let slices = arenas
        .iter()
        .flat_map(|arena| arena.slices_of(launch, Phase::WarmUp));
    let mine = slices.filter(|slice| slice.entrant == entrant && slice.round < rounds);
    Seconds(mine.map(|slice| slice.reading.load.wall.0).sum())
}

/// The CPU time of each slice of a contender over the time of its loop, with its round, in order. Empty over sockets, where all
/// threads may do what is measured. Without long slices: HotSpot begins to compile as a slice begins, and is idle for the rest of a long
/// one.
fn beside(arenas: &[&ArenaRecord], launch: u32, phase: Phase, entrant: usize) -> Vec<(u32, f64)> {
    let in_process = arenas
        .iter()
        .filter_map(|arena| Some((arena, arena.driving.slice()?)));
    let short = in_process.flat_map(|(arena, usual)| {
        let slices = arena.slices_of(launch, phase);
        slices.filter(move |slice| slice.reading.load.wall.0 < LONG * usual.0)
    });
    let mine = short.filter(|slice| slice.entrant == entrant && slice.reading.load.wall.0 > 0.0);
    let mut found: Vec<(u32, f64)> = mine
        .map(|slice| (slice.round, slice.reading.host.cpu.0 / slice.reading.load.wall.0))
        .collect();
    found.sort_by_key(|(round, _)| *round);
    found
}

fn all_at_work(slices: &[(u32, f64)]) -> bool {
    slices.len() == IN_A_ROW && slices.iter().all(|(_, share)| *share > AT_WORK)
}

fn last_at_work(slices: &[(u32, f64)]) -> bool {
    all_at_work(&slices[slices.len().saturating_sub(IN_A_ROW)..])
}

/// The rounds until other threads were no longer at work; none if they never were, or were to the end.
fn at_work_until(slices: &[(u32, f64)]) -> Option<u32> {
    if last_at_work(slices) {
        return None;
    }
    let last = slices.windows(IN_A_ROW).rposition(all_at_work)?;
    Some(slices[last + IN_A_ROW - 1].0 + 1)
}

/// Whether a compiler of each contender is at work at the end of the warm-up: a thread of that name, or, in process, where all of the
/// last slices show it, any other thread than that of the loop.
pub fn at_work(arenas: &[&ArenaRecord], launch: u32) -> Vec<bool> {
    let of = |entrant: usize| {
        last_at_work(&beside(arenas, launch, Phase::WarmUp, entrant))
            || compilers::at_work(arenas, launch, entrant)
    };
    (0..entrants(arenas)).map(of).collect()
}

/// Whether that is how each contender is: in an earlier launch they were at work to the end of a warm-up of so many rounds.
pub fn works_on(arenas: &[&ArenaRecord], rounds: u32) -> Vec<bool> {
    let launches = arenas.first().map_or(&[][..], |arena| &arena.launches);
    let of = |entrant: usize| {
        launches.iter().any(|launch| {
            let slices = beside(arenas, launch.number, Phase::WarmUp, entrant);
            let to_the_end = slices.last().is_some_and(|(round, _)| *round + 1 >= rounds);
            (to_the_end && last_at_work(&slices)) || compilers::work_on(arenas, launch.number, entrant)
        })
    };
    (0..entrants(arenas)).map(of).collect()
}

/// In how many launches other threads of a contender were at work when it began to be measured.
pub(crate) fn began_at_work(arena: &ArenaRecord, entrant: usize) -> usize {
    let began = |launch: &&LaunchRecord| {
        let slices = beside(&[arena], launch.number, Phase::Round, entrant);
        all_at_work(&slices[..slices.len().min(IN_A_ROW)])
    };
    arena.launches.iter().filter(began).count()
}

/// Whether each contender is still over 10% dearer than it was in the later rounds of earlier launches, the machine's
/// share (the others' median) taken out: it is not as warm as it was then. By the cheapest of its `last` rounds, since a burst
/// of noise makes one dear.
pub fn is_cold(arenas: &[&ArenaRecord], launch: u32, last: usize) -> Vec<bool> {
    let now = logs(arenas, launch, Phase::WarmUp);
    let last = &now[now.len().saturating_sub(last)..];
    let level = |rounds: &[Vec<Option<f64>>]| -> Vec<Option<f64>> {
        let after = &rounds[(rounds.len() / 2).max(LONG_ROUNDS as usize).min(rounds.len())..];
        (0..entrants(arenas))
            .map(|entrant| median(after.iter().filter_map(|round| round[entrant]).collect()))
            .collect()
    };
    let before = each_launch(arenas, level);
    let excess = |entrant: usize| {
        let least = last.iter().filter_map(|round| round[entrant]).reduce(f64::min);
        Some(least? - median(before[entrant].clone())?)
    };
    let all: Vec<Option<f64>> = (0..entrants(arenas)).map(excess).collect();
    let of_others = |entrant: usize| {
        let others = all.iter().enumerate().filter(|(other, _)| *other != entrant);
        median(others.filter_map(|(_, excess)| *excess).collect()).unwrap_or(0.0)
    };
    let cold = |(entrant, excess): (usize, &Option<f64>)| {
        excess.is_some_and(|excess| excess - of_others(entrant) > early::DEARER.ln_1p())
    };
    all.iter().enumerate().map(cold).collect()
}

fn entrants(arenas: &[&ArenaRecord]) -> usize {
    arenas.first().map_or(0, |arena| arena.entrants.len())
}

/// A figure of each contender's warm-ups in the launches that are on record and have it.
fn each_launch(
    arenas: &[&ArenaRecord],
    figure: impl Fn(&[Vec<Option<f64>>]) -> Vec<Option<f64>>,
) -> Vec<Vec<f64>> {
    let launches = arenas.first().map_or(&[][..], |arena| &arena.launches);
    let mut known = vec![Vec::new(); entrants(arenas)];
    for launch in launches {
        let of_launch = figure(&logs(arenas, launch.number, Phase::WarmUp));
        for (known, figure) in known.iter_mut().zip(of_launch) {
            known.extend(figure);
        }
    }
    known
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
pub(crate) fn curves(arena: &ArenaRecord, entrant: usize, judged: &[Option<SteadyRecord>]) -> Vec<WarmUp> {
    let metric = metric(arena);
    let of = |(launch, record): (&LaunchRecord, &Option<SteadyRecord>)| {
        let record = record.as_ref()?;
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
    let curves = arena.launches.iter().zip(judged).filter_map(of);
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
    fn what_noise_can_fake_counts_by_its_middle_launch() {
        let took = |loads: &[f64]| {
            let of = |load: &f64| Settled {
                rounds: (10.0 * load) as u32,
                load: Seconds(*load),
            };
            middle(loads.iter().map(of).collect()).map(|known| known.load.0)
        };
        assert_eq!(took(&[]), None);
        assert_eq!(took(&[0.4]), Some(0.4));
        assert_eq!(took(&[0.8, 0.0]), Some(0.0), "the machine's noise");
        assert_eq!(took(&[2.0, 0.0, 0.8]), Some(0.8));
    }

    #[test]
    fn the_level_of_a_warm_up_is_the_median_of_what_came_after_the_cut() {
        assert_eq!(level(&[8.0, 4.0, 2.0, 2.0, 2.0], 2), Some(2.0));
        assert_eq!(level(&[3.0], 2), Some(3.0), "all was cut");
        assert_eq!(level(&[], 0), None);
    }
}
