//! Explanations of pairs that differ in exactly one thing, which must be found; and the report where nothing may be
//! recorded. The tests assert counts, names and proportions, which hold at any speed of the machine.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::holds::{NOBODY, copied, give};
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
build = [["{cc}", "-O2", "-pthread", "-o", "{out}/server", "cause.c"]]
run = ["{out}/server"]

[tools.cc]
find = ["cc"]
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
    pair("", &format!("-D{cause}"))
}

/// A lab of two contenders whose sources are the same, and the words that each is compiled with.
fn pair(plain: &str, other: &str) -> Lab {
    let lab = Lab::new(&[]);
    lab.write("languages/fixture.toml", LANGUAGE);
    lab.write("kits/c/probe.h", include_str!("../../../../kits/c/probe.h"));
    for (name, words) in [("plain", plain), ("other", other)] {
        let words: String = words
            .split_whitespace()
            .map(|word| format!("\"{word}\", "))
            .collect();
        let build = format!(
            "build = [[\"{{cc}}\", \"-O2\", \"-pthread\", {words}\"-o\", \"{{out}}/server\", \"cause.c\"]]"
        );
        lab.contender(name, &format!("with = [\"kits/c\"]\n{build}\n"));
        let source = format!("workloads/fixture/contenders/{name}/cause.c");
        lab.write(&source, include_str!("explains/cause.c"));
    }
    workload(&lab);
    lab
}

/// The workload, whose results are three times the number of the input.
fn workload(lab: &Lab) {
    lab.write("workloads/fixture/workload.toml", WORKLOAD);
    let reference: String = (0u64..4)
        .map(|input| format!("{:016x}\n", (input * 3).swap_bytes()))
        .collect();
    lab.write("workloads/fixture/reference/all.txt", &reference);
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
#[ignore = "slow: an explanation takes its whole budget"]
fn slow_a_function_under_its_own_name_is_found() {
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
#[ignore = "slow: an explanation takes its whole budget"]
fn slow_fresh_memory_is_found() {
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
    let text = finding(&found, "layer");
    assert!(text.contains("of the gap is kernel: all else"), "{text}");
}

#[test]
#[ignore = "slow: an explanation takes its whole budget"]
fn slow_memory_that_is_held_is_found() {
    if !have("cc") {
        return;
    }
    let found = explanation(&explain(&lab("HOLDS_MEMORY")).expect(0));
    let held = count(&found, "resident memory", "b");
    assert!(held > f64::from(64 << 20), "{held}");
    let text = finding(&found, "memory");
    assert!(text.starts_with("other holds 6"), "{text}");
}

#[test]
#[ignore = "slow: an explanation takes its whole budget"]
fn slow_a_process_for_each_operation_is_found() {
    if !(have("cc") && have("perf") && may_record()) {
        return;
    }
    let found = explanation(&explain(&lab("FORKS")).expect(0));
    let text = finding(&found, "starts");
    let started = text
        .strip_prefix("other starts ")
        .and_then(|rest| rest.split(' ').next());
    let started: f64 = started
        .and_then(|count| count.parse().ok())
        .unwrap_or_else(|| panic!("{text}"));
    assert!((0.9..1.1).contains(&started), "{text}");
    assert!(text.contains("processes per operation, plain 0"), "{text}");
}

#[test]
#[ignore = "slow: an explanation takes its whole budget"]
fn slow_a_function_that_does_more_is_found() {
    if !(have("cc") && have("perf") && may_record()) {
        return;
    }
    let lab = pair("-DDEARER=2000", "-DDEARER=20000");
    let found = explanation(&explain(&lab).expect(0));
    let text = finding(&found, "function");
    assert!(text.contains("of the gap is one function, `dearer`"), "{text}");
}

#[test]
#[ignore = "slow: an explanation takes its whole budget"]
fn slow_copies_of_memory_are_found() {
    if !(have("cc") && have("perf") && may_record()) {
        return;
    }
    // In a program by itself the C library's own functions have names, whatever is installed here.
    let lab = pair("-static", "-DCOPIES -static");
    let found = explanation(&explain(&lab).expect(0));
    let text = finding(&found, "cause");
    assert!(
        text.starts_with("copies of memory: ") && text.contains(" of the gap"),
        "{text}"
    );
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
    // On a machine so busy that the load comes too late, the plain one waits for that.
    let text = finding(&found, "waiting");
    assert!(
        text.starts_with("other waits: ") || text.starts_with("both wait: "),
        "{text}"
    );
    assert!(
        found["gap"]["estimate"].is_f64() && found["closure"].is_null(),
        "{found:#}"
    );
}

#[test]
#[ignore = "slow: an explanation takes its whole budget"]
fn slow_a_second_thread_is_counted() {
    if !(have("cc") && have("perf") && may_record()) {
        return;
    }
    let found = explanation(&explain(&lab("TWO_THREADS")).expect(0));
    let (one, two) = (
        count(&found, "threads that worked", "a"),
        count(&found, "threads that worked", "b"),
    );
    assert!(one < 1.2 && two > 1.8, "{one} {two}");
    if std::thread::available_parallelism().is_ok_and(|cores| cores.get() < 2) {
        eprintln!("one core here: who uses more was not tested");
        return;
    }
    // Where others leave them no two cores, the second thread waits for one.
    let text = finding(&found, "cores");
    assert!(
        text.starts_with("plain uses ") || text.starts_with("plain could use "),
        "{text}"
    );
}

#[test]
#[ignore = "slow: an explanation takes its whole budget"]
fn slow_a_build_with_frame_pointers_is_profiled() {
    if !(have("cc") && have("perf") && may_record()) {
        return;
    }
    let lab = lab("OWN_NAME");
    let build = "[explain.build]\nwords = { cc = [\"-fno-omit-frame-pointer\"] }\n";
    lab.write("languages/fixture.toml", &format!("{LANGUAGE}\n{build}"));
    let found = explanation(&explain(&lab).expect(0));
    let instrumented = found["looked_into"].as_array().unwrap();
    let who: Vec<&str> = instrumented
        .iter()
        .map(|one| one["contender"].as_str().unwrap())
        .collect();
    assert_eq!(who, ["plain", "other"]);
    for one in instrumented {
        assert_eq!(one["with"], "a build with -fno-omit-frame-pointer");
        assert!(one["ratio"]["estimate"].as_f64().unwrap() > 0.0, "{one:#}");
    }
    // The caller of the innermost function is on its stacks now, with all its time.
    let functions = found["functions"].as_array().unwrap();
    let cost = |function: &Value, of: &str| function[of]["b"].as_f64().unwrap_or(0.0);
    let inner = |function: &&Value| function["name"] == "comma_separated";
    let whole = functions
        .iter()
        .find(inner)
        .map_or(0.0, |function| cost(function, "own"));
    let calls = |function: &&Value| {
        function["image"] == "server" && !inner(function) && cost(function, "total") > 0.95 * whole
    };
    assert!(
        whole > 0.0 && functions.iter().any(|function| calls(&function)),
        "{functions:#?}"
    );
    // A run is of what it always is.
    let builds = std::fs::read_dir(lab.path().join(".tare/build/fixture/other")).unwrap();
    assert_eq!(builds.count(), 2);
}

/// Programs in JavaScript that give the same numbers, and make different amounts of garbage on the way.
fn littering(plain: usize, other: usize) -> Lab {
    let lab = Lab::new(&[]);
    lab.write(
        "languages/fixture.toml",
        include_str!("../../../../languages/node.toml"),
    );
    let script = "languages/node/collections.js";
    lab.write(script, include_str!("../../../../languages/node/collections.js"));
    lab.write(
        "kits/node/probe.js",
        include_str!("../../../../kits/node/probe.js"),
    );
    workload(&lab);
    for (name, length) in [("plain", plain), ("other", other)] {
        lab.contender(name, "with = [\"kits/node\"]\n");
        let source = format!(
            "const {{ Probe, number }} = require('./with/node/probe.js');\n\
             globalThis.litter = [];\n\
             const result = (i) => {{\n\
               globalThis.litter = new Array({length}).fill(i);\n\
               return number(i * 3);\n\
             }};\n\
             new Probe().job(4, result).serve();\n"
        );
        lab.write(&format!("workloads/fixture/contenders/{name}/main.js"), &source);
    }
    lab
}

#[test]
#[ignore = "slow: an explanation takes its whole budget"]
fn slow_garbage_is_found() {
    let told = Command::new("node")
        .args(["-p", "typeof require('v8').GCProfiler"])
        .output();
    if !told.is_ok_and(|told| told.stdout.starts_with(b"function")) {
        eprintln!("no `node` here that tells of its collections: not tested");
        return;
    }
    let found = explanation(&explain(&littering(100, 4000)).expect(0));
    // Eight bytes for each number, and a result; what was allocated just before the first round and after the last
    // belongs to no operation that is counted.
    let (few, many) = (count(&found, "allocated", "a"), count(&found, "allocated", "b"));
    assert!(
        (400.0..16_000.0).contains(&few) && (20_000.0..64_000.0).contains(&many),
        "{few} {many}"
    );
    let text = finding(&found, "garbage");
    assert!(
        text.starts_with("other allocates ") && text.contains(" per operation, "),
        "{text}"
    );
}

/// A user that may not record: what is missing is reported with what was found and a hint; the rest is there.
#[test]
#[ignore = "slow: an explanation takes its whole budget"]
fn slow_without_permission_the_rest_is_reported() {
    if !(have("cc") && have("perf")) {
        return;
    }
    let paranoid = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").unwrap_or_default();
    let Some(found) = paranoid.trim().parse::<i32>().ok().filter(|level| *level >= 0) else {
        eprintln!("everybody may record everything here: not tested");
        return;
    };
    let mut lab = lab("ASLEEP");
    let mut words = vec!["explain", "fixture", "plain", "other", "--budget", "24s"];
    words.extend(["--rounds", "6", "--format", "json"]);
    if crate::lab::is_root() {
        lab.program(copied(&lab, Path::new(env!("CARGO_BIN_EXE_tare")), "tare"));
        give(lab.path());
    }
    let mut command = lab.tare(&words);
    if crate::lab::is_root() {
        command.uid(NOBODY).gid(NOBODY).env("HOME", lab.path());
    }
    let ran = lab.start(command).finish().expect(0);
    lab.assert_clean();
    let told = explanation(&ran);
    let notes = told["notes"].to_string();
    for words in [
        "no system calls by name".to_owned(),
        format!("perf_event_paranoid is {found}, and has to be -1 or less"),
        "sysctl kernel.perf_event_paranoid=-1".to_owned(),
    ] {
        assert!(notes.contains(&words), "no {words:?} in {notes}");
    }
    let stacks = match found {
        0 | 1 => None,
        2 => Some("stacks without the kernel's part: /proc/sys/kernel/perf_event_paranoid is 2"),
        _ => Some("no stacks: /proc/sys/kernel/perf_event_paranoid is"),
    };
    assert!(stacks.is_none_or(|stacks| notes.contains(stacks)), "{notes}");
    assert!(
        finding(&told, "switches").starts_with("other switches context 1."),
        "{told:#}"
    );
    assert!(
        told["gap"]["estimate"].is_f64() && count(&told, "resident memory", "b") > 0.0,
        "{told:#}"
    );
    let counts = told["counts"].as_array().unwrap();
    assert!(
        counts.iter().all(|one| one["name"] != "system calls"),
        "{counts:#?}"
    );
}

#[test]
#[ignore = "slow: an explanation takes its whole budget"]
fn slow_the_evidence_of_a_contender_that_dies_in_the_middle_is_kept() {
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
            "is neither a workload of this lab nor a stored run",
        ),
        (
            &["explain", "fixture", "plain", "other", "--size", "5"],
            "it is not measured over sizes",
        ),
        (
            &["explain", "fixture", "plain", "other", "--format", "csv"],
            "--format has no value `csv`",
        ),
    ] {
        let ran = lab.run(words).expect(2);
        assert!(ran.err.contains(says), "{}", ran.err);
    }
}
