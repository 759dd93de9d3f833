//! Whether the findings of a reproduced report hold today, in words that all formats share.

use tare_model::claim::{ClaimPair, ClaimResult, Relation, Standing};
use tare_model::comparison::Comparison;
use tare_model::ids::ContenderId;
use tare_model::results::{Bound, State, WorkloadResult};

use crate::view;
use crate::words::{self, Tone};

/// One finding as a table has it.
#[derive(Debug, Clone)]
pub(crate) struct Row<'a> {
    /// What the report found.
    pub claim: &'a ClaimResult,
    /// Whether it holds today.
    pub today: String,
    /// For marks and colours.
    pub tone: Tone,
    /// The finding in terms of contenders: `static-file ahead of each by 1.5 or more`.
    pub meaning: String,
    /// Each pair with its ratio and interval, or why there is none.
    pub pairs: Vec<String>,
}

/// The findings, in the order of the manifest.
pub(crate) fn rows(result: &WorkloadResult) -> Vec<Row<'_>> {
    let row = |claim| Row {
        claim,
        today: standing(claim.standing).to_owned(),
        tone: tone(claim.standing),
        meaning: meaning(claim),
        pairs: claim
            .pairs
            .iter()
            .map(|pair| in_words(result, claim, pair))
            .collect(),
    };
    result.claims.iter().map(row).collect()
}

/// A standing in words.
pub(crate) fn standing(standing: Standing) -> &'static str {
    match standing {
        Standing::Holds => "holds today",
        Standing::Fails => "does not hold today",
        Standing::Inconclusive => "inconclusive",
        Standing::NotMeasured => "not measured",
    }
}

/// A standing as a mark or a colour.
pub(crate) fn tone(standing: Standing) -> Tone {
    match standing {
        Standing::Holds => Tone::Better,
        Standing::Fails => Tone::Worse,
        Standing::Inconclusive | Standing::NotMeasured => Tone::Open,
    }
}

fn meaning(claim: &ClaimResult) -> String {
    let first = &claim.claim.first;
    let each = match claim.pairs.len() {
        1 => claim.pairs[0].other.to_string(),
        _ => "each of them".to_owned(),
    };
    match claim.claim.relation {
        Relation::Faster { at_least } if at_least > 1.0 => {
            format!("{first} ahead of {each} by a factor of {at_least} or more")
        }
        Relation::Faster { .. } => format!("{first} ahead of {each}"),
        Relation::Same { within } => {
            format!("{first} and {each} within {}", words::percent(within))
        }
    }
}

/// The comparison behind a pair, if it is [valid](view::valid).
pub(crate) fn comparison<'a>(result: &WorkloadResult, pair: &'a ClaimPair) -> Option<&'a Comparison> {
    let found = pair.comparison.as_ref();
    found.filter(|found| view::valid(result, found))
}

/// A pair's standing as far as its interval supports it.
pub(crate) fn standing_of(result: &WorkloadResult, pair: &ClaimPair) -> Standing {
    match comparison(result, pair).map(words::limits) {
        None => Standing::NotMeasured,
        Some(None) => Standing::Inconclusive,
        Some(Some(_)) => pair.standing,
    }
}

fn in_words(result: &WorkloadResult, claim: &ClaimResult, pair: &ClaimPair) -> String {
    let Some(found) = comparison(result, pair) else {
        let why = match (lacks(result, &pair.other), lacks(result, &claim.claim.first)) {
            (Some(why), _) => why.to_owned(),
            (None, Some(why)) => format!("{}: {why}", claim.claim.first),
            (None, None) => NEVER_TOGETHER.to_owned(),
        };
        return format!("{}: not measured ({why})", pair.other);
    };
    let how = match (standing_of(result, pair), pair.opposite) {
        (Standing::Holds, _) => "",
        (Standing::Fails, true) => ": the opposite",
        (Standing::Fails, false) => ": not so",
        _ => ": inconclusive",
    };
    let provisional = if found.provisional { " (provisional)" } else { "" };
    let ratio = words::ratio_and_interval(found.ratio, words::limits(found));
    format!("{} {ratio}{how}{provisional}", pair.other)
}

/// Why a pair has no comparison, with the name of the contender that is the reason; none if it has one.
pub(crate) fn reason(result: &WorkloadResult, claim: &ClaimResult, pair: &ClaimPair) -> Option<String> {
    if comparison(result, pair).is_some() {
        return None;
    }
    let both = [&pair.other, &claim.claim.first];
    let of = |id: &&ContenderId| Some(format!("{id}: {}", lacks(result, id)?));
    let missing = both.iter().find_map(of);
    Some(missing.unwrap_or_else(|| NEVER_TOGETHER.to_owned()))
}

/// Why a contender cannot be compared; none if it can.
fn lacks(result: &WorkloadResult, id: &ContenderId) -> Option<&'static str> {
    let Some(contender) = result.contender(id) else {
        return Some("not in this run");
    };
    match (contender.state, contender.bound) {
        (State::Measured, Some(Bound::Load)) => Some("generator-limited"),
        (State::Measured, _) => contender
            .late_on(result.primary)
            .then_some("the generator was late"),
        _ => Some(words::fate(contender)),
    }
}

/// Both have figures, but from different launches.
const NEVER_TOGETHER: &str = "never measured in one round";

/// What the standings are based on; empty if nothing was measured.
pub(crate) fn grounds(result: &WorkloadResult) -> Vec<String> {
    let pairs = result.claims.iter().flat_map(|claim| &claim.pairs);
    let found: Vec<&Comparison> = pairs.filter_map(|pair| comparison(result, pair)).collect();
    let Some((common, _)) = view::grounds(&found) else {
        return Vec::new();
    };
    let different = found.iter().filter(|found| words::grounds(found) != common);
    let different: Vec<String> = different
        .map(|found| format!("{} over {}: {}", found.a, found.b, words::grounds(found)))
        .collect();
    let but = if different.is_empty() {
        String::new()
    } else {
        format!("; but {}", different.join("; "))
    };
    let alpha: f64 = result.claims.iter().map(|claim| claim.alpha).sum();
    vec![format!(
        "After each name: the {} of the contender that the report has ahead, divided by that of the named one, and the \
         interval ({common}{but}). All findings together: α {}.",
        result.primary.title(),
        words::percent(alpha)
    )]
}
