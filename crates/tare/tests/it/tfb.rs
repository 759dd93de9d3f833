//! FrameworkBenchmarks' results: written, imported, and shown beside ours; and a report's findings in a run.

use serde_json::Value;

use crate::lab::{Lab, unwrapped};
use crate::scaffold::assert_valid;

/// A program that answers every request with its page.
const PAGE: &str = "#!/bin/sh\nprintf 'Content-Type: application/json\\r\\n\\r\\n{\"message\":\"hello\"}'\n";

const WORKLOAD: &str = r#"schema = 1
summary = "a message"

[job]
kind = "http"
path = "/json"
type = "application/json"
answer = { kind = "json", value = '{"message": "hello"}' }

[cases.json]
summary = "all of them"
placement = "one-core"
baseline = "good"
modes = ["capacity"]

[modes.capacity]
primary = "throughput"
connections = [1, 2]
"#;

/// A case that no run here takes.
const OTHER_CASE: &str = r#"
[cases.text]
summary = "none of them, unless it is named"
placement = "one-core"
baseline = "good"
modes = ["capacity"]
"#;

const PUBLISHED: &str = r#"schema = 1
source = "A report"

[[findings]]
claim = "the good one is far ahead"
case = "json"
mode = "capacity"
faster = "good"
slower = ["twin"]
at_least = 100

[[findings]]
claim = "all are the same"
case = "json"
mode = "capacity"
same = ["good", "twin", "absent"]
within = 0.5

[[findings]]
claim = "more so for text"
case = "json"
mode = "capacity"
metric = "cpu_per_op"
faster = "good"
slower = ["twin"]
more_than_in = "text"
conditions = { cores = 4096, load_machines = 3 }
"#;

const THEIRS: &str = r#"{
  "name": "Round 99", "environmentDescription": "Physical", "startTime": 1533900000000, "duration": 10,
  "concurrencyLevels": [16, 64],
  "rawData": { "json": { "good": [ { "totalRequests": 5000 }, { "totalRequests": 7000 } ], "other": [ {} ] } }
}"#;

fn lab() -> Lab {
    let lab = Lab::new(&[]);
    lab.write("workloads/fixture/workload.toml", WORKLOAD);
    for name in ["good", "twin", "absent"] {
        let broken = match name {
            "absent" => "[broken]\nreason = \"it is not there\"\nsince = \"2026-11-01\"\n",
            _ => "",
        };
        lab.contender(
            name,
            &format!(
                "speaks = \"cgi\"\nrun = [\"{{out}}/page\"]\n\
                 build = [[\"cp\", \"page\", \"{{out}}/page\"], [\"chmod\", \"755\", \"{{out}}/page\"]]\n{broken}"
            ),
        );
        lab.write(&format!("workloads/fixture/contenders/{name}/page"), PAGE);
    }
    lab
}

#[test]
fn a_run_is_written_for_the_suite_and_its_rounds_are_shown_beside_it() {
    let lab = lab();
    lab.write("theirs.json", THEIRS);
    let ran = lab.run(&["report", "--format", "tfb"]);
    assert_ne!(ran.status, 0, "there is no run yet");
    lab.measure("good,twin", &[]).expect(0);
    lab.assert_clean();
    let written = lab.run(&["report", "--format", "tfb"]).expect(0).json();
    assert_eq!(written["concurrencyLevels"], serde_json::json!([1, 2]));
    let good = &written["rawData"]["json"]["good"];
    assert!(good[0]["totalRequests"].as_u64() > Some(0), "{written:#}");
    assert_eq!(written["succeeded"]["json"], serde_json::json!(["good", "twin"]));

    let ran = lab.run(&["import", "theirs.json"]).expect(0);
    let id = ran.out.trim().to_owned();
    assert!(id.starts_with("20180810-"), "{id}");
    assert!(ran.err.contains("imported 2 figures of json"), "{}", ran.err);
    let listed = lab.run(&["list", "runs"]).expect(0).out;
    let row = listed.lines().find(|line| line.starts_with(&id)).expect(&listed);
    assert!(row.contains("imported"), "{row}");
    let theirs = lab.run(&["report", &id]).expect(0).out;
    assert!(
        unwrapped(&theirs).contains("Imported, not measured here: FrameworkBenchmarks: Round 99, Physical")
    );
    assert!(theirs.contains("good, 64 connections"), "{theirs}");

    assert_valid(&lab.run(&["report", &id, "--format", "json"]).expect(0).json());
    let document = lab.run(&["report", "--format", "json"]).expect(0).json();
    assert_eq!(
        document["run"]["imported"],
        Value::Null,
        "the latest is one that was measured"
    );
    let beside = lab
        .run(&["report", "--beside", &id, "--format", "json"])
        .expect(0)
        .json();
    let published = &beside["workloads"][0]["published"];
    assert_eq!(
        (&published[0]["contender"], &published[0]["value"]),
        (&"good".into(), &700.0.into()),
        "{published:#}"
    );
    let ran = lab.run(&["report", "--beside", "latest"]).expect(2);
    assert!(ran.err.contains("was measured here, not imported"), "{}", ran.err);
}

#[test]
fn results_of_the_arena_are_imported_one_or_a_folder() {
    let lab = lab();
    let one = r#"{"framework": "Good", "rps": 700, "connections": 512, "duration": "5s"}"#;
    lab.write("results/baseline/512/good.json", one);
    lab.write("results/pipelined/512/good.json", &one.replace("700", "9000"));
    lab.write("results/notes.json", "{}");
    for (what, figures) in [("results/baseline/512/good.json", 1), ("results", 2)] {
        let ran = lab.run(&["import", what, "--format", "json"]).expect(0);
        let document = ran.json();
        assert_eq!(document["figures"], figures, "{document:#}");
        let id = document["run"].as_str().unwrap().to_owned();
        let shown = lab.run(&["report", &id]).expect(0).out;
        assert!(
            shown.contains("Good, 512 connections") && shown.contains("HttpArena"),
            "{shown}"
        );
    }
    lab.write("empty/notes.json", "{}");
    let ran = lab.run(&["import", "empty"]).expect(2);
    assert!(ran.err.contains("hint:"), "{}", ran.err);
}

#[test]
fn what_cannot_be_imported_is_refused() {
    let lab = lab();
    for (text, says) in [
        (
            "{}",
            "theirs.json: it is no results.json of FrameworkBenchmarks (it has no `rawData`",
        ),
        (
            &THEIRS.replace("7000", "\"7k\""),
            "rawData.json.good[1].totalRequests: expected a number",
        ),
    ] {
        lab.write("theirs.json", text);
        let ran = lab.run(&["import", "theirs.json"]).expect(2);
        assert!(ran.err.contains(says) && ran.err.contains("hint:"), "{}", ran.err);
    }
    let ran = lab.run(&["import", "nothing.json"]).expect(2);
    assert!(ran.err.contains("cannot read nothing.json"), "{}", ran.err);
}

#[test]
fn findings_are_reported_in_every_format() {
    let lab = lab();
    lab.write(
        "workloads/fixture/workload.toml",
        &format!("{WORKLOAD}{OTHER_CASE}"),
    );
    lab.write("workloads/fixture/published.toml", PUBLISHED);
    let words =
        "run fixture/json --format json --only good,twin,absent --launches 2 --rounds 2 --budget 1s --seed 7";
    let document = lab.run(&words.split(' ').collect::<Vec<_>>()).expect(0).json();
    lab.assert_clean();
    assert_valid(&document);
    let findings = &document["workloads"][0]["findings"];
    let far = &findings[0];
    assert_eq!(
        (&far["alpha"], &far["at_least"]),
        (&(0.05 / 3.0).into(), &100.0.into()),
        "{far:#}"
    );
    let pair = &far["pairs"][0];
    assert_eq!(pair["other"], "twin");
    let lead = pair["figure"]["estimate"].as_f64().unwrap();
    assert!(lead > 0.0 && lead < 100.0, "{pair:#}");
    let same = &findings[1];
    assert_eq!(same["pairs"][1]["standing"], "not-measured");
    assert_eq!(same["pairs"][1]["reason"], "absent: skipped");
    let text = &findings[2];
    assert_eq!(
        (&text["than_in"], &text["metric"]),
        (&"text".into(), &"cpu_per_op".into())
    );
    assert_eq!(text["pairs"][0]["reason"], "text: not in this run");
    assert!(
        text["conditions"]["unlike"]
            .as_str()
            .unwrap()
            .contains("(the report: 4096)")
    );
    for format in ["text", "md"] {
        let text = unwrapped(&lab.run(&["report", "--format", format]).expect(0).out);
        assert!(text.contains("the good one is far ahead"), "{text}");
        assert!(text.contains("absent: not measured (skipped)"), "{text}");
        assert!(text.contains("(the report: 4096)"), "{text}");
    }
    let rows = lab.run(&["report", "--format", "csv"]).expect(0).out;
    assert_eq!(rows.matches(",all are the same,").count(), 2, "{rows}");
    lab.write(
        "workloads/fixture/published.toml",
        &PUBLISHED.replace("\"twin\"]", "\"tvin\"]"),
    );
    let refused = lab.measure("good,twin", &[]).expect(2);
    assert!(
        refused
            .err
            .contains("published.toml:9: there is no contender `tvin`"),
        "{}",
        refused.err
    );
}
