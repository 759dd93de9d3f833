//! An explanation: findings, the waterfall, layers, flame graphs, functions, counts.

use tare_model::explanation::{Explanation, FunctionCost};

use super::parts::{Cell, both_widths, table, warning};
use crate::charts::waterfall;
use crate::escape::xml;
use crate::explanation::{self, count_row, layer_row};
use crate::flame;
use crate::view::NONE;

/// The section. `number` is its number on the page, from 1.
pub(super) fn section(found: &Explanation, number: usize) -> String {
    let mut out = format!(
        "<section id=\"explanation-{number}\">\n<h2>Why? <span class=\"case\">{}</span></h2>\n<p class=\"lead\">{}</p>\n",
        xml(&explanation::title(found)),
        xml(&explanation::lead(found))
    );
    out.push_str(&both_widths(
        |width| waterfall::draw(found, width),
        &explanation::title(found),
    ));
    out.push_str(&findings(found));
    out.push_str(&layers(found));
    out.push_str(&flames(found));
    out.push_str(&functions(found));
    out.push_str(&counts(found));
    out.push_str(&format!(
        "<p class=\"foot\">{}</p>\n",
        xml(&explanation::grounds(found))
    ));
    found.notes.iter().for_each(|note| out.push_str(&warning(note)));
    out.push_str("</section>\n");
    out
}

fn findings(found: &Explanation) -> String {
    if found.findings.is_empty() {
        return "<p>No rule found a cause.</p>\n".to_owned();
    }
    let items = found.findings.iter().map(|finding| {
        format!(
            "<li>{} <small>{}</small></li>\n",
            xml(&explanation::sentence(finding)),
            xml(&finding.evidence)
        )
    });
    format!("<ul class=\"findings\">\n{}</ul>\n", items.collect::<String>())
}

fn headings(found: &Explanation, first: &str, last: &[&str]) -> Vec<String> {
    let mut headings = vec![first.to_owned()];
    headings.extend(found.floor.as_ref().map(|floor| format!("{floor} (floor)")));
    headings.extend([found.a.to_string(), found.b.to_string()]);
    headings.extend(last.iter().map(|text| (*text).to_owned()));
    headings
}

fn cells(row: Vec<String>) -> Vec<Cell> {
    let numbers = |(index, text): (usize, &String)| match index {
        0 => Cell::text(text),
        _ => Cell::text(text).class("num"),
    };
    row.iter().enumerate().map(numbers).collect()
}

fn layers(found: &Explanation) -> String {
    if found.layers.is_empty() {
        return String::new();
    }
    let floor = found.floor.is_some();
    let rows: Vec<Vec<Cell>> = explanation::layers(found)
        .map(|part| cells(layer_row(part, floor)))
        .collect();
    format!(
        "<h3>Layers</h3>\n{}",
        table("layers", &headings(found, "layer", &["difference"]), &rows)
    )
}

fn counts(found: &Explanation) -> String {
    if found.counts.is_empty() {
        return String::new();
    }
    let floor = found.floor.is_some();
    let rows: Vec<Vec<Cell>> = found
        .counts
        .iter()
        .map(|count| cells(count_row(count, floor)))
        .collect();
    format!(
        "<h3>Counts</h3>\n{}",
        table("counts", &headings(found, "count", &[]), &rows)
    )
}

/// Each graph is a document of its own, since its scripts and names must not clash with those of others.
fn flames(found: &Explanation) -> String {
    let mut out = String::new();
    for one in &found.flames {
        let Some(svg) = flame::svg(one) else { continue };
        out.push_str(&format!(
            "<details>\n<summary>Flame graph: {}</summary>\n<object class=\"flame\" type=\"image/svg+xml\" \
             aria-label=\"{}\" data=\"data:image/svg+xml;base64,{}\"></object>\n</details>\n",
            xml(&one.title),
            xml(&one.title),
            flame::base64(svg.as_bytes())
        ));
    }
    if out.is_empty() {
        return out;
    }
    format!(
        "<h3>Flame graphs</h3>\n<p class=\"foot\">Widths are CPU time per operation, not shares, so two graphs can be \
         compared. Click to zoom. In differences, red functions cost more, blue ones less.</p>\n{out}"
    )
}

fn functions(found: &Explanation) -> String {
    if found.functions.is_empty() {
        return String::new();
    }
    let headings = [
        "function",
        "in",
        "layer",
        "own: A",
        "own: B",
        "difference",
        "with callees: A",
        "with callees: B",
    ];
    let rows: Vec<Vec<Cell>> = found.functions.iter().map(function).collect();
    format!(
        "<details>\n<summary>Functions whose cost differs most</summary>\n{}</details>\n",
        table("sortable filterable", &headings.map(str::to_owned), &rows)
    )
}

fn function(function: &FunctionCost) -> Vec<Cell> {
    let cost = |side: Option<f64>| {
        let text = side.map_or(NONE.to_owned(), explanation::time);
        Cell::number(&text, side)
    };
    let delta = function.own.both().map(|(a, b)| b - a);
    vec![
        Cell::text(&function.name).class("id"),
        Cell::text(&function.image),
        Cell::text(function.layer.title()),
        cost(function.own.a),
        cost(function.own.b),
        cost(delta),
        cost(function.total.a),
        cost(function.total.b),
    ]
}
