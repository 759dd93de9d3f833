//! The verdict tables for a terminal.

mod across;
mod bar;
mod benchmarks;
mod commands;
mod explanation;
mod levels;
mod nodes;
mod run;
mod sizes;

use anstyle::Style;
use tare_model::comparison::Comparison;
use tare_model::metric::Metric;
use tare_model::results::{Results, WorkloadResult};

use crate::claims;
use crate::escape;
use crate::format::{Format, Output};
use crate::grid::{Cell, Column, Grid, paint};
use crate::imported;
use crate::layout::{column, flexible, indented, paragraph, tone_style};
use crate::sentences;
use crate::tails;
use crate::view::{self, Row};
use crate::words;
use unicode_width::UnicodeWidthStr;

pub(crate) use bar::Ratio;

pub use crate::layout::Terminal;
pub use explanation::render as explanation;

/// Tables for people.
pub const FORMAT: Format = Format {
    name: "text",
    render: |source| Ok(Output::Text(render(source.results, source.terminal))),
};

/// The least width for a verdict table with the primary figure.
const WIDE: usize = 100;

/// The whole run: tables for each workload, then the run itself.
pub fn render(results: &Results, terminal: Terminal) -> String {
    match (&results.benchmarks, &results.run.imported) {
        (Some(found), _) => benchmarks::block(results, found, terminal, benchmarks::Which::All),
        (None, Some(from)) => imported::text(results, from),
        (None, None) => measured(results, terminal, false),
    }
}

/// The same of commands, with the table of their runs in the order of their means.
pub fn render_by_mean(results: &Results, terminal: Terminal) -> String {
    measured(results, terminal, true)
}

/// The same, of benchmarks only those that changed.
pub fn render_changed(results: &Results, terminal: Terminal) -> String {
    match &results.benchmarks {
        Some(found) => benchmarks::block(results, found, terminal, benchmarks::Which::Changed),
        None => render(results, terminal),
    }
}

fn measured(results: &Results, terminal: Terminal, by_mean: bool) -> String {
    let mut out = String::new();
    out.push_str(&commands::block(results, by_mean, terminal));
    for sweep in &results.sweeps {
        out.push_str(&sizes::block(sweep, terminal));
        out.push('\n');
    }
    for result in &results.workloads {
        out.push_str(&workload(result, terminal));
        out.push('\n');
    }
    for across in &crate::across::of(results) {
        out.push_str(&across::block(across, terminal));
        out.push('\n');
    }
    for found in &results.explanations {
        out.push_str(&explanation(found, terminal));
        out.push('\n');
    }
    if results.workloads.is_empty() && results.explanations.is_empty() {
        out.push_str("Nothing was measured in this run.\n\n");
    }
    for sentence in words::not_measured(&results.not_measured) {
        out.push_str(&paragraph(&escape::one_line(&sentence), Style::new(), terminal));
        out.push('\n');
    }
    out.push_str(&nodes::blocks(results, terminal));
    out.push_str(&run::about(results, terminal));
    out.push_str(&closing(results, terminal));
    out
}

/// What it came to, in sentences.
fn closing(results: &Results, terminal: Terminal) -> String {
    let sentences = sentences::of(results);
    let lines: String = sentences
        .iter()
        .map(|sentence| paragraph(&escape::one_line(sentence), Style::new().bold(), terminal))
        .collect();
    if lines.is_empty() {
        lines
    } else {
        format!("\n{lines}")
    }
}

/// The intervals of comparisons on one scale, each after its name (which may be empty), below the meaning of both ends. For
/// places that cannot show a picture. All metrics must have the same [ends](words::ends).
pub(crate) fn axes(rows: &[(&str, &Comparison)]) -> String {
    let Some((_, first)) = rows.first() else {
        return String::new();
    };
    let ratios: Vec<(&str, Ratio)> = rows
        .iter()
        .map(|(name, comparison)| (*name, Ratio::from(*comparison)))
        .collect();
    axis(&ratios, words::ends(first.metric))
}

/// The same of ratios, with the words at both ends.
pub(crate) fn axis(rows: &[(&str, Ratio)], (low, high): (&str, &str)) -> String {
    let widest = rows.iter().map(|(name, _)| name.width()).max().unwrap_or(0);
    let (column, width) = match widest {
        0 => (0, 61),
        widest => (widest + 2, 41),
    };
    let scale = bar::Scale::over_ratios(rows.iter().map(|(_, found)| *found), width);
    let half = width / 2;
    let mut out = format!("{:column$}{low:<half$}1{high:>half$}", "");
    for (name, found) in rows {
        let gap = column - name.width();
        out.push_str(&format!("\n{name}{:gap$}{}", "", scale.bar(*found).trim_end()));
    }
    out
}

/// One workload: title, verdicts, figures, contenders without figures, and what the verdicts are based on.
pub fn workload(result: &WorkloadResult, terminal: Terminal) -> String {
    let rows = view::rows(result);
    let mut out = heading(result, terminal);
    if rows.is_empty() {
        out.push_str("No contender has figures.\n");
    } else {
        out.push_str(&verdicts(result, &rows, terminal));
        // Over sizes, a table of figures for each size would hide the essential.
        if result.size.is_none() {
            out.push('\n');
            out.push_str(&figures(result, &rows, terminal));
            out.push_str(&levels::block(result, terminal));
        }
    }
    out.push_str(&without(result, terminal));
    out.push_str(&published(result, terminal));
    out.push_str(&claimed(result, terminal));
    out.push('\n');
    out.push_str(&footer(result, terminal));
    out
}

fn heading(result: &WorkloadResult, terminal: Terminal) -> String {
    let bold = Style::new().bold();
    let mut out = paragraph(&result.title(), bold, terminal);
    let about = [&result.summary, &result.case_summary];
    for text in about.into_iter().filter(|text| !text.is_empty()) {
        out.push_str(&paragraph(text, Style::new(), terminal));
    }
    let metric = result.primary;
    let baseline = result.baseline.as_ref();
    let against = baseline.map_or(String::new(), |id| format!("; ratios are against {id}"));
    let text = format!("By {} ({}){against}.", metric.title(), words::sense(metric));
    out.push_str(&paragraph(&text, Style::new().dimmed(), terminal));
    out.push('\n');
    out
}

fn verdicts(result: &WorkloadResult, rows: &[Row<'_>], terminal: Terminal) -> String {
    let wide = terminal.width >= WIDE;
    let bars = terminal.width >= bar::LEAST;
    let scale = bar::Scale::over(&view::shown(result), bar::width(terminal));
    let mut columns = vec![column("rank"), flexible("contender", 12)];
    columns.extend(wide.then(|| flexible(result.primary.title(), 14)));
    columns.push(flexible("ratio (interval)", 14));
    columns.extend(bars.then(|| column("")));
    columns.push(flexible("verdict", 18));
    let cells = rows.iter().map(|row| {
        let mut cells = vec![Cell::plain(&row.rank), name(row)];
        cells.extend(wide.then(|| Cell::plain(&row.figure)));
        cells.push(Cell::plain(&row.ratio));
        cells.extend(bars.then(|| Cell::plain(bar_of(row, scale))));
        let style = row
            .comparison
            .map_or(Style::new().dimmed(), |c| tone_style(words::tone(c)));
        let short = row.comparison.filter(|_| !wide).map(words::verdict_in_short);
        cells.push(Cell::styled(short.unwrap_or_else(|| row.verdict.clone()), style));
        cells
    });
    let rows = cells.collect();
    Grid { columns, rows }.render(terminal.width, terminal.color)
}

fn bar_of(row: &Row<'_>, scale: bar::Scale) -> String {
    match row.comparison {
        Some(comparison) => scale.bar(comparison),
        None if row.is_baseline => scale.one(),
        None => String::new(),
    }
}

fn name(row: &Row<'_>) -> Cell {
    let part = row.part.filter(|&part| part != "baseline");
    let part = part.map_or(String::new(), |part| format!(" ({part})"));
    Cell::styled(format!("{}{part}", row.contender.id), Style::new().bold())
}

/// Plain figures on the most important metrics. On narrow terminals the primary metric and its interval are here.
fn figures(result: &WorkloadResult, rows: &[Row<'_>], terminal: Terminal) -> String {
    let wide = terminal.width >= WIDE;
    let metrics = figure_metrics(result, terminal.width);
    let (bounds, services) = (view::any_bound(rows), view::any_services(rows));
    let mut columns = vec![flexible("figures", 12)];
    if !wide {
        columns.push(flexible(result.primary.title(), 14));
    }
    columns.extend(metrics.iter().map(|&metric| Column {
        title: short(metric).into(),
        right: true,
        flexible: None,
    }));
    if services {
        columns.push(flexible("services' CPU/op", 12));
    }
    if bounds {
        columns.push(flexible("bound", 8));
    }
    let rows = rows.iter().map(|row| {
        let mut cells = vec![Cell::plain(row.contender.id.to_string())];
        if !wide {
            cells.push(Cell::plain(&row.figure));
        }
        let figure = |metric: &Metric| Cell::plain(view::figure(row.contender, *metric));
        cells.extend(metrics.iter().map(figure));
        if services {
            cells.push(Cell::plain(view::services(row.contender)));
        }
        if bounds {
            cells.push(Cell::plain(view::bound(row.contender)));
        }
        cells
    });
    let rows = rows.collect();
    Grid { columns, rows }.render(terminal.width, terminal.color)
}

/// The metrics of the table of figures: the most important ones, as many as fit.
fn figure_metrics(result: &WorkloadResult, width: usize) -> Vec<Metric> {
    const WANTED: [Metric; 6] = [
        Metric::CpuPerOp,
        Metric::LatencyP50,
        Metric::MemoryPeak,
        Metric::LatencyP99,
        Metric::Throughput,
        Metric::Duration,
    ];
    let has = view::metrics(result);
    let wide = width >= WIDE;
    let wanted = WANTED.into_iter().filter(|metric| has.contains(metric));
    let wanted = wanted.filter(|&metric| wide || metric != result.primary);
    wanted.take(if wide { 6 } else { 3 }).collect()
}

/// A metric's name for a narrow column.
fn short(metric: Metric) -> &'static str {
    match metric {
        Metric::CpuPerOp => "CPU/op",
        Metric::TimePerOp => "time/op",
        Metric::LatencyP50 => "median",
        Metric::LatencyP90 => "p90",
        Metric::LatencyP99 => "p99",
        Metric::LatencyP999 => "p99.9",
        Metric::MemoryPeak => "memory",
        Metric::Throughput | Metric::Duration => metric.title(),
    }
}

fn without(result: &WorkloadResult, terminal: Terminal) -> String {
    let list = view::without_figures(result);
    if list.is_empty() {
        return String::new();
    }
    let mut out = format!(
        "\n{}\n",
        paint("without figures", Style::new().dimmed(), terminal.color)
    );
    for contender in list {
        let text = format!(
            "{}: {}: {}",
            contender.id,
            words::fate(contender),
            first_line(view::reason(contender))
        );
        out.push_str(&indented(&text, "  ", "    ", Style::new(), terminal));
    }
    out
}

/// The first line that is not empty; the page has the whole text.
fn first_line(text: &str) -> String {
    let visible = escape::visible(text);
    let mut lines = visible.lines().filter(|line| !line.trim().is_empty());
    let first = escape::one_line(lines.next().unwrap_or(""));
    let more = if lines.next().is_some() { " …" } else { "" };
    const ENOUGH: usize = 300;
    match first.char_indices().nth(ENOUGH) {
        Some((end, _)) => format!("{} …", &first[..end]),
        None => format!("{first}{more}"),
    }
}

/// Published ratios with ours beside them.
fn published(result: &WorkloadResult, terminal: Terminal) -> String {
    let list = view::beside(result);
    if list.is_empty() {
        return String::new();
    }
    let columns = vec![
        flexible("published", 12),
        flexible("value", 6),
        column("ratio"),
        flexible("ours", 12),
    ];
    let rows = list.iter().map(|beside| {
        vec![
            Cell::plain(beside.label()),
            Cell::plain(format!(
                "{} {}",
                words::show(beside.published.metric, beside.published.value),
                beside.published.metric.title()
            )),
            Cell::plain(words::ratio(beside.theirs)),
            Cell::plain(beside.ours_in_words()),
        ]
    });
    let rows = rows.collect();
    let table = Grid { columns, rows }.render(terminal.width, terminal.color);
    format!("\n{table}")
}

/// What the report found, and whether it holds today.
fn claimed(result: &WorkloadResult, terminal: Terminal) -> String {
    let rows = claims::rows(result);
    if rows.is_empty() {
        return String::new();
    }
    let columns = vec![
        flexible("the report found", 20),
        flexible("today", 12),
        flexible("figures (interval)", 20),
    ];
    let cells = rows.iter().map(|row| {
        let text = format!("{} ({})", escape::one_line(&row.claim.claim.text), row.meaning);
        vec![
            Cell::plain(text),
            Cell::styled(&row.today, tone_style(row.tone)),
            Cell::plain(row.pairs.join("; ")),
        ]
    });
    let rows = cells.collect();
    let table = Grid { columns, rows }.render(terminal.width, terminal.color);
    let grounds = claims::grounds(result);
    let grounds: String = grounds
        .iter()
        .map(|line| paragraph(line, Style::new(), terminal))
        .collect();
    format!("\n{table}{grounds}")
}

fn footer(result: &WorkloadResult, terminal: Terminal) -> String {
    let mut out = String::new();
    for line in foundations(result) {
        out.push_str(&paragraph(&line, Style::new(), terminal));
    }
    out
}

/// What the verdicts are based on: α, margin, rounds, launches, driving, placement.
fn foundations(result: &WorkloadResult) -> Vec<String> {
    let mut lines = view::foundations(result);
    if lines.is_empty() {
        lines.push(format!(
            "Measured: {} in {}.",
            words::counted(u64::from(result.rounds), "round"),
            words::counted(u64::from(result.launches), words::launch(result.mode))
        ));
    }
    lines.extend(words::alone_sentence(result));
    lines.extend(words::lateness(result));
    lines.extend(tails::sentence(result));
    lines.extend(words::provisional(view::shown(result)));
    let driving: Vec<String> = words::driving(&result.driving)
        .iter()
        .map(|(name, value)| escape::one_line(&format!("{name} {value}")))
        .collect();
    let driven = if driving.is_empty() {
        String::new()
    } else {
        format!("; {}", driving.join(", "))
    };
    lines.push(format!("Placement: {}{driven}.", words::placement(result)));
    lines.extend(words::containers(result));
    lines
}
