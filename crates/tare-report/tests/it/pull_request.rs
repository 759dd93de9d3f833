//! The comment on a pull request: goldens, and that foreign text has no effect.

use std::collections::BTreeMap;

use tare_model::fault::{Fault, FaultKind};
use tare_model::metric::{Metric, Mode};
use tare_model::results::{Results, State, WorkloadResult};
use tare_model::settings::{Revisions, RunKind, Settings};
use tare_report::comment::{self, About, MARK};

use crate::fixture;
use crate::golden::check;
use crate::hostile::{self, HOSTILE};

const BEFORE: &str = "go@before";
const AFTER: &str = "go@after";

fn about() -> About {
    About {
        what: "doubling/go".into(),
        before: "1b2c3d4 (Double by shifting)".into(),
        after: "the working tree (5e6f7a8, 1 file changed)".into(),
    }
}

/// Both revisions in a case, the later one's figure a multiple of the earlier one's.
fn pair(case: &str, mode: Mode, primary: Metric, ratio: f64, spread: f64) -> WorkloadResult {
    let mut result = fixture::workload();
    result.case = case.into();
    (result.mode, result.primary) = (mode, primary);
    (result.floor, result.baseline) = (None, Some(fixture::id(BEFORE)));
    let value = if primary == Metric::Throughput { 1e5 } else { 1e-5 };
    let sides = [(BEFORE, 1.0), (AFTER, ratio)].map(|(name, times)| {
        let mut side = fixture::contender(name);
        side.metrics = BTreeMap::from([
            (primary, fixture::figure(value * times, 0.01)),
            (Metric::MemoryPeak, fixture::figure(12e6, 0.01)),
        ]);
        side
    });
    result.contenders = sides.into();
    result.comparisons = vec![
        fixture::compare(AFTER, BEFORE, primary, ratio, spread),
        fixture::compare(AFTER, BEFORE, Metric::MemoryPeak, 1.0, 0.004),
    ];
    result
}

fn results(workloads: Vec<WorkloadResult>) -> Results {
    Results {
        run: fixture::run(),
        workloads,
        ..Results::default()
    }
}

fn slower() -> Results {
    results(vec![pair("one-core", Mode::Cost, Metric::CpuPerOp, 1.08, 0.02)])
}

fn several() -> Results {
    results(vec![
        pair("one-core", Mode::Cost, Metric::CpuPerOp, 0.9, 0.02),
        pair("all-cores", Mode::Capacity, Metric::Throughput, 1.05, 0.02),
        pair("all-cores", Mode::Batch, Metric::Duration, 1.001, 0.004),
        pair("four-cores", Mode::Batch, Metric::Duration, 1.03, 0.05),
    ])
}

/// One side did not build.
fn broken(side: usize) -> Results {
    let mut found = slower();
    let result = &mut found.workloads[0];
    let other = result.contenders[1 - side].id.clone();
    let broken = &mut result.contenders[side];
    broken.state = State::Failed;
    broken.metrics.clear();
    let detail =
        "`go build` ended with status 1:\n    main.go:7: undefined: ```shift```\n    <!-- tare diff -->";
    broken.fault = Some(Fault::new(FaultKind::BuildFailed, detail));
    result.comparisons.clear();
    // As the analysis has it: what ratios are against must have figures.
    result.baseline = Some(other);
    found
}

#[test]
fn comments() {
    check("comment-one.md", &comment::render(&slower(), &about()));
    check("comment-several.md", &comment::render(&several(), &about()));
    check("comment-fault.md", &comment::render(&broken(1), &about()));
    let why = "error: the build of one side failed: `make` (after: 5e6f7a8) ended with exit status 2\n\
               hint: its log ends with\n    ``` | <b>";
    check(
        "comment-failed.md",
        &comment::failed("./mine --fast", "main", why),
    );
}

#[test]
fn cases_share_a_chart_as_long_as_the_same_end_is_the_better_one() {
    let text = comment::render(&several(), &about());
    let charts: Vec<&str> = text.split("```text\n").skip(1).collect();
    let [costs, rates] = charts.as_slice() else {
        panic!("{text}")
    };
    let lines: Vec<&str> = costs.split("\n```").next().unwrap().lines().collect();
    assert_eq!(lines.len(), 4, "{costs}");
    assert!(
        lines[0].trim_start().starts_with("faster") && lines[0].ends_with("slower"),
        "{costs}"
    );
    for (line, name) in lines[1..].iter().zip(["one-core", "all-cores", "four-cores"]) {
        assert!(line.contains(name) && line.contains('●'), "{line}");
    }
    // Of several their ones are below each other.
    let one = lines[0].chars().position(|c| c == '1').unwrap();
    assert!(
        lines[1..]
            .iter()
            .all(|line| line.chars().nth(one).is_some_and(|c| "│━●".contains(c)))
    );
    let lines: Vec<&str> = rates.split("\n```").next().unwrap().lines().collect();
    assert!(
        lines[0].trim_start().starts_with("slower") && lines[0].ends_with("faster"),
        "{rates}"
    );
    assert!(
        lines[1].starts_with("doubling/all-cores, capacity "),
        "which case it is: {rates}"
    );
}

#[test]
fn each_side_keeps_its_column_where_the_other_did_not_build() {
    for (side, row) in [
        (0, "| **CPU per operation** | – | 10.8 µs |"),
        (1, "| **CPU per operation** | 10.0 µs | – |"),
    ] {
        let text = comment::render(&broken(side), &about());
        assert!(text.contains("**not measured on both sides**"), "{text}");
        assert!(text.contains(row), "{text}");
        assert!(!text.contains('●'), "{text}");
    }
}

/// The line without its code spans.
fn outside_code(line: &str) -> String {
    line.replace("\\`", "").split('`').step_by(2).collect()
}

/// The mark is there once, at the beginning; no fence is open; every row of a table has its cells; the only markup is
/// ours.
fn tame(text: &str) {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(MARK));
    let mut fence: Option<&str> = None;
    for line in lines {
        match fence {
            Some(marks) if line == marks => fence = None,
            Some(_) => {}
            None if line.starts_with("```") => fence = Some(line.trim_end_matches("text")),
            None => {
                let plain = outside_code(line);
                let ours = ["<details><summary>How this was measured</summary>", "</details>"];
                assert!(!plain.contains('<') || ours.contains(&line), "{line}");
                assert!(!plain.contains("](") || plain.contains("\\]("), "{line}");
                let cells = plain.replace("\\|", "").matches('|').count();
                assert!(!line.starts_with('|') || cells == 6, "{line}");
            }
        }
    }
    assert_eq!(fence, None, "a fence is open");
    assert!(!text.contains(['\u{1b}', '\u{202e}', '\0']), "it commands");
}

#[test]
fn hostile_text_stays_in_its_cell() {
    let subject = "1b2c3d4 (Fix `a|b` <!-- tare diff --> @everyone #1 [x](y) <img src=x>)";
    let about = About {
        what: "sh -c 'echo `date` | cat' <!--".into(),
        before: subject.into(),
        after: HOSTILE.into(),
    };
    let mut found = slower();
    found.run.settings = Settings {
        kind: RunKind::Diff,
        revisions: Some(Revisions {
            before: subject.into(),
            after: HOSTILE.into(),
        }),
        ..Settings::default()
    };
    let text = comment::render(&found, &about);
    // By another ending than a page's: the links of pages are looked into.
    check("comment-hostile.txt", &text);
    tame(&text);
    // A commit's subject is shown as code, so it mentions no user.
    for part in ["@everyone", "#1", "<img", "a|b"] {
        assert!(text.contains(part), "{part} is shown");
        assert!(
            text.lines().all(|line| !outside_code(line).contains(part)),
            "{part}"
        );
    }
    tame(&comment::render(&hostile::results(), &about));
    tame(&comment::render(&broken(0), &about));
    tame(&comment::failed(HOSTILE, HOSTILE, HOSTILE));
}

#[test]
fn a_log_of_any_length_fits_into_a_comment() {
    let long = format!("begins\n{}\nends", "a line of a log\n".repeat(100_000));
    let text = comment::failed("x", "y", &long);
    assert!(text.chars().count() < 65_536, "{}", text.chars().count());
    assert!(text.contains("begins") && text.contains("ends"), "{text}");
    let mut found = broken(1);
    let fault = found.workloads[0].contenders[1].fault.as_mut().unwrap();
    fault.detail = long;
    assert!(comment::render(&found, &about()).chars().count() < 65_536);
}
