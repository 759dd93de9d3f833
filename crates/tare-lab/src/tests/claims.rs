//! What a report found, where the truth is known.

use super::*;
use tare_model::claim::{Claim, Relation, Standing};

fn claim(first: &str, others: &[&str], relation: Relation) -> Claim {
    Claim {
        text: format!("{first} against {others:?}"),
        source: "a report".to_owned(),
        first: ContenderId::plain(first),
        others: others.iter().map(|name| ContenderId::plain(name)).collect(),
        relation,
    }
}

/// c0 at 10 µs, c1 at 12 µs, c2 as c0.
fn scripts() -> [Script; 3] {
    let slow = Script {
        cpu: 12e-6,
        ..Script::default()
    };
    [Script::default(), slow, Script::default()]
}

fn told(claims: Vec<Claim>) -> Vec<(Standing, bool)> {
    let rules = Rules {
        budget: None,
        ..Rules::default()
    };
    let mut plan = plan(3, &[Mode::Cost], rules);
    plan.groups[0].modes[0].claims = claims;
    let (outcome, _) = go(&plan, &scripts(), &mut Ears::default());
    assert_eq!(outcome.done, [Done::Decided]);
    let result = analysis::analyse(&outcome.arenas[0]);
    let share = 0.05 / result.claims.len() as f64;
    for found in &result.claims {
        assert!((found.alpha - share).abs() < 1e-12);
        for pair in &found.pairs {
            let alpha = pair.comparison.as_ref().map(|comparison| comparison.alpha);
            // A failure needs a smaller α: each of the pairs might be the one.
            let careful = match pair.standing {
                Standing::Fails => share / found.pairs.len() as f64,
                _ => share,
            };
            assert!(
                alpha.is_none_or(|alpha| (alpha - careful).abs() < 1e-12),
                "{pair:?}"
            );
        }
    }
    let all = result.claims.iter();
    all.map(|found| (found.standing, found.pairs.iter().any(|pair| pair.opposite)))
        .collect()
}

#[test]
fn findings_are_judged_and_a_run_continues_until_they_are() {
    let faster = Relation::Faster { at_least: 1.0 };
    let claims = vec![
        claim("c0", &["c1"], faster),
        // Neither is the baseline.
        claim("c2", &["c1"], faster),
        claim("c1", &["c0", "c2"], faster),
        claim("c0", &["c2"], faster),
        claim("c0", &["c1"], Relation::Faster { at_least: 1.5 }),
        claim("c0", &["c2", "c1"], Relation::Same { within: 0.3 }),
        claim("c0", &["c2", "c1"], Relation::Same { within: 0.1 }),
    ];
    let expected = [
        (Standing::Holds, false),
        (Standing::Holds, false),
        (Standing::Fails, true),
        // Equivalent does not count as a lead.
        (Standing::Fails, false),
        (Standing::Fails, false),
        (Standing::Holds, false),
        (Standing::Fails, false),
    ];
    assert_eq!(told(claims), expected);
}

#[test]
fn a_finding_about_a_missing_contender_is_not_measured() {
    let faster = Relation::Faster { at_least: 1.0 };
    let claims = vec![
        claim("c0", &["c1", "c9"], faster),
        claim("c9", &["c1"], faster),
        // That one pair shows it false is enough.
        claim("c1", &["c9", "c0"], faster),
    ];
    let expected = [
        (Standing::NotMeasured, false),
        (Standing::NotMeasured, false),
        (Standing::Fails, true),
    ];
    assert_eq!(told(claims), expected);
}
