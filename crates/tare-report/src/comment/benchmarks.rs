//! The benchmarks of two revisions as a comment: what changed, a chart in text, what was not judged, the settings.

use std::fmt::Write;

use tare_model::benchmark::Benchmarks;
use tare_model::figure::Quantity;
use tare_model::results::Results;

use super::parts::{About, code, failed_as, how};
use crate::benchmarks::{self, Counts, Row};
use crate::escape::{fenced, markdown};
use crate::formats::markdown::benchmarks::{rows_of, without};
use crate::terminal::{self, Ratio};

/// Every such comment begins with this, so that a bot finds the comment that it wrote before.
pub const BENCH_MARK: &str = "<!-- tare bench -->";

/// The most changed rows, and the most names of one reason: GitHub refuses comments of more than 65,536 characters.
const ROWS: usize = 60;
const NAMES: usize = 8;
/// The most characters of a name: one beyond that would widen the chart to no use.
const NAME: usize = 60;

/// The comment.
pub fn of_benchmarks(results: &Results, found: &Benchmarks, about: &About) -> String {
    let mut out = format!(
        "{BENCH_MARK}\n### {}: **{}**\n\n",
        code(&about.what),
        markdown(&verdict(found))
    );
    if benchmarks::compared(found) && !about.after.is_empty() {
        let _ = writeln!(out, "{} against {}.\n", code(&about.after), code(&about.before));
    }
    if let Some(sentence) = benchmarks::counted_changes(found) {
        let _ = writeln!(out, "{}\n", markdown(&sentence));
    }
    let tables = benchmarks::tables(found);
    let changed: Vec<&Row<'_>> = tables.iter().flat_map(|table| &table.changed).collect();
    chart(&mut out, &changed);
    let mut room = ROWS;
    for table in &tables {
        let rows: Vec<&Row<'_>> = table.changed.iter().take(room).collect();
        room -= rows.len();
        if !rows.is_empty() {
            let _ = writeln!(out, "**{}**\n\n{}", markdown(&table.title), rows_of(found, &rows));
        }
    }
    if changed.len() > ROWS {
        let _ = writeln!(out, "{} more changes are in the report.\n", changed.len() - ROWS);
    }
    if let Some(rest) = Counts::of(found).unchanged() {
        let _ = writeln!(out, "The others: {rest}.\n");
    }
    out.push_str(&without(results, found, NAMES));
    for sentence in benchmarks::grounds(results, found) {
        let _ = writeln!(out, "- {}", markdown(&sentence));
    }
    out.push('\n');
    how(&mut out, results, &[]);
    out
}

/// The comment if nothing was compared.
pub fn benchmarks_failed(what: &str, revisions: &str, why: &str) -> String {
    failed_as(BENCH_MARK, (what, revisions), why)
}

/// In a few words.
fn verdict(found: &Benchmarks) -> String {
    let counts = Counts::of(found);
    let failed = benchmarks::failures(found).len();
    let failed = match failed {
        0 => String::new(),
        count => format!(", {count} failed"),
    };
    match counts.judged() {
        0 => format!("nothing was compared{failed}"),
        _ => format!("{}{failed}", counts.sentence()),
    }
}

/// What was timed and changed, on one axis.
fn chart(out: &mut String, changed: &[&Row<'_>]) {
    let timed = changed
        .iter()
        .filter(|row| row.is_primary() && row.figure.quantity == Quantity::Time);
    let rows: Vec<(String, Ratio)> = timed
        .filter_map(|row| {
            let ratio = Ratio {
                ratio: row.figure.ratio?.estimate,
                limits: row.figure.limits(),
            };
            Some((row.name.chars().take(NAME).collect(), ratio))
        })
        .take(ROWS / 2)
        .collect();
    if rows.is_empty() {
        return;
    }
    let rows: Vec<(&str, Ratio)> = rows.iter().map(|(name, ratio)| (name.as_str(), *ratio)).collect();
    let _ = writeln!(out, "{}", fenced(&terminal::axis(&rows, ("faster", "slower"))));
}
