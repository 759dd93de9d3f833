//! Contenders behind lighttpd, where that is installed: `.ci/run` installs it.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::contenders::{Outcome, assert_well, judge};
use crate::lab::{Lab, at_once, contender, list};
use crate::reached::workload;
use crate::responder;

/// A lab with the repository's own front, so that what is tested is what is delivered. None: skipped, with a word.
fn lab() -> Option<Lab> {
    if !Path::new("/usr/sbin/lighttpd").exists() {
        eprintln!("skipped: lighttpd is not installed (apt-get install lighttpd)");
        return None;
    }
    let lab = Lab::new(&[]);
    lab.write("workloads/fixture/workload.toml", &workload());
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../services");
    let copied = Command::new("cp").arg("-r").arg(here).arg(lab.path()).status();
    assert!(copied.unwrap().success());
    Some(lab)
}

fn resident(lab: &Lab, name: &str, (speaks, way): (&str, &str), (listen, port): (&str, &str)) {
    let run = list(&responder::command(way, port));
    let keys = format!("speaks = \"{speaks}\"\nfront = \"lighttpd\"\n{listen}\nrun = {run}\n");
    lab.contender(name, &keys);
}

/// A CGI program: a script that ends with these lines.
fn cgi(lab: &Lab, name: &str, lines: &str) {
    lab.contender(
        name,
        "speaks = \"cgi\"\nfront = \"lighttpd\"\nrun = [\"{out}/page\"]\n\
         build = [[\"cp\", \"page\", \"{out}/page\"], [\"chmod\", \"755\", \"{out}/page\"]]\n\
         [env]\nOWN = \"a \\\"b\\\"\"\n",
    );
    let file = format!("workloads/fixture/contenders/{name}/page");
    lab.write(&file, &format!("#!/bin/sh\n{lines}\n"));
}

const PAGE: &str = "printf 'Content-Type: text/html\\r\\n\\r\\n<p>hello</p>'";

const HALF: &str = "printf 'Content-Type: text/html\\r\\n\\r\\n<p>hel'";

/// What its front used for an answer of a contender.
fn front_of(document: &Value, name: &str) -> f64 {
    let front = &contender(document, name)["services"]["lighttpd"]["cpu_per_op"];
    front
        .as_f64()
        .unwrap_or_else(|| panic!("{name} has no front: {front}"))
}

#[test]
fn every_protocol_behind_a_front_is_measured_and_the_front_is_counted_apart() {
    let Some(lab) = lab() else { return };
    resident(&lab, "good", ("fastcgi", "good"), ("listen = \"stdin\"", ""));
    resident(&lab, "port", ("fastcgi", "good"), ("", "{port}"));
    resident(&lab, "scgi", ("scgi", "scgi"), ("listen = \"stdin\"", ""));
    let asks = "test \"$QUERY_STRING$REQUEST_METHOD$OWN\" = 'rows=10GETa \"b\"' || exit 1";
    cgi(&lab, "cgi", &format!("{asks}\n{PAGE}"));
    lab.contender(
        "files",
        "speaks = \"files\"\nfront = \"lighttpd\"\nbuild = [[\"cp\", \"index.html\", \"{out}/index.html\"]]\n",
    );
    lab.write("workloads/fixture/contenders/files/index.html", responder::PAGE);
    let all = ["good", "port", "scgi", "cgi", "files"];
    let document = lab.measure(&all.join(","), &[]).expect(0).json();
    lab.assert_clean();
    for name in all {
        assert_well(&document, name);
        let own = contender(&document, name)["metrics"]["cpu_per_op"]["estimate"].as_f64();
        assert!(own.unwrap() > 0.0, "{name}");
    }
    for name in ["good", "port", "scgi", "cgi"] {
        assert!(front_of(&document, name) > 0.0);
    }
    // Two starts of processes for each answer, against one copy of a few bytes.
    let own = contender(&document, "cgi")["metrics"]["cpu_per_op"]["estimate"].as_f64();
    let resident = contender(&document, "files")["metrics"]["cpu_per_op"]["estimate"].as_f64();
    assert!(
        own > resident,
        "a process for each answer is the contender's: {own:?} {resident:?}"
    );
    assert_eq!(
        contender(&document, "files")["services"],
        Value::Null,
        "it is what is measured"
    );
}

#[test]
fn without_cgroups_no_process_escapes() {
    let Some(mut lab) = lab() else { return };
    lab.hold("plain");
    cgi(&lab, "good", PAGE);
    // Half of its processes are under way whenever it is frozen.
    cgi(
        &lab,
        "slow",
        &format!("i=0; while [ $i -lt 4000 ]; do i=$((i+1)); done; {PAGE}"),
    );
    let document = lab.measure("good,slow", &[]).expect(0).json();
    lab.assert_clean();
    let own = |name: &str| contender(&document, name)["metrics"]["cpu_per_op"]["estimate"].as_f64();
    assert_well(&document, "good");
    assert_well(&document, "slow");
    assert!(own("slow") > own("good"), "{:?} {:?}", own("slow"), own("good"));
    assert!(front_of(&document, "good") > 0.0);
}

#[test]
fn faults_of_a_cgi_program_are_seen_through_the_front() {
    let crash = format!("{HALF}; kill -s SEGV $$");
    let cases: [(&str, &str, &[&str]); 5] = [
        ("exit 3", "wrong", &["expected a status of 2xx"]),
        ("echo '<p>hello</p>'", "wrong", &["got"]),
        (HALF, "wrong", &["first difference at byte 6"]),
        // The web server regards what came before the signal as the complete answer.
        (&crash, "wrong", &["first difference at byte 6"]),
        ("exec sleep 100", "hung", &["no whole answer within"]),
    ];
    at_once(cases, |(lines, fault, says)| {
        let Some(lab) = lab() else { return };
        cgi(&lab, "good", PAGE);
        cgi(&lab, "odd", lines);
        let outcome = Outcome {
            status: 3,
            state: "wrong",
            fault,
            says,
        };
        judge(&lab, &outcome);
    });
}

#[test]
fn faults_of_a_responder_are_seen_through_the_front() {
    // A web server in between answers for it: with a page of its own, or with what it has.
    let cases: [(&str, &[&str]); 7] = [
        ("wrong", &["first difference at byte 4"]),
        ("wrong-record", &["expected a status of 2xx"]),
        ("no-header", &["expected"]),
        ("half", &["expected a status of 2xx"]),
        ("die", &["ended by itself: exit status 4"]),
        // lighttpd passes on what comes for another request, since it has one on a connection.
        ("mixed", &["first difference"]),
        ("silent", &["no whole answer within"]),
    ];
    at_once(cases, |(way, says)| {
        let Some(lab) = lab() else { return };
        resident(&lab, "good", ("fastcgi", "good"), ("listen = \"stdin\"", ""));
        resident(&lab, "odd", ("fastcgi", way), ("listen = \"stdin\"", ""));
        let (state, fault) = match way {
            "die" => ("failed", "died"),
            "silent" => ("wrong", "hung"),
            _ => ("wrong", "wrong"),
        };
        let outcome = Outcome {
            status: 3,
            state,
            fault,
            says,
        };
        judge(&lab, &outcome);
    });
}

#[test]
fn a_front_that_does_not_start_is_reported_with_its_own_output() {
    let Some(lab) = lab() else { return };
    resident(&lab, "good", ("fastcgi", "good"), ("listen = \"stdin\"", ""));
    cgi(&lab, "odd", PAGE);
    lab.write("services/lighttpd/cgi.conf", "server.port = {port}\nnonsense\n");
    let outcome = Outcome {
        status: 1,
        state: "skipped",
        fault: "no-service",
        says: &["the service `lighttpd` did not start", "parser failed"],
    };
    judge(&lab, &outcome);
}
