//! What a report found, where the truth is known.

use super::*;
use tare_model::claim::{Claim, Lack, Relation, Standing};
use tare_model::manifest::Sweep;

fn claim(first: &str, others: &[&str], relation: Relation) -> Claim {
    Claim {
        text: format!("{first} against {others:?}"),
        source: "a report".to_owned(),
        first: ContenderId::plain(first),
        others: others.iter().map(|name| ContenderId::plain(name)).collect(),
        relation,
        metric: None,
        conditions: None,
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

fn told(claims: Vec<Claim>) -> Vec<Standing> {
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
            let alpha = pair.figure.as_ref().map(|figure| figure.alpha);
            // A failure needs a smaller α: each of the pairs might be the one.
            let careful = match pair.standing {
                Standing::Fails | Standing::Opposite => share / found.pairs.len() as f64,
                _ => share,
            };
            assert!(
                alpha.is_ok_and(|alpha| (alpha - careful).abs() < 1e-12) || pair.figure.is_err(),
                "{pair:?}"
            );
        }
    }
    result.claims.iter().map(|found| found.standing).collect()
}

#[test]
fn findings_are_judged_and_a_run_continues_until_they_are() {
    let faster = Relation::Faster { at_least: 1.0 };
    let claims = vec![
        claim("c0", &["c1"], faster.clone()),
        // Neither is the baseline.
        claim("c2", &["c1"], faster.clone()),
        claim("c1", &["c0", "c2"], faster.clone()),
        claim("c0", &["c2"], faster),
        claim("c0", &["c1"], Relation::Faster { at_least: 1.5 }),
        claim("c0", &["c2", "c1"], Relation::Same { within: 0.3 }),
        claim("c0", &["c2", "c1"], Relation::Same { within: 0.1 }),
    ];
    let expected = [
        Standing::Holds,
        Standing::Holds,
        Standing::Opposite,
        // Equivalent does not count as a lead.
        Standing::Fails,
        Standing::Fails,
        Standing::Holds,
        Standing::Fails,
    ];
    assert_eq!(told(claims), expected);
}

#[test]
fn factors_and_seconds_are_judged() {
    let about = |lead| Relation::About { lead, within: 0.1 };
    let extra = |seconds| Relation::Extra {
        seconds,
        within: 0.25,
    };
    let claims = vec![
        claim("c0", &["c1"], Relation::Between { low: 1.1, high: 1.5 }),
        claim("c0", &["c1"], Relation::Between { low: 2.0, high: 3.0 }),
        claim("c1", &["c0"], Relation::Between { low: 2.0, high: 3.0 }),
        claim("c0", &["c1"], about(1.2)),
        claim("c0", &["c1"], about(1.5)),
        // 12 µs less 10 µs.
        claim("c0", &["c1"], extra(2e-6)),
        claim("c0", &["c1"], extra(4e-6)),
        claim("c1", &["c0"], extra(4e-6)),
    ];
    let expected = [
        Standing::Holds,
        Standing::Fails,
        Standing::Opposite,
        Standing::Holds,
        Standing::Fails,
        Standing::Holds,
        Standing::Fails,
        Standing::Opposite,
    ];
    assert_eq!(told(claims), expected);
}

#[test]
fn a_finding_may_be_by_another_metric_than_the_primary() {
    let faster = Relation::Faster { at_least: 1.0 };
    let rules = Rules {
        budget: None,
        ..Rules::default()
    };
    let mut plan = plan(2, &[Mode::Capacity], rules);
    plan.groups[0].modes[0].claims = vec![Claim {
        metric: Some(Metric::CpuPerOp),
        ..claim("c0", &["c1"], faster)
    }];
    let (outcome, _) = go(&plan, &scripts()[..2], &mut Ears::default());
    let result = analysis::analyse(&outcome.arenas[0]);
    assert_eq!(result.primary, Metric::Throughput);
    let found = &result.claims[0];
    assert_eq!(
        (found.metric, found.standing),
        (Metric::CpuPerOp, Standing::Holds)
    );
    let lead = found.pairs[0].figure.as_ref().unwrap().estimate.estimate;
    assert!((lead / 1.2 - 1.0).abs() < 0.02, "{lead}");
}

#[test]
fn a_finding_about_a_missing_contender_is_not_measured() {
    let faster = Relation::Faster { at_least: 1.0 };
    let claims = vec![
        claim("c0", &["c1", "c9"], faster.clone()),
        claim("c9", &["c1"], faster.clone()),
        // That one pair shows it false is enough.
        claim("c1", &["c9", "c0"], faster),
    ];
    let expected = [Standing::NotMeasured, Standing::NotMeasured, Standing::Fails];
    assert_eq!(told(claims), expected);
}

/// Two cases: in the first, c1 costs 1.2 times c0; in the second, `there` times.
fn two_cases(there: f64, claims: Vec<Claim>, rules: Rules) -> RunOutcome {
    two_cases_heard(there, claims, rules, &mut Ears::default())
}

fn two_cases_heard(there: f64, claims: Vec<Claim>, rules: Rules, ears: &mut Ears) -> RunOutcome {
    run_two(&two_groups(claims, rules), there, ears)
}

/// The claims are those of the first.
fn two_groups(claims: Vec<Claim>, rules: Rules) -> Plan {
    let mut plan = plan(2, &[Mode::Cost], rules);
    let mut other = plan.groups[0].clone();
    other.case = "two".to_owned();
    plan.groups[0].modes[0].claims = claims;
    plan.groups.push(other);
    plan
}

fn run_two(plan: &Plan, there: f64, ears: &mut Ears) -> RunOutcome {
    let slow = |factor: f64| Script {
        cpu: factor * 10e-6,
        ..Script::default()
    };
    let groups = [
        vec![Script::default(), slow(1.2)],
        vec![Script::default(), slow(there)],
    ];
    let mut rig = MockRig::with_groups(plan.rules.seed ^ 0x5eed, &groups);
    run(plan, &mut rig, ears)
}

fn than_in_two(first: &str, other: &str, at_least: f64) -> Claim {
    let relation = Relation::MoreThanIn {
        case: "two".to_owned(),
        at_least,
    };
    claim(first, &[other], relation)
}

fn of_first(outcome: &RunOutcome) -> Vec<ClaimResult> {
    analysis::analyse_all(&outcome.arenas)[0].claims.clone()
}

#[test]
fn a_lead_is_held_against_that_in_another_case() {
    let claims = || {
        vec![
            than_in_two("c0", "c1", 1.0),
            than_in_two("c0", "c1", 1.3),
            than_in_two("c1", "c0", 1.0),
        ]
    };
    let without_budget = Rules {
        budget: None,
        ..Rules::default()
    };
    let outcome = two_cases(1.05, claims(), without_budget.clone());
    assert_eq!(outcome.done, [Done::Decided, Done::Decided]);
    let found = of_first(&outcome);
    let standings: Vec<Standing> = found.iter().map(|claim| claim.standing).collect();
    assert_eq!(standings, [Standing::Holds, Standing::Fails, Standing::Opposite]);
    let figure = found[0].pairs[0].figure.as_ref().unwrap();
    assert!(
        (figure.estimate.estimate / (1.2 / 1.05) - 1.0).abs() < 0.02,
        "{figure:?}"
    );
    let launches = outcome.arenas.iter().map(|arena| arena.launches.len()).min();
    assert_eq!(Some(figure.launches as usize), launches);
    // Alone, the first case does not tell.
    let alone = analysis::analyse(&outcome.arenas[0]);
    let pair = &alone.claims[0].pairs[0];
    assert_eq!(
        (pair.standing, &pair.figure),
        (Standing::NotMeasured, &Err(Lack::Case("two".to_owned())))
    );
    // Equal leads are no more of a lead.
    let outcome = two_cases(1.2, vec![than_in_two("c0", "c1", 1.0)], without_budget);
    assert_eq!(of_first(&outcome)[0].standing, Standing::Fails);
}

#[test]
fn both_cases_go_on_until_a_finding_about_them_is_decided() {
    let mut ears = Ears::default();
    let mut of = |claims| {
        let rules = Rules {
            budget: None,
            seed: 3,
            ..Rules::default()
        };
        two_cases_heard(1.18, claims, rules, &mut ears)
    };
    let launches = |outcome: &RunOutcome| -> Vec<usize> {
        let all = outcome.arenas.iter();
        all.map(|arena| arena.launches.len()).collect()
    };
    let without = launches(&of(Vec::new()));
    // 1.2 over 1.18 is 1.017: the verdicts in both cases are long clear.
    let outcome = of(vec![than_in_two("c0", "c1", 1.0)]);
    let with = launches(&outcome);
    assert_eq!(outcome.done, [Done::Decided, Done::Decided]);
    assert!(of_first(&outcome)[0].standing.decided());
    assert!(ears.claims[0].standing.decided(), "while it runs, too");
    assert!(
        with.iter().zip(&without).all(|(with, without)| with > without),
        "{with:?} launches, {without:?} without it (seed 3)"
    );
    assert!(
        with[0].abs_diff(with[1]) <= 2,
        "{with:?} launches: in pairs (seed 3)"
    );
}

#[test]
fn a_case_that_was_decided_is_taken_up_again_once_a_finding_about_two_needs_it() {
    for seed in 0..3 {
        let rules = Rules {
            seed,
            budget: Some(Seconds(100.0)),
            ..Rules::default()
        };
        // That the lead is larger in one of them, which it is not, would take hours to tell. The first has its verdict before
        // the second is begun, which has a finding of its own.
        let mut plan = two_groups(vec![than_in_two("c0", "c1", 1.005)], rules);
        let alike = Relation::About {
            lead: 1.2,
            within: 0.01,
        };
        plan.groups[1].modes[0].claims = vec![claim("c0", &["c1"], alike)];
        let outcome = run_two(&plan, 1.2, &mut Ears::default());
        let launches: Vec<usize> = outcome.arenas.iter().map(|arena| arena.launches.len()).collect();
        assert_eq!(of_first(&outcome)[0].standing, Standing::Inconclusive);
        // The one that is ahead may have ended.
        let behind = usize::from(launches[1] < launches[0]);
        assert_eq!(
            outcome.done[behind],
            Done::Budget,
            "{launches:?} launches (seed {seed})"
        );
    }
}

#[test]
fn one_launch_of_each_case_makes_a_provisional_figure() {
    let rules = Rules {
        budget: None,
        launches: Some(1),
        rounds: Some(1000),
        margin: 0.025,
        ..Rules::default()
    };
    // Each case ends its launch when its own questions are decided: both have one that takes long.
    let exactly = Relation::About {
        lead: 1.2,
        within: 0.01,
    };
    let claims = vec![than_in_two("c0", "c1", 1.0), claim("c0", &["c1"], exactly)];
    let outcome = two_cases(1.03, claims, rules);
    let found = &of_first(&outcome)[0];
    let figure = found.pairs[0].figure.as_ref().unwrap();
    assert!(figure.provisional && figure.launches == 1, "{figure:?}");
    assert_eq!(found.standing, Standing::Holds, "{figure:?}");
}

/// Over sizes: c0 costs 1 µs + 1 ns a byte; c1 3 µs + 1.5 ns a byte, so it is 3 times as dear at first, and 1.5 times at last.
fn over_sizes(claims: Vec<Claim>, rules: Rules) -> Vec<ClaimResult> {
    let mut plan = plan(2, &[Mode::Cost], rules);
    plan.groups[0].sweep = Some(Sweep {
        name: "bytes".to_owned(),
        sizes: vec![1, 1000, 100_000],
    });
    plan.groups[0].modes[0].claims = claims;
    let script = |cpu, per_unit| Script {
        cpu,
        per_unit,
        ..Script::default()
    };
    let scripts = [script(1e-6, 1e-9), script(3e-6, 1.5e-9)];
    let (outcome, _) = go(&plan, &scripts, &mut Ears::default());
    of_first(&outcome)
}

#[test]
fn findings_over_sizes_are_told_as_they_are() {
    let extra = |seconds| Relation::Extra {
        seconds,
        within: 0.25,
    };
    let claims = vec![
        claim("c0", &["c1"], Relation::FallsWithSize { at_least: 1.0 }),
        claim("c0", &["c1"], Relation::FallsWithSize { at_least: 3.0 }),
        claim("c1", &["c0"], Relation::FallsWithSize { at_least: 1.0 }),
        // At the smallest size: 3 µs less 1 µs.
        claim("c0", &["c1"], extra(2e-6)),
        claim("c0", &["c1"], extra(4e-6)),
        claim("c0", &["c1"], Relation::ExtraPerUnit { at_most: 1e-9 }),
        claim("c0", &["c1"], Relation::ExtraPerUnit { at_most: 0.1e-9 }),
    ];
    let rules = Rules {
        budget: None,
        ..Rules::default()
    };
    let found = over_sizes(claims, rules);
    let standings: Vec<Standing> = found.iter().map(|claim| claim.standing).collect();
    let expected = [
        Standing::Holds,
        Standing::Fails,
        Standing::Opposite,
        Standing::Holds,
        Standing::Fails,
        Standing::Holds,
        Standing::Fails,
    ];
    assert_eq!(standings, expected);
    let figure = |index: usize| &found[index].pairs[0].figure.as_ref().unwrap().estimate;
    assert!((figure(0).estimate / 2.0 - 1.0).abs() < 0.03, "{:?}", figure(0));
    assert!((figure(3).estimate / 2e-6 - 1.0).abs() < 0.05, "{:?}", figure(3));
    assert!(
        (figure(5).estimate / 0.5e-9 - 1.0).abs() < 0.05,
        "{:?}",
        figure(5)
    );
    // The sizes share the case's α for their verdicts; the findings share all of it.
    assert!((found[0].alpha - 0.05 / 7.0).abs() < 1e-12, "{}", found[0].alpha);
    assert_eq!(found[3].pairs[0].published, Some(2e-6));
}

#[test]
fn one_launch_over_sizes_has_provisional_figures_in_seconds() {
    let claims = vec![claim("c0", &["c1"], Relation::ExtraPerUnit { at_most: 1e-9 })];
    let rules = |rounds| Rules {
        budget: None,
        launches: Some(1),
        rounds: Some(rounds),
        ..Rules::default()
    };
    let found = over_sizes(claims.clone(), rules(64));
    let figure = found[0].pairs[0].figure.as_ref().unwrap();
    assert!(figure.provisional, "{figure:?}");
    assert_eq!(found[0].standing, Standing::Holds);
    // Too few rounds for blocks: a figure without an interval.
    let found = over_sizes(claims, rules(8));
    let figure = found[0].pairs[0].figure.as_ref().unwrap();
    assert_eq!(
        (figure.estimate.low, found[0].standing),
        (None, Standing::Inconclusive)
    );
}

/// With so many findings three launches have no interval over launches at their share of α, only a provisional one.
#[test]
fn a_provisional_finding_does_not_end_a_run_of_several_launches() {
    let rules = Rules {
        budget: None,
        ..Rules::default()
    };
    let mut plan = plan(2, &[Mode::Cost], rules);
    plan.groups[0].modes[0].claims = vec![claim("c0", &["c1"], Relation::Faster { at_least: 1.0 }); 17];
    let (outcome, _) = go(&plan, &scripts()[..2], &mut Ears::default());
    assert_eq!(outcome.done, [Done::Decided]);
    let arena = &outcome.arenas[0];
    assert_eq!(arena.launches.len(), 4, "one more than the comparison needs");
    for found in analysis::analyse(arena).claims {
        let figure = found.pairs[0].figure.as_ref().unwrap();
        assert!(
            !figure.provisional && found.standing == Standing::Holds,
            "{found:?}"
        );
    }
    plan.groups[0].modes[0].claims.truncate(1);
    let (outcome, _) = go(&plan, &scripts()[..2], &mut Ears::default());
    assert_eq!(outcome.arenas[0].launches.len(), 3);
}
