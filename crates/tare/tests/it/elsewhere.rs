//! Machines that take part by ssh: `tare run --hosts server=n1,load=n2,service=n4`. They are folders of this machine, which a program
//! in ssh's place goes to, and are reached at loopback's address.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::hosts;
use crate::lab::{Lab, Ran, is_root, wait_for};
use crate::on::{by_ssh, with_ssh};
use crate::scaffold::assert_valid;
use crate::services::{self, contenders, serves};

fn run(lab: &Lab, what: &str, hosts: &str) -> Ran {
    let mut words = vec!["run", what, "--hosts", hosts, "--format", "json", "--seed", "7"];
    words.extend(["--launches", "1", "--rounds", "2", "--budget", "12s"]);
    lab.start(by_ssh(lab, lab.tare(&words))).finish()
}

/// The same of a whole command line, with slices that are long enough for agents.
fn long(lab: &Lab, line: &str) -> Ran {
    let words: Vec<&str> = line.split(' ').collect();
    lab.start(by_ssh(lab, hosts::long(lab.tare(&words)))).finish()
}

/// A lab with a service that serves in this way, and nodes.
fn served(way: &str) -> Lab {
    let lab = services::lab(&serves(way, ""));
    with_ssh(&lab);
    lab
}

#[test]
fn a_service_is_held_on_another_machine() {
    let lab = served("burn:200000");
    let ran = run(&lab, "fixture/served", "service=n4").expect(0);
    lab.assert_clean();
    let document = ran.json();
    assert_valid(&document);
    let served = &document["workloads"][0];
    assert_eq!(served["placement"]["services"], serde_json::json!(["fixture"]));
    let on = &served["placement"]["services_on"];
    assert_eq!(on["name"], "n4", "{on}");
    assert!(!is_root() || on["host"] == "n4", "{on}");
    for contender in contenders(served) {
        let own = contender["metrics"]["cpu_per_op"]["estimate"].as_f64().unwrap();
        let service = contender["services"]["fixture"]["cpu_per_op"].as_f64().unwrap();
        assert!(service > 2.0 * own, "the service {service}, the contender {own}");
    }
    assert!(
        !lab.path().join(".tare/services").exists(),
        "nothing of it is made here"
    );
    let told = lab.run(&["report"]).expect(0).out;
    assert!(
        crate::lab::unwrapped(&told).contains("fixture runs on n4 ("),
        "{told}"
    );
}

#[test]
fn a_service_that_fails_on_another_machine_is_told_as_here() {
    for (way, fault, says) in [
        ("dies-at-once", "no-service", "alas, no configuration"),
        ("die:100", "service-died", "that was one too many"),
    ] {
        let lab = served(way);
        let ran = run(&lab, "fixture/served", "service=n4").expect(1);
        lab.assert_clean();
        for contender in contenders(&ran.json()["workloads"][0]) {
            assert_eq!(contender["fault"], fault, "{contender:#}");
            let reason = contender["reason"].as_str().unwrap();
            assert!(reason.contains(says) && reason.contains("n4"), "{reason}");
            assert!(reason.matches("did not start").count() < 2, "{reason}");
        }
    }
}

/// Each of them would take the lab's folder there for itself.
#[test]
fn services_of_one_machine_are_held_together() {
    let lab = served("good");
    let other = serves("good", "").replace("fixture =", "other =");
    lab.write("services/other/service.toml", &other);
    let manifest = std::fs::read_to_string(lab.path().join("workloads/fixture/workload.toml")).unwrap();
    let both = manifest.replace("services = [\"fixture\"]", "services = [\"fixture\", \"other\"]");
    assert_ne!(manifest, both);
    lab.write("workloads/fixture/workload.toml", &both);
    let ran = run(&lab, "fixture/served", "service=n4").expect(0);
    lab.assert_clean();
    assert!(!ran.err.contains("note:"), "both end in order: {}", ran.err);
    let served = &ran.json()["workloads"][0];
    for contender in contenders(served) {
        for service in ["fixture", "other"] {
            let cpu = &contender["services"][service]["cpu_per_op"];
            assert!(cpu.is_number(), "{service}: {contender:#}");
        }
    }
}

#[test]
fn nothing_elsewhere_survives_a_killed_tare() {
    let lab = served("good");
    let words = [
        "run",
        "fixture/served",
        "--hosts",
        "service=n4,load=n2",
        "--until",
        "decided",
        "--margin",
        "0",
    ];
    let mut run = lab.start(by_ssh(&lab, hosts::long(lab.tare(&words))));
    let store = lab.path().join(".tare/results.sqlite");
    wait_for("measuring", || {
        run.ended() || store.exists() && lab.run(&["report", "--format", "slices"]).out.contains(",round,")
    });
    assert!(!run.ended(), "{}", run.finish().err);
    run.signal("KILL");
    assert_ne!(run.finish().status, 0);
    lab.assert_clean_soon();
}

/// A holder as ssh would start it, which is asked for the service.
fn holder(lab: &Lab) -> (Child, ChildStdin) {
    let mut tare = lab.tare(&["__holder"]);
    tare.env("SSH_CONNECTION", "127.0.0.1 50000 127.0.0.1 22");
    tare.stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut holder = tare.spawn().unwrap();
    let hold = r#"{"hold":{"version":"VERSION","service":"fixture","counted":false,"install":false}}"#;
    let mut input = holder.stdin.take().unwrap();
    writeln!(input, "{}", hold.replace("VERSION", env!("CARGO_PKG_VERSION"))).unwrap();
    (holder, input)
}

/// What a holder says.
fn lines(holder: &mut Child) -> impl Iterator<Item = String> + use<> {
    let output = BufReader::new(holder.stdout.take().unwrap());
    output.lines().map_while(Result::ok)
}

/// No connection ends where a machine loses its power.
#[test]
fn services_end_when_nothing_is_heard_any_more() {
    let lab = served("good");
    let (mut holder, mut input) = holder(&lab);
    let mut said = lines(&mut holder);
    let ready = said.next().unwrap();
    assert!(ready.starts_with("{\"ready\""), "{ready}");
    // What is said in time keeps it.
    for _ in 0..25 {
        std::thread::sleep(Duration::from_secs(1));
        writeln!(input, "\"beat\"").unwrap();
    }
    writeln!(input, r#"{{"of":{{"number":0,"what":"cpu"}}}}"#).unwrap();
    let cpu = said.next().unwrap();
    assert!(cpu.starts_with("{\"cpu\""), "{cpu}");
    let ended = holder.wait_with_output().unwrap();
    drop(input);
    let why = String::from_utf8_lossy(&ended.stderr);
    assert!(
        !ended.status.success() && why.contains("nothing was heard"),
        "{why}"
    );
    lab.assert_clean();
}

/// A run that is continued after a kill meets what the killed one had started, as long as that is ending.
#[test]
fn a_holder_waits_for_the_end_of_another() {
    let lab = served("good");
    let (mut first, input) = holder(&lab);
    assert!(lines(&mut first).next().unwrap().starts_with("{\"ready\""));
    let (mut second, other) = holder(&lab);
    std::thread::sleep(Duration::from_millis(500));
    assert!(second.try_wait().unwrap().is_none(), "it waits");
    drop(input);
    assert!(first.wait().unwrap().success());
    assert!(lines(&mut second).next().unwrap().starts_with("{\"ready\""));
    drop(other);
    assert!(second.wait().unwrap().success());
    lab.assert_clean();
}

#[test]
fn agents_are_started_by_ssh() {
    let lab = hosts::lab(&hosts::GOOD);
    let nodes = with_ssh(&lab);
    let ran = long(
        &lab,
        "run fixture --hosts load=n2,n3 --mode capacity --rounds 2 --launches 1 --budget 1s --format json",
    )
    .expect(0);
    let document = ran.json();
    let agents = document["workloads"][0]["placement"]["agents"]
        .as_array()
        .unwrap();
    let names: Vec<&Value> = agents.iter().map(|agent| &agent["name"]).collect();
    assert_eq!(names, ["n2", "n3"]);
    assert!(nodes.join("n3/.cache/tare/agent/tare").exists());
    lab.assert_clean_soon();
    // Wherever they listen the next time, they are the same.
    let ran = long(&lab, "run --resume latest --launches 2 --budget 2s --format json").expect(0);
    assert_eq!(ran.json()["workloads"][0]["launches"], 2);
    lab.assert_clean_soon();
}

#[test]
fn machines_get_the_roles_of_the_suite() {
    let lab = served("good");
    let manifest = std::fs::read_to_string(lab.path().join("workloads/fixture/workload.toml")).unwrap();
    let suite = "[suites.default]\nsummary = \"of two machines\"\nmachines = { load = 1, service = true }\n\n\
                 [[suites.default.parts]]\ncases = [\"served\"]\n";
    lab.write("workloads/fixture/workload.toml", &format!("{manifest}\n{suite}"));
    let line = "run fixture --hosts n2,n4 --rounds 2 --launches 1 --budget 12s --format json";
    let document = long(&lab, line).expect(0).json();
    let placement = &document["workloads"][0]["placement"];
    assert_eq!(placement["agents"][0]["name"], "n2");
    assert_eq!(placement["services_on"]["name"], "n4");
    lab.assert_clean_soon();
    for (line, says) in [
        (
            "run fixture --hosts n2",
            "takes 1 machine for the load and one for services, and --hosts names 1",
        ),
        ("run fixture/served --hosts n2", "takes no other machines"),
        ("run --resume latest --hosts n2", "takes no other machines"),
    ] {
        let refused = long(&lab, line).expect(2);
        assert!(
            crate::lab::unwrapped(&refused.err).contains(says),
            "{line}: {}",
            refused.err
        );
    }
}

#[test]
fn contenders_run_where_the_server_is() {
    let lab = served("good");
    let hosts = "server=n1,load=n2,service=n4";
    let line =
        format!("run fixture/served --hosts {hosts} --rounds 2 --launches 1 --budget 12s --format json");
    let ran = long(&lab, &line).expect(0);
    let document = ran.json();
    assert!(
        !is_root() || document["run"]["machine"]["host"] == "n1",
        "{document:#}"
    );
    let placement = &document["workloads"][0]["placement"];
    assert_eq!(placement["agents"][0]["name"], "n2");
    assert_eq!(placement["services_on"]["name"], "n4");
    assert!(lab.path().join("nodes/n2/.cache/tare/agent/tare").exists());
    assert!(
        ran.err.contains("n1: built"),
        "what happens there is told: {}",
        ran.err
    );
    lab.assert_clean_soon();
}

#[test]
fn roles_that_cannot_be_had_are_refused() {
    let lab = served("good");
    for (words, says) in [
        (
            &["fixture/alone", "--hosts", "service=n4"][..],
            "n4 would have nothing to do",
        ),
        (
            &["fixture", "--hosts", "service=lost"],
            "lost: copying the lab failed",
        ),
        (
            &["fixture", "--hosts", "load=lost"],
            "lost: copying the lab failed",
        ),
        (
            &["fixture", "--hosts", "server=lost"],
            "lost: asking for its processor failed",
        ),
        (
            &["fixture", "--hosts", "server=n1", "--plan"],
            "--plan is for a run of this machine",
        ),
        (
            &["fixture", "--hosts", "server=n1,load=n2:7400"],
            "without a port",
        ),
        (&["fixture", "--hosts", "client=n1"], "`client` is no role"),
    ] {
        let ran = lab
            .start(by_ssh(&lab, lab.tare(&[&["run"], words].concat())))
            .finish();
        assert!(
            ran.status != 0 && ran.err.contains(says),
            "{words:?}: {}",
            ran.err
        );
    }
    lab.assert_clean();
}
