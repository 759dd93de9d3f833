//! The benchmarks of `tare bench` as Markdown.

use std::fmt::Write;

use tare_model::benchmark::Benchmarks;
use tare_model::results::Results;

use super::table::table;
use crate::benchmarks::{self, Row};
use crate::escape::{fenced, markdown, one_line, shortened};
use crate::imported;
use crate::words;

/// The most names of one reason that are listed.
const NAMES: usize = 100;

/// The longest name in characters: a longer one would widen its table to no use.
const LONGEST: usize = 160;

/// All of them.
pub(super) fn section(results: &Results, found: &Benchmarks) -> String {
    let mut out = String::new();
    if let Some(from) = &results.run.imported {
        let _ = writeln!(out, "{}\n", markdown(&imported::mark_of_samples(from)));
    }
    if let Some(sides) = benchmarks::sides(results) {
        let _ = writeln!(out, "{}.\n", markdown(&words::capital(&sides)));
    }
    let _ = writeln!(out, "**{}**", markdown(&benchmarks::headline(found)));
    if let Some(sentence) = benchmarks::counted_changes(found) {
        let _ = writeln!(out, "{}", markdown(&sentence));
    }
    out.push('\n');
    for found_in in &benchmarks::tables(found) {
        let _ = writeln!(out, "## {}\n", markdown(&found_in.title));
        let rows: Vec<&Row<'_>> = found_in.changed.iter().chain(&found_in.others).collect();
        out.push_str(&rows_of(found, &rows));
    }
    out.push_str(&without(results, found, NAMES));
    for sentence in benchmarks::grounds(results, found) {
        let _ = writeln!(out, "- {}", markdown(&sentence));
    }
    out
}

/// A table of some rows.
pub(crate) fn rows_of(found: &Benchmarks, rows: &[&Row<'_>]) -> String {
    let mut out = String::new();
    if benchmarks::compared(found) {
        let header = [
            "benchmark",
            "before",
            "after",
            "after ÷ before (interval)",
            "verdict",
        ];
        let cells = rows.iter().map(|row| {
            let rest = [&row.before, &row.after, &row.ratio, &row.verdict].map(|text| markdown(text));
            [vec![code(&row.name)], rest.into()].concat()
        });
        table(&mut out, &header.map(str::to_owned), cells.collect());
    } else {
        let header = ["benchmark", "value (interval)"].map(str::to_owned);
        let cells = rows.iter().map(|row| vec![code(&row.name), markdown(&row.after)]);
        table(&mut out, &header, cells.collect());
    }
    out
}

/// A benchmark's name in a cell of a table, as code: nothing in it is markup, a mention or a reference.
fn code(name: &str) -> String {
    let name = one_line(name);
    let cut = match name.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &name[..at]),
        None => name,
    };
    format!("`{}`", cut.replace('`', "'").replace('|', "\\|"))
}

/// What is not judged, and why; at most so many names of one reason.
pub(crate) fn without(results: &Results, found: &Benchmarks, most: usize) -> String {
    let mut out = String::new();
    let failures = benchmarks::failures(found);
    for failure in failures.iter().take(most) {
        let _ = writeln!(
            out,
            "{} failed ({}):\n\n{}",
            code(&failure.name),
            markdown(failure.side),
            fenced(&shortened(&failure.fault.detail))
        );
    }
    if failures.len() > most {
        let _ = writeln!(out, "{} more failed.\n", failures.len() - most);
    }
    let sentences = benchmarks::unjudged(found);
    let sentences = sentences.iter().map(|unjudged| unjudged.sentence(most));
    for sentence in sentences.chain(benchmarks::not_measured(results, most)) {
        let _ = writeln!(out, "- {}", markdown(&sentence));
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}
