//! Tables as markup.

use crate::escape::xml;

/// A cell: its markup, what it is sorted by, its class.
#[derive(Debug, Clone)]
pub struct Cell {
    markup: String,
    key: Option<f64>,
    class: &'static str,
}

impl Cell {
    /// Text, sorted as text.
    pub fn text(text: &str) -> Self {
        Self {
            markup: xml(text),
            key: None,
            class: "",
        }
    }

    /// Text that is sorted by a number (none goes last).
    pub fn number(text: &str, key: Option<f64>) -> Self {
        Self {
            markup: xml(text),
            key: Some(key.filter(|key| key.is_finite()).unwrap_or(f64::MAX)),
            class: "num",
        }
    }

    /// A figure that is sorted by its value, what stands in brackets behind it on a line of its own.
    pub fn figure(text: &str, key: Option<f64>) -> Self {
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

    /// Markup whose foreign parts are escaped already.
    pub fn markup(markup: String) -> Self {
        Self {
            markup,
            key: None,
            class: "",
        }
    }

    /// The cell with another class.
    pub fn class(mut self, class: &'static str) -> Self {
        self.class = class;
        self
    }
}

/// A table in a box that scrolls sideways where it must. `sortable` ones are sorted by a click where scripts run.
pub fn table(class: &str, headings: &[String], rows: &[Vec<Cell>]) -> String {
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
        .map_or(String::new(), |key| format!(" data-key=\"{key:e}\""));
    let class = match cell.class {
        "" => String::new(),
        class => format!(" class=\"{class}\""),
    };
    format!("<td{class}{key}>{}</td>", cell.markup)
}

/// A list of names and values.
pub fn pairs<'a>(list: impl Iterator<Item = (&'a str, String)>) -> String {
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
