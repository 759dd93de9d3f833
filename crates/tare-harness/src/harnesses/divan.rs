//! Rust's divan. Tried with 0.1.21.
//!
//! It prints a tree as text and nothing else; figures have four digits. A benchmark with `threads = […]` gives a result for
//! each count (`t=2`), all in one sample.

use std::path::{Path, PathBuf};

use tare_model::figure::{Figure, Quantity};

use crate::cargo;
use crate::command::{Command, Done};
use crate::figure::{Entry, as_printed, bytes, from_line, seconds};
use crate::harness::{Benchmark, Effort, Group, Harness, Listing, Places, Program, Sample, Suite, Way};
use crate::output::{ended_well, no_result};
use crate::refused::Refused;
use crate::text::{Printed, lines};
use crate::tree::Tree;

pub(crate) struct Divan;

/// How many samples a process takes, of which divan gives the middle. Iterations are those of all.
const SAMPLES: u64 = 10;

/// The column of the middle one: fastest, slowest, median, mean, samples, iterations.
const MEDIAN: usize = 2;
const ITERATIONS: usize = 5;

impl Harness for Divan {
    fn name(&self) -> &'static str {
        "divan"
    }

    fn found(&self, tree: &Tree) -> Vec<Suite> {
        let seen = |text: &str| text.contains("divan::main()") || text.contains("#[divan::bench");
        cargo::found(tree, |path, text| cargo::among_benches(path) && seen(text))
    }

    fn build(&self, suite: &Suite, places: &Places) -> Result<Vec<Command>, Refused> {
        Ok(vec![cargo::build(suite, places, None)])
    }

    fn built(&self, suite: &Suite, _: &Places, done: &[Done]) -> Result<Vec<Program>, Refused> {
        cargo::built(suite, done)
    }

    fn tools(&self, suite: &Suite, places: &Places) -> Vec<Command> {
        vec![cargo::version(suite, places, None)]
    }

    fn shuffle(&self, suite: &Suite, places: &Places, programs: &[Program], seed: u64) -> Vec<Way> {
        cargo::shuffle(suite, places, programs, None, seed)
    }

    fn own_files(&self, _: &Tree, suite: &Suite) -> Vec<PathBuf> {
        cargo::own_files(suite)
    }

    fn source(&self, tree: &Tree, suite: &Suite, program: &str, _: &str) -> Option<String> {
        cargo::source(tree, suite, program)
    }

    fn list(&self, program: &Program, _: Option<&Group>, _: &Path) -> Command {
        // It lists one a line for nextest only.
        let command = program.command().env("NEXTEST", "1");
        command.args(["--list", "--format", "terse"])
    }

    fn listed(&self, program: &Program, _: Option<&Group>, done: &Done) -> Result<Listing, Refused> {
        cargo::listed(program, done)
    }

    fn sample(&self, program: &Program, benchmark: &Benchmark, effort: Effort, _: &Path) -> Command {
        let command = program.command().args(["--bench", "--color=never"]);
        let command = command.args([format!("--sample-count={SAMPLES}")]);
        let command = match effort {
            Effort::Iterations(count) => {
                command.args([format!("--sample-size={}", (count / SAMPLES).max(1))])
            }
            Effort::Time(time) => command.args([format!("--max-time={:.3}", time.as_secs_f64())]),
        };
        command.args(&benchmark.select)
    }

    fn sampled(&self, benchmark: &Benchmark, done: &Done) -> Result<Sample, Refused> {
        ended_well(&benchmark.tried(), done)?;
        let read = Table::read(&done.stdout);
        if read.rows == 0 {
            return Err(no_result(benchmark, done));
        }
        let iterations = read.iterations.filter(|_| read.rows == 1);
        Ok(Sample::of(benchmark, read.figures())?.iterations(iterations))
    }
}

/// What the rows of its tree say.
#[derive(Default)]
struct Table {
    rows: usize,
    /// The label of the row that further lines belong to.
    label: String,
    /// Under which heading of allocations: `alloc:`, `max alloc:`, `dealloc:` …
    heading: Option<String>,
    /// Whether the count of allocations was there, which is above their bytes.
    counted: bool,
    figures: Vec<Figure>,
    iterations: Option<u64>,
}

impl Table {
    fn read(output: &[u8]) -> Self {
        let mut table = Self::default();
        lines(output).for_each(|line| table.line(&line));
        table
    }

    fn line(&mut self, line: &str) {
        if let Some(columns) = columns(line) {
            self.row(&columns);
        }
    }

    fn row(&mut self, columns: &[&str]) {
        let first = columns[0].trim_start_matches(['├', '╰', '─', '│', ' ']);
        if first.ends_with("fastest") {
            return;
        }
        if let Ok(iterations) = columns[ITERATIONS].parse() {
            self.rows += 1;
            self.iterations = Some(iterations);
            self.heading = None;
            self.label = label(first).to_owned();
            self.figure(columns[MEDIAN]);
        } else if first.ends_with(':') {
            self.heading = Some(first.trim_end_matches(':').to_owned());
            self.counted = false;
        } else if self.rows > 0 && !columns[MEDIAN].is_empty() {
            self.figure(columns[MEDIAN]);
        }
    }

    /// Its figures; of a lone row, without the row's name.
    fn figures(mut self) -> Vec<Figure> {
        if self.rows == 1 {
            self.figures.iter_mut().for_each(|figure| figure.part.clear());
        }
        self.figures
    }

    fn figure(&mut self, text: &str) {
        let (number, unit) = text.split_once(' ').unwrap_or((text, ""));
        let Some(printed) = Printed::read(number) else {
            return;
        };
        let figure = match &self.heading {
            None => measured(printed, unit),
            Some(heading) if heading == "alloc" => self.allocated(printed, unit),
            // What is freed and what grows mirrors what is allocated.
            Some(_) => None,
        };
        self.figures.extend(figure.map(|figure| Figure {
            part: self.label.clone(),
            ..figure
        }));
    }

    fn allocated(&mut self, printed: Printed, unit: &str) -> Option<Figure> {
        if std::mem::replace(&mut self.counted, true) {
            let factor = bytes(unit)?;
            Some(as_printed(Quantity::Bytes, printed.times(factor)))
        } else {
            Some(as_printed(Quantity::Allocations, printed))
        }
    }
}

/// The six columns of a line. A branch of the tree before them is drawn with the same stroke.
fn columns(line: &str) -> Option<[&str; 6]> {
    let columns: Vec<&str> = line.split('│').map(str::trim).collect();
    columns[columns.len().saturating_sub(6)..].try_into().ok()
}

/// The benchmarks of its tree, as text; one run of the program, so one sample each.
pub(crate) fn stored(output: &[u8]) -> Vec<Entry> {
    let mut found: Vec<(String, String, Table)> = Vec::new();
    let mut path: Vec<String> = Vec::new();
    for line in lines(output) {
        let Some(columns) = columns(&line) else { continue };
        if let Some(program) = columns[0].strip_suffix("fastest") {
            path = vec![program.trim().to_owned()];
            continue;
        }
        if let Some((depth, name, is_row)) = branch(&line, &columns) {
            path.truncate(depth);
            path.push(name);
            // A count of threads is a part of the benchmark above it.
            let own = path.len() - usize::from(is_threads(&path[path.len() - 1]));
            let name = path[..own].join("::");
            if is_row && found.last().is_none_or(|(_, last, _)| *last != name) {
                found.push((path[0].clone(), name, Table::default()));
            }
        }
        if let Some((.., table)) = found.last_mut() {
            table.line(&line);
        }
    }
    let entry = |(program, name, table): (String, String, Table)| (program, name, table.figures());
    found.into_iter().map(entry).collect()
}

/// Where a line begins a branch of the tree: how deep, its name, and whether it has figures.
fn branch(line: &str, columns: &[&str; 6]) -> Option<(usize, String, bool)> {
    let at = line.chars().position(|c| c == '├' || c == '╰')?;
    let is_row = columns[ITERATIONS].parse::<u64>().is_ok();
    let text = columns[0].trim_start_matches(['├', '╰', '─', ' ']);
    let name = if is_row { label(text) } else { text };
    Some((at / 3 + 1, name.to_owned(), is_row))
}

fn is_threads(name: &str) -> bool {
    let count = name.strip_prefix("t=");
    count.is_some_and(|count| count.parse::<u32>().is_ok())
}

/// A row's name stands before its first time: `fib  1.2 µs`.
fn label(first: &str) -> &str {
    let mut words = first.rsplitn(3, ' ');
    match (words.next(), words.next(), words.next()) {
        (Some(_), Some(_), Some(label)) => label.trim(),
        _ => first,
    }
}

/// A time, or a rate of something: `35.21 GB/s`, `8.803 Gitem/s`.
fn measured(printed: Printed, unit: &str) -> Option<Figure> {
    if seconds(unit).is_some() || unit.strip_suffix("/s").is_some_and(|unit| bytes(unit).is_some()) {
        return Some(from_line(printed, unit));
    }
    let of = unit.strip_suffix("/s")?;
    let factors = [("K", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12), ("P", 1e15)];
    let scaled = factors
        .iter()
        .find_map(|(prefix, factor)| Some((of.strip_prefix(prefix)?, *factor)));
    let (of, factor) = scaled.unwrap_or((of, 1.0));
    let of = if of == "item" { "items" } else { of };
    Some(as_printed(
        Quantity::Throughput(of.to_owned()),
        printed.times(factor),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_count_of_threads_is_a_part() {
        let text = "\
Timer precision: 20 ns
d           fastest       │ slowest       │ median        │ mean          │ samples │ iters
╰─ inner                  │               │               │               │         │
   ├─ t=1   10.18 ns      │ 304.9 ns      │ 11.35 ns      │ 43.62 ns      │ 10      │ 640
   │        39.26 GB/s    │ 1.311 GB/s    │ 35.21 GB/s    │ 9.168 GB/s    │         │
   ╰─ t=2   20.18 ns      │ 304.9 ns      │ 21.35 ns      │ 43.62 ns      │ 10      │ 640
";
        let table = Table::read(text.as_bytes());
        let parts: Vec<&str> = table.figures.iter().map(|figure| figure.part.as_str()).collect();
        assert_eq!((table.rows, parts), (2, vec!["t=1", "t=1", "t=2"]));
        let found = stored(text.as_bytes());
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].1.as_str(), &found[0].2), ("d::inner", &table.figures));
        assert_eq!(table.figures[1].quantity, Quantity::Throughput("B".to_owned()));
        assert!((table.figures[2].value - 21.35e-9).abs() < 1e-15);
    }
}
