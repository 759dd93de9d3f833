//! Contenders that misbehave: each gets its own state and reason, in the document and in the table; those that
//! behave are measured all the same; the exit status says what happened; nothing is left running.

use serde_json::Value;

use crate::lab::{Lab, Ran, contender, list, run_line, unwrapped};
use crate::misbehave;

/// Answers that are given before a server misbehaves: more than any check asks for, so that it happens under load.
const LATER: &str = "100";

/// Long enough for a server that is well on the busiest machine, and all that a hung one costs us.
pub const TIMEOUT: &str = "5s";

/// What becomes of a misbehaving contender.
pub struct Outcome {
    pub status: i32,
    pub state: &'static str,
    pub fault: &'static str,
    /// What its reason must contain.
    pub says: &'static [&'static str],
}

/// Measures `odd` and `good`, and compares what is reported of both with what is expected.
pub fn judge(lab: &Lab, expected: &Outcome) -> Value {
    judge_run(lab, lab.measure("good,odd", &["--timeout", TIMEOUT]), expected)
}

/// The same of a run that was made.
pub fn judge_run(lab: &Lab, ran: Ran, expected: &Outcome) -> Value {
    lab.assert_clean();
    let ran = ran.expect(expected.status);
    let document = ran.json();
    assert_well(&document, "good");
    let odd = contender(&document, "odd");
    let found = (odd["state"].as_str(), odd["fault"].as_str());
    assert_eq!(
        found,
        (Some(expected.state), Some(expected.fault)),
        "{odd:#}\n{}",
        ran.err
    );
    let reason = odd["reason"].as_str().unwrap();
    for part in expected.says {
        assert!(reason.contains(part), "no {part:?} in: {reason}");
    }
    assert_eq!(odd["metrics"], serde_json::json!({}), "no figure of a faulty one");
    assert_in_table(lab, expected, reason);
    document
}

pub fn assert_well(document: &Value, name: &str) {
    let well = contender(document, name);
    // On a machine that others load, nothing settles for certain: not steady is a figure, too.
    assert!(
        matches!(well["state"].as_str(), Some("measured" | "not-steady")),
        "{well:#}"
    );
    assert!(
        well["metrics"]["throughput"]["estimate"].as_f64().unwrap() > 0.0,
        "{well:#}"
    );
    let requests = &well["requests"];
    assert_eq!(requests["sent"], requests["valid"], "{requests}");
}

/// The table shows its state, and the reason's first line, wrapped.
fn assert_in_table(lab: &Lab, expected: &Outcome, reason: &str) {
    let text = unwrapped(&lab.run(&["report"]).expect(0).out);
    let first = unwrapped(reason.lines().next().unwrap());
    let shown: String = first.chars().take(250).collect();
    let fate = match expected.fault {
        "hung" => "stopped answering",
        "closed-early" => "closed early",
        "unasked" => "sent unrequested bytes",
        "died" => "died",
        "wrong" => "wrong answers",
        "implausible" => "reported impossible times",
        "no-service" => "its service is missing",
        _ => expected.state,
    };
    assert!(text.contains(&format!("without figures odd: {fate}: ")), "{text}");
    assert!(text.contains(&shown), "no {shown:?} in: {text}");
}

fn misbehaving(way: &str) -> Lab {
    Lab::new(&[("good", "good"), ("odd", way)])
}

#[test]
fn a_failed_build_is_shown_with_its_output() {
    let lab = Lab::new(&[("good", "good")]);
    let build = list(&misbehave::command("build-fails", "0"));
    lab.contender("odd", &format!("build = [{build}]\n{}", run_line("good")));
    let outcome = Outcome {
        status: 1,
        state: "failed",
        fault: "build-failed",
        says: &["no such header: doubling.h", "exit status 1"],
    };
    judge(&lab, &outcome);
}

/// They are checked at the same time, each is told its own fault, and the one among them that is well is measured.
#[test]
fn several_that_fail_their_checks_are_each_told_why() {
    let lab = Lab::new(&[
        ("good", "good"),
        ("mute", "hang:1"),
        ("odd", "wrong:1"),
        ("dead", "die:1"),
        ("loud", "twice:1"),
    ]);
    let ran = lab.measure("good,mute,odd,dead,loud", &["--timeout", TIMEOUT]);
    lab.assert_clean();
    let document = ran.expect(3).json();
    assert_well(&document, "good");
    for (name, fault) in [
        ("mute", "hung"),
        ("odd", "wrong"),
        ("dead", "died"),
        ("loud", "unasked"),
    ] {
        let found = contender(&document, name);
        assert_eq!(found["fault"], fault, "{found:#}");
    }
}

#[test]
fn a_contender_that_never_listens_times_out() {
    let outcome = Outcome {
        status: 1,
        state: "failed",
        fault: "never-ready",
        says: &["was not ready within", "accepted no connection", "hint:"],
    };
    judge(&misbehaving("never-listens"), &outcome);
}

#[test]
fn a_contender_that_dies_at_once_is_shown_with_its_last_output() {
    let outcome = Outcome {
        status: 1,
        state: "failed",
        fault: "died-at-start",
        says: &[
            "ended before it was ready",
            "exit status 3",
            "alas, no configuration",
        ],
    };
    judge(&misbehaving("dies-at-once"), &outcome);
}

#[test]
fn a_contender_that_daemonises_gets_a_hint_to_stay_in_the_foreground() {
    let outcome = Outcome {
        status: 1,
        state: "failed",
        fault: "died-at-start",
        says: &["ended before it was ready", "left running", "foreground"],
    };
    judge(&misbehaving("daemon"), &outcome);
}

#[test]
fn a_contender_that_dies_under_load_is_shown_with_its_last_output_and_the_clients_view() {
    let outcome = Outcome {
        status: 3,
        state: "failed",
        fault: "died",
        says: &[
            "ended by itself: exit status 4",
            "one too many",
            "what its client saw",
        ],
    };
    judge(&misbehaving(&format!("die:{LATER}")), &outcome);
}

#[test]
fn a_contender_that_stops_answering_has_hung() {
    let outcome = Outcome {
        status: 3,
        state: "wrong",
        fault: "hung",
        says: &["no answer within 5 s", "requests lost"],
    };
    judge(&misbehaving(&format!("hang:{LATER}")), &outcome);
}

#[test]
fn a_contender_that_leaves_some_requests_unanswered_has_hung() {
    let outcome = Outcome {
        status: 3,
        state: "wrong",
        fault: "hung",
        says: &["no answer within 5 s", "requests lost on 1 connection"],
    };
    judge(&misbehaving(&format!("mute:{LATER}")), &outcome);
}

#[test]
fn a_wrong_answer_is_found_in_the_check() {
    let outcome = Outcome {
        status: 3,
        state: "wrong",
        fault: "wrong",
        says: &[
            "a wrong answer",
            "sent     \"21\\n\"",
            "expected \"42\\n\"",
            "got      \"142\\n\"",
        ],
    };
    judge(&misbehaving("wrong:1"), &outcome);
}

#[test]
fn a_wrong_answer_is_found_under_load() {
    let outcome = Outcome {
        status: 3,
        state: "wrong",
        fault: "wrong",
        says: &["a wrong answer to \"", "expected \"", "got      \"1"],
    };
    let document = judge(&misbehaving(&format!("wrong:{LATER}")), &outcome);
    assert!(
        !contender(&document, "odd")["reason"]
            .as_str()
            .unwrap()
            .contains("the exchange")
    );
}

#[test]
fn an_answer_sent_twice_is_found_in_the_check() {
    let outcome = Outcome {
        status: 3,
        state: "wrong",
        fault: "unasked",
        says: &["more than was asked for", "\"42\\n42\\n\""],
    };
    judge(&misbehaving("twice:1"), &outcome);
}

#[test]
fn an_answer_sent_twice_is_found_under_load() {
    let outcome = Outcome {
        status: 3,
        state: "wrong",
        fault: "unasked",
        says: &["twice"],
    };
    judge(&misbehaving(&format!("twice:{LATER}")), &outcome);
}

#[test]
fn answers_in_pieces_are_right_answers() {
    let lab = misbehaving("in-pieces");
    let document = lab.measure("good,odd", &["--timeout", TIMEOUT]).expect(0).json();
    lab.assert_clean();
    assert_well(&document, "good");
    assert_well(&document, "odd");
}

#[test]
fn unrequested_bytes_are_found_in_the_check() {
    let outcome = Outcome {
        status: 3,
        state: "wrong",
        fault: "unasked",
        says: &["more than was asked for", "by the way"],
    };
    judge(&misbehaving("unasked:1"), &outcome);
}

#[test]
fn unrequested_bytes_are_found_under_load() {
    let lab = misbehaving(&format!("unasked:{LATER}"));
    // One request in flight: with more, the bytes are in the place of the next answer, and count as a wrong one.
    let words = ["--timeout", TIMEOUT, "--pipeline", "1"];
    let document = lab.measure("good,odd", &words).expect(3).json();
    lab.assert_clean();
    assert_well(&document, "good");
    let odd = contender(&document, "odd");
    assert_eq!(odd["state"], "wrong");
    // A new request may have been sent when the bytes are read; both are seen for what they are.
    assert!(
        matches!(odd["fault"].as_str(), Some("unasked" | "wrong")),
        "{odd:#}"
    );
    assert!(odd["reason"].as_str().unwrap().contains("by the way"), "{odd:#}");
}

#[test]
fn a_connection_that_is_closed_early_is_shown_with_the_piece_of_its_answer() {
    let outcome = Outcome {
        status: 3,
        state: "wrong",
        fault: "closed-early",
        says: &[
            "closed a connection with",
            "outstanding",
            "of whose answer it had sent",
        ],
    };
    judge(&misbehaving(&format!("close-early:{LATER}")), &outcome);
}

#[test]
fn a_child_that_holds_the_port_is_ended_with_its_parent() {
    let lab = misbehaving("leak");
    let ran = lab.measure("good,odd", &["--timeout", TIMEOUT]).expect(0);
    lab.assert_clean();
    let document = ran.json();
    assert_well(&document, "good");
    assert_well(&document, "odd");
    assert_note(
        &ran,
        "odd left processes behind when it was stopped, which were ended",
    );
}

#[test]
fn a_contender_that_ignores_the_request_to_end_is_killed() {
    let lab = misbehaving("stubborn");
    let ran = lab.measure("good,odd", &["--timeout", TIMEOUT]).expect(0);
    lab.assert_clean();
    assert_well(&ran.json(), "good");
    assert_well(&ran.json(), "odd");
    assert_note(&ran, "odd did not end on SIGTERM within 2 s and was killed");
}

pub fn assert_note(ran: &Ran, text: &str) {
    let notes = ran.json()["run"]["notes"].to_string();
    assert!(notes.contains(text), "{notes}");
    assert!(ran.err.contains(text), "{}", ran.err);
}

#[test]
fn a_missing_tool_is_named_with_a_hint_and_is_no_fault() {
    let lab = Lab::new(&[("good", "good")]);
    lab.write(
        "languages/rare.toml",
        "schema = 1\nsummary = \"rare\"\nrun = [\"{rarec}\", \"{port}\"]\n\
         [tools.rarec]\nfind = [\"tare-no-such-compiler\"]\napt = [\"tare-no-such-package\"]\n",
    );
    lab.write(
        "workloads/fixture/contenders/odd/contender.toml",
        "schema = 1\nlanguage = \"rare\"\nsummary = \"needs a tool\"\nstyle = \"idiomatic\"\n",
    );
    let outcome = Outcome {
        status: 0,
        state: "skipped",
        fault: "missing-tool",
        says: &[
            "rarec",
            "tare-no-such-compiler",
            "apt-get install",
            "tare-no-such-package",
        ],
    };
    judge(&lab, &outcome);
    let checked = lab.run(&["check", "fixture"]).expect(0);
    assert!(
        checked.out.contains("skipped  fixture/all odd"),
        "{}",
        checked.out
    );
    assert!(
        checked
            .err
            .contains("apt-get install --no-install-recommends tare-no-such-package"),
        "{}",
        checked.err
    );
}

#[test]
fn a_contender_marked_as_broken_is_left_out_without_a_fault() {
    let lab = Lab::new(&[("good", "good")]);
    let broken = "[broken]\nreason = \"it needs a newer kernel\"\nsince = \"2026-11-01\"\n";
    lab.contender("odd", &format!("{}{broken}", run_line("die:1")));
    let outcome = Outcome {
        status: 0,
        state: "skipped",
        fault: "broken",
        says: &["marked as broken since 2026-11-01: it needs a newer kernel"],
    };
    judge(&lab, &outcome);
}

#[test]
fn when_every_contender_fails_the_run_still_reports_why() {
    let lab = Lab::new(&[("good", "wrong:1"), ("odd", "dies-at-once")]);
    let ran = lab.measure("good,odd", &[]).expect(3);
    lab.assert_clean();
    let document = ran.json();
    assert_eq!(contender(&document, "good")["state"], "wrong");
    assert_eq!(contender(&document, "odd")["state"], "failed");
    let text = lab.run(&["report"]).expect(0).out;
    assert!(text.contains("No contender has figures."), "{text}");
}

/// `tare check`: the same contenders, without timing.
#[test]
fn a_check_reports_each_fault_and_continues() {
    let lab = Lab::new(&[
        ("bad", "wrong:1"),
        ("closes", "close-early:1"),
        ("dead", "dies-at-once"),
        ("dies", "die:1"),
        ("good", "good"),
        ("more", "twice:1"),
        ("pieces", "in-pieces"),
    ]);
    let ran = lab.run(&["check", "fixture", "--format", "json"]).expect(3);
    lab.assert_clean();
    let document = ran.json();
    let checked = document["checked"].as_array().unwrap();
    let kinds: Vec<(&str, Option<&str>)> = checked
        .iter()
        .map(|one| (one["contender"].as_str().unwrap(), one["kind"].as_str()))
        .collect();
    let expected = [
        ("bad", Some("wrong")),
        ("closes", Some("closed-early")),
        ("dead", Some("died-at-start")),
        ("dies", Some("died")),
        ("good", None),
        ("more", Some("unasked")),
        ("pieces", None),
    ];
    assert_eq!(kinds, expected, "{document:#}");
    let text = lab.run(&["check", "fixture"]).expect(3).out;
    assert!(text.contains("FAULT    fixture/all bad\n"), "{text}");
    assert!(text.contains("ok       fixture/all good\n"), "{text}");
    lab.run(&["check", "fixture", "--only", "good,pieces"]).expect(0);
    lab.run(&["check", "fixture", "--only", "good,dead"]).expect(1);
}
