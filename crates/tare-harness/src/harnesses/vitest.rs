//! `vitest bench`. Tried with 3.2; version 5 writes its results by another flag, and was not.
//!
//! The time that each benchmark takes is set in the source (half a second unless said), and cannot be set from without. The
//! clock of the runtime has steps of 10 ns and more, by which the middle of single calls is coarse: the mean over all of them
//! is taken. Listing runs everything once. A benchmark that throws has no figures, and the exit status is 0.

use std::path::{Path, PathBuf};

use serde_json::Value;

use tare_model::figure::Figure;

use crate::command::{Command, Done};
use crate::figure::Entry;
use crate::harness::{Benchmark, Effort, Group, Harness, Listing, Places, Program, Sample, Suite};
use crate::json::{file, list, number, text};
use crate::npm;
use crate::output::{ended_well, failed, listing_of, no_result, not_empty, several};
use crate::refused::Refused;
use crate::text::quoted;
use crate::tree::Tree;

pub(crate) struct Vitest;

const RESULT: &str = "result.json";

/// Between a file, its groups, and a benchmark.
const BETWEEN: &str = " > ";

impl Harness for Vitest {
    fn name(&self) -> &'static str {
        "vitest"
    }

    fn found(&self, tree: &Tree) -> Vec<Suite> {
        npm::found(tree, "vitest", |path, _| {
            path.to_string_lossy().contains(".bench.")
        })
    }

    fn build(&self, suite: &Suite, places: &Places) -> Result<Vec<Command>, Refused> {
        Ok(vec![npm::install(suite, places)])
    }

    fn built(&self, suite: &Suite, places: &Places, _: &[Done]) -> Result<Vec<Program>, Refused> {
        let folder = places.root.join(&suite.folder);
        let vitest = folder.join("node_modules/.bin/vitest");
        let program = |part: &String| Program::new(part, &vitest, &folder);
        Ok(suite.parts.iter().map(program).collect())
    }

    fn own_files(&self, _: &Tree, suite: &Suite) -> Vec<PathBuf> {
        suite.parts.iter().map(|part| suite.folder.join(part)).collect()
    }

    fn source(&self, tree: &Tree, suite: &Suite, program: &str, _: &str) -> Option<String> {
        tree.text(&suite.folder.join(program)).map(str::to_owned)
    }

    fn list(&self, program: &Program, _: Option<&Group>, scratch: &Path) -> Command {
        run(program, scratch)
    }

    fn listed(&self, program: &Program, _: Option<&Group>, done: &Done) -> Result<Listing, Refused> {
        let tried = listing_of(program);
        ended_well(&tried, done)?;
        let document = file(&tried, done, RESULT)?.unwrap_or_default();
        let mut listing = Listing::default();
        for (group, benchmark) in benchmarks(&document) {
            listing.add(
                &named(group, benchmark),
                vec![format!("--testNamePattern={}", pattern(group, benchmark))],
            );
        }
        not_empty(program, done, listing.only_unique())
    }

    fn sample(&self, program: &Program, benchmark: &Benchmark, _: Effort, scratch: &Path) -> Command {
        run(program, scratch).args(&benchmark.select)
    }

    fn sampled(&self, benchmark: &Benchmark, done: &Done) -> Result<Sample, Refused> {
        let tried = benchmark.tried();
        ended_well(&tried, done)?;
        let document = file(&tried, done, RESULT)?.unwrap_or_default();
        let all = benchmarks(&document).into_iter();
        let ours: Vec<&Value> = all
            .filter(|(group, result)| named(group, result) == benchmark.name())
            .map(|(_, result)| result)
            .collect();
        let result = match ours.as_slice() {
            [] => return Err(no_result(benchmark, done)),
            [result] => result,
            more => return Err(several(benchmark, more.len())),
        };
        let Some(mean) = number(result, "mean") else {
            let hint = "run its function by hand: vitest does not say what a benchmark throws";
            return Err(failed(
                &tried,
                done,
                "it has no figures, as one that throws",
                hint,
            ));
        };
        Sample::of(benchmark, vec![Figure::time(mean * 1e-3)])
    }
}

fn run(program: &Program, scratch: &Path) -> Command {
    program
        .command()
        .args(["bench", "--run", program.name.as_str()])
        .flag("--outputJson=", scratch.join(RESULT))
        .env("CI", "1")
        .env("NO_COLOR", "1")
        .reads(&[RESULT])
}

/// Each with the name of its group.
fn benchmarks(document: &Value) -> Vec<(&str, &Value)> {
    let groups = list(document, "files")
        .iter()
        .flat_map(|file| list(file, "groups"));
    let of = |group| {
        list(group, "benchmarks")
            .iter()
            .map(move |one| (text(group, "fullName"), one))
    };
    groups.flat_map(of).collect()
}

/// The benchmarks of a file that `--outputJson` wrote, each by its mean, as there are no samples in it.
pub(crate) fn stored(document: &Value) -> Vec<Entry> {
    let entry = |(group, benchmark): (&str, &Value)| {
        let program = group.split(BETWEEN).next().unwrap_or(group);
        let time = Figure::time(number(benchmark, "mean")? * 1e-3);
        Some((program.to_owned(), named(group, benchmark), vec![time]))
    };
    benchmarks(document).into_iter().filter_map(entry).collect()
}

fn named(group: &str, benchmark: &Value) -> String {
    format!("{group}{BETWEEN}{}", text(benchmark, "name"))
}

/// It matches names without the file, with blanks between; a group may itself be called `a > b`.
fn pattern(group: &str, benchmark: &Value) -> String {
    let groups = group.split(BETWEEN).skip(1);
    let parts: Vec<String> = groups.chain([text(benchmark, "name")]).map(quoted).collect();
    format!("^{}$", parts.join("( > | )"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_benchmarks_show_it() {
        let tree = Tree::of([
            ("a/package.json", "{\"devDependencies\": {\"vitest\": \"3\"}}"),
            ("a/src/words.bench.ts", ""),
            ("b/package.json", "{}"),
            ("b/words.bench.ts", ""),
        ]);
        let suites = Vitest.found(&tree);
        assert_eq!(suites.len(), 1);
        assert_eq!(
            (suites[0].name.as_str(), &suites[0].parts),
            ("a", &vec!["src/words.bench.ts".to_owned()])
        );
    }

    #[test]
    fn a_pattern_has_the_groups_and_not_the_file() {
        let benchmark = serde_json::json!({"name": "copy [8]"});
        assert_eq!(
            pattern("b/words.bench.js > outer (x)", &benchmark),
            r"^outer \(x\)( > | )copy \[8\]$"
        );
        assert_eq!(pattern("b/words.bench.js", &benchmark), r"^copy \[8\]$");
    }
}
