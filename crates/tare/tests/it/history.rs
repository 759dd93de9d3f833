//! `tare history` over runs that were really kept.

use tare_model::record::RunRecord;
use tare_store::{NewRun, Store};

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

/// Keeps a run again: its times so many times as long, an hour later each time.
fn keep(store: &Store, run: &RunRecord, hours: i64, level: f64, host: &str) {
    let new = NewRun {
        started: run.info.started + 3600 * hours,
        tare: run.info.tare.clone(),
        imported: None,
        machine: tare_model::results::Machine {
            host: host.to_owned(),
            ..run.info.machine.clone()
        },
        settings: vec![("revision".to_owned(), format!("revision {hours}"))],
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
fn a_change_of_level_is_told_and_drawn() {
    let lab = Lab::new(&[]);
    lab.run(&["time", "true", "sleep 0.02", "--names", "one,two", "--runs", "4"])
        .expect(0);
    let store = Store::open_existing(lab.path().join(".tare/results.sqlite")).unwrap();
    let run = store.run("latest").unwrap();
    let here = run.info.machine.host.clone();
    let levels = [
        1.01, 0.99, 1.005, 0.995, 1.0, 1.0, 1.5, 1.515, 1.49, 1.5, 1.51, 1.495,
    ];
    // Another machine's, among them: it is not taken for a change.
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
        .position(|line| line.contains("another level from here on: +50.0%"))
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

#[test]
fn what_was_never_measured_is_said() {
    let lab = Lab::new(&[]);
    let ran = lab.run(&["history", "time/two"]).expect(1);
    assert!(ran.err.contains("results.sqlite"), "{}", ran.err);
    lab.run(&["time", "true", "--runs", "3"]).expect(0);
    let ran = lab.run(&["history", "time/two"]).expect(2);
    assert!(ran.err.contains("tare list runs"), "{}", ran.err);
    lab.run(&["history", "two"]).expect(2);
}
