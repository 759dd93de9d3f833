//! Haskell's criterion. Tried with 1.5.13 (Debian), built by cabal 3.4.
//!
//! Its raw measurements are read: rows of more and more iterations, of which the later half is taken, since a row of few is
//! mostly the clock's own cost. The least time that it takes for a sample is a tenth of a second.

use std::path::{Path, PathBuf};

use serde_json::Value;

use tare_model::figure::{Figure, Quantity};

use crate::cabal;
use crate::command::{Command, Done};
use crate::figure::{Entry, as_printed, median};
use crate::harness::{Benchmark, Effort, Group, Harness, Listing, Places, Program, Sample, Suite};
use crate::json::{file, list, text};
use crate::output::{ended_well, listing_of, no_result, not_empty, several};
use crate::refused::Refused;
use crate::text::{Printed, csv_field, lines};
use crate::tree::Tree;

pub(crate) struct HaskellCriterion;

const RESULT: &str = "result.json";

/// It wants more than 0.1 s.
const SHORTEST: f64 = 0.11;

impl Harness for HaskellCriterion {
    fn name(&self) -> &'static str {
        "haskell-criterion"
    }

    fn found(&self, tree: &Tree) -> Vec<Suite> {
        cabal::found(tree, "criterion")
    }

    fn build(&self, suite: &Suite, places: &Places) -> Result<Vec<Command>, Refused> {
        Ok(cabal::build(suite, places))
    }

    fn built(&self, suite: &Suite, places: &Places, done: &[Done]) -> Result<Vec<Program>, Refused> {
        cabal::built(suite, places, done)
    }

    fn own_files(&self, tree: &Tree, suite: &Suite) -> Vec<PathBuf> {
        cabal::own_files(tree, suite)
    }

    fn source(&self, tree: &Tree, suite: &Suite, program: &str, _: &str) -> Option<String> {
        cabal::source(tree, suite, program)
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
        let document = file(&tried, done, RESULT)?.unwrap_or_default();
        let ours = reports(&document)
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

/// The reports of a file: `["criterion", VERSION, [REPORT …]]`.
fn reports(document: &Value) -> &[Value] {
    let reports = document.get(2).and_then(Value::as_array);
    reports.map_or(&[], Vec::as_slice)
}

/// Whether a document is one that `--json` wrote.
pub(crate) fn wrote(document: &Value) -> bool {
    document.get(0).and_then(Value::as_str) == Some("criterion")
}

/// The benchmarks of a file that `--json` wrote; one run of the program, so one sample each.
pub(crate) fn stored(document: &Value) -> Vec<Entry> {
    let entry = |report: &Value| {
        let name = text(report, "reportName").to_owned();
        Some((".".to_owned(), name, vec![Figure::time(time(report)?)]))
    };
    reports(document).iter().filter_map(entry).collect()
}

/// The benchmarks of a table that `--csv` wrote: `Name,Mean,MeanLB,…`, in seconds. Runs add to it, each with a heading.
pub(crate) fn stored_table(output: &[u8]) -> Vec<Entry> {
    let mut rows = lines(output).skip_while(|line| !line.starts_with(TABLE)).skip(1);
    let entry = |line: String| {
        let (name, rest) = csv_field(&line)?;
        let mean = Printed::read(rest.split(',').next()?)?;
        Some((".".to_owned(), name, vec![as_printed(Quantity::Time, mean)]))
    };
    rows.by_ref().filter_map(entry).collect()
}

/// How a table of it begins.
const TABLE: &str = "Name,Mean,MeanLB,";

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

/// A glob that matches this name, and hardly another: what means something there becomes any character. A backslash, tried,
/// does not escape all of them. Results of other names are passed over.
fn glob(name: &str) -> String {
    name.replace(['\\', '*', '[', '<'], "?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_few_iterations_do_not_count() {
        let report = serde_json::json!({
            "reportKeys": ["time", "cpuTime", "iters"],
            "reportMeasured": [[9.0, 0, 1], [9.0, 0, 2], [30.0, 0, 3], [40.0, 0, 4]],
        });
        assert_eq!(time(&report), Some(10.0));
    }
}
