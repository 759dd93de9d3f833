//! The loop over groups and launches, and the rule that stops it.

use tare_analysis as analysis;
use tare_model::comparison::{Comparison, Verdict};
use tare_model::estimate::PRECISE;
use tare_model::record::ArenaRecord;
use tare_model::units::Seconds;

use crate::budget::{Budget, equal_share};
use crate::experiment::Experiment;
use crate::group::GroupState;
use crate::phases::Phases;
use crate::plan::Plan;
use crate::rig::Rig;
use crate::sink::{Done, Event, Sink, SinkError};
use crate::turns::{self, Findings, Stand};

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

/// Measures launch after launch until every question is decided or the budget is spent. Groups are begun in the order of the
/// plan, as far as the budget holds them, and take turns.
pub fn run(plan: &Plan, rig: &mut dyn Rig, sink: &mut dyn Sink) -> RunOutcome {
    let rules = &plan.rules;
    let share = equal_share(rules, &plan.groups);
    let groups = plan.groups.iter().enumerate();
    let mut groups: Vec<GroupState> = groups
        .map(|(index, group)| GroupState::new(index, group, rules, share))
        .collect();
    let budget = Budget::new(rules, rig.now());
    let mut experiment = Experiment {
        rig,
        sink,
        rules,
        budget,
        random: fastrand::Rng::with_seed(rules.seed),
        phases: Phases::default(),
    };
    let measured = experiment.launches(&mut groups, rules.in_order());
    let phases = experiment.phases;
    RunOutcome {
        phases,
        done: groups
            .iter()
            .map(|group| group.done.unwrap_or(Done::Interrupted))
            .collect(),
        arenas: groups.into_iter().flat_map(|group| group.arenas).collect(),
        sink_error: measured.err(),
    }
}

/// The group with the fewest launches that is not done: groups take turns, so that drift of the machine is shared.
fn fewest(groups: &[GroupState<'_>]) -> Option<usize> {
    let open = groups.iter().filter(|group| group.done.is_none());
    open.min_by_key(|group| group.launches).map(|group| group.index)
}

/// How all groups stand. What is expected of those that wait is set right by those that were begun: where their launches
/// took longer than the plan or stored runs let expect, so will those of others that are known in the same way.
fn stands(groups: &[GroupState<'_>]) -> Vec<Stand> {
    let of = |group: &GroupState<'_>| {
        let stand = group.stand();
        if group.own > 0 {
            return stand;
        }
        let stored = group.plan.expected.is_some();
        let alike = || {
            groups
                .iter()
                .filter(|other| other.own > 0 && other.plan.expected.is_some() == stored)
        };
        let expected: f64 = alike().map(|other| other.pace.launch()).sum();
        let measured: f64 = alike().map(|other| other.stand().length).sum();
        if expected > 0.0 {
            stand.scaled(measured / expected)
        } else {
            stand
        }
    };
    groups.iter().map(of).collect()
}

impl Experiment<'_> {
    /// All launches of all groups.
    fn launches(&mut self, groups: &mut [GroupState<'_>], in_order: bool) -> Result<(), SinkError> {
        if !in_order {
            while let Some(next) = fewest(groups) {
                self.turn(groups, next, true)?;
            }
            return Ok(());
        }
        while let Some(next) = self.next_in_order(groups) {
            self.turn_in_order(groups, next)?;
        }
        self.leave_out(groups)
    }

    /// Time left of a budget that there is.
    fn left(&self) -> f64 {
        self.budget
            .left(self.rig.now())
            .map_or(f64::INFINITY, |left| left.0)
    }

    fn next_in_order(&self, groups: &[GroupState<'_>]) -> Option<usize> {
        if self.rig.interrupted() {
            return fewest(groups);
        }
        turns::next(&stands(groups), self.left())
    }

    fn turn_in_order(&mut self, groups: &mut [GroupState<'_>], next: usize) -> Result<(), SinkError> {
        let (stands, left) = (stands(groups), self.left());
        let group = &mut groups[next];
        if !self.rig.interrupted() && turns::hopeless(&stands, next, left) {
            group.done = Some(Done::Budget);
            return self.standing_among(groups, next);
        }
        if group.own == 0 {
            group.share = turns::share(&stands, next, left);
        }
        let first = !turns::any_served(&stands);
        if first && group.own == 0 {
            // It has all that is left, if it needs it.
            group.share.most = left / f64::from(stands[next].least);
        }
        self.turn(groups, next, first)
    }

    /// Ends the groups that were not begun, and says what it takes to measure those that have too few launches.
    fn leave_out(&mut self, groups: &mut [GroupState<'_>]) -> Result<(), SinkError> {
        let waiting = groups.iter_mut().filter(|group| group.done.is_none());
        waiting.for_each(|group| group.done = Some(Done::LeftOut));
        let stands = stands(groups);
        let short = |group: &&GroupState<'_>| match group.done {
            Some(Done::LeftOut) => true,
            // Of the first that was said after its first launch.
            Some(Done::Budget) => turns::cut_short(&stands, group.index),
            _ => false,
        };
        let short: Vec<usize> = groups.iter().filter(short).map(|group| group.index).collect();
        if short.is_empty() {
            return Ok(());
        }
        let needed = short
            .iter()
            .map(|&index| stands[index].time_for(stands[index].aimed));
        self.sink.event(&Event::LeftOut {
            groups: &short,
            enough: Seconds(needed.sum()),
        })
    }

    /// One launch of a group, unless there is a reason to stop; then a check whether its questions are decided. `warns`: of a
    /// budget that is too small for the group.
    fn turn(&mut self, groups: &mut [GroupState<'_>], next: usize, warns: bool) -> Result<(), SinkError> {
        let group = &mut groups[next];
        if let Some(done) = self.reason_to_stop(group) {
            group.done = Some(done);
            return self.standing_among(groups, next);
        }
        let began = self.rig.now();
        self.launch(group)?;
        let took = self.rig.now().0 - began.0;
        group.longest = Seconds(if group.launches == 2 {
            took
        } else {
            group.longest.0.max(took)
        });
        if warns && group.launches == 1 && !self.rules.one_launch() {
            self.warn_of_small_budget(group, Seconds(took))?;
        }
        let group = &groups[next];
        let done = if self.rig.interrupted() {
            Some(Done::Interrupted)
        } else {
            let all = groups.iter().flat_map(|group| &group.arenas);
            let may_end = group.launches >= self.rules.least && !self.rules.whole;
            (may_end && self.decided(group) && self.awaited(group, all).is_none()).then_some(Done::Decided)
        };
        groups[next].done = done;
        self.see_told(groups);
        self.standing_among(groups, next)
    }

    /// Sees which findings the groups that were begun still have to tell, and how far they are. A finding may be about two
    /// cases, so a launch of one group says it of another: one that was decided is taken up again once a finding needs it,
    /// since the other case has as many launches now.
    fn see_told(&self, groups: &mut [GroupState<'_>]) {
        if self.rules.one_launch() || groups.len() < 2 {
            return;
        }
        let all: Vec<&ArenaRecord> = groups.iter().flat_map(|group| &group.arenas).collect();
        let findings = |group: &GroupState<'_>| {
            let asked = analysis::is_asked(&all, &group.plan.workload, &group.plan.case);
            if group.own == 0 || !matches!(group.done, None | Some(Done::Decided)) || !asked {
                return Findings::None;
            }
            let awaited = self.awaited(group, all.iter().copied());
            awaited.map_or(Findings::Told, Findings::Open)
        };
        let found: Vec<Findings> = groups.iter().map(findings).collect();
        for (group, findings) in groups.iter_mut().zip(found) {
            group.findings = findings;
            if matches!(findings, Findings::Open(_)) {
                group.done = None;
            }
        }
    }

    fn standing_among(&mut self, groups: &[GroupState<'_>], which: usize) -> Result<(), SinkError> {
        let others = groups.iter().filter(|group| group.index != which);
        let others: Vec<&ArenaRecord> = others.flat_map(|group| &group.arenas).collect();
        self.standing(&groups[which], &others)
    }

    /// Warns after the first launch of a budget that holds too few launches for any verdict.
    fn warn_of_small_budget(&mut self, group: &GroupState<'_>, took: Seconds) -> Result<(), SinkError> {
        let enough = self.budget.too_small(took, group.share.most);
        let Some(enough) = enough.filter(|_| !self.rig.interrupted()) else {
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
        let affords = self.budget.affords(group.launches, group.longest, self.rig.now());
        (!affords).then_some(Done::Budget)
    }

    /// Whether fewer than two of several contenders are left. A group that had only one from the start is described.
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
    /// for), and every question on lines over sizes.
    pub(crate) fn decided(&self, group: &GroupState<'_>) -> bool {
        if let Some(lone) = group.plan.lone() {
            return described(group, lone) && analysis::settled(&group.arenas);
        }
        let counts = |comparison: &Comparison| self.rules.one_launch() || !comparison.provisional;
        let decided = group.arenas.iter().all(|arena| {
            let result = analysis::primary(arena);
            !result.is_empty()
                && result
                    .iter()
                    .all(|comparison| comparison.verdict != Verdict::Inconclusive && counts(comparison))
        });
        decided && analysis::settled(&group.arenas)
    }

    /// How far the nearest inconclusive claim of a report is that needs further launches of this group, if there is one: one of
    /// its own, or one that compares another case with it ([`analysis::awaits`]). `arenas` are those of all groups, as far as
    /// they are known.
    pub(crate) fn awaited<'g>(
        &self,
        group: &GroupState<'_>,
        arenas: impl Iterator<Item = &'g ArenaRecord>,
    ) -> Option<f64> {
        let arenas: Vec<&ArenaRecord> = arenas.collect();
        analysis::awaits(
            &arenas,
            &group.plan.workload,
            &group.plan.case,
            self.rules.one_launch(),
        )
    }

    /// Says how the group stands. `others`: arenas of other groups that its claims may compare it with.
    pub(crate) fn standing(
        &mut self,
        group: &GroupState<'_>,
        others: &[&ArenaRecord],
    ) -> Result<(), SinkError> {
        let results = analysis::analyse_among(&group.arenas, others);
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

/// Whether the figure of a contender that is compared with nothing is known well enough, in every arena.
fn described(group: &GroupState<'_>, lone: usize) -> bool {
    let mut arenas = group.arenas.iter();
    arenas.all(|arena| analysis::own_half_width(arena, lone).is_some_and(|width| width <= PRECISE))
}
