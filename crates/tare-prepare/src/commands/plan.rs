//! The plan of commands.

use tare_host::machine;
use tare_lab::plan::{Group, ModePlan, Plan, Rules};
use tare_model::driving::ConnectionUse;
use tare_model::ids::ContenderId;
use tare_model::manifest::ModeDriving;
use tare_model::metric::{Metric, Mode};
use tare_model::placement::Placement;
use tare_model::record::EntrantRecord;
use tare_model::subject::Subject;
use tare_model::units::Seconds;

use super::entry::Entry;
use super::request::{CommandRules, CommandsRequest};
use crate::pace::Pace;

/// The plan of commands that were found to work; `pace` follows from how long they take.
pub(super) fn plan(
    request: &CommandsRequest,
    floor: Option<&(ContenderId, Vec<String>)>,
    baseline: &ContenderId,
    pace: &Pace,
) -> Plan {
    let driving = ModeDriving {
        mode: Mode::Command,
        primary: Metric::Duration,
        connections: vec![1],
        depth: 1,
        programs: 1,
        requests: pace.runs_in_slice,
        usage: ConnectionUse::default(),
    };
    let rounds = if pace.rounds == 1 {
        "one round".to_owned()
    } else {
        format!("{} rounds", pace.rounds)
    };
    let entrants = request.entries.list.iter().map(entrant);
    let group = Group {
        workload: request.name.clone(),
        summary: request.summary.clone(),
        case: "commands".to_owned(),
        case_summary: format!("Each run is a process of its own; a block is {rounds}"),
        in_process: false,
        awake: false,
        placement: Placement {
            contender: machine::cores(),
            ..Placement::default()
        },
        floor: floor.map(|(id, _)| id.clone()),
        baseline: Some(baseline.clone()),
        entrants: entrants.chain(floor.map(nothing)).collect(),
        warm_up: driving.clone(),
        warm_up_rounds: Some(request.rules.how.warm_up_rounds),
        modes: vec![ModePlan {
            driving,
            rate: None,
            published: request.published.clone(),
            claims: Vec::new(),
        }],
        sweep: request.entries.sweep.clone(),
        prior: Vec::new(),
        expected: None,
    };
    Plan {
        groups: vec![group],
        rules: rules(&request.rules, pace),
    }
}

fn rules(asked: &CommandRules, pace: &Pace) -> Rules {
    Rules {
        budget: pace.budget.map(Seconds::from_duration),
        launches: pace.launches,
        least: pace.least,
        rounds: Some(pace.rounds),
        alpha: asked.alpha,
        margin: asked.margin,
        seed: asked.seed,
        whole: asked.how.runs.is_some(),
        ..Rules::default()
    }
}

/// What is recorded of a command.
fn entrant(entry: &Entry) -> EntrantRecord {
    let command = entry.text.clone();
    record(&entry.id, &entry.summary, Subject::Command { command })
}

/// What is recorded of the command that does nothing.
fn nothing((id, argv): &(ContenderId, Vec<String>)) -> EntrantRecord {
    let command = argv.join(" ");
    record(id, &command.clone(), Subject::NoCommand { command })
}

fn record(id: &ContenderId, summary: &str, subject: Subject) -> EntrantRecord {
    EntrantRecord {
        id: id.clone(),
        summary: summary.to_owned(),
        subject,
        fault: None,
        fault_launch: None,
    }
}
