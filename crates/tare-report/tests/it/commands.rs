//! Whole commands: the spread of their runs, in every format.

use std::collections::BTreeMap;

use tare_model::driving::Driving;
use tare_model::estimate::Estimate;
use tare_model::metric::{Metric, Mode};
use tare_model::results::{ContenderResult, Results, State, WorkloadResult};
use tare_model::spread::Spread;
use tare_model::subject::Subject;
use tare_model::units::Seconds;
use tare_report::terminal::Terminal;
use tare_report::{csv, html, json, markdown, terminal};
use unicode_width::UnicodeWidthStr;

use crate::fixture::{self, compare, id};
use crate::golden::{check, check_json};

/// Of many runs, or of a single one, without a deviation.
pub fn spread(millis: f64, deviation: Option<f64>) -> Spread {
    let seconds = |millis: f64| Seconds(millis / 1e3);
    Spread {
        runs: if deviation.is_some() { 1200 } else { 1 },
        mean: seconds(millis),
        deviation: deviation.map(seconds),
        median: seconds(millis * 0.98),
        least: seconds(millis * 0.9),
        most: seconds(millis * 1.5),
    }
}

fn command(name: &str, text: &str, millis: f64, deviation: Option<f64>) -> ContenderResult {
    let spread = spread(millis, deviation);
    let figure = Estimate {
        estimate: spread.median.0,
        low: None,
        high: None,
    };
    ContenderResult {
        summary: text.into(),
        subject: Subject::Command { command: text.into() },
        metrics: BTreeMap::from([(Metric::Duration, figure)]),
        spread: Some(spread),
        ..fixture::contender(name)
    }
}

/// Two commands, one that failed, and what does nothing; `size`: of a sweep.
fn workload(size: Option<u64>) -> WorkloadResult {
    let mut failed = command("bad", "false", 1.0, None);
    (failed.state, failed.spread) = (State::Failed, None);
    failed.metrics.clear();
    let nothing = ContenderResult {
        subject: Subject::NoCommand {
            command: "sh -c :".into(),
        },
        ..command("nothing", "sh -c :", 0.8, Some(0.05))
    };
    let mut duration = compare("zstd", "gzip", Metric::Duration, 0.3, 0.01);
    (duration.mode, duration.primary) = (Mode::Command, true);
    WorkloadResult {
        workload: "time".into(),
        summary: "Whole commands through `sh -c`; an operation is one run".into(),
        case: "commands".into(),
        case_summary: String::new(),
        sweep: size.map(|_| "level".to_owned()),
        size,
        mode: Mode::Command,
        driving: Driving::Unknown,
        primary: Metric::Duration,
        floor: Some(id("nothing")),
        baseline: Some(id("gzip")),
        contenders: vec![
            command("gzip", "gzip -k words.txt", 12.5, Some(0.4)),
            command("zstd", "zstd -q words.txt | tee x", 3.75, None),
            failed,
            nothing,
        ],
        comparisons: vec![duration],
        ..fixture::workload()
    }
}

fn results(workloads: Vec<WorkloadResult>) -> Results {
    Results {
        run: fixture::run(),
        workloads,
        sweeps: Vec::new(),
        explanations: Vec::new(),
        not_measured: Vec::new(),
        benchmarks: None,
    }
}

#[test]
fn documents() {
    let results = results(vec![workload(None)]);
    for (name, width) in [("commands-100.txt", 100), ("commands-72.txt", 72)] {
        let text = terminal::render(&results, Terminal { width, color: false });
        assert!(text.lines().all(|line| line.width() <= width), "{text}");
        check(name, &text);
    }
    check("commands.md", &markdown::render(&results));
    check("commands.csv", &csv::render(&results));
    check_json("commands.json", &json::render(&results));
}

/// Only commands with figures have a spread, and each has it once.
#[test]
fn only_commands_with_figures_have_runs() {
    let ours = results(vec![workload(None)]);
    let document: serde_json::Value = serde_json::from_str(&json::render(&ours)).unwrap();
    let contenders = document["workloads"][0]["contenders"].as_array().unwrap();
    let runs: Vec<&serde_json::Value> = contenders.iter().map(|one| &one["spread"]["runs"]).collect();
    assert_eq!(*runs[0], 1200);
    assert_eq!(*runs[1], 1);
    assert!(runs[2].is_null() && contenders[1]["spread"]["deviation"].is_null());
    let text = csv::render(&ours);
    let header: Vec<&str> = csv::HEADER.split(',').collect();
    let runs = header.iter().position(|name| *name == "runs").unwrap();
    let with = text
        .lines()
        .skip(1)
        .filter(|line| !line.split(',').nth(runs).unwrap().is_empty());
    assert_eq!(with.count(), 3, "{text}");
    let page = html::render(&ours);
    assert!(page.contains("<h3>Runs</h3>") && page.contains("12.5 ms ± 400 µs"));
    assert!(!page.contains("checked byte by byte"), "commands answer nothing");
    let others = fixture::rich();
    for text in [html::render(&others), markdown::render(&others)] {
        assert!(!text.contains('σ'), "{text}");
    }
}

/// At several sizes, all are in one table.
#[test]
fn sizes_are_listed_below_each_other() {
    let results = results(vec![workload(Some(1)), workload(Some(19))]);
    let text = terminal::render(&results, Terminal::default());
    let head: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(head.len(), 1 + 2 * 3, "{text}");
    assert!(head[1].starts_with("gzip at level 1 ") && head[4].starts_with("gzip at level 19 "));
}
