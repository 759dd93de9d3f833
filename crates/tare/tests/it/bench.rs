//! `tare bench` in a repository: programs that print `NAME VALUE UNIT` at two revisions, verdicts, gate, comment, what fails,
//! what is kept; and files of harnesses that are imported. What the programs print is made up, so that no verdict depends on
//! the machine's speed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::diff::git;
use crate::lab::Ran;
use crate::scaffold::assert_valid;

/// A program with three benchmarks. `{parse}` and `{allocs}` differ between revisions; the last digits between samples.
const PROGRAM: &str = r#"#!/bin/sh
want() { [ -z "$TARE_BENCHMARK" ] || [ "$TARE_BENCHMARK" = "$1" ]; }
digit=$(( $$ % 7 ))
if want parse; then
    echo "parse {parse}.0$digit us"
    echo "parse {allocs} allocs/op"
fi
if want render; then echo "render 200.0$digit us"; fi
if want {last}; then echo "{last} 300.0$digit us"; fi
"#;

fn program(parse: &str, allocs: &str, last: &str) -> String {
    PROGRAM
        .replace("{parse}", parse)
        .replace("{allocs}", allocs)
        .replace("{last}", last)
}

/// A repository with a program, and other files of its user.
struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    /// A commit for each of these programs.
    fn new(programs: &[String]) -> Self {
        let project = Self {
            folder: tempfile::Builder::new().prefix("tare-bench-").tempdir().unwrap(),
        };
        fs::create_dir(project.repository()).unwrap();
        git(
            &project.repository(),
            &["init", "--quiet", "--initial-branch=main"],
        );
        for (index, text) in programs.iter().enumerate() {
            project.write("bench", text);
            git(&project.repository(), &["add", "."]);
            git(
                &project.repository(),
                &["commit", "--quiet", "-m", &format!("Change {index}")],
            );
        }
        project
    }

    fn repository(&self) -> PathBuf {
        self.folder.path().join("mine")
    }

    /// A program of the repository.
    fn write(&self, file: &str, text: &str) {
        let path = self.repository().join(file);
        fs::write(&path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// A file outside the repository, as an argument.
    fn beside(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn tare(&self, words: &[&str]) -> Ran {
        self.tare_in(&self.repository(), words)
    }

    fn tare_in(&self, folder: &Path, words: &[&str]) -> Ran {
        Command::new(env!("CARGO_BIN_EXE_tare"))
            .args(words)
            .current_dir(folder)
            .env("XDG_STATE_HOME", self.folder.path().join("state"))
            .env("NO_COLOR", "1")
            .env_remove("TARE_BENCHMARK")
            .stdin(Stdio::null())
            .output()
            .unwrap()
            .into()
    }

    /// `tare bench` of the program at two revisions.
    fn bench(&self, more: &[&str]) -> Ran {
        let words = [
            "bench",
            "HEAD~1..HEAD",
            "--exe",
            "bench=./bench",
            "--harness",
            "generic",
            "--budget",
            "40s",
        ];
        self.tare(&[&words[..], more].concat())
    }
}

fn slower() -> Project {
    Project::new(&[program("100", "3", "old"), program("150", "4", "new")])
}

fn benchmark<'a>(document: &'a Value, name: &str) -> &'a Value {
    let list = document["benchmarks"]["list"].as_array().unwrap();
    list.iter().find(|one| one["name"] == name).unwrap()
}

fn verdict<'a>(document: &'a Value, name: &str, quantity: &str) -> &'a str {
    let figures = benchmark(document, name)["figures"].as_array().unwrap();
    let figure = figures.iter().find(|one| one["quantity"] == quantity).unwrap();
    figure["verdict"].as_str().unwrap()
}

#[test]
fn two_revisions_have_a_verdict_for_each_benchmark() {
    let project = slower();
    let comment = project.beside("comment.md");
    let page = project.beside("page.html");
    let ran = project.bench(&[
        "--format",
        "json",
        "--fail-if",
        "slower",
        "--comment",
        &comment,
        "--out",
        &page,
    ]);
    let document = ran.expect(4).json();
    assert_valid(&document);
    assert_eq!(verdict(&document, "parse", "time"), "worse");
    assert_eq!(verdict(&document, "parse", "allocations"), "worse");
    assert_eq!(verdict(&document, "render", "time"), "equivalent");
    assert_eq!(benchmark(&document, "old")["standing"], "removed");
    assert_eq!(benchmark(&document, "new")["standing"], "added");
    assert_eq!(document["run"]["settings"]["kind"], "bench");
    assert_eq!(document["workloads"], serde_json::json!([]));
    let comment = fs::read_to_string(comment).unwrap();
    assert!(
        comment.starts_with("<!-- tare bench -->\n### `benchmarks`: **1 slower, 1 equivalent**"),
        "{comment}"
    );
    assert!(fs::read_to_string(page).unwrap().contains("program-1"));
    kept(&project);
}

/// The run is found again, in every format.
fn kept(project: &Project) {
    let list = project.tare(&["list", "runs"]).expect(0).out;
    assert!(list.contains("bench: 4 benchmarks"), "{list}");
    for format in ["text", "md", "csv", "json", "slices"] {
        let out = project.tare(&["report", "--format", format]).expect(0).out;
        assert!(out.contains("parse") && out.contains("render"), "{format}: {out}");
    }
    let history = project
        .tare(&["history", "bench/after", "--case", "parse", "--format", "json"])
        .expect(0)
        .json();
    assert_eq!(history["histories"][0]["points"].as_array().unwrap().len(), 1);
    let site = project.beside("site");
    project.tare(&["site", &site]).expect(0);
    let index = fs::read_to_string(format!("{site}/index.html")).unwrap();
    assert!(index.contains("bench, benchmarks"), "{index}");
    assert_eq!(git(&project.repository(), &["status", "--porcelain"]), "");
}

#[test]
fn what_changed_is_listed_and_the_rest_counted() {
    let project = slower();
    let ran = project.bench(&["--changed-only"]).expect(0);
    assert!(
        ran.out.contains("Of 2 benchmarks: 1 slower, 1 equivalent."),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("Not listed: 1 equivalent."), "{}", ran.out);
    assert!(!ran.out.contains("render  "), "{}", ran.out);
    assert!(
        ran.err.contains("pass 1: ") && ran.err.contains("equivalent"),
        "progress: {}",
        ran.err
    );
}

#[test]
fn one_revision_is_described() {
    let project = slower();
    let ran = project.tare(&[
        "bench",
        "--exe",
        "bench=./bench",
        "--harness",
        "generic",
        "--only",
        "parse",
        "--budget",
        "10s",
    ]);
    assert!(ran.status == 0, "{}", ran.err);
    assert!(ran.out.contains("1 benchmark described"), "{}", ran.out);
    assert!(
        ran.out.contains("150 µs (") && !ran.out.contains("render"),
        "{}",
        ran.out
    );
}

#[test]
fn programs_that_are_built_already_are_compared() {
    let project = slower();
    project.write("other", &program("80", "3", "new"));
    let ran = project.tare(&[
        "bench",
        "--exe",
        "bench=./bench",
        "--exe",
        "bench=./other",
        "--harness",
        "generic",
        "--only",
        "parse|new",
        "--budget",
        "40s",
        "--format",
        "json",
    ]);
    let document = ran.expect(0).json();
    assert_eq!(verdict(&document, "parse", "time"), "better");
    assert_eq!(verdict(&document, "new", "time"), "equivalent");
}

#[test]
fn benchmarks_are_listed_without_measuring() {
    let project = slower();
    let ran = project.bench(&["--list"]).expect(0);
    let mut lines: Vec<&str> = ran.out.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "generic bench new  (only after the change)",
            "generic bench old  (only before the change)",
            "generic bench parse",
            "generic bench render",
        ]
    );
    assert!(project.tare(&["list", "runs"]).expect(0).out.contains("none yet"));
}

#[test]
fn a_plan_says_how_long_it_takes_and_keeps_nothing() {
    let project = slower();
    let ran = project.bench(&["--plan"]).expect(0);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(
        lines[0],
        "Plan: 2 benchmarks on both sides, 40 s at the most; builds are apart."
    );
    assert!(lines[1].starts_with("  bench: 2 benchmarks, "), "{}", ran.out);
    assert!(lines[2].contains("if none is decided early"), "{}", ran.out);
    let out = "Not measured: bench new (before): before (";
    assert!(
        lines[3].starts_with(out) && lines[3].ends_with("does not have this benchmark"),
        "{}",
        ran.out
    );
    let document = project.bench(&["--plan", "--format", "json"]).expect(0).json();
    assert_eq!(document["schema"], "tare-bench-plan/1");
    let list = document["benchmarks"].as_array().unwrap();
    assert_eq!(list.len(), 4);
    let parse = list.iter().find(|one| one["name"] == "parse").unwrap();
    assert!(
        parse["planned"] == "measured" && parse["round"].as_f64().unwrap() > 0.0,
        "{document:#}"
    );
    assert!(document["pass"].as_f64().unwrap() > 0.0 && document["enough"].is_null());
    assert!(project.tare(&["list", "runs"]).expect(0).out.contains("none yet"));
    project.bench(&["--plan", "--fail-if", "slower"]).expect(2);
}

#[test]
fn a_benchmark_that_fails_is_named_with_its_last_words() {
    let fails = program("100", "3", "new").replace(
        "if want render; then echo",
        "if [ \"$TARE_BENCHMARK\" = render ]; then echo 'panic: no memory' >&2; exit 2; fi\nif want render; then echo",
    );
    let project = Project::new(&[program("100", "3", "new"), fails]);
    let ran = project.bench(&["--format", "json"]).expect(1);
    assert!(
        ran.err.contains("error: bench render (after)") && ran.err.contains("panic: no memory"),
        "{}",
        ran.err
    );
    let document = ran.json();
    assert_valid(&document);
    let failed = benchmark(&document, "render");
    assert_eq!(
        (&failed["standing"], &failed["fault"]["side"]),
        (&"failed".into(), &"after".into())
    );
    assert_eq!(
        verdict(&document, "parse", "time"),
        "equivalent",
        "the others go on"
    );
}

#[test]
fn nothing_to_measure_is_an_error_with_a_hint_and_in_the_comment() {
    let project = slower();
    let comment = project.beside("comment.md");
    for words in [
        &["bench", "HEAD~1..HEAD", "--comment", &comment][..],
        &["bench", "nowhere", "--comment", &comment],
        &[
            "bench",
            "HEAD~1..HEAD",
            "--exe",
            "bench=./bench",
            "--harness",
            "generic",
            "nothing-like-it",
            "--comment",
            &comment,
        ],
    ] {
        let ran = project.tare(words);
        assert!([1, 2].contains(&ran.status), "{words:?}: {}", ran.err);
        assert!(
            ran.err.contains("error: ") && ran.err.contains("hint: "),
            "{words:?}: {}",
            ran.err
        );
        let text = fs::read_to_string(&comment).unwrap();
        assert!(
            text.contains("<!-- tare bench -->") && text.contains("**not measured**"),
            "{text}"
        );
    }
    for (words, part) in [
        (
            &["bench", "--exe", "a=b", "--exe", "a=c", "--exe", "a=d"][..],
            "3 times",
        ),
        (&["bench", "main", "--exe", "a=b", "--exe", "a=c"], "not clear"),
        (&["bench", "main", "x", "--only", "y"], "cannot be used with"),
        (&["bench", "main", "--format", "svg"], "text, json, md"),
        (
            &["bench", "main", "--fail-if", "duration > 2s"],
            "benchmarks differ",
        ),
        (&["bench", "main", "--layouts", "2"], "a verdict takes three"),
        (&["bench", "main", "--harness", "nose"], "nose"),
    ] {
        let ran = project.tare(words).expect(2);
        assert!(ran.err.contains(part), "{words:?}: {}", ran.err);
    }
}

#[test]
fn files_of_harnesses_are_imported_and_described() {
    let project = slower();
    let file = project.beside("old.txt");
    fs::write(
        &file,
        "goos: linux\npkg: example.org/rank\nBenchmarkRank-2 \t 100 \t 12.5 ns/op \t 3 allocs/op\n\
         BenchmarkRank-2 \t 100 \t 13.5 ns/op \t 3 allocs/op\nPASS\n",
    )
    .unwrap();
    let ran = project.tare(&["import", &file]).expect(0);
    assert!(
        ran.err.contains("imported 1 benchmark, 2 samples in all"),
        "{}",
        ran.err
    );
    // `latest` is of what was measured.
    let id = ran.out.trim();
    let text = project.tare(&["report", id]).expect(0).out;
    assert!(
        text.contains("Imported, not measured here: old.txt, of go"),
        "{text}"
    );
    assert!(
        text.contains("BenchmarkRank") && text.contains("13.0 ns (no interval)"),
        "{text}"
    );
    let document = project.tare(&["report", id, "--format", "json"]).expect(0).json();
    assert_valid(&document);
    assert_eq!(benchmark(&document, "BenchmarkRank")["standing"], "described");
    let list = project.tare(&["list", "runs"]).expect(0).out;
    assert!(
        list.contains("imported") && list.contains("example.org/rank: 1 benchmark"),
        "{list}"
    );
}

/// A Go module of two revisions, the later one's work doubled.
#[test]
#[ignore = "slow: builds and measures with Go"]
fn slow_a_go_module_is_built_and_measured() {
    if tare_host::command::find("go", None).is_none() {
        eprintln!("skipped, for want of go");
        return;
    }
    let project = Project::new(&[]);
    let source = |times: u32| {
        format!(
            "package rank\n\nfunc Rank(values []uint64) (sum uint64) {{\n\tfor k := 0; k < {times}; k++ {{\n\t\tfor _, v := range \
             values {{\n\t\t\tsum += v*v ^ sum>>3\n\t\t}}\n\t}}\n\treturn sum\n}}\n\nfunc Same(values []uint64) (sum uint64) {{\n\tfor \
             _, v := range values {{\n\t\tsum += v ^ sum>>1\n\t}}\n\treturn sum\n}}\n"
        )
    };
    let tests = "package rank\n\nimport \"testing\"\n\nvar values = make([]uint64, 4096)\nvar sink uint64\n\nfunc BenchmarkRank(b \
                 *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tsink = Rank(values)\n\t}\n}\n\nfunc BenchmarkSame(b *testing.B) {\n\tfor \
                 i := 0; i < b.N; i++ {\n\t\tsink = Same(values)\n\t}\n}\n";
    project.write("go.mod", "module example.org/rank\n\ngo 1.20\n");
    project.write("rank_test.go", tests);
    // Far enough apart for eight launches on a machine that does other things, too.
    for times in [1, 4] {
        project.write("rank.go", &source(times));
        git(&project.repository(), &["add", "."]);
        git(&project.repository(), &["commit", "--quiet", "-m", "Rank"]);
    }
    let ran = project.tare(&[
        "bench",
        "HEAD~1..HEAD",
        "--budget",
        "60s",
        "--layouts",
        "8",
        "--margin",
        "20%",
        "--format",
        "json",
        "--fail-if",
        "slower",
    ]);
    let document = ran.expect(4).json();
    assert_valid(&document);
    assert_eq!(verdict(&document, "BenchmarkRank", "time"), "worse");
    assert_ne!(verdict(&document, "BenchmarkSame", "time"), "worse");
}

#[test]
fn a_folder_of_several_projects_is_not_built() {
    let project = slower();
    let ran = project.tare_in(project.folder.path(), &["bench"]).expect(2);
    assert!(
        ran.err.contains("is no project by itself") && ran.err.contains("go to the folder"),
        "{}",
        ran.err
    );
}
