//! The sink of a run: each event is kept in the store at once, and shown as progress.

use tare_lab::plan::{Group, Plan};
use tare_lab::sink::{Event, Sink, SinkError};
use tare_model::record::LaunchRecord;
use tare_model::units::Seconds;
use tare_report::words;
use tare_store::{ArenaKey, RunWriter, StoreError};

use crate::progress::{Progress, in_passes};

/// Keeps and shows.
pub struct Keep<'a> {
    writer: &'a mut RunWriter,
    /// By group and arena.
    arenas: Vec<Vec<ArenaKey>>,
    /// Each group as it is typed.
    cases: Vec<String>,
    /// The words for groups that a budget does not hold.
    left_out: fn(&[String], Seconds) -> String,
    progress: Progress<'a>,
}

impl<'a> Keep<'a> {
    /// Keeps the plan's arenas, before anything is measured.
    pub fn new(writer: &'a mut RunWriter, plan: &Plan, progress: Progress<'a>) -> Result<Self, StoreError> {
        let mut arenas = Vec::new();
        for group in &plan.groups {
            let records = group.records(&plan.rules);
            let keys: Result<Vec<ArenaKey>, StoreError> =
                records.iter().map(|record| writer.arena(record)).collect();
            arenas.push(keys?);
        }
        let case = |group: &Group| format!("{}/{}", group.workload, group.case);
        let benchmark = |group: &Group| format!("{} {}", group.workload, group.case);
        let in_passes = in_passes(plan);
        Ok(Self {
            writer,
            arenas,
            cases: if in_passes {
                plan.groups.iter().map(benchmark).collect()
            } else {
                plan.groups.iter().map(case).collect()
            },
            left_out: if in_passes {
                words::benchmarks_left_out
            } else {
                words::left_out
            },
            progress,
        })
    }

    fn keep(&mut self, event: &Event<'_>) -> Result<(), StoreError> {
        match *event {
            Event::LaunchBegan { group, launch, began } => self.launch(
                group,
                &LaunchRecord {
                    number: launch - 1,
                    node: 0,
                    began,
                    steady: Vec::new(),
                },
            ),
            Event::WarmedUp { group, launch } => self.launch(group, launch),
            Event::Failed {
                who,
                arena,
                launch,
                fault,
            } => {
                for (index, key) in self.arenas[who.group].iter().enumerate() {
                    if arena.is_none_or(|arena| arena == index) {
                        self.writer.fault(*key, who.entrant, Some(launch - 1), fault)?;
                    }
                }
                Ok(())
            }
            Event::Round {
                group, arena, slices, ..
            } => self.writer.round(self.arenas[group][arena], slices),
            Event::Rate {
                group, arena, record, ..
            } => self.writer.revise(self.arenas[group][arena], record),
            Event::Note { text } => self.writer.note(text),
            Event::LeftOut { groups, enough } => {
                let cases: Vec<String> = groups.iter().map(|&group| self.cases[group].clone()).collect();
                self.writer.note(&(self.left_out)(&cases, enough))
            }
            Event::PassBegan { groups, launch, .. } => {
                let of_all = groups.iter().flat_map(|&group| &self.arenas[group]);
                let arenas: Vec<ArenaKey> = of_all.copied().collect();
                self.writer.launch(&arenas, launch)
            }
            Event::Passed { now, phases, .. } | Event::Standing { now, phases, .. } => {
                self.writer.phases(now, &phases.listed())
            }
            Event::Stepping { .. } => Ok(()),
        }
    }

    fn launch(&mut self, group: usize, record: &LaunchRecord) -> Result<(), StoreError> {
        self.writer.launch(&self.arenas[group], record)
    }
}

impl Sink for Keep<'_> {
    fn event(&mut self, event: &Event<'_>) -> Result<(), SinkError> {
        self.progress.event(event);
        self.keep(event).map_err(|error| SinkError(error.to_string()))
    }
}
