//! Runs that were not measured here: figures from another suite's file, without intervals and verdicts, and marked
//! wherever they are shown.

use std::cmp::Ordering;
use std::fmt::Write;

use tare_model::driving::Driving;
use tare_model::ids::ContenderId;
use tare_model::metric::{Metric, Mode};
use tare_model::placement::Placement;
use tare_model::published::Published;
use tare_model::record::ArenaRecord;
use tare_model::results::{Results, WorkloadResult};

use crate::escape::{markdown, one_line, xml};
use crate::words;

/// The note on all figures of such a run.
pub fn mark(from: &str) -> String {
    format!(
        "Imported, not measured here: {}. Figures without intervals, from another machine: no verdict.",
        one_line(from)
    )
}

/// The note on samples of a benchmark harness that were read from a file.
pub(crate) fn mark_of_samples(from: &str) -> String {
    format!(
        "Imported, not measured here: {}. Its samples were taken one benchmark after the other, not in interleaved rounds, so \
         what changed on the machine meanwhile is in them: figures without intervals, and no verdict.",
        one_line(from)
    )
}

/// A case of another suite: its figures, and nothing that was measured here. The workload that they go by, and the suite's name;
/// the case and its mode.
pub(crate) fn arena(
    (workload, suite): (&str, &str),
    (case, mode): (&str, Mode),
    published: Vec<Published>,
) -> ArenaRecord {
    ArenaRecord {
        workload: workload.to_owned(),
        summary: format!("imported figures of {suite}"),
        case: case.to_owned(),
        case_summary: String::new(),
        sweep: None,
        size: None,
        mode,
        driving: Driving::Unknown,
        placement: Placement::default(),
        primary: published
            .first()
            .map_or(Metric::Throughput, |figure| figure.metric),
        floor: None,
        baseline: None,
        margin: 0.0,
        alpha: 0.0,
        published,
        claims: Vec::new(),
        entrants: Vec::new(),
        launches: Vec::new(),
        slices: Vec::new(),
    }
}

/// The best of some figures of one metric.
pub(crate) fn best_of<'a>(figures: impl Iterator<Item = &'a Published>) -> Option<&'a Published> {
    figures.max_by(|a, b| worse_first(a, b))
}

fn worse_first(a: &Published, b: &Published) -> Ordering {
    let order = a.value.total_cmp(&b.value);
    if a.metric.more_is_better() {
        order
    } else {
        order.reverse()
    }
}

/// The best figure of each framework of a case, best first, for formats that have no room for all levels.
pub fn best(figures: &[Published]) -> Vec<&Published> {
    let mut names: Vec<&ContenderId> = figures.iter().map(|figure| &figure.contender).collect();
    names.sort();
    names.dedup();
    let of = |name: &&ContenderId| best_of(figures.iter().filter(|figure| figure.contender == **name));
    let mut best: Vec<&Published> = names.iter().filter_map(of).collect();
    best.sort_by(|a, b| worse_first(b, a));
    best
}

fn figure(published: &Published) -> String {
    words::show(published.metric, published.value)
}

/// For a terminal.
pub fn text(results: &Results, from: &str) -> String {
    let mut out = format!("{}\n", mark(from));
    for result in &results.workloads {
        let _ = writeln!(
            out,
            "\n{}, {}, each framework's best level",
            one_line(&result.title()),
            result.primary.title()
        );
        for published in best(&result.published) {
            let _ = writeln!(out, "  {:>12}  {}", figure(published), one_line(&published.label));
        }
    }
    out
}

/// For a Markdown document.
pub(crate) fn as_markdown(results: &Results, from: &str) -> String {
    let mut out = format!(
        "# Tare: run {}, imported\n\n{}\n\n",
        markdown(&results.run.id),
        markdown(&mark(from))
    );
    for result in &results.workloads {
        let title = markdown(&result.title());
        let _ = writeln!(
            out,
            "## {title}\n\n| framework, best level | {} (imported) |\n|---|---|",
            result.primary.title()
        );
        for published in best(&result.published) {
            let _ = writeln!(out, "| {} | {} |", markdown(&published.label), figure(published));
        }
        out.push('\n');
    }
    out
}

/// A section of a page: every level of every framework.
pub fn section(result: &WorkloadResult, from: &str) -> String {
    let rows = result.published.iter().map(|published| {
        format!(
            "<tr><td>{}</td><td class=\"num\" data-key=\"{:e}\">{}</td></tr>\n",
            xml(&published.label),
            published.value,
            xml(&figure(published))
        )
    });
    format!(
        "<section id=\"{}\">\n<h2>{} <span class=\"mode\">imported</span></h2>\n<p class=\"warning\">{}</p>\n\
         <div class=\"scroll\"><table class=\"sortable filterable\">\n<thead><tr><th scope=\"col\">framework, level</th>\
         <th scope=\"col\">{}</th></tr></thead>\n<tbody>\n{}</tbody></table></div>\n</section>\n",
        crate::view::slug(result),
        xml(&result.title()),
        xml(&mark(from)),
        result.primary.title(),
        rows.collect::<String>()
    )
}
