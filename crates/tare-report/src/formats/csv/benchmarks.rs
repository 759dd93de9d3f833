//! The rows of benchmarks: one for each side and quantity.

use tare_model::benchmark::{BenchmarkResult, Benchmarks, FigureResult, Standing};
use tare_model::estimate::Estimate;

use super::row::{Row, optional, three};
use crate::escape;

/// All of them.
pub(super) fn rows(out: &mut String, run: &str, found: &Benchmarks) {
    for benchmark in &found.list {
        if benchmark.figures.is_empty() {
            head(run, benchmark).end(out);
        }
        for figure in &benchmark.figures {
            for (side, value) in [("before", figure.before), ("after", figure.after)] {
                let Some(value) = value else { continue };
                let mut row = head(run, benchmark);
                of_side(&mut row, (side, &value), figure);
                let primary = figure.quantity == benchmark.figures[0].quantity;
                row.set("primary", primary.to_string());
                if side == "after" && figure.before.is_some() {
                    compared(&mut row, figure, found.margin);
                }
                row.end(out);
            }
        }
    }
}

fn head(run: &str, benchmark: &BenchmarkResult) -> Row {
    let mut row = Row::new();
    row.set("run", escape::csv(run));
    row.set("workload", escape::csv(&benchmark.program));
    row.set("case", escape::csv(&benchmark.name));
    row.set("mode", "benchmark".to_owned());
    row.set("language", escape::csv(&benchmark.harness));
    row.set("style", "benchmark".to_owned());
    row.set("state", benchmark.standing.name().to_owned());
    if let Standing::Failed { side, fault } = &benchmark.standing {
        row.set("contender", escape::csv(side));
        row.set("reason", escape::csv(&fault.detail));
    }
    row.set("rounds", benchmark.rounds.to_string());
    row.set("launches", benchmark.launches.to_string());
    row
}

fn of_side(row: &mut Row, (side, value): (&str, &Estimate), figure: &FigureResult) {
    row.set("contender", side.to_owned());
    row.set("metric", figure.quantity.name().to_owned());
    row.set("unit", escape::csv(figure.quantity.unit()));
    row.set("part", escape::csv(&figure.part));
    let columns = ["estimate", "low", "high"].into_iter().zip(three(Some(value)));
    columns.for_each(|(name, text)| row.set(name, text));
}

fn compared(row: &mut Row, figure: &FigureResult, margin: f64) {
    row.set("against", "before".to_owned());
    let names = ["ratio", "ratio_low", "ratio_high"].into_iter();
    let columns = names.zip(three(figure.ratio.as_ref()));
    columns.for_each(|(name, text)| row.set(name, text));
    row.set(
        "verdict",
        figure.verdict().map_or("", |change| change.name()).to_owned(),
    );
    row.set(
        "alpha",
        optional((!figure.quantity.counted()).then_some(figure.alpha)),
    );
    row.set("margin", margin.to_string());
}
