//! Explanations of pairs that differ in exactly one thing, which must be found; and what is told where nothing may be
//! recorded. What is asserted are counts, names and proportions that hold however slow the machine is.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::lab::{Lab, Ran};

const WORKLOAD: &str = r#"schema = 1
summary = "a number for a number"
job = { kind = "probe", reference = "reference/{case}.txt" }

[cases.all]
summary = "all of them"
placement = "all-cores"
baseline = "plain"

[modes.capacity]
primary = "time_per_op"
"#;

const LANGUAGE: &str = r#"schema = 1
summary = "C"
build = [["cc", "-O2", "-pthread", "-o", "{out}/server", "cause.c"]]
run = ["{out}/server"]
"#;

/// Whether a program can be run here; where one is missing, what needs it is left out, and says so.
fn have(program: &str) -> bool {
    let asked = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let have = asked.is_ok_and(|status| status.success());
    if !have {
        eprintln!("no `{program}` here: not tested");
    }
    have
}

/// Whether perf may record the kernel's side, too: as the kernel says it.
fn may_record() -> bool {
    let paranoid = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").unwrap_or_default();
    let able = crate::lab::is_root() || paranoid.trim().parse::<i32>().is_ok_and(|level| level < 0);
    let tracepoints = Path::new("/sys/kernel/tracing/events/raw_syscalls").exists();
    if !(able && tracepoints) {
        eprintln!("perf may not record all here: not tested");
    }
    able && tracepoints
}

/// A lab of the plain contender and one with a cause.
fn lab(cause: &str) -> Lab {
    let lab = Lab::new(&[]);
    lab.write("languages/fixture.toml", LANGUAGE);
    lab.write("workloads/fixture/workload.toml", WORKLOAD);
    let reference: String = (0u64..4)
        .map(|input| format!("{:016x}\n", (input * 3).swap_bytes()))
        .collect();
    lab.write("workloads/fixture/reference/all.txt", &reference);
    lab.write("kits/c/probe.h", include_str!("../../../../kits/c/probe.h"));
    for (name, define) in [("plain", ""), ("other", cause)] {
        let build = match define {
            "" => String::new(),
            define => format!(
                "build = [[\"cc\", \"-O2\", \"-pthread\", \"-D{define}\", \"-o\", \"{{out}}/server\", \"cause.c\"]]\n"
            ),
        };
        lab.contender(name, &format!("with = [\"kits/c\"]\n{build}"));
        let source = format!("workloads/fixture/contenders/{name}/cause.c");
        lab.write(&source, include_str!("explains/cause.c"));
    }
    lab
}

fn explain(lab: &Lab) -> Ran {
    let words = [
        "explain", "fixture", "plain", "other", "--budget", "24s", "--rounds", "8", "--seed", "3",
    ];
    let ran = lab.run(&[&words[..], &["--format", "json"]].concat());
    lab.assert_clean();
    ran
}

fn explanation(ran: &Ran) -> Value {
    ran.json()["explanations"][0].clone()
}

fn finding<'v>(found: &'v Value, rule: &str) -> &'v str {
    let all = found["findings"].as_array().unwrap();
    let one = all.iter().find(|one| one["rule"] == rule);
    one.and_then(|one| one["text"].as_str())
        .unwrap_or_else(|| panic!("no {rule} among {:#}\n{:#}", found["findings"], found["notes"]))
}

fn count(found: &Value, name: &str, side: &str) -> f64 {
    let all = found["counts"].as_array().unwrap();
    let one = all.iter().find(|one| one["name"] == name);
    one.and_then(|one| one["value"][side].as_f64())
        .unwrap_or_else(|| panic!("no {name} in {:#}", found["counts"]))
}

#[test]
fn a_second_write_is_found() {
    if !(have("cc") && have("perf") && may_record()) {
        return;
    }
    let lab = lab("SECOND_WRITE");
    let ran = explain(&lab).expect(0);
    let found = explanation(&ran);
    let (one, two) = (
        count(&found, "write calls", "a"),
        count(&found, "write calls", "b"),
    );
    assert!(
        (0.95..1.05).contains(&one) && (1.95..2.05).contains(&two),
        "{one} {two}"
    );
    let text = finding(&found, "calls");
    assert!(
        text.starts_with("other makes 2.0")
            && text.contains("write calls per operation where plain makes 1.0"),
        "{text}"
    );
    // The report of the run carries it, in every format.
    let page = lab
        .run(&["report", "--format", "html", "--out", "page.html"])
        .expect(0);
    assert!(page.err.contains("page.html"), "{}", page.err);
    let page = std::fs::read_to_string(lab.path().join("page.html")).unwrap();
    for words in [
        "write calls per operation",
        "data:image/svg+xml;base64,",
        "from plain to other",
    ] {
        assert!(page.contains(words), "{words}");
    }
    let text = lab.run(&["report"]).expect(0).out;
    assert!(text.contains("write calls"), "{text}");
}

#[test]
fn a_function_under_its_own_name_is_found() {
    if !(have("cc") && have("perf") && may_record()) {
        return;
    }
    let found = explanation(&explain(&lab("OWN_NAME")).expect(0));
    let text = finding(&found, "own-name");
    assert!(
        text.starts_with("`comma_separated` stands under its own name in the hot path of other"),
        "{text}"
    );
    let explained = found["closure"]["explained"].as_f64().unwrap();
    assert!(explained > 0.5, "{:#}", found["layers"]);
}

#[test]
fn fresh_memory_is_found() {
    if !(have("cc") && have("perf") && may_record()) {
        return;
    }
    let found = explanation(&explain(&lab("FRESH_MEMORY")).expect(0));
    let faults = count(&found, "minor faults", "b");
    assert!(
        faults > 10.0,
        "256 pages, by however many at a time the kernel gives them: {faults}"
    );
    assert!(
        finding(&found, "faults").starts_with("other faults on fresh memory"),
        "{found:#}"
    );
    assert!(count(&found, "mmap calls", "b") > 0.9);
}

#[test]
fn waiting_is_found_without_perf_too() {
    if !have("cc") {
        return;
    }
    let lab = lab("ASLEEP");
    let words = [
        "explain", "fixture", "plain", "other", "--budget", "24s", "--rounds", "6", "--format", "json",
    ];
    let mut command = lab.tare(&words);
    // Everything on the PATH but perf.
    let folder = lab.path().join("bin");
    std::fs::create_dir_all(&folder).unwrap();
    for place in std::env::split_paths(&std::env::var_os("PATH").unwrap()) {
        for program in std::fs::read_dir(place).into_iter().flatten().flatten() {
            if !program.file_name().to_string_lossy().starts_with("perf") {
                // The first of a name is the one that counts.
                let _ = std::os::unix::fs::symlink(program.path(), folder.join(program.file_name()));
            }
        }
    }
    command.env("PATH", &folder);
    let ran = lab.start(command).finish().expect(0);
    lab.assert_clean();
    let found = explanation(&ran);
    let notes = found["notes"].to_string();
    assert!(
        notes.contains("`perf` is not on the PATH") && notes.contains("apt install linux-perf"),
        "{notes}"
    );
    // All other evidence is there.
    let asleep = |side| count(&found, "time asleep", side);
    assert!(asleep("b") > asleep("a"), "{:#}", found["counts"]);
    assert!(
        finding(&found, "switches").starts_with("other switches context 1."),
        "{found:#}"
    );
    assert!(
        found["gap"]["estimate"].is_f64() && found["closure"].is_null(),
        "{found:#}"
    );
}

#[test]
fn a_second_thread_is_counted() {
    if !(have("cc") && have("perf") && may_record()) {
        return;
    }
    let found = explanation(&explain(&lab("TWO_THREADS")).expect(0));
    let (one, two) = (
        count(&found, "threads that worked", "a"),
        count(&found, "threads that worked", "b"),
    );
    assert!(one < 1.2 && two > 1.8, "{one} {two}");
}

#[test]
fn what_was_seen_of_one_that_dies_in_the_middle_is_kept() {
    if !(have("cc") && have("perf") && may_record()) {
        return;
    }
    let lab = lab("DIES=4");
    let ran = lab.run(&[
        "explain", "fixture", "plain", "other", "--budget", "40s", "--rounds", "400", "--format", "json",
    ]);
    lab.assert_clean();
    let found = explanation(&ran);
    let notes = found["notes"].to_string();
    assert!(notes.contains("other did not last (died"), "{notes}");
    assert!(found["rounds"].as_u64().unwrap() >= 3, "{found:#}");
    assert!(found["gap"]["estimate"].is_f64() && count(&found, "system calls", "b") > 0.5);
    let named = found["functions"].as_array().unwrap();
    assert!(
        named
            .iter()
            .any(|function| function["own"]["b"].as_f64().is_some_and(|own| own > 0.0)),
        "{named:#?}"
    );
}

#[test]
fn questions_that_make_no_sense_are_refused() {
    let lab = lab("SECOND_WRITE");
    for (words, says) in [
        (
            &["explain", "fixture", "plain", "plain"][..],
            "against itself has no gap to explain",
        ),
        (
            &["explain", "fixture", "plain", "nobody"],
            "does not take part in fixture/all",
        ),
        (
            &["explain", "nowhere", "plain", "other"],
            "is no workload of this lab, and no stored run",
        ),
        (
            &["explain", "fixture", "plain", "other", "--size", "5"],
            "it is not measured over sizes",
        ),
        (
            &["explain", "fixture", "plain", "other", "--format", "csv"],
            "prints text or json",
        ),
    ] {
        let ran = lab.run(words).expect(2);
        assert!(ran.err.contains(says), "{}", ran.err);
    }
}
