//! Python's pytest-benchmark. Tried with 5.3.1.
//!
//! A node id is a benchmark's name. Options of the project's configuration (`addopts`: coverage, workers) are not used: they
//! would be measured, too. A test that fails is in its JSON all the same; the exit status tells.
//!
//! Its Python is that of an environment in the tree (`.venv`), else the `python3` that `PATH` has first.

use std::path::{Path, PathBuf};

use serde_json::Value;

use tare_model::figure::Figure;

use crate::command::{Command, Done};
use crate::figure::{Entry, median};
use crate::harness::{Benchmark, Effort, Group, Harness, Listing, Places, Program, Sample, Suite};
use crate::json::{file, list, number, numbers, text};
use crate::output::{ended_well, listing_of, no_result, not_empty, several};
use crate::python;
use crate::refused::Refused;
use crate::text::lines;
use crate::tree::{Tree, said};

pub(crate) struct Pytest;

const RESULT: &str = "result.json";

/// What a project names that uses it. Benchmarks for pytest-codspeed have the same fixture, and run with this plugin, too.
const PLUGINS: [&str; 4] = [
    "pytest-benchmark",
    "pytest_benchmark",
    "pytest-codspeed",
    "pytest_codspeed",
];

/// Plugins that would be measured, take the fixture for their own, or start slowly and are of no use here: of yarl's
/// benchmarks, a process takes a third of the time without them.
const BLOCKED: [&str; 3] = ["no:codspeed", "no:pytest_cov", "no:hypothesispytest"];

/// Fixtures whose tests are benchmarks.
const FIXTURES: [&str; 2] = ["benchmark", "benchmark_weave"];

impl Harness for Pytest {
    fn name(&self) -> &'static str {
        "pytest-benchmark"
    }

    fn found(&self, tree: &Tree) -> Vec<Suite> {
        let named = tree
            .all()
            .find(|(_, text)| PLUGINS.iter().any(|plugin| text.contains(plugin)));
        let Some((named, _)) = named else {
            return Vec::new();
        };
        let tests = tree
            .all()
            .filter(|(path, text)| is_test(path) && has_benchmarks(text));
        let parts: Vec<String> = tests.map(|(path, _)| said(path)).collect();
        let why = parts.first().map(|first| format!("{}, {first}", said(named)));
        why.into_iter()
            .map(|why| Suite {
                folder: Path::new("").to_owned(),
                name: ".".to_owned(),
                parts: parts.clone(),
                why,
            })
            .collect()
    }

    fn build(&self, _: &Suite, _: &Places) -> Result<Vec<Command>, Refused> {
        Ok(Vec::new())
    }

    fn built(&self, suite: &Suite, places: &Places, _: &[Done]) -> Result<Vec<Program>, Refused> {
        // A program each file, so that one that cannot be imported hides no other.
        let program = |part: &String| {
            let mut program = python::program(part, places, &places.root.join(&suite.folder));
            program.args = vec!["-m".into(), "pytest".into()];
            program
        };
        Ok(suite.parts.iter().map(program).collect())
    }

    fn own_files(&self, tree: &Tree, suite: &Suite) -> Vec<PathBuf> {
        let parts = suite.parts.iter().map(PathBuf::from);
        let above = |file: &Path| {
            let folder = file.parent().unwrap_or(Path::new(""));
            // One at the root may be of the project as a whole.
            !folder.as_os_str().is_empty()
                && suite.parts.iter().any(|part| Path::new(part).starts_with(folder))
        };
        let shared = tree.named("conftest.py").map(|(path, _)| path);
        let shared = shared.filter(|path| above(path)).map(Path::to_owned);
        parts.chain(shared).collect()
    }

    fn source(&self, tree: &Tree, _: &Suite, program: &str, _: &str) -> Option<String> {
        tree.text(Path::new(program)).map(str::to_owned)
    }

    fn list(&self, program: &Program, _: Option<&Group>, _: &Path) -> Command {
        // The plan names the fixtures of each test; a collection would name tests that are no benchmarks.
        plain(program).args(["--setup-plan", "--", &program.name])
    }

    fn listed(&self, program: &Program, _: Option<&Group>, done: &Done) -> Result<Listing, Refused> {
        ended_well(&listing_of(program), done)?;
        let mut listing = Listing::default();
        for line in lines(&done.stdout) {
            let Some((id, fixtures)) = line.trim().rsplit_once(" (fixtures used: ") else {
                continue;
            };
            let mut fixtures = fixtures.trim_end_matches(')').split(", ");
            if fixtures.any(|fixture| FIXTURES.contains(&fixture)) {
                listing.add(id, vec!["--".to_owned(), id.to_owned()]);
            }
        }
        not_empty(program, done, listing.only_unique())
    }

    fn sample(&self, program: &Program, benchmark: &Benchmark, effort: Effort, scratch: &Path) -> Command {
        plain(program)
            .args([format!("--benchmark-max-time={:.4}", effort.time().as_secs_f64())])
            .args(["--benchmark-min-rounds=3"])
            .flag("--benchmark-json=", scratch.join(RESULT))
            .args(&benchmark.select)
            .reads(&[RESULT])
    }

    fn sampled(&self, benchmark: &Benchmark, done: &Done) -> Result<Sample, Refused> {
        let tried = benchmark.tried();
        ended_well(&tried, done)?;
        let document = file(&tried, done, RESULT)?.unwrap_or_default();
        let results = list(&document, "benchmarks").iter();
        let ours: Vec<&Value> = results
            .filter(|result| text(result, "fullname") == benchmark.name())
            .collect();
        let result = match ours.as_slice() {
            [] => return Err(no_result(benchmark, done)),
            [result] => result,
            more => return Err(several(benchmark, more.len())),
        };
        let stats = result.get("stats").unwrap_or(&Value::Null);
        let data = stats.get("data").map(numbers).unwrap_or_default();
        let time = median(&mut data.clone()).or_else(|| number(stats, "median"));
        Sample::of(
            benchmark,
            vec![Figure::time(time.ok_or_else(|| no_result(benchmark, done))?)],
        )
    }
}

fn plain(program: &Program) -> Command {
    let command = program
        .command()
        .args(["-q", "-o", "addopts=", "-p", "no:cacheprovider"]);
    let blocked = BLOCKED.iter().flat_map(|plugin| ["-p", plugin]);
    command.args(blocked).args(["--benchmark-only"])
}

fn is_test(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".py") && name != "conftest.py"
}

/// A function of a test that takes one of the fixtures.
fn has_benchmarks(text: &str) -> bool {
    let functions = text
        .split("def ")
        .skip(1)
        .filter_map(|function| function.split(')').next());
    functions.into_iter().any(|head| {
        let params = head.split_once('(').map_or("", |(_, params)| params);
        let names = params
            .split(',')
            .map(|param| param.split([':', '=']).next().unwrap_or_default().trim());
        names.into_iter().any(|name| FIXTURES.contains(&name))
    })
}

/// The results of a file of `--benchmark-json`: the median of each benchmark's rounds.
pub(crate) fn stored(document: &Value) -> Vec<Entry> {
    let entry = |result: &Value| {
        let name = text(result, "fullname");
        let program = name.split("::").next().unwrap_or(name);
        let time = number(result.get("stats")?, "median")?;
        Some((program.to_owned(), name.to_owned(), vec![Figure::time(time)]))
    };
    list(document, "benchmarks").iter().filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_take_the_fixture_are_benchmarks() {
        assert!(has_benchmarks(
            "def test_a(n, benchmark: BenchmarkFixture) -> None:\n"
        ));
        assert!(has_benchmarks(
            "    def test_a(\n        self,\n        benchmark,\n    ):\n"
        ));
        assert!(!has_benchmarks(
            "def benchmark(n):\n    pass\ndef test_b(benchmarks): pass"
        ));
    }

    #[test]
    fn a_project_has_to_name_it() {
        let test = ("tests/test_a.py", "def test_a(benchmark): pass");
        assert!(Pytest.found(&Tree::of([test])).is_empty());
        let suites = Pytest.found(&Tree::of([test, ("requirements-dev.txt", "pytest-benchmark==5")]));
        assert_eq!(suites.len(), 1);
        assert_eq!(suites[0].why, "requirements-dev.txt, tests/test_a.py");
        let codspeed = "import pytest_codspeed\ndef test_a(benchmark): pass";
        assert_eq!(Pytest.found(&Tree::of([("tests/test_a.py", codspeed)])).len(), 1);
    }
}
