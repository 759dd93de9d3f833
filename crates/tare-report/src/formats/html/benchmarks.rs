//! The benchmarks of `tare bench`: a section for what came out, one for each program, one for what is not judged.

use tare_model::benchmark::Benchmarks;
use tare_model::results::Results;

use super::link;
use super::parts::{Cell, both_widths, table, warning};
use crate::benchmarks::{self, Row, Table};
use crate::charts;
use crate::escape::xml;
use crate::imported;
use crate::words;

/// All of them, one by one.
pub(super) fn sections(results: &Results, found: &Benchmarks) -> Vec<String> {
    let tables = benchmarks::tables(found);
    let programs = tables.iter().enumerate();
    let mut out = vec![lead(results, found)];
    out.extend(programs.map(|(index, table)| program(found, table, index)));
    out.extend([further(found), without(results, found)]);
    out
}

/// The entries of the page's contents.
pub(super) fn contents(found: &Benchmarks) -> String {
    let tables = benchmarks::tables(found);
    let entries = tables.iter().enumerate();
    entries
        .map(|(index, table)| link(&format!("program-{}", index + 1), &table.title))
        .collect()
}

fn lead(results: &Results, found: &Benchmarks) -> String {
    let mut out = format!(
        "<section id=\"benchmarks\">\n<h2>Benchmarks</h2>\n<p class=\"lead\">{}</p>\n",
        xml(&benchmarks::headline(found))
    );
    if let Some(from) = &results.run.imported {
        out.push_str(&warning(&imported::mark_of_samples(from)));
    }
    let chart = both_widths(|width| charts::benchmarks::draw(results, found, width), "");
    out.push_str(&chart);
    if let Some(sentence) = benchmarks::counted_changes(found) {
        out.push_str(&format!("<p>{}</p>\n", xml(&sentence)));
    }
    if let Some(sides) = benchmarks::sides(results) {
        out.push_str(&format!(
            "<p class=\"about\">{}</p>\n",
            xml(&words::capital(&sides))
        ));
    }
    // A chart says below it what it rests on.
    if chart.is_empty() {
        let grounds = benchmarks::grounds(results, found).join(" ");
        out.push_str(&format!("<p class=\"foot\">{}</p>\n", xml(&grounds)));
    }
    out.push_str("</section>\n");
    out
}

fn program(found: &Benchmarks, of: &Table<'_>, index: usize) -> String {
    let rows = of.changed.iter().chain(&of.others);
    let (headings, cells): (&[&str], Vec<Vec<Cell>>) = if benchmarks::compared(found) {
        let headings = &[
            "benchmark",
            "before",
            "after",
            "after ÷ before",
            "verdict",
            "rounds",
            "launches",
        ];
        (headings, rows.map(of_sides).collect())
    } else {
        (
            &["benchmark", "value", "rounds", "launches"],
            rows.map(described).collect(),
        )
    };
    let headings: Vec<String> = headings.iter().map(|text| (*text).to_owned()).collect();
    format!(
        "<section id=\"program-{}\">\n<h2>{}</h2>\n{}</section>\n",
        index + 1,
        xml(&of.title),
        table("sortable filterable verdicts", &headings, &cells)
    )
}

fn of_sides(row: &Row<'_>) -> Vec<Cell> {
    let figure = row.figure;
    let mut cells = vec![
        Cell::text(&row.name).class("id"),
        Cell::number(&row.before, figure.before.map(|side| side.estimate)),
        Cell::number(&row.after, figure.after.map(|side| side.estimate)),
        Cell::figure(&row.ratio, figure.ratio.map(|ratio| ratio.estimate)),
        said(row),
    ];
    cells.extend(rested(row));
    cells
}

fn described(row: &Row<'_>) -> Vec<Cell> {
    let value = row.figure.after.map(|side| side.estimate);
    let mut cells = vec![Cell::text(&row.name).class("id"), Cell::figure(&row.after, value)];
    cells.extend(rested(row));
    cells
}

fn said(row: &Row<'_>) -> Cell {
    let class = row.tone.class();
    Cell::markup(format!(
        "<span class=\"said {class}\">{}</span>",
        xml(&row.verdict)
    ))
}

/// Rounds and launches.
fn rested(row: &Row<'_>) -> [Cell; 2] {
    let count = |count: u32| Cell::number(&count.to_string(), Some(f64::from(count)));
    [count(row.benchmark.rounds), count(row.benchmark.launches)]
}

/// What harnesses gave beside the first quantity.
fn further(found: &Benchmarks) -> String {
    let rows = benchmarks::further(found);
    if rows.is_empty() {
        return String::new();
    }
    let headings = ["benchmark", "before", "after", "after ÷ before", "verdict"].map(str::to_owned);
    let cells: Vec<Vec<Cell>> = rows.iter().map(|row| of_sides(row)[..5].to_vec()).collect();
    format!(
        "<section id=\"further\">\n<h2>Further figures</h2>\n<p class=\"foot\">Allocations and bytes are counted. A throughput \
         follows from the time. Units of a benchmark’s own are judged only where they say which way is better, and are no \
         part of what is bounded over all benchmarks.</p>\n{}</section>\n",
        table("sortable filterable", &headings, &cells)
    )
}

/// What is not judged, and why.
fn without(results: &Results, found: &Benchmarks) -> String {
    let mut out = String::new();
    for failure in benchmarks::failures(found) {
        out.push_str(&format!(
            "<div class=\"fault\">\n<p><span class=\"id\">{}</span> <span class=\"part\">failed, {}</span></p>\n\
             <pre>{}</pre>\n</div>\n",
            xml(&failure.name),
            xml(failure.side),
            xml(failure.fault.detail.trim_end())
        ));
    }
    let sentences = benchmarks::unjudged(found);
    let sentences = sentences.iter().map(|unjudged| unjudged.sentence(usize::MAX));
    for sentence in sentences.chain(benchmarks::not_measured(results, usize::MAX)) {
        out.push_str(&format!("<p>{}</p>\n", xml(&sentence)));
    }
    if out.is_empty() {
        return out;
    }
    format!("<section id=\"not-judged\">\n<h2>Not judged</h2>\n{out}</section>\n")
}
