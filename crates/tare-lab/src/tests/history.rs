//! Which runs are one history, and which are not.

use super::*;
use tare_model::driving::{Driving as Driven, Load};
use tare_model::history::History;
use tare_model::record::RunRecord;
use tare_model::results::RunInfo;
use tare_model::settings::{CommandSettings, ContenderSettings, Revisions, Settings, Surroundings};
use tare_model::units::PerSecond;

use tare_analysis::history::{Histories, Wanted};

/// A run of an arena that was measured, with these settings.
fn run_of(arena: &ArenaRecord, settings: Settings) -> RunRecord {
    RunRecord {
        info: RunInfo {
            settings,
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
    let mut histories = Histories::new(wanted, RunInfo::default().machine.identity());
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

/// An arena whose load was another.
fn driven(arena: &ArenaRecord, change: impl FnOnce(&mut Load)) -> ArenaRecord {
    changed(arena, |arena| match &mut arena.driving {
        Driven::Load(load) => change(load),
        other => panic!("{other:?}"),
    })
}

fn none() -> Settings {
    Settings::default()
}

#[test]
fn another_load_or_other_cores_are_another_history() {
    let first = measured(Mode::Capacity);
    let deeper = driven(&first, |load| load.depth = 8);
    let wider = changed(&first, |arena| arena.placement.contender = vec![1, 2]);
    let beside = changed(&first, |arena| arena.placement.services = vec!["db".to_owned()]);
    let described = changed(&first, |arena| {
        arena.entrants[1].summary = "said otherwise".to_owned()
    });
    let runs = [&first, &deeper, &wider, &beside, &described].map(|arena| run_of(arena, none()));
    let list = histories(&runs, "c1");
    let points: Vec<usize> = list.iter().map(|history| history.points.len()).collect();
    // Its summary is not a condition: it is identified by its name.
    assert_eq!(points, [2, 1, 1, 1], "{list:#?}");
    let conditions = |index: usize| &list[index].conditions;
    assert_eq!(conditions(0).driving, first.driving.planned());
    assert_eq!(conditions(1).driving, deeper.driving.planned());
    assert_eq!(conditions(2).placement.contender, [1, 2]);
    assert_eq!(conditions(3).placement.services, ["db"]);
}

#[test]
fn a_chosen_rate_is_shown_and_a_given_rate_is_a_condition() {
    let first = measured(Mode::Cost);
    let other = driven(&first, |load| load.rate = Some(PerSecond(9000.0)));
    let asked = Settings {
        rate: Some(PerSecond(9000.0)),
        ..none()
    };
    let runs = [
        run_of(&first, none()),
        run_of(&other, none()),
        run_of(&other, asked),
    ];
    let list = histories(&runs, "c1");
    assert_eq!(list.len(), 2, "{list:#?}");
    let rates: Vec<_> = list[0].points.iter().map(|point| point.rate).collect();
    assert_eq!(rates, [first.driving.rate(), Some(PerSecond(9000.0))]);
    assert!(rates[0].is_some());
    assert_eq!(list[0].conditions.rate, None);
    assert_eq!(list[1].conditions.rate, Some(PerSecond(9000.0)));
}

#[test]
fn commands_are_identified_by_their_text_and_not_by_their_names() {
    let command = |text: &str| {
        changed(&measured(Mode::Command), |arena| {
            arena.workload = "time".to_owned();
            for entrant in &mut arena.entrants {
                entrant.subject = Subject::Command {
                    command: text.to_owned(),
                };
            }
        })
    };
    let (one, other) = (command("true"), command("sleep 1"));
    // How many runs a slice has is found by trying.
    let shorter = changed(&one, |arena| arena.driving = Driven::Commands { runs: 7 });
    let around = |folder: &str, prepare: &[&str], seed: u64| Settings {
        seed: Some(seed),
        commands: Some(CommandSettings {
            around: Surroundings {
                folder: Some(folder.to_owned()),
                prepare: prepare.iter().map(|text| (*text).to_owned()).collect(),
                ..Surroundings::default()
            },
            ..CommandSettings::default()
        }),
        ..none()
    };
    let runs = [
        run_of(&one, around("/a", &[], 1)),
        run_of(&shorter, around("/a", &[], 2)),
        run_of(&other, around("/a", &[], 1)),
        run_of(&one, around("/b", &[], 1)),
        run_of(&one, around("/a", &["rm x"], 1)),
    ];
    let list = histories(&runs, "c1");
    let points: Vec<usize> = list.iter().map(|history| history.points.len()).collect();
    assert_eq!(points, [2, 1, 1, 1], "{list:#?}");
    assert_eq!(
        list[1].conditions.subject,
        Some(other.entrants[0].subject.clone())
    );
    let of = |index: usize| list[index].conditions.around.clone().unwrap();
    assert_eq!(of(2).folder.as_deref(), Some("/b"));
    assert_eq!(of(3).prepare, ["rm x"]);
}

/// A contender of `tare diff` is a revision: what is followed is the command, and the commit is that of its side.
#[test]
fn revisions_side_by_side_have_their_own_commits() {
    let arena = changed(&measured(Mode::Command), |arena| {
        arena.workload = "diff".to_owned();
        for (entrant, side) in arena.entrants.iter_mut().zip(["before", "after"]) {
            entrant.id = ContenderId::plain(side);
            entrant.subject = Subject::Command {
                command: "mine".to_owned(),
            };
            entrant.summary = format!("the revision {side}");
        }
        arena.baseline = Some(ContenderId::plain("before"));
    });
    let other = changed(&arena, |arena| {
        for entrant in &mut arena.entrants {
            entrant.subject = Subject::Command {
                command: "another command".to_owned(),
            };
        }
    });
    let newer = changed(&arena, |arena| {
        arena.entrants[1].summary = "a newer one".to_owned()
    });
    let sides = |before: &str, after: &str| Settings {
        revisions: Some(Revisions {
            before: before.to_owned(),
            after: after.to_owned(),
        }),
        ..none()
    };
    let runs = [
        run_of(&arena, sides("1a", "1b")),
        run_of(&other, sides("1a", "1b")),
        run_of(&newer, sides("1b", "1c")),
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
    let settings = Settings {
        revision: Some("2a".to_owned()),
        ..none()
    };
    let found = histories(&[run_of(&measured(Mode::Cost), settings)], "c1");
    assert_eq!(found[0].points[0].revision.as_deref(), Some("2a"));
}

/// What was gone on with is in the run that went on: its launches are not two points.
#[test]
fn a_resumed_run_is_listed_once() {
    let arena = measured(Mode::Cost);
    let named = |id: &str, resumes: Option<&str>| {
        let settings = Settings {
            contenders: Some(ContenderSettings {
                resumes: resumes.map(str::to_owned),
                ..ContenderSettings::default()
            }),
            ..none()
        };
        let mut run = run_of(&arena, settings);
        run.info.id = id.to_owned();
        run
    };
    let runs = [
        named("a", None),
        named("b", None),
        named("c", Some("a")),
        named("d", Some("c")),
    ];
    let list = histories(&runs, "c1");
    let left: Vec<&str> = list[0].points.iter().map(|point| point.run.as_str()).collect();
    assert_eq!(left, ["b", "d"]);
}
