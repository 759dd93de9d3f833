//! The plan before a run, and a budget that does not hold all.

use serde_json::Value;

use crate::lab::{Lab, unwrapped};
use crate::scaffold::assert_valid;

/// A second case beside the fixture's own.
const MORE: &str = r#"
[cases.more]
summary = "the same once more"
placement = "one-core"
baseline = "good"
modes = ["capacity"]
"#;

/// A lab with two cases of the same two contenders.
fn two_cases() -> Lab {
    let lab = Lab::new(&[("good", "good"), ("twin", "good")]);
    let file = "workloads/fixture/workload.toml";
    let manifest = std::fs::read_to_string(lab.path().join(file)).unwrap();
    lab.write(
        file,
        &manifest.replace("[modes.capacity]", &format!("{MORE}\n[modes.capacity]")),
    );
    lab
}

#[test]
fn a_plan_is_printed_and_nothing_is_started() {
    let lab = two_cases();
    let ran = lab
        .run(&["run", "fixture", "--plan", "--budget", "10m"])
        .expect(0);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines[0].starts_with("Plan: 10 min"), "{}", ran.out);
    assert!(
        lines[1].contains("fixture/all") && lines[2].contains("fixture/more"),
        "{}",
        ran.out
    );
    assert!(
        lines[1].contains("2 contenders") && lines[1].contains("capacity ±"),
        "{}",
        ran.out
    );
    assert!(!lab.path().join(".tare").exists(), "nothing was made");
    let words = ["run", "fixture", "--plan", "--budget", "10s", "--format", "json"];
    let document = lab.run(&words).expect(0).json();
    let groups = document["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 2);
    assert!(groups[0]["launches"].as_u64().unwrap() > 0, "{document:#}");
    assert_eq!(groups[1]["launches"], 0, "{document:#}");
    assert!(document["enough"].as_f64().unwrap() > 10.0, "{document:#}");
    // What is wrong with the request is found as for a run.
    lab.run(&["run", "fixture", "--plan", "--only", "nobody"])
        .expect(2);
    lab.run(&["run", "--plan", "--resume", "latest"]).expect(2);
}

#[test]
fn a_case_that_does_not_fit_is_not_begun_and_named() {
    let lab = two_cases();
    let words = [
        "run", "fixture", "--budget", "1s", "--format", "json", "--seed", "7",
    ];
    let ran = lab.run(&words).expect(0);
    lab.assert_clean();
    let document = ran.json();
    assert_valid(&document);
    let workloads = document["workloads"].as_array().unwrap();
    assert!(
        workloads.len() == 1 && workloads[0]["case"] == "all",
        "{document:#}"
    );
    let expected = serde_json::json!([{"workload": "fixture", "case": "more", "why": "budget"}]);
    assert_eq!(document["not_measured"], expected);
    let notes: Vec<&str> = document["run"]["notes"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert!(
        notes
            .iter()
            .any(|note| note.contains("`tare run fixture/more --budget ")),
        "{notes:?}"
    );
    assert!(ran.err.contains("Plan: "), "{}", ran.err);
    let table = unwrapped(&lab.run(&["report"]).expect(0).out);
    assert!(table.contains("Not measured: fixture/more (budget)."), "{table}");
    assert!(!table.contains("No contender has figures"), "{table}");
    // A gate that wants proof has none of what was not measured.
    lab.run(&["run", "fixture", "--budget", "1s", "--fail-if", "not-proven"])
        .expect(4);
}

#[test]
fn stored_runs_tell_how_long_launches_take_and_a_vain_budget_is_refused() {
    let lab = Lab::new(&[("good", "good"), ("twin", "good")]);
    let words = [
        "run",
        "fixture",
        "--launches",
        "3",
        "--rounds",
        "3",
        "--margin",
        "0%",
        "--format",
        "json",
    ];
    lab.run(&words).expect(0);
    let plan = |more: &[&str]| {
        let mut words = vec!["run", "fixture", "--plan", "--format", "json"];
        words.extend(more);
        lab.run(&words).expect(0).json()["groups"][0].clone()
    };
    let group = plan(&[]);
    assert_eq!(group["stored_runs"], 1, "{group:#}");
    assert_eq!(group["modes"][0]["typical"], false, "{group:#}");
    assert!(group["launch"].as_f64().unwrap() > 0.1, "{group:#}");
    // Another load is another question.
    assert_eq!(plan(&["--connections", "9"])["stored_runs"], Value::Null);
    let refused = lab.run(&["run", "fixture", "--budget", "100ms"]).expect(2);
    assert!(
        refused.err.contains("holds no 3 launches of fixture/all"),
        "{}",
        refused.err
    );
    assert!(refused.err.contains("hint: --budget "), "{}", refused.err);
    let one = [
        "run",
        "fixture",
        "--budget",
        "100ms",
        "--launches",
        "1",
        "--format",
        "json",
    ];
    lab.run(&one).expect(0);
    lab.assert_clean();
}
