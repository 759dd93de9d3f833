//! A comparison of two revisions as a comment on a pull request: what came of it, a table, a chart in letters, the
//! settings.

use std::fmt::Write;

use tare_model::metric::Metric;
use tare_model::results::{Comparison, ContenderResult, Results, Verdict, WorkloadResult};

use crate::escape::{fenced, markdown, one_line};
use crate::terminal;
use crate::view;
use crate::when;
use crate::words;

/// What is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// `doubling/go`, or a command.
    pub what: String,
    /// The earlier revision, in words.
    pub before: String,
    /// The later one.
    pub after: String,
}

/// By which a robot finds the comment that it wrote before: every comment begins with it.
pub const MARK: &str = "<!-- tare diff -->";

/// How much of the log of a side in a case, in characters: GitHub refuses comments of more than 65,536.
const LONGEST: usize = 3_000;

/// The comment.
pub fn render(results: &Results, about: &About) -> String {
    let mut out = format!("{MARK}\n### {}: {}\n\n", code(&about.what), headline(results));
    let _ = writeln!(out, "{} against {}.\n", code(&about.after), code(&about.before));
    charts(&mut out, results);
    for result in &results.workloads {
        table(&mut out, result);
        foundations(&mut out, result);
    }
    settings(&mut out, results);
    out
}

/// The comment where it did not come to a comparison, so that none on an earlier state stands as if it were of this one.
/// `what`: the contender or command, `revisions`: as they were asked for, `why`: what failed.
pub fn failed(what: &str, revisions: &str, why: &str) -> String {
    format!(
        "{MARK}\n### {}: **not measured**\n\nAsked for: {}.\n\n{}",
        code(what),
        code(revisions),
        fenced(&shortened(why))
    )
}

/// Foreign text as code: nothing in it is markup, calls anybody, or refers to anything.
fn code(text: &str) -> String {
    // A backtick would end it.
    format!("`{}`", one_line(text).replace('`', "'"))
}

/// Both ends of what is too long.
fn shortened(text: &str) -> String {
    let count = text.chars().count();
    if count <= LONGEST {
        return text.to_owned();
    }
    let first: String = text.chars().take(LONGEST / 2).collect();
    let last: String = text.chars().skip(count - LONGEST / 2).collect();
    format!("{first}\n[…]\n{last}")
}

/// All primary verdicts in some words.
fn headline(results: &Results) -> String {
    let primary = || results.workloads.iter().filter_map(of_change);
    let missing = results
        .workloads
        .iter()
        .any(|result| !view::without_figures(result).is_empty());
    let count = |verdict: Verdict| {
        primary()
            .filter(|comparison| decided(comparison) == verdict)
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

fn decided(comparison: &Comparison) -> Verdict {
    match words::limits(comparison) {
        Some(_) => comparison.verdict,
        None => Verdict::Inconclusive,
    }
}

/// All cases on one axis; where the better end of some metrics is the other one, as of a throughput beside a duration, one
/// for each. In letters: comments show no picture that is not somewhere in the net.
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

/// The earlier revision and the later one. By their places: where the earlier has no figures, it is not the baseline.
fn sides(result: &WorkloadResult) -> Option<[&ContenderResult; 2]> {
    let floor = result.floor.as_ref();
    let mut sides = result.contenders.iter().filter(|one| Some(&one.id) != floor);
    Some([sides.next()?, sides.next()?])
}

fn row(out: &mut String, result: &WorkloadResult, metric: Metric, sides: [&ContenderResult; 2]) {
    let figures = sides.map(|side| match side.metrics.get(&metric) {
        Some(figure) => words::show(metric, figure.estimate),
        None => view::NONE.to_owned(),
    });
    let (ratio, verdict) = match view::comparison(result, &sides[1].id, metric) {
        Some(c) => (
            words::ratio_and_interval(c.ratio, words::limits(c)),
            words::verdict(c),
        ),
        None => (view::NONE.to_owned(), "not compared".to_owned()),
    };
    let name = match metric == result.primary {
        true => format!("**{}**", metric.title()),
        false => metric.title().to_owned(),
    };
    let _ = writeln!(out, "| {name} | {} | {ratio} | {verdict} |", figures.join(" | "));
}

/// What the verdicts rest on, and why a side has none.
fn foundations(out: &mut String, result: &WorkloadResult) {
    if let Some(comparison) = of_change(result) {
        let _ = writeln!(
            out,
            "Each verdict: {}.{}\n",
            words::grounds(comparison),
            provisional(comparison)
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

fn provisional(comparison: &Comparison) -> &'static str {
    match comparison.provisional {
        true => " Provisional: one start of each.",
        false => "",
    }
}

fn settings(out: &mut String, results: &Results) {
    let run = &results.run;
    out.push_str("<details><summary>How this was measured</summary>\n\n");
    let _ = writeln!(
        out,
        "Run {}, {}, took {}, by tare {}; {}, {}, {}, kernel {}. Both sides were measured side by side, in interleaved \
         rounds in random order.\n",
        code(&run.id),
        when::to_minute(run.started),
        when::length(run.took),
        markdown(&run.tare),
        markdown(&run.machine.cpu),
        words::counted(u64::from(run.machine.cores), "core"),
        markdown(&run.machine.os),
        markdown(&run.machine.kernel),
    );
    for result in &results.workloads {
        let _ = writeln!(
            out,
            "- {}: {}.",
            markdown(&result.title()),
            markdown(&words::placement(result))
        );
    }
    // The revisions are among them, with the subjects of their commits.
    let named: Vec<String> = words::settings(&run.settings)
        .iter()
        .map(|(name, value)| code(&format!("{name} {value}")))
        .collect();
    let _ = writeln!(out, "- {}.", named.join(", "));
    for note in &run.notes {
        let _ = writeln!(out, "- Note: {}", markdown(note));
    }
    out.push_str("\n</details>\n");
}
