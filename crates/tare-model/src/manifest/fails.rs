//! `[fails_on]`: messages that a contender is known not to survive, each with what happens.

use std::collections::BTreeMap;

use super::fields::Phrase;
use super::toml::{Spot, Table, Take};
use super::words::short;

/// Takes the table, which may be missing: from `FORMAT/NAME` to a sentence.
pub(super) fn take_fails_on(root: &Table) -> Option<Spot<BTreeMap<String, String>>> {
    let table = root.optional::<Table>("fails_on")?;
    let mut taken = BTreeMap::new();
    for (name, node) in table.value.entries() {
        if !is_message(&name) {
            let text = format!("`fails_on`: `{}` is no message", short(&name));
            let hint = "for example `\"capnp-packed/truncated\" = \"…\"`: the format and the file's name without its end";
            root.source.hinted(node.line, text, hint);
        }
        if let Some(reason) = Phrase::take(node) {
            taken.insert(name, reason.0);
        }
    }
    Some(Spot {
        value: taken,
        line: table.line,
    })
}

fn is_message(name: &str) -> bool {
    let word = |word: &str| {
        let letter = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
        !word.is_empty() && word.chars().all(letter)
    };
    name.split_once('/')
        .is_some_and(|(format, name)| word(format) && word(name))
}
