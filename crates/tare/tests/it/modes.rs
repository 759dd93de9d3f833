//! The modes end to end, and what `--install` does before a run.

use serde_json::Value;
use tare_model::record::RunRecord;
use tare_model::subject::Subject;
use tare_store::{NewRun, Store};

use crate::diff::git;
use crate::lab::{Lab, Ran, run_line};

/// The fixture's workload with levels to choose from and a batch.
const WORKLOAD: &str = r#"schema = 1
summary = "doubles integers"
job = { kind = "doubling" }

[cases.all]
summary = "all of them"
placement = "one-core"
baseline = "good"

[modes.capacity]
primary = "throughput"
connections = [2, 5]
depth = 2

[modes.batch]
primary = "duration"
programs = 3
connections = 4
requests = 5
depth = 2
"#;

fn lab() -> Lab {
    let lab = Lab::new(&[("good", "good"), ("twin", "good")]);
    lab.write("workloads/fixture/workload.toml", WORKLOAD);
    lab
}

fn workload(document: &Value) -> &Value {
    &document["workloads"][0]
}

#[test]
fn a_batch_is_its_programs_and_their_requests() {
    let lab = lab();
    let ran = lab.measure("good,twin", &["--mode", "batch"]);
    let document = ran.expect(0).json();
    lab.assert_clean();
    let workload = workload(&document);
    assert_eq!(workload["mode"], "batch");
    assert_eq!(workload["primary"], "duration");
    for contender in workload["contenders"].as_array().unwrap() {
        let duration = &contender["metrics"]["duration"];
        assert_eq!(duration["unit"], "s");
        assert!(duration["estimate"].as_f64().unwrap() > 0.0, "{contender:#}");
    }
    let table = lab.run(&["report", "--format", "slices"]).expect(0).out;
    let header: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    let column = |name: &str| header.iter().position(|one| *one == name).unwrap();
    let (phase, right, programs) = (column("phase"), column("valid"), column("programs"));
    let rows: Vec<Vec<&str>> = table
        .lines()
        .skip(1)
        .map(|row| row.split(',').collect())
        .collect();
    let rounds: Vec<_> = rows.iter().filter(|row| row[phase] == "round").collect();
    // On a busy machine the budget may cut the second launch short.
    assert!(rounds.len() >= 2 && rounds.len().is_multiple_of(2), "{table}");
    for row in rounds {
        assert_eq!(row[right], "60", "3 programs, 4 connections, 5 requests");
        assert_eq!(row[programs].split(' ').count(), 3, "{}", row[programs]);
    }
}

#[test]
fn a_level_is_chosen_in_the_pilot_and_then_kept() {
    let lab = lab();
    let ran = lab.measure("good,twin", &["--mode", "capacity"]);
    let document = ran.expect(0).json();
    lab.assert_clean();
    assert_eq!(
        workload(&document)["driving"]["connections"],
        serde_json::json!([2, 5])
    );
    let table = lab.run(&["report", "--format", "slices"]).expect(0).out;
    let header: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    let column = |name: &str| header.iter().position(|one| *one == name).unwrap();
    let levels = |wanted: &str, who: &str| {
        let rows = table
            .lines()
            .skip(1)
            .map(|row| row.split(',').collect::<Vec<_>>());
        let mine = rows.filter(|row| row[column("phase")] == wanted && row[column("contender")] == who);
        let mut levels: Vec<String> = mine.map(|row| row[column("connections")].to_owned()).collect();
        levels.sort();
        levels.dedup();
        levels
    };
    for who in ["good", "twin"] {
        assert_eq!(levels("pilot", who), ["2", "5"]);
        assert_eq!(levels("round", who).len(), 1);
    }
}

/// A tool that no package brings: its own commands do, into the lab's folder of tools.
#[test]
fn what_is_missing_is_installed_when_asked_for() {
    let lab = lab();
    let this = std::env::current_exe().unwrap();
    let language = format!(
        "schema = 1\nsummary = \"brought\"\n\
         [tools.brought]\nfind = [\"{{tools}}/brought\"]\n\
         install = [[\"cp\", \"{}\", \"{{tools}}/brought\"]]\n",
        this.display()
    );
    lab.write("languages/brought.toml", &language);
    let good = std::fs::read_to_string(
        lab.path()
            .join("workloads/fixture/contenders/good/contender.toml"),
    )
    .unwrap();
    let own = good.replace("\"fixture\"", "\"brought\"");
    let own = own.replace(&format!("\"{}\"", this.display()), "\"{brought}\"");
    assert!(own.contains("{brought}"), "{own}");
    lab.write("workloads/fixture/contenders/odd/contender.toml", &own);
    let missing = lab.run(&["setup", "fixture"]).expect(1);
    assert!(missing.out.contains("brought"), "{}", missing.out);
    let skipped = lab.measure("good,odd", &[]).expect(0).json();
    let odd = |document: &Value| {
        let all = workload(document)["contenders"].as_array().unwrap().clone();
        all.into_iter().find(|one| one["name"] == "odd").unwrap()
    };
    assert_eq!(odd(&skipped)["state"], "skipped");
    let brought = lab.measure("good,odd", &["--install"]).expect(0).json();
    assert_ne!(odd(&brought)["state"], "skipped", "{brought:#}");
    assert!(lab.path().join(".tare/tools/brought").exists());
    lab.run(&["setup", "fixture"]).expect(0);
    lab.assert_clean();
}

#[test]
fn a_run_is_resumed_with_its_settings() {
    let lab = Lab::new(&[("good", "good"), ("twin", "good")]);
    let first = lab
        .measure("good,twin", &["--mode", "cost", "--margin", "2%"])
        .expect(0)
        .json();
    let launches = first["workloads"][0]["launches"].as_u64().unwrap();
    let more = (launches + 2).to_string();
    let words = [
        "run",
        "--resume",
        "latest",
        "--launches",
        &more,
        "--rounds",
        "2",
        "--budget",
        "60s",
        "--format",
        "json",
    ];
    let second = lab.run(&words).expect(0).json();
    let workload = &second["workloads"][0];
    assert!(workload["launches"].as_u64().unwrap() > launches, "{workload:#}");
    assert_eq!(workload["comparisons"][0]["margin"], 0.02);
    assert_eq!(
        second["run"]["settings"]["contenders"]["resumes"],
        first["run"]["id"]
    );
    // One rate for all launches.
    assert_eq!(
        workload["driving"]["rate"],
        first["workloads"][0]["driving"]["rate"]
    );
    // The earlier run is as it was.
    let id = first["run"]["id"].as_str().unwrap();
    let again = lab.run(&["report", id, "--format", "json"]).expect(0).json();
    assert_eq!(again["workloads"], first["workloads"]);
    lab.contender("third", &run_line("good"));
    std::fs::remove_dir_all(lab.path().join("workloads/fixture/contenders/twin")).unwrap();
    let ran = lab.run(&["run", "--resume", "latest"]).expect(2);
    assert!(ran.err.contains("no contender `twin`"), "{}", ran.err);
}

/// `tare run --resume latest`, as short as can be.
fn resume(lab: &Lab) -> Ran {
    let words = [
        "run",
        "--resume",
        "latest",
        "--launches",
        "3",
        "--rounds",
        "2",
        "--budget",
        "20s",
        "--format",
        "json",
    ];
    lab.run(&words)
}

#[test]
fn a_resumed_run_is_driven_as_before() {
    let lab = Lab::new(&[("good", "good"), ("twin", "good")]);
    let options = ["--connections", "3", "--pipeline", "5"];
    let first = lab.measure("good,twin", &options).expect(0).json();
    let driving = &workload(&first)["driving"];
    assert_eq!(driving["depth"], 5);
    // Once more: it is not lost on the way.
    for _ in 0..2 {
        let further = resume(&lab).expect(0).json();
        assert_eq!(workload(&further)["driving"], *driving);
        let settings = &further["run"]["settings"]["contenders"];
        assert_eq!(settings["depth"], 5, "{settings:#}");
        assert_eq!(settings["connections"][0], 3, "{settings:#}");
    }
    // A run whose settings do not say it would go on at the case's own depth.
    again(&lab, |run| {
        run.info.settings.contenders.as_mut().unwrap().depth = None;
    });
    let ran = resume(&lab).expect(2);
    for part in [
        "fixture/all, capacity is not driven as it was",
        "in flight on each connection, at most: 5 then, 2 now",
        "begin a new run",
    ] {
        assert!(ran.err.contains(part), "no {part:?}: {}", ran.err);
    }
    lab.assert_clean();
}

/// As if nothing were known of what it was built from.
fn unbuilt(subject: &mut Subject) {
    match subject {
        Subject::Contender { built, .. } => *built = None,
        other => panic!("{other:?} is not a contender"),
    }
}

/// Keeps the latest run once more, changed.
fn again(lab: &Lab, change: impl FnOnce(&mut RunRecord)) {
    let store = Store::open_existing(lab.path().join(".tare/results.sqlite")).unwrap();
    let mut run = store.run("latest").unwrap();
    change(&mut run);
    let info = run.info;
    let new = NewRun {
        started: info.started + 3600,
        tare: info.tare,
        imported: None,
        machine: info.machine,
        settings: info.settings,
    };
    let mut writer = store.begin_run(&new).unwrap();
    for arena in &run.arenas {
        writer.arena(arena).unwrap();
    }
    writer.finish(info.took, true, &[]).unwrap();
}

#[test]
fn launches_of_another_program_are_not_added() {
    let lab = Lab::new(&[("good", "good"), ("twin", "good")]);
    lab.write(".gitignore", "out-*\nerr-*\n.tare/\n");
    git(lab.path(), &["init", "--quiet"]);
    git(lab.path(), &["add", "."]);
    git(lab.path(), &["commit", "--quiet", "-m", "Begin"]);
    let edit = |level: &str| {
        let env = format!("env = {{ LEVEL = {level:?} }}\n");
        lab.contender("twin", &format!("{}{env}", run_line("good")));
    };
    edit("1");
    lab.measure("good,twin", &[]).expect(0);
    resume(&lab).expect(0);
    // Edited once more: still one file that differs from the commit.
    edit("2");
    let ran = resume(&lab).expect(2);
    for part in [
        "`twin` is not the program that the run measured: it was built from ",
        ", and now from ",
        "launches of different programs are not pooled",
    ] {
        assert!(ran.err.contains(part), "no {part:?}: {}", ran.err);
    }
    assert!(!ran.err.contains("`good`"), "{}", ran.err);
    edit("1");
    resume(&lab).expect(0);
    // A run without a record of its program cannot be resumed.
    again(&lab, |run| unbuilt(&mut run.arenas[0].entrants[0].subject));
    let ran = resume(&lab).expect(2);
    assert!(ran.err.contains("an older tare made it"), "{}", ran.err);
    lab.assert_clean();
}

#[test]
fn launches_of_another_question_or_on_other_cores_are_not_added() {
    let lab = Lab::new(&[("good", "good"), ("twin", "good")]);
    lab.measure("good,twin", &[]).expect(0);
    let file = lab.path().join("workloads/fixture/workload.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let [exchange, otherwise] = [("21", "42"), ("4", "8")]
        .map(|(send, expect)| format!("send = \"{send}\\n\"\nexpect = \"{expect}\\n\"\n"));
    let other = text.replace(&exchange, &otherwise);
    assert_ne!(other, text);
    lab.write("workloads/fixture/workload.toml", &other);
    let ran = resume(&lab).expect(2);
    assert!(ran.err.contains("launches of different questions"), "{}", ran.err);
    lab.write("workloads/fixture/workload.toml", &text);
    // No machine here has that number of cores.
    again(&lab, |run| run.arenas[0].placement.load.push(4095));
    let ran = resume(&lab).expect(2);
    for part in ["4095, and here it is", "--cores-load"] {
        assert!(ran.err.contains(part), "no {part:?}: {}", ran.err);
    }
    lab.assert_clean();
}

#[test]
fn contenders_left_out_by_default_are_measured_when_named() {
    let lab = Lab::new(&[("good", "good"), ("twin", "good")]);
    let apart = format!("by_default = false\n{}", run_line("good"));
    lab.contender("apart", &apart);
    let brief = [
        "run",
        "fixture",
        "--format",
        "json",
        "--launches",
        "2",
        "--rounds",
        "2",
        "--budget",
        "1s",
    ];
    let measured = |more: &[&str]| -> Vec<String> {
        let document = lab.run(&[&brief[..], more].concat()).expect(0).json();
        let all = workload(&document)["contenders"].as_array().unwrap().clone();
        all.iter()
            .map(|one| one["id"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(measured(&[]), ["good", "twin"]);
    assert_eq!(measured(&["--only", "apart,good"]), ["apart", "good"]);
    // A check treats it as any other contender.
    let checked = lab.run(&["check", "fixture"]).expect(0);
    assert!(checked.out.contains("apart"), "{}", checked.out);
    let ran = lab.run(&["run", "fixture", "--except", "good,twin"]).expect(2);
    assert!(ran.err.contains("is measured by default"), "{}", ran.err);
    lab.assert_clean();
}
