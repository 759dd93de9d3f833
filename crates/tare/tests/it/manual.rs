//! The examples of the manual, really run: as they are typed, by a shell, in a small lab that has what they name, on
//! contenders and servers of these tests: where the repository's own need a toolchain, others go by their names. What takes
//! minutes is cut short; what cannot be run here is only parsed (`src/manual.rs`), and named here with the reason.
//!
//! By default only the first examples of the commands that measure are run; `--ignored slow` runs them all.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::process::Command;
use std::thread;

use crate::diff::git;
use crate::import_suites::frameworks;
use crate::lab::{Lab, SLICE, doubling, run_line};
use crate::load::{OK, Server, answer_all, http};
use crate::load_dialogs::{h2, hello};
use crate::load_tls::Secured;
use crate::pages::{self, Example};

/// Parts of examples that are not run, and why.
const NOT_RUN: [(&str, &str); 18] = [
    ("--on s", "it needs other machines"),
    ("+20261123", "its runs are of other machines"),
    (
        "--suite report",
        "a quarter of an hour each; run by benches/reports.py",
    ),
    ("tare agent", "waits for somebody; run in agents.rs"),
    ("--from", "needs agents; run in agents.rs"),
    ("--hosts", "needs agents; run in hosts.rs"),
    ("tare bench", "a project with benchmarks; run in bench.rs"),
    (
        "--format tfb",
        "a case named as a test of the suite; run in tfb.rs",
    ),
    (
        "--beside 20180810-112000",
        "a file of the suite's own; run in tfb.rs",
    ),
    ("tfb:", "needs a checkout and containers; run in suite_folders.rs"),
    (
        "httparena:",
        "needs a checkout and containers; run in suite_folders.rs",
    ),
    ("tare import .", "needs a checkout; run in import_suites.rs"),
    ("-c 50000", "limits of root's; run by benches/scale.py"),
    ("h2c://", "needs a server of HTTP/2; run in load_dialogs.rs"),
    ("grpc://", "needs a server of HTTP/2; run in load_dialogs.rs"),
    ("ws://", "needs a WebSocket server; run in tare-load"),
    ("grpcs://", "needs a server of gRPC; run in tare-load"),
    ("wss://", "needs a WebSocket server; run in tare-load"),
];

/// The doctor without --quick measures for a minute.
const LONG: &str = "tare doctor";

/// Commands whose examples take seconds, since they measure.
const MEASURING: [&str; 4] = ["run", "time", "diff", "explain"];

/// This many examples of each of them are run by default.
const FEW: usize = 2;

/// Commands whose examples are about a lab and its runs; the others are about commands and servers.
const OF_LABS: [&str; 8] = [
    "run", "check", "list", "show", "report", "history", "site", "setup",
];

/// Workloads that examples name without a case, besides `doubling`.
const WHOLE: [&str; 3] = ["mine", "bigtable", "http"];

const CASES: &str = r#"[suites.report]
summary = "what a report compared"

[[suites.report.parts]]
cases = ["one-core"]

[cases.one-core]
summary = "all of them"
placement = "one-core"
baseline = "node"
modes = ["cost"]
"#;

/// What examples name: a lab that is a repository, files, programs, a home.
struct Manual {
    lab: Lab,
}

impl Manual {
    fn new() -> Self {
        let manual = Self { lab: Lab::new(&[]) };
        let lab = &manual.lab;
        // Nothing but what the pages name.
        fs::remove_dir_all(lab.path().join("workloads")).unwrap();
        lab.write("workloads/doubling/workload.toml", &doubling(CASES));
        for name in ["go", "go-mine", "node", "rust-tokio", "haskell-conduit"] {
            manual.contender("doubling", name, "");
        }
        // The services and languages of the repository itself.
        for folder in ["services", "languages"] {
            let from = pages::root().join(folder);
            let mut copy = Command::new("cp");
            assert!(
                copy.arg("-r")
                    .arg(from)
                    .arg(lab.path())
                    .status()
                    .unwrap()
                    .success()
            );
        }
        for folder in ["bin", "home/.local/share/bash-completion/completions"] {
            fs::create_dir_all(lab.path().join(folder)).unwrap();
        }
        symlink(env!("CARGO_BIN_EXE_tare"), lab.path().join("bin/tare")).unwrap();
        lab.write("words.txt", "b\na\nc\n");
        lab.write("input.txt", "b\na\nc\n");
        // A build that is over at once: what it would make is there.
        manual.program("bin/cargo", "#!/bin/sh\n[ \"$1\" = build ]\n");
        manual.program("target/release/mine", "#!/bin/sh\ncat\n");
        manual.program("target/release/yours", "#!/bin/sh\n");
        symlink(env!("CARGO_BIN_EXE_tare"), lab.path().join("target/release/tare")).unwrap();
        manual.history();
        manual
    }

    fn contender(&self, workload: &str, name: &str, more: &str) {
        let text = format!(
            "schema = 1\nlanguage = \"fixture\"\nsummary = \"the contender {name}\"\nstyle = \"idiomatic\"\n{}{more}",
            run_line("good")
        );
        let file = format!("workloads/{workload}/contenders/{name}/contender.toml");
        self.lab.write(&file, &text);
    }

    /// Lets the workload, the case and the contenders be there that a line names, whatever was there by these names.
    fn stand_in(&self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let at = words
            .iter()
            .position(|word| word.contains('/') || *word == "latest" || WHOLE.contains(word))
            .unwrap_or_else(|| panic!("no workload is named: {line}"));
        let place = match words[at] {
            "latest" => "doubling/one-core",
            place => place,
        };
        let (workload, case) = place.split_once('/').unwrap_or((place, "one-core"));
        let only = words.iter().position(|word| *word == "--only");
        let names: Vec<&str> = match only {
            Some(only) => words[only + 1].split(',').collect(),
            None if words[1] == "explain" => words[at + 1..at + 3].to_vec(),
            None => vec!["one", "two"],
        };
        let manifest = doubling(CASES)
            .replace("cases.one-core", &format!("cases.{case}"))
            .replace("[\"one-core\"]", &format!("[{case:?}]"))
            .replace("\"node\"", &format!("{:?}", names[0]));
        self.lab
            .write(&format!("workloads/{workload}/workload.toml"), &manifest);
        let mut variants: BTreeMap<&str, String> = BTreeMap::new();
        for name in names {
            let (name, variant) = match name.split_once('@') {
                Some((name, variant)) => (name, format!("[variants.{variant}]\n")),
                None => (name, String::new()),
            };
            variants.entry(name).or_default().push_str(&variant);
        }
        for (name, text) in variants {
            self.contender(workload, name, &text);
        }
    }

    fn program(&self, name: &str, text: &str) {
        self.lab.write(name, text);
        let path = self.lab.path().join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Two tagged commits on `main`; all else is ignored.
    fn history(&self) {
        let folder = self.lab.path();
        git(folder, &["init", "--quiet", "--initial-branch=main"]);
        self.lab.write(".gitignore", "*\n");
        for (tag, more) in [("v1.2", ""), ("v1.3", "env = { CHANGED = \"yes\" }\n")] {
            self.contender("doubling", "go", more);
            git(
                folder,
                &["add", "--force", "workloads", "languages", "target", ".gitignore"],
            );
            git(folder, &["commit", "--quiet", "-m", tag]);
            git(folder, &["tag", tag]);
        }
    }

    /// Runs a line; what it wrote is there, and nothing runs any more.
    fn run(&self, example: &Example, line: &str) {
        let home = self.lab.path().join("home");
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new("sh");
        command
            .args(["-c", &format!("set -e; {line}")])
            .current_dir(self.lab.path())
            .env(
                "PATH",
                format!("{}:{path}", self.lab.path().join("bin").display()),
            )
            .env("HOME", &home)
            .env("RUNNER_TEMP", &home)
            .env("NO_COLOR", "1")
            .env(SLICE.0, SLICE.1)
            .env_remove("TARE_HOLD");
        let ran = self.lab.start(command).finish();
        let gate = line.contains("--fail-if") && ran.status == 4;
        assert!(
            ran.status == 0 || gate,
            "{}: `{}`, run as `{line}`, ended with {}:\n{}\n{}",
            example.page,
            example.line,
            ran.status,
            ran.out,
            ran.err
        );
        for file in written(line) {
            let home = home.display().to_string();
            let file = file.trim_matches('"').replacen("$RUNNER_TEMP", &home, 1);
            let file = file.replacen('~', &home, 1);
            let data = fs::metadata(self.lab.path().join(&file));
            assert!(
                data.is_ok_and(|data| data.len() > 0),
                "{line}: nothing is in {file}"
            );
        }
        self.lab.assert_clean();
    }
}

/// Files and folders that a line says it writes.
fn written(line: &str) -> Vec<String> {
    let options = [
        ">",
        "--out",
        "--svg",
        "--comment",
        "--export-md",
        "--export-hyperfine",
    ];
    let words: Vec<&str> = line.split(' ').collect();
    let pairs = words.windows(2).filter(|pair| options.contains(&pair[0]));
    pairs.map(|pair| pair[1].to_owned()).collect()
}

/// The reason for which an example is not run, if any.
fn not_run(line: &str) -> Option<&'static str> {
    let named = NOT_RUN.iter().find(|(part, _)| line.contains(part));
    match line == LONG {
        true => Some("measures for a minute; `--quick` is run"),
        false => named.map(|(_, why)| *why),
    }
}

/// Another program that the line needs and that is missing here.
fn lacking(line: &str) -> Option<&'static str> {
    let named = |program: &&str| line.split([' ', '\'']).any(|word| word == *program);
    let absent = |program: &&str| tare_host::command::find(program, None).is_none();
    ["zstd", "gzip", "jq", "awk"]
        .into_iter()
        .filter(named)
        .find(absent)
}

/// A line without an option and its value.
fn without(line: &str, option: &str) -> String {
    let Some((before, behind)) = line.split_once(&format!(" {option} ")) else {
        return line.to_owned();
    };
    let rest = behind
        .split_once(' ')
        .map_or(String::new(), |(_, rest)| format!(" {rest}"));
    format!("{before}{rest}")
}

/// The same, over within seconds.
fn shortened(line: &str) -> String {
    let name = line.split(' ').nth(1).unwrap_or_default();
    let few = "--budget 1s --launches 1 --rounds 2";
    let (options, more): (&[&str], String) = match name {
        "run" if line.contains("--resume") => {
            (&["--budget"], "--budget 1s --launches 2 --rounds 2".to_owned())
        }
        "run" if line.contains("--only") => (&["--budget", "--launches"], few.to_owned()),
        "run" => (&["--budget", "--launches"], format!("{few} --only go,node")),
        "time" if !line.contains("--runs") => (&["--budget"], "--runs 3".to_owned()),
        "explain" => (&["--budget"], "--budget 1s".to_owned()),
        "diff" if line.contains(" -- ") => (&["--budget"], "--runs 3".to_owned()),
        "diff" => (&["--budget"], few.to_owned()),
        "doctor" if line.contains("--time") => (&["--time"], "--time 8s".to_owned()),
        "load" if line.matches("://").count() > 1 => (&["-d"], "-d 2s".to_owned()),
        "load" if !line.contains(" -n ") => (&["-d"], "-d 300ms".to_owned()),
        _ => (&[], String::new()),
    };
    let line = options
        .iter()
        .fold(line.to_owned(), |line, option| without(&line, option));
    let rest = line
        .split_once(&format!("tare {name}"))
        .map_or("", |(_, rest)| rest);
    // Right behind the command's name: further back there may be a `--`, or a file.
    let line = format!("tare {name} {more}{rest}");
    // This number of connections needs a server of its own.
    line.replace("-c 500 ", "-c 5 ")
}

/// Which examples of a group are run.
#[derive(Clone, Copy, PartialEq)]
enum Which {
    /// The first ones of each command that measures, and all of the others.
    Few,
    All,
}

/// Runs examples of the commands that `ours` takes, each after `prepare` made it fit; how many.
fn run_examples(
    which: Which,
    ours: impl Fn(&str) -> bool,
    mut prepare: impl FnMut(&Manual, &str) -> String,
) -> usize {
    let manual = Manual::new();
    let mut ran = 0;
    let mut measured: BTreeMap<String, usize> = BTreeMap::new();
    for example in pages::examples() {
        let name = example.line.split(' ').nth(1).unwrap_or_default();
        if !ours(name) || not_run(&example.line).is_some() {
            continue;
        }
        if let Some(program) = lacking(&example.line) {
            eprintln!("skipped, for want of {program}: {}", example.line);
            continue;
        }
        if which == Which::Few && MEASURING.contains(&name) {
            let count = measured.entry(name.to_owned()).or_default();
            *count += 1;
            if *count > FEW {
                continue;
            }
        }
        let line = prepare(&manual, &shortened(&example.line));
        manual.run(&example, &line);
        ran += 1;
    }
    ran
}

/// Examples about labs and their runs.
fn of_labs(which: Which) -> usize {
    run_examples(
        which,
        |name| OF_LABS.contains(&name),
        |manual, line| {
            if line.contains("other.sqlite") {
                let kept = manual.lab.path().join(".tare/results.sqlite");
                fs::copy(kept, manual.lab.path().join("other.sqlite")).unwrap();
            }
            // What else the pages run is of the repository's own workloads.
            let named =
                |word: &str| WHOLE.contains(&word) || (word.contains('/') && !word.starts_with("doubling/"));
            if ["run", "check"].contains(&line.split(' ').nth(1).unwrap()) && line.split(' ').any(named) {
                manual.stand_in(line);
            }
            line.to_owned()
        },
    )
}

#[test]
fn examples_about_labs_and_runs_work() {
    let ran = of_labs(Which::Few);
    assert!(ran >= 15, "only {ran} were run");
}

#[test]
#[ignore = "slow: every example of the manual"]
fn slow_all_examples_about_labs_and_runs_work() {
    let ran = of_labs(Which::All);
    assert!(ran >= 20, "only {ran} were run");
}

/// Examples about commands, revisions and files.
fn of_commands(which: Which) -> usize {
    let ours = |name: &str| !OF_LABS.contains(&name) && !["load", "explain"].contains(&name);
    run_examples(which, ours, |manual, line| {
        if line.starts_with("tare import") && line.contains("FrameworkBenchmarks") {
            let suite = manual.lab.path().join("FrameworkBenchmarks");
            if !suite.exists() {
                frameworks(&suite);
                git(&suite, &["init", "--quiet"]);
                git(&suite, &["add", "."]);
                git(&suite, &["commit", "--quiet", "-m", "Add beads"]);
            }
        } else if line.starts_with("tare import") && line.contains("HttpArena") {
            let results = pages::root().join("fuzz/corpus/httparena/implementation");
            let folder = manual.lab.path().join("HttpArena/site/data/results");
            fs::create_dir_all(&folder).unwrap();
            fs::copy(results, folder.join("warp.json")).unwrap();
        } else if line.starts_with("tare import") {
            // By whatever name.
            let sample = pages::root().join("crates/tare-report/tests/it/sample-results.json");
            let name = line.split(' ').next_back().unwrap();
            fs::copy(sample, manual.lab.path().join(name)).unwrap();
        }
        if line.starts_with("tare merge") {
            let stores = line.split(' ').filter(|word| word.ends_with(".sqlite"));
            stores.for_each(|name| drop(tare_store::Store::open(manual.lab.path().join(name)).unwrap()));
        }
        if line.starts_with("tare new") {
            // The pages have it more than once, and the lab has services of its own.
            let path = line.split(' ').find(|word| word.contains('/')).unwrap();
            let _ = fs::remove_dir_all(manual.lab.path().join(path));
        }
        line.to_owned()
    })
}

#[test]
fn examples_about_commands_revisions_and_files_work() {
    let ran = of_commands(Which::Few);
    assert!(ran >= 10, "only {ran} were run");
}

#[test]
#[ignore = "slow: every example of the manual"]
fn slow_all_examples_about_commands_revisions_and_files_work() {
    let ran = of_commands(Which::All);
    assert!(ran >= 15, "only {ran} were run");
}

/// Examples of explanations. Where perf may not record, the report says so and has the rest.
fn of_explanations(which: Which) -> usize {
    run_examples(
        which,
        |name| name == "explain",
        |manual, line| {
            manual.stand_in(line);
            // The latest run may be an explanation by now, so a new one is made.
            if line.contains(" latest ") {
                let words = "run doubling/one-core --only go,node --budget 1s --launches 1 --rounds 2";
                let words: Vec<&str> = words.split(' ').collect();
                manual.lab.run(&words).expect(0);
            }
            line.to_owned()
        },
    )
}

#[test]
fn examples_about_explanations_work() {
    let ran = of_explanations(Which::Few);
    assert!(ran >= FEW, "only {ran} were run");
}

#[test]
#[ignore = "slow: every example of the manual"]
fn slow_all_examples_about_explanations_work() {
    let ran = of_explanations(Which::All);
    assert!(ran >= 5, "only {ran} were run");
}

#[test]
fn examples_about_servers_work() {
    let (mut lines, secured) = (None, Secured::new());
    let ran = run_examples(
        Which::All,
        |name| name == "load",
        |manual, line| {
            let doubling = lines.get_or_insert_with(|| Server::start("good")).url();
            let tcp = match line.contains("--expect pong") {
                true => pong(),
                false => doubling,
            };
            let answer = match line.contains("--status 204") {
                true => "HTTP/1.1 204 No Content\r\n\r\n",
                false => OK,
            };
            if line.contains("--raw ") {
                let post = "POST /sum HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n20";
                for (name, text) in [
                    ("get.raw", "GET /sum HTTP/1.1\r\nHost: x\r\n\r\n"),
                    ("post.raw", post),
                ] {
                    fs::write(manual.lab.path().join(name), text).unwrap();
                }
            }
            let socket = manual.lab.path().join("server.sock");
            if line.contains("--unix-socket") {
                listen(&socket);
            }
            let one = |line: String, port: &str| match line.contains(port) {
                true => line.replace(&format!("http://127.0.0.1:{port}/"), &http(answer)),
                false => line,
            };
            let line = one(one(line.to_owned(), "8080"), "8081");
            let line = over_tls(&line, manual, &secured);
            let line = line.replace("tcp://127.0.0.1:7000", &tcp);
            line.replace("/run/server.sock", &socket.display().to_string())
        },
    );
    assert!(ran >= 8, "only {ran} were run");
}

/// The line with servers of TLS in their places, and their authority in the lab.
fn over_tls(line: &str, manual: &Manual, secured: &Secured) -> String {
    fs::copy(secured.file(), manual.lab.path().join("ca.pem")).unwrap();
    let mut line = line.replace("https://localhost:8443/", "https://127.0.0.1:8443/");
    for port in ["8443", "8444"] {
        let typed = format!("https://127.0.0.1:{port}/");
        if line.contains(&typed) {
            let at = match line.contains("--http 2") {
                true => secured.front(&["h2"], &h2(100, hello)),
                false => secured.front(&["http/1.1"], &http(OK)),
            };
            line = line.replace(&typed, &format!("https://{at}/"));
        }
    }
    line
}

/// A server that answers every line with `pong`.
fn pong() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || {
                let mut out = stream.try_clone().unwrap();
                let lines = BufReader::new(stream).lines();
                lines
                    .map_while(Result::ok)
                    .all(|_| out.write_all(b"pong\n").is_ok());
            });
        }
    });
    format!("tcp://{address}")
}

fn listen(socket: &PathBuf) {
    let listener = UnixListener::bind(socket).unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let out = stream.try_clone().unwrap();
            thread::spawn(move || answer_all(stream, out, OK));
        }
    });
}

/// Each line that is listed as not run is in the manual.
#[test]
fn what_is_not_run_is_in_the_manual() {
    let all = pages::examples();
    for (part, why) in NOT_RUN {
        assert!(
            all.iter().any(|one| one.line.contains(part)),
            "no example has `{part}` ({why})"
        );
    }
    assert!(all.iter().any(|one| one.line == LONG));
    let (left, run): (Vec<&Example>, Vec<&Example>) =
        all.iter().partition(|one| not_run(&one.line).is_some());
    assert!(
        run.len() > 2 * left.len(),
        "{} are run and {} are not",
        run.len(),
        left.len()
    );
}

#[test]
fn lines_are_shortened_where_they_take_long() {
    for (line, short) in [
        (
            "tare run a --launches 3 --budget 10m --only x",
            "tare run --budget 1s --launches 1 --rounds 2 a --only x",
        ),
        ("tare time 'a b' --budget 1m", "tare time --runs 3 'a b'"),
        (
            "tare diff main -- ./mine --budget",
            "tare diff --runs 3 main -- ./mine --budget",
        ),
        ("tare load tcp://x -c 500 -n 10", "tare load  tcp://x -c 5 -n 10"),
    ] {
        assert_eq!(shortened(line), short);
    }
    assert_eq!(written("a > b --svg c"), ["b", "c"]);
}
