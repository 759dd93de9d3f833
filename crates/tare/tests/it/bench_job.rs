//! Benchmarks from a checkout to samples: found, built, listed, matched, and measured one process each, by the rooms alone.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use tare_host::groups::Backing;
use tare_lab::plan::Plan;
use tare_lab::rig::{Pacing, Rig, SliceOrder, SliceOutcome, Who};
use tare_model::fault::{Fault, FaultKind};
use tare_model::figure::Quantity;
use tare_model::measure::SliceReading;
use tare_model::metric::Metric;
use tare_model::record::EntrantRecord;
use tare_model::settings::Many;
use tare_model::subject::Subject;
use tare_model::units::{PerSecond, Seconds};
use tare_prepare::bench::{
    BenchJob, BenchPlaces, BenchRequest, BenchRules, BenchmarksFrom, Compared, Entry, Given,
};
use tare_prepare::revisions::Setup;
use tare_prepare::{Event, Helpers, PrepareError, Progress, Supervision};
use tare_rig::benchmarks::BenchRig;

use crate::diff::git;
use crate::lab::PATIENCE;

struct Quiet;

impl Progress for Quiet {
    fn event(&self, _: &Event<'_>) {}
}

/// A checkout, and a state folder beside it.
struct Checkout {
    folder: tempfile::TempDir,
    supervision: Supervision,
}

impl Checkout {
    fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("tare-bench-").tempdir().unwrap();
        let me = env!("CARGO_BIN_EXE_tare");
        let words = |word: &str| vec![OsString::from(me), word.into()];
        let helpers = Helpers {
            guard: words("__guard"),
            forker: Vec::new(),
            spawner: words("__spawn"),
        };
        let state = folder.path().join("state");
        let supervision = Supervision::begin(state, "a test", Some(Backing::Plain), helpers, &Quiet).unwrap();
        fs::create_dir(folder.path().join("mine")).unwrap();
        git(&folder.path().join("mine"), &["init", "--quiet"]);
        Self { folder, supervision }
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("mine")
    }

    fn write(&self, path: &str, text: &str) -> &Self {
        use std::os::unix::fs::PermissionsExt;
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    fn remove(&self, path: &str) -> &Self {
        fs::remove_file(self.root().join(path)).unwrap();
        self
    }

    fn commit(&self, message: &str) -> &Self {
        git(&self.root(), &["add", "--all"]);
        git(&self.root(), &["commit", "--quiet", "-m", message]);
        self
    }

    fn job_in(&self, within: &str, request: BenchRequest) -> Result<BenchJob, PrepareError> {
        let places = BenchPlaces {
            here: &self.root().join(within),
            own: &self.root().join(".tare"),
        };
        BenchJob::new(request, places, &self.supervision, &Quiet)
    }

    fn job(&self, request: BenchRequest) -> BenchJob {
        self.job_in("", request).unwrap_or_else(|error| panic!("{error}"))
    }
}

fn request(compared: Compared) -> BenchRequest {
    BenchRequest {
        compared,
        harnesses: Vec::new(),
        only: None,
        rewritten: false,
        rules: BenchRules {
            layouts: 1,
            budget: Some(Duration::from_secs(60)),
            margin: 0.01,
            alpha: 0.05,
            many: Many::Discoveries,
            seed: 7,
            timeout: PATIENCE,
            build_timeout: PATIENCE,
            cores: None,
        },
    }
}

/// A script of the tree, at the last commit and the one before.
fn script(name: &str) -> BenchRequest {
    let program = Some(Given {
        name: "bench".to_owned(),
        path: name.into(),
    });
    BenchRequest {
        harnesses: vec!["generic".to_owned()],
        ..request(two(program))
    }
}

/// The same script, of the tree as it is.
fn here() -> Compared {
    Compared::Here {
        program: Some(Given {
            name: "bench".to_owned(),
            path: "bench.sh".into(),
        }),
    }
}

fn two(program: Option<Given>) -> Compared {
    Compared::Revisions {
        revisions: "HEAD~1..HEAD".to_owned(),
        from: BenchmarksFrom::Later,
        setup: None,
        program,
    }
}

fn names(job: &BenchJob) -> Vec<String> {
    job.entries().into_iter().map(|entry| entry.name).collect()
}

fn entry(job: &BenchJob, name: &str) -> Entry {
    let mut entries = job.entries().into_iter();
    entries.find(|entry| entry.name == name).unwrap()
}

/// A plan, and the rig that carries it out.
struct Ready {
    plan: Plan,
    rig: BenchRig,
}

impl Ready {
    fn of(job: &mut BenchJob) -> Self {
        let (plan, rig) = job.plan(&Quiet).unwrap();
        Self { plan, rig }
    }

    fn group(&self, name: &str) -> usize {
        let mut groups = self.plan.groups.iter();
        groups.position(|group| group.case == name).unwrap()
    }

    fn entrant(&self, name: &str, entrant: usize) -> &EntrantRecord {
        &self.plan.groups[self.group(name)].entrants[entrant]
    }

    fn fault(&self, name: &str, entrant: usize) -> Option<FaultKind> {
        self.entrant(name, entrant).fault.as_ref().map(|fault| fault.kind)
    }

    fn slice(&mut self, name: &str, entrant: usize) -> SliceOutcome {
        let order = SliceOrder {
            pacing: Pacing::Job,
            length: Seconds(0.0),
            rate: PerSecond(0.0),
            connections: 1,
            depth: 1,
            programs: 1,
            requests: 1,
            size: None,
        };
        let group = self.group(name);
        self.rig.slice(Who { group, entrant }, &order)
    }

    fn reading(&mut self, name: &str, entrant: usize) -> SliceReading {
        let outcome = self.slice(name, entrant);
        assert_eq!(outcome.fault, None);
        outcome.reading.unwrap()
    }

    fn time(&mut self, name: &str, entrant: usize) -> f64 {
        self.reading(name, entrant).value(Metric::TimePerOp).unwrap()
    }

    fn slice_fault(&mut self, name: &str, entrant: usize) -> Fault {
        self.slice(name, entrant).fault.unwrap()
    }
}

const SUMS: &str = "#!/bin/sh\necho sum 12 ns/op\necho sum 3 allocs/op\necho old 5 ns/op\n";

#[test]
fn a_script_at_two_revisions_from_its_listing_to_samples() {
    let checkout = Checkout::new();
    checkout.write("bench.sh", SUMS).commit("Sum");
    checkout
        .write(
            "bench.sh",
            "#!/bin/sh\necho sum 24 ns/op\necho sum 3 allocs/op\necho new 7 us\n",
        )
        .commit("Sum slowly");
    let mut job = checkout.job(script("bench.sh"));
    assert_eq!(names(&job), ["sum", "new", "old"]);
    assert_eq!(entry(&job, "sum").sides, ["before", "after"]);
    assert_eq!(entry(&job, "old").sides, ["before"]);
    let revisions = job.settings().revisions.unwrap();
    assert!(revisions.before.ends_with("(Sum)") && revisions.after.ends_with("(Sum slowly)"));

    let mut ready = Ready::of(&mut job);
    assert_eq!(ready.fault("sum", 0), None);
    assert_eq!(ready.fault("old", 1), Some(FaultKind::Absent));
    assert_eq!(ready.fault("new", 0), Some(FaultKind::Absent));
    let Subject::Benchmark { harness, program, .. } = &ready.entrant("sum", 1).subject else {
        panic!("it is a benchmark");
    };
    assert_eq!((harness.as_str(), program.as_str()), ("generic", "bench"));
    assert!((ready.time("sum", 0) - 12e-9).abs() < 1e-15);
    assert!((ready.time("sum", 1) - 24e-9).abs() < 1e-15);
    let reading = ready.reading("sum", 1);
    assert!(reading.host.cpu.0 > 0.0 && reading.value(Metric::CpuPerOp).is_none());
    let allocations = reading
        .figures
        .iter()
        .find(|figure| figure.quantity == Quantity::Allocations);
    assert_eq!(allocations.map(|figure| figure.value), Some(3.0));
    assert_eq!(job.settings().benchmarks.unwrap().harnesses, ["generic"]);
}

#[test]
fn what_fails_is_a_fault_with_the_programs_own_words() {
    let checkout = Checkout::new();
    checkout.write("bench.sh", SUMS).commit("One");
    let failing = "#!/bin/sh\n\
        case $TARE_BENCHMARK in\n\
        sum) echo alas >&2; exit 3;;\n\
        silent) exit 0;;\n\
        esac\n\
        for name in sum silent good; do echo $name 1 ns; done\n";
    checkout.write("bench.sh", failing).commit("Two");
    let mut job = checkout.job(BenchRequest {
        compared: here(),
        ..script("bench.sh")
    });
    let mut ready = Ready::of(&mut job);
    assert_eq!(ready.plan.groups[0].entrants.len(), 1);
    let detail = |name: &str, ready: &Ready| {
        let fault = ready.entrant(name, 0).fault.clone().unwrap();
        (fault.kind, fault.detail)
    };
    let (kind, words) = detail("sum", &ready);
    assert!(
        kind == FaultKind::Died && words.contains("alas") && words.contains("exit status 3"),
        "{words}"
    );
    let (kind, words) = detail("silent", &ready);
    assert!(
        kind == FaultKind::Died && words.contains("no result (exit status 0)"),
        "{words}"
    );
    assert!((ready.time("good", 0) - 1e-9).abs() < 1e-16);
    assert_eq!(ready.slice_fault("sum", 0).kind, FaultKind::Died);
}

#[test]
fn what_hangs_is_ended_and_named() {
    let checkout = Checkout::new();
    let script =
        "#!/bin/sh\n[ \"$TARE_BENCHMARK\" ] && echo before it hangs && exec sleep 300\necho slow 1 ns\n";
    checkout.write("bench.sh", script);
    let given = Given {
        name: "bench".to_owned(),
        path: "bench.sh".into(),
    };
    let mut asked = request(Compared::Programs(vec![given]));
    asked.harnesses = vec!["generic".to_owned()];
    asked.rules.timeout = Duration::from_millis(500);
    let ready = Ready::of(&mut checkout.job(asked));
    let fault = ready.entrant("slow", 0).fault.clone().unwrap();
    assert_eq!(fault.kind, FaultKind::Hung);
    assert!(fault.detail.contains("--timeout"), "{fault}");
}

#[test]
fn two_programs_that_are_there_already_are_compared_under_one_name() {
    let checkout = Checkout::new();
    checkout.write("old.sh", SUMS);
    checkout.write("new.sh", "#!/bin/sh\necho sum 6 ns/op\n");
    let given = |name: &str, path: &str| Given {
        name: name.to_owned(),
        path: path.into(),
    };
    let programs = || Compared::Programs(vec![given("old", "old.sh"), given("new", "new.sh")]);
    let generic = |compared| BenchRequest {
        harnesses: vec!["generic".to_owned()],
        ..request(compared)
    };
    let mut asked = generic(programs());
    asked.rules.layouts = 8;
    let mut job = checkout.job(asked);
    assert_eq!(job.settings().revisions, None);
    assert_eq!(entry(&job, "sum").program, "new.sh");
    let mut ready = Ready::of(&mut job);
    assert!(ready.entrant("sum", 0).summary.starts_with("old: "));
    // Layouts of what was built already cannot be drawn.
    assert!(job.remarks()[0].contains("one layout") && ready.plan.rules.launches.is_none());
    assert_eq!(job.settings().benchmarks.unwrap().layouts, 1);
    assert_eq!(ready.rig.pass(0, &[0]), []);
    assert!(ready.time("sum", 0) > ready.time("sum", 1));

    let refused = |compared| checkout.job_in("", generic(compared)).err().unwrap().to_string();
    assert!(refused(Compared::Programs(vec![given("a", "none.sh")])).contains("none.sh"));
    let shown = checkout.job_in("", request(programs())).err().unwrap();
    assert!(
        shown.to_string().contains("does not show which harness"),
        "{shown}"
    );
    assert!(shown.hint().unwrap().contains("--harness generic"));
}

#[test]
fn what_cannot_be_measured_is_refused_with_a_hint() {
    let checkout = Checkout::new();
    checkout.write("README", "nothing here\n").commit("One");
    checkout.write("README", "nothing here either\n").commit("Two");
    let refused = |asked: BenchRequest| checkout.job_in("", asked).err().unwrap();
    let nothing = refused(request(two(None)));
    assert!(
        nothing.to_string().contains("looked for go, criterion"),
        "{nothing}"
    );
    assert!(nothing.hint().is_some());
    let unknown = refused(BenchRequest {
        harnesses: vec!["gopher".to_owned()],
        ..request(two(None))
    });
    assert!(unknown.hint().unwrap().contains("google-benchmark"));
    let pattern = refused(BenchRequest {
        only: Some("(".to_owned()),
        ..request(two(None))
    });
    assert!(pattern.to_string().contains("regular expression"), "{pattern}");
    checkout.write("bench.sh", SUMS).commit("Three");
    checkout.write("more", "").commit("Four");
    let none = refused(BenchRequest {
        only: Some("^total$".to_owned()),
        ..script("bench.sh")
    });
    assert!(none.hint().unwrap().contains("`sum`"), "{none}");
}

#[test]
fn a_flood_and_hostile_names_are_bounded() {
    let checkout = Checkout::new();
    checkout.write("bench.sh", SUMS).commit("One");
    let flood = "#!/bin/sh\n\
        printf 'bad\\033[2J 1 ns\\n../../x 2 ns\\n'\n\
        [ \"$TARE_BENCHMARK\" = ../../x ] && head -c 80000000 /dev/zero | tr '\\0' x\n\
        exit 0\n";
    checkout.write("bench.sh", flood).commit("Two");
    let job = checkout.job(script("bench.sh"));
    assert_eq!(names(&job)[0], "../../x");
    assert!(
        job.remarks()
            .iter()
            .any(|remark| remark.contains("control characters")),
        "{:?}",
        job.remarks()
    );
    assert!(job.remarks().iter().all(|remark| !remark.contains('\u{1b}')));
    let mut job = checkout.job(BenchRequest {
        compared: here(),
        ..script("bench.sh")
    });
    let ready = Ready::of(&mut job);
    let fault = ready.entrant("../../x", 0).fault.clone().unwrap();
    assert!(fault.detail.contains("64 MB"), "{fault}");
    assert!(!Path::new(&checkout.root()).join("../../x").exists());
}

#[test]
fn each_tree_is_set_up_before_anything_is_listed() {
    let checkout = Checkout::new();
    checkout.write("word", "one").commit("One");
    checkout.write("word", "two").commit("Two");
    let mut asked = script("made.sh");
    let Compared::Revisions { setup, .. } = &mut asked.compared else {
        panic!("two revisions");
    };
    *setup = Some(Setup {
        command:
            "printf '#!/bin/sh\\necho %s 1 ns\\necho both 2 ns\\n' $(cat word) >made.sh; chmod +x made.sh"
                .to_owned(),
        timeout: PATIENCE,
        rebuild: false,
    });
    let job = checkout.job(asked);
    assert_eq!(names(&job), ["two", "both", "one"]);
    assert!(
        !checkout.root().join("made.sh").exists(),
        "neither side is the working tree"
    );
}

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
fn works(argv: &[&str]) -> bool {
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
