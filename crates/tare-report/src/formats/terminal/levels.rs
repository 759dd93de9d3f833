//! The throughput at each number of connections, as a table.

use anstyle::Style;
use tare_model::results::{ContenderResult, WorkloadResult};

use crate::grid::{Cell, Column, Grid};
use crate::layout::{Terminal, flexible, paragraph};
use crate::levels;

/// The table with an empty line before it; empty if every contender had one level only.
pub(super) fn block(result: &WorkloadResult, terminal: Terminal) -> String {
    let Some(table) = levels::table(result) else {
        return String::new();
    };
    let mut columns = vec![flexible("connections", 12)];
    columns.extend(table.connections.iter().map(|connections| Column {
        title: connections.to_string().into(),
        right: true,
        flexible: Some(6),
    }));
    let row = |(contender, rates): (&ContenderResult, Vec<_>)| {
        let mut cells = vec![Cell::plain(contender.id.to_string())];
        cells.extend(rates.into_iter().map(|rate| Cell::plain(levels::cell(rate))));
        cells
    };
    let rows = table.rows.into_iter().map(row).collect();
    let grid = Grid { columns, rows }.render(terminal.width, terminal.color);
    let note = paragraph(levels::NOTE, Style::new().dimmed(), terminal);
    format!("\n{grid}{note}")
}
