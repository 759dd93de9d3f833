//! The warm-up of a launch: how long its slices are, when it is judged, and what it takes from the launches before.

use tare_analysis::warmup::{self, LONG_ROUNDS};
use tare_model::metric::Mode;
use tare_model::record::{ArenaRecord, LaunchRecord, Phase, SteadyRecord};
use tare_model::units::Seconds;
use tare_stats::mser;

use crate::experiment::Experiment;
use crate::group::GroupState;
use crate::launch::RoundOf;
use crate::patience::{Course, Patience, can_be_judged};
use crate::plan::Group;
use crate::sink::SinkError;

/// The rounds for which a compiler that is at work is waited for at a time; all but the last are longer.
const BURST_ROUNDS: u32 = 3;

/// The rounds after which nobody waits for it any more.
const BUSY_AT_MOST: u32 = 120;

/// The load of a brief warm-up over the longest that a contender took to settle in earlier launches.
const SAFETY: f64 = 1.5;

/// The launches for which one that was not steady is loaded for longer. Once is mostly noise; if it is not, it shows again.
const RESTLESS_FOR: usize = 3;

/// The most that this adds.
const MOST_ADDED: Seconds = Seconds(0.5);

impl Experiment<'_> {
    /// Warms up every contender with a closed loop until all are steady or the time is up. The long rounds cover every
    /// size; the later ones, which show whether these were enough, cover some.
    pub(crate) fn warm_up(
        &mut self,
        group: &mut GroupState<'_>,
        launch: u32,
        until: Seconds,
    ) -> Result<Vec<SteadyRecord>, SinkError> {
        let plan = group.plan;
        if let Some(rounds) = plan.warm_up_rounds {
            self.warm_up_once(group, launch, rounds)?;
            return Ok(Vec::new());
        }
        let patience = Self::patience(plan);
        let mut course = self.course(group);
        let (mut number, mut burst, began) = (0, 0_u32, self.rig.now());
        loop {
            if course.brief && number == course.least && some_are_cold(group, launch, course) {
                course = course.of_cold(plan.in_process, patience);
            }
            let mut warm = course.is_time_to_judge(number) && is_steady(group, launch, course);
            let mut over = number >= patience.shortest && self.rig.now() >= until;
            let may_wait = number < BUSY_AT_MOST && self.rig.now().0 < 2.0 * until.0 - began.0;
            if (warm || over) && burst == 0 && may_wait {
                let busy = busy(group, launch);
                if busy.contains(&true) {
                    burst = BURST_ROUNDS;
                    if course.brief {
                        course = Course::JUDGED;
                    }
                    let longer = |busy: &bool| if *busy { patience.burst } else { 1.0 };
                    group.stretches = busy.iter().map(longer).collect();
                }
            }
            if burst > 0 {
                (warm, over) = (false, false);
            }
            if warm || over || number >= patience.most || self.rig.interrupted() || group.alive().is_empty() {
                break;
            }
            let arenas = if number < LONG_ROUNDS {
                plan.arenas_of(0).collect()
            } else {
                plan.judged()
            };
            let sizes = arenas.len();
            for arena in self.shuffled(arenas) {
                let mut what = self.warm_up_round(plan, arena, sizes, (number, course.least));
                // The last of a burst shows whether it was enough.
                what.long |= burst > 1;
                self.round(group, launch, what)?;
            }
            number += 1;
            burst = burst.saturating_sub(1);
        }
        Ok(warmup::judge(&group.warmed(), launch))
    }

    /// How the warm-up of the next launch goes, by what the launches before showed; sets the lengths of its long rounds.
    fn course(&self, group: &mut GroupState<'_>) -> Course {
        let patience = Self::patience(group.plan);
        let at_once = warmup::settle_at_once(&group.warmed());
        let long = |at_once: &bool| if *at_once { 1.0 } else { patience.long };
        group.stretches = at_once.iter().map(long).collect();
        if !can_be_relied_on(group) {
            return Course::full(patience);
        }
        let settled = warmup::settled(&group.warmed());
        let alive: Option<Vec<warmup::Settled>> = group
            .alive()
            .into_iter()
            .map(|entrant| settled[entrant])
            .collect();
        match alive {
            Some(_) if self.rounds_can_be_judged(group) => {
                group.stretches = self.brief_stretches(group, &settled);
                Course::brief(group.plan.in_process)
            }
            Some(alive) if alive.iter().all(|known| known.rounds <= mser::BATCH as u32) => Course::JUDGED,
            _ => Course::full(patience),
        }
    }

    /// How much longer than usual the slices of a brief warm-up's long rounds are, for each contender: so that all of its rounds
    /// hold the load that was enough, with some more; for one that lately was not steady after a brief one, that of its longest full one.
    /// After a full one that was noise: longer ones do not help.
    fn brief_stretches(&self, group: &GroupState<'_>, settled: &[Option<warmup::Settled>]) -> Vec<f64> {
        let slice = group.plan.slice(self.rules);
        let restless = restless_after_brief(group);
        let longest = warmup::longest_loads(&group.warmed());
        let load = |(entrant, known): (usize, &Option<warmup::Settled>)| {
            let more = |load: f64| (SAFETY * load).min(load + MOST_ADDED.0);
            let enough = known.map_or(0.0, |known| more(known.load.0));
            match restless.contains(&entrant) {
                true => enough.max(longest[entrant].0),
                false => enough,
            }
        };
        let usual = Course::brief(group.plan.in_process).least - LONG_ROUNDS;
        let least = Self::patience(group.plan).at_once;
        let stretch = |contender: (usize, &Option<warmup::Settled>)| match load(contender) {
            load if load <= 0.0 && contender.1.is_some() => least,
            load => stretch(Seconds(load), slice, usual),
        };
        settled.iter().enumerate().map(stretch).collect()
    }

    /// Whether a launch has enough measured rounds in every mode to show a drift in them.
    fn rounds_can_be_judged(&self, group: &GroupState<'_>) -> bool {
        let rounds = (0..group.plan.modes.len()).map(|mode| self.rounds_of(group, mode));
        can_be_judged(group.plan, self.rules, rounds)
    }

    /// A round of the warm-up at one of `sizes` sizes, which share the time of a case without sizes.
    fn warm_up_round<'d>(
        &self,
        plan: &'d Group,
        arena: usize,
        sizes: usize,
        (number, of): (u32, u32),
    ) -> RoundOf<'d> {
        RoundOf {
            arena,
            driving: &plan.warm_up,
            schedule: Mode::Capacity,
            phase: Phase::WarmUp,
            number,
            of: of.max(number + 1),
            length: Seconds(plan.slice(self.rules).0 / sizes as f64),
            long: number < LONG_ROUNDS,
        }
    }

    fn patience(plan: &Group) -> Patience {
        if plan.in_process {
            Patience::IN_PROCESS
        } else {
            Patience::SOCKETS
        }
    }

    /// The rounds before the first launch, for contenders without a warm-up in every launch.
    fn warm_up_once(
        &mut self,
        group: &mut GroupState<'_>,
        launch: u32,
        rounds: u32,
    ) -> Result<(), SinkError> {
        let plan = group.plan;
        let rounds = if launch == 0 { rounds } else { 0 };
        for number in 0..rounds {
            for arena in self.shuffled(plan.arenas_of(0)) {
                let what = RoundOf {
                    driving: &plan.warm_up,
                    // The warm-up's own schedule: an open loop does not show the capacity.
                    schedule: plan.warm_up.mode,
                    ..self.round_of(plan, arena, Phase::WarmUp, number, rounds)
                };
                self.round(group, launch, what)?;
            }
        }
        Ok(())
    }
}

/// The length of a slice of a brief warm-up's long rounds, over a usual one: so that all of its rounds, `usual` more of them, hold
/// the load.
fn stretch(load: Seconds, slice: Seconds, usual: u32) -> f64 {
    ((load.0 / slice.0 - f64::from(usual)) / f64::from(LONG_ROUNDS)).max(1.0)
}

/// Whether earlier launches say how much load is enough: there was one, no contender was not steady in the last after a
/// warm-up that was not brief, and none in two. A warm-up that was too brief shows in the measured rounds, and once may be
/// noise; its contender is loaded for longer then.
fn can_be_relied_on(group: &GroupState<'_>) -> bool {
    let launches = restless_launches(group);
    let mut all = launches.concat();
    all.sort_unstable();
    let last_was_brief = |arena: &ArenaRecord| arena.launches.last().is_some_and(warmup::was_brief);
    let judged = launches.last().is_some_and(Vec::is_empty) || group.arenas.iter().all(last_was_brief);
    !launches.is_empty() && judged && all.windows(2).all(|pair| pair[0] != pair[1])
}

/// The contenders that were not steady, in any mode, in one of the last launches, whose warm-up was brief.
fn restless_after_brief(group: &GroupState<'_>) -> Vec<usize> {
    let of = |arena: &ArenaRecord| {
        let last = arena.launches.iter().rev().take(RESTLESS_FOR);
        let brief = last.filter(|launch| warmup::was_brief(launch));
        brief
            .flat_map(|launch| restless(arena, launch))
            .collect::<Vec<usize>>()
    };
    group.arenas.iter().flat_map(of).collect()
}

/// The contenders that were not steady in each launch, in any mode, and are still there.
fn restless_launches(group: &GroupState<'_>) -> Vec<Vec<usize>> {
    let launches = group.arenas.iter().map(|arena| arena.launches.len()).max();
    let of = |number: usize| {
        let arenas = group.arenas.iter();
        let mut found: Vec<usize> = arenas
            .filter_map(|arena| Some(restless(arena, arena.launches.get(number)?)))
            .flatten()
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    (0..launches.unwrap_or(0)).map(of).collect()
}

fn restless(arena: &ArenaRecord, launch: &LaunchRecord) -> Vec<usize> {
    let records = warmup::judgements(arena, launch).into_iter();
    let still_there = |entrant: usize| arena.entrants[entrant].fault.is_none();
    records
        .filter(|record| !record.steady && still_there(record.entrant))
        .map(|record| record.entrant)
        .collect()
}

/// Whether a compiler of each contender is at work, and will not always be.
fn busy(group: &GroupState<'_>, launch: u32) -> Vec<bool> {
    let at_work = warmup::at_work(&group.warmed(), launch);
    let works_on = warmup::works_on(&group.warmed(), BUSY_AT_MOST);
    let alive = group.alive();
    let of = |entrant: usize| alive.contains(&entrant) && at_work[entrant] && !works_on[entrant];
    (0..at_work.len()).map(of).collect()
}

fn some_are_cold(group: &GroupState<'_>, launch: u32, course: Course) -> bool {
    let last = course.shows(group.plan.in_process);
    let cold = warmup::is_cold(&group.warmed(), launch, last as usize);
    // Who has nothing to warm up is not cold where it looks so: that is noise.
    let settled = warmup::settled(&group.warmed());
    let warms_up = |entrant: usize| settled[entrant].is_none_or(|known| known.load.0 > 0.0);
    let mut alive = group.alive().into_iter();
    alive.any(|entrant| cold[entrant] && warms_up(entrant))
}

/// Whether no contender is known to drift; in a short warm-up that is judged by itself, whether all are known not to.
fn is_steady(group: &GroupState<'_>, launch: u32, course: Course) -> bool {
    let records = warmup::judge(&group.warmed(), launch);
    let told = course.brief
        || course.least > Course::JUDGED.least
        || records.iter().all(|record| record.drift.is_some());
    told && records.iter().all(|record| record.steady)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rounds_of_a_brief_warm_up_hold_its_load() {
        let slice = Seconds(0.08);
        for load in [0.4, 0.8, 1.2, 5.0] {
            let rounds = 3.0 * stretch(Seconds(load), slice, 2) + 2.0;
            assert!((rounds * slice.0 - load).abs() < 1e-9, "{load}");
        }
        assert_eq!(stretch(Seconds(0.0), slice, 2), 1.0, "never shorter than usual");
    }
}
