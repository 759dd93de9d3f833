//! The report as one HTML file: without network, readable without scripts, for screen and paper, light and dark.
//!
//! The markup is XHTML-compatible, so that a test can parse it.

mod across;
mod benchmarks;
mod explain;
mod parts;
mod run;
mod sizes;
mod workload;

use tare_model::results::Results;

use crate::draw;
use crate::escape::xml;
use crate::format::{Format, Output};
use crate::imported;
use crate::view;
use crate::when;
use parts::warning;

/// A page of its own.
pub const FORMAT: Format = Format {
    name: "html",
    render: |source| Ok(Output::Document(render(source.results))),
};

const STYLE: &str = include_str!("html/page.css");
/// Sorts and filters tables. It must hold neither `<` nor `&`, so that the page parses as XML, too.
const SCRIPT: &str = include_str!("html/page.js");

/// The page.
pub fn render(results: &Results) -> String {
    let title = title(results);
    let mut body = header(results, &title);
    for sweep in &results.sweeps {
        body.push_str(&sizes::section(sweep));
    }
    for result in &results.workloads {
        body.push_str(&match &results.run.imported {
            Some(from) => imported::section(result, from),
            None => workload::section(result),
        });
    }
    for across in &crate::across::of(results) {
        body.push_str(&across::section(across));
    }
    for (index, explanation) in results.explanations.iter().enumerate() {
        body.push_str(&explain::section(explanation, index + 1));
    }
    if let Some(found) = &results.benchmarks {
        body.push_str(&benchmarks::sections(results, found));
    }
    if view::nothing_measured(results) {
        body.push_str("<section><p class=\"lead\">Nothing was measured in this run.</p></section>\n");
    }
    for sentence in view::not_measured(results) {
        body.push_str(&format!("<section><p>{}</p></section>\n", xml(&sentence)));
    }
    body.push_str(&run::section(results));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n\
         <meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <title>{title} · Tare</title>\n<style>\n{STYLE}\n{chart}</style>\n</head>\n<body>\n{body}\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        title = xml(&title),
        chart = draw::STYLE,
    )
}

/// The workloads' names, or the run's id.
fn title(results: &Results) -> String {
    let mut names: Vec<&str> = results
        .workloads
        .iter()
        .map(|result| result.workload.as_str())
        .collect();
    names.extend(results.explanations.iter().map(|found| found.workload.as_str()));
    names.extend(results.benchmarks.iter().map(|_| "benchmarks"));
    names.dedup();
    if names.is_empty() {
        format!("run {}", results.run.id)
    } else {
        names.join(", ")
    }
}

fn header(results: &Results, title: &str) -> String {
    let run = &results.run;
    let mut out = format!(
        "<header>\n<p class=\"brand\"><span class=\"scale\" aria-hidden=\"true\"></span>Tare</p>\n\
         <h1>{}</h1>\n<p class=\"meta\">{} · {} · {} · run {}</p>\n",
        xml(title),
        when::to_minute(run.started),
        xml(&run.machine.host),
        xml(&run.machine.cpu),
        xml(&run.id),
    );
    if !run.complete {
        out.push_str(&warning(
            "This run was cut short; what was measured until then is shown.",
        ));
    }
    if results.workloads.len() + results.explanations.len() > 1 || results.benchmarks.is_some() {
        out.push_str(&contents(results));
    }
    out.push_str("</header>\n");
    out
}

fn contents(results: &Results) -> String {
    let mut out = "<nav><ul>\n".to_owned();
    for sweep in &results.sweeps {
        let (slug, title) = (view::sweep_slug(sweep), xml(&sweep.title()));
        out.push_str(&format!("<li><a href=\"#{slug}\">{title}</a></li>\n"));
    }
    for result in &results.workloads {
        let entry = format!(
            "<li><a href=\"#{}\">{}</a></li>\n",
            view::slug(result),
            xml(&result.title())
        );
        out.push_str(&entry);
    }
    for (index, found) in results.explanations.iter().enumerate() {
        out.push_str(&format!(
            "<li><a href=\"#explanation-{}\">Why? {}</a></li>\n",
            index + 1,
            xml(&crate::explanation::title(found))
        ));
    }
    for across in &crate::across::of(results) {
        let (slug, title) = (across.slug(), xml(&across.title()));
        out.push_str(&format!("<li><a href=\"#{slug}\">{title}</a></li>\n"));
    }
    if let Some(found) = &results.benchmarks {
        out.push_str(&benchmarks::contents(found));
    }
    out.push_str(
        "<li><a href=\"#run\">The run</a></li>\n<li><a href=\"#reading\">How to read this</a></li>\n",
    );
    out.push_str("</ul></nav>\n");
    out
}
