//! Parts of a contender's manifest: its cases, what its build finds, its origin, what it does not survive, why it is left
//! out.

use std::collections::BTreeMap;

use toml_edit::Value;

use crate::manifest::fields::{Phrase, choose, distinct, is_date, maybe_phrase, phrase};
use crate::manifest::keys::{Kind, Taken};
use crate::manifest::kinds::one;
use crate::manifest::node::Take;
use crate::manifest::table::Table;
use crate::manifest::take::{DateText, List};
use crate::manifest::words::short;
use crate::manifest::write::{text, texts};

/// Where a contender was taken from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// A sentence or an address.
    pub text: String,
    /// Its licence.
    pub licence: Option<String>,
}

/// Why a contender is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Why.
    pub reason: String,
    /// Since when, `2026-11-21`.
    pub since: String,
}

/// `cases`: names of the workload's cases, which are given.
pub(super) struct CasesKind(pub Vec<String>);

/// `with`: paths within the lab, whose last parts are their names in the build.
pub(super) struct WithKind;

/// `[origin]`.
pub(super) struct OriginKind;

/// `[fails_on]`: from `FORMAT/NAME` of a message to what happens.
pub(super) struct FailsOnKind;

/// `[broken]`.
pub(super) struct BrokenKind;

impl Kind for CasesKind {
    type Value = Vec<String>;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Vec<String>>> {
        let cases = table.get::<List<String>>(key, must)?;
        let path = table.path(key);
        if cases.value.0.is_empty() {
            let text = format!("`{path}`: expected at least one case, found none");
            table
                .source
                .hinted(cases.line, text, "leave the key out for all cases");
        }
        distinct(table.source, &path, &cases.value.0);
        let known: Vec<(&str, ())> = self.0.iter().map(|name| (name.as_str(), ())).collect();
        for case in &cases.value.0 {
            choose(table.source, "case", case, &known);
        }
        Some(cases.map(List::values).into())
    }

    fn show(&self, value: &Vec<String>) -> Vec<(String, Value)> {
        one(texts(value))
    }
}

impl Kind for WithKind {
    type Value = Vec<String>;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Vec<String>>> {
        let paths = table.get::<List<String>>(key, must)?;
        distinct(table.source, &table.path(key), &paths.value.0);
        let mut names: Vec<&str> = Vec::new();
        for path in &paths.value.0 {
            let plain = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains('\0');
            if !path.value.split('/').all(plain) {
                let text = format!("`with`: `{}` is no path within the lab", short(&path.value));
                let hint = "for example `with = [\"kits/rust\"]`";
                table.source.hinted(path.line, text, hint);
            }
            let name = path.value.rsplit('/').next().unwrap_or_default();
            if names.contains(&name) {
                let text = format!("`with`: two paths end in `{}`", short(name));
                let hint = "the build finds each as `with/` and its last part";
                table.source.hinted(path.line, text, hint);
            }
            names.push(name);
        }
        Some(paths.map(List::values).into())
    }

    fn show(&self, value: &Vec<String>) -> Vec<(String, Value)> {
        one(texts(value))
    }
}

impl Kind for OriginKind {
    type Value = Origin;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Origin>> {
        let origin = table.get::<Table>(key, must)?;
        let text = phrase(&origin.value, "text");
        let licence = maybe_phrase(&origin.value, "licence");
        origin.value.finish();
        let value = Origin {
            text: text?.value,
            licence: licence.map(|licence| licence.value),
        };
        Some(origin.map(|_| value).into())
    }

    fn show(&self, value: &Origin) -> Vec<(String, Value)> {
        let licence = value.licence.as_ref();
        let licence = licence.map(|licence| (".licence".to_owned(), text(licence)));
        let text = (".text".to_owned(), text(&value.text));
        std::iter::once(text).chain(licence).collect()
    }
}

impl Kind for FailsOnKind {
    type Value = BTreeMap<String, String>;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Self::Value>> {
        let messages = table.get::<Table>(key, must)?;
        let mut value = BTreeMap::new();
        for (name, node) in messages.value.entries() {
            if !is_message(&name) {
                let text = format!("`fails_on`: `{}` is no message", short(&name));
                let hint = "for example `\"capnp-packed/truncated\" = \"…\"`: the format and the file's name without its end";
                table.source.hinted(node.line, text, hint);
            }
            if let Some(reason) = Phrase::take(node) {
                value.insert(name, reason.0);
            }
        }
        Some(messages.map(|_| value).into())
    }

    fn show(&self, value: &Self::Value) -> Vec<(String, Value)> {
        let line = |(message, reason): (&String, &String)| (format!(".{}", text(message)), text(reason));
        value.iter().map(line).collect()
    }
}

fn is_message(name: &str) -> bool {
    let word = |word: &str| {
        let letter = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
        !word.is_empty() && word.chars().all(letter)
    };
    name.split_once('/')
        .is_some_and(|(format, name)| word(format) && word(name))
}

impl Kind for BrokenKind {
    type Value = Broken;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Broken>> {
        let broken = table.get::<Table>(key, must)?;
        let inner = &broken.value;
        let reason = inner.required::<Phrase>("reason");
        let since = inner.required::<DateText>("since");
        inner.finish();
        let since = since?;
        if !is_date(&since.value.0) {
            let text = format!(
                "`{}`: expected a day, found `{}`",
                inner.path("since"),
                short(&since.value.0)
            );
            let hint = "for example `since = \"2026-11-21\"`";
            table.source.hinted(since.line, text, hint);
        }
        let value = Broken {
            reason: reason?.value.0,
            since: since.value.0,
        };
        Some(broken.map(|_| value).into())
    }

    fn show(&self, value: &Broken) -> Vec<(String, Value)> {
        vec![
            (".reason".to_owned(), text(&value.reason)),
            (".since".to_owned(), text(&value.since)),
        ]
    }
}
