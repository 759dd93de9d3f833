//! What contenders differ by on each of several machines, as tables.

use anstyle::Style;
use tare_model::results::Results;

use crate::grid::{Cell, Column, Grid};
use crate::layout::{Terminal, flexible, paragraph};
use crate::nodes::{self, Table};

/// The tables, each with an empty line after it; empty of a run of one machine.
pub(super) fn blocks(results: &Results, terminal: Terminal) -> String {
    let tables = nodes::tables(results);
    tables.iter().map(|table| block(table, terminal)).collect()
}

fn block(table: &Table, terminal: Terminal) -> String {
    let title = paragraph(
        &format!("{}, by node", table.title),
        Style::new().bold(),
        terminal,
    );
    let mut columns = vec![flexible("contender", 12)];
    columns.extend(table.headings[1..].iter().map(|heading| Column {
        title: heading.clone().into(),
        right: true,
        flexible: Some(6),
    }));
    let row = |cells: &Vec<String>| cells.iter().map(|cell| Cell::plain(cell.clone())).collect();
    let rows = table.rows.iter().map(row).collect();
    let grid = Grid { columns, rows }.render(terminal.width, terminal.color);
    let note = paragraph(nodes::NOTE, Style::new().dimmed(), terminal);
    format!("{title}{grid}{note}\n")
}
