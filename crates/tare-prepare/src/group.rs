//! From manifests and a request to the groups and rules of a plan.

use tare_lab::plan::{Group, ModePlan, Rules};
use tare_model::ids::ContenderId;
use tare_model::manifest::{Case, Contender, ModeDriving, Reported, Workload};
use tare_model::metric::Mode;
use tare_model::placement::Placement;
use tare_model::record::EntrantRecord;
use tare_model::subject::Subject;
use tare_model::units::Seconds;

use crate::error::{PrepareError, Result};
use crate::request::Request;

/// Connections of a warm-up, where the workload has no capacity mode to take them from.
const WARM_UP_CONNECTIONS: u32 = 64;

/// A group: one case, its contenders, its modes.
pub(crate) fn group(
    (workload, case): (&Workload, &Case),
    entrants: Vec<EntrantRecord>,
    placement: Placement,
    reported: &Reported,
    request: &Request,
) -> Result<Group> {
    let drivings = drivings(workload, case, request)?;
    let baseline = baseline(case, &entrants, request)?;
    let takes_part = |id: &ContenderId| entrants.iter().any(|entrant| entrant.id == *id);
    Ok(Group {
        workload: workload.name.clone(),
        summary: workload.summary.clone(),
        case: case.name.clone(),
        case_summary: case.summary.clone(),
        in_process: case.job.in_process().is_some(),
        awake: placement.load_alone(),
        placement,
        floor: case.floor.clone().filter(takes_part),
        baseline: Some(baseline),
        warm_up: warm_up(case, &drivings, request),
        warm_up_rounds: None,
        modes: drivings
            .into_iter()
            .map(|driving| mode_plan(case, driving, reported, request))
            .collect(),
        sweep: case.sweep.clone(),
        prior: Vec::new(),
        expected: None,
        entrants,
    })
}

/// A mode, with the figures and findings that were published of it.
fn mode_plan(case: &Case, driving: ModeDriving, reported: &Reported, request: &Request) -> ModePlan {
    let mode = driving.mode;
    let figures = reported.figures.iter();
    let findings = reported.claims.iter();
    ModePlan {
        published: figures
            .filter(|figure| figure.case == case.name && figure.mode == mode)
            .map(|figure| figure.published.clone())
            .collect(),
        claims: findings
            .filter(|finding| finding.case == case.name && finding.mode == mode)
            .map(|finding| finding.claim.clone())
            .collect(),
        rate: request.rate.filter(|_| mode == Mode::Cost),
        driving,
    }
}

/// The driving of each mode that is to be measured, with what the request says.
fn drivings(workload: &Workload, case: &Case, request: &Request) -> Result<Vec<ModeDriving>> {
    let modes = if request.modes.is_empty() {
        &case.modes
    } else {
        &request.modes
    };
    modes
        .iter()
        .map(|mode| driving(workload, case, *mode, request))
        .collect()
}

fn driving(workload: &Workload, case: &Case, mode: Mode, request: &Request) -> Result<ModeDriving> {
    let mut driving = case
        .driving(mode)
        .cloned()
        .ok_or_else(|| PrepareError::UnknownMode {
            case: format!("{}/{}", workload.name, case.name),
            mode,
            known: case.drivings.iter().map(|driving| driving.mode).collect(),
        })?;
    if case.job.in_process().is_some() {
        // Nothing that the request says of connections is about it.
        return Ok(driving);
    }
    if !request.connections.is_empty() {
        driving.connections.clone_from(&request.connections);
    }
    if mode != Mode::Capacity && driving.connections.len() > 1 {
        return Err(PrepareError::SeveralLevels(mode));
    }
    driving.depth = request.depth.unwrap_or(driving.depth);
    driving.programs = request.programs.unwrap_or(driving.programs);
    Ok(driving)
}

/// How the warm-up loads a case: a closed loop, as the capacity mode has it, with what the request says: where it asks
/// for one request in flight, the server may not be able to take more.
fn warm_up(case: &Case, drivings: &[ModeDriving], request: &Request) -> ModeDriving {
    if case.job.in_process().is_some() {
        return drivings[0].clone();
    }
    let like = case.driving(Mode::Capacity).unwrap_or(&drivings[0]);
    let levels = if request.connections.is_empty() {
        &like.connections
    } else {
        &request.connections
    };
    let connections = levels.first().copied().unwrap_or(WARM_UP_CONNECTIONS);
    // The common rate is taken from the warm-up, and an open loop hardly ever has two requests in flight on one
    // connection: what a contender sustains in batches would be more than it sustains one by one.
    let one_by_one = drivings.iter().any(|driving| driving.mode == Mode::Cost);
    let depth = if one_by_one {
        1
    } else {
        request.depth.unwrap_or(like.depth)
    };
    ModeDriving {
        mode: Mode::Capacity,
        connections: vec![connections.min(WARM_UP_CONNECTIONS)],
        depth,
        ..like.clone()
    }
}

fn baseline(case: &Case, entrants: &[EntrantRecord], request: &Request) -> Result<ContenderId> {
    match &request.baseline {
        Some(asked) if entrants.iter().any(|entrant| entrant.id == *asked) => Ok(asked.clone()),
        Some(asked) => Err(PrepareError::UnknownBaseline {
            asked: asked.clone(),
            case: case.name.clone(),
            known: entrants.iter().map(|entrant| entrant.id.clone()).collect(),
        }),
        None => Ok(case.baseline.clone()),
    }
}

/// The rules of a run.
pub(crate) fn rules(request: &Request) -> Rules {
    Rules {
        budget: request.budget.map(Seconds::from_duration),
        launches: request.launches,
        rounds: request.rounds,
        alpha: request.alpha,
        margin: request.margin,
        seed: request.seed,
        ..Rules::default()
    }
}

/// What is recorded of a contender of a case before it is built.
pub(crate) fn entrant(contender: &Contender, case: &Case) -> EntrantRecord {
    let scheme = contender.scheme_in(case);
    let scheme = scheme.filter(|_| scheme != case.job.scheme());
    EntrantRecord {
        id: contender.id.clone(),
        summary: contender.summary.clone(),
        subject: Subject::Contender {
            language: contender.language.clone(),
            style: contender.style,
            stands_in_for: contender.stands_in_for.clone(),
            versions: Vec::new(),
            built: None,
            container: None,
            scheme: scheme.map(|scheme| scheme.name().to_owned()),
        },
        fault: None,
        fault_launch: None,
    }
}
