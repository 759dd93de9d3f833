//! Contenders over many runs.

mod conditions;

use tare_model::history::{Conditions, History, LevelChange, Point};
use tare_model::ids::ContenderId;
use tare_model::record::{ArenaRecord, RunRecord};
use tare_model::results::{RunInfo, WorkloadResult};
use tare_stats::changes;

use crate::arena::analyse;
use crate::median::median;
use conditions::conditions;

/// The contender whose histories are wanted, and the case (none: all).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The workload's name.
    pub workload: String,
    /// Its contender.
    pub id: ContenderId,
    /// One case of it.
    pub case: Option<String>,
}

/// Builds histories from runs, which are added one by one, the oldest first.
#[derive(Debug)]
pub struct Histories {
    wanted: Wanted,
    machine: String,
    /// Number of runs on other machines, which are left out.
    pub elsewhere: u32,
    list: Vec<History>,
}

impl Histories {
    /// For the runs of one machine.
    pub fn new(wanted: Wanted, machine: String) -> Self {
        Self {
            wanted,
            machine,
            elsewhere: 0,
            list: Vec::new(),
        }
    }

    /// Adds a run.
    pub fn add(&mut self, run: &RunRecord) {
        let mine = run.arenas.iter().filter(|arena| {
            let case = self.wanted.case.as_ref().is_none_or(|case| *case == arena.case);
            arena.workload == self.wanted.workload && case && arena.entrant(&self.wanted.id).is_some()
        });
        let mine: Vec<&ArenaRecord> = mine.collect();
        if mine.is_empty() {
            return;
        }
        if run.info.machine.identity() != self.machine {
            self.elsewhere += 1;
            return;
        }
        let settings = &run.info.settings;
        let resumed = settings
            .contenders
            .as_ref()
            .and_then(|asked| asked.resumes.as_ref());
        for arena in mine {
            let result = analyse(arena);
            if let Some(point) = self.point(&run.info, &result) {
                let conditions = conditions(settings, arena, &self.wanted.id);
                let points = &mut self.history(&result, conditions).points;
                // The resumed run's launches are part of this one, and count once.
                points.retain(|known| Some(&known.run) != resumed);
                points.push(point);
            }
        }
    }

    /// The histories, with their changes of level.
    pub fn finish(mut self) -> Vec<History> {
        for history in &mut self.list {
            let logs: Vec<f64> = history
                .points
                .iter()
                .map(|point| point.figure.estimate.ln())
                .collect();
            history.levels = levels(&changes::changes(&logs), &history.points);
        }
        self.list
    }

    fn point(&self, info: &RunInfo, result: &WorkloadResult) -> Option<Point> {
        let contender = result.contender(&self.wanted.id)?;
        let figure = *contender
            .metrics
            .get(&result.primary)
            .filter(|figure| figure.estimate > 0.0)?;
        let ratio = result.comparison(&self.wanted.id, result.primary);
        Some(Point {
            run: info.id.clone(),
            started: info.started,
            revision: revision(info, &self.wanted.id),
            rate: result.driving.rate(),
            figure,
            ratio: ratio.map(|found| (found.ratio, found.low.zip(found.high))),
        })
    }

    /// The history that a result belongs to: the same case, mode, size and metric, under the same conditions.
    fn history(&mut self, result: &WorkloadResult, conditions: Conditions) -> &mut History {
        let same = |known: &History| {
            let key = (known.case.as_str(), known.mode, known.size, known.metric);
            key == (result.case.as_str(), result.mode, result.size, result.primary)
                && known.conditions == conditions
        };
        let found = self.list.iter().position(same);
        let index = found.unwrap_or_else(|| {
            self.list.push(History {
                workload: result.workload.clone(),
                case: result.case.clone(),
                mode: result.mode,
                size: result.size,
                id: self.wanted.id.clone(),
                metric: result.primary,
                conditions,
                machine: self.machine.clone(),
                points: Vec::new(),
                levels: Vec::new(),
            });
            self.list.len() - 1
        });
        &mut self.list[index]
    }
}

/// The levels that begin at lasting changes, each compared with the previous one by their medians.
fn levels(begins: &[usize], points: &[Point]) -> Vec<LevelChange> {
    let level = |index: usize| {
        let before = index.checked_sub(1).map_or(0, |before| begins[before]);
        let end = begins.get(index + 1).copied().unwrap_or(points.len());
        let begin = begins[index];
        let step = middle(&points[begin..end]) / middle(&points[before..begin]) - 1.0;
        LevelChange { begin, step }
    };
    (0..begins.len()).map(level).collect()
}

/// The median of the figures of some points; not a number without any.
fn middle(points: &[Point]) -> f64 {
    let figures = points.iter().map(|point| point.figure.estimate);
    median(figures.collect()).unwrap_or(f64::NAN)
}

/// The measured revision. With two side by side, that of the contender's side: `after`, `go@before`.
fn revision(info: &RunInfo, id: &ContenderId) -> Option<String> {
    let side = id.variant.as_ref().unwrap_or(&id.name);
    let settings = &info.settings;
    let own = settings.revisions.as_ref().and_then(|both| match side.as_str() {
        "before" => Some(both.before.clone()),
        "after" => Some(both.after.clone()),
        _ => None,
    });
    own.or_else(|| settings.revision.clone())
}
