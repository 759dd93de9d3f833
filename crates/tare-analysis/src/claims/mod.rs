//! Claims of a report, checked against this run.
//!
//! The C claims of a case and mode share its α: each has an error rate of α/C. A claim holds where each of its P pairs
//! holds. If it is false, a given pair does not hold, and only an error on that pair makes the claim hold: each pair is tested
//! at α/C. A claim fails where any pair fails, and an error on any of the P pairs is enough: a failure is tested at α/(C·P).

mod figure;
mod site;
mod target;

use std::collections::BTreeSet;

use tare_model::claim::{Claim, ClaimFigure, ClaimPair, ClaimResult, Lack, Quantity, Relation, Standing};
use tare_model::ids::ContenderId;
use tare_model::metric::Metric;
use tare_model::record::ArenaRecord;

use crate::values;
use figure::Question;
pub(crate) use site::Site;
use target::Target;

/// The claims of each of these arenas, which are those of a run: a claim may be about another case, or all sizes of its own.
pub(crate) fn judged(sites: &[Site]) -> Vec<Vec<ClaimResult>> {
    let of = |site: &Site| {
        let claims = site.arena.claims.iter();
        claims.map(|claim| judge(claim, site, sites)).collect()
    };
    sites.iter().map(of).collect()
}

/// How far the nearest inconclusive claim is that needs further launches of this case: by what factor its interval has to
/// narrow, infinite where that cannot be known; none if no such claim is inconclusive. `arenas` are those of the run so far. A
/// claim about two cases needs no more of the one that is ahead of the other by over a launch: its launches are used in pairs.
/// Provisional figures are enough where `provisional` says so.
pub fn awaits(arenas: &[&ArenaRecord], workload: &str, case: &str, provisional: bool) -> Option<f64> {
    let of_workload = || arenas.iter().filter(|arena| arena.workload == workload);
    let asked = |arena: &ArenaRecord, claim: &Claim| arena.case == case || in_other(claim) == Some(case);
    let mut cases = BTreeSet::from([case]);
    for arena in of_workload() {
        for claim in arena.claims.iter().filter(|claim| asked(arena, claim)) {
            cases.insert(&arena.case);
            cases.extend(in_other(claim));
        }
    }
    let needed = of_workload().filter(|arena| cases.contains(arena.case.as_str()));
    let sites: Vec<Site> = needed.map(|arena| Site::described(arena)).collect();
    let awaited = sites.iter().flat_map(|site| {
        let claims = site.arena.claims.iter().filter(|claim| asked(site.arena, claim));
        claims.filter_map(|claim| {
            let result = judge(claim, site, &sites);
            let open = result.standing == Standing::Inconclusive || (!provisional && is_provisional(&result));
            (open && !is_ahead(claim, site, &sites, case)).then(|| narrowing(&result, site.arena.margin))
        })
    });
    awaited.min_by(f64::total_cmp)
}

/// By what factor the interval of the nearest pair of a claim that is inconclusive has to narrow.
fn narrowing(result: &ClaimResult, margin: f64) -> f64 {
    let target = Target::of(&result.claim.relation, margin);
    let open = result
        .pairs
        .iter()
        .filter(|pair| pair.standing == Standing::Inconclusive);
    let figures = open.filter_map(|pair| pair.figure.as_ref().ok());
    let all = figures.map(|figure| target.narrowing(&figure.estimate));
    all.min_by(f64::total_cmp).unwrap_or(f64::INFINITY)
}

/// Whether there is a claim about this case.
pub fn is_asked(arenas: &[&ArenaRecord], workload: &str, case: &str) -> bool {
    let of_workload = arenas.iter().filter(|arena| arena.workload == workload);
    let mut claims =
        of_workload.flat_map(|arena| arena.claims.iter().map(|claim| (arena.case.as_str(), claim)));
    claims.any(|(own, claim)| own == case || in_other(claim) == Some(case))
}

fn is_provisional(result: &ClaimResult) -> bool {
    let mut figures = result.pairs.iter().filter_map(|pair| pair.figure.as_ref().ok());
    figures.any(|figure| figure.provisional)
}

/// The other case that a claim is about.
fn in_other(claim: &Claim) -> Option<&str> {
    match &claim.relation {
        Relation::MoreThanIn { case, .. } => Some(case),
        _ => None,
    }
}

/// Whether `case` has more launches than the claim can use before the other of its two cases has more.
fn is_ahead(claim: &Claim, site: &Site, sites: &[Site], case: &str) -> bool {
    let Some(other) = in_other(claim) else {
        return false;
    };
    let launches = |name: &str| {
        let of = |site: &&Site| site.arena.case == name;
        let all = sites.iter().filter(of).map(|site| values::launches(site.arena));
        all.min().unwrap_or(0)
    };
    let partner = if case == other {
        site.arena.case.as_str()
    } else {
        other
    };
    launches(case) > launches(partner) + 1
}

fn judge(claim: &Claim, site: &Site, sites: &[Site]) -> ClaimResult {
    let alpha = alpha(site, sites) / site.arena.claims.len().max(1) as f64;
    let metric = claim.metric.unwrap_or(site.arena.primary);
    let target = Target::of(&claim.relation, site.arena.margin);
    let pair = |other: &ContenderId| {
        let ask = |alpha: f64| {
            let question = Question {
                first: &claim.first,
                other,
                metric,
                alpha,
            };
            question.figure(&claim.relation, site, sites)
        };
        let careful = alpha / claim.others.len() as f64;
        let (standing, figure) = judge_pair(target, ask(alpha), || ask(careful));
        ClaimPair {
            other: other.clone(),
            standing,
            published: published(claim, site.arena, metric, other),
            figure,
        }
    };
    let pairs: Vec<ClaimPair> = claim.others.iter().map(pair).collect();
    ClaimResult {
        claim: claim.clone(),
        metric,
        alpha,
        standing: together(&pairs),
        pairs,
    }
}

/// The α of the case and mode, which its claims share. The arenas of a sweep have a share of it each.
fn alpha(site: &Site, sites: &[Site]) -> f64 {
    let shares = match site.arena.size {
        Some(_) => sites.iter().filter(|other| site.beside(other)).count() + 1,
        None => 1,
    };
    site.arena.alpha * shares as f64
}

/// Judges a pair: it holds by its figure at the claim's α, and fails by the `careful` one at the smaller α. Also returns the
/// figure that decided.
fn judge_pair(
    target: Target,
    figure: Result<ClaimFigure, Lack>,
    careful: impl FnOnce() -> Result<ClaimFigure, Lack>,
) -> (Standing, Result<ClaimFigure, Lack>) {
    let standing = match &figure {
        Err(_) => Standing::NotMeasured,
        Ok(figure) => target.judge(&figure.estimate),
    };
    if !matches!(standing, Standing::Fails | Standing::Opposite) {
        return (standing, figure);
    }
    if let Ok(careful) = careful() {
        let standing = target.judge(&careful.estimate);
        if matches!(standing, Standing::Fails | Standing::Opposite) {
            return (standing, Ok(careful));
        }
    }
    (Standing::Inconclusive, figure)
}

/// The standing of a claim as a whole. The opposite is shown where each pair shows it.
fn together(pairs: &[ClaimPair]) -> Standing {
    let any = |standing| pairs.iter().any(|pair| pair.standing == standing);
    if pairs.iter().all(|pair| pair.standing == Standing::Opposite) {
        return Standing::Opposite;
    }
    if any(Standing::Fails) || any(Standing::Opposite) {
        return Standing::Fails;
    }
    let order = [Standing::NotMeasured, Standing::Inconclusive];
    order
        .into_iter()
        .find(|standing| any(*standing))
        .unwrap_or(Standing::Holds)
}

/// What the report published of a pair, as the quantity of the claim: by its figures, where it has one of each, else by the
/// claim itself.
fn published(claim: &Claim, arena: &ArenaRecord, metric: Metric, other: &ContenderId) -> Option<f64> {
    let figure = |id: &ContenderId| {
        let of =
            |figure: &&tare_model::published::Published| figure.contender == *id && figure.metric == metric;
        let mut figures = arena.published.iter().filter(of);
        figures
            .next()
            .filter(|_| figures.next().is_none())
            .map(|figure| figure.value)
    };
    let stated = match claim.relation {
        Relation::About { lead, .. } => Some(lead),
        Relation::Extra { seconds, .. } => Some(seconds),
        _ => None,
    };
    if claim.relation.quantity() != Quantity::Lead {
        return stated;
    }
    let both = figure(&claim.first).zip(figure(other));
    let lead = both.map(|(first, other)| {
        if metric.more_is_better() {
            first / other
        } else {
            other / first
        }
    });
    lead.or(stated)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::estimate::Estimate;

    fn figure(low: f64, high: f64) -> ClaimFigure {
        ClaimFigure {
            estimate: Estimate {
                estimate: (low * high).sqrt(),
                low: Some(low),
                high: Some(high),
            },
            alpha: 0.05,
            rounds: 60,
            launches: 3,
            provisional: false,
            centres: Vec::new(),
        }
    }

    #[test]
    fn a_failure_needs_stronger_evidence_than_a_success() {
        let target = Target::of(&Relation::Faster { at_least: 1.0 }, 0.01);
        let (fails, open) = (figure(0.8, 0.98), figure(0.78, 1.02));
        let weighed = judge_pair(target, Ok(fails.clone()), || Ok(open));
        assert_eq!(weighed, (Standing::Inconclusive, Ok(fails.clone())));
        let careful = figure(0.79, 0.985);
        let weighed = judge_pair(target, Ok(fails), || Ok(careful.clone()));
        assert_eq!(weighed, (Standing::Opposite, Ok(careful)));
        let weighed = judge_pair(target, Err(Lack::NeverTogether), || {
            panic!("nothing to be careful about")
        });
        assert_eq!(weighed.0, Standing::NotMeasured);
    }

    #[test]
    fn one_that_fails_outweighs_one_that_is_missing() {
        use Standing::{Fails, Holds, Inconclusive, NotMeasured, Opposite};
        let of = |standings: &[Standing]| {
            let pair = |&standing| ClaimPair {
                other: ContenderId::plain("b"),
                standing,
                published: None,
                figure: Err(Lack::NeverTogether),
            };
            together(&standings.iter().map(pair).collect::<Vec<_>>())
        };
        assert_eq!(of(&[Holds, Holds]), Holds);
        assert_eq!(of(&[Holds, Inconclusive]), Inconclusive);
        assert_eq!(of(&[NotMeasured, Inconclusive]), NotMeasured);
        assert_eq!(of(&[Holds, NotMeasured, Fails]), Fails);
        assert_eq!(of(&[Opposite, Opposite]), Opposite);
        assert_eq!(of(&[Opposite, Holds, NotMeasured]), Fails);
    }
}
