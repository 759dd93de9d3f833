//! What the contenders of a run negotiated by TLS, as remarks.

use tare_lab::plan::{Group, Plan};
use tare_lab::rig::Who;
use tare_model::tls::TlsReading;
use tare_report::words;
use tare_rig::RealRig;

/// A remark on each case with contenders that were reached over TLS.
pub fn remarks(plan: &Plan, rig: &RealRig<'_>) -> Vec<String> {
    let groups = plan.groups.iter().enumerate();
    groups
        .flat_map(|(index, group)| of_group(index, group, rig))
        .collect()
}

fn of_group(index: usize, group: &Group, rig: &RealRig<'_>) -> Vec<String> {
    let names: Vec<String> = group
        .entrants
        .iter()
        .map(|entrant| entrant.id.to_string())
        .collect();
    let seen = names.iter().enumerate().filter_map(|(entrant, name)| {
        let who = Who {
            group: index,
            entrant,
        };
        Some((name.as_str(), rig.seen(who)?))
    });
    let seen: Vec<(&str, Option<&TlsReading>)> = seen.collect();
    words::negotiated_in(&format!("{}/{}", group.workload, group.case), &seen)
}
