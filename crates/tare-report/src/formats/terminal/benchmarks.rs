//! The benchmarks of `tare bench`: what changed first, program by program, then what is not judged.

use anstyle::Style;
use tare_model::benchmark::Benchmarks;
use tare_model::results::Results;

use super::bar::{self, Ratio, Scale};
use super::run;
use crate::benchmarks::{self, Counts, Row, Table};
use crate::escape;
use crate::grid::{Cell, Grid};
use crate::imported;
use crate::layout::{Terminal, column, flexible, indented, paragraph, right, tone_style};
use crate::words;

/// Which benchmarks are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// All.
    All,
    /// What is worse or better; the others are counted.
    Changed,
}

/// The most names of one reason that are listed.
const NAMES: usize = 12;

/// The whole report.
pub(super) fn block(results: &Results, found: &Benchmarks, terminal: Terminal, which: Which) -> String {
    let plain = |text: &str| paragraph(text, Style::new(), terminal);
    let mut out = String::new();
    if let Some(from) = &results.run.imported {
        out.push_str(&plain(&imported::mark_of_samples(from)));
    }
    if let Some(sides) = benchmarks::sides(results) {
        out.push_str(&plain(&words::capital(&sides)));
    }
    out.push_str(&paragraph(
        &benchmarks::headline(found),
        Style::new().bold(),
        terminal,
    ));
    if let Some(sentence) = benchmarks::counted_changes(found) {
        out.push_str(&plain(&sentence));
    }
    out.push('\n');
    for table in &benchmarks::tables(found) {
        out.push_str(&program(found, table, terminal, which));
    }
    let rest = Counts::of(found).unchanged().filter(|_| which == Which::Changed);
    if let Some(rest) = rest {
        out.push_str(&plain(&format!("Not listed: {rest}.")));
    }
    out.push_str(&without(results, found, terminal));
    for sentence in benchmarks::grounds(results, found) {
        out.push_str(&plain(&sentence));
    }
    out.push('\n');
    out.push_str(&run::about(results, terminal));
    out
}

fn program(found: &Benchmarks, table: &Table<'_>, terminal: Terminal, which: Which) -> String {
    let others = table.others.iter().filter(|_| which == Which::All);
    let rows: Vec<&Row<'_>> = table.changed.iter().chain(others).collect();
    if rows.is_empty() {
        return String::new();
    }
    let grid = if benchmarks::compared(found) {
        sides(&rows, terminal)
    } else {
        described(&rows)
    };
    let title = paragraph(&table.title, Style::new().bold(), terminal);
    format!("{title}{}\n", grid.render(terminal.width, terminal.color))
}

fn sides(rows: &[&Row<'_>], terminal: Terminal) -> Grid {
    let bars = terminal.width >= bar::LEAST;
    let scale = Scale::over_ratios(rows.iter().filter_map(|row| ratio(row)), bar::width(terminal));
    let mut columns = vec![
        flexible("benchmark", 16),
        right("before"),
        right("after"),
        flexible("ratio (interval)", 14),
    ];
    columns.extend(bars.then(|| column("")));
    columns.push(flexible("verdict", 14));
    let cells = rows.iter().map(|row| {
        let mut cells = vec![
            Cell::styled(&row.name, Style::new().bold()),
            Cell::plain(&row.before),
            Cell::plain(&row.after),
            Cell::plain(&row.ratio),
        ];
        let bar = || ratio(row).map_or(String::new(), |found| scale.bar(found));
        cells.extend(bars.then(|| Cell::plain(bar())));
        cells.push(Cell::styled(&row.verdict, tone_style(row.tone)));
        cells
    });
    let rows = cells.collect();
    Grid { columns, rows }
}

/// The ratio of what is timed: counts have no interval to draw.
fn ratio(row: &Row<'_>) -> Option<Ratio> {
    let found = row.figure.ratio.filter(|_| !row.figure.quantity.counted())?;
    Some(Ratio {
        ratio: found.estimate,
        limits: row.figure.limits(),
    })
}

/// One side: its figures.
fn described(rows: &[&Row<'_>]) -> Grid {
    let columns = vec![flexible("benchmark", 16), flexible("value (interval)", 16)];
    let cells = rows.iter().map(|row| {
        vec![
            Cell::styled(&row.name, Style::new().bold()),
            Cell::plain(&row.after),
        ]
    });
    let rows = cells.collect();
    Grid { columns, rows }
}

/// What is not judged, and why.
fn without(results: &Results, found: &Benchmarks, terminal: Terminal) -> String {
    let mut out = String::new();
    let line = |text: &str| indented(text, "", "  ", Style::new(), terminal);
    for failure in benchmarks::failures(found) {
        let detail = escape::one_line(failure.fault.detail.lines().next().unwrap_or_default());
        let side = escape::one_line(failure.side);
        out.push_str(&line(&format!("{} failed ({side}): {detail}", failure.name)));
    }
    for unjudged in benchmarks::unjudged(found) {
        out.push_str(&line(&unjudged.sentence(NAMES)));
    }
    if let Some(sentence) = benchmarks::not_measured(results, NAMES) {
        out.push_str(&line(&sentence));
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}
