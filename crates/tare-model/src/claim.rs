//! Claims of a reproduced report, and whether a run supports each of them.

use serde::{Deserialize, Serialize};

use crate::comparison::Comparison;
use crate::ids::ContenderId;

/// A finding of the report that a workload reproduces, in terms of contenders here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The report's words, or what they come to.
    pub text: String,
    /// Where they are from.
    pub source: String,
    /// The contender that the claim is about.
    pub first: ContenderId,
    /// The others, at least one.
    pub others: Vec<ContenderId>,
    /// The claimed relation to each of them.
    pub relation: Relation,
}

/// The claimed relation of one contender to another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Relation {
    /// The first is better, by at least this factor; 1: by more than the margin.
    Faster {
        /// The factor, 1 or more.
        at_least: f64,
    },
    /// Neither is better than the other by more than this.
    Same {
        /// As a ratio minus one: 0.1 for 10%.
        within: f64,
    },
}

/// Whether this run supports a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// The data support it.
    Holds,
    /// The data refute it.
    Fails,
    /// The data are not sufficient yet.
    Inconclusive,
    /// A contender named in the claim has no figures in this run.
    NotMeasured,
}

/// A claim, checked against a run.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimResult {
    /// The claim.
    pub claim: Claim,
    /// The error rate of `standing`.
    pub alpha: f64,
    /// The claim as a whole: it holds where each pair does, and fails where one does.
    pub standing: Standing,
    /// Its first contender against each of the others.
    pub pairs: Vec<ClaimPair>,
}

/// A claim's first contender against one of the others.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimPair {
    /// The other.
    pub other: ContenderId,
    /// Whether it holds for this pair.
    pub standing: Standing,
    /// Whether the data show the opposite: the other is the better one.
    pub opposite: bool,
    /// The two on the primary metric, first over other, at the α that `standing` was decided at; none where either has no
    /// figures.
    pub comparison: Option<Comparison>,
}

impl Relation {
    /// The name used in manifests and documents.
    pub fn name(self) -> &'static str {
        match self {
            Relation::Faster { .. } => "faster",
            Relation::Same { .. } => "same",
        }
    }

    /// Its number: the factor, or the share.
    pub fn bound(self) -> f64 {
        match self {
            Relation::Faster { at_least } => at_least,
            Relation::Same { within } => within,
        }
    }

    /// The relation of a name and a number; none where there is none of that name.
    pub fn from_parts(name: &str, bound: f64) -> Option<Self> {
        match name {
            "faster" => Some(Relation::Faster { at_least: bound }),
            "same" => Some(Relation::Same { within: bound }),
            _ => None,
        }
    }
}

impl Standing {
    /// All of them.
    pub const ALL: [Standing; 4] = [
        Standing::Holds,
        Standing::Fails,
        Standing::Inconclusive,
        Standing::NotMeasured,
    ];

    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            Standing::Holds => "holds",
            Standing::Fails => "does-not-hold",
            Standing::Inconclusive => "inconclusive",
            Standing::NotMeasured => "not-measured",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_survive_their_parts() {
        for relation in [Relation::Faster { at_least: 1.5 }, Relation::Same { within: 0.1 }] {
            assert_eq!(
                Relation::from_parts(relation.name(), relation.bound()),
                Some(relation)
            );
        }
        assert_eq!(Relation::from_parts("nicer", 1.0), None);
    }
}
