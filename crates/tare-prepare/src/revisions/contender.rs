//! One contender at two revisions, as two contenders of the same cases.

use std::path::Path;

use tare_model::ids::ContenderId;
use tare_model::manifest::{Case, Contender, Lab, Workload};

use super::side::Side;
use crate::choose::{ChosenCase, with_services};
use crate::error::{PrepareError, Result};

/// Two revisions of a contender, to be measured side by side.
#[derive(Debug)]
pub struct TwoRevisions {
    /// The cases that both take part in, as the later revision has them.
    pub cases: Vec<ChosenCase>,
    /// The id of the earlier revision.
    pub baseline: ContenderId,
}

/// A contender as it is at a revision.
pub(crate) struct Found {
    pub(crate) workload: Workload,
    pub(crate) contender: Contender,
    pub(crate) lab: Lab,
}

/// The contender `workload`/`id` at both revisions. `within`: the lab's folder in the repository; `only`: names of the
/// cases to measure, empty for all.
///
/// # Errors
/// A manifest is wrong at one of the revisions, or there is no case that both take part in.
pub fn contender_at(
    sides: &[Side; 2],
    within: &Path,
    (workload, id): (&str, &ContenderId),
    only: &[String],
) -> Result<TwoRevisions> {
    let find = |side: &Side| found(side, Lab::new(side.tree.join(within)), workload, id);
    two(find(&sides[0])?, find(&sides[1])?, only)
}

/// A contender as it was found at both revisions.
///
/// # Errors
/// There is no case that both take part in.
pub(crate) fn two(before: Found, after: Found, only: &[String]) -> Result<TwoRevisions> {
    // As the later revision has them: what is asked of both must be the same.
    let takes_part = |case: &&Case| {
        let of = |found: &Found| found.contender.cases.contains(&case.name);
        of(&before) && of(&after) && (only.is_empty() || only.contains(&case.name))
    };
    let cases: Vec<Case> = after.workload.cases.iter().filter(takes_part).cloned().collect();
    if cases.is_empty() {
        let known = after.workload.cases.into_iter().map(|case| case.name);
        return Err(PrepareError::NoCommonCase {
            known: known.collect(),
        });
    }
    let contenders = [&before, &after].map(|found| found.contender.clone()).to_vec();
    let of_case = |mut case: Case| {
        // Whatever the floor is, it is not among these two.
        case.floor = None;
        case.baseline = before.contender.id.clone();
        with_services(&after.lab, after.workload.clone(), case, contenders.clone())
    };
    Ok(TwoRevisions {
        cases: cases.into_iter().map(of_case).collect::<Result<_>>()?,
        baseline: before.contender.id.clone(),
    })
}

/// The contender as it is at a revision, under the name of its side.
fn found(side: &Side, lab: Lab, workload: &str, id: &ContenderId) -> Result<Found> {
    let failed = |error| PrepareError::AtRevision {
        side: side.name,
        revision: side.revision.describe(),
        error,
    };
    let workload = lab.workload(workload).map_err(failed)?;
    let mut contender = lab.contender(&workload, id).map_err(failed)?;
    of_side(&mut contender, side);
    // The build takes these from the lab's folder; an absolute path stays as it is.
    for path in &mut contender.with {
        *path = lab.folder.join(&path).display().to_string();
    }
    Ok(Found {
        workload,
        contender,
        lab,
    })
}

/// Gives a contender the name of its side.
pub(crate) fn of_side(contender: &mut Contender, side: &Side) {
    contender.summary = side.revision.describe();
    contender.id = named(&contender.id, side.name);
}

/// `go` becomes `go@before`, `haskell@all` becomes `haskell-all@before`.
fn named(id: &ContenderId, side: &str) -> ContenderId {
    let name = match &id.variant {
        Some(variant) => format!("{}-{variant}", id.name),
        None => id.name.clone(),
    };
    ContenderId::variant(&name, side)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_variants() {
        let of = |text: &str| named(&text.parse().unwrap(), "before").to_string();
        assert_eq!(of("go"), "go@before");
        assert_eq!(of("haskell@all"), "haskell-all@before");
    }
}
