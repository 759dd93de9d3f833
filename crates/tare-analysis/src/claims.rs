//! What becomes of a report's findings: each held against this run's launches.
//!
//! A claim is a question of its own, so that α is shared by the claims of an arena: each is told falsely with a chance of
//! at most α/C. It holds where each of its P pairs does: to say so falsely, one pair must be told falsely, and it is known
//! which (the one that does not hold), so a pair needs no smaller share. It fails where any pair does, of which there may
//! be P: so that is said at α/(C·P).

use tare_model::claim::{Claim, ClaimPair, ClaimResult, Relation, Standing};
use tare_model::record::ArenaRecord;
use tare_model::results::Comparison;

use super::compare::Pairing;
use super::values::Values;
use super::{Field, contender};

/// What becomes of each claim of an arena, on its primary metric.
pub fn results(arena: &ArenaRecord) -> Vec<ClaimResult> {
    if arena.claims.is_empty() {
        return Vec::new();
    }
    let described = (0..arena.entrants.len()).map(|entrant| contender::describe(arena, entrant));
    let field = Field::of(arena, &described.collect::<Vec<_>>());
    judged(arena, &field, &Values::of(arena, arena.primary))
}

/// The same, where who is compared and the values are known.
pub(super) fn judged(arena: &ArenaRecord, field: &Field, values: &Values) -> Vec<ClaimResult> {
    let alpha = arena.alpha / arena.claims.len().max(1) as f64;
    let result = |claim: &Claim| {
        let pair = |other| {
            let of = |id| {
                let entrant = arena.entrant(id)?;
                field.on(values.metric).contains(&entrant).then_some(entrant)
            };
            let compare = |alpha: f64| {
                let (a, b) = (of(&claim.first)?, of(other)?);
                Pairing { a, b, alpha }.compare(arena, values, None)
            };
            let least = alpha / claim.others.len() as f64;
            let (standing, opposite, comparison) =
                weigh(claim.relation, arena.margin, compare(alpha), || compare(least));
            ClaimPair {
                other: other.clone(),
                standing,
                opposite,
                comparison,
            }
        };
        let pairs: Vec<ClaimPair> = claim.others.iter().map(pair).collect();
        ClaimResult {
            claim: claim.clone(),
            alpha,
            standing: together(&pairs),
            pairs,
        }
    };
    arena.claims.iter().map(result).collect()
}

/// What is said of a pair: that it holds by its comparison at the claim's α, that it does not by the `careful` one. The
/// comparison that it is said by goes with it.
fn weigh(
    relation: Relation,
    margin: f64,
    comparison: Option<Comparison>,
    careful: impl FnOnce() -> Option<Comparison>,
) -> (Standing, bool, Option<Comparison>) {
    let Some(comparison) = comparison else {
        return (Standing::NotMeasured, false, None);
    };
    let (standing, _) = told(relation, margin, &comparison);
    if standing == Standing::Fails
        && let Some(careful) = careful()
        && let (Standing::Fails, opposite) = told(relation, margin, &careful)
    {
        return (Standing::Fails, opposite, Some(careful));
    }
    let standing = match standing {
        Standing::Fails => Standing::Inconclusive,
        standing => standing,
    };
    (standing, false, Some(comparison))
}

/// What an interval says of a relation, and whether of its opposite.
fn told(relation: Relation, margin: f64, comparison: &Comparison) -> (Standing, bool) {
    let Some((low, high)) = lead(comparison) else {
        return (Standing::Inconclusive, false);
    };
    match relation {
        Relation::Faster { at_least } => {
            // A lead that no report would call one is none.
            let margin = margin.ln_1p();
            let asked = if at_least > 1.0 { at_least.ln() } else { margin };
            match (low > asked, high < asked) {
                (true, _) => (Standing::Holds, false),
                (_, true) => (Standing::Fails, high < -margin),
                _ => (Standing::Inconclusive, false),
            }
        }
        Relation::Same { within } => {
            let most = within.ln_1p();
            match (low >= -most && high <= most, low > most || high < -most) {
                (true, _) => (Standing::Holds, false),
                (_, true) => (Standing::Fails, false),
                _ => (Standing::Inconclusive, false),
            }
        }
    }
}

/// The interval of how far the first is ahead of the other, as a logarithm.
fn lead(comparison: &Comparison) -> Option<(f64, f64)> {
    let (low, high) = (comparison.low?.ln(), comparison.high?.ln());
    Some(match comparison.metric.more_is_better() {
        true => (low, high),
        false => (-high, -low),
    })
}

/// What is said of a claim as a whole.
fn together(pairs: &[ClaimPair]) -> Standing {
    let any = |standing| pairs.iter().any(|pair| pair.standing == standing);
    let order = [Standing::Fails, Standing::NotMeasured, Standing::Inconclusive];
    order
        .into_iter()
        .find(|standing| any(*standing))
        .unwrap_or(Standing::Holds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::ids::ContenderId;
    use tare_model::metric::Metric;
    use tare_model::results::Verdict;

    fn comparison(metric: Metric, interval: Option<(f64, f64)>) -> Comparison {
        Comparison {
            a: ContenderId::plain("a"),
            b: ContenderId::plain("b"),
            metric,
            primary: true,
            ratio: 1.0,
            low: interval.map(|ends| ends.0),
            high: interval.map(|ends| ends.1),
            alpha: 0.05,
            margin: 0.01,
            rounds: 60,
            launches: 3,
            provisional: false,
            verdict: Verdict::Inconclusive,
            needed: None,
            centres: Vec::new(),
            net_ratio: None,
        }
    }

    #[test]
    fn what_an_interval_says_of_a_claim() {
        use Standing::{Fails, Holds, Inconclusive};
        let faster = Relation::Faster { at_least: 1.0 };
        let far = Relation::Faster { at_least: 1.5 };
        let same = Relation::Same { within: 0.1 };
        // Cost: less is better.
        for (relation, interval, expected) in [
            (faster, Some((0.5, 0.6)), (Holds, false)),
            (faster, Some((0.95, 0.985)), (Holds, false)),
            (faster, Some((0.95, 0.995)), (Inconclusive, false)),
            (faster, Some((0.995, 1.005)), (Fails, false)),
            (faster, Some((1.2, 1.3)), (Fails, true)),
            (faster, None, (Inconclusive, false)),
            (far, Some((0.5, 0.6)), (Holds, false)),
            (far, Some((0.6, 0.7)), (Inconclusive, false)),
            (far, Some((0.7, 0.8)), (Fails, false)),
            (far, Some((1.7, 1.8)), (Fails, true)),
            (same, Some((0.95, 1.05)), (Holds, false)),
            (same, Some((0.95, 1.15)), (Inconclusive, false)),
            (same, Some((1.15, 1.2)), (Fails, false)),
            (same, Some((0.5, 0.6)), (Fails, false)),
        ] {
            let cost = comparison(Metric::CpuPerOp, interval);
            assert_eq!(told(relation, 0.01, &cost), expected, "{relation:?} {interval:?}");
            // Throughput: the other way round.
            let rate = interval.map(|(low, high)| (1.0 / high, 1.0 / low));
            let rate = comparison(Metric::Throughput, rate);
            assert_eq!(told(relation, 0.01, &rate), expected, "{relation:?} {interval:?}");
        }
    }

    #[test]
    fn a_failure_is_said_with_more_care_than_a_success() {
        let faster = Relation::Faster { at_least: 1.0 };
        let (fails, open) = (
            comparison(Metric::CpuPerOp, Some((1.02, 1.2))),
            comparison(Metric::CpuPerOp, Some((0.98, 1.24))),
        );
        let weighed = weigh(faster, 0.01, Some(fails.clone()), || Some(open));
        assert_eq!((weighed.0, weighed.1), (Standing::Inconclusive, false));
        let weighed = weigh(faster, 0.01, Some(fails.clone()), || Some(fails.clone()));
        assert_eq!((weighed.0, weighed.1), (Standing::Fails, true));
        let weighed = weigh(faster, 0.01, None, || panic!("nothing to be careful about"));
        assert_eq!(weighed.0, Standing::NotMeasured);
    }

    #[test]
    fn one_that_fails_outweighs_one_that_is_missing() {
        use Standing::{Fails, Holds, Inconclusive, NotMeasured};
        let of = |standings: &[Standing]| {
            let pair = |&standing| ClaimPair {
                other: ContenderId::plain("b"),
                standing,
                opposite: false,
                comparison: None,
            };
            together(&standings.iter().map(pair).collect::<Vec<_>>())
        };
        assert_eq!(of(&[Holds, Holds]), Holds);
        assert_eq!(of(&[Holds, Inconclusive]), Inconclusive);
        assert_eq!(of(&[NotMeasured, Inconclusive]), NotMeasured);
        assert_eq!(of(&[Holds, NotMeasured, Fails]), Fails);
    }
}
