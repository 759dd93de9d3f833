//! Findings: rules that look for one cause each, and report what they found, where, and how much of the gap it is.
//!
//! docs/explain.md has the thresholds and their reasons. A rule that finds nothing reports nothing.

mod calls;
#[cfg(test)]
pub(crate) mod fixture;
mod layer;
mod matter;
mod names;
mod resources;

use tare_model::explanation::Finding;

pub(crate) use matter::Matter;

/// Everything that the rules find: the largest part of the gap first, findings without a size last.
pub(crate) fn findings(matter: &Matter<'_>) -> Vec<Finding> {
    let rules: [fn(&Matter<'_>) -> Vec<Finding>; 10] = [
        calls::calls,
        calls::starts,
        names::own_name,
        names::function,
        names::cause,
        resources::cores,
        resources::garbage,
        resources::waiting,
        resources::held,
        layer::layers,
    ];
    let mut found: Vec<Finding> = rules.iter().flat_map(|rule| rule(matter)).collect();
    let size = |finding: &Finding| finding.size.map_or(-1.0, f64::abs);
    found.sort_by(|x, y| size(y).total_cmp(&size(x)));
    found
}
