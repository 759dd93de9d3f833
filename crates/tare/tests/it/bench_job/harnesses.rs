//! Projects with benchmarks of real harnesses.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tare_lab::rig::Rig;
use tare_model::fault::FaultKind;
use tare_prepare::bench::{BenchRequest, Compared};
use tare_prepare::revisions::Setup;

use super::checkout::{Checkout, Ready, entry, names, request, two};
use crate::lab::PATIENCE;

const MODULE: &str = "module example.org/words\n\ngo 1.18\n";

/// A library whose loop does so much, and an unexported name.
fn library(turns: usize, name: &str) -> String {
    format!(
        "package words\n\nvar sink int\n\nfunc Count(n int) int {{\n\tfor i := 0; i < n*{turns}; i++ {{\n\t\tsink += i\n\t}}\n\treturn sink\n}}\n\nfunc {name}() int {{ return 1 }}\n"
    )
}

fn benchmark(name: &str, body: &str) -> String {
    format!("func {name}(b *testing.B) {{\n\tfor i := 0; i < b.N; i++ {{\n\t\t{body}\n\t}}\n}}\n\n")
}

fn test_file(benchmarks: &[String]) -> String {
    format!("package words\n\nimport \"testing\"\n\n{}", benchmarks.concat())
}

fn go_missing() -> bool {
    let missing = tare_host::command::find("go", None).is_none();
    if missing {
        println!("not tested: there is no `go` on PATH");
    }
    missing
}

#[test]
#[ignore = "slow: builds a module of Go at two revisions"]
fn slow_both_revisions_of_a_go_module_run_the_later_benchmarks() {
    if go_missing() {
        return;
    }
    let checkout = Checkout::new();
    let count = || benchmark("BenchmarkCount", "Count(100)");
    let old = benchmark("BenchmarkOld", "Count(1)");
    checkout
        .write("go.mod", MODULE)
        .write("words.go", &library(1, "small"))
        .write("words_test.go", &test_file(&[count(), old]))
        .commit("One");
    let panics =
        "func BenchmarkPanics(b *testing.B) {\n\tvar none map[string]int\n\tnone[\"a\"] = 1\n}\n".to_owned();
    let new = benchmark("BenchmarkNew", "Count(10)");
    checkout
        .write("words.go", &library(10, "large"))
        .write("words_test.go", &test_file(&[count(), new, panics]))
        .commit("Two");
    let mut job = checkout.job(request(two(None)));
    assert_eq!(
        names(&job),
        [
            "BenchmarkCount",
            "BenchmarkNew",
            "BenchmarkOld",
            "BenchmarkPanics"
        ]
    );
    assert_eq!(entry(&job, "BenchmarkOld").sides, ["before"]);
    assert_eq!(entry(&job, "BenchmarkNew").sides, ["before", "after"]);
    assert!(
        job.settings()
            .benchmarks
            .unwrap()
            .benchmarks_from
            .unwrap()
            .contains("(Two)")
    );
    let mut ready = Ready::of(&mut job);
    assert_eq!(ready.fault("BenchmarkOld", 1), Some(FaultKind::Absent));
    let panics = ready.entrant("BenchmarkPanics", 1).fault.clone().unwrap();
    assert!(
        panics.detail.contains("assignment to entry in nil map"),
        "{panics}"
    );
    // Ten times as much work, with whatever noise.
    assert!(ready.time("BenchmarkCount", 1) > 2.0 * ready.time("BenchmarkCount", 0));
    let [before, after] = [0, 1].map(|side| ready.reading("BenchmarkNew", side).load.answers);
    assert!(
        before == after && before > 1,
        "the same work on both sides: {before}, {after}"
    );
    assert!(ready.plan.groups[0].modes[0].driving.requests > 1);
    // The tree that `tare diff` uses, and the person's own, are as git has them.
    let status = Command::new("git")
        .args(["status", "--porcelain"])
        .current_dir(checkout.root())
        .output()
        .unwrap();
    assert!(status.stdout.is_empty(), "{status:?}");
}

#[test]
#[ignore = "slow: builds a module of Go at two revisions"]
fn slow_where_the_later_benchmarks_do_not_build_each_side_runs_its_own() {
    if go_missing() {
        return;
    }
    let checkout = Checkout::new();
    let same = || benchmark("BenchmarkSame", "Count(100)");
    checkout
        .write("go.mod", MODULE)
        .write("words.go", &library(1, "small"))
        .write(
            "words_test.go",
            &test_file(&[same(), benchmark("BenchmarkCount", "small()")]),
        )
        .commit("One");
    checkout
        .write("words.go", &library(1, "large"))
        .write(
            "words_test.go",
            &test_file(&[same(), benchmark("BenchmarkCount", "large()")]),
        )
        .commit("Two");
    let mut job = checkout.job(request(two(None)));
    assert!(
        job.remarks()[0].contains("each side runs its own benchmarks"),
        "{:?}",
        job.remarks()
    );
    assert!(entry(&job, "BenchmarkCount").rewritten && !entry(&job, "BenchmarkSame").rewritten);
    let ready = Ready::of(&mut job);
    assert_eq!(ready.fault("BenchmarkCount", 0), Some(FaultKind::Rewritten));
    assert_eq!(ready.fault("BenchmarkCount", 1), Some(FaultKind::Rewritten));
    assert_eq!(ready.fault("BenchmarkSame", 0), None);
    let mut nevertheless = checkout.job(BenchRequest {
        rewritten: true,
        only: Some("Count".to_owned()),
        ..request(two(None))
    });
    let mut ready = Ready::of(&mut nevertheless);
    assert_eq!(ready.fault("BenchmarkCount", 0), None);
    ready.time("BenchmarkCount", 1);
}

#[test]
#[ignore = "slow: builds a module of Go at two revisions"]
fn slow_where_only_other_tests_do_not_build_the_files_with_benchmarks_are_taken_over() {
    if go_missing() {
        return;
    }
    let checkout = Checkout::new();
    let count = |times: &str| test_file(&[benchmark("BenchmarkCount", &format!("Count({times})"))]);
    checkout
        .write("go.mod", MODULE)
        .write("words.go", &library(1, "small"))
        .write("words_test.go", &count("100"))
        .commit("One");
    let new = "package words\n\nimport \"testing\"\n\nfunc TestLarge(t *testing.T) { large() }\n";
    checkout
        .write("words.go", &library(10, "large"))
        .write("words_test.go", &count("200"))
        .write("large_test.go", new)
        .commit("Two");
    let mut job = checkout.job(request(two(None)));
    let remarks = format!("{:?}", job.remarks());
    assert!(
        remarks.contains("before has only the files with benchmarks"),
        "{remarks}"
    );
    assert!(!entry(&job, "BenchmarkCount").rewritten);
    let mut ready = Ready::of(&mut job);
    assert_eq!(ready.fault("BenchmarkCount", 0), None);
    assert!(ready.time("BenchmarkCount", 1) > 2.0 * ready.time("BenchmarkCount", 0));
}

#[test]
#[ignore = "slow: builds layouts of a module of Go"]
fn slow_each_pass_has_layouts_of_its_own_and_they_are_kept() {
    if go_missing() {
        return;
    }
    let checkout = Checkout::new();
    checkout
        .write("inner/go.mod", MODULE)
        .write("inner/words.go", &library(1, "small"))
        .write(
            "inner/words_test.go",
            &test_file(&[benchmark("BenchmarkCount", "Count(100)")]),
        )
        .commit("One");
    checkout
        .write("inner/words.go", &library(2, "small"))
        .commit("Two");
    let asked = || {
        let mut asked = request(two(None));
        asked.rules.layouts = 3;
        asked
    };
    let builds = checkout.root().join(".tare/benchmarks/builds");
    let kept = || {
        let find = Command::new("find")
            .arg(&builds)
            .args(["-name", "*.test", "-path", "*kept*"])
            .output();
        let text = String::from_utf8(find.unwrap().stdout).unwrap();
        let mut paths: Vec<PathBuf> = text.lines().map(PathBuf::from).collect();
        paths.sort();
        paths
    };
    let mut job = checkout.job_in("inner", asked()).unwrap();
    let mut ready = Ready::of(&mut job);
    assert_eq!(ready.plan.rules.launches, Some(3));
    let first = kept();
    // On each side the usual one, and the first that was drawn.
    assert_eq!(first.len(), 4, "{first:?}");
    for pass in 0..3 {
        assert_eq!(ready.rig.pass(pass, &[0]), []);
        ready.time("BenchmarkCount", 0);
        ready.time("BenchmarkCount", 1);
    }
    let all = kept();
    assert_eq!(all.len(), 8, "{all:?}");
    let contents: std::collections::BTreeSet<Vec<u8>> =
        all.iter().map(|path| fs::read(path).unwrap()).collect();
    assert_eq!(contents.len(), 8, "no two layouts are the same");
    let written = |paths: &[PathBuf]| -> Vec<_> {
        paths
            .iter()
            .map(|path| fs::metadata(path).unwrap().modified().unwrap())
            .collect()
    };
    let before = written(&all);
    drop(ready);
    let mut again = checkout.job_in("inner", asked()).unwrap();
    let mut ready = Ready::of(&mut again);
    assert_eq!(ready.rig.pass(2, &[0]), []);
    assert_eq!(written(&kept()), before, "what was built is used again");
}

#[test]
#[ignore = "slow: builds a module of Go"]
fn slow_a_revision_that_does_not_build_is_named_with_the_end_of_its_log() {
    if go_missing() {
        return;
    }
    let checkout = Checkout::new();
    checkout
        .write("go.mod", MODULE)
        .write(
            "words.go",
            "package words\n\nfunc Count(n int) int { return undefinedHere }\n",
        )
        .write(
            "words_test.go",
            &test_file(&[benchmark("BenchmarkCount", "Count(1)")]),
        )
        .commit("One");
    checkout.write("words.go", &library(1, "small")).commit("Two");
    let error = checkout.job_in("", request(two(None))).err().unwrap().to_string();
    assert!(
        error.contains("before (") && error.contains("undefinedHere"),
        "{error}"
    );
    checkout.remove("words_test.go").commit("Three");
    checkout
        .write(
            "words_test.go",
            &test_file(&[benchmark("BenchmarkCount", "Count(1)")]),
        )
        .commit("Four");
    // A package without benchmarks gets those of the later revision.
    let job = checkout.job(request(two(None)));
    assert_eq!(entry(&job, "BenchmarkCount").sides, ["before", "after"]);
}

/// Whether a command of the machine ends well.
pub(super) fn works(argv: &[&str]) -> bool {
    let ran = Command::new(argv[0])
        .args(&argv[1..])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    ran.is_ok_and(|status| status.success())
}

#[test]
#[ignore = "slow: builds criterion at two revisions"]
fn slow_a_crate_with_criterion_at_two_revisions_and_two_layouts() {
    let checkout = Checkout::new();
    let manifest = "[package]\nname = \"words\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dev-dependencies]\ncriterion = \
                    { version = \"0.8\", default-features = false }\n\n[[bench]]\nname = \"count\"\nharness = \
                    false\n\n[workspace]\n";
    let source =
        |turns: u32| format!("pub fn count() -> u64 {{ (0..{turns}u64).map(std::hint::black_box).sum() }}\n");
    let bench = "use criterion::{criterion_group, criterion_main, Criterion};\nfn count(c: &mut Criterion) { \
                 c.bench_function(\"count\", |b| b.iter(words::count)); }\ncriterion_group!(all, \
                 count);\ncriterion_main!(all);\n";
    checkout
        .write("Cargo.toml", manifest)
        .write(".gitignore", "target\n")
        .write("src/lib.rs", &source(100))
        .write("benches/count.rs", bench);
    let fetched = Command::new("cargo")
        .args(["fetch", "--quiet"])
        .current_dir(checkout.root())
        .status();
    if !fetched.is_ok_and(|status| status.success()) {
        println!("not tested: cargo cannot fetch criterion");
        return;
    }
    checkout.commit("One");
    checkout.write("src/lib.rs", &source(1000)).commit("Two");
    let mut asked = request(two(None));
    asked.rules.layouts = 2;
    asked.rules.build_timeout = 10 * PATIENCE;
    let mut job = checkout.job(asked);
    assert_eq!(names(&job), ["count"]);
    let mut ready = Ready::of(&mut job);
    println!("remarks: {:?}", job.remarks());
    assert_eq!(ready.plan.rules.launches, Some(2), "{:?}", job.remarks());
    assert_eq!(ready.rig.pass(1, &[0]), []);
    assert!(ready.time("count", 1) > 2.0 * ready.time("count", 0));
    assert!(ready.entrant("count", 0).fault.is_none());
}

#[test]
#[ignore = "slow: installs pytest-benchmark in an environment of each tree"]
fn slow_a_python_project_with_an_environment_in_each_tree() {
    let checkout = Checkout::new();
    let environment = checkout.folder.path().join("env");
    let python = environment.join("bin/python").display().to_string();
    let made = works(&["python3", "-m", "venv", &environment.display().to_string()])
        && works(&[&python, "-m", "pip", "install", "--quiet", "pytest-benchmark"]);
    if !made {
        println!("not tested: pip cannot install pytest-benchmark");
        return;
    }
    let source = |turns: u32| format!("def count():\n    return sum(range({turns}))\n");
    checkout
        .write(
            "pyproject.toml",
            "[project]\nname = \"words\"\nversion = \"1\"\n# pytest-benchmark\n",
        )
        .write(".gitignore", ".venv\n")
        .write("src/words.py", &source(100))
        .write(
            "tests/test_words.py",
            "import words\n\ndef test_count(benchmark):\n    benchmark(words.count)\n",
        )
        .commit("One");
    checkout.write("src/words.py", &source(10_000)).commit("Two");
    let mut asked = request(two(None));
    let Compared::Revisions { setup, .. } = &mut asked.compared else {
        panic!("two revisions");
    };
    *setup = Some(Setup {
        command: format!("ln -s {} .venv", environment.display()),
        timeout: PATIENCE,
        rebuild: false,
    });
    let mut job = checkout.job(asked);
    assert_eq!(names(&job), ["tests/test_words.py::test_count"]);
    let mut ready = Ready::of(&mut job);
    let name = "tests/test_words.py::test_count";
    assert!(
        ready.time(name, 1) > 5.0 * ready.time(name, 0),
        "each tree measures its own sources"
    );
}
