//! HttpArena's profiles as cases.

use tare_model::manifest::Job;

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
    let job = profile.job.as_ref().ok()?;
    let whole = format!("the profile {} of HttpArena", profile.name);
    Some(CaseText {
        name: profile.name.clone(),
        summary: match job {
            Job::Http(job) if !job.then.is_empty() => {
                format!("{whole}: {} requests in turn", job.then.len() + 1)
            }
            _ => whole,
        },
        baseline: first.id.clone(),
        job: job.clone(),
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
