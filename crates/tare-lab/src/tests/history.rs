//! Which runs are one history, and which are not.

use super::*;
use tare_model::history::History;
use tare_model::record::RunRecord;
use tare_model::results::RunInfo;

use crate::analysis::history::{Histories, Wanted, machine};

/// A run of an arena that was measured, with these settings.
fn run_of(arena: &ArenaRecord, settings: &[(&str, &str)]) -> RunRecord {
    let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    RunRecord {
        info: RunInfo {
            settings: settings.iter().map(pair).collect(),
            ..RunInfo::default()
        },
        arenas: vec![arena.clone()],
    }
}

fn histories(runs: &[RunRecord], id: &str) -> Vec<History> {
    let wanted = Wanted {
        workload: runs[0].arenas[0].workload.clone(),
        id: id.parse().unwrap(),
        case: None,
    };
    let mut histories = Histories::new(wanted, machine(&RunInfo::default()));
    runs.iter().for_each(|run| histories.add(run));
    histories.finish()
}

fn measured(mode: Mode) -> ArenaRecord {
    let rules = Rules {
        budget: None,
        launches: Some(3),
        ..Rules::default()
    };
    let mut plan = plan(2, &[mode], rules);
    if mode == Mode::Command {
        let group = &mut plan.groups[0];
        group.warm_up = group.modes[0].driving.clone();
        group.warm_up_rounds = Some(2);
    }
    let scripts = vec![Script::default(); 2];
    let (outcome, _) = go(&plan, &scripts, &mut Ears::default());
    outcome.arenas[0].clone()
}

fn changed(arena: &ArenaRecord, change: impl FnOnce(&mut ArenaRecord)) -> ArenaRecord {
    let mut other = arena.clone();
    change(&mut other);
    other
}

/// What stands under a name among the conditions of each.
fn told(list: &[History], name: &str) -> Vec<Option<String>> {
    let of = |history: &History| {
        let found = history.conditions.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.clone())
    };
    list.iter().map(of).collect()
}

#[test]
fn another_load_or_other_cores_are_another_history() {
    let first = measured(Mode::Capacity);
    assert_eq!(first.driving[1].1, "3", "{:?}", first.driving);
    let deeper = changed(&first, |arena| arena.driving[1].1 = "8".to_owned());
    let wider = changed(&first, |arena| arena.placement.contender = vec![1, 2]);
    let beside = changed(&first, |arena| arena.placement.services = vec!["db".to_owned()]);
    let described = changed(&first, |arena| {
        arena.entrants[1].summary = "said otherwise".to_owned()
    });
    let runs = [&first, &deeper, &wider, &beside, &described].map(|arena| run_of(arena, &[]));
    let list = histories(&runs, "c1");
    let points: Vec<usize> = list.iter().map(|history| history.points.len()).collect();
    // What its summary says is no condition: it is known by its name.
    assert_eq!(points, [2, 1, 1, 1], "{list:#?}");
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        told(&list, "in flight on each connection, at most"),
        [some("3"), some("8"), some("3"), some("3")]
    );
    assert_eq!(
        told(&list, "cores of the contender"),
        [some("1"), some("1"), some("1, 2"), some("1")]
    );
    assert_eq!(told(&list, "services"), [None, None, None, some("db")]);
}

#[test]
fn a_rate_that_was_found_is_told_and_one_that_was_asked_for_is_a_condition() {
    let first = measured(Mode::Cost);
    let rate = |arena: &mut ArenaRecord, text: &str| {
        assert_eq!(arena.driving[0].0, "rate for all");
        arena.driving[0].1 = text.to_owned();
    };
    let other = changed(&first, |arena| rate(arena, "9.0k /s"));
    let runs = [
        run_of(&first, &[]),
        run_of(&other, &[]),
        run_of(&other, &[("rate", "9000 /s")]),
    ];
    let list = histories(&runs, "c1");
    assert_eq!(list.len(), 2, "{list:#?}");
    let rates: Vec<&str> = list[0]
        .points
        .iter()
        .map(|point| point.rate.as_deref().unwrap())
        .collect();
    assert_eq!(rates, [first.driving[0].1.as_str(), "9.0k /s"]);
    let asked = told(&list, "rate");
    assert!(
        asked[0].as_ref().is_some_and(|text| text.starts_with("half")),
        "{asked:?}"
    );
    assert_eq!(asked[1].as_deref(), Some("9000 /s"));
}

#[test]
fn commands_are_known_by_what_they_are_and_not_by_their_names() {
    let command = |summary: &str| {
        changed(&measured(Mode::Command), |arena| {
            arena.workload = "time".to_owned();
            for entrant in &mut arena.entrants {
                entrant.language = "command".to_owned();
                entrant.summary = summary.to_owned();
            }
        })
    };
    let (one, other) = (command("true"), command("sleep 1"));
    // How many runs a slice has is found by trying.
    let shorter = changed(&one, |arena| {
        arena.driving = vec![("runs in a slice".to_owned(), "7".to_owned())]
    });
    let runs = [
        run_of(&one, &[("folder", "/a")]),
        run_of(&shorter, &[("folder", "/a"), ("seed", "2")]),
        run_of(&other, &[("folder", "/a")]),
        run_of(&one, &[("folder", "/b")]),
        run_of(&one, &[("folder", "/a"), ("prepare", "rm x")]),
    ];
    let list = histories(&runs, "c1");
    let points: Vec<usize> = list.iter().map(|history| history.points.len()).collect();
    assert_eq!(points, [2, 1, 1, 1], "{list:#?}");
    assert_eq!(told(&list, "command")[1].as_deref(), Some("sleep 1"));
    assert_eq!(told(&list, "folder")[2].as_deref(), Some("/b"));
    assert_eq!(told(&list, "prepare")[3].as_deref(), Some("rm x"));
}

/// A contender of `tare diff` is a revision: what is followed is the command, and the commit is that of its side.
#[test]
fn revisions_side_by_side_have_their_own_commits() {
    let arena = changed(&measured(Mode::Command), |arena| {
        arena.workload = "diff".to_owned();
        for (entrant, side) in arena.entrants.iter_mut().zip(["before", "after"]) {
            entrant.id = ContenderId::plain(side);
            entrant.language = "command".to_owned();
            entrant.summary = format!("the revision {side}");
        }
        arena.baseline = Some(ContenderId::plain("before"));
    });
    let other = changed(&arena, |arena| arena.summary = "another command".to_owned());
    let newer = changed(&arena, |arena| {
        arena.entrants[1].summary = "a newer one".to_owned()
    });
    let sides = |before: &'static str, after: &'static str| [("before", before), ("after", after)];
    let runs = [
        run_of(&arena, &sides("1a", "1b")),
        run_of(&other, &sides("1a", "1b")),
        run_of(&newer, &sides("1b", "1c")),
    ];
    for (id, commits) in [("after", ["1b", "1c"]), ("before", ["1a", "1b"])] {
        let list = histories(&runs, id);
        assert_eq!(list.len(), 2, "{list:#?}");
        let found: Vec<&str> = list[0]
            .points
            .iter()
            .map(|point| point.revision.as_deref().unwrap())
            .collect();
        assert_eq!(found, commits);
    }
    let found = histories(&[run_of(&measured(Mode::Cost), &[("revision", "2a")])], "c1");
    assert_eq!(found[0].points[0].revision.as_deref(), Some("2a"));
}

/// What was gone on with is in the run that went on: its launches are not two points.
#[test]
fn a_run_that_was_resumed_stands_once() {
    let arena = measured(Mode::Cost);
    let named = |id: &str, settings: &[(&str, &str)]| {
        let mut run = run_of(&arena, settings);
        run.info.id = id.to_owned();
        run
    };
    let runs = [
        named("a", &[]),
        named("b", &[]),
        named("c", &[("resumes", "a")]),
        named("d", &[("resumes", "c")]),
    ];
    let list = histories(&runs, "c1");
    let left: Vec<&str> = list[0].points.iter().map(|point| point.run.as_str()).collect();
    assert_eq!(left, ["b", "d"]);
}
