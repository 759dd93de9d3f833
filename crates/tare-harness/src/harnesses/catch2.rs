//! Catch2. Tried with 2.13 (Debian); the XML of version 3 was not.
//!
//! Benchmarks are found only by running their test case, and run only with the others of it. The listing therefore runs
//! every test case that is not hidden, and those tagged `[!benchmark]`, with one sample each. An iteration count cannot be
//! fixed: a sample is as many iterations as the clock needs.

use std::path::{Path, PathBuf};

use quick_xml::events::{BytesStart, Event};

use tare_model::figure::Quantity;

use crate::cmake;
use crate::command::{Command, Done};
use crate::cpp;
use crate::figure::{Entry, as_printed, median};
use crate::harness::{
    Benchmark, Effort, Group, Harness, LeftOut, Listing, Places, Program, Sample, Suite, Way,
};
use crate::output::{bounded, ended_well, listing_of, no_result, not_empty};
use crate::refused::Refused;
use crate::text::{Printed, short};
use crate::tree::Tree;

pub(crate) struct Catch2;

/// How many samples a process takes.
const SAMPLES: u64 = 20;

impl Harness for Catch2 {
    fn name(&self) -> &'static str {
        "catch2"
    }

    fn found(&self, tree: &Tree) -> Vec<Suite> {
        let within = |folder: &Path| {
            let sources = tree.all().filter(|(path, _)| path.starts_with(folder));
            sources.into_iter().any(|(_, text)| uses(text))
        };
        let mut suites = cmake::found(tree, &["Catch2::Catch2", "Catch2::Catch2WithMain"]);
        suites.retain(|suite| within(&suite.folder));
        suites
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
        cpp::source(tree, suite, (program, test_case(benchmark)), uses)
    }

    fn list(&self, program: &Program, _: Option<&Group>, _: &Path) -> Command {
        run(program, "[!benchmark],~[.]", 1, 0)
    }

    fn listed(&self, program: &Program, _: Option<&Group>, done: &Done) -> Result<Listing, Refused> {
        // Its exit status tells of tests, of which others may fail.
        bounded(&listing_of(program), done)?;
        let report = Report::read(&done.stdout);
        let mut listing = Listing::default();
        for result in &report.results {
            listing.add(&result.name(), vec![escaped(&result.test)]);
        }
        if !report.whole {
            let why = "its report breaks off: what comes after was not listed";
            listing.left_out.push(LeftOut::new(&program.name, why));
        }
        not_empty(program, done, listing.once_each())
    }

    fn sample(&self, program: &Program, benchmark: &Benchmark, effort: Effort, _: &Path) -> Command {
        run(
            program,
            &benchmark.select[0],
            SAMPLES,
            effort.time().as_millis() / 4,
        )
    }

    fn sampled(&self, benchmark: &Benchmark, done: &Done) -> Result<Sample, Refused> {
        let tried = benchmark.tried();
        ended_well(&tried, done)?;
        let report = Report::read(&done.stdout);
        let ours: Vec<&Found> = report
            .results
            .iter()
            .filter(|result| result.name() == benchmark.name())
            .collect();
        if let Some(words) = ours.iter().find_map(|result| result.failed.as_ref()) {
            let hint = "run it by hand, and cure what it says";
            return Err(Refused::new(
                &tried,
                &format!("it failed: {}", short(words)),
                hint,
            ));
        }
        // A test case runs once for each of its sections, and what is outside of them each time.
        let means: Vec<Printed> = ours.iter().filter_map(|result| result.mean).collect();
        let mut values: Vec<f64> = means.iter().map(|mean| mean.value).collect();
        let (Some(value), Some(mean)) = (median(&mut values), means.first()) else {
            return Err(no_result(benchmark, done));
        };
        let time = Printed { value, ..*mean };
        Sample::of(benchmark, vec![as_printed(Quantity::Time, time.times(1e-9))])
    }
}

/// The benchmarks of a report in XML. One that is outside of its test case's sections ran for each of them, and has so many samples.
pub(crate) fn stored(report: &[u8]) -> Vec<Entry> {
    let results = Report::read(report).results.into_iter();
    let entry = |result: Found| {
        let time = as_printed(Quantity::Time, result.mean?.times(1e-9));
        Some((".".to_owned(), result.name(), vec![time]))
    };
    results.filter_map(entry).collect()
}

/// Whether a source is one with benchmarks.
fn uses(text: &str) -> bool {
    let has = |word: &str| text.contains(word);
    has("catch") && (has("BENCHMARK(") || has("BENCHMARK_ADVANCED("))
}

/// What sources have of a name: that of the test case.
fn test_case(benchmark: &str) -> &str {
    benchmark.split(" / ").next().unwrap_or(benchmark)
}

fn run(program: &Program, tests: &str, samples: u64, warm_up_ms: u128) -> Command {
    let command = program
        .command()
        .args(["-r", "xml", "--benchmark-no-analysis", "--benchmark-samples"]);
    let command = command.args([
        samples.to_string(),
        "--benchmark-warmup-time".to_owned(),
        warm_up_ms.to_string(),
    ]);
    command.args([tests])
}

/// A test case's name as one that is asked for: what means something there is escaped, and a dash or an asterisk in front.
fn escaped(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if r#"\,["*"#.contains(c) || (out.is_empty() && "-~!".contains(c)) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A benchmark of the report.
struct Found {
    test: String,
    sections: Vec<String>,
    benchmark: String,
    mean: Option<Printed>,
    failed: Option<String>,
}

impl Found {
    fn name(&self) -> String {
        let names = [&self.test]
            .into_iter()
            .chain(&self.sections)
            .chain([&self.benchmark]);
        names.map(String::as_str).collect::<Vec<_>>().join(" / ")
    }
}

#[derive(Default)]
struct Report {
    results: Vec<Found>,
    /// Whether it came to its end.
    whole: bool,
}

/// The deepest nesting of sections that is kept.
const DEEPEST: usize = 50;

impl Report {
    /// Reads as far as it is XML.
    fn read(output: &[u8]) -> Self {
        let mut report = Self::default();
        let (mut test, mut sections) = (String::new(), Vec::new());
        let mut reader = quick_xml::Reader::from_reader(output);
        let mut buffer = Vec::new();
        while let Ok(event) = reader.read_event_into(&mut buffer) {
            match event {
                Event::Eof => break,
                Event::Start(tag) if tag.name().as_ref() == b"TestCase" => {
                    test = attribute(&tag, "name").unwrap_or_default();
                    sections.clear();
                }
                Event::Start(tag) if tag.name().as_ref() == b"Section" && sections.len() < DEEPEST => {
                    sections.push(attribute(&tag, "name").unwrap_or_default());
                }
                Event::Start(tag) if tag.name().as_ref() == b"BenchmarkResults" => {
                    report.results.push(Found {
                        test: test.clone(),
                        sections: sections.clone(),
                        benchmark: attribute(&tag, "name").unwrap_or_default(),
                        mean: None,
                        failed: None,
                    })
                }
                Event::Start(tag) | Event::Empty(tag) => report.inside(&tag),
                Event::End(tag) if tag.name().as_ref() == b"Section" => drop(sections.pop()),
                Event::End(tag)
                    if tag.name().as_ref() == b"Catch" || tag.name().as_ref() == b"Catch2TestRun" =>
                {
                    report.whole = true;
                }
                _ => {}
            }
            buffer.clear();
        }
        report
    }

    /// What is said of the last benchmark.
    fn inside(&mut self, tag: &BytesStart) {
        let Some(last) = self.results.last_mut() else {
            return;
        };
        match tag.name().as_ref() {
            b"mean" => last.mean = attribute(tag, "value").and_then(|text| Printed::read(&text)),
            b"failed" => last.failed = Some(attribute(tag, "message").unwrap_or_default()),
            _ => {}
        }
    }
}

fn attribute(tag: &BytesStart, name: &str) -> Option<String> {
    let attribute = tag.try_get_attribute(name).ok()??;
    let text = std::str::from_utf8(&attribute.value).ok()?;
    Some(quick_xml::escape::unescape(text).ok()?.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_case_is_asked_for_by_its_name_alone() {
        assert_eq!(escaped(r#"words, [x] "q""#), r#"words\, \[x] \"q\""#);
        assert_eq!(escaped("-x~"), r"\-x~");
    }

    #[test]
    fn targets_without_benchmarks_are_none() {
        let tree = |source: &'static str| {
            Tree::of([
                ("CMakeLists.txt", "target_link_libraries(b Catch2::Catch2)"),
                ("b.cpp", source),
            ])
        };
        assert!(
            Catch2
                .found(&tree("#include <catch2/catch.hpp>\nTEST_CASE(\"a\") {}"))
                .is_empty()
        );
        assert_eq!(
            Catch2
                .found(&tree("#include <catch2/catch.hpp>\nBENCHMARK(\"a\") {}"))
                .len(),
            1
        );
    }

    #[test]
    fn a_report_that_breaks_off_is_read_to_there() {
        let text = br#"<Catch><TestCase name="a"><BenchmarkResults name="b"><mean value="3.0e+02"/></BenchmarkResults><Sec"#;
        let report = Report::read(text);
        assert!(!report.whole && report.results.len() == 1);
        assert_eq!(report.results[0].name(), "a / b");
        assert_eq!(report.results[0].mean.map(|mean| mean.value), Some(300.0));
    }
}
