//! What a reproduced report found, as the document has it.

use tare_model::claim::{ClaimPair, ClaimResult, Relation};
use tare_model::results::WorkloadResult;

use super::comparison::Comparison;
use crate::claims;

/// A finding of the reproduced report, and what became of it.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct Claim {
    /// The finding in the report's words.
    pub claim: String,
    /// Where it is from.
    pub source: String,
    /// The contender that is compared with the others.
    pub contender: String,
    /// `faster` or `same`.
    pub relation: &'static str,
    /// The least factor (`faster`).
    pub at_least: Option<f64>,
    /// The greatest difference, as a ratio minus one (`same`).
    pub within: Option<f64>,
    /// `holds`, `does-not-hold`, `inconclusive` or `not-measured`.
    pub standing: &'static str,
    /// The chance that the standing is wrong.
    pub alpha: f64,
    /// The contender against each of the others.
    pub pairs: Vec<ClaimAgainst>,
}

/// The contender of a finding against one of the others.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct ClaimAgainst {
    /// The other contender.
    pub other: String,
    /// As that of the finding, for this pair.
    pub standing: &'static str,
    /// Whether the opposite is shown: the other is better.
    pub opposite: bool,
    /// Why there is no comparison.
    pub reason: Option<String>,
    /// The comparison on the primary metric, the contender's value over the other's.
    pub comparison: Option<Comparison>,
}

/// A finding and its pairs.
pub(super) fn claim(result: &WorkloadResult, found: &ClaimResult) -> Claim {
    let claim = &found.claim;
    let (at_least, within) = match claim.relation {
        Relation::Faster { at_least } => (Some(at_least), None),
        Relation::Same { within } => (None, Some(within)),
    };
    Claim {
        claim: claim.text.clone(),
        source: claim.source.clone(),
        contender: claim.first.to_string(),
        relation: claim.relation.name(),
        at_least,
        within,
        standing: found.standing.name(),
        alpha: found.alpha,
        pairs: found
            .pairs
            .iter()
            .map(|pair| against(result, found, pair))
            .collect(),
    }
}

fn against(result: &WorkloadResult, found: &ClaimResult, pair: &ClaimPair) -> ClaimAgainst {
    ClaimAgainst {
        other: pair.other.to_string(),
        standing: claims::standing_of(result, pair).name(),
        opposite: pair.opposite,
        reason: claims::reason(result, found, pair),
        comparison: claims::comparison(result, pair).map(Comparison::from),
    }
}
