//! One value of a document with its path and line, before its type is checked.

use toml_edit::{Array, ArrayOfTables, Item, TableLike, Value};

use super::source::Source;
use super::words::short;

/// One value of the document.
pub(super) struct Node<'d> {
    pub source: &'d Source,
    pub path: String,
    pub line: u32,
    pub content: Content<'d>,
}

/// What a value is.
pub(super) enum Content<'d> {
    Text(&'d str),
    Whole(i64),
    Real(f64),
    Truth(bool),
    Date(String),
    List(&'d Array),
    Table(&'d dyn TableLike),
    Tables(&'d ArrayOfTables),
}

/// A type that a key may have.
pub(super) trait Take<'d>: Sized {
    /// `a string`.
    const EXPECTED: &'static str;
    /// How such a value is written.
    const EXAMPLE: &'static str;

    /// The value; none after reporting what is wrong with it.
    fn take(node: Node<'d>) -> Option<Self>;
}

impl<'d> Node<'d> {
    /// None for an item without a value.
    pub(super) fn of_item(source: &'d Source, path: String, line: u32, item: &'d Item) -> Option<Self> {
        let content = match item {
            Item::None => return None,
            Item::Value(value) => Content::of(value),
            Item::Table(table) => Content::Table(table),
            Item::ArrayOfTables(tables) => Content::Tables(tables),
        };
        Some(Self {
            source,
            path,
            line,
            content,
        })
    }

    /// Reports that it is of another type than expected.
    pub(super) fn mismatch<T: Take<'d>>(&self) -> Option<T> {
        let key = self.path.rsplit('.').next().unwrap_or_default();
        let example = if key.contains('[') {
            T::EXAMPLE.to_owned()
        } else {
            format!("{key} = {}", T::EXAMPLE)
        };
        let text = format!(
            "`{}`: expected {}, found {}",
            self.path,
            T::EXPECTED,
            self.content.found()
        );
        self.source
            .hinted(self.line, text, format!("for example `{example}`"));
        None
    }

    /// Its elements, if it is a list.
    pub(super) fn elements(self) -> Option<Vec<Node<'d>>> {
        let Node {
            source, path, line, ..
        } = self;
        let element = |index: usize, span, content| Node {
            source,
            path: format!("{path}[{index}]"),
            line: source.line(span).unwrap_or(line),
            content,
        };
        match self.content {
            Content::List(list) => {
                let values = list.iter().enumerate();
                let node =
                    |(index, value): (usize, &'d Value)| element(index, value.span(), Content::of(value));
                Some(values.map(node).collect())
            }
            Content::Tables(tables) => {
                let tables = tables.iter().enumerate();
                let node = |(index, table): (usize, &'d toml_edit::Table)| {
                    element(index, table.span(), Content::Table(table))
                };
                Some(tables.map(node).collect())
            }
            _ => None,
        }
    }

    /// Whether it is a whole number.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self.content, Content::Whole(_))
    }

    /// Whether it is a list.
    pub(super) fn is_list(&self) -> bool {
        matches!(self.content, Content::List(_))
    }

    /// Whether it is a table.
    pub(super) fn is_table(&self) -> bool {
        matches!(self.content, Content::Table(_))
    }
}

impl<'d> Content<'d> {
    fn of(value: &'d Value) -> Self {
        match value {
            Value::String(text) => Content::Text(text.value()),
            Value::Integer(number) => Content::Whole(*number.value()),
            Value::Float(number) => Content::Real(*number.value()),
            Value::Boolean(truth) => Content::Truth(*truth.value()),
            Value::Datetime(date) => Content::Date(date.value().to_string()),
            Value::Array(list) => Content::List(list),
            Value::InlineTable(table) => Content::Table(table),
        }
    }

    fn found(&self) -> String {
        match self {
            Content::Text(text) => format!("the string \"{}\"", short(text)),
            Content::Whole(number) => format!("the number {number}"),
            Content::Real(number) => format!("the number {number:?}"),
            Content::Truth(truth) => truth.to_string(),
            Content::Date(date) => format!("the date {date}"),
            Content::List(_) => "a list".to_owned(),
            Content::Table(_) => "a table".to_owned(),
            Content::Tables(_) => "a list of tables".to_owned(),
        }
    }
}
