//! Claims of a report, checked against this run.
//!
//! The C claims of an arena share α: each has an error rate of α/C. A claim holds where each of its P pairs holds. If it is
//! false, a given pair does not hold, and only an error on that pair makes the claim hold: each pair is tested at α/C. A
//! claim fails where any pair fails, and an error on any of the P pairs is enough: a failure is tested at α/(C·P).

use tare_model::claim::{Claim, ClaimPair, ClaimResult, Relation, Standing};
use tare_model::comparison::Comparison;
use tare_model::record::ArenaRecord;

use crate::contender;
use crate::field::{Field, Pairing};
use crate::values::Values;

/// Checks each claim of an arena, on its primary metric.
pub fn results(arena: &ArenaRecord) -> Vec<ClaimResult> {
    if arena.claims.is_empty() {
        return Vec::new();
    }
    let field = Field::of(arena, &contender::describe(arena));
    judged(arena, &field, &Values::of(arena, arena.primary))
}

/// The same, with the field and the values at hand.
pub(crate) fn judged(arena: &ArenaRecord, field: &Field, values: &Values) -> Vec<ClaimResult> {
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
                judge_pair(claim.relation, arena.margin, compare(alpha), || compare(least));
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

/// Judges a pair: it holds by its comparison at the claim's α, and fails by the `careful` comparison at the smaller α. Also
/// returns whether the opposite is shown, and the comparison that decided.
fn judge_pair(
    relation: Relation,
    margin: f64,
    comparison: Option<Comparison>,
    careful: impl FnOnce() -> Option<Comparison>,
) -> (Standing, bool, Option<Comparison>) {
    let Some(comparison) = comparison else {
        return (Standing::NotMeasured, false, None);
    };
    let (standing, _) = supports(relation, margin, &comparison);
    if standing == Standing::Fails
        && let Some(careful) = careful()
        && let (Standing::Fails, opposite) = supports(relation, margin, &careful)
    {
        return (Standing::Fails, opposite, Some(careful));
    }
    let standing = match standing {
        Standing::Fails => Standing::Inconclusive,
        standing => standing,
    };
    (standing, false, Some(comparison))
}

/// Whether an interval supports a relation, and whether it shows the opposite.
fn supports(relation: Relation, margin: f64, comparison: &Comparison) -> (Standing, bool) {
    let Some((low, high)) = lead(comparison) else {
        return (Standing::Inconclusive, false);
    };
    match relation {
        Relation::Faster { at_least } => {
            // A lead within the margin does not count.
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

/// The interval of the first's lead over the other, as a logarithm.
fn lead(comparison: &Comparison) -> Option<(f64, f64)> {
    let (low, high) = (comparison.low?.ln(), comparison.high?.ln());
    Some(if comparison.metric.more_is_better() {
        (low, high)
    } else {
        (-high, -low)
    })
}

/// The standing of a claim as a whole.
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
    use tare_model::comparison::Verdict;
    use tare_model::ids::ContenderId;
    use tare_model::metric::{Metric, Mode};

    fn comparison(metric: Metric, interval: Option<(f64, f64)>) -> Comparison {
        Comparison {
            a: ContenderId::plain("a"),
            b: ContenderId::plain("b"),
            mode: Mode::Cost,
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
    fn an_interval_supports_or_refutes_a_claim() {
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
            assert_eq!(
                supports(relation, 0.01, &cost),
                expected,
                "{relation:?} {interval:?}"
            );
            // Throughput: the other way round.
            let rate = interval.map(|(low, high)| (1.0 / high, 1.0 / low));
            let rate = comparison(Metric::Throughput, rate);
            assert_eq!(
                supports(relation, 0.01, &rate),
                expected,
                "{relation:?} {interval:?}"
            );
        }
    }

    #[test]
    fn a_failure_needs_stronger_evidence_than_a_success() {
        let faster = Relation::Faster { at_least: 1.0 };
        let (fails, open) = (
            comparison(Metric::CpuPerOp, Some((1.02, 1.2))),
            comparison(Metric::CpuPerOp, Some((0.98, 1.24))),
        );
        let weighed = judge_pair(faster, 0.01, Some(fails.clone()), || Some(open));
        assert_eq!((weighed.0, weighed.1), (Standing::Inconclusive, false));
        let weighed = judge_pair(faster, 0.01, Some(fails.clone()), || Some(fails.clone()));
        assert_eq!((weighed.0, weighed.1), (Standing::Fails, true));
        let weighed = judge_pair(faster, 0.01, None, || panic!("nothing to be careful about"));
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
