//! The job `http`: its keys, what they resolve to, and how they are shown.

use toml_edit::{InlineTable, Value};

use super::fields::{choose, distinct, within};
use super::node::Take;
use super::source::Spot;
use super::table::Table;
use super::take::List;
use super::words::short;
use super::write::text;
use crate::asked::Asked;

/// The placeholder of a swept case's size.
const SIZE: &str = "{size}";

/// Rows and columns of a table, rows of a database and bytes of a body, at most.
const MOST: u32 = 100_000_000;

/// Rows of the table `fortune`.
const FORTUNES: u64 = 12;

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
    /// A list of random rows of the table `world`.
    WorldList {
        /// How many rows the table has.
        rows: u32,
        /// How many the list has.
        count: Option<u32>,
        /// Whether the server may keep rows between requests.
        cached: bool,
    },
    /// A list of random rows of the table `world`, each with the random number that the request wrote into it.
    WorldUpdates {
        /// How many rows the table has.
        rows: u32,
        /// How many the list has.
        count: Option<u32>,
    },
    /// The page of all rows of the table `fortune` and one more, sorted and escaped.
    Fortunes,
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
            Some(
                HttpAnswer::Letters { bytes: None }
                    | HttpAnswer::Table { rows: None, .. }
                    | HttpAnswer::WorldList { count: None, .. }
                    | HttpAnswer::WorldUpdates { count: None, .. }
            )
        );
        open || self.path.contains(SIZE)
    }

    /// The job at a size of a swept case.
    pub fn at_size(&self, size: u64) -> Self {
        let size_or_most = u32::try_from(size).unwrap_or(u32::MAX);
        Self {
            path: self.path.replace(SIZE, &size.to_string()),
            answer: self.answer.clone().map(|answer| answer.with_count(size_or_most)),
            ..self.clone()
        }
    }

    /// What a right answer needs of a database, at least.
    pub(super) fn asked(&self) -> Asked {
        self.answer.as_ref().map_or(Asked::default(), HttpAnswer::asked)
    }

    /// What so many right answers need of a database, at least.
    pub(super) fn asked_by(&self, answers: u64) -> Asked {
        let rows = match self.answer {
            Some(HttpAnswer::WorldUpdates { rows, .. }) => rows,
            _ => 0,
        };
        self.asked().by(answers, rows)
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

const KINDS: [(&str, Kind); 8] = [
    ("text", Kind::Text),
    ("json", Kind::Json),
    ("world", Kind::World),
    ("world-list", Kind::WorldList),
    ("world-updates", Kind::WorldUpdates),
    ("fortunes", Kind::Fortunes),
    ("letters", Kind::Letters),
    ("table", Kind::Table),
];

#[derive(Clone, Copy)]
enum Kind {
    Text,
    Json,
    World,
    WorldList,
    WorldUpdates,
    Fortunes,
    Letters,
    Table,
}

impl HttpAnswer {
    /// The same with a missing count filled in.
    fn with_count(mut self, size: u32) -> Self {
        if let Self::Letters { bytes: count }
        | Self::Table { rows: count, .. }
        | Self::WorldList { count, .. }
        | Self::WorldUpdates { count, .. } = &mut self
        {
            count.get_or_insert(size);
        }
        self
    }

    fn asked(&self) -> Asked {
        let each = |count: &Option<u32>| u64::from(count.unwrap_or_default());
        match self {
            Self::World { .. } => Asked::rows(1),
            Self::WorldList {
                count, cached: false, ..
            } => Asked::rows(each(count)),
            Self::WorldUpdates { count, .. } => Asked {
                written: each(count),
                ..Asked::rows(each(count))
            },
            Self::Fortunes => Asked {
                queries: 1,
                read: FORTUNES,
                written: 0,
            },
            _ => Asked::default(),
        }
    }

    /// The name used in manifests.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Text { .. } => "text",
            Self::Json { .. } => "json",
            Self::World { .. } => "world",
            Self::WorldList { .. } => "world-list",
            Self::WorldUpdates { .. } => "world-updates",
            Self::Fortunes => "fortunes",
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
            Self::WorldList {
                rows,
                count: length,
                cached,
            } => {
                count("rows", *rows);
                length.iter().for_each(|length| count("count", *length));
                if *cached {
                    table.insert("cached", true.into());
                }
            }
            Self::WorldUpdates { rows, count: length } => {
                count("rows", *rows);
                length.iter().for_each(|length| count("count", *length));
            }
            Self::Fortunes => {}
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
        table.tolerate(&["body", "value", "rows", "count", "cached", "bytes", "columns"]);
        table.finish();
        return None;
    };
    let answer = match kind.value {
        Kind::Text => table
            .required::<String>("body")
            .map(|body| HttpAnswer::Text { body: body.value }),
        Kind::Json => take_json(table),
        Kind::World => needed(table, "rows").map(|rows| HttpAnswer::World { rows }),
        Kind::WorldList => {
            let (rows, count) = (needed(table, "rows"), maybe(table, "count"));
            let cached = table
                .optional::<bool>("cached")
                .is_some_and(|cached| cached.value);
            rows.map(|rows| HttpAnswer::WorldList { rows, count, cached })
        }
        Kind::WorldUpdates => {
            let (rows, count) = (needed(table, "rows"), maybe(table, "count"));
            rows.map(|rows| HttpAnswer::WorldUpdates { rows, count })
        }
        Kind::Fortunes => Some(HttpAnswer::Fortunes),
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

    #[test]
    fn what_an_answer_needs_of_a_database_follows_its_size() {
        let needs = |answer: HttpAnswer| {
            let job = HttpJob {
                answer: Some(answer),
                ..HttpJob::default()
            };
            let asked = job.at_size(15).asked();
            (asked.queries, asked.read, asked.written)
        };
        let (rows, count) = (10_000, None);
        let list = |cached| HttpAnswer::WorldList { rows, count, cached };
        assert_eq!(needs(HttpAnswer::World { rows }), (1, 1, 0));
        assert_eq!(needs(list(false)), (15, 15, 0));
        assert_eq!(needs(list(true)), (0, 0, 0));
        assert_eq!(needs(HttpAnswer::WorldUpdates { rows, count }), (15, 15, 15));
        let fixed = Some(2);
        assert_eq!(needs(HttpAnswer::WorldUpdates { rows, count: fixed }), (2, 2, 2));
        assert_eq!(needs(HttpAnswer::Fortunes), (1, 12, 0));
        assert_eq!(needs(HttpAnswer::Letters { bytes: None }), (0, 0, 0));
    }
}
