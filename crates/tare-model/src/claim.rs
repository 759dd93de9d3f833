//! Claims of a reproduced report, and whether a run supports each of them.

use serde::{Deserialize, Serialize};

use crate::estimate::Estimate;
use crate::fault::FaultKind;
use crate::ids::ContenderId;
use crate::metric::Metric;
use crate::state::State;

/// A finding of the report that a workload reproduces, in terms of contenders here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The report's words, or what they come to.
    pub text: String,
    /// Where they are from.
    pub source: String,
    /// The contender that the claim is about: the better one, where one is.
    pub first: ContenderId,
    /// The others, at least one.
    pub others: Vec<ContenderId>,
    /// The claimed relation to each of them.
    pub relation: Relation,
    /// The metric that it is judged by; none: the primary one of its case and mode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<Metric>,
    /// What the report had that a machine may not have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Conditions>,
}

/// The claimed relation of one contender to another. The *lead* is how many times the first is better: the ratio of both
/// figures, the way round that is above 1 where the first is ahead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Relation {
    /// The lead is at least this; 1: above the margin.
    Faster {
        /// The factor, 1 or more.
        at_least: f64,
    },
    /// Neither leads by more than this.
    Same {
        /// As a ratio minus one: 0.1 for 10%.
        within: f64,
    },
    /// The lead lies between two factors.
    Between {
        /// The lower one.
        low: f64,
        /// The higher one.
        high: f64,
    },
    /// The lead is about a published factor.
    About {
        /// The published factor.
        lead: f64,
        /// How far it may be off, as a ratio minus one.
        within: f64,
    },
    /// The lead is larger than it is in another case: the lead here over the lead there.
    MoreThanIn {
        /// The other case, in the same mode.
        case: String,
        /// By at least this factor; 1: by more than the margin.
        at_least: f64,
    },
    /// The lead falls with the size: the lead at the smallest size over that at the largest.
    FallsWithSize {
        /// By at least this factor; 1: by more than the margin.
        at_least: f64,
    },
    /// The others cost about this much more than the first, at the smallest size where the case is swept.
    Extra {
        /// In seconds.
        seconds: f64,
        /// How far it may be off, as a ratio minus one.
        within: f64,
    },
    /// What the others cost more is a constant: from the smallest size to the largest it changes by no more than this a unit
    /// of size, up or down.
    ExtraPerUnit {
        /// In seconds.
        at_most: f64,
    },
}

/// What the figure of a claim is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// How many times the first is better than the other.
    Lead,
    /// One lead over another: of two cases or two sizes.
    LeadOverLead,
    /// What the other costs more, in seconds.
    Extra,
    /// By how much that changes with each unit of size, in seconds.
    ExtraPerUnit,
}

/// What the report had, where a machine may not have it. A claim is judged under what there is, and that is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conditions {
    /// Cores of the machine that the contenders ran on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<u32>,
    /// Machines beside it that made the load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_machines: Option<u32>,
}

/// Whether this run supports a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// The data support it.
    Holds,
    /// The data refute it.
    Fails,
    /// The data refute it and show the opposite: the other is the better one.
    Opposite,
    /// The data are not sufficient yet.
    Inconclusive,
    /// What the claim needs was not measured in this run.
    NotMeasured,
}

/// A claim, checked against a run.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimResult {
    /// The claim.
    pub claim: Claim,
    /// The metric that it was judged by.
    pub metric: Metric,
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
    /// The lead that the report published, by its figures.
    pub published: Option<f64>,
    /// What was found, or why there is nothing.
    pub figure: Result<ClaimFigure, Lack>,
}

/// What was found of a pair, as the [`Quantity`] of the claim's relation.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimFigure {
    /// The figure, and its interval at `alpha`.
    pub estimate: Estimate,
    /// The error rate that the pair's standing was decided at.
    pub alpha: f64,
    /// Rounds used.
    pub rounds: u32,
    /// Launches used.
    pub launches: u32,
    /// Whether it rests on the rounds of a single launch.
    pub provisional: bool,
    /// Each launch's own figure, where the interval is computed from these.
    pub centres: Vec<f64>,
}

/// Why nothing was found of a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lack {
    /// A contender has no figures.
    Figures {
        /// Which.
        contender: ContenderId,
        /// In which case, if not in the claim's own.
        case: Option<String>,
        /// Why.
        why: Unfit,
    },
    /// The run has no such case in this mode.
    Case(String),
    /// Both have figures, but from different rounds.
    NeverTogether,
    /// The run has only one size of the case.
    OneSize,
}

/// Why a contender has no figures of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    /// It is not in this run.
    Absent,
    /// Its throughput is the generator's.
    GeneratorLimited,
    /// Its latency is the generator's.
    GeneratorLate,
    /// It was not measured to the end.
    Fate(State, Option<FaultKind>),
}

impl Relation {
    /// The name used in documents.
    pub fn name(&self) -> &'static str {
        match self {
            Relation::Faster { .. } => "faster",
            Relation::Same { .. } => "same",
            Relation::Between { .. } => "between",
            Relation::About { .. } => "about",
            Relation::MoreThanIn { .. } => "more-than-in",
            Relation::FallsWithSize { .. } => "falls-with-size",
            Relation::Extra { .. } => "extra",
            Relation::ExtraPerUnit { .. } => "extra-per-unit",
        }
    }

    /// What it is about.
    pub fn quantity(&self) -> Quantity {
        match self {
            Relation::Faster { .. }
            | Relation::Same { .. }
            | Relation::Between { .. }
            | Relation::About { .. } => Quantity::Lead,
            Relation::MoreThanIn { .. } | Relation::FallsWithSize { .. } => Quantity::LeadOverLead,
            Relation::Extra { .. } => Quantity::Extra,
            Relation::ExtraPerUnit { .. } => Quantity::ExtraPerUnit,
        }
    }

    /// Whether it is about several sizes of a case.
    pub fn over_sizes(&self) -> bool {
        matches!(
            self,
            Relation::FallsWithSize { .. } | Relation::ExtraPerUnit { .. }
        )
    }
}

impl Quantity {
    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            Quantity::Lead => "lead",
            Quantity::LeadOverLead => "lead-over-lead",
            Quantity::Extra => "extra",
            Quantity::ExtraPerUnit => "extra-per-unit",
        }
    }

    /// Whether it is a ratio: otherwise it is in seconds.
    pub fn is_ratio(self) -> bool {
        matches!(self, Quantity::Lead | Quantity::LeadOverLead)
    }
}

impl Standing {
    /// All of them.
    pub const ALL: [Standing; 5] = [
        Standing::Holds,
        Standing::Fails,
        Standing::Opposite,
        Standing::Inconclusive,
        Standing::NotMeasured,
    ];

    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            Standing::Holds => "holds",
            Standing::Fails => "does-not-hold",
            Standing::Opposite => "opposite",
            Standing::Inconclusive => "inconclusive",
            Standing::NotMeasured => "not-measured",
        }
    }

    /// Whether the data decide the claim, one way or the other.
    pub fn decided(self) -> bool {
        matches!(self, Standing::Holds | Standing::Fails | Standing::Opposite)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_that_was_stored_before_metrics_and_conditions_were_known_is_read() {
        let old = r#"{"text":"t","source":"s","first":{"name":"a","variant":null},"others":[],
            "relation":{"faster":{"at_least":1.5}}}"#;
        let claim = Claim {
            text: "t".to_owned(),
            source: "s".to_owned(),
            first: ContenderId::plain("a"),
            others: Vec::new(),
            relation: Relation::Faster { at_least: 1.5 },
            metric: None,
            conditions: None,
        };
        let written = serde_json::to_value(&claim).unwrap();
        let old: serde_json::Value = serde_json::from_str(old).unwrap();
        assert_eq!(written["relation"], old["relation"]);
        assert!(written.get("metric").is_none() && written.get("conditions").is_none());
        assert_eq!(serde_json::from_value::<Claim>(written).unwrap(), claim);
    }
}
