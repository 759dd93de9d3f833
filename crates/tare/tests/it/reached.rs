//! Contenders that are reached otherwise than by their job's own protocol.

use crate::contenders::{Outcome, assert_well, judge};
use crate::lab::{Lab, at_once, contender, list, unwrapped};
use crate::responder;

/// The page of every server.
const WORKLOAD: &str = r#"schema = 1
summary = "a page"

[job]
kind = "http"
path = "/?rows=10"
type = "text/html"
fields = ["Date", "Server"]
expect = "PAGE"

[cases.all]
summary = "all of them"
placement = "one-core"
baseline = "good"
modes = ["capacity"]

[modes.capacity]
primary = "throughput"
connections = 4
"#;

/// The workload's manifest.
pub fn workload() -> String {
    WORKLOAD.replace("PAGE", responder::PAGE)
}

/// A lab with responders; `listen`: the key that says where they listen, and the port that they get.
fn lab(contenders: &[(&str, &str)], (listen, port): (&str, &str)) -> Lab {
    let lab = Lab::new(&[]);
    lab.write("workloads/fixture/workload.toml", &workload());
    for (name, way) in contenders {
        let run = list(&responder::command(way, port));
        lab.contender(name, &format!("speaks = \"fastcgi\"\n{listen}\nrun = {run}\n"));
    }
    lab
}

const HANDED: (&str, &str) = ("listen = \"stdin\"", "");
const BY_PORT: (&str, &str) = ("", "{port}");

#[test]
fn responders_are_measured_wherever_they_listen() {
    for listen in [HANDED, BY_PORT] {
        let lab = lab(&[("good", "good"), ("twin", "good")], listen);
        let document = lab.measure("good,twin", &[]).expect(0).json();
        lab.assert_clean();
        for name in ["good", "twin"] {
            assert_well(&document, name);
            let cpu = &contender(&document, name)["metrics"]["cpu_per_op"]["estimate"];
            assert!(cpu.as_f64().unwrap() > 0.0, "{cpu}");
        }
        let check = lab.run(&["check", "fixture"]).expect(0);
        assert!(unwrapped(&check.out).contains("good"), "{}", check.out);
    }
}

#[test]
fn faults_of_responders_are_detected() {
    // From the first answer on, or under load: more than any check asks for.
    let cases: [(&str, i32, &str, &[&str]); 9] = [
        ("wrong", 3, "wrong", &["first difference at byte 4"]),
        (
            "wrong:50",
            3,
            "wrong",
            &["first difference at byte 4", "GET /?rows=10 by FastCGI"],
        ),
        ("no-header", 3, "wrong", &["no CGI answer"]),
        ("wrong-record", 3, "wrong", &["a record of type 9"]),
        ("other-id:50", 3, "wrong", &["a record of request 2313"]),
        ("mixed:50", 3, "wrong", &["a record of request 2313"]),
        ("silent:50", 3, "hung", &["no answer within"]),
        ("fails", 3, "wrong", &["the application's status is 3, not 0"]),
        ("half:50", 3, "closed-early", &["closed", "20 bytes"]),
    ];
    at_once(cases, |(way, status, fault, says)| {
        let outcome = Outcome {
            status,
            state: "wrong",
            fault,
            says,
        };
        judge(&lab(&[("good", "good"), ("odd", way)], HANDED), &outcome);
    });
}

#[test]
fn a_responder_that_answers_twice_is_found_in_the_check() {
    let lab = lab(&[("good", "good"), ("odd", "twice")], HANDED);
    let ran = lab.run(&["check", "fixture", "--format", "json"]).expect(3);
    lab.assert_clean();
    let odd = &ran.json()["checked"][1];
    assert_eq!(
        (&odd["contender"], &odd["kind"]),
        (&"odd".into(), &"unasked".into()),
        "{odd:#}"
    );
    assert!(
        odd["reason"].as_str().unwrap().contains("more than one answer"),
        "{odd:#}"
    );
}

#[test]
fn fastcgi_refuses_more_than_one_request_in_flight() {
    let lab = lab(&[("good", "good")], HANDED);
    let ran = lab.measure("good", &["--pipeline", "3"]);
    lab.assert_clean();
    let said = unwrapped(&(ran.err + &ran.out));
    assert!(
        said.contains("FastCGI has one request in flight on a connection, not 3"),
        "{said}"
    );
}
