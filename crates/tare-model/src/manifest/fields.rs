//! Kinds of fields that several manifests have: phrases, names from a fixed set, counts, packages.

use std::collections::HashSet;

use super::Needs;
use super::take::List;
use super::toml::{Node, Source, Spot, Table, Take};
use super::words::{near_or_all, short};
use crate::ids::{ContenderId, is_name, is_part};
use crate::metric::{Metric, Mode};

/// One line of text for people, not empty.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Phrase(pub String);

impl<'d> Take<'d> for Phrase {
    const EXPECTED: &'static str = "one line of text";
    const EXAMPLE: &'static str = "\"…\"";

    fn take(node: Node<'d>) -> Option<Self> {
        let (source, path, line) = (node.source, node.path.clone(), node.line);
        let text = String::take(node)?;
        let found = match text.trim() {
            "" => "an empty string",
            phrase if phrase.chars().any(char::is_control) => "several lines, or control characters",
            phrase => return Some(Self(phrase.to_owned())),
        };
        source.problem(
            line,
            format!("`{path}`: expected one line of text, found {found}"),
            None,
        );
        None
    }
}

/// Takes a phrase that must be there.
pub(super) fn phrase(table: &Table, key: &'static str) -> Option<Spot<String>> {
    table
        .required::<Phrase>(key)
        .map(|spot| spot.map(|phrase| phrase.0))
}

/// Takes a phrase that may be missing.
pub(super) fn maybe_phrase(table: &Table, key: &'static str) -> Option<Spot<String>> {
    table
        .optional::<Phrase>(key)
        .map(|spot| spot.map(|phrase| phrase.0))
}

/// Finds a name in a fixed set. Problem: `unknown mode `fast``, with what there is.
pub(super) fn choose<T: Copy>(
    source: &Source,
    what: &str,
    name: &Spot<String>,
    choices: &[(&str, T)],
) -> Option<Spot<T>> {
    let chosen = choices.iter().find(|(known, _)| *known == name.value);
    if let Some(&(_, value)) = chosen {
        return Some(Spot {
            value,
            line: name.line,
        });
    }
    let names: Vec<&str> = choices.iter().map(|(known, _)| *known).collect();
    let text = format!("unknown {what} `{}`", short(&name.value));
    source.hinted(
        name.line,
        text,
        near_or_all(&name.value, "expected one of", &names),
    );
    None
}

/// A mode by its name.
pub(super) fn mode(source: &Source, name: &Spot<String>) -> Option<Spot<Mode>> {
    choose(
        source,
        "mode",
        name,
        &Mode::OF_WORKLOADS.map(|mode| (mode.name(), mode)),
    )
}

/// A metric by its name.
pub(super) fn metric(source: &Source, name: &Spot<String>) -> Option<Spot<Metric>> {
    choose(
        source,
        "metric",
        name,
        &Metric::ALL.map(|metric| (metric.name(), metric)),
    )
}

/// A contender's id by its text.
pub(super) fn contender_id(source: &Source, text: &Spot<String>) -> Option<Spot<ContenderId>> {
    match text.value.parse() {
        Ok(value) => Some(Spot {
            value,
            line: text.line,
        }),
        Err(error) => {
            source.problem(text.line, error.to_string(), None);
            None
        }
    }
}

/// Reports a key that is no name of a case, which may start with a digit.
pub(super) fn check_case_name(source: &Source, name: &str, line: u32) {
    if !is_part(name) {
        let text = format!("`{}` is no case's name", short(name));
        source.hinted(line, text, "lower-case letters, digits and single dashes");
    }
}

/// Reports a key that is no name (of a tool, a variant, a service).
pub(super) fn check_name(source: &Source, what: &str, name: &str, line: u32) {
    if !is_name(name) {
        let text = format!("`{}` is no {what}'s name", short(name));
        source.hinted(
            line,
            text,
            "lower-case letters, digits and single dashes, starting with a letter",
        );
    }
}

/// Takes a whole number within limits.
pub(super) fn count(table: &Table, key: &'static str, limit: u32) -> Option<Spot<u32>> {
    let number = table.required::<i64>(key)?;
    within(table.source, &table.path(key), &number, limit)
}

/// Takes a whole number within limits; missing: 1, as tare's default (line 0 stands for that).
pub(super) fn count_or_one(table: &Table, key: &'static str, limit: u32) -> Option<Spot<u32>> {
    match table.has(key) {
        true => count(table, key, limit),
        false => {
            table.optional::<i64>(key);
            Some(Spot { value: 1, line: 0 })
        }
    }
}

/// A number between 1 and the limit.
pub(super) fn within(source: &Source, path: &str, number: &Spot<i64>, limit: u32) -> Option<Spot<u32>> {
    let value = u32::try_from(number.value)
        .ok()
        .filter(|value| (1..=limit).contains(value));
    if value.is_none() {
        let text = format!("`{path}`: expected 1 to {limit}, found {}", number.value);
        source.problem(number.line, text, None);
    }
    value.map(|value| Spot {
        value,
        line: number.line,
    })
}

/// The same for numbers of 64 bits.
pub(super) fn within64(source: &Source, path: &str, number: &Spot<i64>, limit: u64) -> Option<u64> {
    let value = u64::try_from(number.value)
        .ok()
        .filter(|value| (1..=limit).contains(value));
    if value.is_none() {
        let text = format!("`{path}`: expected 1 to {limit}, found {}", number.value);
        source.problem(number.line, text, None);
    }
    value
}

/// A list of distinct texts. Problem: which one is there twice.
pub(super) fn distinct(source: &Source, path: &str, items: &[Spot<String>]) {
    let mut seen = HashSet::new();
    for item in items {
        if !seen.insert(item.value.as_str()) {
            source.problem(
                item.line,
                format!("`{path}`: `{}` is there twice", short(&item.value)),
                None,
            );
        }
    }
}

/// Takes `[needs]`, which may be missing.
pub(super) fn take_needs(table: &Table) -> Option<Spot<Needs>> {
    let needs = table.optional::<Table>("needs")?;
    let apt = take_apt(&needs.value);
    needs.value.finish();
    Some(Spot {
        value: Needs { apt },
        line: needs.line,
    })
}

/// Takes `apt`, a list of Debian packages which may be missing.
pub(super) fn take_apt(table: &Table) -> Vec<String> {
    let Some(packages) = table.optional::<List<String>>("apt") else {
        return Vec::new();
    };
    let List(packages) = packages.value;
    for package in packages.iter().filter(|package| !is_package(&package.value)) {
        let text = format!(
            "`{}`: `{}` is no Debian package's name",
            table.path("apt"),
            short(&package.value)
        );
        let hint = "lower-case letters, digits, `+`, `-` and `.`, as `apt-cache show NAME` knows it";
        table.source.hinted(package.line, text, hint);
    }
    packages.into_iter().map(|package| package.value).collect()
}

/// Debian policy 5.6.1: at least two of lower-case letters, digits, `+`, `-`, `.`; starting with one of the first two.
fn is_package(name: &str) -> bool {
    name.len() >= 2
        && name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "+-.".contains(c))
}

/// A day as `2026-11-21`, in a month that has it.
pub(super) fn is_date(text: &str) -> bool {
    let digits = |from: usize, to: usize| text.get(from..to).and_then(|part| part.parse::<u32>().ok());
    let shape = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    let (Some(year), Some(month), Some(day), true) = (digits(0, 4), digits(5, 7), digits(8, 10), shape)
    else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_days() {
        for good in ["2026-11-21", "2024-02-29", "2000-02-29", "1999-12-31"] {
            assert!(is_date(good), "{good}");
        }
        for bad in [
            "2026-11-31",
            "2023-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-01",
            "2026-1-1",
            "",
            "yesterday!",
            "2026/11/21",
        ] {
            assert!(!is_date(bad), "{bad}");
        }
    }

    #[test]
    fn packages_are_packages() {
        for good in ["gcc", "g++", "libc6-dev", "python3.11", "0ad"] {
            assert!(is_package(good), "{good}");
        }
        for bad in ["", "a", "-y", "GCC", "gcc=12", "gcc 12", "../x"] {
            assert!(!is_package(bad), "{bad}");
        }
    }
}
