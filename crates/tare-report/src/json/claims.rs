//! A report's findings, as the document has them.

use tare_model::claim::{ClaimPair, ClaimResult, Relation};
use tare_model::results::WorkloadResult;

use super::Comparison;
use crate::claims;

/// A finding of the reproduced report, and what became of it.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Finding {
    /// In the report's words.
    pub claim: String,
    /// Where they are from.
    pub source: String,
    /// Who is held against the others.
    pub contender: String,
    /// `faster` or `same`.
    pub relation: &'static str,
    /// By this factor at least (`faster`).
    pub at_least: Option<f64>,
    /// Within this, as a ratio minus one (`same`).
    pub within: Option<f64>,
    /// `holds`, `does-not-hold`, `inconclusive` or `not-measured`.
    pub standing: &'static str,
    /// The chance that it is told falsely.
    pub alpha: f64,
    /// The contender against each of the others.
    pub pairs: Vec<Pair>,
}

/// A contender against one of the others.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Pair {
    /// The other.
    pub other: String,
    /// As of the finding.
    pub standing: &'static str,
    /// Whether the other is surely the better one, where the first was said to be.
    pub opposite: bool,
    /// Why there is no comparison.
    pub reason: Option<String>,
    /// The two on the primary metric, the contender's over the other's.
    pub comparison: Option<Comparison>,
}

/// A finding for the document.
pub(super) fn finding(result: &WorkloadResult, found: &ClaimResult) -> Finding {
    let claim = &found.claim;
    let (at_least, within) = match claim.relation {
        Relation::Faster { at_least } => (Some(at_least), None),
        Relation::Same { within } => (None, Some(within)),
    };
    Finding {
        claim: claim.text.clone(),
        source: claim.source.clone(),
        contender: claim.first.to_string(),
        relation: claim.relation.name(),
        at_least,
        within,
        standing: found.standing.name(),
        alpha: found.alpha,
        pairs: found.pairs.iter().map(|one| pair(result, found, one)).collect(),
    }
}

fn pair(result: &WorkloadResult, found: &ClaimResult, pair: &ClaimPair) -> Pair {
    Pair {
        other: pair.other.to_string(),
        standing: claims::standing_of(result, pair).name(),
        opposite: pair.opposite,
        reason: claims::reason(result, found, pair),
        comparison: claims::comparison(result, pair).map(Comparison::from),
    }
}
