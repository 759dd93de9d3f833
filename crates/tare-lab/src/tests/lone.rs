//! A contender that is compared with nothing.

use super::*;

fn lone(launch_noise: f64, rules: Rules) -> (RunOutcome, MockRig) {
    let script = Script {
        launch_noise,
        ..Script::default()
    };
    go(&plan(1, &[Mode::Cost], rules), &[script], &mut Ears::default())
}

#[test]
fn it_is_described_when_its_figure_is_known_to_two_percent() {
    let (outcome, rig) = lone(0.004, Rules::default());
    assert_eq!(outcome.done, [Done::Decided]);
    assert!(rig.log.last().unwrap().0 < 300.0, "half of the budget is left");
    let arena = &outcome.arenas[0];
    assert!(analysis::own_half_width(arena, 0).unwrap() <= 0.02);
    assert!(arena.launches.len() >= 3);
    // One launch before, it was not.
    let mut before = arena.clone();
    before.launches.pop();
    assert!(analysis::own_half_width(&before, 0).is_none_or(|width| width > 0.02));
}

#[test]
fn one_that_is_never_known_so_well_ends_with_its_budget() {
    let rules = Rules {
        budget: Some(Seconds(60.0)),
        ..Rules::default()
    };
    let (outcome, _) = lone(0.3, rules);
    assert_eq!(outcome.done, [Done::Budget]);
}

#[test]
fn without_an_interval_it_is_not_described() {
    let rules = Rules {
        launches: Some(2),
        ..Rules::default()
    };
    let (outcome, _) = lone(0.0, rules);
    assert_eq!(outcome.done, [Done::Launches]);
    assert_eq!(analysis::own_half_width(&outcome.arenas[0], 0), None);
}
