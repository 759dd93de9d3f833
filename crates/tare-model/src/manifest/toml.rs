//! A cursor over a TOML document: takes keys with their types, remembers file and line, and collects everything
//! that is wrong instead of stopping at the first.

use std::cell::RefCell;
use std::ops::Range;

use toml_edit::{Array, ArrayOfTables, Document, Item, TableLike, Value};

use super::error::{ManifestError, Problem};
use super::words::{nearest, short};

/// The only version of manifests so far.
const SCHEMA: i64 = 1;
/// No manifest is this large; a file that is was not meant.
pub(super) const MAX_BYTES: usize = 1 << 20;
/// Nobody mends more than this many at once.
const MAX_PROBLEMS: usize = 100;
/// Keys that people look for and that are the lab's, whatever the manifest.
const LABS_OWN: [&str; 17] = [
    "port",
    "ports",
    "host",
    "core",
    "cores",
    "cpus",
    "duration",
    "durations",
    "seconds",
    "sleep",
    "sleeps",
    "delay",
    "wait",
    "timeout",
    "warmup",
    "warm-up",
    "rate",
];

/// A file being read: where its lines are, and what is wrong with it so far.
pub(super) struct Source {
    file: String,
    starts: Vec<usize>,
    problems: RefCell<Vec<Problem>>,
}

/// A value and the line that it is on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spot<T> {
    pub value: T,
    pub line: u32,
}

/// A table whose keys are taken one by one; what was not taken at the end is unknown.
pub(super) struct Table<'d> {
    pub source: &'d Source,
    pub line: u32,
    path: String,
    inner: &'d dyn TableLike,
    known: RefCell<Vec<&'static str>>,
    missing: RefCell<Vec<(&'static str, Problem)>>,
}

/// One value of the document, not yet judged.
pub(super) struct Node<'d> {
    pub source: &'d Source,
    pub path: String,
    pub line: u32,
    pub kind: Kind<'d>,
}

/// What a value is.
pub(super) enum Kind<'d> {
    Text(&'d str),
    Whole(i64),
    Real(f64),
    Truth(bool),
    Date(String),
    List(&'d Array),
    Table(&'d dyn TableLike),
    Tables(&'d ArrayOfTables),
}

/// A type that a key may have. Reports what is wrong by itself and then gives none.
pub(super) trait Take<'d>: Sized {
    /// `a string`.
    const EXPECTED: &'static str;
    /// How such a value is written.
    const EXAMPLE: &'static str;

    fn take(node: Node<'d>) -> Option<Self>;
}

/// Reads a manifest: checks that it is text, TOML and of a schema that is known, then hands its root to `read`.
/// Errors: all problems that were found, by line.
pub(super) fn read<T>(
    bytes: &[u8],
    file: &str,
    read: impl FnOnce(&Table) -> Option<T>,
) -> Result<T, ManifestError> {
    let text = decode(bytes, file)?;
    let source = Source::new(file, text);
    let document = Document::parse(text).map_err(|error| source.syntax(&error))?;
    let root = Table::new(&source, String::new(), 1, document.as_table());
    let value = check_schema(&root).and_then(|()| {
        let value = read(&root);
        root.finish();
        value
    });
    drop(root);
    source.close(value)
}

fn decode<'t>(bytes: &'t [u8], file: &str) -> Result<&'t str, ManifestError> {
    if bytes.len() > MAX_BYTES {
        return Err(too_large(file, bytes.len() as u64).into());
    }
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        let problem = Problem::whole(file, "expected TOML, found a byte order mark before it");
        return Err(problem
            .at(1)
            .hint("save it as UTF-8 without a byte order mark")
            .into());
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let good = &bytes[..error.valid_up_to()];
        let line = 1 + good.iter().filter(|byte| **byte == b'\n').count() as u32;
        let byte = bytes[error.valid_up_to()];
        let text = format!("expected UTF-8, found the byte 0x{byte:02x}");
        Problem::whole(file, text)
            .at(line)
            .hint("save it as UTF-8")
            .into()
    })
}

/// The problem of a file over the limit.
pub(super) fn too_large(file: &str, bytes: u64) -> Problem {
    let text = format!("expected at most {MAX_BYTES} bytes, found {bytes}");
    Problem::whole(file, text).hint("is this a manifest?")
}

fn check_schema(root: &Table) -> Option<()> {
    let schema = root.required::<i64>("schema")?;
    if schema.value == SCHEMA {
        return Some(());
    }
    let text = format!(
        "schema {} is not known: tare {} reads schema {SCHEMA}",
        schema.value,
        env!("CARGO_PKG_VERSION")
    );
    root.source.hinted(schema.line, text, "a newer tare may read it");
    None
}

impl Problem {
    /// The same, at a line.
    pub(super) fn at(mut self, line: u32) -> Self {
        self.line = Some(line);
        self
    }
}

impl Source {
    fn new(file: &str, text: &str) -> Self {
        let after = text
            .match_indices('\n')
            .map(|(at, _)| at + 1)
            .filter(|at| *at < text.len());
        Self {
            file: file.to_owned(),
            starts: std::iter::once(0).chain(after).collect(),
            problems: RefCell::default(),
        }
    }

    /// The file, relative to the lab's folder.
    pub fn file(&self) -> &str {
        &self.file
    }

    fn line(&self, span: Option<Range<usize>>) -> Option<u32> {
        Some(
            self.starts
                .partition_point(|start| *start <= span.as_ref().map_or(0, |s| s.start)) as u32,
        )
        .filter(|_| span.is_some())
    }

    fn syntax(&self, error: &toml_edit::TomlError) -> ManifestError {
        let line = self.line(error.span()).unwrap_or(1);
        let text = format!("not TOML: {}", error.message());
        Problem::whole(&self.file, text).at(line).into()
    }

    /// Notes a problem.
    pub fn problem(&self, line: u32, text: impl Into<String>, hint: Option<String>) {
        let problem = Problem {
            hint,
            ..Problem::whole(&self.file, text).at(line)
        };
        // What a contender says for all its variants is checked with each of them.
        if !self.problems.borrow().contains(&problem) {
            self.problems.borrow_mut().push(problem);
        }
    }

    /// Notes a problem with its hint.
    pub fn hinted(&self, line: u32, text: impl Into<String>, hint: impl Into<String>) {
        self.problem(line, text, Some(hint.into()));
    }

    /// Notes problems of another file that this one rests on.
    pub fn foreign(&self, error: &ManifestError) {
        self.problems.borrow_mut().extend(error.problems.iter().cloned());
    }

    fn close<T>(self, value: Option<T>) -> Result<T, ManifestError> {
        let mut problems = self.problems.into_inner();
        match value {
            Some(value) if problems.is_empty() => Ok(value),
            _ => {
                // Problems of other files come last; within a file the order is that of lines.
                problems.sort_by_key(|problem| (problem.file != self.file, problem.line));
                problems.dedup();
                cut(&mut problems);
                Err(ManifestError { problems })
            }
        }
    }
}

/// Keeps the first problems only, and says how many more there were.
fn cut(problems: &mut Vec<Problem>) {
    let Some(more) = problems.len().checked_sub(MAX_PROBLEMS).filter(|more| *more > 0) else {
        return;
    };
    let first_cut = problems.swap_remove(MAX_PROBLEMS);
    problems.truncate(MAX_PROBLEMS);
    problems.push(Problem {
        text: format!("and {more} more, from here on"),
        hint: None,
        ..first_cut
    });
}

impl<T> Spot<T> {
    /// The same place, another value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Spot<U> {
        Spot {
            value: f(self.value),
            line: self.line,
        }
    }
}

impl<'d> Table<'d> {
    pub fn new(source: &'d Source, path: String, line: u32, inner: &'d dyn TableLike) -> Self {
        Self {
            source,
            line,
            path,
            inner,
            known: RefCell::default(),
            missing: RefCell::default(),
        }
    }

    /// Its own path.
    pub fn own_path(&self) -> &str {
        &self.path
    }

    /// The full path of one of its keys.
    pub fn path(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    fn node(&self, key: &str) -> Option<Node<'d>> {
        let (name, item) = self.inner.get_key_value(key)?;
        let line = self.source.line(name.span()).unwrap_or(self.line);
        Node::of_item(self.source, self.path(key), line, item)
    }

    /// Takes a key that may be missing.
    pub fn optional<T: Take<'d>>(&self, key: &'static str) -> Option<Spot<T>> {
        self.known.borrow_mut().push(key);
        let node = self.node(key)?;
        let line = node.line;
        T::take(node).map(|value| Spot { value, line })
    }

    /// Whether the key is there.
    pub fn has(&self, key: &str) -> bool {
        self.inner.get(key).is_some_and(|item| !item.is_none())
    }

    /// Whether the key is there and holds a table.
    pub fn holds_table(&self, key: &str) -> bool {
        self.node(key)
            .is_some_and(|node| matches!(node.kind, Kind::Table(_)))
    }

    /// Takes a key that must be there. That it is missing is only said once the table is done with: a key that
    /// is spelt wrongly is better told as such.
    pub fn required<T: Take<'d>>(&self, key: &'static str) -> Option<Spot<T>> {
        if !self.has(key) {
            let text = format!("missing key `{}`: expected {}", self.path(key), T::EXPECTED);
            let problem = Problem::whole(self.source.file(), text).at(self.line);
            let problem = problem.hint(format!("for example `{key} = {}`", T::EXAMPLE));
            self.missing.borrow_mut().push((key, problem));
        }
        self.optional(key)
    }

    /// Lets keys pass that nobody takes.
    pub fn tolerate(&self, keys: &[&'static str]) {
        self.known.borrow_mut().extend(keys);
    }

    /// A key's text without taking it, and without a word if it is none.
    pub fn value_of(&self, key: &str) -> Option<Spot<String>> {
        let node = self.node(key)?;
        match node.kind {
            Kind::Text(text) => Some(Spot {
                value: text.to_owned(),
                line: node.line,
            }),
            _ => None,
        }
    }

    /// Takes whatever keys there are, as a table of names does.
    pub fn entries(&self) -> Vec<(String, Node<'d>)> {
        let names = self.inner.iter().map(|(name, _)| name.to_owned());
        names
            .filter_map(|name| Some((name.clone(), self.node(&name)?)))
            .collect()
    }

    /// Reports every key that was not taken.
    pub fn finish(&self) {
        let known = self.known.borrow();
        for (name, node) in self.entries() {
            if !known.contains(&name.as_str()) {
                self.unknown(&name, node.line, &known);
            }
        }
    }

    fn unknown(&self, name: &str, line: u32, known: &[&'static str]) {
        let within = match self.path.as_str() {
            "" => String::new(),
            path => format!(" in `{path}`"),
        };
        let name = short(name);
        if LABS_OWN.contains(&name.as_str()) {
            let text = format!("`{name}`{within} is never in a manifest");
            self.source.hinted(
                line,
                text,
                "the lab owns ports, cores, durations and sleeps; use {port} and {cores}",
            );
            return;
        }
        let meant = nearest(&name, known.iter().copied().filter(|key| !self.has(key)));
        self.missing.borrow_mut().retain(|(key, _)| Some(*key) != meant);
        let hint = match meant {
            Some(key) => format!("did you mean `{key}`?"),
            None => format!("known here: {}", known.join(", ")),
        };
        self.source
            .hinted(line, format!("unknown key `{name}`{within}"), hint);
    }
}

impl Drop for Table<'_> {
    /// Says what is missing.
    fn drop(&mut self) {
        let missing = self.missing.take().into_iter().map(|(_, problem)| problem);
        self.source.problems.borrow_mut().extend(missing);
    }
}

impl<'d> Node<'d> {
    fn of_item(source: &'d Source, path: String, line: u32, item: &'d Item) -> Option<Self> {
        let kind = match item {
            Item::None => return None,
            Item::Value(value) => Kind::of(value),
            Item::Table(table) => Kind::Table(table),
            Item::ArrayOfTables(tables) => Kind::Tables(tables),
        };
        Some(Self {
            source,
            path,
            line,
            kind,
        })
    }

    /// Reports that it is of another type than expected.
    pub fn wrong(&self, expected: &str, example: &str) {
        let text = format!(
            "`{}`: expected {expected}, found {}",
            self.path,
            self.kind.found()
        );
        self.source
            .hinted(self.line, text, format!("for example `{example}`"));
    }

    /// Its elements, if it is a list.
    pub fn elements(self) -> Option<Vec<Node<'d>>> {
        let Node {
            source,
            path,
            line,
            kind,
        } = self;
        let at = |index: usize| format!("{path}[{index}]");
        match kind {
            Kind::List(list) => Some(
                list.iter()
                    .enumerate()
                    .map(|(index, value)| Node {
                        source,
                        path: at(index),
                        line: source.line(value.span()).unwrap_or(line),
                        kind: Kind::of(value),
                    })
                    .collect(),
            ),
            Kind::Tables(tables) => Some(
                tables
                    .iter()
                    .enumerate()
                    .map(|(index, table)| Node {
                        source,
                        path: at(index),
                        line: source.line(table.span()).unwrap_or(line),
                        kind: Kind::Table(table),
                    })
                    .collect(),
            ),
            _ => None,
        }
    }
}

impl<'d> Kind<'d> {
    fn of(value: &'d Value) -> Self {
        match value {
            Value::String(text) => Kind::Text(text.value()),
            Value::Integer(number) => Kind::Whole(*number.value()),
            Value::Float(number) => Kind::Real(*number.value()),
            Value::Boolean(truth) => Kind::Truth(*truth.value()),
            Value::Datetime(date) => Kind::Date(date.value().to_string()),
            Value::Array(list) => Kind::List(list),
            Value::InlineTable(table) => Kind::Table(table),
        }
    }

    fn found(&self) -> String {
        match self {
            Kind::Text(text) => format!("the string \"{}\"", short(text)),
            Kind::Whole(number) => format!("the number {number}"),
            Kind::Real(number) => format!("the number {number:?}"),
            Kind::Truth(truth) => truth.to_string(),
            Kind::Date(date) => format!("the date {date}"),
            Kind::List(_) => "a list".to_owned(),
            Kind::Table(_) => "a table".to_owned(),
            Kind::Tables(_) => "a list of tables".to_owned(),
        }
    }
}

impl<'d> Node<'d> {
    /// Reports the wrong type.
    pub fn mismatch<T: Take<'d>>(&self) -> Option<T> {
        let key = self.path.rsplit('.').next().unwrap_or_default();
        let example = match key.contains('[') {
            true => T::EXAMPLE.to_owned(),
            false => format!("{key} = {}", T::EXAMPLE),
        };
        self.wrong(T::EXPECTED, &example);
        None
    }

    /// Whether it is a whole number.
    pub fn is_whole(&self) -> bool {
        matches!(self.kind, Kind::Whole(_))
    }

    /// Whether it is a list.
    pub fn is_list(&self) -> bool {
        matches!(self.kind, Kind::List(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_problems_is_cut() {
        let text: String = (0..150).map(|number| format!("k{number} = 1\n")).collect();
        let error = read::<()>(format!("schema = 1\n{text}").as_bytes(), "x", |_| Some(())).unwrap_err();
        assert_eq!(error.problems.len(), 101);
        assert_eq!(
            error.problems[100].to_string(),
            "x:102: and 50 more, from here on"
        );
    }

    #[test]
    fn lines_are_counted_from_one_and_end_with_the_text() {
        let source = Source::new("x", "a\nb\n\nc\n");
        let at = |at: usize| source.line(Some(at..at));
        assert_eq!(
            [at(0), at(1), at(2), at(4), at(5), at(7)],
            [1, 1, 2, 3, 4, 4].map(Some)
        );
        assert_eq!(source.line(None), None);
    }
}
