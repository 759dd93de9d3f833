//! Any program that prints lines `NAME VALUE UNIT`, such as `sum 12.5 ns` or `parse 430 MB/s`.
//!
//! It is never found by what a project has: whoever has such a program names it. It is told which benchmark is wanted by the
//! variable `TARE_BENCHMARK`, and may run only that; lines of others are passed over. A name may come in several lines, each
//! of another unit. For a harness without a command line that is not known here a loop over its results that prints these lines is
//! all that is needed.

use std::path::Path;

use tare_model::figure::Figure;

use crate::command::{Command, Done};
use crate::figure::{Entry, from_line};
use crate::harness::{Benchmark, Effort, Group, Harness, Listing, Places, Program, Sample, Suite};
use crate::output::{ended_well, listing_of, no_result, not_empty, several};
use crate::refused::Refused;
use crate::text::{Printed, lines};
use crate::tree::Tree;

pub(crate) struct Generic;

impl Harness for Generic {
    fn name(&self) -> &'static str {
        "generic"
    }

    fn found(&self, _: &Tree) -> Vec<Suite> {
        Vec::new()
    }

    fn build(&self, _: &Suite, _: &Places) -> Result<Vec<Command>, Refused> {
        Ok(Vec::new())
    }

    fn built(&self, suite: &Suite, _: &Places, _: &[Done]) -> Result<Vec<Program>, Refused> {
        let tried = format!("build {}", suite.name);
        let hint = "name the program that prints lines NAME VALUE UNIT";
        Err(Refused::new(&tried, "nothing says which program it is", hint))
    }

    fn list(&self, program: &Program, _: Option<&Group>, _: &Path) -> Command {
        program.command()
    }

    fn listed(&self, program: &Program, _: Option<&Group>, done: &Done) -> Result<Listing, Refused> {
        ended_well(&listing_of(program), done)?;
        let mut listing = Listing::default();
        results(&done.stdout).for_each(|(name, _)| listing.add(&name, Vec::new()));
        not_empty(program, done, listing.once_each())
    }

    fn sample(&self, program: &Program, benchmark: &Benchmark, _: Effort, _: &Path) -> Command {
        program.command().env("TARE_BENCHMARK", benchmark.name())
    }

    fn sampled(&self, benchmark: &Benchmark, done: &Done) -> Result<Sample, Refused> {
        ended_well(&benchmark.tried(), done)?;
        let ours = results(&done.stdout).filter(|(name, _)| name == benchmark.name());
        let figures: Vec<Figure> = ours.map(|(_, figure)| figure).collect();
        if figures.is_empty() {
            return Err(no_result(benchmark, done));
        }
        for figure in &figures {
            let same = figures
                .iter()
                .filter(|other| other.quantity == figure.quantity)
                .count();
            if same > 1 {
                return Err(several(benchmark, same));
            }
        }
        Sample::of(benchmark, figures)
    }
}

/// The lines of a file, a sample each. None where most lines are others: any text has some that look like one.
pub(crate) fn stored(output: &[u8]) -> Vec<Entry> {
    let entry = |(name, figure)| (".".to_owned(), name, vec![figure]);
    let mut found: Vec<Entry> = results(output).map(entry).collect();
    let all = lines(output).filter(|line| !line.trim().is_empty()).count();
    if 2 * found.len() < all {
        found.clear();
    }
    found
}

/// Lines of three words, of which the second is a number and the third is none.
fn results(output: &[u8]) -> impl Iterator<Item = (String, Figure)> {
    lines(output).filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, number, unit] = words.as_slice() else {
            return None;
        };
        let unit = Some(*unit)
            .filter(|unit| !unit.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)))?;
        Some((name.to_string(), from_line(Printed::read(number)?, unit)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(stdout: &str) -> Done {
        Done {
            status: Some(0),
            stdout: stdout.as_bytes().to_vec(),
            ..Done::default()
        }
    }

    #[test]
    fn a_name_may_have_several_units() {
        let program = Program::new("p", "./p", ".");
        let output =
            done("starting\nsum 12.5 ns\nsum 430 MB/s\nparse 1e-3 s\nfinished in 3 s\nx NaN ns\ny 3 4\n");
        let listing = Generic.listed(&program, None, &output).unwrap();
        let names: Vec<&str> = listing.benchmarks.iter().map(Benchmark::name).collect();
        assert_eq!(names, ["sum", "parse"]);
        let sum = Generic.sampled(&listing.benchmarks[0], &output).unwrap();
        assert!((sum.time().unwrap() - 12.5e-9).abs() < 1e-20);
        assert_eq!(sum.figures.len(), 2);
        let twice = done("sum 12.5 ns\nsum 0.01 us\n");
        let why = Generic.sampled(&listing.benchmarks[0], &twice).unwrap_err();
        assert!(why.found.contains("2 results"), "{why}");
        let none = Generic.sampled(&listing.benchmarks[0], &done("")).unwrap_err();
        assert!(none.found.contains("no result (exit status 0)"), "{none}");
    }
}
