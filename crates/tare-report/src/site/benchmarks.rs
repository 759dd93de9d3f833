//! The benchmarks of a run in the index: a group for each program, an entry for each benchmark.

use serde_json::{Value, json};
use tare_model::benchmark::{BenchmarkResult, Benchmarks, FigureResult, Standing};
use tare_model::figure::Quantity;
use tare_model::metric::Metric;
use tare_model::results::Results;

use super::numbers::{short, three};
use crate::benchmarks::grounds;
use crate::words;

/// A group for each program.
pub(super) fn groups(results: &Results) -> Vec<Value> {
    let Some(found) = &results.benchmarks else {
        return Vec::new();
    };
    let mut programs: Vec<&str> = found.list.iter().map(|one| one.program.as_str()).collect();
    programs.dedup();
    let grounds = grounds(results, found).join(" ");
    programs
        .into_iter()
        .map(|program| group(found, program, &grounds))
        .collect()
}

fn group(found: &Benchmarks, program: &str, grounds: &str) -> Value {
    let mine: Vec<&BenchmarkResult> = found.list.iter().filter(|one| one.program == program).collect();
    let metric = Metric::TimePerOp;
    let metrics = json!([{
        "name": metric.name(), "title": metric.title(), "unit": metric.unit(), "more": metric.more_is_better(),
    }]);
    json!({
        "title": format!("{program}, benchmarks"),
        "workload": program,
        "summary": format!("Benchmarks of {}", mine.first().map_or("", |one| one.harness.as_str())),
        "primary": metric.name(),
        "baseline": "before",
        "floor": null,
        "placement": "a process for each sample",
        // Benchmarks do different jobs: none is the best.
        "apart": true,
        "about": grounds,
        "metrics": metrics,
        "contenders": mine.iter().map(|one| entry(found, one)).collect::<Vec<_>>(),
    })
}

fn entry(found: &Benchmarks, one: &BenchmarkResult) -> Value {
    let figure = one
        .figures
        .first()
        .filter(|figure| figure.quantity == Quantity::Time);
    let after = figure.and_then(|figure| figure.after.as_ref());
    let judged = figure.filter(|figure| figure.change.is_some());
    let (fate, reason) = match &one.standing {
        Standing::Judged | Standing::Described => (None, None),
        Standing::Added => (Some("only after the change"), None),
        Standing::Removed => (Some("only before the change"), None),
        Standing::Rewritten if figure.is_some() => (None, None),
        Standing::Rewritten => (Some("rewritten"), None),
        Standing::Failed { fault, .. } => (Some("failed"), Some(&fault.detail)),
    };
    json!({
        "name": one.name,
        "language": one.harness,
        "style": "benchmark",
        "summary": "",
        "fate": fate,
        "reason": reason,
        "rank": null,
        "bound": null,
        "aside": [Metric::TimePerOp.name()],
        "figures": after.map_or(json!({}), |after| json!({ Metric::TimePerOp.name(): three(after) })),
        "ratio": judged.and_then(ratio),
        "verdict": judged.map(|figure| words::change(figure, found.margin)),
    })
}

fn ratio(figure: &FigureResult) -> Option<Value> {
    let found = figure.ratio?;
    let limits = figure.limits();
    Some(json!([
        short(found.estimate),
        limits.map(|l| short(l.0)),
        limits.map(|l| short(l.1))
    ]))
}
