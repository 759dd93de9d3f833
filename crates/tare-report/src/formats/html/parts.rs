//! Parts of a page: tables, lists, drawings, warnings.

use crate::draw::Chart;
use crate::escape::xml;

/// Widths of the two drawings of each chart; the style shows the one that fits.
const WIDE: f64 = 912.0;
const NARROW: f64 = 350.0;

/// A cell: its markup, its sort key, its class.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    markup: String,
    key: Option<f64>,
    class: &'static str,
}

impl Cell {
    /// Text, sorted as text.
    pub(super) fn text(text: &str) -> Self {
        Self {
            markup: xml(text),
            key: None,
            class: "",
        }
    }

    /// Text that is sorted by a number; none comes last.
    pub(super) fn number(text: &str, key: Option<f64>) -> Self {
        Self {
            markup: xml(text),
            key: Some(key.filter(|key| key.is_finite()).unwrap_or(f64::MAX)),
            class: "num",
        }
    }

    /// A figure that is sorted by its value. Its interval, in brackets, is on a line of its own.
    pub(super) fn figure(text: &str, key: Option<f64>) -> Self {
        let markup = match text.split_once(" (") {
            Some((figure, interval)) => {
                let interval = interval.trim_end_matches(')');
                format!("{} <small>({})</small>", xml(figure), xml(interval))
            }
            None => xml(text),
        };
        Self {
            markup,
            ..Self::number("", key)
        }
    }

    /// Markup, with foreign text escaped already.
    pub(super) fn markup(markup: String) -> Self {
        Self {
            markup,
            key: None,
            class: "",
        }
    }

    /// The cell with another class.
    pub(super) fn class(mut self, class: &'static str) -> Self {
        self.class = class;
        self
    }
}

/// A table in a box that scrolls sideways if it has to. With scripts, a click sorts `sortable` tables.
pub(super) fn table(class: &str, headings: &[String], rows: &[Vec<Cell>]) -> String {
    let mut out = format!("<div class=\"scroll\"><table class=\"{class}\">\n<thead><tr>");
    for heading in headings {
        out.push_str(&format!("<th scope=\"col\">{}</th>", xml(heading)));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        row.iter().for_each(|cell| out.push_str(&markup(cell)));
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    out
}

fn markup(cell: &Cell) -> String {
    let key = cell
        .key
        .map_or(String::new(), |key| format!(" data-key=\"{:e}\"", rounded(key)));
    let class = match cell.class {
        "" => String::new(),
        class => format!(" class=\"{class}\""),
    };
    format!("<td{class}{key}>{}</td>", cell.markup)
}

/// A sort key with seven digits, which no two figures that look different share.
fn rounded(key: f64) -> f64 {
    format!("{key:.6e}").parse().unwrap_or(key)
}

/// A list of names and values.
pub(super) fn pairs<'a>(list: impl Iterator<Item = (&'a str, String)>) -> String {
    let mut out = "<dl>\n".to_owned();
    for (name, value) in list {
        out.push_str(&format!(
            "<div><dt>{}</dt><dd>{}</dd></div>\n",
            xml(name),
            xml(&value)
        ));
    }
    out.push_str("</dl>\n");
    out
}

/// A chart in both widths; empty where there is nothing to draw. `of`: what the section is about, which the chart's
/// heading does not repeat.
pub(super) fn both_widths(draw: impl Fn(f64) -> Option<Chart>, of: &str) -> String {
    let Some((wide, narrow)) = draw(WIDE).zip(draw(NARROW)) else {
        return String::new();
    };
    let bare = wide.title.strip_suffix(of).filter(|_| !of.is_empty());
    let title = bare.map_or(wide.title.as_str(), |title| {
        title.trim_end_matches([':', ',', ' '])
    });
    let caption: Vec<String> = wide.caption.iter().map(|text| xml(text)).collect();
    format!(
        "<figure class=\"{}\">\n<h3>{}</h3>\n{}{}<figcaption>{}</figcaption>\n</figure>\n",
        wide.name,
        xml(title),
        wide.inline("wide"),
        narrow.inline("narrow"),
        caption.join(" ")
    )
}

/// A sentence that must not be overlooked.
pub(super) fn warning(text: &str) -> String {
    format!("<p class=\"warning\"><strong>Note.</strong> {}</p>\n", xml(text))
}
