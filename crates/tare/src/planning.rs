//! From manifests and options to a plan: which groups, which contenders, which cores, how driven.

use tare_lab::plan::{Group, ModePlan};
use tare_load::Schedule;
use tare_model::ids::ContenderId;
use tare_model::manifest::{Case, Contender, Driving, PlacementKind, Reported, Workload};
use tare_model::metric::Mode;
use tare_model::record::EntrantRecord;
use tare_model::results::Placement;
use tare_model::subject::Subject;
use tare_model::units::PerSecond;

use crate::args::{Choice, RunArgs};
use crate::failure::Failure;

/// Connections of a warm-up, where the workload has no capacity mode to take them from.
const WARM_UP_CONNECTIONS: u32 = 64;

/// Whether a contender was asked for.
pub fn chosen(choice: &Choice, id: &ContenderId) -> bool {
    (choice.only.is_empty() || named(&choice.only, id)) && !named(&choice.except, id)
}

/// Whether a list of names has a contender: `node` means every variant of it.
pub fn named(list: &[ContenderId], id: &ContenderId) -> bool {
    list.iter()
        .any(|wanted| wanted == id || (wanted.variant.is_none() && wanted.name == id.name))
}

/// Cores of each side, out of those that tare was started with.
pub fn placement(kind: PlacementKind, cores: &[u32], args: Option<&RunArgs>) -> Result<Placement, Failure> {
    let mut placement = default_placement(kind, cores);
    if let Some(args) = args {
        if let Some(asked) = &args.cores_contender {
            placement.contender = asked.0.clone();
        }
        if let Some(asked) = &args.cores_load {
            placement.load = asked.0.clone();
        }
    }
    let outside = |core: &&u32| !cores.contains(core);
    match placement.contender.iter().chain(&placement.load).find(outside) {
        Some(core) => Err(Failure::usage(format!(
            "core {core} is not among those that tare may use: {cores:?}"
        ))
        .hint("start tare with a wider affinity mask (taskset), or choose other cores")),
        None => Ok(placement),
    }
}

fn default_placement(kind: PlacementKind, cores: &[u32]) -> Placement {
    let (first, rest) = match cores {
        [] => return Placement::default(),
        [only] => {
            return Placement {
                contender: vec![*only],
                load: vec![*only],
                ..Placement::default()
            };
        }
        [first, rest @ ..] => (*first, rest),
    };
    match kind {
        PlacementKind::OneCore => {
            let last = rest[rest.len() - 1];
            let load = cores.iter().copied().filter(|core| *core != last).collect();
            Placement {
                contender: vec![last],
                load,
                ..Placement::default()
            }
        }
        // With four cores or more a quarter is set aside for the load; with fewer, it shares the first.
        PlacementKind::AllCores if cores.len() >= 4 => {
            let (load, contender) = cores.split_at(cores.len() / 4);
            Placement {
                contender: contender.to_vec(),
                load: load.to_vec(),
                ..Placement::default()
            }
        }
        // A generator on every core fights the contender for both of two cores: in one trial of four contenders the
        // log ratios of durations varied by 6 to 14% from round to round, with one on the first core by 4 to 7%.
        PlacementKind::AllCores => {
            let (contender, load) = (cores.to_vec(), vec![first]);
            Placement {
                contender,
                load,
                ..Placement::default()
            }
        }
    }
}

/// The driving of each mode that is to be run, options applied.
pub fn modes(workload: &Workload, case: &Case, args: &RunArgs) -> Result<Vec<Driving>, Failure> {
    let wanted = if args.mode.is_empty() {
        &case.modes
    } else {
        &args.mode
    };
    wanted
        .iter()
        .map(|mode| driving(workload, case, *mode, args))
        .collect()
}

fn driving(workload: &Workload, case: &Case, mode: Mode, args: &RunArgs) -> Result<Driving, Failure> {
    let mut driving = case.driving(mode).cloned().ok_or_else(|| {
        let has: Vec<&str> = case.drivings.iter().map(|driving| driving.mode.name()).collect();
        Failure::usage(format!(
            "`{}/{}` has no mode `{mode}`: it has {}",
            workload.name,
            case.name,
            has.join(", ")
        ))
    })?;
    if driving.connections.is_empty() {
        // In process: no option that is about connections is about it.
        return Ok(driving);
    }
    if !args.connections.is_empty() {
        driving.connections = args.connections.clone();
    }
    if mode != Mode::Capacity && driving.connections.len() > 1 {
        return Err(Failure::usage(format!(
            "several levels of connections are for capacity, not for {mode}"
        )));
    }
    driving.depth = args.pipeline.unwrap_or(driving.depth);
    driving.programs = args.programs.unwrap_or(driving.programs);
    Ok(driving)
}

/// How the warm-up loads a workload: a closed loop, as the capacity mode has it, and as the options say, too: who
/// asks for one request in flight may have a server that can do no more.
pub fn warm_up(case: &Case, modes: &[Driving], args: &RunArgs) -> Driving {
    if case.job.in_process().is_some() {
        return modes[0].clone();
    }
    let like = case.driving(Mode::Capacity).unwrap_or(&modes[0]);
    let levels = if args.connections.is_empty() {
        &like.connections
    } else {
        &args.connections
    };
    let connections = levels.first().copied().unwrap_or(WARM_UP_CONNECTIONS);
    // The common rate is taken from the warm-up, and an open loop hardly ever has two requests in flight on one
    // connection: what a contender takes in batches would be more than it can bear one by one.
    let one_by_one = modes.iter().any(|driving| driving.mode == Mode::Cost);
    let depth = if one_by_one {
        1
    } else {
        args.pipeline.unwrap_or(like.depth)
    };
    Driving {
        mode: Mode::Capacity,
        connections: vec![connections.min(WARM_UP_CONNECTIONS)],
        depth,
        ..like.clone()
    }
}

/// A group: one case, its contenders, its modes.
pub fn group(
    workload: &Workload,
    case: &Case,
    entrants: Vec<EntrantRecord>,
    placement: Placement,
    reported: &Reported,
    args: &RunArgs,
) -> Result<Group, Failure> {
    let drivings = modes(workload, case, args)?;
    let baseline = baseline(case, &entrants, args)?;
    let figures = |mode: Mode| {
        let mine = reported.figures.iter();
        let mine = mine.filter(|figure| figure.case == case.name && figure.mode == mode);
        mine.map(|figure| figure.published.clone()).collect()
    };
    let claims = |mode: Mode| {
        let mine = reported.claims.iter();
        let mine = mine.filter(|stated| stated.case == case.name && stated.mode == mode);
        mine.map(|stated| stated.claim.clone()).collect()
    };
    Ok(Group {
        workload: workload.name.clone(),
        summary: workload.summary.clone(),
        case: case.name.clone(),
        case_summary: case.summary.clone(),
        in_process: case.job.in_process().is_some(),
        awake: placement.load_alone(),
        placement,
        floor: case
            .floor
            .clone()
            .filter(|id| entrants.iter().any(|entrant| entrant.id == *id)),
        baseline: Some(baseline),
        warm_up: warm_up(case, &drivings, args),
        warm_up_rounds: None,
        modes: drivings
            .into_iter()
            .map(|driving| ModePlan {
                published: figures(driving.mode),
                claims: claims(driving.mode),
                rate: args
                    .rate
                    .filter(|_| driving.mode == Mode::Cost)
                    .map(|rate| PerSecond(rate.0)),
                driving,
            })
            .collect(),
        sweep: case.sweep.clone(),
        prior: Vec::new(),
        entrants,
    })
}

fn baseline(case: &Case, entrants: &[EntrantRecord], args: &RunArgs) -> Result<ContenderId, Failure> {
    let takes_part = |id: &ContenderId| entrants.iter().any(|entrant| entrant.id == *id);
    match &args.baseline {
        Some(asked) if takes_part(asked) => Ok(asked.clone()),
        Some(asked) => {
            let names: Vec<String> = entrants.iter().map(|entrant| entrant.id.to_string()).collect();
            Err(Failure::usage(format!(
                "the baseline `{asked}` does not take part in case `{}`",
                case.name
            ))
            .hint(format!("its contenders are {}", names.join(", "))))
        }
        None => Ok(case.baseline.clone()),
    }
}

/// The heaviest load of a driving.
pub fn schedule(driving: &Driving) -> Schedule {
    let connections = driving.connections.iter().copied().max().unwrap_or(1);
    let depth = driving.depth;
    match driving.mode {
        Mode::Capacity | Mode::Cost => Schedule::Capacity { connections, depth },
        Mode::Command => unreachable!("commands are not driven over sockets"),
        Mode::Batch => Schedule::Batch {
            programs: driving.programs,
            connections,
            requests: driving.requests,
            depth,
        },
    }
}

/// What is recorded of a contender, before anything is known of how it fares.
pub fn entrant(contender: &Contender) -> EntrantRecord {
    EntrantRecord {
        id: contender.id.clone(),
        summary: contender.summary.clone(),
        subject: Subject::Contender {
            language: contender.language.clone(),
            style: contender.style,
            stands_in_for: contender.stands_in_for.clone(),
            versions: Vec::new(),
            built: None,
        },
        fault: None,
        fault_launch: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_split_and_only_shared_where_they_must_be() {
        let of = |kind, cores: &[u32]| {
            let placement = default_placement(kind, cores);
            (placement.contender, placement.load)
        };
        assert_eq!(of(PlacementKind::OneCore, &[0, 1]), (vec![1], vec![0]));
        assert_eq!(of(PlacementKind::OneCore, &[2, 3, 5]), (vec![5], vec![2, 3]));
        assert_eq!(of(PlacementKind::OneCore, &[4]), (vec![4], vec![4]));
        assert_eq!(of(PlacementKind::AllCores, &[0, 1]), (vec![0, 1], vec![0]));
        assert_eq!(
            of(PlacementKind::AllCores, &[0, 1, 2, 3]),
            (vec![1, 2, 3], vec![0])
        );
    }

    #[test]
    fn a_name_stands_for_all_its_variants() {
        let choice = |only: &[&str], except: &[&str]| Choice {
            workloads: vec![],
            only: only.iter().map(|text| text.parse().unwrap()).collect(),
            except: except.iter().map(|text| text.parse().unwrap()).collect(),
            install: false,
        };
        let id = ContenderId::variant("haskell", "all");
        assert!(chosen(&choice(&["haskell"], &[]), &id));
        assert!(chosen(&choice(&[], &["haskell@one"]), &id));
        assert!(!chosen(&choice(&[], &["haskell"]), &id));
        assert!(!chosen(&choice(&["haskell@one"], &[]), &id));
    }
}
