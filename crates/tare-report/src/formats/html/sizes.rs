//! A case over its sizes: lines, break-evens, affordability, charts.

use tare_model::sweep::SweepResult;

use super::parts::{Cell, both_widths, table, warning};
use crate::charts::sizes;
use crate::escape::xml;
use crate::sweep;
use crate::view;
use crate::words;

/// The whole section: first what it came to, and the chart of that.
pub(super) fn section(result: &SweepResult) -> String {
    let mut out = format!(
        "<section id=\"{}\">\n<h2>{} <span class=\"case\">{}</span> <span class=\"mode\">{}</span> \
         <span class=\"mode\">by {}</span></h2>\n",
        view::sweep_slug(result),
        xml(&result.workload),
        xml(&result.case),
        xml(result.mode.name()),
        xml(&result.name),
    );
    let [cost, even, afford] =
        sizes::ALL.map(|draw| both_widths(|width| draw(result, width), &result.title()));
    let mut sentences = sweep::sentences(result);
    if result.contenders.is_empty() {
        sentences.insert(0, "No contender has figures at every size.".to_owned());
    }
    let rest = sentences.split_off(sentences.len().min(1));
    for sentence in sentences {
        out.push_str(&format!("<p class=\"lead\">{}</p>\n", xml(&sentence)));
    }
    out.push_str(&cost);
    out.push_str(&format!(
        "<p class=\"about\">{}</p>\n",
        xml(&sweep::formula(result))
    ));
    if result.provisional {
        out.push_str(&warning(&words::provisional_of(result.mode, result.launches)));
    }
    out.push_str(&findings(&rest));
    if !result.contenders.is_empty() {
        out.push_str(&lines(result));
    }
    out.push_str(&even);
    out.push_str(&affordable(result));
    out.push_str(&afford);
    out.push_str("</section>\n");
    out
}

fn findings(sentences: &[String]) -> String {
    let items: Vec<String> = sentences
        .iter()
        .map(|text| format!("<li>{}</li>\n", xml(text)))
        .collect();
    if items.is_empty() {
        return String::new();
    }
    format!("<ul class=\"findings lines\">\n{}</ul>\n", items.concat())
}

fn lines(result: &SweepResult) -> String {
    let unit = format!("per {}", result.unit());
    let headings = ["contender", "fixed", &unit, "is cost a line?"].map(str::to_owned);
    let row = |row: sweep::LineRow<'_>| {
        let line = row.costs.line.as_ref().ok();
        vec![
            Cell::text(&row.costs.id.to_string()).class("id"),
            Cell::figure(&row.fixed, line.map(|line| line.fixed.estimate)),
            Cell::figure(&row.per_unit, line.map(|line| line.per_unit.estimate)),
            Cell::text(&row.fit).class("soft"),
        ]
    };
    let rows: Vec<_> = sweep::lines(result).into_iter().map(row).collect();
    format!(
        "<h3>Fixed and per {}</h3>\n{}<p class=\"foot\">{}</p>\n",
        xml(result.unit()),
        table("sortable", &headings, &rows),
        xml(&sweep::grounds(result))
    )
}

fn affordable(result: &SweepResult) -> String {
    let rows = sweep::affordable(result);
    if rows.is_empty() {
        return String::new();
    }
    let mut headings = ["contender", "extra cost", "of"].map(str::to_owned).to_vec();
    headings.extend(
        sweep::shares(result)
            .iter()
            .map(|share| format!("less than {share} from")),
    );
    let row = |row: sweep::AffordRow<'_>| {
        let mut cells = vec![
            Cell::text(&row.id.to_string()).class("id"),
            Cell::figure(&row.extra, None),
            Cell::text(&row.of).class("num soft"),
        ];
        cells.extend(row.from.iter().map(|text| Cell::figure(text, None)));
        cells
    };
    let rows: Vec<_> = rows.into_iter().map(row).collect();
    format!(
        "<h3>When it can be afforded</h3>\n{}<p class=\"foot\">{}</p>\n",
        table("afford", &headings, &rows),
        xml(sweep::AFFORD)
    )
}
