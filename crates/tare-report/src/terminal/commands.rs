//! Commands by themselves: what each is, how its runs lie, and what starting one costs.

use tare_model::ids::ContenderId;
use tare_model::metric::Metric;
use tare_model::results::WorkloadResult;
use tare_model::spread::Spread;

use super::grid::{Cell, Column, Grid};
use super::{Terminal, flexible, paragraph};
use crate::escape;
use crate::words;
use anstyle::Style;

/// A table of commands and how their runs lie; `sweep`: what the size counts.
pub fn spreads(list: &[Spread], sweep: Option<&str>, terminal: Terminal) -> String {
    let right = |title: &'static str| Column {
        title: title.into(),
        right: true,
        flexible: None,
    };
    let columns = vec![
        flexible("command", 12),
        flexible("which runs", 16),
        right("mean ± σ"),
        right("min … max"),
        right("runs"),
    ];
    let row = |spread: &Spread| {
        let at = spread
            .size
            .zip(sweep)
            .map_or(String::new(), |(size, name)| format!(" at {name} {size}"));
        vec![
            Cell::dressed(format!("{}{at}", spread.id), Style::new().bold()),
            Cell::plain(escape::one_line(&spread.text)),
            Cell::plain(match spread.deviation {
                Some(deviation) => format!("{} ± {deviation}", spread.mean),
                None => spread.mean.to_string(),
            }),
            Cell::plain(format!("{} … {}", spread.least, spread.most)),
            Cell::plain(words::grouped(spread.runs)),
        ]
    };
    let rows = list.iter().map(row).collect();
    Grid { columns, rows }.render(terminal.width, terminal.color)
}

/// What doing nothing costs, as a part of each command's run; nothing where that was not measured.
pub fn tare(result: &WorkloadResult, terminal: Terminal) -> String {
    let figure = |id: &ContenderId| result.contender(id)?.metrics.get(&Metric::Duration).copied();
    let Some((id, floor)) = result.floor.as_ref().and_then(|id| Some((id, figure(id)?))) else {
        return String::new();
    };
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
    paragraph(&text, "", Style::new(), terminal)
}
