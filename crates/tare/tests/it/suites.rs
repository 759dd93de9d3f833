//! Suites and the tour: what `tare run` measures of a workload, and of a lab.

use serde_json::{Value, json};

use crate::lab::{Lab, doubling, run_line};

const CASES: &str = r#"[suites.report]
summary = "what the report compared"
budget = "7s"

[[suites.report.parts]]
cases = ["second"]
modes = ["cost"]
contenders = ["good", "apart"]

[[suites.report.parts]]
cases = ["first"]

[suites.default]
summary = "the second case"
budget = "5s"

[[suites.default.parts]]
cases = ["second"]
contenders = ["good", "twin"]

[cases.first]
summary = "one of them"
placement = "one-core"
baseline = "good"
modes = ["capacity"]

[cases.second]
summary = "the other"
placement = "one-core"
baseline = "good"
modes = ["capacity"]
"#;

const BRIEF: [&str; 6] = ["--launches", "2", "--rounds", "2", "--format", "json"];

/// A lab whose workload has suites; the contender `apart` is not measured by default.
fn lab() -> Lab {
    let lab = Lab::new(&[("good", "good"), ("twin", "good")]);
    lab.contender("apart", &format!("by_default = false\n{}", run_line("good")));
    lab.write("workloads/fixture/workload.toml", &doubling(CASES));
    lab
}

/// The cases of a run in order, each with its mode and contenders.
fn measured(document: &Value) -> Vec<String> {
    let all = document["workloads"].as_array().unwrap();
    let one = |arena: &Value| {
        let contenders = arena["contenders"].as_array().unwrap();
        let mut ids: Vec<&str> = contenders.iter().map(|one| one["id"].as_str().unwrap()).collect();
        ids.sort_unstable();
        let [case, mode] = ["case", "mode"].map(|key| arena[key].as_str().unwrap());
        format!("{case} {mode} {}", ids.join(","))
    };
    all.iter().map(one).collect()
}

fn settings(document: &Value) -> &Value {
    &document["run"]["settings"]
}

fn run(lab: &Lab, words: &[&str]) -> Value {
    lab.run(&[&["run"], words, &BRIEF].concat()).expect(0).json()
}

#[test]
fn a_workload_is_measured_by_its_default_suite_and_a_case_by_itself() {
    let lab = lab();
    let document = run(&lab, &["fixture"]);
    assert_eq!(measured(&document), ["second capacity good,twin"]);
    assert_eq!(settings(&document)["budget"], 5.0);
    let suites = json!([{ "workload": "fixture", "suite": "default" }]);
    assert_eq!(settings(&document)["contenders"]["suites"], suites);
    let text = lab.run(&["report"]).expect(0).out;
    assert!(text.contains(", suite default of fixture, "), "{text}");
    let document = run(&lab, &["fixture/first", "--budget", "3s"]);
    assert_eq!(measured(&document), ["first capacity good,twin"]);
    assert_eq!(settings(&document)["budget"], 3.0);
    assert_eq!(settings(&document)["contenders"]["suites"], Value::Null);
    lab.assert_clean();
}

#[test]
fn a_suite_measures_its_cases_in_order_and_is_resumed_as_it_was() {
    let lab = lab();
    let first = run(&lab, &["fixture", "--suite", "report"]);
    let cases = ["second cost apart,good", "first capacity good,twin"];
    assert_eq!(measured(&first), cases);
    let further = ["--resume", "latest", "--budget", "20s", "--launches", "3"];
    let words = [&["run"], &further[..], &BRIEF[2..]].concat();
    let second = lab.run(&words).expect(0).json();
    // Cases in different modes, with different contenders.
    assert_eq!(measured(&second), cases);
    let of = |document: &Value| settings(document)["contenders"]["suites"].clone();
    assert_eq!(of(&second), of(&first));
    let ran = lab
        .run(&["run", "--resume", "latest", "--suite", "default"])
        .expect(2);
    assert!(ran.err.contains("cannot be used with"), "{}", ran.err);
    lab.assert_clean();
}

#[test]
fn options_apply_on_top_of_a_suite_and_others_are_refused() {
    let lab = lab();
    let document = run(
        &lab,
        &[
            "fixture", "--suite", "full", "--only", "good", "--mode", "cost", "--budget", "2s",
        ],
    );
    assert_eq!(measured(&document), ["first cost good", "second cost good"]);
    for (words, parts) in [
        (
            &["fixture", "--suite", "reprot"][..],
            ["no suite `reprot`", "its suites are report, default, full"],
        ),
        (
            &["fixture/first", "--suite", "report"],
            ["`fixture/first` is one case", "hint: the case by itself"],
        ),
        (
            &["fixture", "--only", "good,apart"],
            [
                "`apart` is not in the suite `default` of fixture",
                "`--suite full`",
            ],
        ),
        (
            &["fixture", "--only", "other"],
            ["no contender `other`", "there are apart, good, twin"],
        ),
    ] {
        for command in ["run", "check"] {
            // Without a suite, checking is about everything.
            if command == "check" && !words.contains(&"--suite") && words.contains(&"good,apart") {
                continue;
            }
            let ran = lab.run(&[&[command], words].concat()).expect(2);
            for part in parts {
                assert!(ran.err.contains(part), "no {part:?}: {}", ran.err);
            }
        }
    }
    lab.assert_clean();
}

#[test]
fn checking_and_setting_up_are_about_everything_or_about_a_suite() {
    let lab = lab();
    let names = |words: &[&str]| -> Vec<String> {
        let out = lab.run(words).expect(0).out;
        let mut lines: Vec<String> = out.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(
        names(&["check", "fixture", "--suite", "default"]),
        ["ok       fixture/second good", "ok       fixture/second twin"]
    );
    assert_eq!(names(&["check", "fixture"]).len(), 6);
    assert_eq!(
        names(&["setup", "fixture", "--suite", "default"]),
        ["fixture/good: ready", "fixture/twin: ready"]
    );
    assert_eq!(names(&["setup"]).len(), 3);
    lab.assert_clean();
}

#[test]
fn suites_are_listed_and_shown() {
    let lab = lab();
    let listed = lab.run(&["list", "suites", "fixture"]).expect(0).out;
    let lines: Vec<Vec<&str>> = listed
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(lines[0], ["workload", "suite", "cases", "budget", "summary"]);
    assert_eq!(lines[1][..6], ["fixture", "report", "2", "of", "2", "7s"]);
    assert_eq!(lines[2][..6], ["fixture", "default", "1", "of", "2", "5s"]);
    assert_eq!(lines[3][..6], ["fixture", "full", "2", "of", "2", "-"]);
    let document = lab.run(&["list", "suites", "--format", "json"]).expect(0).json();
    assert_eq!(document[1]["suite"], "default");
    let shown = lab.run(&["show", "fixture"]).expect(0).out;
    assert!(shown.contains("suites.report.parts[0].contenders"), "{shown}");
    let ran = lab.run(&["list", "runs", "fixture"]).expect(2);
    assert!(ran.err.contains("not listed by workload"), "{}", ran.err);
    let ran = lab.run(&["list", "suites", "fixtur"]).expect(2);
    assert!(ran.err.contains("did you mean `fixture`?"), "{}", ran.err);
}

/// Another workload of the lab like the first, its baseline built by a command.
fn second(lab: &Lab, name: &str, tour: &str) {
    let text = doubling(CASES).replace("schema = 1\n", &format!("schema = 1\n{tour}"));
    let text = text.replace("\"twin\"]", "\"twin\", \"apart\"]");
    lab.write(&format!("workloads/{name}/workload.toml"), &text);
    for contender in ["good", "twin", "apart"] {
        let text = format!(
            "schema = 1\nlanguage = \"fixture\"\nsummary = \"{contender}\"\nstyle = \"idiomatic\"\n\
             build = {}\n{}",
            if contender == "good" { "[[\"true\"]]" } else { "[]" },
            run_line("good")
        );
        lab.write(
            &format!("workloads/{name}/contenders/{contender}/contender.toml"),
            &text,
        );
    }
}

fn workloads(document: &Value) -> Vec<&str> {
    let suites = settings(document)["contenders"]["suites"].as_array().unwrap();
    suites
        .iter()
        .map(|one| one["workload"].as_str().unwrap())
        .collect()
}

#[test]
fn without_a_name_the_tour_goes_as_far_as_the_budget_and_what_is_built_reach() {
    let lab = lab();
    second(&lab, "built", "tour = 2\n");
    second(&lab, "zero", "tour = 1\n");
    // The first is built; the second is not, and is left out; those without a place come last.
    let ran = lab
        .run(&[&["run", "--budget", "6s"], &BRIEF[..]].concat())
        .expect(0);
    assert_eq!(workloads(&ran.json()), ["zero"]);
    for part in [
        "this is the tour, for at most 6s after the builds",
        "  zero: the second case\n  built: the second case\n",
        "not reached within that: fixture (`tare run --budget 15s` reaches all",
        "built: left out, since not built yet: good (`tare run built` builds them)",
    ] {
        assert!(ran.err.contains(part), "no {part:?}: {}", ran.err);
    }
    // By itself it is built, and then it takes part.
    run(&lab, &["built"]);
    let ran = lab
        .run(&[&["run", "--budget", "15s"], &BRIEF[..]].concat())
        .expect(0);
    let document = ran.json();
    assert_eq!(workloads(&document), ["zero", "built", "fixture"]);
    assert_eq!(measured(&document).len(), 3);
    assert!(!ran.err.contains("not built"), "{}", ran.err);
    // Without a budget it is that of the first suite.
    let document = run(&lab, &[]);
    assert_eq!(workloads(&document), ["zero"]);
    assert_eq!(settings(&document)["budget"], 5.0);
    lab.assert_clean();
}

#[test]
fn a_lab_without_a_tour_measures_all_its_workloads() {
    let lab = lab();
    second(&lab, "another", "");
    let ran = lab.run(&[&["run"], &BRIEF[..]].concat()).expect(0);
    let document = ran.json();
    assert_eq!(workloads(&document), ["another", "fixture"]);
    assert_eq!(settings(&document)["budget"], 10.0);
    assert!(!ran.err.contains("tour"), "{}", ran.err);
    lab.assert_clean();
}
