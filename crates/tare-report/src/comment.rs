//! A comparison of two revisions as a comment on a pull request: the verdict, a chart in text, a table, the settings.

mod benchmarks;
mod parts;

use std::fmt::Write;

use tare_model::comparison::{Comparison, Verdict};
use tare_model::metric::Metric;
use tare_model::results::{ContenderResult, Results, WorkloadResult};

use crate::escape::{fenced, markdown, one_line, shortened};
use crate::sentences;
use crate::terminal;
use crate::view;
use crate::words;

use parts::{code, failed_as, how};

pub use benchmarks::{BENCH_MARK, benchmarks_failed, of_benchmarks};
pub use parts::About;

/// Every comment begins with this, so that a bot finds the comment that it wrote before.
pub const MARK: &str = "<!-- tare diff -->";

/// The comment.
pub fn render(results: &Results, about: &About) -> String {
    let mut out = format!("{MARK}\n### {}: {}\n\n", code(&about.what), headline(results));
    let _ = writeln!(out, "{} against {}.\n", code(&about.after), code(&about.before));
    said(&mut out, results);
    charts(&mut out, results);
    for result in &results.workloads {
        table(&mut out, result);
        foundations(&mut out, result);
    }
    let placements: Vec<String> = results.workloads.iter().map(placement).collect();
    how(&mut out, results, &placements);
    out
}

/// What it came to: a sentence, or one for each case.
fn said(out: &mut String, results: &Results) {
    match sentences::of(results).as_slice() {
        [] => {}
        [one] => {
            let _ = writeln!(out, "**{}**\n", markdown(one));
        }
        several => {
            for sentence in several {
                let _ = writeln!(out, "- {}", markdown(sentence));
            }
            out.push('\n');
        }
    }
}

fn placement(result: &WorkloadResult) -> String {
    format!("{}: {}", result.title(), words::placement(result))
}

/// The comment if the comparison failed. It replaces an earlier comment, which would otherwise seem to be about this
/// state. `what`: the contender or command; `revisions`: as they were given; `why`: what failed.
pub fn failed(what: &str, revisions: &str, why: &str) -> String {
    failed_as(MARK, (what, revisions), why)
}

/// All primary verdicts in a few words.
fn headline(results: &Results) -> String {
    let primary = || results.workloads.iter().filter_map(of_change);
    let missing = results
        .workloads
        .iter()
        .any(|result| !view::without_figures(result).is_empty());
    let count = |verdict: Verdict| {
        primary()
            .filter(|comparison| words::decided(comparison) == verdict)
            .count()
    };
    let all = primary().count();
    let parts = [
        (Verdict::Slower, "slower"),
        (Verdict::Faster, "faster"),
        (Verdict::Equivalent, "no difference beyond the margin"),
        (Verdict::Inconclusive, "inconclusive"),
    ];
    let found: Vec<(usize, &str)> = parts
        .into_iter()
        .map(|(verdict, word)| (count(verdict), word))
        .filter(|(count, _)| *count > 0)
        .collect();
    match (missing, all, found.as_slice()) {
        (true, ..) => "**not measured on both sides**".to_owned(),
        (_, 0, _) => "**nothing was compared**".to_owned(),
        (_, _, [(_, word)]) => format!("**{word}**"),
        (_, _, several) => {
            let parts: Vec<String> = several
                .iter()
                .map(|(count, word)| format!("{count} {word}"))
                .collect();
            format!("**{}**", parts.join(", "))
        }
    }
}

/// The later revision against the earlier one, on the primary metric.
fn of_change(result: &WorkloadResult) -> Option<&Comparison> {
    let rows = view::shown(result);
    rows.into_iter().next()
}

/// All cases on one axis, or on two if they have metrics with opposite directions, such as a throughput and a duration. As
/// text, since a comment can show only pictures that are on the web.
fn charts(out: &mut String, results: &Results) {
    let named = |result| Some((one_line(&WorkloadResult::title(result)), of_change(result)?));
    let mut rows: Vec<(String, &Comparison)> = results.workloads.iter().filter_map(named).collect();
    if let [(name, _)] = rows.as_mut_slice() {
        name.clear();
    }
    let mut drawn: Vec<(&str, &str)> = Vec::new();
    for (_, first) in &rows {
        let ends = words::ends(first.metric);
        if drawn.contains(&ends) {
            continue;
        }
        drawn.push(ends);
        let alike = rows.iter().filter(|(_, row)| words::ends(row.metric) == ends);
        let alike: Vec<(&str, &Comparison)> = alike.map(|(name, row)| (name.as_str(), *row)).collect();
        let _ = writeln!(out, "{}", fenced(&terminal::axes(&alike)));
    }
}

/// The figures of both sides, metric by metric.
fn table(out: &mut String, result: &WorkloadResult) {
    let _ = writeln!(
        out,
        "**{}**, by {} ({})\n",
        markdown(&result.title()),
        result.primary.title(),
        words::sense(result.primary)
    );
    let metrics = view::metrics(result);
    let (Some(sides), false) = (sides(result), metrics.is_empty()) else {
        return;
    };
    out.push_str(
        "| metric | before | after | after ÷ before (interval) | verdict |\n|---|---|---|---|---|\n",
    );
    for metric in metrics {
        row(out, result, metric, sides);
    }
    out.push('\n');
}

/// The earlier revision and the later one, by their order: an earlier one without figures is not the baseline.
fn sides(result: &WorkloadResult) -> Option<[&ContenderResult; 2]> {
    let floor = result.floor.as_ref();
    let mut sides = result.contenders.iter().filter(|one| Some(&one.id) != floor);
    Some([sides.next()?, sides.next()?])
}

fn row(out: &mut String, result: &WorkloadResult, metric: Metric, sides: [&ContenderResult; 2]) {
    let figures = sides.map(|side| view::figure(side, metric));
    let (ratio, verdict) = match view::comparison(result, &sides[1].id, metric) {
        Some(c) => (
            words::ratio_and_interval(c.ratio, words::limits(c)),
            words::verdict(c),
        ),
        None => (view::NONE.to_owned(), "not compared".to_owned()),
    };
    let name = if metric == result.primary {
        format!("**{}**", metric.title())
    } else {
        metric.title().to_owned()
    };
    let _ = writeln!(out, "| {name} | {} | {ratio} | {verdict} |", figures.join(" | "));
}

/// What the verdicts are based on, and why a side has none.
fn foundations(out: &mut String, result: &WorkloadResult) {
    if let Some(comparison) = of_change(result) {
        let _ = writeln!(
            out,
            "Each verdict: {}.{}\n",
            words::grounds(comparison),
            words::provisional([comparison]).map_or(String::new(), |sentence| format!(" {sentence}"))
        );
    }
    for contender in view::without_figures(result) {
        let detail = contender.fault.as_ref().map_or("", |fault| &fault.detail);
        let _ = writeln!(
            out,
            "`{}` has no figures: {}:\n\n{}",
            contender.id,
            words::fate(contender),
            fenced(&shortened(detail))
        );
    }
}
