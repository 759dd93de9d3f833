//! `tare history` over runs that were really kept.

use serde_json::Value;
use tare_model::record::RunRecord;
use tare_store::{NewRun, Store};

use crate::diff::git;
use crate::lab::Lab;

#[test]
fn a_contender_is_followed_over_the_runs_of_this_machine() {
    let lab = Lab::new(&[]);
    for seed in ["1", "2", "3"] {
        let words = [
            "time",
            "true",
            "sleep 0.02",
            "--names",
            "one,two",
            "--runs",
            "4",
            "--seed",
            seed,
        ];
        lab.run(&words).expect(0);
    }
    let document = lab
        .run(&["history", "time/two", "--format", "json"])
        .expect(0)
        .json();
    let history = &document["histories"][0];
    let points = history["points"].as_array().unwrap();
    assert_eq!((points.len(), history["metric"].as_str()), (3, Some("duration")));
    let started: Vec<i64> = points
        .iter()
        .map(|point| point["started"].as_i64().unwrap())
        .collect();
    assert!(started.is_sorted(), "the oldest first: {started:?}");
    for point in points {
        assert!(
            point["estimate"].as_f64().unwrap() > 0.02 && point["ratio"].as_f64().unwrap() > 1.0,
            "{point:#}"
        );
    }
    assert_eq!(history["changes"], serde_json::json!([]));
    let svg = lab.path().join("charts").display().to_string();
    let text = lab
        .run(&["history", "time/two", "--last", "2", "--svg", &svg])
        .expect(0)
        .out;
    assert!(
        text.contains("time/commands, command: two") && text.contains("no verdict"),
        "{text}"
    );
    assert_eq!(
        text.lines().filter(|line| line.contains('●')).count(),
        2,
        "{text}"
    );
    let files: Vec<_> = std::fs::read_dir(&svg).unwrap().collect();
    assert_eq!(files.len(), 1);
}

/// Keeps a run again: its times so many times as long, so many hours later, on another machine perhaps.
fn keep(store: &Store, run: &RunRecord, hours: i64, level: f64, host: &str) {
    let mut settings = run.info.settings.clone();
    settings.revision = Some(format!("revision {hours}"));
    let new = NewRun {
        started: run.info.started + 3600 * hours,
        tare: run.info.tare.clone(),
        imported: None,
        machine: tare_model::results::Machine {
            host: host.to_owned(),
            ..run.info.machine.clone()
        },
        settings,
    };
    let mut writer = store.begin_run(&new).unwrap();
    for arena in &run.arenas {
        let mut arena = arena.clone();
        for slice in &mut arena.slices {
            let load = &mut slice.reading.load;
            load.wall.0 *= level;
            load.programs.iter_mut().for_each(|time| time.0 *= level);
        }
        writer.arena(&arena).unwrap();
    }
    writer.finish(run.info.took, true, &[]).unwrap();
}

/// Of one run that was measured, and of it again at two levels: nothing hangs on how fast this machine is.
#[test]
fn a_change_of_level_is_reported_and_drawn() {
    let lab = Lab::new(&[]);
    lab.run(&["time", "true", "sleep 0.02", "--names", "one,two", "--runs", "4"])
        .expect(0);
    let store = Store::open_existing(lab.path().join(".tare/results.sqlite")).unwrap();
    let run = store.run("latest").unwrap();
    let here = run.info.machine.host.clone();
    let levels = [
        1.01, 0.99, 1.005, 0.995, 1.0, 1.0, 1.5, 1.515, 1.49, 1.5, 1.51, 1.495,
    ];
    // Another machine's, among them: it does not count as a change.
    keep(&store, &run, 0, 9.0, "elsewhere");
    for (hours, level) in (1..).zip(levels) {
        keep(&store, &run, hours, level, &here);
    }
    let svg = lab.path().join("charts").display().to_string();
    let words = ["history", "time/two", "--format", "json", "--svg", &svg];
    let ran = lab.run(&words).expect(0);
    assert!(
        ran.err.contains("1 run of other machines left out"),
        "{}",
        ran.err
    );
    let history = &ran.json()["histories"][0];
    assert_eq!(history["points"].as_array().unwrap().len(), 13);
    assert_eq!(history["changes"], serde_json::json!([7]), "{history:#}");
    assert_eq!(history["points"][7]["revision"], "revision 7");
    let text = lab.run(&["history", "time/two"]).expect(0).out;
    let lines: Vec<&str> = text.lines().collect();
    let at = lines
        .iter()
        .position(|line| line.contains("change of level: +50.0%"))
        .unwrap_or_else(|| panic!("{text}"));
    assert!(
        lines[at - 1].contains("revision 6") && lines[at + 1].contains("revision 7"),
        "{text}"
    );
    // The picture: a point for each run, a line and its size where the level changes.
    let files: Vec<_> = std::fs::read_dir(&svg).unwrap().collect();
    let [Ok(file)] = files.as_slice() else {
        panic!("one picture: {files:?}")
    };
    let picture = std::fs::read_to_string(file.path()).unwrap();
    assert!(
        picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && picture.ends_with("</svg>\n")
    );
    let count = |what: &str| picture.matches(what).count();
    assert_eq!(
        (count("<circle "), count("class=\"ours\"")),
        (13, 13),
        "{picture}"
    );
    assert_eq!((count("class=\"one\""), count("+50.0%")), (1, 1), "{picture}");
    assert!(
        picture.contains("Duration: time/commands, command: two"),
        "{picture}"
    );
}

/// The histories of a contender, as programs get them.
fn histories(lab: &Lab, contender: &str) -> Vec<Value> {
    let ran = lab.run(&["history", contender, "--format", "json"]).expect(0);
    ran.json()["histories"].as_array().unwrap().clone()
}

/// How many runs each history has.
fn lengths(list: &[Value]) -> Vec<usize> {
    let points = list.iter().map(|history| history["points"].as_array().unwrap());
    points.map(Vec::len).collect()
}

/// A name says nothing of what was run under it.
#[test]
fn another_command_of_the_same_name_is_another_history() {
    let lab = Lab::new(&[]);
    let time = |command: &str, more: &[&str]| {
        let words = ["time", "true", command, "--names", "one,two", "--runs", "2"];
        lab.run(&[&words[..], more].concat()).expect(0);
    };
    time("sleep 0.02", &[]);
    let store = Store::open_existing(lab.path().join(".tare/results.sqlite")).unwrap();
    let first = store.run("latest").unwrap();
    time("sleep 0.03", &[]);
    let second = store.run("latest").unwrap();
    // As many runs of each, far enough apart for a change of level if they were one.
    for (run, level, after) in [(&first, 1.0, 0), (&second, 4.0, 10)] {
        for (hours, noise) in (1..).zip([1.01, 0.99, 1.005, 0.995, 1.0, 1.0]) {
            keep(&store, run, hours + after, level * noise, &run.info.machine.host);
        }
    }
    time("sleep 0.02", &["--prepare", "true"]);
    time("sleep 0.02", &["-N"]);
    let list = histories(&lab, "time/two");
    assert_eq!(lengths(&list), [7, 7, 1, 1], "{list:#?}");
    let told = |pointer: &str| -> Vec<Option<&str>> {
        list.iter()
            .map(|history| {
                history["conditions"]
                    .pointer(pointer)
                    .and_then(|value| value.as_str())
            })
            .collect()
    };
    let (short, long) = (Some("sleep 0.02"), Some("sleep 0.03"));
    assert_eq!(told("/command"), [short, long, short, short]);
    assert_eq!(told("/around/prepare/0"), [None, None, Some("true"), None]);
    let shell = Some("sh");
    assert_eq!(told("/around/shell"), [shell, shell, shell, None]);
    // Together they would have two levels.
    assert_eq!(list[0]["changes"], serde_json::json!([]), "{:#}", list[0]);
    let text = lab.run(&["history", "time/two"]).expect(0).out;
    for part in [
        "command sleep 0.02; shell sh",
        "command sleep 0.03; shell sh",
        "prepare true",
    ] {
        assert!(text.contains(part), "no {part:?}: {text}");
    }
    let rows = lab.run(&["history", "time/two", "--format", "csv"]).expect(0).out;
    let count = |part: &str| rows.lines().filter(|row| row.contains(part)).count();
    assert_eq!(
        (rows.lines().count(), count("command sleep 0.03; shell sh")),
        (17, 7),
        "{rows}"
    );
}

#[test]
fn another_load_and_other_cores_are_another_history() {
    let lab = Lab::new(&[("good", "good"), ("twin", "good")]);
    for more in [&[][..], &["--connections", "3"], &["--pipeline", "5"], &[]] {
        lab.measure("good,twin", more).expect(0);
    }
    let store = Store::open_existing(lab.path().join(".tare/results.sqlite")).unwrap();
    let mut wider = store.run("latest").unwrap();
    wider.arenas[0].placement.contender.push(4095);
    keep(&store, &wider, 1, 1.0, &wider.info.machine.host);
    let list = histories(&lab, "fixture/good");
    let told: Vec<[u64; 2]> = list
        .iter()
        .map(|history| {
            let driving = &history["conditions"]["driving"];
            [&driving["connections"][0], &driving["depth"]].map(|value| value.as_u64().unwrap())
        })
        .collect();
    assert_eq!(told, [[4, 2], [3, 2], [4, 5], [4, 2]], "{list:#?}");
    assert_eq!(lengths(&list), [2, 1, 1, 1], "{list:#?}");
    let wide = |index: usize| {
        let cores = list[index]["conditions"]["placement"]["contender"]
            .as_array()
            .unwrap();
        cores.iter().any(|core| *core == 4095)
    };
    assert!(wide(3) && !wide(0), "{list:#?}");
}

#[test]
fn commands_in_a_repository_have_the_commit_that_they_were_run_at() {
    let lab = crate::diff::slowed();
    lab.run(&["time", "sh work", "--names", "work", "--runs", "2"])
        .expect(0);
    let list = histories(&lab, "time/work");
    let revision = list[0]["points"][0]["revision"].as_str().unwrap();
    let head = git(lab.path(), &["rev-parse", "--short=9", "HEAD"]);
    assert!(
        revision.starts_with(&format!("the working tree at {head}")),
        "{revision}"
    );
    let diff = |revisions: &str, program: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tare"));
        command
            .args(["diff", revisions, "--runs", "2", "--", program, "work"])
            .current_dir(lab.path());
        lab.start(command).finish().expect(0);
    };
    diff("HEAD~1..HEAD", "sh");
    diff("HEAD~1..HEAD", "cat");
    diff("HEAD..HEAD~1", "sh");
    let list = histories(&lab, "diff/after");
    assert_eq!(lengths(&list), [2, 1], "{list:#?}");
    let revision = |index: usize| list[0]["points"][index]["revision"].as_str().unwrap();
    assert!(revision(0).ends_with("(Work slowly)"), "{}", revision(0));
    assert!(revision(1).ends_with("(Work)"), "{}", revision(1));
    assert_eq!(list[1]["conditions"]["command"], "cat work");
}

#[test]
fn a_contender_that_was_never_measured_is_reported() {
    let lab = Lab::new(&[]);
    let ran = lab.run(&["history", "time/two"]).expect(1);
    assert!(ran.err.contains("results.sqlite"), "{}", ran.err);
    lab.run(&["time", "true", "--runs", "3"]).expect(0);
    let ran = lab.run(&["history", "time/two"]).expect(2);
    assert!(ran.err.contains("tare list runs"), "{}", ran.err);
    lab.run(&["history", "two"]).expect(2);
}
