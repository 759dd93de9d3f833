//! Contenders over many runs.

mod conditions;

use tare_model::history::{History, Point};
use tare_model::ids::ContenderId;
use tare_model::record::{ArenaRecord, RunRecord};
use tare_model::results::{RunInfo, WorkloadResult};
use tare_stats::changes;

use super::analyse;
use crate::plan::rate_for_all;
use conditions::{conditions, setting};

/// Which contender's, in which case (none: all).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The workload's name.
    pub workload: String,
    /// Its contender.
    pub id: ContenderId,
    /// One case of it.
    pub case: Option<String>,
}

/// Makes histories of runs, one run after the other, the oldest first.
#[derive(Debug)]
pub struct Histories {
    wanted: Wanted,
    machine: String,
    /// Runs of other machines that were left out.
    pub elsewhere: u32,
    list: Vec<History>,
}

/// What tells one machine from another: what a figure depends on.
pub fn machine(info: &RunInfo) -> String {
    let machine = &info.machine;
    format!("{}, {}, {} cores", machine.host, machine.cpu, machine.cores)
}

impl Histories {
    /// Of one machine's runs.
    pub fn new(wanted: Wanted, machine: String) -> Self {
        Self {
            wanted,
            machine,
            elsewhere: 0,
            list: Vec::new(),
        }
    }

    /// Takes a run.
    pub fn add(&mut self, run: &RunRecord) {
        let mine = run.arenas.iter().filter(|arena| {
            let case = self.wanted.case.as_ref().is_none_or(|case| *case == arena.case);
            arena.workload == self.wanted.workload && case && arena.entrant(&self.wanted.id).is_some()
        });
        let mine: Vec<&ArenaRecord> = mine.collect();
        if mine.is_empty() {
            return;
        }
        if machine(&run.info) != self.machine {
            self.elsewhere += 1;
            return;
        }
        let resumed = setting(&run.info, "resumes");
        for arena in mine {
            let result = analyse(arena);
            if let Some(point) = self.point(&run.info, &result) {
                let conditions = conditions(&run.info, arena, &self.wanted.id);
                let points = &mut self.history(&result, conditions).points;
                // Its launches are in this one, and count once.
                points.retain(|known| Some(&known.run) != resumed.as_ref());
                points.push(point);
            }
        }
    }

    /// All of them, the changes of level marked.
    pub fn finish(mut self) -> Vec<History> {
        for history in &mut self.list {
            let logs: Vec<f64> = history
                .points
                .iter()
                .map(|point| point.figure.estimate.ln())
                .collect();
            history.changes = changes::changes(&logs);
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
            rate: rate_for_all(&result.driving).map(str::to_owned),
            figure,
            ratio: ratio.map(|found| (found.ratio, found.low.zip(found.high))),
        })
    }

    /// The one that a result belongs to: the same asked, of the same thing, under the same conditions.
    fn history(&mut self, result: &WorkloadResult, conditions: Vec<(String, String)>) -> &mut History {
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
                changes: Vec::new(),
            });
            self.list.len() - 1
        });
        &mut self.list[index]
    }
}

/// The revision that was measured. Of two side by side it is that of the contender's side: `after`, `go@before`.
fn revision(info: &RunInfo, id: &ContenderId) -> Option<String> {
    let side = id.variant.as_ref().unwrap_or(&id.name);
    let own = ["before", "after"].contains(&side.as_str());
    let own = own.then(|| setting(info, side)).flatten();
    own.or_else(|| setting(info, "revision"))
}
