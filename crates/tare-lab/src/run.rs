//! The loop over groups and launches, and the rule that stops it.

use tare_analysis as analysis;
use tare_model::claim::Standing;
use tare_model::comparison::{Comparison, Verdict};
use tare_model::record::ArenaRecord;
use tare_model::results::WorkloadResult;
use tare_model::units::Seconds;

use crate::budget::Budget;
use crate::experiment::Experiment;
use crate::group::GroupState;
use crate::phases::Phases;
use crate::plan::Plan;
use crate::rig::Rig;
use crate::sink::{Done, Event, Sink, SinkError};

/// The outcome of a run: the records of every arena, and why each group ended.
#[derive(Debug)]
pub struct RunOutcome {
    /// Arenas in the order of the plan: groups, and the modes of each.
    pub arenas: Vec<ArenaRecord>,
    /// Why the measurement of each group ended.
    pub done: Vec<Done>,
    /// Time by phase.
    pub phases: Phases,
    /// The sink's error, if one ended the run.
    pub sink_error: Option<SinkError>,
}

/// Measures launch after launch, the groups in turn, until every question is decided or the budget is spent.
pub fn run(plan: &Plan, rig: &mut dyn Rig, sink: &mut dyn Sink) -> RunOutcome {
    let rules = &plan.rules;
    let mut groups: Vec<GroupState> = plan
        .groups
        .iter()
        .enumerate()
        .map(|(index, group)| GroupState::new(index, group, rules))
        .collect();
    let budget = Budget::new(rules, &plan.groups, rig.now());
    let mut experiment = Experiment {
        rig,
        sink,
        rules,
        budget,
        random: fastrand::Rng::with_seed(rules.seed),
        phases: Phases::default(),
    };
    let mut sink_error = None;
    while let Some(next) = next_group(&groups) {
        if let Err(error) = experiment.turn(&mut groups[next]) {
            sink_error = Some(error);
            break;
        }
    }
    let phases = experiment.phases;
    RunOutcome {
        phases,
        done: groups
            .iter()
            .map(|group| group.done.unwrap_or(Done::Interrupted))
            .collect(),
        arenas: groups.into_iter().flat_map(|group| group.arenas).collect(),
        sink_error,
    }
}

/// The group with the fewest launches that is not done: groups take turns, so that drift of the machine is shared.
fn next_group(groups: &[GroupState<'_>]) -> Option<usize> {
    let open = groups.iter().filter(|group| group.done.is_none());
    open.min_by_key(|group| group.launches).map(|group| group.index)
}

impl Experiment<'_> {
    /// One launch of a group, unless there is a reason to stop; then a check whether its questions are decided.
    fn turn(&mut self, group: &mut GroupState<'_>) -> Result<(), SinkError> {
        if let Some(done) = self.reason_to_stop(group) {
            group.done = Some(done);
            return self.standing(group);
        }
        let began = self.rig.now();
        self.launch(group)?;
        let took = self.rig.now().0 - began.0;
        group.longest = Seconds(if group.launches == 2 {
            took
        } else {
            group.longest.0.max(took)
        });
        if group.launches == 1 && !self.rules.one_launch() {
            self.warn_of_small_budget(group, Seconds(took))?;
        }
        if self.rig.interrupted() {
            group.done = Some(Done::Interrupted);
        } else if group.launches >= 1 && !self.rules.whole && self.decided(group) {
            group.done = Some(Done::Decided);
        }
        self.standing(group)
    }

    /// Warns after the first launch of a budget that holds too few launches for any verdict.
    fn warn_of_small_budget(&mut self, group: &GroupState<'_>, took: Seconds) -> Result<(), SinkError> {
        let Some(enough) = self.budget.too_small(took).filter(|_| !self.rig.interrupted()) else {
            return Ok(());
        };
        let text = format!(
            "a launch of {}/{} takes {:.0} s, and the budget may hold too few for verdicts: --budget {:.0}m would hold \
             enough, or fewer contenders (--only)",
            group.plan.workload,
            group.plan.case,
            took.0,
            (enough.0 / 60.0).ceil()
        );
        self.sink.event(&Event::Note { text: &text })
    }

    fn reason_to_stop(&self, group: &GroupState<'_>) -> Option<Done> {
        if self.rig.interrupted() {
            return Some(Done::Interrupted);
        }
        if group.alive().is_empty() || (group.launches > 0 && self.nothing_to_compare(group)) {
            return Some(Done::Nothing);
        }
        if self.rules.launches.is_some_and(|most| group.launches >= most) {
            return Some(Done::Launches);
        }
        (!self.budget.affords(group, self.rig.now())).then_some(Done::Budget)
    }

    /// Whether fewer than two of several contenders are left. A group that had only one from the start is measured until
    /// its budget ends.
    pub(crate) fn nothing_to_compare(&self, group: &GroupState<'_>) -> bool {
        group.plan.rivals().count() > 1
            && group
                .alive()
                .into_iter()
                .filter(|&one| group.plan.is_rival(one))
                .count()
                < 2
    }

    /// Whether every comparison on a primary metric is decided, over launches (or provisionally if one launch was asked
    /// for), and every claim of a report, and every question on lines over sizes.
    pub(crate) fn decided(&self, group: &GroupState<'_>) -> bool {
        let counts = |comparison: &Comparison| self.rules.one_launch() || !comparison.provisional;
        let decided = group.arenas.iter().all(|arena| {
            let result = analysis::primary(arena);
            !result.is_empty()
                && analysis::claims(arena).iter().all(|claim| {
                    let mut pairs = claim.pairs.iter().filter_map(|pair| pair.comparison.as_ref());
                    claim.standing != Standing::Inconclusive && pairs.all(counts)
                })
                && result
                    .iter()
                    .all(|comparison| comparison.verdict != Verdict::Inconclusive && counts(comparison))
        });
        decided && analysis::settled(&group.arenas)
    }

    pub(crate) fn standing(&mut self, group: &GroupState<'_>) -> Result<(), SinkError> {
        let results: Vec<WorkloadResult> = group.arenas.iter().map(analysis::analyse).collect();
        let left = self.budget.left(self.rig.now());
        self.sink.event(&Event::Standing {
            group: group.index,
            results: &results,
            done: group.done,
            left,
            now: self.rig.now(),
            phases: &self.phases,
        })
    }
}
