//! Contenders over many runs.

use tare_model::history::{History, Point};
use tare_model::ids::ContenderId;
use tare_model::record::RunRecord;
use tare_model::results::{RunInfo, WorkloadResult};
use tare_stats::changes;

use super::analyse;

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
        let mine: Vec<WorkloadResult> = mine.map(analyse).collect();
        if mine.is_empty() {
            return;
        }
        if machine(&run.info) != self.machine {
            self.elsewhere += 1;
            return;
        }
        for result in mine {
            if let Some(point) = self.point(&run.info, &result) {
                self.history(&result).points.push(point);
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
        let named = |name: &str| info.settings.iter().find(|(known, _)| known == name);
        Some(Point {
            run: info.id.clone(),
            started: info.started,
            revision: named("revision").map(|(_, value)| value.clone()),
            figure,
            ratio: ratio.map(|found| (found.ratio, found.low.zip(found.high))),
        })
    }

    fn history(&mut self, result: &WorkloadResult) -> &mut History {
        let same = |known: &History| {
            (known.case.as_str(), known.mode, known.size, known.metric)
                == (result.case.as_str(), result.mode, result.size, result.primary)
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
                machine: self.machine.clone(),
                points: Vec::new(),
                changes: Vec::new(),
            });
            self.list.len() - 1
        });
        &mut self.list[index]
    }
}
