//! Commands: their texts, the spread of their runs, and what starting a process costs.

use tare_model::ids::ContenderId;
use tare_model::metric::{Metric, Mode};
use tare_model::results::{ContenderResult, Results, WorkloadResult};
use tare_model::spread::Spread;

use crate::escape;
use crate::grid::{Cell, Column, Grid};
use crate::layout::{Terminal, flexible, paragraph};
use crate::runs;
use crate::words;
use anstyle::Style;

/// A table of all commands at all sizes, and the cost of starting a process; empty if there are none. `by_mean`: those of a size
/// are in the order of their means, not in that in which they were given.
pub(super) fn block(results: &Results, by_mean: bool, terminal: Terminal) -> String {
    let rows = |result| {
        let mut rows = runs::rows(result);
        if by_mean {
            rows.sort_by(|(_, a), (_, b)| a.mean.0.total_cmp(&b.mean.0));
        }
        rows.into_iter()
            .map(move |(command, spread)| row(result, command, spread))
    };
    let rows: Vec<Vec<Cell>> = results.workloads.iter().flat_map(rows).collect();
    if rows.is_empty() {
        return String::new();
    }
    // Room for two times; only absurd ones are longer, and wrap.
    let right = |title: &'static str, least: usize| Column {
        title: title.into(),
        right: true,
        flexible: Some(least),
    };
    let columns = vec![
        flexible("command", 12),
        flexible("which runs", 16),
        right("mean ± σ", 17),
        right("min … max", 17),
        right("runs", 9),
    ];
    let table = Grid { columns, rows }.render(terminal.width, terminal.color);
    let first = results
        .workloads
        .iter()
        .find(|result| result.mode == Mode::Command);
    let note = paragraph(TWO_FIGURES, Style::new().dimmed(), terminal);
    match first.and_then(|result| tare(result, terminal)) {
        Some(cost) => format!("{table}\n{note}{cost}\n"),
        None => format!("{table}\n{note}\n"),
    }
}

/// Why a command has two figures.
const TWO_FIGURES: &str = "mean ± σ is over all of its runs, outliers too; its duration below is their robust centre, which the \
                           verdict is about.";

fn row(result: &WorkloadResult, command: &ContenderResult, spread: &Spread) -> Vec<Cell> {
    let at = result
        .size
        .zip(result.sweep.as_ref())
        .map_or(String::new(), |(size, name)| {
            format!(" at {} {size}", escape::one_line(name))
        });
    vec![
        Cell::styled(format!("{}{at}", command.id), Style::new().bold()),
        Cell::plain(escape::one_line(&command.summary)),
        Cell::plain(runs::mean(spread)),
        Cell::plain(runs::range(spread)),
        Cell::plain(words::grouped(spread.runs)),
    ]
}

/// The cost of a process that does nothing, as a share of each command's run; none if that was not measured.
fn tare(result: &WorkloadResult, terminal: Terminal) -> Option<String> {
    let figure = |id: &ContenderId| result.contender(id)?.metrics.get(&Metric::Duration).copied();
    let id = result.floor.as_ref()?;
    let floor = figure(id)?;
    let others = result.contenders.iter().filter(|contender| contender.id != *id);
    let part = |id: &ContenderId| {
        let share = floor.estimate / figure(id)?.estimate;
        Some(format!("{} of {id}", words::measured_percent(share.min(1.0))))
    };
    let parts: Vec<String> = others.filter_map(|contender| part(&contender.id)).collect();
    let summary = result.contender(id).map_or("", |contender| &contender.summary);
    let text = format!(
        "The tare: starting a process that does nothing (`{}`) takes {}{}.",
        escape::one_line(summary),
        words::estimate(Metric::Duration, &floor),
        if parts.is_empty() {
            String::new()
        } else {
            format!(", {}", words::list(&parts))
        },
    );
    Some(paragraph(&text, Style::new(), terminal))
}
