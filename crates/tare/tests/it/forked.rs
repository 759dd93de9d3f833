//! CGI programs with no web server in front, which tare starts itself.

use serde_json::Value;

use crate::contenders::{Outcome, assert_well, judge};
use crate::lab::{Lab, at_once, contender};
use crate::reached::workload;

const PAGE: &str = "printf 'Content-Type: text/html\\r\\n\\r\\n<p>hello</p>'";
const HALF: &str = "printf 'Content-Type: text/html\\r\\n\\r\\n<p>hel'";

/// What a program may rely on, of RFC 3875 §4.1 and of its own manifest.
const ASKS: &str = r#"
test "$GATEWAY_INTERFACE $SERVER_PROTOCOL $REQUEST_METHOD" = 'CGI/1.1 HTTP/1.1 GET' || exit 1
test "$SCRIPT_NAME|$PATH_INFO|$QUERY_STRING" = '|/|rows=10' || exit 2
test "$REMOTE_ADDR $SERVER_NAME ${SERVER_PORT:+set} ${SERVER_SOFTWARE:+set}" = '127.0.0.1 127.0.0.1 set set' || exit 3
test "$HTTP_HOST ${CONTENT_LENGTH-none}" = "127.0.0.1:$SERVER_PORT none" || exit 4
test "$OWN" = 'a "b"' && test -x ./page && test -z "$(cat)" || exit 5
test -z "$CARGO_MANIFEST_DIR" || exit 6
"#;

fn lab() -> Lab {
    let lab = Lab::new(&[]);
    lab.write("workloads/fixture/workload.toml", &workload());
    lab
}

/// A CGI program: a script that begins with this line, followed by these.
fn script(lab: &Lab, name: &str, first: &str, lines: &str) {
    program(lab, name, "755");
    let file = format!("workloads/fixture/contenders/{name}/page");
    lab.write(&file, &format!("{first}\n{lines}\n"));
}

fn program(lab: &Lab, name: &str, mode: &str) {
    let build = format!("[[\"cp\", \"page\", \"{{out}}/page\"], [\"chmod\", \"{mode}\", \"{{out}}/page\"]]");
    let keys =
        format!("speaks = \"cgi\"\nrun = [\"{{out}}/page\"]\nbuild = {build}\n[env]\nOWN = 'a \"b\"'\n");
    lab.contender(name, &keys);
}

fn cgi(lab: &Lab, name: &str, lines: &str) {
    script(lab, name, "#!/bin/sh", lines);
}

fn own(document: &Value, name: &str) -> f64 {
    let cpu = &contender(document, name)["metrics"]["cpu_per_op"]["estimate"];
    cpu.as_f64().unwrap_or_else(|| panic!("{name}: {cpu}"))
}

/// What the forker used for an answer of a contender.
fn forkers(document: &Value, name: &str) -> f64 {
    let cost = &contender(document, name)["services"]["forker"]["cpu_per_op"];
    cost.as_f64().unwrap_or_else(|| panic!("{name}: {cost}"))
}

#[test]
fn programs_are_started_for_each_request_in_both_modes() {
    let lab = lab();
    let modes = "[modes.cost]\nprimary = \"cpu_per_op\"\nconnections = 4\n";
    lab.write(
        "workloads/fixture/workload.toml",
        &format!("{}\n{modes}", workload()),
    );
    cgi(&lab, "good", &format!("{ASKS}{PAGE}"));
    cgi(&lab, "twin", PAGE);
    for words in [&["--mode", "capacity"][..], &["--mode", "cost", "--rate", "40"]] {
        let document = lab.measure("good,twin", words).expect(0).json();
        lab.assert_clean();
        for name in ["good", "twin"] {
            let requests = &contender(&document, name)["requests"];
            assert!(
                requests["sent"] == requests["valid"] && requests["valid"].as_u64() > Some(0),
                "{requests}"
            );
            assert!(own(&document, name) > 0.0 && forkers(&document, name) > 0.0);
        }
    }
    let shown = lab.run(&["show", "fixture/good"]).expect(0).out;
    assert!(shown.contains("speaks      = \"cgi\""), "{shown}");
    assert!(lab.run(&["check", "fixture"]).expect(0).out.contains("good"));
}

#[test]
fn a_program_gets_the_body_as_its_input() {
    let lab = lab();
    let posted = workload().replace("kind = ", "method = \"POST\"\nbody = \"<p>hello</p>\"\nkind = ");
    lab.write("workloads/fixture/workload.toml", &posted);
    let lines = "test \"$CONTENT_LENGTH\" = 12 || exit 1; printf 'Content-Type: text/html\\n\\n'; cat";
    cgi(&lab, "good", lines);
    // A program does not have to read it.
    cgi(&lab, "deaf", PAGE);
    let ran = lab.run(&["check", "fixture"]).expect(0);
    assert!(
        ran.out.contains("good") && ran.out.contains("deaf"),
        "{}",
        ran.out
    );
    lab.assert_clean();
}

#[test]
fn without_cgroups_no_process_escapes() {
    let mut lab = lab();
    lab.hold("plain");
    cgi(&lab, "good", PAGE);
    cgi(
        &lab,
        "slow",
        &format!("i=0; while [ $i -lt 4000 ]; do i=$((i+1)); done; {PAGE}"),
    );
    let document = lab.measure("good,slow", &[]).expect(0).json();
    lab.assert_clean();
    assert_well(&document, "good");
    assert_well(&document, "slow");
    assert!(own(&document, "slow") > own(&document, "good"));
}

#[test]
fn a_faulty_program_is_reported_with_its_own_output() {
    let crash = format!("{HALF}; kill -s SEGV $$");
    let half = format!("{HALF}; echo 'no such table' >&2; exit 1");
    let held = format!("sleep 100 & {PAGE}");
    let left = format!("sleep 100 >/dev/null 2>&1 & {PAGE}");
    let cases: [(&str, &str, &'static [&'static str]); 8] = [
        (
            &crash,
            "wrong",
            &[
                "GET /?rows=10 by CGI",
                "the program ended with signal 11 (SIGSEGV)",
                "after 33 bytes",
            ],
        ),
        ("echo '<p>hello</p>'", "wrong", &["no CGI answer: a header line"]),
        ("true", "wrong", &["the output ended before its header did"]),
        (HALF, "wrong", &["first difference at byte 6"]),
        (&half, "wrong", &["ended with exit status 1", "no such table"]),
        ("sleep 100 | sleep 101", "hung", &["no whole answer within"]),
        (
            &held,
            "wrong",
            &["has ended (exit status 0)", "left behind holds its output open"],
        ),
        (
            &left,
            "wrong",
            &["its programs leave processes behind", "(sleep) among them"],
        ),
    ];
    at_once(cases, |(lines, fault, says)| {
        let lab = lab();
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
fn a_program_that_cannot_be_started_is_reported() {
    let lab = lab();
    cgi(&lab, "good", PAGE);
    program(&lab, "odd", "644");
    lab.write("workloads/fixture/contenders/odd/page", "#!/bin/sh\n");
    let outcome = Outcome {
        status: 1,
        state: "failed",
        fault: "died-at-start",
        says: &["out/page is not executable", "chmod 755"],
    };
    judge(&lab, &outcome);
    script(&lab, "odd", "#!/no/such/interpreter", PAGE);
    let outcome = Outcome {
        status: 3,
        state: "wrong",
        fault: "wrong",
        says: &["page could not be started: No such file or directory"],
    };
    judge(&lab, &outcome);
}
