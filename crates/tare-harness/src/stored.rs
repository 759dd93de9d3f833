//! Files that a harness wrote for somebody else: samples of many benchmarks, to be shown without a verdict.
//!
//! What kind of file it is shows in it. Its samples were taken one benchmark after the other, so they say nothing on what
//! changed between two files; whoever uses them has to say so.

use std::path::Path;

use serde_json::Value;
use tare_model::figure::Figure;

use crate::figure::{Entry, fault};
use crate::harness::LeftOut;
use crate::harnesses::{
    catch2, criterion, divan, generic, go, google, haskell_criterion, jmh, libtest, pyperf, pytest,
    tasty_bench, vitest,
};
use crate::json::{list, text};
use crate::refused::Refused;
use crate::text::name_fault;

/// The longest file, in bytes.
pub const LONGEST: usize = 64 << 20;

/// The most benchmarks of a file, and the most samples of one.
const MOST: usize = 20_000;

/// The samples of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    /// The harness that wrote it.
    pub harness: &'static str,
    /// Its benchmarks, in the order of the file.
    pub benchmarks: Vec<StoredBenchmark>,
    /// What cannot be shown, and why.
    pub left_out: Vec<LeftOut>,
}

/// A benchmark of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredBenchmark {
    /// What ran it: a package, an executable; `.` where the file does not say.
    pub program: String,
    /// Its name; unique in its program.
    pub name: String,
    /// The figures of each sample.
    pub samples: Vec<Vec<Figure>>,
}

/// Reads a file that any of the harnesses wrote, or what it printed. Criterion's `estimates.json` does not name its benchmark: its
/// place does.
///
/// # Errors
/// It is none of these, or has no benchmark.
pub fn stored(path: &Path, bytes: &[u8]) -> Result<Stored, Refused> {
    let tried = format!("read {}", path.display());
    if bytes.len() > LONGEST {
        let found = format!("it has more than {} MB", LONGEST >> 20);
        return Err(Refused::new(&tried, &found, "import a part of it"));
    }
    let (harness, entries) = match serde_json::from_slice::<Value>(bytes) {
        Ok(document) => of_json(path, &document),
        Err(_) => of_text(bytes),
    };
    let found = collected(harness, entries);
    if found.benchmarks.is_empty() {
        return Err(Refused::new(
            &tried,
            "it has no benchmark that could be read",
            "what can be imported: what `go test -bench`, `cargo bench` with divan or libtest, or a program of lines NAME VALUE UNIT \
             prints; JSON of Google Benchmark (--benchmark_out), pytest-benchmark (--benchmark-json), pyperf (-o), vitest \
             (--outputJson), JMH (-rf json) and Haskell's criterion (--json); XML of Catch2 (-r xml); CSV of tasty-bench and Haskell's \
             criterion (--csv); Rust criterion's estimates.json",
        ));
    }
    Ok(found)
}

fn of_json(path: &Path, document: &Value) -> (&'static str, Vec<Entry>) {
    let first = list(document, "benchmarks").first();
    if haskell_criterion::wrote(document) {
        ("haskell-criterion", haskell_criterion::stored(document))
    } else if document.is_array() {
        ("jmh", jmh::stored(document))
    } else if !list(document, "files").is_empty() {
        ("vitest", vitest::stored(document))
    } else if first.is_some_and(|first| !list(first, "runs").is_empty()) {
        ("pyperf", pyperf::stored(document))
    } else if first.is_some_and(|first| !text(first, "fullname").is_empty()) {
        ("pytest-benchmark", pytest::stored(document))
    } else if first.is_some() {
        ("google-benchmark", google::stored(document))
    } else {
        ("criterion", criterion::stored(path, document))
    }
}

/// Reads a kind of text; nothing where it is another.
type Reader = fn(&[u8]) -> Vec<Entry>;

/// The kinds of text, those before the others that would find something in them, too.
const TEXTS: [(&str, Reader); 7] = [
    ("catch2", catch2::stored),
    ("tasty-bench", tasty_bench::stored),
    ("haskell-criterion", haskell_criterion::stored_table),
    ("divan", divan::stored),
    ("libtest", libtest::stored),
    ("go", go::stored),
    ("generic", generic::stored),
];

fn of_text(bytes: &[u8]) -> (&'static str, Vec<Entry>) {
    let read = TEXTS.iter().map(|(name, read)| (*name, read(bytes)));
    let mut found = read.filter(|(_, entries)| !entries.is_empty());
    found.next().unwrap_or_default()
}

/// Samples by benchmark.
fn collected(harness: &'static str, entries: Vec<Entry>) -> Stored {
    let mut found = Stored {
        harness,
        benchmarks: Vec::new(),
        left_out: Vec::new(),
    };
    let mut known = std::collections::BTreeMap::new();
    for (program, name, figures) in entries {
        let good: Vec<Figure> = figures
            .into_iter()
            .filter(|figure| fault(figure).is_none())
            .collect();
        let why = [&program, &name].into_iter().find_map(|text| name_fault(text));
        if let Some(why) = why.or(good.is_empty().then_some("it has no figure")) {
            if found.left_out.len() < MOST {
                found.left_out.push(LeftOut::new(&name, why));
            }
            continue;
        }
        let at = *known.entry((program.clone(), name.clone())).or_insert_with(|| {
            found.benchmarks.push(StoredBenchmark {
                program,
                name,
                samples: Vec::new(),
            });
            found.benchmarks.len() - 1
        });
        if found.benchmarks[at].samples.len() < MOST {
            found.benchmarks[at].samples.push(good);
        }
    }
    found.benchmarks.truncate(MOST);
    found
}

#[cfg(test)]
mod tests {
    use tare_model::figure::Quantity;

    use super::*;

    fn read(path: &str, text: &str) -> Stored {
        stored(Path::new(path), text.as_bytes()).unwrap()
    }

    fn names(found: &Stored) -> Vec<(&str, &str, usize)> {
        let benchmarks = found.benchmarks.iter();
        let one = |one: &'_ StoredBenchmark| one.samples.len();
        benchmarks
            .map(|benchmark| {
                (
                    benchmark.program.as_str(),
                    benchmark.name.as_str(),
                    one(benchmark),
                )
            })
            .collect()
    }

    fn time(found: &Stored, index: usize) -> f64 {
        let figures = &found.benchmarks[index].samples[0];
        figures
            .iter()
            .find(|one| one.quantity == Quantity::Time)
            .unwrap()
            .value
    }

    #[test]
    fn a_line_of_go_is_a_sample() {
        let text = "goos: linux\npkg: example.org/words\n\
                    BenchmarkCount/n=10-2 \t 43946 \t 211.2 ns/op \t 160 B/op \t 1 allocs/op\n\
                    BenchmarkCount/n=10-2 \t 43946 \t 213.0 ns/op \t 160 B/op \t 1 allocs/op\n\
                    PASS\nok  \texample.org/words\t2.1s\npkg: example.org/rank\n\
                    BenchmarkRank-2 \t 100 \t 12 ns/op\n";
        let found = read("old.txt", text);
        assert_eq!(found.harness, "go");
        assert_eq!(
            names(&found),
            [
                ("example.org/words", "BenchmarkCount/n=10", 2),
                ("example.org/rank", "BenchmarkRank", 1)
            ]
        );
        assert!((time(&found, 0) - 211.2e-9).abs() < 1e-15);
    }

    #[test]
    fn numbers_of_processors_stay_where_they_differ() {
        let text = "BenchmarkA-1 \t 10 \t 12 ns/op\nBenchmarkA-4 \t 10 \t 5 ns/op\n";
        assert_eq!(
            names(&read("x", text)),
            [(".", "BenchmarkA-1", 1), (".", "BenchmarkA-4", 1)]
        );
    }

    #[test]
    fn repetitions_of_google_benchmark_are_samples_and_aggregates_are_none() {
        let entry = |kind: &str, time: f64| {
            format!(
                r#"{{"name":"a/8","run_name":"a/8","run_type":"{kind}","iterations":3,"real_time":{time},"cpu_time":{time},"time_unit":"us"}}"#
            )
        };
        let text = format!(
            r#"{{"context":{{"executable":"./out/words_bench"}},"benchmarks":[{},{},{}]}}"#,
            entry("iteration", 2.0),
            entry("iteration", 2.5),
            entry("aggregate", 9.0)
        );
        let found = read("x.json", &text);
        assert_eq!(
            (found.harness, names(&found)),
            ("google-benchmark", vec![("words_bench", "a/8", 2)])
        );
        assert!((time(&found, 0) - 2e-6).abs() < 1e-15);
    }

    #[test]
    fn pytest_jmh_and_criterion_give_a_sample_for_each_benchmark() {
        let pytest = r#"{"benchmarks":[{"fullname":"t/test_a.py::test_a","stats":{"median":3e-6}}]}"#;
        let found = read("x.json", pytest);
        assert_eq!(
            (found.harness, names(&found)),
            (
                "pytest-benchmark",
                vec![("t/test_a.py", "t/test_a.py::test_a", 1)]
            )
        );
        let jmh = r#"[{"benchmark":"org.A.a","params":{"n":"1"},"primaryMetric":{"scoreUnit":"ns/op","rawData":[[1.0,2.0,3.0]]}}]"#;
        let found = read("x.json", jmh);
        assert_eq!(
            (found.harness, names(&found)),
            ("jmh", vec![("org.A", "org.A.a(n=1)", 1)])
        );
        let criterion = r#"{"median":{"point_estimate":120.0},"slope":null}"#;
        let found = read("target/criterion/parse/short/new/estimates.json", criterion);
        assert_eq!(
            (found.harness, names(&found)),
            ("criterion", vec![(".", "parse/short", 1)])
        );
        assert!((time(&found, 0) - 120e-9).abs() < 1e-15);
    }

    #[test]
    fn the_files_of_other_harnesses_say_which_they_are() {
        let pyperf = r#"{"benchmarks":[{"runs":[{"warmups":[[1,2e-6]]},{"values":[2e-6,3e-6,9e-6]},{"values":[4e-6]}]}],
            "metadata":{"name":"count a","unit":"second"}}"#;
        let vitest = r#"{"files":[{"groups":[{"fullName":"b/w.bench.js > outer","benchmarks":[{"name":"copy","mean":0.003},
            {"name":"throws"}]}]}]}"#;
        let haskell = r#"["criterion","1.5.13.0",[{"reportName":"fib/9","reportKeys":["time","iters"],
            "reportMeasured":[[9e-6,1],[6e-6,2]]}]]"#;
        let divan = "d          fastest  │ slowest  │ median   │ mean     │ samples │ iters\n\
                     ╰─ zeros            │          │          │          │         │\n   \
                     ├─ u32  3 us     │ 5 us     │ 3 us     │ 3 us     │ 10      │ 100\n   \
                     ╰─ u64  4 us     │ 5 us     │ 6 us     │ 3 us     │ 10      │ 100\n";
        let json = "{ \"type\": \"suite\", \"event\": \"started\" }\n\
                    { \"type\": \"bench\", \"name\": \"a::b\", \"median\": 3000.0 }\n";
        let text = "running 1 test\ntest a::b ... bench:       3,000 ns/iter (+/- 56)\n\ntest result: ok.\n";
        let catch = "<?xml version=\"1.0\"?><Catch name=\"b\"><TestCase name=\"t\"><BenchmarkResults name=\"x\">\
                     <mean value=\"3000\"/></BenchmarkResults></TestCase></Catch>";
        let tasty = "Name,Mean (ps),2*Stdev (ps)\n\"All.a, b\",3000000,1\n";
        let table =
            "Name,Mean,MeanLB,MeanUB,Stddev,StddevLB,StddevUB\n\"fib/9\",3.0e-6,2e-6,4e-6,1e-7,1e-7,1e-7\n";
        let expected = [
            (pyperf, "pyperf", vec![(".", "count a", 2)]),
            (
                vitest,
                "vitest",
                vec![("b/w.bench.js", "b/w.bench.js > outer > copy", 1)],
            ),
            (haskell, "haskell-criterion", vec![(".", "fib/9", 1)]),
            (
                divan,
                "divan",
                vec![("d", "d::zeros::u32", 1), ("d", "d::zeros::u64", 1)],
            ),
            (json, "libtest", vec![(".", "a::b", 1)]),
            (text, "libtest", vec![(".", "a::b", 1)]),
            (catch, "catch2", vec![(".", "t / x", 1)]),
            (tasty, "tasty-bench", vec![(".", "All.a, b", 1)]),
            (table, "haskell-criterion", vec![(".", "fib/9", 1)]),
            ("starting\nsum 3 us\nsum 4 us\n", "generic", vec![(".", "sum", 2)]),
        ];
        for (file, harness, benchmarks) in expected {
            let found = read("x", file);
            assert_eq!((found.harness, names(&found)), (harness, benchmarks));
            assert!((time(&found, 0) - 3e-6).abs() < 1e-12, "{harness}");
        }
    }

    #[test]
    fn other_files_are_refused_with_what_can_be_read() {
        let prose = "Chapter 1 begins\nIt was a day like any other, and nobody\nthought of anything.\n";
        for text in [
            "",
            "hello\n",
            prose,
            "{}",
            "[]",
            "{\"benchmarks\": []}",
            "[1,2]",
            "null",
        ] {
            let refused = stored(Path::new("x"), text.as_bytes()).unwrap_err();
            assert!(refused.hint.contains("go test -bench"), "{text}: {refused}");
        }
    }

    #[test]
    fn names_that_cannot_be_shown_are_left_out() {
        let found = read(
            "x",
            "BenchmarkA\u{1b}[2J 1 2 ns/op\nBenchmarkB 1 2 ns/op\nBenchmarkC 1 0 ns/op\n",
        );
        assert_eq!(names(&found), [(".", "BenchmarkB", 1)]);
        assert_eq!(found.left_out.len(), 2, "{:?}", found.left_out);
    }
}
