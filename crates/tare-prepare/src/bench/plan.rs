//! The plan of benchmarks.

use tare_harness::Effort;
use tare_host::machine;
use tare_lab::plan::{Group, ModePlan, Plan, Rules};
use tare_model::driving::ConnectionUse;
use tare_model::fault::{Fault, FaultKind};
use tare_model::ids::ContenderId;
use tare_model::manifest::ModeDriving;
use tare_model::metric::{Metric, Mode};
use tare_model::placement::Placement;
use tare_model::record::EntrantRecord;
use tare_model::subject::Subject;
use tare_model::units::Seconds;
use tare_rig::benchmarks::LENGTH;

use super::matching::Matched;
use super::request::BenchRequest;
use super::trees::BenchSide;

/// A benchmark, and how much one sample does; a fault of one of its sides if that could not be found out.
pub(super) struct Tried {
    pub(super) matched: Matched,
    pub(super) effort: Option<Effort>,
    /// The index of the side, and what was wrong there.
    pub(super) fault: Option<(usize, Fault)>,
}

/// The plan. `layouts`: how many are drawn of each side; 1: none.
pub(super) fn plan(request: &BenchRequest, sides: &[BenchSide], tried: &[Tried], layouts: u32) -> Plan {
    let rules = &request.rules;
    Plan {
        groups: tried
            .iter()
            .map(|one| group(one, sides, request.rewritten))
            .collect(),
        rules: Rules {
            budget: rules.budget.map(Seconds::from_duration),
            launches: (layouts > 1).then_some(layouts),
            alpha: rules.alpha,
            margin: rules.margin,
            seed: rules.seed,
            many: rules.many,
            // What a sample is told where it is given a time.
            slice: Seconds::from_duration(LENGTH),
            ..Rules::default()
        },
    }
}

fn group(one: &Tried, sides: &[BenchSide], rewritten: bool) -> Group {
    let matched = &one.matched;
    let driving = ModeDriving {
        mode: Mode::Benchmark,
        primary: Metric::TimePerOp,
        connections: vec![1],
        depth: 1,
        programs: 1,
        // The number of iterations, which the record has; none where a sample is given a time.
        requests: match one.effort {
            Some(Effort::Iterations(count)) => u32::try_from(count).unwrap_or(u32::MAX),
            _ => 0,
        },
        usage: ConnectionUse::default(),
    };
    let baseline = (sides.len() > 1).then(|| ContenderId::plain(sides[0].name));
    Group {
        workload: matched.program.clone(),
        summary: format!("benchmarks of {} ({})", matched.program, matched.harness),
        case: matched.name.clone(),
        case_summary: "Each sample is a process of its own".to_owned(),
        in_process: false,
        awake: false,
        placement: Placement {
            contender: machine::cores(),
            ..Placement::default()
        },
        floor: None,
        baseline,
        entrants: (0..sides.len())
            .map(|side| entrant(one, side, sides, rewritten))
            .collect(),
        warm_up: driving.clone(),
        warm_up_rounds: Some(0),
        modes: vec![ModePlan {
            driving,
            rate: None,
            published: Vec::new(),
            claims: Vec::new(),
        }],
        sweep: None,
        prior: Vec::new(),
        expected: None,
    }
}

fn entrant(one: &Tried, index: usize, sides: &[BenchSide], rewritten: bool) -> EntrantRecord {
    let matched = &one.matched;
    let missing = matched.sides[index].fault().cloned();
    let differs = (matched.rewritten() && !rewritten).then(self::rewritten);
    let failed = one.fault.clone().filter(|(side, _)| *side == index);
    EntrantRecord {
        id: ContenderId::plain(sides[index].name),
        summary: sides[index].summary.clone(),
        subject: Subject::Benchmark {
            harness: matched.harness.to_owned(),
            program: matched.program.clone(),
            source: matched.sources[index].clone(),
        },
        fault: missing.or(differs).or(failed.map(|(_, fault)| fault)),
        fault_launch: None,
    }
}

fn rewritten() -> Fault {
    Fault::new(
        FaultKind::Rewritten,
        "the benchmark itself differs between the revisions, so that its figures do not say what changed in what it \
         measures\n\nhint: --rewritten measures it all the same",
    )
}
