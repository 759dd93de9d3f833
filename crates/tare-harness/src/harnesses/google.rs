//! Google Benchmark. Tried with 1.7.1 (Debian) and 1.9.5 (Python's package).
//!
//! The time is that of the clock which the benchmark itself goes by: the processor's, or the real one for several threads
//! and where its name says so (`/real_time`, `/manual_time`). From 1.8 on a count of iterations can be fixed; the first that
//! names its version in the JSON is taken for that. `MinTime()` and `Iterations()` in the source override the flags. It ends
//! with 0 where a benchmark fails, and where none matches.

use std::path::{Path, PathBuf};

use serde_json::Value;

use tare_model::figure::{Figure, Quantity};

use crate::cmake;
use crate::command::{Command, Done};
use crate::cpp;
use crate::figure::{Entry, seconds};
use crate::harness::{Benchmark, Effort, Group, Harness, Listing, Places, Program, Sample, Suite, Way};
use crate::json::{file, list, number, short_text, text};
use crate::output::{ended_well, listing_of, no_result, not_empty, several};
use crate::refused::Refused;
use crate::text::{lines, quoted, short};
use crate::tree::Tree;

pub(crate) struct Google;

/// What it writes of its own; the other numbers are counters of the benchmark.
const OWN: [&str; 9] = [
    "family_index",
    "per_family_instance_index",
    "repetitions",
    "repetition_index",
    "threads",
    "iterations",
    "real_time",
    "cpu_time",
    "error_occurred",
];

const RESULT: &str = "result.json";

impl Harness for Google {
    fn name(&self) -> &'static str {
        "google-benchmark"
    }

    fn found(&self, tree: &Tree) -> Vec<Suite> {
        cmake::found(
            tree,
            &[
                "benchmark::benchmark",
                "benchmark::benchmark_main",
                "benchmark",
                "benchmark_main",
            ],
        )
    }

    fn build(&self, suite: &Suite, places: &Places) -> Result<Vec<Command>, Refused> {
        Ok(cmake::build(suite, places))
    }

    fn built(&self, suite: &Suite, places: &Places, done: &[Done]) -> Result<Vec<Program>, Refused> {
        cmake::built(suite, places, done)
    }

    fn shuffle(&self, suite: &Suite, places: &Places, _: &[Program], seed: u64) -> Vec<Way> {
        cmake::shuffle(suite, places, seed)
    }

    fn own_files(&self, tree: &Tree, suite: &Suite) -> Vec<PathBuf> {
        cpp::own_files(tree, suite, uses)
    }

    fn source(&self, tree: &Tree, suite: &Suite, program: &str, benchmark: &str) -> Option<String> {
        cpp::source(tree, suite, (program, function(benchmark)), uses)
    }

    fn list(&self, program: &Program, _: Option<&Group>, _: &Path) -> Command {
        program.command().args(["--benchmark_list_tests=true"])
    }

    fn listed(&self, program: &Program, _: Option<&Group>, done: &Done) -> Result<Listing, Refused> {
        ended_well(&listing_of(program), done)?;
        let mut listing = Listing::default();
        for name in lines(&done.stdout).filter(|line| !line.trim().is_empty()) {
            listing.add(&name, vec![format!("--benchmark_filter=^{}$", quoted(&name))]);
        }
        not_empty(program, done, listing.only_unique())
    }

    fn sample(&self, program: &Program, benchmark: &Benchmark, effort: Effort, scratch: &Path) -> Command {
        let length = match effort {
            Effort::Iterations(count) => format!("{count}x"),
            // Without the unit, which 1.7 refuses and later versions only ask for.
            Effort::Time(time) => format!("{:.4}", time.as_secs_f64()),
        };
        program
            .command()
            .args([format!("--benchmark_min_time={length}")])
            .args(["--benchmark_repetitions=1", "--benchmark_out_format=json"])
            .flag("--benchmark_out=", scratch.join(RESULT))
            .args(&benchmark.select)
            .reads(&[RESULT])
    }

    fn sampled(&self, benchmark: &Benchmark, done: &Done) -> Result<Sample, Refused> {
        let tried = benchmark.tried();
        ended_well(&tried, done)?;
        // Where nothing matches, it leaves a file that is empty.
        if done.file(RESULT).is_none_or(<[u8]>::is_empty) {
            return Err(no_result(benchmark, done));
        }
        let document = file(&tried, done, RESULT)?.unwrap_or_default();
        let all = list(&document, "benchmarks").iter();
        let ours = all.filter(|result| text(result, "run_name") == benchmark.name());
        let ours: Vec<&Value> = ours
            .filter(|result| text(result, "run_type") == "iteration")
            .collect();
        let result = match ours.as_slice() {
            [] => return Err(no_result(benchmark, done)),
            [result] => result,
            more => return Err(several(benchmark, more.len())),
        };
        if result.get("error_occurred").and_then(Value::as_bool) == Some(true) {
            let found = format!("it failed: {}", short_text(result, "error_message"));
            return Err(Refused::new(
                &tried,
                &found,
                "run it by hand, and cure what it says",
            ));
        }
        let figures = figures(benchmark.name(), result).ok_or_else(|| no_result(benchmark, done))?;
        let knows_counts = document.pointer("/context/library_version").is_some();
        let iterations = result.get("iterations").and_then(Value::as_u64);
        Ok(Sample::of(benchmark, figures)?.iterations(iterations.filter(|_| knows_counts)))
    }
}

/// Whether a source is one with benchmarks.
fn uses(text: &str) -> bool {
    text.contains("benchmark/benchmark.h")
}

/// What sources have of a name: `BM_Sort` of `BM_Sort<int>/8/threads:2`.
fn function(benchmark: &str) -> &str {
    benchmark.split(['/', '<']).next().unwrap_or(benchmark)
}

fn figures(name: &str, result: &Value) -> Option<Vec<Figure>> {
    let several = number(result, "threads").is_some_and(|threads| threads > 1.0);
    let real = several || name.contains("/real_time") || name.contains("/manual_time");
    let time = number(result, if real { "real_time" } else { "cpu_time" })?;
    let mut figures = vec![Figure::time(time * seconds(text(result, "time_unit"))?)];
    let counters = result
        .as_object()?
        .iter()
        .filter(|(key, _)| !OWN.contains(&key.as_str()));
    let counters = counters.filter_map(|(key, value)| Some((key, value.as_f64()?)));
    figures.extend(counters.map(|(key, value)| Figure::of(counter(key), value)));
    Some(figures)
}

fn counter(key: &str) -> Quantity {
    match key {
        "bytes_per_second" => Quantity::Throughput("B".to_owned()),
        "items_per_second" => Quantity::Throughput("items".to_owned()),
        "allocs_per_iter" => Quantity::Allocations,
        other => Quantity::Custom(short(other)),
    }
}

/// The samples of a file of `--benchmark_out`: each repetition is one.
pub(crate) fn stored(document: &Value) -> Vec<Entry> {
    let executable = document.pointer("/context/executable").and_then(Value::as_str);
    let program = executable.and_then(|path| path.rsplit('/').next()).unwrap_or(".");
    let iterations = list(document, "benchmarks")
        .iter()
        .filter(|result| matches!(text(result, "run_type"), "iteration" | ""));
    let entry = |result: &Value| {
        let named = ["run_name", "name"].into_iter().map(|key| text(result, key));
        let name = named.into_iter().find(|name| !name.is_empty())?;
        Some((program.to_owned(), name.to_owned(), figures(name, result)?))
    };
    iterations.filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_the_one_that_the_benchmark_goes_by() {
        let time = |name: &str, threads: u64| {
            let json =
                format!(r#"{{"real_time": 8.0, "cpu_time": 4.0, "threads": {threads}, "time_unit": "s"}}"#);
            figures(name, &serde_json::from_str(&json).unwrap()).unwrap()[0].value
        };
        let found = [
            time("a/8", 1),
            time("a/real_time", 1),
            time("a/manual_time", 1),
            time("a/threads:2", 2),
        ];
        assert!(found == [4.0, 8.0, 8.0, 8.0], "{found:?}");
    }
}
