//! tinybench and mitata, which are libraries without a command line. Tried with tinybench 2.9 and 6.2 and mitata 1.0, on Node 20.
//!
//! A file of benchmarks is run by Node with a module loaded before it (`preloaded.mjs`) that stands in front of the library: it
//! has only the wanted benchmark run, and writes what was found. The file stays as it is; what it prints is passed over. Listing runs
//! everything once. The time that mitata takes for one (0.6 s) cannot be set from without.

use std::path::{Path, PathBuf};

use serde_json::Value;

use tare_model::figure::Figure;

use crate::command::{Command, Done};
use crate::harness::{Benchmark, Effort, Group, Harness, Listing, Places, Program, Sample, Suite};
use crate::json::{number, text};
use crate::npm;
use crate::output::{ended_well, failed, listing_of, no_result, not_empty, several};
use crate::refused::Refused;
use crate::tree::Tree;

/// A library of benchmarks for Node.
pub(crate) struct OnNode {
    package: &'static str,
}

pub(crate) const TINYBENCH: OnNode = OnNode { package: "tinybench" };
pub(crate) const MITATA: OnNode = OnNode { package: "mitata" };

const RESULT: &str = "result.jsonl";

const PRELOADED: &str = include_str!("../preloaded.mjs");

impl OnNode {
    /// Whether a file imports the library, or requires it.
    fn is_used(&self, source: &str) -> bool {
        let quotes = [format!("'{}'", self.package), format!("\"{}\"", self.package)];
        quotes.iter().any(|quoted| source.contains(quoted))
    }
}

impl Harness for OnNode {
    fn name(&self) -> &'static str {
        self.package
    }

    fn found(&self, tree: &Tree) -> Vec<Suite> {
        npm::found(tree, self.package, |path, text| {
            is_script(path) && self.is_used(text)
        })
    }

    fn build(&self, suite: &Suite, places: &Places) -> Result<Vec<Command>, Refused> {
        Ok(vec![npm::install(suite, places)])
    }

    fn built(&self, suite: &Suite, places: &Places, _: &[Done]) -> Result<Vec<Program>, Refused> {
        let folder = places.root.join(&suite.folder);
        let program = |part: &String| Program {
            args: vec!["--import".into(), npm::as_url(PRELOADED).into(), part.into()],
            ..Program::new(part, "node", &folder)
        };
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
        ended_well(&listing_of(program), done)?;
        let mut listing = Listing::default();
        for found in results(done) {
            listing.add(text(&found, "name"), vec![text(&found, "alias").to_owned()]);
        }
        not_empty(program, done, listing.only_unique())
    }

    fn sample(&self, program: &Program, benchmark: &Benchmark, effort: Effort, scratch: &Path) -> Command {
        let command = run(program, scratch)
            .env("TARE_BENCHMARK", benchmark.name())
            .env("TARE_ALIAS", &benchmark.select[0]);
        match effort {
            Effort::Iterations(count) => command.env("TARE_ITERATIONS", count.to_string()),
            Effort::Time(time) => command.env("TARE_MILLISECONDS", time.as_millis().to_string()),
        }
    }

    fn sampled(&self, benchmark: &Benchmark, done: &Done) -> Result<Sample, Refused> {
        let tried = benchmark.tried();
        ended_well(&tried, done)?;
        let results = results(done);
        let ours: Vec<&Value> = results
            .iter()
            .filter(|found| text(found, "name") == benchmark.name())
            .collect();
        let found = match ours.as_slice() {
            [] => return Err(no_result(benchmark, done)),
            [found] => found,
            more => return Err(several(benchmark, more.len())),
        };
        let error = text(found, "error");
        if !error.is_empty() {
            let shown = Done {
                stdout: error.as_bytes().to_vec(),
                ..done.clone()
            };
            return Err(failed(
                &tried,
                &shown,
                "it failed",
                "run it by hand, and cure what it says",
            ));
        }
        let seconds = number(found, "seconds").ok_or_else(|| no_result(benchmark, done))?;
        let iterations = found.get("iterations").and_then(Value::as_u64);
        Ok(Sample::of(benchmark, vec![Figure::time(seconds)])?.iterations(iterations))
    }
}

/// Whether Node runs a file as it is.
fn is_script(path: &Path) -> bool {
    path.extension()
        .is_some_and(|end| ["js", "mjs", "cjs"].iter().any(|known| end == *known))
}

fn run(program: &Program, scratch: &Path) -> Command {
    program
        .command()
        .env("TARE_RESULT", scratch.join(RESULT))
        .env("NO_COLOR", "1")
        .reads(&[RESULT])
}

/// A line for each benchmark that was run.
fn results(done: &Done) -> Vec<Value> {
    let lines = done.file(RESULT).unwrap_or_default().split(|byte| *byte == b'\n');
    lines
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_import_the_library_show_it() {
        let manifest = "{\"devDependencies\": {\"tinybench\": \"6\", \"mitata\": \"1\"}}";
        let tree = Tree::of([
            ("package.json", manifest),
            ("bench/words.js", "import { Bench } from 'tinybench';"),
            ("bench/count.mjs", "import { run } from \"mitata\";"),
            ("bench/typed.ts", "import { Bench } from 'tinybench';"),
            ("bench/other.js", "// tinybench"),
        ]);
        let parts = |harness: OnNode| harness.found(&tree).remove(0).parts;
        assert_eq!(parts(TINYBENCH), ["bench/words.js"]);
        assert_eq!(parts(MITATA), ["bench/count.mjs"]);
    }
}
