//! `tare history` over runs that were really kept.

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
