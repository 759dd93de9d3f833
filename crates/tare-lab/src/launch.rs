//! One launch: start, check, warm up, settle rate and level, measure rounds, stop.

use tare_analysis as analysis;
use tare_model::fault::Fault;
use tare_model::manifest::ModeDriving;
use tare_model::metric::Mode;
use tare_model::record::{LaunchRecord, Phase, SliceRecord};
use tare_model::units::{PerSecond, Seconds};

use crate::experiment::Experiment;
use crate::group::GroupState;
use crate::plan::{FIRST_BATCHES, Group};
use crate::rig::{Pacing, SliceOrder, Who};
use crate::sink::{Event, SinkError, Step};

/// The least number of rounds for evidence, whatever the budget: fewer do not give an interval.
const LEAST_EVIDENCE: u32 = 3;

/// Later the interval between checks is the number of rounds so far over this: each check reads all rounds, of which there
/// may be tens of thousands.
const LOOK_SHARE: u32 = 20;

/// What to measure in one round.
#[derive(Clone, Copy)]
pub(crate) struct RoundOf<'d> {
    pub arena: usize,
    pub driving: &'d ModeDriving,
    pub schedule: Mode,
    pub phase: Phase,
    pub number: u32,
    pub of: u32,
    pub length: Seconds,
    /// Whether it is longer for contenders that take a while to settle.
    pub long: bool,
}

impl Experiment<'_> {
    /// A whole launch. Contenders are stopped at its end whatever happens within.
    pub(crate) fn launch(&mut self, group: &mut GroupState<'_>) -> Result<(), SinkError> {
        let number = group.launches;
        let began = self.rig.now();
        self.sink.event(&Event::LaunchBegan {
            group: group.index,
            launch: number + 1,
            began,
        })?;
        let rounds = self.phases.rounds();
        let measured = self.launch_started(group, number, began);
        let stopping = self.rig.now();
        let stopped = self.stop_all(group);
        self.phases.stop += self.rig.now().0 - stopping.0;
        let apart = self.rig.now().0 - began.0 - (self.phases.rounds() - rounds);
        group.took.apart = Some(Seconds(apart));
        group.launches += 1;
        group.own += 1;
        measured.and(stopped)
    }

    fn launch_started(
        &mut self,
        group: &mut GroupState<'_>,
        number: u32,
        began: Seconds,
    ) -> Result<(), SinkError> {
        self.start_all(group, number)?;
        let warming = self.rig.now();
        let steady = self.warm_up(group, number, self.budget.warm_up_until(group.share, began))?;
        self.phases.warm_up += self.rig.now().0 - warming.0;
        let record = LaunchRecord {
            number,
            node: 0,
            began,
            steady,
        };
        group
            .arenas
            .iter_mut()
            .for_each(|arena| arena.launches.push(record.clone()));
        self.sink.event(&Event::WarmedUp {
            group: group.index,
            launch: &record,
        })?;
        if number == 0 {
            self.set_rates(group)?;
            let pilot = self.rig.now();
            let deadline = self.budget.launch_until(group.share, began, pilot);
            self.set_levels(group, deadline)?;
            self.phases.pilot += self.rig.now().0 - pilot.0;
        }
        let deadline = self.budget.launch_until(group.share, began, self.rig.now());
        for mode in 0..group.plan.modes.len() {
            // The remaining modes share the remaining time.
            let left = deadline.0 - self.rig.now().0;
            let until = Seconds(self.rig.now().0 + left / (group.plan.modes.len() - mode) as f64);
            if self.rules.one_launch() && !self.rules.evidence {
                self.rounds_until_decided(group, mode, until)?;
            } else {
                self.rounds(group, mode, number, until)?;
            }
        }
        Ok(())
    }

    /// Starts everyone, one after the other: a start is work for the cores that all share, and two at once would only take
    /// twice as long each. Then checks them all; that is mostly waiting.
    fn start_all(&mut self, group: &mut GroupState<'_>, launch: u32) -> Result<(), SinkError> {
        let mut started = Vec::new();
        for entrant in group.alive() {
            if self.rig.interrupted() {
                return Ok(());
            }
            let who = group.who(entrant);
            self.stepping(who, Step::Start)?;
            let starting = self.rig.now();
            let outcome = self.rig.start(who);
            self.phases.start += self.rig.now().0 - starting.0;
            match outcome {
                Ok(()) => started.push(who),
                Err(fault) => self.fail(group, entrant, launch, &fault)?,
            }
        }
        self.check_all(group, launch, &started)
    }

    fn check_all(
        &mut self,
        group: &mut GroupState<'_>,
        launch: u32,
        started: &[Who],
    ) -> Result<(), SinkError> {
        for &who in started {
            self.stepping(who, Step::Check)?;
        }
        let checking = self.rig.now();
        let outcomes = self.rig.check_all(started);
        self.phases.check += self.rig.now().0 - checking.0;
        for (who, outcome) in started.iter().zip(outcomes) {
            if let Err(fault) = outcome {
                self.fail(group, who.entrant, launch, &fault)?;
            }
        }
        Ok(())
    }

    fn stepping(&mut self, who: Who, step: Step) -> Result<(), SinkError> {
        self.sink.event(&Event::Stepping { who, step })
    }

    /// Stops everyone, whatever the sink accepts.
    fn stop_all(&mut self, group: &GroupState<'_>) -> Result<(), SinkError> {
        let all: Vec<Who> = group
            .alive()
            .into_iter()
            .map(|entrant| group.who(entrant))
            .collect();
        let mut first_error = Ok(());
        for &who in &all {
            first_error = first_error.and(self.stepping(who, Step::Stop));
        }
        for text in self.rig.stop_all(&all).into_iter().flatten() {
            first_error = first_error.and(self.sink.event(&Event::Note { text: &text }));
        }
        first_error
    }

    pub(crate) fn stop_one(&mut self, who: Who) -> Result<(), SinkError> {
        let noted = self.stepping(who, Step::Stop);
        match self.rig.stop(who) {
            Some(text) => noted.and(self.sink.event(&Event::Note { text: &text })),
            None => noted,
        }
    }

    /// Excludes a contender from the rest of the run and stops it. Failures caused by an interruption are ignored.
    pub(crate) fn fail(
        &mut self,
        group: &mut GroupState<'_>,
        entrant: usize,
        launch: u32,
        fault: &Fault,
    ) -> Result<(), SinkError> {
        if self.rig.interrupted() {
            return Ok(());
        }
        group.fail(entrant, launch, fault);
        let who = group.who(entrant);
        self.sink.event(&Event::Failed {
            who,
            arena: None,
            launch: launch + 1,
            fault,
        })?;
        self.stop_one(who)
    }

    /// The rounds of one mode in a run of several launches.
    fn rounds(
        &mut self,
        group: &mut GroupState<'_>,
        mode: usize,
        launch: u32,
        until: Seconds,
    ) -> Result<(), SinkError> {
        let plan = group.plan;
        let of = self.rounds_of(group, mode);
        let least = if self.rules.evidence { LEAST_EVIDENCE } else { 1 };
        self.first_batches(group, mode, launch)?;
        let (before, mut measured) = (self.phases.rounds(), 0);
        for number in 0..of {
            // A launch without a round of each mode would be useless.
            let enough = (number > 0 && alone(group, mode)) || (number >= least && self.rig.now() >= until);
            if self.over(group, mode) || enough {
                break;
            }
            for arena in self.shuffled(plan.arenas_of(mode)) {
                self.measured_round(
                    group,
                    launch,
                    self.round_of(plan, arena, Phase::Round, number, of),
                )?;
            }
            measured += 1;
        }
        let each = (self.phases.rounds() - before) / f64::from(measured.max(1));
        group.took.round[mode] = Some(Seconds(each));
        Ok(())
    }

    /// Further warm-up of a batch; the common warm-up is a closed loop.
    fn first_batches(
        &mut self,
        group: &mut GroupState<'_>,
        mode: usize,
        launch: u32,
    ) -> Result<(), SinkError> {
        let plan = group.plan;
        if plan.modes[mode].driving.mode != Mode::Batch {
            return Ok(());
        }
        let began = self.rig.now();
        for arena in plan.arenas_of(mode) {
            let first = group.next_pilot_round(arena);
            for number in first..first + FIRST_BATCHES {
                self.round(
                    group,
                    launch,
                    self.round_of(plan, arena, Phase::Pilot, number, first + FIRST_BATCHES),
                )?;
            }
        }
        self.phases.warm_up += self.rig.now().0 - began.0;
        Ok(())
    }

    /// The arenas of a mode in a fresh random order. Each is a round of its own, so that the slices of one size, which form
    /// ratios, are close in time, and the sizes of a contender, which form a line, are spread evenly.
    pub(crate) fn shuffled(&mut self, arenas: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut order: Vec<usize> = arenas.into_iter().collect();
        self.random.shuffle(&mut order);
        order
    }

    /// A measured round, with its time split into slices and the rest.
    pub(crate) fn measured_round(
        &mut self,
        group: &mut GroupState<'_>,
        launch: u32,
        what: RoundOf<'_>,
    ) -> Result<(), SinkError> {
        let (began, before) = (self.rig.now(), group.arenas[what.arena].slices.len());
        self.round(group, launch, what)?;
        let walls = group.arenas[what.arena].slices[before..]
            .iter()
            .map(|slice| slice.reading.load.wall.0);
        let slices: f64 = walls.sum();
        self.phases.slices += slices;
        self.phases.hand_over += self.rig.now().0 - began.0 - slices;
        Ok(())
    }

    /// The rounds of a run of one launch, until decided. It is looked whether they are after each block of the provisional
    /// intervals; a look costs a little time, but no validity.
    fn rounds_until_decided(
        &mut self,
        group: &mut GroupState<'_>,
        mode: usize,
        deadline: Seconds,
    ) -> Result<(), SinkError> {
        self.first_batches(group, mode, 0)?;
        let plan = group.plan;
        let most = self.rules.rounds.unwrap_or(u32::MAX);
        let block = analysis::block(plan.modes[mode].driving.mode).unwrap_or(1) as u32;
        let mut look_at = block;
        for number in 0..most {
            // A launch without a round would be useless.
            let enough = number > 0 && (alone(group, mode) || self.rig.now() >= deadline);
            if self.over(group, mode) || enough {
                break;
            }
            for arena in self.shuffled(plan.arenas_of(mode)) {
                self.measured_round(group, 0, self.round_of(plan, arena, Phase::Round, number, most))?;
            }
            if number + 1 == look_at {
                look_at += block.max(look_at / LOOK_SHARE);
                self.standing(group, &[])?;
                let decided = self.decided(group) && self.awaited(group, group.arenas.iter()).is_none();
                if decided || self.nothing_to_compare(group) {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Whether no further round of a mode can be measured: the user asked to stop, or no contender is left.
    fn over(&self, group: &GroupState<'_>, mode: usize) -> bool {
        self.rig.interrupted() || group.alive_in(group.plan.arenas_of(mode).start).is_empty()
    }

    pub(crate) fn round_of<'d>(
        &self,
        plan: &'d Group,
        arena: usize,
        phase: Phase,
        number: u32,
        of: u32,
    ) -> RoundOf<'d> {
        let driving = &plan.mode_of(arena).driving;
        RoundOf {
            arena,
            driving,
            schedule: driving.mode,
            phase,
            number,
            of,
            length: plan.slice(self.rules),
            long: false,
        }
    }

    /// One round: a slice of every contender that takes part, in a fresh random order.
    pub(crate) fn round(
        &mut self,
        group: &mut GroupState<'_>,
        launch: u32,
        what: RoundOf<'_>,
    ) -> Result<(), SinkError> {
        let mut order = match what.phase {
            Phase::WarmUp => group.alive(),
            Phase::Pilot | Phase::Round => group.alive_in(what.arena),
        };
        self.random.shuffle(&mut order);
        self.rig.entering(what.phase);
        let mut slices = Vec::with_capacity(order.len());
        for (place, entrant) in order.into_iter().enumerate() {
            if self.rig.interrupted() {
                break;
            }
            let slice_order = self.slice_order(group, entrant, &what);
            let outcome = self.rig.slice(group.who(entrant), &slice_order);
            if let Some(reading) = outcome.reading {
                let (phase, round, place) = (what.phase, what.number, place as u32);
                slices.push(SliceRecord {
                    phase,
                    launch,
                    round,
                    place,
                    entrant,
                    reading,
                });
            }
            if let Some(fault) = outcome.fault {
                self.fail(group, entrant, launch, &fault)?;
            }
        }
        self.sink.event(&Event::Round {
            group: group.index,
            arena: what.arena,
            slices: &slices,
            of: what.of,
        })?;
        group.arenas[what.arena].slices.extend(slices);
        Ok(())
    }

    /// The order for one slice. Its length has a jitter of ±10%, so that rounds do not synchronise with periodic noise.
    fn slice_order(&mut self, group: &GroupState<'_>, entrant: usize, what: &RoundOf<'_>) -> SliceOrder {
        let jitter = 0.9 + 0.2 * self.random.f64();
        let stretch = if what.long { group.stretches[entrant] } else { 1.0 };
        // Slices are never shorter than those in process.
        let length = (what.length.0 * stretch).max(self.rules.probe_slice.0);
        let warming = what.phase == Phase::WarmUp;
        let first = what.driving.connections.first().copied().unwrap_or(1);
        SliceOrder {
            pacing: Pacing::of(what.schedule),
            length: Seconds(length * jitter),
            rate: group.rates[what.arena].unwrap_or(PerSecond(0.0)),
            connections: if group.plan.in_process {
                0
            } else if warming {
                first
            } else {
                group.levels[what.arena][entrant]
            },
            depth: what.driving.depth,
            programs: what.driving.programs,
            requests: what.driving.requests,
            usage: what.driving.usage,
            size: group.plan.size_of(what.arena),
        }
    }
}

/// Whether a mode with several contenders has one left, which then gets the least number of rounds.
fn alone(group: &GroupState<'_>, mode: usize) -> bool {
    let alive = group.alive_in(group.plan.arenas_of(mode).start);
    group.plan.rivals().count() > 1 && alive.into_iter().filter(|&one| group.plan.is_rival(one)).count() < 2
}
