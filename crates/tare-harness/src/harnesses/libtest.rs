//! Rust's own `#[bench]`, which only the nightly compiler builds. Tried with nightly 1.97.
//!
//! It takes no time and no count: a benchmark runs as long as it thinks fit, 0.3 to 3 s. Its JSON has all digits; the text
//! rounds to hundredths of a nanosecond. Its throughput is of whole nanoseconds, too coarse to be passed on.

use std::path::{Path, PathBuf};

use serde_json::Value;

use tare_model::figure::{Figure, Quantity};

use crate::cargo;
use crate::command::{Command, Done};
use crate::figure::{Entry, as_printed};
use crate::harness::{Benchmark, Effort, Group, Harness, Listing, Places, Program, Sample, Suite, Way};
use crate::json::{number, text};
use crate::output::{bounded, ended_well, failed, no_result, several};
use crate::refused::Refused;
use crate::text::{Printed, lines};
use crate::tree::Tree;

pub(crate) struct Libtest;

impl Harness for Libtest {
    fn name(&self) -> &'static str {
        "libtest"
    }

    fn found(&self, tree: &Tree) -> Vec<Suite> {
        let place = |path: &Path| cargo::among_benches(path) || path.starts_with("src");
        let marked = |text: &str| text.lines().any(|line| line.trim() == "#[bench]");
        cargo::found(tree, |path, text| place(path) && marked(text))
    }

    fn build(&self, suite: &Suite, places: &Places) -> Result<Vec<Command>, Refused> {
        Ok(vec![cargo::build(suite, places, Some("+nightly"))])
    }

    fn built(&self, suite: &Suite, _: &Places, done: &[Done]) -> Result<Vec<Program>, Refused> {
        cargo::built(suite, done)
    }

    fn tools(&self, suite: &Suite, places: &Places) -> Vec<Command> {
        vec![cargo::version(suite, places, Some("+nightly"))]
    }

    fn shuffle(&self, suite: &Suite, places: &Places, programs: &[Program], seed: u64) -> Vec<Way> {
        cargo::shuffle(suite, places, programs, Some("+nightly"), seed)
    }

    fn own_files(&self, _: &Tree, suite: &Suite) -> Vec<PathBuf> {
        cargo::own_files(suite)
    }

    fn source(&self, tree: &Tree, suite: &Suite, program: &str, _: &str) -> Option<String> {
        cargo::source(tree, suite, program)
    }

    fn list(&self, program: &Program, _: Option<&Group>, _: &Path) -> Command {
        program.command().args(["--bench", "--list", "--format", "terse"])
    }

    fn listed(&self, program: &Program, _: Option<&Group>, done: &Done) -> Result<Listing, Refused> {
        cargo::listed(program, done)
    }

    fn sample(&self, program: &Program, benchmark: &Benchmark, _: Effort, _: &Path) -> Command {
        let command = program
            .command()
            .args(["--bench", "-Zunstable-options", "--format=json"]);
        command.args(&benchmark.select)
    }

    fn sampled(&self, benchmark: &Benchmark, done: &Done) -> Result<Sample, Refused> {
        let tried = benchmark.tried();
        bounded(&tried, done)?;
        let events = events(&done.stdout);
        let ours = events
            .iter()
            .filter(|event| text(event, "name") == benchmark.name());
        if let Some(words) = ours.clone().find_map(panicked) {
            let shown = Done {
                stdout: words.as_bytes().to_vec(),
                ..done.clone()
            };
            let hint = "run it by hand, and cure what it says";
            return Err(failed(&tried, &shown, "it failed", hint));
        }
        ended_well(&tried, done)?;
        let results: Vec<&Value> = ours.filter(|event| text(event, "type") == "bench").collect();
        match results.as_slice() {
            [] => Err(no_result(benchmark, done)),
            [result] => {
                let time = number(result, "median").ok_or_else(|| no_result(benchmark, done))?;
                Sample::of(benchmark, vec![Figure::time(time * 1e-9)])
            }
            more => Err(several(benchmark, more.len())),
        }
    }
}

fn events(output: &[u8]) -> Vec<Value> {
    let lines = output.split(|byte| *byte == b'\n');
    lines
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect()
}

/// The benchmarks of what was printed, as JSON or as text, which criterion prints with `--output-format bencher`, too; one run of the
/// program, so one sample each.
pub(crate) fn stored(output: &[u8]) -> Vec<Entry> {
    let of_event = |event: Value| {
        let time = number(&event, "median").filter(|_| text(&event, "type") == "bench")?;
        Some((text(&event, "name").to_owned(), Figure::time(time * 1e-9)))
    };
    let of_line = |line: String| {
        // test NAME ... bench:       1,234 ns/iter (+/- 56)
        let (name, rest) = line.strip_prefix("test ")?.split_once(" ... bench:")?;
        let (time, _) = rest.trim().split_once(" ns/iter")?;
        let time = Printed::read(time)?.times(1e-9);
        Some((name.trim().to_owned(), as_printed(Quantity::Time, time)))
    };
    let found = events(output).into_iter().filter_map(of_event);
    let found = found.chain(lines(output).filter_map(of_line));
    found
        .map(|(name, time)| (".".to_owned(), name, vec![time]))
        .collect()
}

/// What a benchmark that failed printed.
fn panicked(event: &Value) -> Option<String> {
    (text(event, "event") == "failed").then(|| text(event, "stdout").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_may_have_benchmarks_in_any_source() {
        let bench = "#[cfg(test)]\nmod tests {\n    #[bench]\n    fn sum() {}\n}\n";
        let tree = Tree::of([
            ("Cargo.toml", ""),
            ("src/deep/sum.rs", bench),
            ("tests/it.rs", bench),
        ]);
        let suites = Libtest.found(&tree);
        assert_eq!(suites.len(), 1);
        assert_eq!(suites[0].parts, ["src/deep/sum.rs"]);
    }
}
