//! What a reproduced report found, as the document has it.

use tare_model::claim::{self as model, ClaimPair, ClaimResult, Relation};
use tare_model::results::WorkloadResult;

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
    /// The metric that it is judged by.
    pub metric: &'static str,
    /// What is claimed: `faster`, `same`, `between` …
    pub relation: &'static str,
    /// What its figures are: `lead`, `lead-over-lead`, `extra`, `extra-per-unit`.
    pub quantity: &'static str,
    /// The unit of its figures; none of ratios.
    pub unit: Option<String>,
    /// The least factor (`faster`, `more-than-in`, `falls-with-size`).
    pub at_least: Option<f64>,
    /// The greatest difference, as a ratio minus one (`same`, `about`, `extra`).
    pub within: Option<f64>,
    /// The two factors (`between`).
    pub between: Option<[f64; 2]>,
    /// What was published (`about`: the lead; `extra`: seconds).
    pub about: Option<f64>,
    /// The greatest change (`extra-per-unit`).
    pub at_most: Option<f64>,
    /// The other case (`more-than-in`).
    pub than_in: Option<String>,
    /// What the report had that a machine may not have.
    pub conditions: Option<Conditions>,
    /// `holds`, `does-not-hold`, `opposite`, `inconclusive` or `not-measured`.
    pub standing: &'static str,
    /// The chance that the standing is wrong.
    pub alpha: f64,
    /// The contender against each of the others.
    pub pairs: Vec<ClaimAgainst>,
}

/// What the report had, and what was different here.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct Conditions {
    /// Cores of the contenders.
    pub cores: Option<u32>,
    /// Machines of the load.
    pub load_machines: Option<u32>,
    /// What was different here; none: nothing.
    pub unlike: Option<String>,
}

/// The contender of a finding against one of the others.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct ClaimAgainst {
    /// The other contender.
    pub other: String,
    /// As that of the finding, for this pair.
    pub standing: &'static str,
    /// What the report published of the pair, in the terms of `figure`.
    pub published: Option<f64>,
    /// Why there is no figure.
    pub reason: Option<String>,
    /// What was found.
    pub figure: Option<Figure>,
}

/// A figure of a pair.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct Figure {
    /// A ratio, or seconds.
    pub estimate: f64,
    /// The interval's lower end.
    pub low: Option<f64>,
    /// The interval's upper end.
    pub high: Option<f64>,
    /// Chance of a false declaration.
    pub alpha: f64,
    /// Rounds used.
    pub rounds: u32,
    /// Launches used.
    pub launches: u32,
    /// From one launch only.
    pub provisional: bool,
    /// Each launch's own figure.
    pub centres: Vec<f64>,
}

/// A finding and its pairs.
pub(super) fn claim(result: &WorkloadResult, found: &ClaimResult) -> Claim {
    let claim = &found.claim;
    let relation = &claim.relation;
    let quantity = relation.quantity();
    let mut out = Claim {
        claim: claim.text.clone(),
        source: claim.source.clone(),
        contender: claim.first.to_string(),
        metric: found.metric.name(),
        relation: relation.name(),
        quantity: quantity.name(),
        unit: claims::figure_unit(result, quantity),
        at_least: None,
        within: None,
        between: None,
        about: None,
        at_most: None,
        than_in: None,
        conditions: claim.conditions.map(|conditions| Conditions {
            cores: conditions.cores,
            load_machines: conditions.load_machines,
            unlike: claims::unlike(result, found),
        }),
        standing: found.standing.name(),
        alpha: found.alpha,
        pairs: found.pairs.iter().map(against).collect(),
    };
    out.ask(relation);
    out
}

impl Claim {
    /// Fills in the numbers of the relation.
    fn ask(&mut self, relation: &Relation) {
        match relation {
            Relation::Faster { at_least } | Relation::FallsWithSize { at_least } => {
                self.at_least = Some(*at_least);
            }
            Relation::Same { within } => self.within = Some(*within),
            Relation::Between { low, high } => self.between = Some([*low, *high]),
            Relation::About { lead: about, within }
            | Relation::Extra {
                seconds: about,
                within,
            } => {
                (self.about, self.within) = (Some(*about), Some(*within));
            }
            Relation::MoreThanIn { case, at_least } => {
                (self.than_in, self.at_least) = (Some(case.clone()), Some(*at_least));
            }
            Relation::ExtraPerUnit { at_most } => self.at_most = Some(*at_most),
        }
    }
}

fn against(pair: &ClaimPair) -> ClaimAgainst {
    ClaimAgainst {
        other: pair.other.to_string(),
        standing: claims::standing_of(pair).name(),
        published: pair.published,
        reason: pair.figure.as_ref().err().map(claims::reason),
        figure: pair.figure.as_ref().ok().map(figure),
    }
}

fn figure(found: &model::ClaimFigure) -> Figure {
    Figure {
        estimate: found.estimate.estimate,
        low: found.estimate.low,
        high: found.estimate.high,
        alpha: found.alpha,
        rounds: found.rounds,
        launches: found.launches,
        provisional: found.provisional,
        centres: found.centres.clone(),
    }
}
