//! What several kinds of values need: phrases, names from a fixed set, counts, dates.

use std::collections::HashSet;

use super::node::{Node, Take};
use super::source::{Source, Spot};
use super::table::Table;
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

/// Finds a name in a fixed set. Reports an unknown one, with the known names as the hint.
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

/// Reports an invalid name of a case, which may start with a digit.
pub(super) fn check_case_name(source: &Source, name: &str, line: u32) {
    if !is_part(name) {
        let text = format!("`{}` is no case's name", short(name));
        source.hinted(line, text, "lower-case letters, digits and single dashes");
    }
}

/// Reports an invalid name of a tool, a variant or a service.
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

/// Checks that a number is between 1 and a limit.
pub(super) fn within<T: TryFrom<i64> + Into<u64> + Copy>(
    source: &Source,
    path: &str,
    number: &Spot<i64>,
    limit: T,
) -> Option<Spot<T>> {
    let limit: u64 = limit.into();
    let value = T::try_from(number.value).ok();
    let value = value.filter(|value| (1..=limit).contains(&(*value).into()));
    if value.is_none() {
        let text = format!("`{path}`: expected 1 to {limit}, found {}", number.value);
        source.problem(number.line, text, None);
    }
    value.map(|value| number.map(|_| value))
}

/// Reports texts that a list holds twice.
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
}
