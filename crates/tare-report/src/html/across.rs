//! The cases of a workload side by side: a chart, and a table to be filtered by case, style and language.

use super::tables::{Cell, table};
use super::workload::{NARROW, WIDE, figure};
use crate::across::{Across, NOTE};
use crate::charts;
use crate::escape::xml;
use crate::view;
use crate::words;

/// The whole section.
pub fn section(across: &Across<'_>) -> String {
    let mut out = format!(
        "<section id=\"{}\">\n<h2>{} <span class=\"case\">across its cases</span> <span class=\"mode\">{}</span></h2>\n\
         <p class=\"about\">{}</p>\n",
        across.slug(),
        xml(across.workload),
        across.mode,
        xml(NOTE)
    );
    let drawn = charts::across::draw(across, WIDE).zip(charts::across::draw(across, NARROW));
    if let Some((wide, narrow)) = drawn {
        out.push_str(&figure(&wide, &narrow, &across.title()));
    }
    out.push_str(&rows(across));
    out.push_str("</section>\n");
    out
}

fn rows(across: &Across<'_>) -> String {
    let headings = [
        "contender",
        "case",
        "language",
        "style",
        across.metric.title(),
        "place in its case",
    ];
    let headings = headings.map(str::to_owned);
    let entries = across.entries();
    let cells: Vec<_> = entries
        .iter()
        .filter_map(|(result, contender)| {
            let value = contender.metrics.get(&across.metric)?;
            let rank = view::rank(result, contender);
            Some(vec![
                Cell::text(&contender.id.to_string()).class("id"),
                Cell::text(&result.case),
                Cell::text(&contender.language),
                Cell::text(&contender.style),
                Cell::figure(&words::estimate(across.metric, value), Some(value.estimate)),
                Cell::number(
                    &rank.map_or(view::NONE.to_owned(), words::span),
                    rank.map(|(low, high)| f64::from(low) + f64::from(high) / 1e4),
                ),
            ])
        })
        .collect();
    table("sortable filterable", &headings, &cells)
}
