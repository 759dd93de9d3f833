//! A site of static files over one run or many: an index that filters runs and shows them side by side, and for each run a
//! page and its raw slices. It works from a file, without a server.
//!
//! The index is one file: the figures as JSON in it, drawn by a script when it is opened. Foreign text
//! gets into the page as text only, never as markup.

mod benchmarks;
mod numbers;

use serde_json::{Map, Value, json};
use tare_model::comparison::Comparison;
use tare_model::metric::Metric;
use tare_model::record::RunRecord;
use tare_model::results::{ContenderResult, Results, WorkloadResult};

use crate::format::File;
use crate::html;
use crate::sentences;
use crate::slices;
use crate::view;
use crate::when;
use crate::words;
use numbers::{short, three};

const PAGE: &str = include_str!("site/page.html");
const STYLE: &str = include_str!("site/page.css");
const SCRIPT: &str = include_str!("site/page.js");

/// What the index needs of a run.
#[derive(Debug, Clone)]
pub struct Entry {
    value: Value,
}

/// A run's own two files, and its entry for the index.
pub fn run(record: &RunRecord, results: &Results) -> (Entry, [File; 2]) {
    let id = &results.run.id;
    let files = [
        File {
            path: format!("runs/{id}.html"),
            text: html::render(results),
        },
        File {
            path: format!("slices/{id}.csv"),
            text: slices::render(record),
        },
    ];
    (entry(results), files)
}

/// The index over runs, which are given newest first.
pub fn index(entries: &[Entry]) -> File {
    let runs: Vec<&Value> = entries.iter().map(|entry| &entry.value).collect();
    // Only a `<` could end the script element or begin a comment. In JSON it is found in strings only.
    let data = json!({ "runs": runs }).to_string().replace('<', "\\u003c");
    let text = PAGE
        .replace("/*STYLE*/", STYLE)
        .replace("/*SCRIPT*/", SCRIPT)
        // Last, so that the placeholders above are not replaced in the data.
        .replacen("/*DATA*/", &data, 1);
    File {
        path: "index.html".to_owned(),
        text,
    }
}

/// The figures of a run.
pub fn entry(results: &Results) -> Entry {
    let run = &results.run;
    let machine = &run.machine;
    let value = json!({
        "id": run.id,
        "date": when::to_minute(run.started),
        "machine": format!("{}, {}, {}", machine.cpu, words::counted(u64::from(machine.cores), "core"), machine.os),
        "complete": run.complete,
        "groups": results.workloads.iter().map(group).chain(benchmarks::groups(results)).collect::<Vec<_>>(),
    });
    Entry { value }
}

fn group(result: &WorkloadResult) -> Value {
    let shown = view::shown(result);
    json!({
        "title": result.title(),
        "workload": result.workload,
        "summary": result.summary,
        "told": sentences::of_arena(result),
        "primary": result.primary.name(),
        "baseline": result.baseline.as_ref().map(ToString::to_string),
        "floor": result.floor.as_ref().map(ToString::to_string),
        "placement": words::placement(result),
        "grounds": view::grounds(&shown).map(|(common, _)| common),
        "metrics": metrics(result),
        "contenders": result.contenders.iter().map(|one| contender(result, one)).collect::<Vec<_>>(),
    })
}

/// The metrics with a figure, and how to show them.
fn metrics(result: &WorkloadResult) -> Vec<Value> {
    let of = |metric: Metric| {
        json!({
            "name": metric.name(),
            "title": metric.title(),
            "unit": metric.unit(),
            "more": metric.more_is_better(),
        })
    };
    view::metrics(result).into_iter().map(of).collect()
}

fn contender(result: &WorkloadResult, one: &ContenderResult) -> Value {
    let mut figures = Map::new();
    for (metric, figure) in &one.metrics {
        figures.insert(metric.name().to_owned(), three(figure));
    }
    let verdict = view::primary_comparison(result, &one.id);
    json!({
        "name": one.id.to_string(),
        "language": one.subject.language(),
        "style": one.subject.style(),
        "summary": one.summary,
        "fate": (one.state != tare_model::results::State::Measured).then(|| words::fate(one)),
        "reason": one.fault.as_ref().map(|fault| &fault.detail),
        "rank": view::rank(result, one).map(|(low, high)| [low, high]),
        "bound": one.bound.map(words::bound),
        "aside": aside(result, one),
        "figures": figures,
        "ratio": verdict.map(ratio),
        "verdict": verdict.map(words::verdict),
    })
}

/// The metrics on which it has a figure but does not compete: it cannot be the best by them.
fn aside(result: &WorkloadResult, one: &ContenderResult) -> Vec<&'static str> {
    let metrics = one.metrics.keys().copied();
    metrics
        .filter(|&metric| !view::competes(result, one, metric))
        .map(Metric::name)
        .collect()
}

fn ratio(comparison: &Comparison) -> Value {
    let limits = words::limits(comparison);
    json!([
        short(comparison.ratio),
        limits.map(|l| short(l.0)),
        limits.map(|l| short(l.1))
    ])
}
