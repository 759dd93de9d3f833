//! Whole ways from a project to figures, with the commands run as they are described.

use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use std::time::Duration;

use tare_harness::{
    Benchmark, Command, Done, Effort, Harness, Listing, Places, Program, Refused, Sample, Suite, Tree,
    collect, named,
};
use tare_model::figure::Quantity;

/// A harness, and a folder for what its commands write.
struct Bench {
    harness: &'static dyn Harness,
    folder: tempfile::TempDir,
}

impl Bench {
    fn of(harness: &str) -> Self {
        Self {
            harness: named(harness).expect("a harness of this name"),
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn scratch(&self) -> PathBuf {
        let scratch = self.path("scratch");
        let _ = std::fs::remove_dir_all(&scratch);
        std::fs::create_dir_all(&scratch).unwrap();
        scratch
    }

    /// All benchmarks of a program, those of groups as well; and which groups failed.
    fn list(&self, program: &Program) -> (Listing, Vec<Refused>) {
        let scratch = self.scratch();
        let done = run(&self.harness.list(program, None, &scratch), &scratch);
        let mut all = self.harness.listed(program, None, &done).unwrap();
        let mut failed = Vec::new();
        for group in std::mem::take(&mut all.groups) {
            let scratch = self.scratch();
            let done = run(&self.harness.list(program, Some(&group), &scratch), &scratch);
            match self.harness.listed(program, Some(&group), &done) {
                Ok(inner) => {
                    all.benchmarks.extend(inner.benchmarks);
                    all.left_out.extend(inner.left_out);
                }
                Err(refused) => failed.push(refused),
            }
        }
        (all, failed)
    }

    fn sample(&self, program: &Program, benchmark: &Benchmark, effort: Effort) -> Sample {
        let scratch = self.scratch();
        let done = run(
            &self.harness.sample(program, benchmark, effort, &scratch),
            &scratch,
        );
        self.harness.sampled(benchmark, &done).unwrap()
    }
}

fn run(command: &Command, scratch: &Path) -> Done {
    let output = Process::new(&command.program)
        .args(&command.args)
        .envs(command.env.iter().cloned())
        .current_dir(&command.folder)
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    Done {
        status: output.status.code(),
        stdout: output.stdout,
        stderr: output.stderr,
        files: collect(scratch, &command.reads).unwrap(),
    }
}

fn names(listing: &Listing) -> Vec<&str> {
    listing.benchmarks.iter().map(Benchmark::name).collect()
}

fn has(sample: &Sample, metric: &Quantity) -> bool {
    sample.figures.iter().any(|figure| figure.quantity == *metric)
}

#[test]
fn any_program_that_prints_names_values_and_units_is_one() {
    let bench = Bench::of("generic");
    bench.write(
        "words.sh",
        "echo sum 12.5 ns\necho wanted/$TARE_BENCHMARK 1 s\necho sum 3 MB/s\n",
    );
    let mut program = Program::new("words", "sh", bench.folder.path());
    program.args = vec!["words.sh".into()];
    let (listing, _) = bench.list(&program);
    assert_eq!(names(&listing), ["sum", "wanted/"]);
    let sample = bench.sample(&program, &listing.benchmarks[0], Effort::Iterations(1));
    assert!((sample.time().unwrap() - 12.5e-9).abs() < 1e-15);
    assert!(has(&sample, &Quantity::Throughput("B".to_owned())));
}

/// The programs of a suite, whose commands have to work here.
fn built(bench: &Bench, suite: &Suite, places: &Places) -> Vec<Program> {
    let build = bench.harness.build(suite, places).unwrap();
    let done: Vec<Done> = build.iter().map(|command| run(command, places.out)).collect();
    for (command, done) in build.iter().zip(&done) {
        let words = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status, Some(0), "{command:?}: {words}");
    }
    bench.harness.built(suite, places, &done).unwrap()
}

const GO: &str = r#"package words

import (
	"fmt"
	"strings"
	"testing"
)

var sink int

func BenchmarkCount(b *testing.B) {
	for _, n := range []int{10, 1000} {
		text := strings.Repeat("word ", n)
		b.Run(fmt.Sprintf("n=%d/(all) words", n), func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				sink = len(strings.Fields(text))
			}
			b.ReportMetric(float64(n), "words/op")
		})
	}
}

func BenchmarkPrints(b *testing.B) {
	fmt.Println("BenchmarkCount 1 2 ns/op")
	for i := 0; i < b.N; i++ {
		sink++
	}
}

func BenchmarkSkips(b *testing.B) { b.Skip("no such device") }

func BenchmarkPanics(b *testing.B) { var none map[string]int; none["a"] = 1 }
"#;

#[test]
#[ignore = "slow: builds a module of Go"]
fn slow_a_module_of_go_from_its_sources_to_figures() {
    let bench = Bench::of("go");
    bench.write("module/go.mod", "module example.org/words\n\ngo 1.18\n");
    bench.write("module/inner/words_test.go", GO);
    let (root, out) = (bench.path("module"), bench.path("out"));
    std::fs::create_dir(&out).unwrap();
    let places = Places {
        root: &root,
        out: &out,
    };
    let suites = bench.harness.found(&Tree::read(&root).unwrap());
    assert_eq!(suites.len(), 1);
    assert_eq!(suites[0].why, "go.mod, inner/words_test.go");
    let program = &built(&bench, &suites[0], &places)[0];

    let (listing, failed) = bench.list(program);
    let (ten, thousand) = (
        "BenchmarkCount/n=10/(all)_words",
        "BenchmarkCount/n=1000/(all)_words",
    );
    assert_eq!(names(&listing), [ten, thousand, "BenchmarkPrints"]);
    assert_eq!(listing.left_out[0].what, "BenchmarkSkips");
    assert!(
        failed[0].found.contains("panic: assignment to entry in nil map"),
        "{}",
        failed[0]
    );

    for benchmark in &listing.benchmarks {
        let first = bench.sample(program, benchmark, Effort::Time(Duration::from_millis(10)));
        let again = first.again(Duration::from_millis(5));
        let Effort::Iterations(count) = again else {
            panic!("a count can be fixed: {again:?}");
        };
        let second = bench.sample(program, benchmark, again);
        assert_eq!(second.iterations, Some(count), "{}", benchmark.name());
        assert!(second.time().is_some() && has(&second, &Quantity::Allocations));
        let words = Quantity::Custom("words/op".to_owned());
        assert_eq!(has(&second, &words), benchmark.name().contains("words"));
    }
}

/// Each library, as it may be used, and the names that are expected.
const NODE: [(&str, &str, &str, [&str; 2]); 3] = [
    (
        "tinybench",
        "6",
        "import { Bench } from 'tinybench';\nconst bench = new Bench({ name: 'words', time: 1000 });\nlet sum = 0;\n\
         bench.add('add (a)', () => { sum += 1; }).add('sleep', async () => { await new Promise((done) => setTimeout(done, 2)); })\n\
         .add('throws', () => { throw new Error('the table is empty'); });\nawait bench.run();\nconsole.table(bench.table());\n",
        ["words > add (a)", "words > sleep"],
    ),
    (
        "tinybench",
        "2",
        "const { Bench } = require('tinybench');\nconst bench = new Bench({ time: 1000 });\nlet sum = 0;\nbench.add('add (a)', () \
         => { sum += 1; }).add('sleep', async () => { await new Promise((done) => setTimeout(done, 2)); });\n(async () => \
         { await bench.warmup(); await bench.run(); console.table(bench.table()); })();\n",
        ["add (a)", "sleep"],
    ),
    (
        "mitata",
        "1",
        "import { run, bench } from 'mitata';\nlet sum = 0;\nbench('add (a)', () => { sum += 1; });\nbench('sleep $n', function* \
         (state) { const n = state.get('n'); yield async () => { await new Promise((done) => setTimeout(done, n)); }; \
         }).args('n', [2]);\nbench('throws', () => { throw new Error('the table is empty'); });\nawait run();\n",
        ["add (a)", "sleep 2"],
    ),
];

#[test]
#[ignore = "slow: installs libraries of npm"]
fn slow_libraries_for_node_run_what_is_asked_for_and_nothing_else() {
    for (library, version, source, expected) in NODE {
        let bench = Bench::of(library);
        let file = if source.starts_with("import") {
            "bench/words.mjs"
        } else {
            "bench/words.cjs"
        };
        bench.write(
            "words/package.json",
            &format!("{{\"devDependencies\": {{\"{library}\": \"{version}\"}}}}"),
        );
        bench.write(&format!("words/{file}"), source);
        let (root, out) = (bench.path("words"), bench.path("out"));
        std::fs::create_dir(&out).unwrap();
        let places = Places {
            root: &root,
            out: &out,
        };
        let suites = bench.harness.found(&Tree::read(&root).unwrap());
        assert_eq!(suites[0].parts, [file]);
        let program = &built(&bench, &suites[0], &places)[0];
        let (listing, _) = bench.list(program);
        assert_eq!(names(&listing)[..2], expected, "{library} {version}");
        let [add, sleep] = [0, 1].map(|index| {
            let first = Effort::Time(Duration::from_millis(50));
            bench.sample(program, &listing.benchmarks[index], first)
        });
        assert!(
            add.time().unwrap() < 1e-4 && sleep.time().unwrap() > 1e-3,
            "{add:?} {sleep:?}"
        );
        if let Some(count) = sleep.iterations {
            assert!(count < 100, "{count} of about 2 ms in 50 ms");
            let again = bench.sample(program, &listing.benchmarks[1], Effort::Iterations(7));
            assert_eq!(again.iterations, Some(7));
        }
        // The second version of tinybench ends at an error.
        let Some(throws) = listing.benchmarks.get(2) else {
            continue;
        };
        let scratch = bench.scratch();
        let done = run(
            &bench
                .harness
                .sample(program, throws, Effort::Iterations(1), &scratch),
            &scratch,
        );
        let why = bench.harness.sampled(throws, &done).unwrap_err();
        assert!(
            why.found.contains("the table is empty"),
            "{library} {version}: {why}"
        );
    }
}
