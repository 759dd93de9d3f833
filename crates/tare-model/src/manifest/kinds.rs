//! Kinds of values that several manifests have: texts, switches, names from a fixed set, contenders.

use toml_edit::Value;

use super::fields::{Phrase, choose, contender_id, distinct};
use super::keys::{Kind, Taken};
use super::table::Table;
use super::take::List;
use super::write::{text, texts};
use crate::ids::ContenderId;

/// Any text.
pub(super) struct TextKind;

/// One line of text for people, not empty.
pub(super) struct PhraseKind;

/// `true` or `false`.
pub(super) struct TruthKind;

/// A list of texts, all different.
pub(super) struct TextsKind;

/// The id of a contender.
pub(super) struct IdKind;

/// A name from a fixed set. The first field says what it names: `style`.
pub(super) struct OneOf<T: 'static>(pub &'static str, pub &'static [T], pub fn(T) -> &'static str);

/// A value that may be missing.
pub(super) struct Maybe<K>(pub K);

impl Kind for TextKind {
    type Value = String;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<String>> {
        table.get::<String>(key, must).map(Taken::from)
    }

    fn show(&self, value: &String) -> Vec<(String, Value)> {
        one(text(value))
    }
}

impl Kind for PhraseKind {
    type Value = String;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<String>> {
        let phrase = table.get::<Phrase>(key, must)?;
        Some(phrase.map(|phrase| phrase.0).into())
    }

    fn show(&self, value: &String) -> Vec<(String, Value)> {
        one(text(value))
    }
}

impl Kind for TruthKind {
    type Value = bool;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<bool>> {
        table.get::<bool>(key, must).map(Taken::from)
    }

    fn show(&self, value: &bool) -> Vec<(String, Value)> {
        one((*value).into())
    }
}

impl Kind for TextsKind {
    type Value = Vec<String>;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Vec<String>>> {
        let list = table.get::<List<String>>(key, must)?;
        distinct(table.source, &table.path(key), &list.value.0);
        Some(list.map(List::values).into())
    }

    fn show(&self, value: &Vec<String>) -> Vec<(String, Value)> {
        one(texts(value))
    }
}

impl Kind for IdKind {
    type Value = ContenderId;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<ContenderId>> {
        let id = table.get::<String>(key, must)?;
        contender_id(table.source, &id).map(Taken::from)
    }

    fn show(&self, value: &ContenderId) -> Vec<(String, Value)> {
        one(text(&value.to_string()))
    }
}

impl<T: Copy> Kind for OneOf<T> {
    type Value = T;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<T>> {
        let Self(what, all, name_of) = self;
        let choices: Vec<(&str, T)> = all.iter().map(|one| (name_of(*one), *one)).collect();
        let name = table.get::<String>(key, must)?;
        choose(table.source, what, &name, &choices).map(Taken::from)
    }

    fn show(&self, value: &T) -> Vec<(String, Value)> {
        one(text((self.2)(*value)))
    }
}

impl<K: Kind> Kind for Maybe<K> {
    type Value = Option<K::Value>;

    const ADDS: bool = K::ADDS;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Self::Value>> {
        let Taken { value, line, parts } = self.0.take(table, key, must)?;
        Some(Taken {
            value: Some(value),
            line,
            parts,
        })
    }

    fn show(&self, value: &Self::Value) -> Vec<(String, Value)> {
        value.iter().flat_map(|value| self.0.show(value)).collect()
    }
}

/// A value that is shown on one line, under its key.
pub(super) fn one(value: Value) -> Vec<(String, Value)> {
    vec![(String::new(), value)]
}
