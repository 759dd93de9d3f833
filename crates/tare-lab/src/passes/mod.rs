//! Many benchmarks: pass after pass, each a launch of every benchmark that is open, until all are decided together or the
//! budget is spent.
//!
//! Every sample is a process of its own, so nothing is started, checked, warmed up or stopped. What a launch draws anew is
//! its place in time, and the layouts of a pass.

mod choice;
mod forecast;

use tare_analysis as analysis;
use tare_model::benchmark::BenchmarkResult;
use tare_model::record::{ArenaRecord, LaunchRecord, Phase};
use tare_model::units::Seconds;

use crate::budget::{Budget, equal_share};
use crate::experiment::Experiment;
use crate::group::GroupState;
use crate::phases::Phases;
use crate::plan::Plan;
use crate::rig::Rig;
use crate::run::RunOutcome;
use crate::sink::{Done, Event, Sink, SinkError};
use choice::{LEAST_PASSES, Open, Time};
pub use forecast::forecast;

/// Launches that a budget should hold, where one is named for those that were left out.
const ENOUGH: f64 = 6.0;

/// Measures the benchmarks of a plan, a group each, in passes. They need no start and no stop; the rig is told of each pass
/// before it begins.
pub fn passes(plan: &Plan, rig: &mut dyn Rig, sink: &mut dyn Sink) -> RunOutcome {
    let mut passes = Passes::new(plan, rig, sink);
    let measured = passes.all();
    passes.outcome(measured.err())
}

/// What rounds of a benchmark took.
#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    rounds: u32,
    seconds: f64,
}

impl Cost {
    /// Of one round; none before the first.
    fn round(&self) -> Option<f64> {
        (self.rounds > 0).then(|| self.seconds / f64::from(self.rounds))
    }
}

/// The passes of a run under way.
struct Passes<'a> {
    experiment: Experiment<'a>,
    groups: Vec<GroupState<'a>>,
    /// By group.
    costs: Vec<Cost>,
    /// Rounds of a launch.
    rounds: u32,
    /// Passes made.
    made: u32,
    /// What a pass takes before its first round, the most so far.
    apart: f64,
    /// By group, as of the last look.
    results: Vec<Option<BenchmarkResult>>,
}

impl<'a> Passes<'a> {
    fn new(plan: &'a Plan, rig: &'a mut dyn Rig, sink: &'a mut dyn Sink) -> Self {
        let rules = &plan.rules;
        let share = equal_share(rules, &plan.groups);
        let groups = plan.groups.iter().enumerate();
        let budget = Budget::new(rules, rig.now());
        Self {
            groups: groups
                .map(|(index, group)| GroupState::new(index, group, rules, share))
                .collect(),
            costs: vec![Cost::default(); plan.groups.len()],
            experiment: Experiment {
                rig,
                sink,
                rules,
                budget,
                random: fastrand::Rng::with_seed(rules.seed),
                phases: Phases::default(),
            },
            rounds: 1,
            made: 0,
            apart: 0.0,
            results: Vec::new(),
        }
    }

    /// A round of each, by which it is known what the budget holds.
    fn begin(&mut self) -> Result<(), SinkError> {
        for group in &mut self.groups {
            group.done = (!is_comparable(group)).then_some(Done::Nothing);
        }
        let first = self.open();
        if !first.is_empty() {
            self.make_ready(&first)?;
            self.pilot(&first)?;
            self.rounds = self.rounds_of_a_launch();
        }
        Ok(())
    }

    fn all(&mut self) -> Result<(), SinkError> {
        self.begin()?;
        while let Some(takers) = self.takers() {
            if self.made > 0 {
                self.make_ready(&takers)?;
            }
            self.pass(&takers)?;
            self.look()?;
        }
        self.end()
    }

    /// The groups whose measurement has not ended, in the order of the plan.
    fn open(&self) -> Vec<usize> {
        let open = self.groups.iter().filter(|group| group.done.is_none());
        open.map(|group| group.index).collect()
    }

    fn now(&self) -> f64 {
        self.experiment.rig.now().0
    }

    fn left(&self) -> f64 {
        let left = self.experiment.budget.left(self.experiment.rig.now());
        left.map_or(f64::INFINITY, |left| left.0)
    }

    /// Tells the rig of the next pass. Whoever cannot take part in it is out.
    fn make_ready(&mut self, groups: &[usize]) -> Result<(), SinkError> {
        let began = self.now();
        let out = self.experiment.rig.pass(self.made, groups);
        let took = self.now() - began;
        self.experiment.phases.start += took;
        self.apart = self.apart.max(took);
        for (who, fault) in out {
            let group = &mut self.groups[who.group];
            self.experiment.fail(group, who.entrant, self.made, &fault)?;
            self.set_aside(who.group);
        }
        Ok(())
    }

    /// Ends a group that has nothing left to compare.
    fn set_aside(&mut self, group: usize) {
        let group = &mut self.groups[group];
        if !is_comparable(group) {
            group.done = Some(Done::Nothing);
        }
    }

    /// A round of each that does not count: it shows what a round takes, and so which of them the budget holds.
    fn pilot(&mut self, groups: &[usize]) -> Result<(), SinkError> {
        let began = self.now();
        let mut claimed = 0.0;
        for &group in groups {
            let known = self.costs.iter().filter_map(Cost::round);
            let least = known.reduce(f64::min).unwrap_or(0.0);
            let all = f64::from(LEAST_PASSES);
            let holds = |passes: &Self, cost: f64| claimed + cost <= passes.left();
            if !holds(self, (1.0 + all) * least) {
                self.groups[group].done = Some(Done::LeftOut);
                continue;
            }
            // What the pilot yields belongs to the first launch, which its pass goes on with.
            self.experiment.sink.event(&Event::LaunchBegan {
                group,
                launch: 1,
                began: self.experiment.rig.now(),
            })?;
            self.round(group, Phase::Pilot, (0, 1))?;
            let mine = all * self.costs[group].round().unwrap_or(0.0);
            if self.groups[group].done.is_none() && !holds(self, mine) {
                self.groups[group].done = Some(Done::LeftOut);
            }
            if self.groups[group].done.is_none() {
                claimed += mine;
            }
            if self.experiment.rig.interrupted() {
                break;
            }
        }
        self.experiment.phases.pilot += self.now() - began;
        Ok(())
    }

    fn rounds_of_a_launch(&self) -> u32 {
        let rules = self.experiment.rules;
        let chosen = || choice::rounds(self.time(), rules.launches);
        rules.rounds.unwrap_or_else(chosen)
    }

    fn time(&self) -> Time {
        let round = |group: usize| self.costs[group].round().unwrap_or(0.0);
        Time {
            left: self.left(),
            apart: self.apart,
            round: self.open().into_iter().map(round).sum(),
        }
    }

    /// The groups of the next pass; none where no further one is made.
    fn takers(&self) -> Option<Vec<usize>> {
        let rules = self.experiment.rules;
        let enough = rules.launches.is_some_and(|most| self.made >= most);
        if enough || self.experiment.rig.interrupted() {
            return None;
        }
        let mut time = self.time();
        if self.made == 0 {
            // It is ready already.
            time.apart = 0.0;
        }
        let open: Vec<Open> = self.open().into_iter().map(|group| self.stand(group)).collect();
        let takers = choice::takers(self.made, &open, time);
        (!takers.is_empty()).then_some(takers)
    }

    fn stand(&self, group: usize) -> Open {
        let margin = self.experiment.rules.margin;
        let result = self.results.get(group).and_then(Option::as_ref);
        Open {
            group,
            launch: f64::from(self.rounds) * self.costs[group].round().unwrap_or(0.0),
            needed: result.and_then(|result| analysis::launches_needed(result, margin)),
        }
    }

    /// A launch of each of these groups, their rounds in random order.
    fn pass(&mut self, groups: &[usize]) -> Result<(), SinkError> {
        let takers: Vec<usize> = groups
            .iter()
            .copied()
            .filter(|&group| self.groups[group].done.is_none())
            .collect();
        let launch = LaunchRecord {
            number: self.made,
            node: 0,
            began: self.experiment.rig.now(),
            steady: Vec::new(),
        };
        for &group in &takers {
            self.groups[group].arenas[0].launches.push(launch.clone());
        }
        self.experiment.sink.event(&Event::PassBegan {
            groups: &takers,
            launch: &launch,
            rounds: self.rounds,
        })?;
        for number in 0..self.rounds {
            for group in self.experiment.shuffled(takers.iter().copied()) {
                if self.experiment.rig.interrupted() || self.left() <= 0.0 {
                    break;
                }
                self.round(group, Phase::Round, (number, self.rounds))?;
            }
        }
        self.made += 1;
        Ok(())
    }

    /// One round of a group that is open.
    fn round(&mut self, group: usize, phase: Phase, (number, of): (u32, u32)) -> Result<(), SinkError> {
        let state = &mut self.groups[group];
        if state.done.is_some() {
            return Ok(());
        }
        let began = self.experiment.rig.now();
        let what = self.experiment.round_of(state.plan, 0, phase, number, of);
        match phase {
            Phase::Round => self.experiment.measured_round(state, self.made, what)?,
            Phase::WarmUp | Phase::Pilot => self.experiment.round(state, self.made, what)?,
        }
        self.costs[group].rounds += 1;
        self.costs[group].seconds += self.now() - began.0;
        self.set_aside(group);
        Ok(())
    }

    /// Judges all together. Whoever is decided is not measured any more: what was said of it then stays, since its evidence
    /// does.
    fn look(&mut self) -> Result<(), SinkError> {
        let arenas: Vec<&ArenaRecord> = self.groups.iter().map(|group| &group.arenas[0]).collect();
        self.results = analysis::judged(&arenas, self.experiment.rules.many);
        let whole = self.experiment.rules.whole;
        for (group, result) in self.groups.iter_mut().zip(&self.results) {
            let decided =
                |result: &BenchmarkResult| result.launches >= LEAST_PASSES && analysis::is_decided(result);
            if !whole && group.done.is_none() && result.as_ref().is_some_and(decided) {
                group.done = Some(Done::Decided);
            }
        }
        self.standing()
    }

    fn standing(&mut self) -> Result<(), SinkError> {
        let done: Vec<Option<Done>> = self.groups.iter().map(|group| group.done).collect();
        let now = self.experiment.rig.now();
        self.experiment.sink.event(&Event::Passed {
            passes: self.made,
            results: &self.results,
            done: &done,
            left: self.experiment.budget.left(now),
            now,
            phases: &self.experiment.phases,
        })
    }

    /// Says why the measurement of each that is open ended, and which were never measured.
    fn end(&mut self) -> Result<(), SinkError> {
        let rules = self.experiment.rules;
        let why = if self.experiment.rig.interrupted() {
            Done::Interrupted
        } else if rules.launches.is_some_and(|most| self.made >= most) {
            Done::Launches
        } else {
            Done::Budget
        };
        for group in self.groups.iter_mut().filter(|group| group.done.is_none()) {
            group.done = Some(why);
        }
        let left_out = |group: &&GroupState<'_>| group.done == Some(Done::LeftOut);
        let out: Vec<usize> = self
            .groups
            .iter()
            .filter(left_out)
            .map(|group| group.index)
            .collect();
        if !out.is_empty() {
            let enough = self.enough(&out);
            let groups = &out;
            self.experiment.sink.event(&Event::LeftOut { groups, enough })?;
        }
        self.standing()
    }

    /// The budget of a run that measures these alone. One that was not even tried takes as long as the longest.
    fn enough(&self, groups: &[usize]) -> Seconds {
        let longest = self.costs.iter().filter_map(Cost::round).fold(0.0, f64::max);
        let round = |&group: &usize| self.costs[group].round().unwrap_or(longest);
        let rounds: f64 = groups.iter().map(round).sum();
        Seconds((1.0 + ENOUGH) * rounds + ENOUGH * self.apart)
    }

    fn outcome(self, sink_error: Option<SinkError>) -> RunOutcome {
        let done = self.groups.iter();
        RunOutcome {
            done: done
                .map(|group| group.done.unwrap_or(Done::Interrupted))
                .collect(),
            arenas: self.groups.into_iter().flat_map(|group| group.arenas).collect(),
            phases: self.experiment.phases,
            sink_error,
        }
    }
}

/// Whether both sides of a benchmark can be measured; of one revision, the only one.
fn is_comparable(group: &GroupState<'_>) -> bool {
    group.alive().len() == group.plan.entrants.len()
}
