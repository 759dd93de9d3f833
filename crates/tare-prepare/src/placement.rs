//! Which cores each side gets.

use tare_model::manifest::PlacementKind;
use tare_model::placement::Placement;

use crate::error::{PrepareError, Result};
use crate::request::Request;

/// Cores of each side, out of those that this process may use. Where other machines drive the load, those that are left for
/// services.
///
/// # Errors
/// The request names another core.
pub fn placement(kind: PlacementKind, cores: &[u32], request: &Request) -> Result<Placement> {
    let away = !request.hosts.load.is_empty();
    let mut placement = if away {
        without_load(kind, cores)
    } else {
        default_placement(kind, cores)
    };
    if let Some(asked) = &request.cores_contender {
        placement.contender.clone_from(asked);
    }
    if away {
        placement.load = beside(&placement.contender, cores);
    } else if let Some(asked) = &request.cores_load {
        placement.load.clone_from(asked);
    }
    let outside = |core: &&u32| !cores.contains(core);
    match placement.contender.iter().chain(&placement.load).find(outside) {
        Some(core) => Err(PrepareError::UnknownCore {
            core: *core,
            cores: cores.to_vec(),
        }),
        None => Ok(placement),
    }
}

fn default_placement(kind: PlacementKind, cores: &[u32]) -> Placement {
    let (first, rest) = match cores {
        [] => return Placement::default(),
        [only] => return on(vec![*only], vec![*only]),
        [first, rest @ ..] => (*first, rest),
    };
    match kind {
        PlacementKind::OneCore => {
            let last = rest[rest.len() - 1];
            on(
                vec![last],
                cores.iter().copied().filter(|core| *core != last).collect(),
            )
        }
        // With four cores or more a quarter is set aside for the load; with fewer, it shares the first.
        PlacementKind::AllCores if cores.len() >= 4 => {
            let (load, contender) = cores.split_at(cores.len() / 4);
            on(contender.to_vec(), load.to_vec())
        }
        // With a generator on each of two cores it competes with the contender for both: in one trial of four
        // contenders the log ratios of durations varied by 6 to 14% from round to round, with the generator on the first
        // core alone by 4 to 7%.
        PlacementKind::AllCores => on(cores.to_vec(), vec![first]),
    }
}

/// The contender's cores where the load is driven from other machines: none has to be set aside for it.
fn without_load(kind: PlacementKind, cores: &[u32]) -> Placement {
    match (kind, cores) {
        (PlacementKind::OneCore, [.., last]) => on(vec![*last], Vec::new()),
        _ => on(cores.to_vec(), Vec::new()),
    }
}

/// The cores that contenders leave; all if they leave none.
fn beside(contender: &[u32], cores: &[u32]) -> Vec<u32> {
    let rest = cores.iter().copied().filter(|core| !contender.contains(core));
    let rest: Vec<u32> = rest.collect();
    if rest.is_empty() { cores.to_vec() } else { rest }
}

fn on(contender: Vec<u32>, load: Vec<u32>) -> Placement {
    Placement {
        contender,
        load,
        ..Placement::default()
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
    fn no_core_is_set_aside_for_a_load_from_elsewhere() {
        let of = |kind, asked: Option<&[u32]>| {
            let request = Request {
                hosts: crate::request::Hosts {
                    load: vec!["n2:7400".to_owned()],
                    ..Default::default()
                },
                cores_contender: asked.map(<[u32]>::to_vec),
                // Of the other machine, which has more.
                cores_load: Some(vec![17]),
                ..Request::default()
            };
            let placement = placement(kind, &[0, 1, 2, 3], &request).unwrap();
            (placement.contender, placement.load)
        };
        assert_eq!(of(PlacementKind::OneCore, None), (vec![3], vec![0, 1, 2]));
        let all = vec![0, 1, 2, 3];
        assert_eq!(of(PlacementKind::AllCores, None), (all.clone(), all));
        assert_eq!(
            of(PlacementKind::AllCores, Some(&[1, 2])),
            (vec![1, 2], vec![0, 3])
        );
    }

    #[test]
    fn cores_that_may_not_be_used_are_refused() {
        let request = Request {
            cores_load: Some(vec![7]),
            ..Request::default()
        };
        let error = placement(PlacementKind::OneCore, &[0, 1], &request).unwrap_err();
        assert!(
            matches!(error, PrepareError::UnknownCore { core: 7, .. }),
            "{error}"
        );
    }
}
