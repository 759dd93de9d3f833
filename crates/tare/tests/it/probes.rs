//! Contenders in process and over pipes: correct ones are measured, each faulty one is reported with its own state and
//! reason, the others are measured all the same, and no process is left.

use crate::contenders::{Outcome, TIMEOUT, assert_note, assert_well, judge, judge_run};
use crate::lab::{Lab, contender, list};
use crate::prober;

const WORKLOAD: &str = r#"schema = 1
summary = "some bytes for a number"
job = { kind = "KIND", reference = "reference/{case}.txt" }

[cases.all]
summary = "all of them"
placement = "one-core"
baseline = "good"

[modes.capacity]
primary = "time_per_op"
"#;

/// Runs (of the check, and of the first slice) before one misbehaves under way.
const LATER: &str = "9";

fn lab(kind: &str, odd: &[String]) -> Lab {
    let lab = Lab::new(&[]);
    lab.write("workloads/fixture/workload.toml", &WORKLOAD.replace("KIND", kind));
    lab.write("workloads/fixture/reference/all.txt", &prober::reference());
    for (name, command) in [("good", prober::command("good")), ("odd", odd.to_vec())] {
        lab.contender(name, &format!("run = {}\n", list(&command)));
    }
    lab
}

fn probe(way: &str) -> Lab {
    lab("probe", &prober::command(way))
}

fn pipe(way: &str) -> Lab {
    lab("pipe", &prober::command(way))
}

/// The state of a contender without right answers.
fn wrong(fault: &'static str, says: &'static [&'static str]) -> Outcome {
    Outcome {
        status: 3,
        state: "wrong",
        fault,
        says,
    }
}

/// The state of a contender that died.
fn died(says: &'static [&'static str]) -> Outcome {
    Outcome {
        status: 3,
        state: "failed",
        fault: "died",
        says,
    }
}

fn assert_measured(lab: &Lab) {
    let document = lab.measure("good,odd", &["--timeout", TIMEOUT]).expect(0).json();
    lab.assert_clean();
    for name in ["good", "odd"] {
        assert_well(&document, name);
        let well = contender(&document, name);
        let of = |metric: &str| well["metrics"][metric]["estimate"].as_f64();
        assert!(
            of("time_per_op").unwrap() > 0.0 && of("cpu_per_op").unwrap() > 0.0,
            "{well:#}"
        );
        assert_eq!(of("latency_p50"), None, "nothing waits but the loop");
        assert_eq!(well["bound"], serde_json::Value::Null);
    }
}

#[test]
fn probes_are_measured() {
    assert_measured(&probe("good"));
}

#[test]
fn pairs_over_pipes_are_measured_and_leave_no_pipe() {
    let lab = pipe("good");
    assert_measured(&lab);
    let left = std::fs::read_dir(lab.path().join(".tare/pipes"));
    assert_eq!(left.map_or(0, Iterator::count), 0);
}

#[test]
fn probes_are_measured_by_signals_and_process_clocks_too() {
    let mut lab = pipe("good");
    lab.hold("plain");
    assert_measured(&lab);
}

#[test]
fn a_wrong_result_is_found_in_the_check_and_shown() {
    let says = &[
        "its result of input 3 is wrong",
        "the first difference is at byte 5",
    ];
    judge(&probe("wrong-show"), &wrong("wrong", says));
}

#[test]
fn a_wrong_checksum_is_found_under_load() {
    let says = &[
        "the checksum of",
        "iterations is",
        "it answered",
        "a result was wrong, or left out",
    ];
    judge(&probe(&format!("wrong-sum:{LATER}")), &wrong("wrong", says));
}

#[test]
fn garbage_is_shown() {
    let says = &[
        "asked `run",
        "it answered `segmentation fault, perhaps`",
        "expected `ok NANOS CHECKSUM`",
    ];
    judge(&probe(&format!("garbage:{LATER}")), &wrong("wrong", says));
}

#[test]
fn a_refusal_is_reported_with_its_reason() {
    let says = &["it answered `error`: I have had enough"];
    judge(&probe(&format!("refuses:{LATER}")), &wrong("wrong", says));
}

#[test]
fn an_answer_given_twice_is_found() {
    judge(
        &probe(&format!("twice:{LATER}")),
        &wrong("unasked", &["it said `ok ", "nobody had asked for"]),
    );
}

/// Its greeting may come before the first question or after it: either way it is shown, with a hint.
#[test]
fn output_before_a_request_gets_a_hint_to_use_standard_error() {
    let says = &["hello, I am ready", "standard error"];
    judge(&probe("speaks"), &wrong("unasked", says));
}

#[test]
fn a_time_of_zero_is_refused() {
    judge(
        &probe(&format!("zero:{LATER}")),
        &wrong("implausible", &["a time of zero for"]),
    );
}

#[test]
fn a_time_longer_than_its_round_trip_is_refused() {
    let says = &["it reported 3600 s for", "round trip took only"];
    judge(&probe(&format!("long:{LATER}")), &wrong("implausible", says));
}

/// By its CPU time where it had a core, by the round trip where it had to wait for one. A busy machine may keep both from it, so
/// there are rounds until it had one.
#[test]
fn a_clock_that_is_slow_is_found_out() {
    let lab = probe(&format!("slow-clock:{LATER}"));
    let line =
        "run fixture --only good,odd --launches 1 --rounds 1000 --budget 30s --timeout 5s --format json";
    let ran = lab.run(&line.split(' ').collect::<Vec<&str>>());
    judge_run(&lab, ran, &wrong("implausible", &["round trip"]));
}

/// As where a hypervisor has stopped a core between the loop's end and the answer: the kernel counts that as its CPU time.
#[test]
fn a_single_pause_after_the_timed_loop_is_accepted() {
    assert_measured(&probe("stands-still:15"));
}

#[test]
fn repeated_pauses_after_the_timed_loop_are_refused_after_four_tries() {
    let says = &["round trip took", "4 times in a row", "differ by 2% and 50 µs"];
    judge(
        &probe(&format!("works-after:{LATER}")),
        &wrong("implausible", says),
    );
}

#[test]
fn a_contender_that_hangs_times_out() {
    judge(
        &probe(&format!("hang:{LATER}")),
        &wrong("hung", &["asked `run", "it has not answered within 5."]),
    );
}

#[test]
fn a_contender_that_dies_is_shown_with_its_last_output() {
    let says = &[
        "exit status 4",
        "that was one too many",
        "closed its output without an answer",
    ];
    judge(&probe(&format!("die:{LATER}")), &died(says));
}

#[test]
fn a_contender_that_dies_within_its_answer_is_shown_with_the_partial_answer() {
    let says = &[
        "exit status 6",
        "no time for the rest",
        "closed its output after `ok 12`",
    ];
    judge(&probe(&format!("half-line:{LATER}")), &died(says));
}

#[test]
fn a_contender_that_dies_at_once_is_shown_with_its_last_output() {
    let outcome = Outcome {
        status: 1,
        state: "failed",
        fault: "died-at-start",
        says: &[
            "it ended before it was ready",
            "exit status 3",
            "alas, no configuration",
        ],
    };
    judge(&probe("dies-at-once"), &outcome);
}

#[test]
#[ignore = "slow: waits for half a minute"]
fn slow_a_contender_that_never_answers_times_out_at_its_start() {
    let outcome = Outcome {
        status: 1,
        state: "failed",
        fault: "never-ready",
        says: &["it was not ready", "asked `run 0`", "answers each line"],
    };
    judge(&probe("never-answers"), &outcome);
}

#[test]
fn a_contender_that_closes_its_output_and_stays_alive_has_closed_early() {
    let says = &["it closed its output without an answer"];
    judge(
        &lab("probe", &prober::closes_its_output()),
        &wrong("closed-early", says),
    );
}

#[test]
fn a_contender_that_outlives_its_input_is_asked_to_end() {
    let lab = probe("stays");
    let ran = lab.measure("good,odd", &["--timeout", TIMEOUT]).expect(0);
    lab.assert_clean();
    assert_note(&ran, "odd did not end at the end of its input within 2 s");
}

#[test]
fn a_server_that_dies_ends_its_pair() {
    let says = &["exit status 7", "the server has had enough"];
    judge(&pipe("server-dies:500"), &died(says));
}

#[test]
fn a_deadlocked_pair_has_hung() {
    judge(
        &pipe(&format!("deadlock:{LATER}")),
        &wrong("hung", &["it has not answered within 5."]),
    );
}

#[test]
fn a_killed_tare_leaves_no_process_and_no_pipe() {
    let lab = pipe("good");
    let running = lab.start(lab.tare(&["run", "fixture", "--budget", "60s", "-v"]));
    crate::lab::wait_for("the first round", || lab.slices_kept() > 0);
    running.signal("KILL");
    let _ = running.finish();
    lab.assert_clean_soon();
    let left = std::fs::read_dir(lab.path().join(".tare/pipes"));
    assert_eq!(left.map_or(0, Iterator::count), 0);
}

#[test]
fn a_missing_or_broken_reference_is_reported_before_anything_starts() {
    let lab = probe("good");
    lab.write("workloads/fixture/reference/all.txt", "00\nzz\n");
    let ran = lab.run(&["check"]).expect(2);
    assert!(
        ran.err.contains("reference/all.txt:2: `zz` is no result"),
        "{}",
        ran.err
    );
    std::fs::remove_file(lab.path().join("workloads/fixture/reference/all.txt")).unwrap();
    let ran = lab.run(&["check"]).expect(2);
    assert!(
        ran.err.contains("reference/all.txt") && ran.err.contains("hint:"),
        "{}",
        ran.err
    );
    lab.assert_clean();
}
