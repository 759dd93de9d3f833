//! An explanation in words and rows: what the terminal, the page and Markdown share.

use std::fmt::Write;

use anstyle::Style;
use tare_model::explanation::{Count, Explanation, Finding, LayerCost, Sides, Unit};
use tare_model::results::Estimate;
use tare_model::units::{Bytes, Seconds};

use crate::escape::{markdown, one_line, visible};
use crate::terminal::Terminal;
use crate::terminal::grid::{Cell, Column, Grid, paint, wrap};
use crate::view::NONE;
use crate::words;

/// `doubling/one-core, batch: go to node`.
pub fn title(explanation: &Explanation) -> String {
    let size = explanation
        .size
        .map_or(String::new(), |size| format!(" at {}", words::grouped(size)));
    format!(
        "{}/{}{size}, {}: from {} to {}",
        explanation.workload, explanation.case, explanation.mode, explanation.a, explanation.b
    )
}

/// The gap, and how much of it is explained: the sentence that everything else is under.
pub fn lead(explanation: &Explanation) -> String {
    let (a, b) = (&explanation.a, &explanation.b);
    let Some((cost_a, cost_b)) = explanation.cost.both() else {
        return format!("Nothing was measured of both {a} and {b}.");
    };
    let time = |estimate: Estimate| Seconds(estimate.estimate).to_string();
    let mut text = format!(
        "An operation costs {a} {} of CPU, {b} {}",
        time(cost_a),
        time(cost_b)
    );
    let Some(gap) = explanation.gap else {
        return text + ".";
    };
    let proven = gap
        .low
        .zip(gap.high)
        .is_some_and(|(low, high)| low > 0.0 || high < 0.0);
    let _ = write!(text, ": the gap is {}", interval(&gap));
    if gap.low.is_none() {
        return text + ": too few rounds to tell it from nothing.";
    }
    if !proven {
        return text + ", which cannot be told from nothing.";
    }
    match explanation.closure.and_then(|closure| closure.explained) {
        Some(explained) => format!(
            "{text}; named layers explain {} of it.",
            words::measured_percent(explained)
        ),
        None => text + "; there are no stacks of both to explain it with.",
    }
}

/// A time; nothing is `0`, without a unit.
pub fn time(seconds: f64) -> String {
    if seconds == 0.0 {
        return "0".to_owned();
    }
    Seconds(seconds).to_string()
}

/// The layers that anybody spends anything in.
pub fn layers(explanation: &Explanation) -> impl Iterator<Item = &LayerCost> {
    let spent = |side: Option<f64>| side.is_some_and(|seconds| seconds > 0.0);
    let layers = explanation.layers.iter();
    layers.filter(move |part| spent(part.cost.a) || spent(part.cost.b) || spent(part.cost.floor))
}

/// `3.10 µs (2.90 µs to 3.30 µs)`.
pub fn interval(estimate: &Estimate) -> String {
    let middle = Seconds(estimate.estimate);
    match estimate.low.zip(estimate.high) {
        Some((low, high)) if low == high => time(low),
        Some((low, high)) => format!("{middle} ({} to {})", time(low), time(high)),
        None => format!("{middle} (no interval yet)"),
    }
}

/// Whether the parts add up, in a sentence; none without stacks.
pub fn closure(explanation: &Explanation) -> Option<String> {
    let closure = explanation.closure?;
    let verdict = match (closure.rest.low, closure.closes) {
        (None, _) => "too few rounds to tell whether the parts add up",
        (Some(_), true) => "the parts add up to the gap within that",
        (Some(_), false) => {
            "the parts do not add up to the gap: what is missing is the effect of being looked into"
        }
    };
    let seen = |side: Option<f64>| side.map_or(NONE.to_owned(), words::measured_percent);
    Some(format!(
        "Closure: the parts sum to {}, which leaves {} of the measured gap: {verdict}. Samples cover {} of the CPU time \
         of {}, and {} of that of {}.",
        Seconds(closure.parts),
        interval(&closure.rest),
        seen(closure.seen.a),
        explanation.a,
        seen(closure.seen.b),
        explanation.b,
    ))
}

/// What an explanation rests on.
pub fn grounds(explanation: &Explanation) -> String {
    let mut text = format!(
        "{}, interleaved; stacks and calls in slices of their own. Intervals: α {} each, within one start of each \
         contender.",
        words::counted(u64::from(explanation.rounds), "round"),
        words::percent(explanation.alpha)
    );
    for instrumentation in &explanation.instrumentations {
        let ratio = &instrumentation.ratio;
        let ends = ratio
            .low
            .zip(ratio.high)
            .map_or(String::new(), |(low, high)| format!(" ({low:.3} to {high:.3})"));
        let _ = write!(
            text,
            " {} was looked into with {}: that makes its cost ×{:.3}{ends}.",
            instrumentation.id, instrumentation.words, ratio.estimate
        );
    }
    text
}

/// A layer's row: its name, what it costs each, the difference. `floor`: whether there is a column of it.
pub fn layer_row(part: &LayerCost, floor: bool) -> Vec<String> {
    let cost = |side: Option<f64>| side.map_or(NONE.to_owned(), time);
    let mut row = vec![part.layer.title().to_owned()];
    row.extend(floor.then(|| cost(part.cost.floor)));
    row.extend([cost(part.cost.a), cost(part.cost.b), interval(&part.delta)]);
    row
}

/// A count's row.
pub fn count_row(count: &Count, floor: bool) -> Vec<String> {
    let show = |side: Option<f64>| side.map_or(NONE.to_owned(), |value| value_of(count.unit, value));
    let mut row = vec![name_of(count)];
    row.extend(floor.then(|| show(count.value.floor)));
    row.extend([show(count.value.a), show(count.value.b)]);
    row
}

fn name_of(count: &Count) -> String {
    match count.unit {
        Unit::PerOperation | Unit::BytesPerOperation | Unit::SecondsPerOperation => {
            format!("{} per operation", count.name)
        }
        Unit::Bytes | Unit::Number | Unit::Share => count.name.clone(),
    }
}

fn value_of(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Bytes | Unit::BytesPerOperation => Bytes(value.max(0.0).round() as u64).to_string(),
        Unit::SecondsPerOperation => time(value),
        Unit::Share => format!("{:.1}%", value * 100.0),
        Unit::PerOperation | Unit::Number => match value {
            v if v >= 100.0 => format!("{v:.0}"),
            v if v >= 0.01 => format!("{v:.2}"),
            0.0 => "0".to_owned(),
            v => format!("{v:.1e}"),
        },
    }
}

/// A finding as it is told.
pub fn told(finding: &Finding) -> String {
    format!("{}.", words::capital(&finding.text))
}

/// Whether anything is known of the floor.
pub fn has_floor<T>(sides: impl IntoIterator<Item = Sides<T>>) -> bool {
    sides.into_iter().any(|side| side.floor.is_some())
}

/// For a terminal.
pub fn text(explanation: &Explanation, terminal: Terminal) -> String {
    let mut out = paragraph(&title(explanation), "", Style::new().bold(), terminal);
    out.push_str(&paragraph(&lead(explanation), "", Style::new(), terminal));
    if explanation.findings.is_empty() {
        out.push_str(&paragraph("No rule found a cause.", "", Style::new(), terminal));
    }
    for finding in &explanation.findings {
        out.push_str(&paragraph(&told(finding), "  - ", Style::new(), terminal));
        out.push_str(&paragraph(
            &format!("seen in: {}", finding.evidence),
            "      ",
            Style::new().dimmed(),
            terminal,
        ));
    }
    let floor = explanation.floor.is_some();
    if !explanation.layers.is_empty() {
        out.push('\n');
        let rows = layers(explanation).map(|part| layer_row(part, floor)).collect();
        out.push_str(&table(explanation, "layer", Some("difference"), rows, terminal));
        out.extend(closure(explanation).map(|text| paragraph(&text, "", Style::new(), terminal)));
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
    out.push_str(&paragraph(
        &grounds(explanation),
        "",
        Style::new().dimmed(),
        terminal,
    ));
    for note in &explanation.notes {
        let note = visible(note);
        let mut lines = note.lines().filter(|line| !line.is_empty());
        let first = lines.next().unwrap_or_default();
        out.push_str(&paragraph(&format!("note: {first}"), "", Style::new(), terminal));
        lines.for_each(|line| out.push_str(&paragraph(line, "  ", Style::new(), terminal)));
    }
    out
}

/// The functions that differ most: as many as fit below the rest.
fn functions(explanation: &Explanation, terminal: Terminal) -> String {
    const SHOWN: usize = 12;
    if explanation.functions.is_empty() {
        return String::new();
    }
    let row = |function: &tare_model::explanation::FunctionCost| {
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
        column("function (own time)", Some(24)),
        column("layer", Some(10)),
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
    let mut columns = vec![column(what, Some(12))];
    columns.extend(explanation.floor.is_some().then(|| right("floor")));
    columns.extend([right("A"), right("B")]);
    columns.extend(last.map(right));
    let rows = rows
        .into_iter()
        .map(|row| row.into_iter().map(|text| Cell::plain(one_line(&text))).collect())
        .collect();
    Grid { columns, rows }.render(terminal.width, terminal.color)
}

fn column(title: &'static str, flexible: Option<usize>) -> Column {
    Column {
        title: title.into(),
        right: false,
        flexible,
    }
}

fn right(title: &'static str) -> Column {
    Column {
        title: title.into(),
        right: true,
        flexible: None,
    }
}

fn paragraph(text: &str, indent: &str, style: Style, terminal: Terminal) -> String {
    let room = terminal.width.saturating_sub(indent.chars().count());
    let blank = " ".repeat(indent.chars().count());
    let lines = wrap(&one_line(text), room);
    let line = |(index, line): (usize, String)| {
        let before = if index == 0 { indent } else { &blank };
        format!("{before}{}\n", paint(&line, style, terminal.color))
    };
    lines.into_iter().enumerate().map(line).collect()
}

/// For Markdown.
pub fn in_markdown(explanation: &Explanation) -> String {
    let mut out = format!(
        "## Explanation: {}\n\n{}\n\n",
        markdown(&title(explanation)),
        markdown(&lead(explanation))
    );
    for finding in &explanation.findings {
        let _ = writeln!(
            out,
            "- {} ({})",
            markdown(&told(finding)),
            markdown(&finding.evidence)
        );
    }
    let floor = explanation.floor.is_some();
    if !explanation.layers.is_empty() {
        let middle = if floor { "floor | " } else { "" };
        let _ = writeln!(
            out,
            "\n| layer | {middle}{} | {} | difference |\n|---|{}---|---|---|",
            markdown(&explanation.a.to_string()),
            markdown(&explanation.b.to_string()),
            if floor { "---|" } else { "" }
        );
        for part in layers(explanation) {
            let cells: Vec<String> = layer_row(part, floor).iter().map(|cell| markdown(cell)).collect();
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
        out.extend(closure(explanation).map(|text| format!("\n{}\n", markdown(&text))));
    }
    let _ = writeln!(out, "\n{}", markdown(&grounds(explanation)));
    for note in &explanation.notes {
        let _ = writeln!(out, "\nNote: {}", markdown(note));
    }
    out.push('\n');
    out
}
