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
use crate::sentences;
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
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n\
         <meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <title>{title} · Tare</title>\n<style>\n{STYLE}</style>\n<style id=\"chart-style\">\n{chart}</style>\n\
         </head>\n<body>\n{header}<main>\n{body}</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        title = xml(&title),
        chart = draw::STYLE,
        header = header(results, &title),
        body = body(results),
    )
}

/// All sections. Links to them follow the first, so that this is what one sees.
fn body(results: &Results) -> String {
    let mut parts: Vec<String> = results.sweeps.iter().map(sizes::section).collect();
    parts.extend(
        results
            .workloads
            .iter()
            .map(|result| match &results.run.imported {
                Some(from) => imported::section(result, from),
                None => workload::section(result),
            }),
    );
    parts.extend(crate::nodes::tables(results).iter().map(run::by_node));
    parts.extend(crate::across::of(results).iter().map(across::section));
    let explained = results.explanations.iter().enumerate();
    parts.extend(explained.map(|(index, found)| explain::section(found, index + 1)));
    if let Some(found) = &results.benchmarks {
        parts.extend(benchmarks::sections(results, found));
    }
    if view::nothing_measured(results) {
        parts.push("<section><p class=\"lead\">Nothing was measured in this run.</p></section>\n".to_owned());
    }
    for sentence in view::not_measured(results) {
        parts.push(format!("<section><p>{}</p></section>\n", xml(&sentence)));
    }
    if parts.len() > 1 {
        parts.insert(1, contents(results));
    }
    parts.push(run::section(results));
    parts.concat()
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
    out.push_str(&told(results));
    out.push_str("</header>\n");
    out
}

/// Of several arenas what each came to, with a link to it.
fn told(results: &Results) -> String {
    let arenas = results.workloads.iter().filter(|result| result.size.is_none());
    let told: Vec<String> = arenas
        .filter_map(|result| {
            let sentences = sentences::of_arena(result);
            let entry = || {
                format!(
                    "<li><a href=\"#{}\">{}</a>: {}</li>\n",
                    view::slug(result),
                    xml(&result.title()),
                    xml(&sentences.join(" "))
                )
            };
            (!sentences.is_empty()).then(entry)
        })
        .collect();
    match told.len() {
        0 | 1 => String::new(),
        _ => format!(
            "<nav aria-label=\"Results\"><ul class=\"told\">\n{}</ul></nav>\n",
            told.concat()
        ),
    }
}

/// Links to all sections.
fn contents(results: &Results) -> String {
    let mut links: Vec<String> = Vec::new();
    let sweeps = results.sweeps.iter();
    links.extend(sweeps.map(|sweep| link(&view::sweep_slug(sweep), &sweep.title())));
    let arenas = results.workloads.iter();
    links.extend(arenas.map(|result| link(&view::slug(result), &result.title())));
    for (index, found) in results.explanations.iter().enumerate() {
        let title = format!("Why? {}", crate::explanation::title(found));
        links.push(link(&format!("explanation-{}", index + 1), &title));
    }
    for across in &crate::across::of(results) {
        links.push(link(&across.slug(), &across.title()));
    }
    if let Some(found) = &results.benchmarks {
        links.push(benchmarks::contents(found));
    }
    links.push(link("run", "The run"));
    links.push(link("reading", "How to read this"));
    format!(
        "<nav aria-label=\"Sections\"><ul>\n{}</ul></nav>\n",
        links.concat()
    )
}

/// An entry of a list of links to sections.
fn link(slug: &str, title: &str) -> String {
    format!("<li><a href=\"#{slug}\">{}</a></li>\n", xml(title))
}
