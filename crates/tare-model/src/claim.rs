//! What a reproduced report found, claim by claim, and what becomes of each today.

use serde::{Deserialize, Serialize};

use crate::ids::ContenderId;
use crate::results::Comparison;

/// A finding of the report that a workload reproduces, in terms of contenders here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The report's words, or what they come to.
    pub text: String,
    /// Where they are from.
    pub source: String,
    /// Who is held against the others.
    pub first: ContenderId,
    /// The others, at least one.
    pub others: Vec<ContenderId>,
    /// How it is said to stand to each of them.
    pub relation: Relation,
}

/// How one contender is said to stand to another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Relation {
    /// It is better, by this factor at least; 1: by more than the margin.
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

/// What is to be said of a claim today.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// It is so.
    Holds,
    /// It is not so.
    Fails,
    /// The data do not tell yet.
    Inconclusive,
    /// A contender that it is about has no figures in this run.
    NotMeasured,
}

/// What became of a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimResult {
    /// The claim.
    pub claim: Claim,
    /// The chance that it is told falsely.
    pub alpha: f64,
    /// What is to be said of it as a whole: it holds where each pair does, and fails where one does.
    pub standing: Standing,
    /// Its first contender against each of the others.
    pub pairs: Vec<ClaimPair>,
}

/// A claim's first contender against one of the others.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimPair {
    /// The other.
    pub other: ContenderId,
    /// What is to be said of the two.
    pub standing: Standing,
    /// Whether the other is even surely the better one, where the first was said to be.
    pub opposite: bool,
    /// The two on the primary metric, first over other, at the α of what is said; none where either has no figures.
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
