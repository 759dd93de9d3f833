//! What the body of an answer must be: its keys, what they resolve to, and how they are shown.

use toml_edit::{InlineTable, Value};

use crate::asked::Asked;
use crate::manifest::fields::{choose, within};
use crate::manifest::source::Spot;
use crate::manifest::table::Table;
use crate::manifest::write::text;

/// Rows and columns of a table, rows of a database and bytes of a body, at most.
pub(super) const MOST: u32 = 100_000_000;

/// Rows of the table `fortune`.
const FORTUNES: u64 = 12;

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
    pub(super) fn with_count(mut self, size: u32) -> Self {
        if let Self::Letters { bytes: count }
        | Self::Table { rows: count, .. }
        | Self::WorldList { count, .. }
        | Self::WorldUpdates { count, .. } = &mut self
        {
            count.get_or_insert(size);
        }
        self
    }

    pub(super) fn asked(&self) -> Asked {
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

    pub(super) fn render(&self) -> Value {
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

/// Takes `expect` or `answer`: the first is a short form of the second.
pub(super) fn take_expected(table: &Table) -> Option<Spot<HttpAnswer>> {
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
        let text = format!("`{}`: expected JSON: {error}", table.path("value"));
        table.source.problem(value.line, text, None);
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
