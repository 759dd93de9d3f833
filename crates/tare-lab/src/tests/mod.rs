//! The lab on a rig without a world: exact times, known truth.

use std::collections::BTreeMap;

use tare_analysis as analysis;
use tare_model::claim::ClaimResult;
use tare_model::comparison::Verdict;
use tare_model::driving::ConnectionUse;
use tare_model::fault::FaultKind;
use tare_model::ids::ContenderId;
use tare_model::manifest::{ModeDriving, Style};
use tare_model::metric::{Metric, Mode};
use tare_model::placement::Placement;
use tare_model::record::{ArenaRecord, EntrantRecord, Phase};
use tare_model::results::{Bound, State};
use tare_model::subject::Subject;
use tare_model::units::{Seconds, Share};

use crate::mock::{CHECK, Did, MockRig, SETTLE, START, STOP, Script};
use crate::plan::{Group, ModePlan, Plan, Rules};
use crate::rig::Who;
use crate::run::{RunOutcome, run};
use crate::sink::{Done, Event, Sink, SinkError};

mod claims;
mod commands;
mod faults;
mod forecasts;
mod groups;
mod history;
mod in_process;
mod late;
mod lone;
mod order;
mod passes;
mod plateaus;
mod pool;
mod simulated;
mod sweeps;
mod verdicts;

#[derive(Default)]
struct Ears {
    rounds: u32,
    failed: Vec<(usize, FaultKind)>,
    notes: Vec<String>,
    rates: Vec<f64>,
    launches: u32,
    refuse_round: Option<u32>,
    left_out: Vec<usize>,
    enough: f64,
    /// The last that was said of the claims of the first group.
    claims: Vec<ClaimResult>,
}

impl Sink for Ears {
    fn event(&mut self, event: &Event<'_>) -> Result<(), SinkError> {
        match event {
            Event::Round { .. } => {
                self.rounds += 1;
                if self.refuse_round == Some(self.rounds) {
                    return Err(SinkError("the disk is full".to_owned()));
                }
            }
            Event::Failed { who, fault, .. } => self.failed.push((who.entrant, fault.kind)),
            Event::Note { text } => self.notes.push((*text).to_owned()),
            Event::Rate { rate, .. } => self.rates.push(rate.0),
            Event::LaunchBegan { launch, .. } => self.launches = *launch,
            Event::LeftOut { groups, enough } => {
                self.left_out = groups.to_vec();
                self.enough = enough.0;
            }
            Event::Standing {
                group: 0, results, ..
            } => {
                self.claims = results.iter().flat_map(|result| result.claims.clone()).collect();
            }
            _ => {}
        }
        Ok(())
    }
}

fn driving(mode: Mode) -> ModeDriving {
    let (primary, programs) = match mode {
        Mode::Capacity => (Metric::Throughput, 1),
        Mode::Cost => (Metric::CpuPerOp, 1),
        Mode::Batch => (Metric::Duration, 2),
        Mode::Command => (Metric::Duration, 1),
        Mode::Benchmark => (Metric::TimePerOp, 1),
    };
    ModeDriving {
        mode,
        primary,
        connections: vec![16],
        depth: 3,
        programs,
        requests: 100,
        usage: ConnectionUse::default(),
    }
}

fn entrant(index: usize) -> EntrantRecord {
    EntrantRecord {
        id: ContenderId::plain(&format!("c{index}")),
        summary: "a script".to_owned(),
        subject: Subject::Contender {
            language: "c".to_owned(),
            style: Style::Idiomatic,
            stands_in_for: None,
            versions: vec![],
            built: None,
            container: None,
            scheme: None,
        },
        fault: None,
        fault_launch: None,
    }
}

fn plan(entrants: usize, modes: &[Mode], rules: Rules) -> Plan {
    let mode = |mode: &Mode| ModePlan {
        driving: driving(*mode),
        rate: None,
        published: vec![],
        claims: vec![],
    };
    let group = Group {
        workload: "w".to_owned(),
        summary: "a job".to_owned(),
        case: "one".to_owned(),
        case_summary: "a case".to_owned(),
        in_process: false,
        awake: true,
        placement: Placement {
            contender: vec![1],
            load: vec![0],
            ..Placement::default()
        },
        floor: None,
        baseline: Some(ContenderId::plain("c0")),
        entrants: (0..entrants).map(entrant).collect(),
        warm_up: driving(Mode::Capacity),
        warm_up_rounds: None,
        modes: modes.iter().map(mode).collect(),
        sweep: None,
        prior: Vec::new(),
        expected: None,
    };
    Plan {
        groups: vec![group],
        rules,
    }
}

fn go(plan: &Plan, scripts: &[Script], ears: &mut Ears) -> (RunOutcome, MockRig) {
    let mut rig = MockRig::new(plan.rules.seed ^ 0x5eed, scripts);
    let outcome = run(plan, &mut rig, ears);
    (outcome, rig)
}

fn verdict(arena: &ArenaRecord, a: &str) -> Verdict {
    let result = analysis::analyse(arena);
    result
        .comparison(&ContenderId::plain(a), arena.primary)
        .expect("a comparison")
        .verdict
}
