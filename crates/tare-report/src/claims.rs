//! Whether the findings of a reproduced report hold today, in words that all formats share.

use tare_model::claim::{ClaimFigure, ClaimPair, ClaimResult, Lack, Quantity, Relation, Standing, Unfit};
use tare_model::results::WorkloadResult;
use tare_model::sweep::unit;

use crate::sweep;
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
    /// The finding in terms of contenders, `static-file ahead of each by 1.5 or more`, and under what it was judged.
    pub meaning: String,
    /// Each pair with its figure and interval, or why there is none.
    pub pairs: Vec<String>,
}

/// The findings, in the order of the manifest.
pub(crate) fn rows(result: &WorkloadResult) -> Vec<Row<'_>> {
    let row = |claim| Row {
        claim,
        today: standing(claim.standing).to_owned(),
        tone: tone(claim.standing),
        meaning: match unlike(result, claim) {
            Some(unlike) => format!("{}; judged {unlike}", meaning(result, claim)),
            None => meaning(result, claim),
        },
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
        Standing::Opposite => "the opposite holds today",
        Standing::Inconclusive => "inconclusive",
        Standing::NotMeasured => "not measured",
    }
}

/// A standing as a mark or a colour.
pub(crate) fn tone(standing: Standing) -> Tone {
    match standing {
        Standing::Holds => Tone::Better,
        Standing::Fails | Standing::Opposite => Tone::Worse,
        Standing::Inconclusive | Standing::NotMeasured => Tone::Open,
    }
}

/// What the report had and this run had not: `on 2 cores (the report: 8)`; none if nothing.
pub(crate) fn unlike(result: &WorkloadResult, claim: &ClaimResult) -> Option<String> {
    let conditions = claim.claim.conditions?;
    let here = result.placement.contender.len() as u64;
    let cores = conditions
        .cores
        .filter(|cores| u64::from(*cores) != here)
        .map(|cores| format!("on {} (the report: {cores})", words::counted(here, "core")));
    let load = conditions
        .load_machines
        .filter(|machines| *machines > 0)
        .map(|machines| {
            let machines = words::counted(u64::from(machines), "machine");
            format!("with the load on the same machine (the report: on {machines} beside it)")
        });
    let parts: Vec<String> = [cores, load].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn meaning(result: &WorkloadResult, claim: &ClaimResult) -> String {
    let text = relation(result, claim);
    if claim.metric == result.primary {
        text
    } else {
        format!("{text}, by {}", claim.metric.title())
    }
}

fn relation(result: &WorkloadResult, claim: &ClaimResult) -> String {
    let first = &claim.claim.first;
    let each = match claim.pairs.len() {
        1 => claim.pairs[0].other.to_string(),
        _ => "each of them".to_owned(),
    };
    let ahead = |how: String| format!("{first} ahead of {each}{how}");
    let or_more = |at_least: f64| match at_least {
        factor if factor > 1.0 => format!(" by a factor of {factor} or more"),
        _ => String::new(),
    };
    match &claim.claim.relation {
        Relation::Faster { at_least } => ahead(or_more(*at_least)),
        Relation::Same { within } => {
            format!("{first} and {each} within {}", words::percent(*within))
        }
        Relation::Between { low, high } => ahead(format!(" by a factor of {low} to {high}")),
        Relation::About { lead, within } => ahead(format!(
            " by a factor of about {lead} (within {})",
            words::percent(*within)
        )),
        Relation::MoreThanIn { case, at_least } => {
            format!(
                "{first} further ahead of {each} than in {case}{}",
                or_more(*at_least)
            )
        }
        Relation::FallsWithSize { at_least } => format!(
            "{first} further ahead of {each} with the fewest {} than with the most{}",
            result.sweep.as_deref().unwrap_or("units"),
            or_more(*at_least)
        ),
        Relation::Extra { seconds, within } => format!(
            "{each} costs about {} more than {first} (within {})",
            sweep::time(*seconds),
            words::percent(*within)
        ),
        Relation::ExtraPerUnit { at_most } => format!(
            "what {each} costs more than {first} changes by at most {} a {}",
            sweep::time(*at_most),
            unit_of(result)
        ),
    }
}

/// The unit of the size in the singular.
fn unit_of(result: &WorkloadResult) -> &str {
    result.sweep.as_deref().map_or("unit", unit)
}

/// The unit of a finding's figure, as documents have it: `s`, or `s/byte`; none of a ratio.
pub(crate) fn figure_unit(result: &WorkloadResult, quantity: Quantity) -> Option<String> {
    match quantity {
        Quantity::Lead | Quantity::LeadOverLead => None,
        Quantity::Extra => Some("s".to_owned()),
        Quantity::ExtraPerUnit => Some(format!("s/{}", unit_of(result))),
    }
}

/// The interval of a finding's figure.
pub(crate) fn limits(figure: &ClaimFigure) -> Option<(f64, f64)> {
    figure.estimate.low.zip(figure.estimate.high)
}

/// A pair's standing as far as its interval supports it.
pub(crate) fn standing_of(pair: &ClaimPair) -> Standing {
    match pair.figure.as_ref().map(limits) {
        Err(_) => Standing::NotMeasured,
        Ok(None) => Standing::Inconclusive,
        Ok(Some(_)) => pair.standing,
    }
}

/// A figure with its interval and its unit.
pub(crate) fn figure(result: &WorkloadResult, claim: &ClaimResult, found: &ClaimFigure) -> String {
    match claim.claim.relation.quantity() {
        Quantity::Lead | Quantity::LeadOverLead => {
            words::ratio_and_interval(found.estimate.estimate, limits(found))
        }
        Quantity::Extra => sweep::span(&found.estimate, true),
        Quantity::ExtraPerUnit => {
            format!("{} a {}", sweep::span(&found.estimate, true), unit_of(result))
        }
    }
}

/// What the report published of a pair, in the same terms as its figure.
pub(crate) fn published(claim: &ClaimResult, pair: &ClaimPair) -> Option<String> {
    let value = pair.published?;
    Some(if claim.claim.relation.quantity().is_ratio() {
        words::ratio(value)
    } else {
        sweep::time(value)
    })
}

fn in_words(result: &WorkloadResult, claim: &ClaimResult, pair: &ClaimPair) -> String {
    let other = &pair.other;
    let found = match &pair.figure {
        Ok(found) => found,
        Err(lack) => {
            let why = match lack {
                Lack::Figures {
                    contender,
                    case: None,
                    why,
                } if contender == other => unfit(*why).to_owned(),
                lack => reason(lack),
            };
            return format!("{other}: not measured ({why})");
        }
    };
    let how = match standing_of(pair) {
        Standing::Holds => "",
        Standing::Opposite => ": the opposite",
        Standing::Fails => ": not so",
        Standing::Inconclusive | Standing::NotMeasured => ": inconclusive",
    };
    let published = published(claim, pair).map_or(String::new(), |text| format!(", published {text}"));
    let provisional = if found.provisional { " (provisional)" } else { "" };
    format!(
        "{other} {}{published}{how}{provisional}",
        figure(result, claim, found)
    )
}

/// Why a pair has no figure, with the name of the contender or the case that is the reason.
pub(crate) fn reason(lack: &Lack) -> String {
    match lack {
        Lack::Figures {
            contender,
            case: None,
            why,
        } => format!("{contender}: {}", unfit(*why)),
        Lack::Figures {
            contender,
            case: Some(case),
            why,
        } => format!("{contender} in {case}: {}", unfit(*why)),
        Lack::Case(case) => format!("{case}: not in this run"),
        Lack::NeverTogether => "never measured in one round".to_owned(),
        Lack::OneSize => "only one size in this run".to_owned(),
    }
}

fn unfit(why: Unfit) -> &'static str {
    match why {
        Unfit::Absent => "not in this run",
        Unfit::GeneratorLimited => "generator-limited",
        Unfit::GeneratorLate => "the generator was late",
        Unfit::Fate(state, fault) => words::fate_of(state, fault),
    }
}

/// What the standings are based on; empty if nothing was measured.
pub(crate) fn grounds(result: &WorkloadResult) -> Vec<String> {
    let all = || {
        let pairs = |claim: &'_ ClaimResult| {
            let found = |pair: &ClaimPair| {
                let figure = pair.figure.as_ref().ok()?;
                Some((
                    format!("{} and {}", claim.claim.first, pair.other),
                    based_on(figure),
                    figure.rounds,
                ))
            };
            claim.pairs.iter().filter_map(found).collect::<Vec<_>>()
        };
        result.claims.iter().flat_map(pairs)
    };
    let Some((_, common, _)) = all().max_by_key(|(.., rounds)| *rounds) else {
        return Vec::new();
    };
    let mut different: Vec<String> = all()
        .filter(|(_, based, _)| *based != common)
        .map(|(who, based, _)| format!("{who}: {based}"))
        .collect();
    different.dedup();
    let but = if different.is_empty() {
        String::new()
    } else {
        format!("; but {}", different.join("; "))
    };
    let has = |quantity| {
        let mut claims = result.claims.iter();
        claims.any(|claim| claim.claim.relation.quantity() == quantity)
    };
    let further = [
        (Quantity::LeadOverLead, "one such lead over another"),
        (Quantity::Extra, "what the named one costs more"),
        (Quantity::ExtraPerUnit, "how that changes with size"),
    ];
    let further: Vec<&str> = further
        .into_iter()
        .filter(|(quantity, _)| has(*quantity))
        .map(|(_, text)| text)
        .collect();
    let further = if further.is_empty() {
        String::new()
    } else {
        format!(" (where the finding is about that: {})", further.join("; "))
    };
    let alpha: f64 = result.claims.iter().map(|claim| claim.alpha).sum();
    vec![format!(
        "After each name: by what factor the contender that the report has ahead is better by {}{further}, and the interval \
         ({common}{but}). All findings together: α {}.",
        result.primary.title(),
        words::percent(alpha)
    )]
}

fn based_on(figure: &ClaimFigure) -> String {
    format!(
        "α {}, {} in {}",
        words::percent(figure.alpha),
        words::counted(u64::from(figure.rounds), "round"),
        words::counted(u64::from(figure.launches), "launch")
    )
}
