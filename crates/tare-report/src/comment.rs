//! A comparison of two revisions as a comment on a pull request: what came of it, a table, a chart in letters, the
//! settings.

use std::fmt::Write;

use tare_model::results::{Comparison, Results, Verdict, WorkloadResult};

use crate::escape::markdown;
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

/// By which a robot finds the comment that it wrote before.
pub const MARK: &str = "<!-- tare diff -->";

/// The comment.
pub fn render(results: &Results, about: &About) -> String {
    let mut out = format!("{MARK}\n### {}: {}\n\n", code(&about.what), headline(results));
    let _ = writeln!(
        out,
        "{} against {}.\n",
        words::capital(&markdown(&about.after)),
        markdown(&about.before)
    );
    for result in &results.workloads {
        table(&mut out, result);
    }
    settings(&mut out, results);
    out
}

fn code(text: &str) -> String {
    // A backtick would end it.
    format!("`{}`", text.replace('`', "'").replace('\n', " "))
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
        (Verdict::DeadHeat, "no difference beyond the margin"),
        (Verdict::Undecided, "undecided"),
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
        None => Verdict::Undecided,
    }
}

fn table(out: &mut String, result: &WorkloadResult) {
    let _ = writeln!(
        out,
        "**{}**, by {} ({})\n",
        markdown(&result.title()),
        result.primary.title(),
        words::sense(result.primary)
    );
    out.push_str(
        "| metric | before | after | after ÷ before (interval) | verdict |\n|---|---|---|---|---|\n",
    );
    let Some(baseline) = result.baseline.as_ref().and_then(|id| result.contender(id)) else {
        return;
    };
    let others = result
        .contenders
        .iter()
        .filter(|one| one.id != baseline.id && Some(&one.id) != result.floor.as_ref());
    for after in others {
        for metric in view::metrics(result) {
            let figure = |of: &tare_model::results::ContenderResult| {
                of.metrics.get(&metric).map_or(view::NONE.to_owned(), |figure| {
                    words::show(metric, figure.estimate)
                })
            };
            let comparison = view::comparison(result, &after.id, metric);
            let (ratio, verdict) = match comparison {
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
            let _ = writeln!(
                out,
                "| {name} | {} | {} | {ratio} | {verdict} |",
                figure(baseline),
                figure(after)
            );
        }
    }
    out.push('\n');
    if let Some(comparison) = of_change(result) {
        let _ = writeln!(out, "```text\n{}\n```\n", terminal::axis(comparison));
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
            crate::escape::fenced(detail)
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
        "Run `{}`, {}, took {}, by tare {}; {}, {}, {}, kernel {}. Both sides were measured side by side, in interleaved \
         rounds in random order.\n",
        run.id,
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
    let named: Vec<String> = run
        .settings
        .iter()
        .map(|(name, value)| markdown(&format!("{name} {value}")))
        .collect();
    let _ = writeln!(out, "- {}.", named.join(", "));
    for note in &run.notes {
        let _ = writeln!(out, "- Note: {}", markdown(note));
    }
    out.push_str("\n</details>\n");
}
