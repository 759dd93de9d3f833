//! Figures as CSV: one row for each contender and metric, with its comparison against the baseline.
//!
//! Columns, in this order (empty if there is no value; times in seconds, memory in bytes, rates per
//! second):
//!
//! | column | meaning |
//! |---|---|
//! | `run`, `workload`, `case`, `mode` | where the row belongs |
//! | `contender`, `language`, `style` | the contender |
//! | `state`, `reason` | whether it has figures; if not, the fault |
//! | `bound` | what limited its throughput |
//! | `metric`, `unit`, `primary` | which figure, in what unit, whether α was spent on it |
//! | `estimate`, `low`, `high` | the figure and its interval |
//! | `net`, `net_low`, `net_high` | the part above the floor |
//! | `rank_low`, `rank_high` | first and last rank that it may have |
//! | `against`, `ratio`, `ratio_low`, `ratio_high`, `verdict` | the comparison: its value over theirs |
//! | `alpha`, `margin`, `rounds`, `launches`, `provisional`, `needed` | what the comparison is based on |
//! | `sweep`, `size` | what the size counts and how much of it, where the case is swept |
//! | `finding` | what a reproduced report found; `verdict` then says whether it holds for this pair |
//! | `runs`, `mean`, `deviation`, `median`, `min`, `max` | the spread of the runs of a whole command, in its row of `duration` |
//! | `part` | which of several results of a benchmark, where it has several |
//!
//! A contender's line over sizes has two rows, without a size: metric `NAME_fixed` and `NAME_per_unit`, the latter in
//! `s/byte` (or another unit of size).
//!
//! A benchmark (`tare bench`) has a row for each side and quantity: `workload` is its program, `case` its name, `language` its
//! harness, `metric` the quantity (`time`, `throughput`, `bytes`, `allocations`, `custom`) and `verdict` one of `worse`,
//! `better`, `equivalent`, `inconclusive`, in the row of `after`. `state` says whether it is judged.
//!
//! A contender without figures has one row with an empty metric. A verdict without an interval is `inconclusive`.

mod benchmarks;
mod row;

use std::fmt::Write;

use tare_model::claim::{ClaimPair, ClaimResult, Quantity};
use tare_model::comparison::Comparison;
use tare_model::metric::Metric;
use tare_model::results::{ContenderResult, Results, WorkloadResult};
use tare_model::spread::Spread;
use tare_model::sweep::SweepResult;
use tare_model::units::Seconds;

use crate::claims;
use crate::escape;
use crate::format::{Format, Output};
use crate::view;
use crate::words;
use row::{Row, optional, three};

pub use row::HEADER;

/// A row for each figure.
pub const FORMAT: Format = Format {
    name: "csv",
    render: |source| Ok(Output::Text(render(source.results))),
};

/// Columns after those of a comparison.
const BEHIND: usize = 12;

/// The document, with a header and `\n` after each row.
pub fn render(results: &Results) -> String {
    let mut out = format!("{HEADER}\n");
    for result in &results.workloads {
        for contender in &result.contenders {
            for metric in metrics(result, contender) {
                row(&mut out, &results.run.id, result, contender, metric);
            }
        }
        findings(&mut out, &results.run.id, result);
        if results.run.imported.is_some() {
            imported(&mut out, &results.run.id, result);
        }
    }
    for sweep in &results.sweeps {
        lines(&mut out, &results.run.id, sweep);
    }
    if let Some(found) = &results.benchmarks {
        benchmarks::rows(&mut out, &results.run.id, found);
    }
    out
}

/// A row for each pair of each finding.
fn findings(out: &mut String, run: &str, result: &WorkloadResult) {
    for claim in &result.claims {
        for pair in &claim.pairs {
            let mut row = Row::new();
            row.set("run", escape::csv(run));
            row.set("workload", escape::csv(&result.workload));
            row.set("case", escape::csv(&result.case));
            row.set("mode", result.mode.name().to_owned());
            row.set("contender", escape::csv(&claim.claim.first.to_string()));
            row.set("primary", (claim.metric == result.primary).to_string());
            row.set("against", escape::csv(&pair.other.to_string()));
            of_finding(&mut row, result, claim, pair);
            row.set("verdict", claims::standing_of(pair).name().to_owned());
            row.set("sweep", escape::csv(result.sweep.as_deref().unwrap_or_default()));
            row.set("size", optional(result.size));
            row.set("finding", escape::csv(&claim.claim.text));
            row.set("published", optional(pair.published));
            row.set(
                "conditions",
                escape::csv(&claims::unlike(result, claim).unwrap_or_default()),
            );
            row.end(out);
        }
    }
}

/// The figure of a pair: a ratio in the columns of ratios, seconds in those of figures.
fn of_finding(row: &mut Row, result: &WorkloadResult, claim: &ClaimResult, pair: &ClaimPair) {
    let quantity = claim.claim.relation.quantity();
    let (metric, names) = match quantity {
        Quantity::Lead | Quantity::LeadOverLead => (
            claim.metric.name().to_owned(),
            ["ratio", "ratio_low", "ratio_high"],
        ),
        Quantity::Extra | Quantity::ExtraPerUnit => (
            format!("{}_{}", claim.metric.name(), quantity.name().replace('-', "_")),
            ["estimate", "low", "high"],
        ),
    };
    let unit = claims::figure_unit(result, quantity);
    row.set("metric", metric);
    row.set(
        "unit",
        escape::csv(&unit.unwrap_or_else(|| claim.metric.unit().to_owned())),
    );
    match &pair.figure {
        Ok(figure) => {
            let values = names.into_iter().zip(three(Some(&figure.estimate)));
            values.for_each(|(name, value)| row.set(name, value));
            row.set("alpha", figure.alpha.to_string());
            row.set("rounds", figure.rounds.to_string());
            row.set("launches", figure.launches.to_string());
            row.set("provisional", figure.provisional.to_string());
        }
        Err(lack) => row.set("reason", escape::csv(&claims::reason(lack))),
    }
}

/// A row for each figure that was imported.
fn imported(out: &mut String, run: &str, result: &WorkloadResult) {
    for published in &result.published {
        let mut row = Row::new();
        row.set("run", escape::csv(run));
        row.set("workload", escape::csv(&result.workload));
        row.set("case", escape::csv(&result.case));
        row.set("mode", result.mode.name().to_owned());
        row.set("contender", escape::csv(&published.contender.to_string()));
        row.set("state", "imported".to_owned());
        row.set(
            "reason",
            escape::csv(&format!("{}: {}", published.source, published.label)),
        );
        row.set("metric", published.metric.name().to_owned());
        row.set("unit", published.metric.unit().to_owned());
        row.set("primary", "false".to_owned());
        row.set("estimate", published.value.to_string());
        row.end(out);
    }
}

/// Two rows for each line over sizes: its fixed part and its part per unit.
fn lines(out: &mut String, run: &str, sweep: &SweepResult) {
    let parts = sweep
        .contenders
        .iter()
        .filter_map(|costs| Some((&costs.id, costs.line.as_ref().ok()?)));
    for (id, line) in parts {
        let unit = format!("s/{}", sweep.unit());
        for (part, unit, figure) in [
            ("fixed", "s", &line.fixed),
            ("per_unit", unit.as_str(), &line.per_unit),
        ] {
            let mut row = Row::new();
            let mut set = |name: &str, value: String| row.set(name, value);
            set("run", escape::csv(run));
            set("workload", escape::csv(&sweep.workload));
            set("case", escape::csv(&sweep.case));
            set("mode", sweep.mode.name().to_owned());
            set("contender", escape::csv(&id.to_string()));
            set("metric", format!("{}_{part}", sweep.metric.name()));
            set("unit", escape::csv(unit));
            set("primary", sweep.primary.to_string());
            let [estimate, low, high] = three(Some(figure));
            set("estimate", estimate);
            set("low", low);
            set("high", high);
            set("alpha", sweep.alpha.to_string());
            set("rounds", sweep.rounds.to_string());
            set("launches", sweep.launches.to_string());
            set("provisional", sweep.provisional.to_string());
            set("sweep", escape::csv(&sweep.name));
            row.end(out);
        }
    }
}

/// The metrics of a contender; one `None` if there are none, so that every contender has a row.
fn metrics(result: &WorkloadResult, contender: &ContenderResult) -> Vec<Option<Metric>> {
    let compared = |metric| view::comparison(result, &contender.id, metric).is_some();
    let has = |metric: &Metric| contender.metrics.contains_key(metric) || compared(*metric);
    let list: Vec<_> = Metric::ALL.into_iter().filter(has).map(Some).collect();
    if list.is_empty() { vec![None] } else { list }
}

fn row(
    out: &mut String,
    run: &str,
    result: &WorkloadResult,
    contender: &ContenderResult,
    metric: Option<Metric>,
) {
    let mut cells = vec![
        escape::csv(run),
        escape::csv(&result.workload),
        escape::csv(&result.case),
        result.mode.name().to_owned(),
    ];
    cells.extend(who(contender));
    match metric {
        Some(metric) => {
            cells.extend([
                metric.name().into(),
                metric.unit().into(),
                (metric == result.primary).to_string(),
            ]);
            cells.extend(three(contender.metrics.get(&metric)));
            cells.extend(three(contender.net.get(&metric)));
            let rank = view::rank_on(contender, metric);
            cells.extend([optional(rank.map(|r| r.0)), optional(rank.map(|r| r.1))]);
            cells.extend(compared(view::comparison(result, &contender.id, metric)));
        }
        None => cells.extend(std::iter::repeat_n(
            String::new(),
            HEADER.split(',').count() - cells.len() - BEHIND,
        )),
    }
    cells.push(escape::csv(result.sweep.as_deref().unwrap_or_default()));
    cells.push(optional(result.size));
    // Columns of findings.
    cells.extend([const { String::new() }; 3]);
    cells.extend(spread(
        contender
            .spread
            .as_ref()
            .filter(|_| metric == Some(Metric::Duration)),
    ));
    // Parts are of benchmarks.
    cells.push(String::new());
    let _ = writeln!(out, "{}", cells.join(",")); // writing to a string cannot fail
}

fn who(contender: &ContenderResult) -> [String; 6] {
    let reason = contender.fault.as_ref().map_or("", |fault| &fault.detail);
    [
        escape::csv(&contender.id.to_string()),
        escape::csv(contender.subject.language()),
        escape::csv(contender.subject.style()),
        contender.state.name().to_owned(),
        escape::csv(reason),
        contender.bound.map_or("", |bound| bound.name()).to_owned(),
    ]
}

fn spread(spread: Option<&Spread>) -> [String; 6] {
    let seconds = |of: fn(&Spread) -> Seconds| optional(spread.map(|spread| of(spread).0));
    [
        optional(spread.map(|spread| spread.runs)),
        seconds(|spread| spread.mean),
        optional(
            spread
                .and_then(|spread| spread.deviation)
                .map(|deviation| deviation.0),
        ),
        seconds(|spread| spread.median),
        seconds(|spread| spread.least),
        seconds(|spread| spread.most),
    ]
}

/// The columns from `against` to `needed`.
fn compared(comparison: Option<&Comparison>) -> Vec<String> {
    let Some(c) = comparison else {
        return vec![String::new(); 11];
    };
    vec![
        escape::csv(&c.b.to_string()),
        c.ratio.to_string(),
        optional(c.low),
        optional(c.high),
        words::decided(c).name().to_owned(),
        c.alpha.to_string(),
        c.margin.to_string(),
        c.rounds.to_string(),
        c.launches.to_string(),
        c.provisional.to_string(),
        optional(c.needed),
    ]
}
