//! Services of contenders: started, used, counted apart, and misbehaving in every way that a database may.

use std::path::Path;

use serde_json::Value;

use crate::lab::{Lab, Ran, list};
use crate::misbehave;
use crate::scaffold::assert_valid;
use crate::supervision::{ENDLESS, started};

/// Two cases with the same contenders, one with a service.
const WORKLOAD: &str = r#"schema = 1
summary = "doubles integers"
job = { kind = "doubling" }

[cases.alone]
summary = "without a service"
placement = "one-core"
baseline = "good"

[cases.served]
summary = "with a service"
placement = "one-core"
baseline = "good"
services = ["fixture"]

[modes.capacity]
primary = "cpu_per_op"
connections = 4
"#;

/// A lab whose contenders ask the service where there is one, and double by themselves where there is none.
pub fn lab(service: &str) -> Lab {
    let lab = Lab::new(&[]);
    lab.write("workloads/fixture/workload.toml", WORKLOAD);
    for name in ["good", "twin"] {
        let mut words = misbehave::command("good", "{port}");
        words.push("ask={fixture}".to_owned());
        lab.contender(name, &format!("run = {}\n", list(&words)));
    }
    lab.write("services/fixture/service.toml", service);
    lab
}

/// A service that serves in this way; `more` in front of what it gives.
pub fn serves(way: &str, more: &str) -> String {
    let run = list(&misbehave::command(way, "{port}"));
    format!(
        "schema = 1\nsummary = \"the service\"\nrun = {run}\n{more}\n[gives]\nfixture = \"{{host}}:{{port}}\"\n"
    )
}

fn run(lab: &Lab) -> Ran {
    let mut words = vec!["run", "fixture", "--format", "json", "--seed", "7"];
    // Many times what both cases take on an idle machine: the second has its turn on a loaded one, too.
    words.extend(["--launches", "1", "--rounds", "2", "--budget", "12s"]);
    lab.run(&words)
}

/// The case of a results document.
#[track_caller]
fn case<'v>(document: &'v Value, name: &str) -> &'v Value {
    let all = document["workloads"].as_array().unwrap();
    all.iter()
        .find(|one| one["case"] == name)
        .expect("the case is there")
}

pub fn contenders(case: &Value) -> &Vec<Value> {
    case["contenders"].as_array().unwrap()
}

/// On a machine that others load, nothing settles for certain: not steady is a figure, too.
fn has_figures(contender: &Value) -> bool {
    matches!(contender["state"].as_str(), Some("measured" | "not-steady"))
}

/// Everybody of the case without a service was measured, whatever became of the other.
#[track_caller]
fn assert_others_go_on(document: &Value) {
    for contender in contenders(case(document, "alone")) {
        assert!(has_figures(contender), "{contender:#}");
    }
}

/// No contender of the case with the service has figures, all for this fault, which has all these parts.
#[track_caller]
fn assert_left_out(document: &Value, state: &str, fault: &str, says: &[&str]) {
    for contender in contenders(case(document, "served")) {
        assert_eq!(contender["state"], state, "{contender:#}");
        assert_eq!(contender["fault"], fault, "{contender:#}");
        let reason = contender["reason"].as_str().unwrap();
        for part in says {
            assert!(reason.contains(part), "no {part:?} in: {reason}");
        }
    }
}

#[test]
fn what_a_service_uses_is_counted_apart() {
    // So much work for each answer that the contenders, which only ask, cannot use half of it.
    let lab = lab(&serves("burn:200000", ""));
    let ran = run(&lab).expect(0);
    lab.assert_clean();
    let document = ran.json();
    assert_valid(&document);
    let served = case(&document, "served");
    assert_eq!(served["placement"]["services"], serde_json::json!(["fixture"]));
    for contender in contenders(served) {
        assert!(has_figures(contender), "{contender:#}");
        let own = contender["metrics"]["cpu_per_op"]["estimate"].as_f64().unwrap();
        let service = contender["services"]["fixture"]["cpu_per_op"].as_f64().unwrap();
        assert!(service > 2.0 * own, "the service {service}, the contender {own}");
    }
    for contender in contenders(case(&document, "alone")) {
        assert_eq!(contender["services"], Value::Null, "{contender:#}");
    }
    for format in ["text", "md", "html", "json", "slices"] {
        let out = lab.path().join(format!("report.{format}"));
        let path = out.to_str().unwrap();
        lab.run(&["report", "--format", format, "--out", path]).expect(0);
        let text = std::fs::read_to_string(&out).unwrap();
        let expected = match format {
            "slices" => "fixture=0.",
            "json" => "\"fixture\": {",
            _ => "fixture runs beside the load, never paused",
        };
        let text = crate::lab::unwrapped(&text);
        assert!(text.contains(expected), "{format}: no {expected:?} in: {text}");
    }
}

#[test]
fn a_service_is_prepared_once_and_started_afresh() {
    let prepare = "prepare = [[\"sh\", \"-c\", \"echo made; echo fresh > $1\", \"sh\", \"{state}/file\"]]";
    let lab = lab(&serves("good", prepare));
    for (first, folder) in [(true, "services/fixture"), (false, "services/fixture")] {
        let ran = lab.run(&["check", "fixture"]).expect(0);
        assert_eq!(
            ran.err.contains("prepared the service fixture"),
            first,
            "{}",
            ran.err
        );
        assert!(lab.path().join(folder).exists());
        lab.assert_clean();
    }
    // What it does with its state is forgotten; nothing of a run is left in it.
    let made = std::fs::read_dir(lab.path().join(".tare/services")).unwrap();
    let folders: Vec<_> = made.map(|entry| entry.unwrap().path()).collect();
    assert_eq!(folders.len(), 1, "{folders:?}");
    assert!(folders[0].join("out/file").exists());
    assert!(!folders[0].join("live-0").exists());
    // Another folder, another state.
    lab.write("services/fixture/seed.sql", "");
    let ran = lab.run(&["check", "fixture"]).expect(0);
    assert!(ran.err.contains("prepared the service fixture"), "{}", ran.err);
}

#[test]
fn data_needs_no_process() {
    let data = "schema = 1\nsummary = \"data\"\nprepare = [[\"sh\", \"-c\", \"echo > $1\", \"sh\", \"{state}/f\"]]\n\
                [gives]\nfixture = \"{state}/f\"\n";
    let lab = lab(data);
    // A path is not an address, so asking it fails and the contenders double by themselves.
    let document = run(&lab).expect(0).json();
    lab.assert_clean();
    let served = case(&document, "served");
    assert_eq!(served["placement"]["services"], Value::Null, "nothing runs");
    assert!(contenders(served).iter().all(has_figures));
}

#[test]
fn a_service_that_dies_at_once_leaves_out_its_case_with_its_last_output() {
    let lab = lab(&serves("dies-at-once", ""));
    let ran = run(&lab).expect(1);
    lab.assert_clean();
    let says = [
        "the service `fixture` did not start",
        "exit status 3",
        "alas, no configuration",
        ".tare/logs/services/fixture-0.log",
    ];
    assert_left_out(&ran.json(), "skipped", "no-service", &says);
    assert_others_go_on(&ran.json());
    assert_eq!(ran.err.matches("service fixture: ").count(), 1, "{}", ran.err);
    let ran = lab.run(&["check", "fixture"]).expect(1);
    lab.assert_clean();
    assert_eq!(ran.out.matches("ok ").count(), 2, "{}", ran.out);
    assert_eq!(ran.out.matches("skipped ").count(), 2, "{}", ran.out);
}

#[test]
#[ignore = "slow: waits for half a minute"]
fn slow_a_service_that_is_never_ready_leaves_out_its_case() {
    let lab = lab(&serves("never-listens", ""));
    let ran = lab.run(&["check", "fixture", "--format", "json"]).expect(1);
    lab.assert_clean();
    let document = ran.json();
    let checked = document["checked"].as_array().unwrap();
    let of = |case: &str| {
        checked
            .iter()
            .filter(move |one| one["case"] == case)
            .collect::<Vec<_>>()
    };
    assert!(of("alone").iter().all(|one| one["ok"] == true), "{document:#}");
    for one in of("served") {
        assert_eq!(one["kind"], "no-service");
        let reason = one["reason"].as_str().unwrap();
        for part in [
            "`fixture` did not start",
            "was not ready within",
            "accepted no connection",
        ] {
            assert!(reason.contains(part), "no {part:?} in {reason}");
        }
    }
}

#[test]
fn a_service_that_dies_in_a_slice_is_reported_instead_of_its_clients_faults() {
    let lab = lab(&serves("die:100", ""));
    let ran = run(&lab).expect(1);
    lab.assert_clean();
    let says = [
        "the service `fixture` is gone",
        "exit status 4",
        "that was one too many",
    ];
    assert_left_out(&ran.json(), "failed", "service-died", &says);
    assert_others_go_on(&ran.json());
}

#[test]
fn a_failed_preparation_leaves_out_the_case_with_the_last_lines() {
    let prepare = format!("prepare = [{}]", list(&misbehave::command("build-fails", "0")));
    let lab = lab(&serves("good", &prepare));
    for _ in 0..2 {
        let ran = run(&lab).expect(1);
        lab.assert_clean();
        let says = ["`fixture` could not be prepared", "no such header: doubling.h"];
        assert_left_out(&ran.json(), "skipped", "no-service", &says);
        assert_others_go_on(&ran.json());
    }
}

#[test]
fn a_service_without_its_program_leaves_out_its_case_with_the_command_to_install_it() {
    let tool = "[tools.server]\nfind = [\"tare-no-such-server\"]\napt = [\"tare-no-such-package\"]\n";
    let text = serves("good", tool).replace("run = [", "run = [\"{server}\", ");
    let lab = lab(&text);
    let ran = run(&lab).expect(0);
    let hint = "apt-get install --no-install-recommends tare-no-such-package";
    assert_left_out(
        &ran.json(),
        "skipped",
        "missing-tool",
        &["server: found nowhere", hint],
    );
    assert_others_go_on(&ran.json());
    let ran = lab.run(&["setup"]).expect(1);
    assert!(ran.out.contains("service fixture: lacks server\n"), "{}", ran.out);
    assert!(ran.err.contains(hint), "{}", ran.err);
    let ran = lab.run(&["doctor", "--quick"]).expect(0);
    assert!(ran.out.contains("fixture: missing server"), "{}", ran.out);
    assert!(ran.out.contains(hint), "{}", ran.out);
    let ran = lab.run(&["show", "services/fixture"]).expect(0);
    assert!(ran.out.contains("services/fixture/service.toml:3"), "{}", ran.out);
}

#[test]
fn a_service_that_cannot_be_asked_what_it_did_leaves_out_a_case_that_counts() {
    for (client, says) in [
        (
            "while read question; do echo $question; done",
            "by `how much?`: expected `queries=N read=N written=N`, found \"how much?\"",
        ),
        ("echo alas >&2; exit 3", "it ended"),
    ] {
        let counts = format!(
            "[counts]\nrun = [\"sh\", \"-c\", \"{client}\"]\nask = \"how much?\"\nrows = \"{{ids}}\"\n"
        );
        let lab = lab(&serves("good", &counts));
        let row = "job = { kind = \"http\", path = \"/\", answer = { kind = \"world\", rows = 9 } }\n";
        let counted = format!("services = [\"fixture\"]\ncounted = true\n{row}");
        let workload = WORKLOAD.replace("services = [\"fixture\"]\n", &counted);
        lab.write("workloads/fixture/workload.toml", &workload);
        let ran = lab.run(&["check", "fixture", "--format", "json"]).expect(1);
        lab.assert_clean();
        let document = ran.json();
        for one in document["checked"].as_array().unwrap() {
            assert_eq!(one["ok"], one["case"] == "alone", "{one:#}");
            let reason = one["reason"].as_str().unwrap_or_default();
            assert!(
                one["ok"] == true || reason.contains(says),
                "no {says:?} in {reason}"
            );
            assert!(one["ok"] == true || one["kind"] == "no-service", "{one:#}");
        }
    }
}

#[test]
fn what_a_service_leaves_behind_is_named_and_ended() {
    for (way, says) in [
        (
            "leak",
            "the service fixture left processes behind when it was stopped",
        ),
        (
            "stubborn",
            "the service fixture did not end on SIGTERM within 2 s and was killed",
        ),
    ] {
        let lab = lab(&serves(way, ""));
        let ran = run(&lab).expect(0);
        lab.assert_clean();
        assert!(ran.err.contains(says), "{way}: {}", ran.err);
        let notes = ran.json()["run"]["notes"].to_string();
        // Results are read back from the store, where the note of the end is kept too.
        assert!(notes.contains(says), "{way}: {notes}");
    }
}

#[test]
fn a_killed_run_leaves_no_service() {
    for hold in [None, Some("plain")] {
        let mut lab = lab(&serves("good", ""));
        if let Some(way) = hold {
            lab.hold(way);
        }
        let mut words = ENDLESS;
        words[1] = "fixture/served";
        let (run, _) = started(&lab, lab.tare(&words));
        assert!(lab.path().join(".tare/logs/services/fixture-0.log").exists());
        assert!(live_state(lab.path()), "the service works on a copy");
        run.signal("KILL");
        run.finish().expect(-9);
        lab.assert_clean_soon();
        // The next start is not in the way of what the killed one left on the disk.
        lab.run(&["check", "fixture"]).expect(0);
        lab.assert_clean();
        assert!(!live_state(lab.path()));
    }
}

fn live_state(lab: &Path) -> bool {
    let made = std::fs::read_dir(lab.join(".tare/services")).unwrap();
    made.flatten().any(|entry| entry.path().join("live-0").exists())
}

#[test]
fn an_invalid_service_is_refused_before_anything_starts() {
    let lab = lab("schema = 1\nsummary = \"odd\"\nport = 5\n[gives]\nfixture = \"x\"\n");
    for command in ["run", "check"] {
        let ran = lab.run(&[command, "fixture"]).expect(2);
        assert_eq!(
            ran.err,
            "error: services/fixture/service.toml:3: `port` is never in a manifest\n\nhint: the lab owns ports, \
             cores, durations and sleeps; use {port} and {cores}\n"
        );
        lab.assert_clean();
    }
}
