//! What is made of a run afterwards, and what `tare new` makes.

use std::process::Command;

use serde_json::Value;

use crate::lab::{Lab, contender};

const SCHEMA: &str = include_str!("../../../../docs/results.schema.json");

/// A lab with a run in which one contender failed, one was skipped and two were measured.
fn measured() -> Lab {
    let lab = Lab::new(&[("dies", "die:100"), ("good", "good"), ("twin", "good")]);
    let broken = "[broken]\nreason = \"old\"\nsince = \"2026-11-01\"\n";
    lab.contender("old", &format!("{}{broken}", crate::lab::run_line("good")));
    lab.measure("dies,good,old,twin", &["--mode", "capacity,cost"])
        .expect(3);
    lab.assert_clean();
    lab
}

/// The document is as its schema says.
#[track_caller]
pub fn assert_valid(document: &Value) {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(errors, Vec::<String>::new());
}

#[test]
fn a_run_is_reported_in_every_format() {
    let lab = measured();
    let format = |format: &str| lab.run(&["report", "--format", format]).expect(0).out;
    let document: Value = serde_json::from_str(&format("json")).unwrap();
    assert_valid(&document);
    assert_eq!(document["run"]["complete"], true);
    assert_eq!(document["workloads"].as_array().unwrap().len(), 2, "a mode each");
    assert_eq!(contender(&document, "dies")["state"], "failed");
    assert_eq!(contender(&document, "old")["state"], "skipped");

    let markdown = format("md");
    assert!(markdown.contains("| "), "{markdown}");
    let csv = format("csv");
    let columns = csv.lines().next().unwrap().split(',').count();
    assert!(columns > 5 && csv.lines().count() > 2, "{csv}");
    let slices = format("slices");
    assert!(slices.lines().count() > 20, "{slices}");
    for name in ["dies", "good", "old", "twin"] {
        for (format, text) in [("md", &markdown), ("text", &lab.run(&["report"]).out)] {
            assert!(text.contains(name), "no {name} in {format}: {text}");
        }
    }

    let id = document["run"]["id"].as_str().unwrap();
    assert_eq!(format("html"), "", "a page goes into a file");
    let page = std::fs::read_to_string(lab.path().join(format!(".tare/reports/{id}.html"))).unwrap();
    assert!(page.starts_with("<!doctype html>") || page.starts_with("<!DOCTYPE html>"));
    assert!(page.contains("exit status 4"), "why one has no figures");
    assert!(
        !page.contains("<script src") && !page.contains("<link"),
        "nothing is fetched"
    );
    let charts = lab.path().join("charts");
    let out = charts.to_str().unwrap();
    lab.run(&["report", "latest", "--format", "svg", "--out", out])
        .expect(0);
    let files: Vec<_> = std::fs::read_dir(&charts).unwrap().collect();
    assert!(files.len() >= 2, "{files:?}");

    // A run is found by its id and by the beginning of it; another is not.
    assert_eq!(
        lab.run(&["report", &id[..8], "--format", "csv"]).expect(0).out,
        csv
    );
    let ran = lab.run(&["report", "19990101"]).expect(2);
    assert!(ran.err.contains("no run is called `19990101`"), "{}", ran.err);
    let shown = lab.run(&["show", id, "--format", "json"]).expect(0).json();
    assert_eq!(shown, document);
}

#[test]
fn what_run_prints_is_what_report_prints() {
    let lab = Lab::new(&[("good", "good"), ("twin", "good")]);
    let printed = lab.measure("good,twin", &[]).expect(0).json();
    assert_valid(&printed);
    let reported = lab.run(&["report", "--format", "json"]).expect(0).json();
    assert_eq!(printed, reported);
}

#[test]
fn a_lab_without_runs_has_nothing_to_report() {
    let lab = Lab::new(&[("good", "good")]);
    let ran = lab.run(&["report"]).expect(1);
    assert!(ran.err.contains("nothing was measured here yet"), "{}", ran.err);
    assert_eq!(lab.run(&["list", "runs"]).expect(0).out, "none yet\n");
    assert_eq!(
        lab.run(&["list", "runs", "--format", "json"]).expect(0).json(),
        serde_json::json!([])
    );
}

#[test]
fn lists_and_resolved_manifests_are_complete() {
    let lab = Lab::new(&[("good", "good"), ("twin", "good")]);
    let workloads = lab.run(&["list", "--format", "json"]).expect(0).json();
    assert_eq!(workloads[0]["case"], "fixture/all");
    let contenders = lab.run(&["list", "contenders"]).expect(0).out;
    assert!(
        contenders.contains("good") && contenders.contains("twin"),
        "{contenders}"
    );
    let shown = lab.run(&["show", "fixture"]).expect(0).out;
    assert!(shown.contains("workloads/fixture/workload.toml:"), "{shown}");
    let shown = lab.run(&["show", "fixture/twin"]).expect(0).out;
    assert!(shown.contains("contenders/twin/contender.toml:"), "{shown}");
    let ran = lab.run(&["show", "fixture/twim"]).expect(2);
    assert!(ran.err.contains("did you mean `twin`?"), "{}", ran.err);
}

/// The repository's own languages: what `tare new` writes is for them.
fn lab_with_language(name: &str) -> Lab {
    let lab = Lab::new(&[("good", "good")]);
    let file = format!("{}/../../languages/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(file).unwrap();
    lab.write(&format!("languages/{name}.toml"), &text);
    lab
}

fn can_build_c() -> bool {
    let found = Command::new("cc").arg("--version").output();
    found.is_ok_and(|answer| answer.status.success())
}

#[test]
fn a_new_contender_passes_its_check() {
    let lab = lab_with_language("c");
    let path = "workloads/fixture/contenders/fresh";
    let ran = lab.run(&["new", "contender", path, "--language", "c"]).expect(0);
    assert!(ran.err.contains("hint: `tare check fixture`"), "{}", ran.err);
    let again = lab.run(&["new", "contender", path, "--language", "c"]).expect(2);
    assert!(again.err.contains("exists already"), "{}", again.err);
    check_fresh(&lab, &["check", "fixture", "--only", "fresh"]);
}

#[test]
fn a_new_workload_passes_its_check() {
    let lab = lab_with_language("c");
    lab.run(&["new", "workload", "workloads/mine", "--language", "c"])
        .expect(0);
    check_fresh(&lab, &["check", "mine"]);
}

/// Builds and checks, where there is a compiler; without one, it is named as missing.
fn check_fresh(lab: &Lab, words: &[&str]) {
    let ran = lab.run(words).expect(0);
    lab.assert_clean();
    if ran.out.contains("skipped") && !can_build_c() {
        eprintln!("skipped: there is no C compiler here");
        return;
    }
    assert!(ran.out.starts_with("ok "), "{}\n{}", ran.out, ran.err);
}

#[test]
fn a_new_folder_has_its_place() {
    let lab = lab_with_language("c");
    for (what, path) in [
        ("workload", "elsewhere/mine"),
        ("workload", "workloads/../mine"),
        ("contender", "workloads/fixture/fresh"),
        ("contender", "/tmp/fresh"),
        ("contender", "workloads/none/contenders/fresh"),
        ("contender", "workloads/fixture/contenders/Fresh"),
    ] {
        let ran = lab.run(&["new", what, path, "--language", "c"]).expect(2);
        assert!(ran.err.starts_with("error: "), "{path}: {}", ran.err);
    }
    let ran = lab
        .run(&[
            "new",
            "contender",
            "workloads/fixture/contenders/fresh",
            "--language",
            "cobol",
        ])
        .expect(2);
    assert!(ran.err.contains("cobol"), "{}", ran.err);
    assert!(!lab.path().join("workloads/fixture/contenders/fresh").exists());
}
