//! What stored runs say of a further run of the same contenders: how long its launches take, and how far they spread.

use tare_model::metric::Mode;
use tare_model::record::{ArenaRecord, Phase, RunRecord, SliceRecord};
use tare_model::settings::RunKind;
use tare_stats::{rounds, tseq};

use crate::arena::{differences, primary};
use crate::median::median;
use crate::values::Values;

/// The time that the parts of a launch took, in seconds, with all contenders together.
#[derive(Debug, Clone, PartialEq)]
pub struct Tempo {
    /// Starting, checking and stopping.
    pub fixed: f64,
    /// From the first slice to the first measured round, in launches after the first.
    pub warm_up: f64,
    /// How much longer that was in the first launch.
    pub first: f64,
    /// A round at all sizes, by mode.
    pub rounds: Vec<(Mode, f64)>,
}

/// What is expected of a group.
#[derive(Debug, Clone, PartialEq)]
pub struct Expected {
    /// The runs that it is known from.
    pub runs: u32,
    /// How long a launch takes.
    pub tempo: Tempo,
    /// The standard deviation of the log ratio of a pair from launch to launch (of a lone contender: of its own figure), by
    /// mode: the median over pairs and sizes.
    pub spread: Vec<(Mode, f64)>,
    /// The number of rounds that makes the best of a launch, by mode, where there were launches enough to learn it from.
    pub best: Vec<(Mode, f64)>,
}

/// What a stored run says of a further run of these arenas, which are those of one group. None where it measured a
/// different question: another case, mode, size, load or placement, without one of the contenders, or by other rules.
pub fn expected(run: &RunRecord, arenas: &[ArenaRecord]) -> Option<Expected> {
    if !by_the_same_rules(run) {
        return None;
    }
    let stored: Vec<&ArenaRecord> = arenas
        .iter()
        .map(|planned| run.arenas.iter().find(|stored| same_question(planned, stored)))
        .collect::<Option<_>>()?;
    let group: Vec<&ArenaRecord> = run
        .arenas
        .iter()
        .filter(|arena| (&arena.workload, &arena.case) == (&stored[0].workload, &stored[0].case))
        .collect();
    let tempo = tempo(run, &group, &stored)?;
    let (now, then) = (taking_part(arenas.first()?), taking_part(stored[0]));
    let spread = modes(&stored).into_iter().filter_map(|mode| {
        let of_mode = stored.iter().filter(|arena| arena.mode == mode);
        Some((mode, median(of_mode.flat_map(|arena| spreads(arena)).collect())?))
    });
    Some(Expected {
        runs: 1,
        best: best(&stored, &tempo),
        tempo: tempo.scaled(now as f64 / then.max(1) as f64),
        spread: spread.collect(),
    })
}

impl Expected {
    /// What several runs say, the newest first: its length, with the longest warm-up, since a small budget cuts those short;
    /// and the median of the spreads.
    pub fn together(all: Vec<Self>) -> Option<Self> {
        let mut newest = all.first()?.clone();
        let warm_ups = all.iter().map(|one| one.tempo.warm_up);
        newest.tempo.warm_up = warm_ups.fold(0.0, f64::max);
        for (mode, spread) in &mut newest.spread {
            let of_mode = all.iter().flat_map(|one| &one.spread);
            let of_mode = of_mode
                .filter(|(other, _)| other == mode)
                .map(|(_, spread)| *spread);
            *spread = median(of_mode.collect()).unwrap_or(*spread);
        }
        newest.runs = all.len() as u32;
        Some(newest)
    }
}

impl Tempo {
    /// The same with another number of contenders.
    fn scaled(self, factor: f64) -> Self {
        Self {
            fixed: self.fixed * factor,
            warm_up: self.warm_up * factor,
            first: self.first * factor,
            rounds: self
                .rounds
                .into_iter()
                .map(|(mode, round)| (mode, round * factor))
                .collect(),
        }
    }
}

/// Whether it was made by `tare run` over several launches, and has a clock of its own: a resumed run begins with launches of
/// another one's.
fn by_the_same_rules(run: &RunRecord) -> bool {
    let settings = &run.info.settings;
    let resumes = settings
        .contenders
        .as_ref()
        .is_some_and(|one| one.resumes.is_some());
    settings.kind == RunKind::Run && settings.launches != Some(1) && !resumes && run.info.imported.is_none()
}

fn same_question(planned: &ArenaRecord, stored: &ArenaRecord) -> bool {
    let key = |arena: &ArenaRecord| (arena.workload.clone(), arena.case.clone(), arena.mode, arena.size);
    let mut wanted = planned.entrants.iter().filter(|entrant| entrant.fault.is_none());
    key(planned) == key(stored)
        && planned.driving.planned() == stored.driving.planned()
        && planned.placement.contender == stored.placement.contender
        && planned.placement.load == stored.placement.load
        && planned.placement.agents == stored.placement.agents
        && wanted.all(|wanted| {
            let found = stored.entrants.iter().find(|entrant| entrant.id == wanted.id);
            found.is_some_and(|entrant| entrant.fault.is_none())
        })
}

fn taking_part(arena: &ArenaRecord) -> usize {
    let entrants = arena.entrants.iter();
    entrants.filter(|entrant| entrant.fault.is_none()).count()
}

fn modes(arenas: &[&ArenaRecord]) -> Vec<Mode> {
    let mut modes: Vec<Mode> = arenas.iter().map(|arena| arena.mode).collect();
    modes.dedup();
    modes
}

/// When a launch of a group began, its slices, and when the next launch of any group began.
struct Launch<'r> {
    began: f64,
    slices: Vec<&'r SliceRecord>,
    ended: f64,
}

impl Launch<'_> {
    fn first(&self) -> f64 {
        self.slices
            .iter()
            .map(|slice| slice.reading.began.0)
            .fold(f64::INFINITY, f64::min)
    }

    fn last(&self) -> f64 {
        let ends = self.slices.iter().map(|slice| end_of(slice));
        ends.fold(0.0, f64::max)
    }

    fn first_round(&self) -> f64 {
        let rounds = self.slices.iter().filter(|slice| slice.phase == Phase::Round);
        rounds
            .map(|slice| slice.reading.began.0)
            .fold(f64::INFINITY, f64::min)
    }

    /// Starting, checking and stopping.
    fn fixed(&self) -> f64 {
        (self.first() - self.began) + (self.ended - self.last()).max(0.0)
    }
}

fn end_of(slice: &SliceRecord) -> f64 {
    slice.reading.began.0 + slice.reading.host.thawed.0.max(slice.reading.load.wall.0)
}

fn tempo(run: &RunRecord, group: &[&ArenaRecord], stored: &[&ArenaRecord]) -> Option<Tempo> {
    let launches: Vec<Launch<'_>> = launches(run, group);
    let warm_up = |launch: &Launch<'_>| launch.first_round() - launch.first();
    let (first, later) = launches.split_first()?;
    let longest = later.iter().map(warm_up).fold(0.0, f64::max);
    let longest = if later.is_empty() { warm_up(first) } else { longest };
    let rounds = modes(stored)
        .into_iter()
        .map(|mode| Some((mode, round(stored.iter().filter(|arena| arena.mode == mode))?)))
        .collect::<Option<_>>()?;
    Some(Tempo {
        fixed: median(launches.iter().map(Launch::fixed).collect())?,
        warm_up: longest,
        first: (warm_up(first) - longest).max(0.0),
        rounds,
    })
}

/// The launches of a group that have a measured round.
fn launches<'r>(run: &RunRecord, group: &[&'r ArenaRecord]) -> Vec<Launch<'r>> {
    let begins = || {
        run.arenas
            .iter()
            .flat_map(|arena| &arena.launches)
            .map(|launch| launch.began.0)
    };
    let of = |number: u32, began: f64| {
        let slices = group.iter().flat_map(|arena| &arena.slices);
        let next = begins()
            .filter(|next| *next > began)
            .fold(f64::INFINITY, f64::min);
        Launch {
            began,
            slices: slices.filter(|slice| slice.launch == number).collect(),
            ended: if next.is_finite() { next } else { run.info.took.0 },
        }
    };
    let records = group.first().map_or(&[][..], |arena| &arena.launches);
    let all = records.iter().map(|launch| of(launch.number, launch.began.0));
    all.filter(|launch| launch.first_round().is_finite()).collect()
}

/// The median length of a round of a mode, at all of its sizes.
fn round<'r>(arenas: impl Iterator<Item = &'r &'r ArenaRecord>) -> Option<f64> {
    let lengths = arenas.map(|arena| {
        let mut rounds: Vec<(u32, u32, f64, f64)> = Vec::new();
        for slice in arena.slices.iter().filter(|slice| slice.phase == Phase::Round) {
            let (began, ended) = (slice.reading.began.0, end_of(slice));
            match rounds.last_mut() {
                Some((launch, round, _, end)) if (*launch, *round) == (slice.launch, slice.round) => {
                    *end = end.max(ended);
                }
                _ => rounds.push((slice.launch, slice.round, began, ended)),
            }
        }
        median(
            rounds
                .into_iter()
                .map(|(.., began, ended)| ended - began)
                .collect(),
        )
    });
    lengths.sum()
}

/// The number of rounds that makes the best of a launch, by mode, as a run chooses it (docs/measuring.md, launches).
fn best(stored: &[&ArenaRecord], tempo: &Tempo) -> Vec<(Mode, f64)> {
    // Modes share what a launch takes apart from rounds.
    let apart = (tempo.fixed + tempo.warm_up) / tempo.rounds.len() as f64;
    let of_mode = |(mode, round): &(Mode, f64)| {
        let arena = stored.iter().find(|arena| arena.mode == *mode)?;
        Some((*mode, rounds::best(&differences(arena), apart / round)?))
    };
    tempo.rounds.iter().filter_map(of_mode).collect()
}

/// The standard deviation from launch to launch of each pair's log ratio, or of a lone contender's figure.
fn spreads(arena: &ArenaRecord) -> Vec<f64> {
    let sd = |logs: Vec<f64>| tseq::mean_and_sd(&logs).map(|(_, sd)| sd);
    let comparisons = primary(arena);
    if comparisons.is_empty() {
        let values = Values::of(arena, arena.primary);
        let own = (0..arena.entrants.len()).map(|entrant| values.centres(entrant));
        return own
            .map(|centres| centres.into_iter().flatten().map(f64::ln).collect::<Vec<f64>>())
            .filter(|logs| logs.len() > 2)
            .filter_map(sd)
            .collect();
    }
    let known = comparisons
        .iter()
        .filter(|comparison| comparison.centres.len() > 2);
    known
        .filter_map(|comparison| sd(comparison.centres.iter().map(|centre| centre.ln()).collect()))
        .collect()
}
