//! The job `http`: its keys, what they resolve to, and how they are shown.

use toml_edit::{InlineTable, Value};

use super::fields::{choose, distinct, within};
use super::node::Take;
use super::source::Spot;
use super::table::Table;
use super::take::List;
use super::words::short;
use super::write::text;

/// The placeholder of a swept case's size.
const SIZE: &str = "{size}";

/// Rows and columns of a table, rows of a database and bytes of a body, at most.
const MOST: u32 = 100_000_000;

/// An HTTP/1.1 request, and what its answers must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpJob {
    /// The method.
    pub method: String,
    /// Path and query; `{size}` stands for a swept case's size.
    pub path: String,
    /// Further header fields.
    pub headers: Vec<(String, String)>,
    /// The request's body.
    pub body: Option<String>,
    /// The answers' media type, parameters such as `charset` aside; none: any.
    pub media_type: Option<String>,
    /// Header fields that every answer must have; `Date` must be fresh.
    pub fields: Vec<String>,
    /// What every answer's body must be; none: any, but all the same as the first.
    pub answer: Option<HttpAnswer>,
}

/// What the body of an answer must be. A missing count is the swept case's size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HttpAnswer {
    /// Exactly this text.
    Text {
        /// The text.
        body: String,
    },
    /// This JSON text, by meaning.
    Json {
        /// JSON.
        value: String,
    },
    /// A random row of the table `world`: `{"id":N,"randomNumber":M}`.
    World {
        /// How many rows the table has: 1 ≤ N ≤ rows.
        rows: u32,
    },
    /// A number of bytes; the k-th (from 0) is `a` + (k mod 26).
    Letters {
        /// How many.
        bytes: Option<u32>,
    },
    /// An HTML table, by meaning: each cell holds the number of its column, from 1.
    Table {
        /// Columns.
        columns: u32,
        /// Rows.
        rows: Option<u32>,
    },
}

impl Default for HttpJob {
    fn default() -> Self {
        Self {
            method: "GET".to_owned(),
            path: "/".to_owned(),
            headers: Vec::new(),
            body: None,
            media_type: None,
            fields: Vec::new(),
            answer: None,
        }
    }
}

impl HttpJob {
    /// The text that every answer's body must be, if a text is expected.
    pub fn text(&self) -> Option<&str> {
        match &self.answer {
            Some(HttpAnswer::Text { body }) => Some(body),
            _ => None,
        }
    }

    /// Whether it needs a swept case's size.
    pub fn needs_size(&self) -> bool {
        let open = matches!(
            self.answer,
            Some(HttpAnswer::Letters { bytes: None } | HttpAnswer::Table { rows: None, .. })
        );
        open || self.path.contains(SIZE)
    }

    /// The job at a size of a swept case.
    pub fn at_size(&self, size: u64) -> Self {
        let count = |fixed: Option<u32>| fixed.or(Some(u32::try_from(size).unwrap_or(u32::MAX)));
        let answer = self.answer.clone().map(|answer| match answer {
            HttpAnswer::Letters { bytes } => HttpAnswer::Letters { bytes: count(bytes) },
            HttpAnswer::Table { columns, rows } => HttpAnswer::Table {
                columns,
                rows: count(rows),
            },
            other => other,
        });
        Self {
            path: self.path.replace(SIZE, &size.to_string()),
            answer,
            ..self.clone()
        }
    }

    /// Its keys as TOML writes them.
    pub(super) fn render(&self, table: &mut InlineTable) {
        table.insert("method", text(&self.method));
        table.insert("path", text(&self.path));
        let headers = self
            .headers
            .iter()
            .map(|(name, value)| (name.as_str(), text(value)));
        table.insert("headers", headers.collect::<InlineTable>().into());
        if let Some(body) = &self.body {
            table.insert("body", text(body));
        }
        if let Some(media_type) = &self.media_type {
            table.insert("type", text(media_type));
        }
        if !self.fields.is_empty() {
            let fields: toml_edit::Array = self.fields.iter().map(|field| text(field)).collect();
            table.insert("fields", fields.into());
        }
        match &self.answer {
            None => {}
            // The short form of the most common one.
            Some(HttpAnswer::Text { body }) => drop(table.insert("expect", text(body))),
            Some(answer) => drop(table.insert("answer", answer.render())),
        }
    }
}

const KINDS: [(&str, Kind); 5] = [
    ("text", Kind::Text),
    ("json", Kind::Json),
    ("world", Kind::World),
    ("letters", Kind::Letters),
    ("table", Kind::Table),
];

#[derive(Clone, Copy)]
enum Kind {
    Text,
    Json,
    World,
    Letters,
    Table,
}

impl HttpAnswer {
    /// The name used in manifests.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Text { .. } => "text",
            Self::Json { .. } => "json",
            Self::World { .. } => "world",
            Self::Letters { .. } => "letters",
            Self::Table { .. } => "table",
        }
    }

    fn render(&self) -> Value {
        let mut table = InlineTable::new();
        table.insert("kind", text(self.name()));
        let mut count = |key: &str, count: u32| drop(table.insert(key, i64::from(count).into()));
        match self {
            Self::Text { body } => drop(table.insert("body", text(body))),
            Self::Json { value } => drop(table.insert("value", text(value))),
            Self::World { rows } => count("rows", *rows),
            Self::Letters { bytes } => bytes.iter().for_each(|bytes| count("bytes", *bytes)),
            Self::Table { columns, rows } => {
                count("columns", *columns);
                rows.iter().for_each(|rows| count("rows", *rows));
            }
        }
        table.into()
    }
}

/// Keys besides `kind`, all of which are accepted where the kind is not known.
pub(super) const KEYS: [&str; 8] = [
    "method", "path", "headers", "body", "type", "fields", "expect", "answer",
];

/// Takes the keys of an HTTP job.
pub(super) fn take_http(table: &Table) -> Option<HttpJob> {
    let method = table.optional::<String>("method");
    let path = table.required::<String>("path");
    let headers = take_headers(table);
    let body = table.optional::<String>("body").map(|text| text.value);
    let media_type = table.optional::<String>("type");
    let fields = take_fields(table);
    let answer = take_expected(table);
    if let Some(method) = method.as_ref().filter(|method| !is_token(&method.value)) {
        let what = format!("`{}` is no HTTP method", short(&method.value));
        fault(table, "method", method.line, &what, None);
    }
    if let Some(found) = media_type.as_ref().filter(|found| !is_media_type(&found.value)) {
        let what = format!("expected a media type, found \"{}\"", short(&found.value));
        let hint = "for example `type = \"text/plain\"`, without parameters";
        fault(table, "type", found.line, &what, Some(hint));
    }
    let path = path?;
    check_path(table, &path);
    Some(HttpJob {
        method: method.map_or_else(|| "GET".to_owned(), |method| method.value),
        path: path.value,
        headers,
        body,
        media_type: media_type.map(|found| found.value),
        fields,
        answer: answer.map(|answer| answer.value),
    })
}

fn fault(table: &Table, key: &str, line: u32, what: &str, hint: Option<&str>) {
    let text = format!("`{}`: {what}", table.path(key));
    table.source.problem(line, text, hint.map(str::to_owned));
}

fn check_path(table: &Table, path: &Spot<String>) {
    let printable = path.value.bytes().all(|byte| byte.is_ascii_graphic());
    if !(path.value.starts_with('/') && printable) {
        let what = format!(
            "expected a path from `/`, without blanks, found \"{}\"",
            short(&path.value)
        );
        fault(
            table,
            "path",
            path.line,
            &what,
            Some("write other characters as %XX"),
        );
    } else if path.value.replace(SIZE, "").contains(['{', '}']) {
        let what = format!("a brace that is not of `{SIZE}`, in \"{}\"", short(&path.value));
        fault(
            table,
            "path",
            path.line,
            &what,
            Some("write braces as %7B and %7D"),
        );
    }
}

/// RFC 9110, 5.6.2: what methods and field names are made of.
fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c))
}

/// RFC 9110, 8.3.1, without parameters.
fn is_media_type(text: &str) -> bool {
    text.split_once('/')
        .is_some_and(|(kind, subkind)| is_token(kind) && is_token(subkind))
}

fn take_fields(table: &Table) -> Vec<String> {
    let Some(fields) = table.optional::<List<String>>("fields") else {
        return Vec::new();
    };
    for name in fields.value.0.iter().filter(|name| !is_token(&name.value)) {
        let what = format!("`{}` is no header field's name", short(&name.value));
        fault(table, "fields", name.line, &what, None);
    }
    distinct(table.source, &table.path("fields"), &fields.value.0);
    fields.value.0.into_iter().map(|name| name.value).collect()
}

fn take_headers(table: &Table) -> Vec<(String, String)> {
    let Some(headers) = table.optional::<Table>("headers") else {
        return Vec::new();
    };
    let mut taken = Vec::new();
    for (name, node) in headers.value.entries() {
        let line = node.line;
        let fault = |text: String| table.source.problem(line, text, None);
        if !is_token(&name) {
            fault(format!("`{}` is no header field's name", short(&name)));
        }
        if ["host", "content-length", "connection", "transfer-encoding"]
            .contains(&name.to_lowercase().as_str())
        {
            fault(format!("the header field `{name}` is the load generator's own"));
        }
        let Some(value) = String::take(node) else {
            continue;
        };
        if value.chars().any(|c| c.is_control() && c != '\t') {
            fault(format!(
                "the header field `{}` holds control characters",
                short(&name)
            ));
        }
        taken.push((name, value));
    }
    taken
}

/// Takes `expect` or `answer`: the first is a short form of the second.
fn take_expected(table: &Table) -> Option<Spot<HttpAnswer>> {
    let expect = table.optional::<String>("expect");
    let answer = table.optional::<Table>("answer");
    if let (Some(expect), Some(answer)) = (&expect, &answer) {
        let text = format!(
            "`{}` and `{}`: only one can say what the body must be",
            table.path("expect"),
            table.path("answer")
        );
        let hint = "`expect = \"…\"` is short for `answer = { kind = \"text\", body = \"…\" }`";
        table.source.hinted(expect.line.max(answer.line), text, hint);
    }
    match answer {
        Some(answer) => take_answer(&answer.value).map(|value| Spot {
            value,
            line: answer.line,
        }),
        None => expect.map(|text| text.map(|body| HttpAnswer::Text { body })),
    }
}

fn take_answer(table: &Table) -> Option<HttpAnswer> {
    let kind = table.required::<String>("kind");
    let Some(kind) = kind.and_then(|kind| choose(table.source, "answer", &kind, &KINDS)) else {
        table.tolerate(&["body", "value", "rows", "bytes", "columns"]);
        table.finish();
        return None;
    };
    let answer = match kind.value {
        Kind::Text => table
            .required::<String>("body")
            .map(|body| HttpAnswer::Text { body: body.value }),
        Kind::Json => take_json(table),
        Kind::World => needed(table, "rows").map(|rows| HttpAnswer::World { rows }),
        Kind::Letters => Some(HttpAnswer::Letters {
            bytes: maybe(table, "bytes"),
        }),
        Kind::Table => {
            let (columns, rows) = (needed(table, "columns"), maybe(table, "rows"));
            columns.map(|columns| HttpAnswer::Table { columns, rows })
        }
    };
    table.finish();
    answer
}

fn take_json(table: &Table) -> Option<HttpAnswer> {
    let value = table.required::<String>("value")?;
    if let Err(error) = serde_json::from_str::<serde_json::Value>(&value.value) {
        fault(
            table,
            "value",
            value.line,
            &format!("expected JSON: {error}"),
            None,
        );
    }
    Some(HttpAnswer::Json { value: value.value })
}

fn needed(table: &Table, key: &'static str) -> Option<u32> {
    let number = table.required::<i64>(key)?;
    within(table.source, &table.path(key), &number, MOST).map(|count| count.value)
}

fn maybe(table: &Table, key: &'static str) -> Option<u32> {
    let number = table.optional::<i64>(key)?;
    within(table.source, &table.path(key), &number, MOST).map(|count| count.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_fills_its_placeholders_and_nothing_else() {
        let swept = HttpJob {
            path: "/letters?bytes={size}&again={size}".into(),
            answer: Some(HttpAnswer::Letters { bytes: None }),
            ..HttpJob::default()
        };
        assert!(swept.needs_size());
        let sized = swept.at_size(64);
        assert!(!sized.needs_size());
        assert_eq!(sized.path, "/letters?bytes=64&again=64");
        assert_eq!(sized.answer, Some(HttpAnswer::Letters { bytes: Some(64) }));
        let fixed = HttpJob {
            answer: Some(HttpAnswer::Table {
                columns: 50,
                rows: Some(1000),
            }),
            ..HttpJob::default()
        };
        assert!(!fixed.needs_size());
        assert_eq!(fixed.at_size(7), fixed);
    }
}
