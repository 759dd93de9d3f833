//! What a newcomer meets: mistakes that are easily made, each answered before anything is measured with what was tried, what
//! was found, and what to do; options of other tools; a sentence at the end.

use std::fs;
use std::net::TcpListener;
use std::process::Command;

use crate::lab::{Lab, Ran, SLICE, is_root, unwrapped};
use crate::load::{OK, http};

/// `tare` outside of any lab, in a folder with `words.txt`, with a state folder of its own.
pub struct Newcomer {
    pub folder: tempfile::TempDir,
}

impl Newcomer {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("words.txt"), "b\na\n").unwrap();
        Self { folder }
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tare"));
        command
            .args(words)
            .current_dir(self.folder.path())
            .env("XDG_STATE_HOME", self.folder.path().join("state"))
            .env("NO_COLOR", "1")
            .env(SLICE.0, SLICE.1);
        command
    }

    pub fn run(&self, words: &[&str]) -> Ran {
        ran(self.command(words))
    }

    /// These words are refused with this status, these parts of a message and a hint, and nothing is measured.
    #[track_caller]
    fn refused(&self, words: &[&str], status: i32, parts: &[&str]) {
        let ran = self.run(words).expect(status);
        assert_message(&ran.err, parts);
        assert_eq!(ran.out, "", "{words:?}");
        let store = self.folder.path().join("state/tare/results.sqlite");
        assert!(!store.exists(), "{words:?} measured something");
    }
}

pub fn ran(mut command: Command) -> Ran {
    let output = command.output().unwrap();
    Ran {
        status: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Every error has the same form: what was found, and after an empty line what to do.
#[track_caller]
pub fn assert_message(err: &str, parts: &[&str]) {
    assert!(err.starts_with("error: ") && err.contains("\n\nhint: "), "{err}");
    for part in parts {
        assert!(err.contains(part), "no {part:?}: {err}");
    }
}

#[test]
fn a_slip_in_a_command_is_answered_with_the_one_that_was_meant() {
    let new = Newcomer::new();
    new.refused(
        &["rnu"],
        2,
        &["there is no command `rnu`", "did you mean `tare run`?"],
    );
    new.refused(
        &["compare"],
        2,
        &["tare time 'A' 'B'", "tare load URL URL", "tare diff REV"],
    );
    new.refused(
        &["diff", "HEAD"],
        2,
        &["nothing to measure", "tare diff HEAD -- ./program"],
    );
    new.refused(&["time"], 2, &["needs <COMMAND>", "as in: tare time '"]);
}

#[test]
fn commands_that_are_none_are_refused_before_anything_runs() {
    let new = Newcomer::new();
    new.refused(
        &["time", "sort", "words.txt"],
        2,
        &[
            "`words.txt` is not a command: it is a file, and not a program",
            "in quotes: tare time 'sort words.txt'",
        ],
    );
    new.refused(
        &["time", "sort", "-x", "words.txt"],
        2,
        &["tare time 'sort -x words.txt'"],
    );
    new.refused(
        &["time", "sleep {n}"],
        2,
        &["there is no parameter `n`", "--param n 1,10,100"],
    );
    new.refused(&["time", ""], 2, &["command 1 is empty"]);
    new.refused(
        &["time", "sleep {n}", "--param", "n", "4..1"],
        2,
        &["--param n: the range `4..1` is empty", "1..64*2"],
    );
}

#[test]
fn a_range_is_the_values_of_a_parameter() {
    let new = Newcomer::new();
    let words = [
        "time", ": {n}", "--param", "n", "1..4*2", "-r", "1", "--format", "json",
    ];
    let document = new.run(&words).expect(0).json();
    let sizes: Vec<u64> = document["workloads"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["size"].as_u64().unwrap())
        .collect();
    assert_eq!(sizes, [1, 2, 4]);
}

#[test]
fn servers_that_are_none_are_refused_before_the_load() {
    let new = Newcomer::new();
    new.refused(
        &["load", "localhost:8080"],
        2,
        &["it has no scheme", "did you mean `http://localhost:8080`?"],
    );
    new.refused(
        &["load", "httpx://localhost/"],
        2,
        &["is not a target", "https://"],
    );
    new.refused(
        &["load", "100", "http://localhost/"],
        2,
        &["`100` is not a target", "-R 100"],
    );
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let gone = format!("http://{free}/");
    let says = format!("nothing listens at {free}, for {gone}");
    for words in [&["load", &gone][..], &["load", &http(OK), &gone]] {
        new.refused(words, 1, &[&says, "start the server first"]);
    }
}

#[test]
fn gates_that_cannot_hold_are_refused_before_measuring() {
    let new = Newcomer::new();
    let time = |gate: &'static str| ["time", "true", ":", "--names", "a,b", "--fail-if", gate];
    new.refused(
        &time("slow"),
        2,
        &[
            "--fail-if slow: there is no gate `slow`",
            "did you mean `slower`?",
        ],
    );
    new.refused(
        &time("slower:nobody"),
        2,
        &["--fail-if: nothing here is called `nobody`: there are a, b"],
    );
    new.refused(&time("slower:a"), 2, &["`a` is the baseline"]);
    new.refused(
        &time("latency_p98 > 1s"),
        2,
        &["`latency_p98` is not a metric", "latency_p99"],
    );
    new.refused(
        &time("duration > 3"),
        2,
        &["`3` is no limit of duration", "200ms or 1.5s"],
    );
    let server = http(OK);
    new.refused(
        &[
            "load",
            &server,
            &server,
            "--names",
            "a,b",
            "--fail-if",
            "slower:c",
        ],
        2,
        &["nothing here is called `c`"],
    );
    new.refused(
        &["load", &server, "--fail-if", "slower"],
        2,
        &["is for several servers"],
    );
    let lab = Lab::new(&[("good", "good"), ("twin", "good")]);
    for (gate, says) in [
        (
            "slower:nobody",
            "nothing here is called `nobody`: there are good, twin",
        ),
        ("slower:good", "`good` is the baseline"),
    ] {
        let ran = lab.run(&["run", "fixture", "--fail-if", gate]).expect(2);
        assert!(
            ran.err.contains(says) && ran.err.contains("\n\nhint: "),
            "{}",
            ran.err
        );
    }
    assert_eq!(lab.slices_kept(), 0);
}

#[test]
fn what_cannot_be_kept_or_written_is_found_out_before_measuring() {
    let new = Newcomer::new();
    let time = ["time", "true", ":", "-r", "1"];
    // A file where a folder would have to be: even root cannot write below it.
    for option in [
        "--export-json",
        "--export-md",
        "--export-html",
        "--export-csv",
        "--export-hyperfine",
    ] {
        let words = [&time[..], &[option, "words.txt/below"]].concat();
        new.refused(
            &words,
            1,
            &["cannot write words.txt/below", "nothing was measured"],
        );
    }
    let lab = Lab::new(&[("good", "good")]);
    lab.write("file", "");
    for words in [
        &["run", "fixture", "--out", "file/below"][..],
        &["explain", "fixture", "good", "good", "--out", "file/below"],
        &["diff", "HEAD", "fixture/good", "--comment", "file/below"],
    ] {
        let ran = lab.run(words).expect(1);
        assert_message(&ran.err, &["cannot write file/below"]);
    }
    assert_eq!(lab.slices_kept(), 0);
    let mut unwritable = new.command(&time);
    unwritable.env("XDG_STATE_HOME", new.folder.path().join("words.txt"));
    let ran = ran(unwritable).expect(1);
    assert_message(&ran.err, &["words.txt/tare", "XDG_STATE_HOME", "-C DIR"]);
}

#[test]
fn names_of_what_is_not_there_are_answered_with_what_to_do() {
    let new = Newcomer::new();
    new.refused(
        &["import", "nothing.json"],
        2,
        &["cannot read nothing.json", "results.json"],
    );
    new.refused(
        &["man", "words.txt/below"],
        1,
        &["cannot write words.txt/below/", "in a folder that can be written"],
    );
    new.refused(
        &["site", "public"],
        1,
        &["nothing was measured here yet", "hint: `tare run` makes it"],
    );
    new.run(&["time", "true", "-r", "1", "-q"]).expect(0);
    let ran = new.run(&["report", "nine"]).expect(2);
    assert_message(
        &ran.err,
        &["no run is called `nine`", "hint: `tare list runs` shows all"],
    );
}

#[test]
fn an_empty_store_says_what_fills_it() {
    let new = Newcomer::new();
    for words in [&["report"][..], &["show", "latest"], &["history", "a/b"]] {
        new.refused(
            words,
            1,
            &[
                "nothing was measured here yet",
                "results.sqlite",
                "`tare time 'A' 'B'`",
            ],
        );
    }
    assert_eq!(new.run(&["list", "runs"]).expect(0).out, "none yet\n");
}

#[test]
fn a_gate_that_fails_says_which_by_how_much_and_where_the_report_is() {
    let new = Newcomer::new();
    let words = ["time", ":", "sleep 0.3", "-r", "4", "--names", "a,b"];
    let ran = new
        .run(&[&words[..], &["--fail-if", "duration:b > 1ms"]].concat())
        .expect(4);
    assert_message(
        &ran.err[ran.err.find("error: ").unwrap()..],
        &[
            "the gate `--fail-if 'duration:b > 1.00 ms'` does not hold",
            "duration of b is ",
            "above the limit of 1.00 ms",
            "tare report 2",
        ],
    );
    new.run(&[&words[..], &["--fail-if", "duration > 100s"]].concat())
        .expect(0);
    // Nothing is known of the latency of a command.
    let ran = new
        .run(&[&words[..], &["--fail-if", "latency_p99 > 1s"]].concat())
        .expect(4);
    assert!(ran.err.contains("Nothing here has a p99 latency"), "{}", ran.err);
    // Of several gates all have to hold, and each that does not is named.
    let three = ["duration:b > 1ms", "duration > 100s", "throughput > 1/s"].map(|gate| ["--fail-if", gate]);
    let ran = new.run(&[&words[..], &three.concat()].concat()).expect(4);
    let broken = ran.err.matches("does not hold:").count();
    assert_eq!(broken, 2, "{}", ran.err);
    assert_message(
        &ran.err[ran.err.find("error: ").unwrap()..],
        &[
            "the gate `--fail-if 'duration:b > 1.00 ms'` does not hold:\n    duration of b is ",
            "the gate `--fail-if 'throughput > 1.00 /s'` does not hold:\n    Nothing here has a throughput",
            "tare report 2",
        ],
    );
    let undecided = [
        "time",
        ":",
        "true",
        "-r",
        "2",
        "--names",
        "a,b",
        "--fail-if",
        "not-proven",
    ];
    let ran = new.run(&undecided).expect(4);
    assert!(ran.err.contains("b against a is inconclusive"), "{}", ran.err);
}

#[test]
fn one_server_has_a_gate_by_a_limit() {
    let new = Newcomer::new();
    let server = http(OK);
    let load = |gate: &str| new.run(&["load", &server, "-c", "2", "-n", "6000", "-q", "--fail-if", gate]);
    load("latency_p99 > 100s").expect(0);
    load("throughput < 1/s").expect(0);
    let ran = load("throughput < 1000M/s").expect(4);
    assert!(ran.err.contains("below the limit of 1000M /s"), "{}", ran.err);
    let ran = load("memory_peak > 1B").expect(4);
    assert!(ran.err.contains("has no peak memory"), "{}", ran.err);
}

#[test]
fn a_comparison_ends_with_a_sentence_and_names_are_short() {
    let new = Newcomer::new();
    let words = ["time", "sleep 0.001", "sleep 0.2", "-r", "12"];
    let text = unwrapped(&new.run(&words).expect(0).out);
    let last = text.trim_end().rsplit("sleep-0-2 is ").next().unwrap().to_owned();
    assert!(
        last.contains(" times slower than sleep-0-001 (") && last.ends_with("5% error rate)."),
        "{last}"
    );
    let words = [
        "time",
        "sort words.txt",
        "cat words.txt",
        "-r",
        "1",
        "--format",
        "json",
    ];
    let document = new.run(&words).expect(0).json();
    let contenders = document["workloads"][0]["contenders"].as_array().unwrap();
    let names: Vec<&str> = contenders.iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!(names, ["sort", "cat", "nothing"]);
    let markdown = new.run(&["report", "--format", "md"]).expect(0).out;
    assert!(
        markdown.contains("**cat against sort is inconclusive"),
        "{markdown}"
    );
}

#[test]
fn what_users_of_other_tools_type_is_taken() {
    let new = Newcomer::new();
    let server = http(OK);
    new.refused(&["load", &server, "-t", "4"], 2, &["has no -t", "--cores 0,1"]);
    let words = [
        "load",
        &server,
        "-c",
        "2",
        "-z",
        "200ms",
        "-q",
        "500",
        "-T",
        "2s",
        "-A",
        "text/plain",
        "-d",
        "hello",
        "-m",
        "PUT",
        "--disable-keepalive",
        "-j",
    ];
    let ran = new.run(&words).expect(0);
    assert!(ran.json()["rate_kept"].is_boolean(), "{}", ran.out);
    assert!(
        ran.err.contains("note: -d hello is taken for the body"),
        "{}",
        ran.err
    );
    let words = [
        "time",
        "-w",
        "0",
        "-r",
        "2",
        "-S",
        "none",
        "-L",
        "n",
        "1,x",
        "true {n}",
        "-i",
        "-n",
        "a",
        "-n",
        "b",
        "--export-markdown",
        "t.md",
    ];
    new.run(&words).expect(0);
    let table = fs::read_to_string(new.folder.path().join("t.md")).unwrap();
    assert!(
        table.contains("| a |") || table.contains("| a (baseline) |") || table.contains(" a "),
        "{table}"
    );
    let words = [
        "load",
        &server,
        "-c",
        "2",
        "-z",
        "100ms",
        "-m",
        "GET",
        "-H",
        "A: b",
        "--latency",
    ];
    assert!(new.run(&words).expect(0).out.contains("throughput"));
}

#[test]
fn help_is_short_or_long() {
    let new = Newcomer::new();
    let out = |words: &[&str]| new.run(words).expect(0).out;
    for command in ["time", "load", "run"] {
        let (short, long) = (out(&[command, "-h"]), out(&["help", command]));
        assert!(short.lines().count() < long.lines().count(), "{command}");
        assert!(short.contains("Examples:\n  tare "), "{short}");
        assert!(
            long.contains("--margin") && !short.contains("--margin"),
            "{short}"
        );
    }
    let top = out(&["-h"]);
    assert!(
        top.contains("Compare:\n  time ") && top.contains("Stored runs:"),
        "{top}"
    );
    assert!(out(&["--help"]).contains("Exit status:"));
    assert!(
        !out(&["time", "-h"]).contains("html,"),
        "only formats that it has"
    );
}

/// Pinning its own children to cores, and pausing them, needs no capability.
#[test]
fn a_container_without_cap_sys_nice_measures_as_any_other() {
    if !is_root() || Command::new("setpriv").arg("--version").output().is_err() {
        eprintln!("skipped: setpriv, as root, is what takes the capability away");
        return;
    }
    let lab = Lab::new(&[("good", "good")]);
    let without = [
        "setpriv",
        "--bounding-set",
        "-sys_nice",
        "--inh-caps",
        "-sys_nice",
    ];
    let words = ["time", "true", "-r", "1", "--cores", "0"];
    let ran = lab.start(lab.through(&without, &words)).finish().expect(0);
    assert!(ran.out.contains("time/commands"), "{}", ran.out);
    lab.start(lab.through(&without, &["check", "fixture"]))
        .finish()
        .expect(0);
    lab.assert_clean();
}
