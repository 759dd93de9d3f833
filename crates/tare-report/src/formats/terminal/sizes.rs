//! A case over its sizes: lines, extra costs over the baseline, when these are affordable.

use anstyle::Style;
use tare_model::sweep::SweepResult;

use crate::grid::{Cell, Grid};
use crate::layout::{Terminal, flexible, paragraph};
use crate::sweep;

/// The whole block.
pub(super) fn block(result: &SweepResult, terminal: Terminal) -> String {
    let (bold, dimmed) = (Style::new().bold(), Style::new().dimmed());
    let mut out = paragraph(&result.title(), bold, terminal);
    let formula = format!("{}.", sweep::formula(result));
    out.push_str(&paragraph(&formula, dimmed, terminal));
    out.push('\n');
    if result.contenders.is_empty() {
        out.push_str("No contender has figures at every size.\n");
        return out;
    }
    out.push_str(&lines(result, terminal));
    out.push('\n');
    for sentence in sweep::sentences(result) {
        out.push_str(&paragraph(&sentence, Style::new(), terminal));
    }
    out.push_str(&affordable(result, terminal));
    out.push('\n');
    out.push_str(&paragraph(&sweep::grounds(result), Style::new(), terminal));
    out
}

fn lines(result: &SweepResult, terminal: Terminal) -> String {
    let columns = vec![
        flexible("contender", 12),
        flexible("fixed", 12),
        flexible("per unit", 12),
        flexible("is cost a line?", 18),
    ];
    let row = |row: sweep::LineRow<'_>| {
        vec![
            Cell::styled(row.costs.id.to_string(), Style::new().bold()),
            Cell::plain(row.fixed),
            Cell::plain(row.per_unit),
            Cell::plain(row.fit),
        ]
    };
    let rows = sweep::lines(result).into_iter().map(row).collect();
    Grid { columns, rows }.render(terminal.width, terminal.color)
}

fn affordable(result: &SweepResult, terminal: Terminal) -> String {
    let rows = sweep::affordable(result);
    if rows.is_empty() {
        return String::new();
    }
    let mut columns = vec![
        flexible("contender", 9),
        flexible("extra cost", 9),
        flexible("", 9),
    ];
    let shares = sweep::shares(result).into_iter().enumerate();
    columns.extend(shares.map(|(index, share)| {
        let from = if index == 0 { " from" } else { "" };
        flexible(format!("under {share}{from}"), 7)
    }));
    let count = columns.len();
    let row = |row: sweep::AffordRow<'_>| {
        let mut cells = vec![
            Cell::styled(row.id.to_string(), Style::new().bold()),
            Cell::plain(row.extra),
            Cell::plain(row.of),
        ];
        cells.extend(row.at_most.into_iter().map(Cell::plain));
        cells.resize(count, Cell::plain(""));
        cells
    };
    let rows = rows.into_iter().map(row).collect();
    let table = Grid { columns, rows }.render(terminal.width, terminal.color);
    let note = paragraph(sweep::AT_MOST, Style::new().dimmed(), terminal);
    format!("\n{table}{note}")
}
