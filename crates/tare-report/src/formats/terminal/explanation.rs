//! An explanation: findings, layers, counts and functions.

use anstyle::Style;
use tare_model::explanation::{Explanation, FunctionCost};

use crate::escape::{one_line, visible};
use crate::explanation::{closure, count_row, grounds, layer_row, layers, lead, sentence, time, title};
use crate::grid::{Cell, Grid};
use crate::layout::{Terminal, flexible, indented, paragraph, right};
use crate::view::NONE;

/// The whole block.
pub fn render(explanation: &Explanation, terminal: Terminal) -> String {
    let mut out = paragraph(&title(explanation), Style::new().bold(), terminal);
    out.push_str(&paragraph(&lead(explanation), Style::new(), terminal));
    if explanation.findings.is_empty() {
        out.push_str(&paragraph("No rule found a cause.", Style::new(), terminal));
    }
    for finding in &explanation.findings {
        out.push_str(&indented(
            &sentence(finding),
            "  - ",
            "    ",
            Style::new(),
            terminal,
        ));
        let seen = format!("seen in: {}", finding.evidence);
        let (indent, dimmed) = ("      ", Style::new().dimmed());
        out.push_str(&indented(&seen, indent, indent, dimmed, terminal));
    }
    let floor = explanation.floor.is_some();
    if !explanation.layers.is_empty() {
        out.push('\n');
        let rows = layers(explanation).map(|part| layer_row(part, floor)).collect();
        out.push_str(&table(explanation, "layer", Some("difference"), rows, terminal));
        out.extend(closure(explanation).map(|text| paragraph(&text, Style::new(), terminal)));
    }
    if !explanation.counts.is_empty() {
        out.push('\n');
        let rows = explanation
            .counts
            .iter()
            .map(|count| count_row(count, floor))
            .collect();
        out.push_str(&table(explanation, "count", None, rows, terminal));
    }
    out.push_str(&functions(explanation, terminal));
    out.push('\n');
    out.push_str(&paragraph(&grounds(explanation), Style::new().dimmed(), terminal));
    for note in &explanation.notes {
        let note = visible(note);
        let mut lines = note.lines().filter(|line| !line.is_empty());
        let first = lines.next().unwrap_or_default();
        out.push_str(&paragraph(&format!("note: {first}"), Style::new(), terminal));
        lines.for_each(|line| out.push_str(&indented(line, "  ", "  ", Style::new(), terminal)));
    }
    out
}

/// The functions that differ most.
fn functions(explanation: &Explanation, terminal: Terminal) -> String {
    const SHOWN: usize = 12;
    if explanation.functions.is_empty() {
        return String::new();
    }
    let row = |function: &FunctionCost| {
        let cost = |side: Option<f64>| side.map_or(NONE.to_owned(), time);
        vec![
            one_line(&function.name),
            function.layer.title().to_owned(),
            cost(function.own.a),
            cost(function.own.b),
        ]
    };
    let rows: Vec<Vec<String>> = explanation.functions.iter().take(SHOWN).map(row).collect();
    let columns = vec![
        flexible("function (own time)", 24),
        flexible("layer", 10),
        right("A"),
        right("B"),
    ];
    let rows = rows
        .into_iter()
        .map(|row| row.into_iter().map(Cell::plain).collect())
        .collect();
    let grid = Grid { columns, rows };
    format!("\n{}", grid.render(terminal.width, terminal.color))
}

fn table(
    explanation: &Explanation,
    what: &'static str,
    last: Option<&'static str>,
    rows: Vec<Vec<String>>,
    terminal: Terminal,
) -> String {
    let mut columns = vec![flexible(what, 12)];
    columns.extend(explanation.floor.is_some().then(|| right("floor")));
    columns.extend([right("A"), right("B")]);
    columns.extend(last.map(right));
    let rows = rows
        .into_iter()
        .map(|row| row.into_iter().map(|text| Cell::plain(one_line(&text))).collect())
        .collect();
    Grid { columns, rows }.render(terminal.width, terminal.color)
}
