//! The job `http`: its keys, what they resolve to, and how they are shown.

mod answer;

use toml_edit::{InlineTable, Value};

use super::fields::{choose, distinct, within};
use super::node::Take;
use super::source::Spot;
use super::table::Table;
use super::take::List;
use super::words::short;
use super::write::{text, texts};
use crate::asked::Asked;
pub use answer::HttpAnswer;
use answer::{MOST, take_expected};

/// The placeholder of a swept case's size.
const SIZE: &str = "{size}";

/// The most requests after the first.
const MOST_REQUESTS: usize = 1000;

/// The content codings that answers may be asked to have: those that the load decodes.
const CODINGS: [&str; 2] = ["gzip", "br"];

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
    /// The most bytes of a chunk, where the body is sent in chunks; none: with its length.
    pub chunk_size: Option<u32>,
    /// The content codings of which every answer must have one; the request accepts these. Empty: nothing is said, and
    /// answers may have one.
    pub encoding: Vec<String>,
    /// The answers' media type, parameters such as `charset` aside; none: any.
    pub media_type: Option<String>,
    /// Header fields that every answer must have; `Date` must be fresh.
    pub fields: Vec<String>,
    /// What every answer's body must be; none: any, but all the same as the first.
    pub answer: Option<HttpAnswer>,
    /// Whether the letters of a text or of JSON may have any case.
    pub any_case: bool,
    /// Further requests, which are sent in turn with this one. These have none.
    pub then: Vec<HttpJob>,
    /// Requests that only a check sends. These have none, and nothing is sent after them.
    pub also: Vec<HttpJob>,
}

impl Default for HttpJob {
    fn default() -> Self {
        Self {
            method: "GET".to_owned(),
            path: "/".to_owned(),
            headers: Vec::new(),
            body: None,
            chunk_size: None,
            encoding: Vec::new(),
            media_type: None,
            fields: Vec::new(),
            answer: None,
            any_case: false,
            then: Vec::new(),
            also: Vec::new(),
        }
    }
}

impl HttpJob {
    /// Its requests, in the order in which they are sent.
    pub fn requests(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.then)
    }

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
        open || self.path.contains(SIZE) || self.then.iter().chain(&self.also).any(Self::needs_size)
    }

    /// The job at a size of a swept case.
    pub fn at_size(&self, size: u64) -> Self {
        let size_or_most = u32::try_from(size).unwrap_or(u32::MAX);
        Self {
            path: self.path.replace(SIZE, &size.to_string()),
            answer: self.answer.clone().map(|answer| answer.with_count(size_or_most)),
            then: self.then.iter().map(|one| one.at_size(size)).collect(),
            also: self.also.iter().map(|one| one.at_size(size)).collect(),
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
        table.insert("headers", headers_value(&self.headers));
        if let Some(body) = &self.body {
            table.insert("body", text(body));
        }
        if let Some(size) = self.chunk_size {
            table.insert("chunk_size", i64::from(size).into());
        }
        if !self.encoding.is_empty() {
            table.insert("encoding", texts(&self.encoding));
        }
        if let Some(media_type) = &self.media_type {
            table.insert("type", text(media_type));
        }
        if !self.fields.is_empty() {
            table.insert("fields", texts(&self.fields));
        }
        match &self.answer {
            None => {}
            // The short form of the most common one.
            Some(HttpAnswer::Text { body }) => drop(table.insert("expect", text(body))),
            Some(answer) => drop(table.insert("answer", answer.render())),
        }
        if self.any_case {
            table.insert("any_case", true.into());
        }
        for (key, more) in [("then", &self.then), ("also", &self.also)] {
            let inline = |one: &Self| {
                let mut table = InlineTable::new();
                one.render(&mut table);
                table
            };
            if !more.is_empty() {
                let more: toml_edit::Array = more.iter().map(inline).collect();
                table.insert(key, more.into());
            }
        }
    }
}

/// Keys besides `kind`, all of which are accepted where the kind is not known.
pub(super) const KEYS: [&str; 13] = [
    "method",
    "path",
    "headers",
    "body",
    "chunk_size",
    "encoding",
    "type",
    "fields",
    "expect",
    "answer",
    "any_case",
    "then",
    "also",
];

/// Takes the keys of an HTTP job.
pub(super) fn take_http(table: &Table) -> Option<HttpJob> {
    let first = take_request(table);
    let (then, also) = (take_more(table, "then"), take_more(table, "also"));
    Some(HttpJob {
        then: then?,
        also: also?,
        ..first?
    })
}

/// Takes a list of further requests.
fn take_more(table: &Table, key: &'static str) -> Option<Vec<HttpJob>> {
    let more = table.optional::<List<Table>>(key);
    let more = more.map_or_else(Vec::new, |list| list.value.0);
    if more.len() > MOST_REQUESTS {
        let what = format!(
            "expected at most {MOST_REQUESTS} further requests, found {}",
            more.len()
        );
        fault(table, key, table.line_of(key), &what, None);
    }
    let taken = more.into_iter().map(|further| {
        let request = take_request(&further.value);
        further.value.finish();
        request
    });
    taken.collect::<Vec<_>>().into_iter().collect()
}

/// Header fields as TOML writes them.
pub(super) fn headers_value(headers: &[(String, String)]) -> Value {
    let fields = headers.iter().map(|(name, value)| (name.as_str(), text(value)));
    fields.collect::<InlineTable>().into()
}

/// Takes the path of a request, which must be there.
pub(super) fn take_path(table: &Table) -> Option<String> {
    let path = table.required::<String>("path")?;
    check_path(table, "path", &path);
    Some(path.value)
}

/// Takes the keys of one request.
fn take_request(table: &Table) -> Option<HttpJob> {
    let method = table.optional::<String>("method");
    let path = table.required::<String>("path");
    let headers = take_headers(table);
    let body = table.optional::<String>("body").map(|text| text.value);
    let chunk_size = take_chunk_size(table);
    let encoding = take_encoding(table);
    let media_type = table.optional::<String>("type");
    let fields = take_fields(table);
    let answer = take_expected(table);
    let any_case = take_any_case(table, answer.as_ref().map(|answer| &answer.value));
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
    check_path(table, "path", &path);
    Some(HttpJob {
        method: method.map_or_else(|| "GET".to_owned(), |method| method.value),
        path: path.value,
        headers,
        body,
        chunk_size,
        encoding,
        media_type: media_type.map(|found| found.value),
        fields,
        answer: answer.map(|answer| answer.value),
        any_case,
        then: Vec::new(),
        also: Vec::new(),
    })
}

fn take_any_case(table: &Table, answer: Option<&HttpAnswer>) -> bool {
    let Some(any) = table.optional::<bool>("any_case") else {
        return false;
    };
    if !matches!(answer, Some(HttpAnswer::Text { .. } | HttpAnswer::Json { .. })) {
        let what = "only a text and JSON are compared by their letters";
        fault(table, "any_case", any.line, what, Some("leave it out"));
    }
    any.value
}

fn take_chunk_size(table: &Table) -> Option<u32> {
    let size = table.optional::<i64>("chunk_size")?;
    if !table.has("body") {
        let what = "there is no body to send in chunks";
        fault(table, "chunk_size", size.line, what, Some("add `body`"));
    }
    within(table.source, &table.path("chunk_size"), &size, MOST).map(|size| size.value)
}

fn take_encoding(table: &Table) -> Vec<String> {
    let Some(codings) = table.optional::<List<String>>("encoding") else {
        return Vec::new();
    };
    let path = table.path("encoding");
    distinct(table.source, &path, &codings.value.0);
    if codings.value.0.is_empty() {
        let hint = "leave it out where answers need not be encoded";
        fault(
            table,
            "encoding",
            codings.line,
            "expected a content coding, found none",
            Some(hint),
        );
    }
    let choices = CODINGS.map(|name| (name, name));
    let known = |name: &Spot<String>| choose(table.source, "content coding", name, &choices);
    let taken = codings.value.0.iter().filter_map(known);
    taken.map(|name| name.value.to_owned()).collect()
}

fn fault(table: &Table, key: &str, line: u32, what: &str, hint: Option<&str>) {
    let text = format!("`{}`: {what}", table.path(key));
    table.source.problem(line, text, hint.map(str::to_owned));
}

/// Reports what is wrong with a path, which is the value of a key.
pub(super) fn check_path(table: &Table, key: &str, path: &Spot<String>) {
    let printable = path.value.bytes().all(|byte| byte.is_ascii_graphic());
    if !(path.value.starts_with('/') && printable) {
        let what = format!(
            "expected a path from `/`, without blanks, found \"{}\"",
            short(&path.value)
        );
        fault(
            table,
            key,
            path.line,
            &what,
            Some("write other characters as %XX"),
        );
    } else if path.value.replace(SIZE, "").contains(['{', '}']) {
        let what = format!("a brace that is not of `{SIZE}`, in \"{}\"", short(&path.value));
        fault(table, key, path.line, &what, Some("write braces as %7B and %7D"));
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

pub(super) fn take_headers(table: &Table) -> Vec<(String, String)> {
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
        match name.to_lowercase().as_str() {
            "host" | "content-length" | "connection" | "transfer-encoding" => {
                fault(format!("the header field `{name}` is the load generator's own"));
            }
            "accept-encoding" if table.has("encoding") => {
                fault(format!(
                    "the header field `{name}` is what `encoding` says already"
                ));
            }
            _ => {}
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
        let then = HttpJob {
            then: vec![fixed.clone(), swept],
            ..fixed
        };
        assert!(then.needs_size());
        let paths: Vec<String> = then.at_size(7).requests().map(|one| one.path.clone()).collect();
        assert_eq!(paths, ["/", "/", "/letters?bytes=7&again=7"]);
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
