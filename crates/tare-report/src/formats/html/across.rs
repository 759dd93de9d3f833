//! The cases of a workload side by side: a chart, and a table that can be filtered by case, style and language.

use super::parts::{Cell, both_widths, table};
use crate::across::{Across, BEST, Kin, NOTE};
use crate::charts;
use crate::escape::xml;
use crate::view;
use crate::words;

/// The whole section.
pub(super) fn section(across: &Across<'_>) -> String {
    let mut out = format!(
        "<section id=\"{}\">\n<h2>{} <span class=\"case\">across its cases</span> <span class=\"mode\">{}</span></h2>\n\
         <p class=\"about\">{}</p>\n",
        across.slug(),
        xml(across.workload),
        across.mode,
        xml(NOTE)
    );
    out.push_str(&both_widths(
        |width| charts::across::draw(across, width),
        &across.title(),
    ));
    out.push_str(&languages(across));
    out.push_str(&rows(across));
    out.push_str("</section>\n");
    out
}

/// A row for each language, a column for each case.
fn languages(across: &Across<'_>) -> String {
    let languages = across.languages();
    if languages.is_empty() {
        return String::new();
    }
    let mut headings = vec!["language".to_owned()];
    headings.extend(across.cases.iter().map(|case| case.case.clone()));
    let row = |language: &&str| {
        let cell = |kin: Option<Kin<'_>>| match kin {
            Some(kin) => Cell::figure(&across.figure(&kin), Some(kin.value)),
            None => Cell::number(view::NONE, None),
        };
        let mut cells = vec![Cell::text(language)];
        cells.extend(across.cases.iter().map(|case| cell(across.kin(case, language))));
        cells
    };
    let rows: Vec<_> = languages.iter().map(row).collect();
    format!(
        "<h3>By language and case</h3>\n{}<p class=\"foot\">{} {}: {}.</p>\n<h3>All contenders</h3>\n",
        table("sortable", &headings, &rows),
        xml(BEST),
        words::capital(across.metric.title()),
        words::sense(across.metric)
    )
}

fn rows(across: &Across<'_>) -> String {
    let headings = [
        "contender",
        "case",
        "language",
        "style",
        across.metric.title(),
        "rank in its case",
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
                Cell::text(contender.subject.language()),
                Cell::text(contender.subject.style()),
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
