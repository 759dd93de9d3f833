//! Haskell's tasty-bench. Tried with 0.3.5 on tasty 1.4.2 (Debian), built by GHC 9.0.
//!
//! A count of iterations cannot be fixed: it doubles them until it takes its figure for precise enough, and is told to be content
//! with little, since that precision is of one process. The clock is the one that the project chooses; without a choice the
//! processor's. It ends with 0 where nothing matches.

use std::path::{Path, PathBuf};

use tare_model::figure::{Figure, Quantity};

use crate::cabal;
use crate::command::{Command, Done};
use crate::figure::{Entry, as_printed};
use crate::harness::{Benchmark, Effort, Group, Harness, Listing, Places, Program, Sample, Suite};
use crate::output::{ended_well, listing_of, no_result, not_empty, several};
use crate::refused::Refused;
use crate::text::{Printed, csv_field, lines};
use crate::tree::Tree;

pub(crate) struct TastyBench;

const RESULT: &str = "result.csv";

/// The deviation, in percent, with which it is content after about a second: it takes what disturbs a measurement for about so much
/// time.
const CONTENT_AFTER_A_SECOND: f64 = 2.5;

impl Harness for TastyBench {
    fn name(&self) -> &'static str {
        "tasty-bench"
    }

    fn found(&self, tree: &Tree) -> Vec<Suite> {
        cabal::found(tree, "tasty-bench")
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
        program.command().args(["--list-tests"])
    }

    fn listed(&self, program: &Program, _: Option<&Group>, done: &Done) -> Result<Listing, Refused> {
        ended_well(&listing_of(program), done)?;
        let mut listing = Listing::default();
        for name in lines(&done.stdout).filter(|line| !line.trim().is_empty()) {
            listing.add(&name, vec![format!("--pattern=$0 == \"{}\"", escaped(&name))]);
        }
        not_empty(program, done, listing.only_unique())
    }

    fn sample(&self, program: &Program, benchmark: &Benchmark, effort: Effort, scratch: &Path) -> Command {
        let content = (CONTENT_AFTER_A_SECOND / effort.time().as_secs_f64()).clamp(1.0, 100.0);
        program
            .command()
            .args(["--num-threads=1", "--color=never"])
            .args([format!("--stdev={content:.0}")])
            .flag("--csv=", scratch.join(RESULT))
            .args(&benchmark.select)
            .reads(&[RESULT])
    }

    fn sampled(&self, benchmark: &Benchmark, done: &Done) -> Result<Sample, Refused> {
        ended_well(&benchmark.tried(), done)?;
        let table = done.file(RESULT).unwrap_or_default();
        let ours = rows(table).filter(|(name, _)| name == benchmark.name());
        match ours.map(|(_, figures)| figures).collect::<Vec<_>>().as_slice() {
            [] => Err(no_result(benchmark, done)),
            [figures] => Sample::of(benchmark, figures.clone()),
            more => Err(several(benchmark, more.len())),
        }
    }
}

/// A name within a text of a pattern.
fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\").replace('"', "\\\"")
}

/// The rows of a table, whose first line says what is in it.
fn rows(table: &[u8]) -> impl Iterator<Item = (String, Vec<Figure>)> {
    let mut lines = lines(table);
    let head = lines.next().unwrap_or_default();
    let allocates = head.split(',').nth(3) == Some("Allocated (bytes)");
    lines.filter_map(move |line| row(&line, allocates))
}

/// The benchmarks of a table that `--csv` wrote; one run of the program, so one sample each.
pub(crate) fn stored(table: &[u8]) -> Vec<Entry> {
    if !table.starts_with(b"Name,Mean (ps),") {
        return Vec::new();
    }
    let entry = |(name, figures)| (".".to_owned(), name, figures);
    rows(table).map(entry).collect()
}

/// A line `NAME,PICOSECONDS,…`, and after the deviation the bytes that it allocated, where the program counts them.
fn row(line: &str, allocates: bool) -> Option<(String, Vec<Figure>)> {
    let (name, rest) = csv_field(line)?;
    let mut values = rest.split(',');
    let time = Printed::read(values.next()?)?.times(1e-12);
    let mut figures = vec![as_printed(Quantity::Time, time)];
    if let Some(bytes) = values.nth(1).filter(|_| allocates) {
        figures.push(as_printed(Quantity::Bytes, Printed::read(bytes)?));
    }
    Some((name, figures))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_be_quoted_and_memory_counted() {
        let of = |line: &str| row(line, true).map(|(name, figures)| (name, figures.len()));
        assert_eq!(of("All.a,28,2"), Some(("All.a".to_owned(), 1)));
        assert_eq!(
            of("\"All.\"\"a, b\"\"\",28,2,64,0,1"),
            Some(("All.\"a, b\"".to_owned(), 2))
        );
        assert_eq!(row("All.a,28,2,64,0", false).unwrap().1.len(), 1);
        for bad in ["", "All.a", "All.a,x,2", "\"All.a,28,2", "\"a\"b,28,2"] {
            assert_eq!(of(bad), None, "{bad}");
        }
        let (_, figures) = row("All.a,28000,2", false).unwrap();
        assert!((figures[0].value - 28e-9).abs() < 1e-20);
    }
}
