//! `[explain]` of a language: how its contenders are built and run with instrumentation. `tare explain` measures them in
//! rounds of its own, beside the same contender without instrumentation, so that the cost of instrumentation shows.

use std::collections::BTreeMap;

use toml_edit::Value;

use super::argv::{EnvKind, Known, check_text};
use super::keys::{Keys, Kind, Taken, field};
use super::kinds::{Maybe, TextKind};
use super::node::Take;
use super::sources::{Layer, Sources};
use super::table::Table;
use super::take::List;
use super::words::{near_or_all, short};

/// Collectors whose log lines on garbage collections can be read.
const COLLECTORS: [&str; 4] = ["jvm", "go", "ghc", "v8"];

/// Compilers whose log lines on compilations at run time can be read.
const COMPILERS: [&str; 1] = ["jvm"];

/// How contenders of a language are built and run with instrumentation (`tare explain`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Explain {
    /// What is added to the environment. Empty: nothing.
    pub env: BTreeMap<String, String>,
    /// What is added to the build.
    pub build: Additions,
    /// Which collector's log lines are in their output: `jvm`, `go`, `ghc` or `v8`.
    pub collector: Option<String>,
    /// Which compiler's log lines are in their output: `jvm`.
    pub compiler: Option<String>,
    /// A word that the build or the command must have: without it, the program refuses the environment.
    pub built_with: Option<String>,
    /// What would give the functions names, for people.
    pub symbols: Option<String>,
}

/// What is added to a build for instrumentation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Additions {
    /// To its environment.
    pub env: BTreeMap<String, String>,
    /// Words behind each word of its steps that is a tool's placeholder, by the tool's name.
    pub words: BTreeMap<String, Vec<String>>,
}

/// `[explain]`.
pub(super) struct ExplainKind<'k>(pub &'k Known<'k>);

/// `[explain.build]`.
struct AdditionsKind<'k>(&'k Known<'k>);

/// `[explain.build.words]`.
struct WordsKind<'k>(&'k Known<'k>);

/// A name from a list, as text.
struct LinesOf(&'static [&'static str]);

impl Kind for ExplainKind<'_> {
    type Value = Explain;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Explain>> {
        let table = table.get::<Table>(key, must)?;
        let mut keys = Keys::<Explain>::new();
        keys.may(field!(env), EnvKind(Some(self.0)));
        keys.may(field!(build), AdditionsKind(self.0));
        keys.may(field!(collector), Maybe(LinesOf(&COLLECTORS)));
        keys.may(field!(compiler), Maybe(LinesOf(&COMPILERS)));
        keys.may(field!(built_with), Maybe(TextKind));
        keys.may(field!(symbols), Maybe(TextKind));
        Some(table.map(|table| filled(&keys, &table)).into())
    }

    fn show(&self, _: &Explain) -> Vec<(String, Value)> {
        Vec::new()
    }
}

impl Kind for AdditionsKind<'_> {
    type Value = Additions;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Additions>> {
        let table = table.get::<Table>(key, must)?;
        let mut keys = Keys::<Additions>::new();
        keys.may(field!(env), EnvKind(Some(self.0)));
        keys.may(field!(words), WordsKind(self.0));
        Some(table.map(|table| filled(&keys, &table)).into())
    }

    fn show(&self, _: &Additions) -> Vec<(String, Value)> {
        Vec::new()
    }
}

/// A table that is read whole and not shown.
fn filled<'c, T: Default + 'c>(keys: &Keys<'c, T>, table: &Table) -> T {
    let mut value = T::default();
    keys.read(table, Layer::Own, &mut value, &mut Sources::default());
    table.finish();
    value
}

impl Kind for WordsKind<'_> {
    type Value = BTreeMap<String, Vec<String>>;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Self::Value>> {
        let words = table.get::<Table>(key, must)?;
        let mut value = BTreeMap::new();
        for (tool, node) in words.value.entries() {
            let (line, path) = (node.line, node.path.clone());
            let Some(list) = List::<String>::take(node) else {
                continue;
            };
            if !self.0.tools.contains(&tool.as_str()) {
                let text = format!("`explain.build.words`: there is no tool `{}`", short(&tool));
                table
                    .source
                    .hinted(line, text, near_or_all(&tool, "tools here", self.0.tools));
            }
            for word in &list.0 {
                check_text(table.source, &path, word, self.0);
            }
            value.insert(tool, list.values());
        }
        Some(words.map(|_| value).into())
    }

    fn show(&self, _: &Self::Value) -> Vec<(String, Value)> {
        Vec::new()
    }
}

impl Kind for LinesOf {
    type Value = String;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<String>> {
        let name = table.get::<String>(key, must)?;
        if !self.0.contains(&name.value.as_str()) {
            let text = format!("`{}`: no lines of `{}` can be read", table.path(key), name.value);
            table
                .source
                .hinted(name.line, text, format!("one of {}", self.0.join(", ")));
        }
        Some(name.into())
    }

    fn show(&self, _: &String) -> Vec<(String, Value)> {
        Vec::new()
    }
}

impl Explain {
    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.env.is_empty() && self.build.is_empty()
    }

    /// What it sets, for people.
    pub fn words(&self) -> String {
        let set = |(name, value): (&String, &String)| format!("{name}={value}");
        let mut parts: Vec<String> = self.env.iter().map(set).collect();
        let env = self.build.env.iter().map(set);
        let words = self.build.words.values().map(|words| words.join(" "));
        let built: Vec<String> = words.chain(env).collect();
        if !built.is_empty() {
            parts.push(format!("a build with {}", built.join(", ")));
        }
        parts.join(", ")
    }
}

impl Additions {
    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.env.is_empty() && self.words.is_empty()
    }
}
