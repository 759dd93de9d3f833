//! HttpArena's profiles as cases.

use tare_model::manifest::HttpJob;

use super::case::CaseText;
use super::{Entrant, of_case};
use crate::{Profile, Traffic};

/// The cases that have contenders, in the order of the profiles.
pub(super) fn cases(profiles: &[Profile], entrants: &[Entrant<'_>]) -> Vec<CaseText> {
    profiles
        .iter()
        .filter_map(|profile| case(profile, entrants))
        .collect()
}

fn case(profile: &Profile, entrants: &[Entrant<'_>]) -> Option<CaseText> {
    let first = *of_case(entrants, &profile.name).first()?;
    let [job, then @ ..] = profile.jobs.as_ref().ok()?.as_slice() else {
        return None;
    };
    let count = then.len() + 1;
    Some(CaseText {
        name: profile.name.clone(),
        summary: if count == 1 {
            format!("the profile {} of HttpArena", profile.name)
        } else {
            format!(
                "the profile {} of HttpArena: {count} requests in turn",
                profile.name
            )
        },
        baseline: first.id.clone(),
        job: HttpJob {
            then: then.to_vec(),
            ..job.clone()
        },
        sweep: None,
        connections: profile.connections.clone(),
        depth: profile.pipeline,
        batches: false,
        renew_after: profile.requests_per_connection,
        at_rate: matches!(profile.traffic, Traffic::Get { at_rate: true, .. }),
        served: false,
        counted: false,
    })
}
