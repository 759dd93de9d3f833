//! A table whose keys are taken one by one. What is left at the end is unknown.

use std::cell::RefCell;

use toml_edit::TableLike;

use super::error::Problem;
use super::node::{Content, Node, Take};
use super::source::{Source, Spot};
use super::words::{nearest, short};

/// Keys that people look for and that no manifest has: the lab decides them.
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

/// A table of the document.
pub(super) struct Table<'d> {
    pub source: &'d Source,
    pub line: u32,
    path: String,
    inner: &'d dyn TableLike,
    known: RefCell<Vec<&'static str>>,
    missing: RefCell<Vec<(&'static str, Problem)>>,
}

impl<'d> Table<'d> {
    pub(super) fn new(source: &'d Source, path: String, line: u32, inner: &'d dyn TableLike) -> Self {
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
    pub(super) fn own_path(&self) -> &str {
        &self.path
    }

    /// The full path of one of its keys.
    pub(super) fn path(&self, key: &str) -> String {
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
    pub(super) fn optional<T: Take<'d>>(&self, key: &'static str) -> Option<Spot<T>> {
        self.known.borrow_mut().push(key);
        let node = self.node(key)?;
        let line = node.line;
        T::take(node).map(|value| Spot { value, line })
    }

    /// Whether the key is there.
    pub(super) fn has(&self, key: &str) -> bool {
        self.inner.get(key).is_some_and(|item| !item.is_none())
    }

    /// The line of a key that is there.
    pub(super) fn line_of(&self, key: &str) -> u32 {
        self.node(key).map_or(self.line, |node| node.line)
    }

    /// Whether the key is there and holds a table.
    pub(super) fn holds_table(&self, key: &str) -> bool {
        self.node(key).is_some_and(|node| node.is_table())
    }

    /// Takes a key that must be there. A missing key is reported when the table is dropped: `finish` may find that it
    /// was misspelt, and reports that instead.
    pub(super) fn required<T: Take<'d>>(&self, key: &'static str) -> Option<Spot<T>> {
        if !self.has(key) {
            let text = format!("missing key `{}`: expected {}", self.path(key), T::EXPECTED);
            let problem = Problem::whole(self.source.file(), text).at(self.line);
            let problem = problem.hint(format!("for example `{key} = {}`", T::EXAMPLE));
            self.missing.borrow_mut().push((key, problem));
        }
        self.optional(key)
    }

    /// Takes a key that must or may be there.
    pub(super) fn get<T: Take<'d>>(&self, key: &'static str, must: bool) -> Option<Spot<T>> {
        if must {
            self.required(key)
        } else {
            self.optional(key)
        }
    }

    /// Accepts keys without taking them.
    pub(super) fn tolerate(&self, keys: &[&'static str]) {
        self.known.borrow_mut().extend(keys);
    }

    /// A key's value without taking it.
    pub(super) fn peek(&self, key: &str) -> Option<Node<'d>> {
        self.node(key)
    }

    /// A key's text without taking it; none, and no report, if it is no text.
    pub(super) fn peek_text(&self, key: &str) -> Option<Spot<String>> {
        text_of(self.node(key)?)
    }

    /// The texts of a list, without taking its key; other elements are left out.
    pub(super) fn peek_texts(&self, key: &str) -> Vec<Spot<String>> {
        let list = self.node(key).and_then(Node::elements).unwrap_or_default();
        list.into_iter().filter_map(text_of).collect()
    }

    /// The keys of a table within this one, without taking it.
    pub(super) fn peek_keys(&self, key: &str) -> Vec<String> {
        match self.node(key).map(|node| node.content) {
            Some(Content::Table(table)) => table.iter().map(|(name, _)| name.to_owned()).collect(),
            _ => Vec::new(),
        }
    }

    /// Takes all keys, of a table whose keys are names.
    pub(super) fn entries(&self) -> Vec<(String, Node<'d>)> {
        let names = self.inner.iter().map(|(name, _)| name.to_owned());
        names
            .filter_map(|name| Some((name.clone(), self.node(&name)?)))
            .collect()
    }

    /// Reports every key that was not taken.
    pub(super) fn finish(&self) {
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
    /// Reports missing keys.
    fn drop(&mut self) {
        for (_, problem) in self.missing.take() {
            self.source.report(problem);
        }
    }
}

fn text_of(node: Node) -> Option<Spot<String>> {
    match node.content {
        Content::Text(text) => Some(Spot {
            value: text.to_owned(),
            line: node.line,
        }),
        _ => None,
    }
}
