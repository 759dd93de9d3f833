//! Haskell's criterion. Tried with 1.5.13 (Debian), built by cabal 3.4.
//!
//! Its raw measurements are read: rows of more and more iterations, of which the later half is taken, since a row of few is
//! mostly the clock's own cost. The least time that it takes for a sample is a tenth of a second.

use std::path::{Path, PathBuf};

use serde_json::Value;

use tare_model::figure::Figure;

use crate::command::{Command, Done};
use crate::figure::median;
use crate::harness::{Benchmark, Effort, Group, Harness, Listing, Places, Program, Sample, Suite};
use crate::json::{file, list, text};
use crate::output::{ended_well, failed, listing_of, no_result, not_empty, several};
use crate::refused::Refused;
use crate::text::lines;
use crate::tree::{Tree, said};

pub(crate) struct HaskellCriterion;

const RESULT: &str = "result.json";

/// It wants more than 0.1 s.
const SHORTEST: f64 = 0.11;

impl Harness for HaskellCriterion {
    fn name(&self) -> &'static str {
        "haskell-criterion"
    }

    fn found(&self, tree: &Tree) -> Vec<Suite> {
        let packages = tree
            .all()
            .filter(|(path, _)| path.extension().is_some_and(|end| end == "cabal"));
        let suite = |(path, text): (&Path, &str)| {
            let parts = stanzas(text);
            let why = format!("{}: benchmark {}", said(path), parts.first()?);
            Some(Suite {
                folder: path.parent()?.to_owned(),
                name: path.file_stem()?.to_string_lossy().into_owned(),
                parts,
                why,
            })
        };
        packages.filter_map(suite).collect()
    }

    fn build(&self, suite: &Suite, places: &Places) -> Result<Vec<Command>, Refused> {
        let cabal = |verb: &[&str]| {
            let command = Command::new("cabal", places.root.join(&suite.folder));
            let command = command.args(verb).args(["--enable-benchmarks"]);
            command.flag("--builddir=", places.out)
        };
        let targets = suite.parts.iter().map(|part| format!("bench:{part}"));
        let build = cabal(&["build"]).args(targets.clone());
        let find = targets.map(|target| cabal(&["-v0", "list-bin"]).args([target]));
        Ok([build].into_iter().chain(find).collect())
    }

    fn built(&self, suite: &Suite, places: &Places, done: &[Done]) -> Result<Vec<Program>, Refused> {
        let found = suite.parts.iter().zip(done.iter().skip(1));
        let program = |(part, done): (&String, &Done)| {
            let last = lines(&done.stdout).filter(|line| !line.is_empty()).last();
            let executable = last
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
                .ok_or_else(|| {
                    let hint = "build it by hand with `cabal build --enable-benchmarks`";
                    failed(
                        &format!("find the executable of {part}"),
                        done,
                        "cabal names no path",
                        hint,
                    )
                })?;
            Ok(Program::new(part, executable, places.root.join(&suite.folder)))
        };
        found.map(program).collect()
    }

    fn list(&self, program: &Program, _: Option<&Group>, _: &Path) -> Command {
        program.command().args(["--list"])
    }

    fn listed(&self, program: &Program, _: Option<&Group>, done: &Done) -> Result<Listing, Refused> {
        ended_well(&listing_of(program), done)?;
        let mut listing = Listing::default();
        for name in lines(&done.stdout).filter(|line| !line.trim().is_empty()) {
            listing.add(&name, vec!["--".to_owned(), glob(&name)]);
        }
        not_empty(program, done, listing.only_unique())
    }

    fn sample(&self, program: &Program, benchmark: &Benchmark, effort: Effort, scratch: &Path) -> Command {
        let length = effort.time().as_secs_f64().max(SHORTEST);
        program
            .command()
            .args(["--match=glob", "--resamples=10"])
            .args([format!("--time-limit={length:.3}")])
            .flag("--json=", scratch.join(RESULT))
            .args(&benchmark.select)
            .reads(&[RESULT])
    }

    fn sampled(&self, benchmark: &Benchmark, done: &Done) -> Result<Sample, Refused> {
        let tried = benchmark.tried();
        ended_well(&tried, done)?;
        // ["criterion", VERSION, [REPORT …]]
        let document = file(&tried, done, RESULT)?.unwrap_or_default();
        let reports = document
            .get(2)
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice);
        let ours = reports
            .iter()
            .filter(|report| text(report, "reportName") == benchmark.name());
        match ours.collect::<Vec<_>>().as_slice() {
            [] => Err(no_result(benchmark, done)),
            [report] => {
                let time = time(report).ok_or_else(|| no_result(benchmark, done))?;
                Sample::of(benchmark, vec![Figure::time(time)])
            }
            more => Err(several(benchmark, more.len())),
        }
    }
}

/// The middle of the rows with the most iterations, in seconds an iteration.
fn time(report: &Value) -> Option<f64> {
    let column = |name: &str| list(report, "reportKeys").iter().position(|key| key == name);
    let (time, iterations) = (column("time")?, column("iters")?);
    let rows = list(report, "reportMeasured").iter();
    let cells = rows.filter_map(|row| Some((row.get(iterations)?.as_f64()?, row.get(time)?.as_f64()?)));
    let mut rows: Vec<(f64, f64)> = cells.collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let later = rows.iter().skip(rows.len() / 2);
    median(
        &mut later
            .map(|(iterations, time)| time / iterations)
            .collect::<Vec<_>>(),
    )
}

/// The benchmarks that a package declares, if it needs criterion.
fn stanzas(package: &str) -> Vec<String> {
    let needs = package
        .split(|c: char| !c.is_alphanumeric() && c != '-')
        .any(|word| word == "criterion");
    let names = package.lines().filter_map(|line| line.strip_prefix("benchmark "));
    names
        .filter(|_| needs)
        .map(|name| name.trim().to_owned())
        .collect()
}

/// A glob that matches this name, and hardly another: what means something there becomes any character. A backslash, tried,
/// does not escape all of them. Results of other names are passed over.
fn glob(name: &str) -> String {
    name.replace(['\\', '*', '[', '<'], "?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_with_criterion_has_benchmarks() {
        let package =
            "name: words\nbenchmark speed\n  build-depends: base, criterion >=1.5\nbenchmark size\n";
        assert_eq!(stanzas(package), ["speed", "size"]);
        assert!(stanzas("benchmark speed\n  build-depends: tasty-bench, criterion-measurement\n").is_empty());
    }

    #[test]
    fn rows_of_few_iterations_do_not_count() {
        let report = serde_json::json!({
            "reportKeys": ["time", "cpuTime", "iters"],
            "reportMeasured": [[9.0, 0, 1], [9.0, 0, 2], [30.0, 0, 3], [40.0, 0, 4]],
        });
        assert_eq!(time(&report), Some(10.0));
    }
}
