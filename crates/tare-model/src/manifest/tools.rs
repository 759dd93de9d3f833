//! What has to be installed: packages and tools.

use toml_edit::Value;

use super::argv::{Argv, Known, TOOL_PLACEHOLDERS, check_text, steps};
use super::fields::check_name;
use super::keys::{Kind, Taken};
use super::node::Take;
use super::source::{Source, Spot};
use super::table::Table;
use super::take::List;
use super::words::short;
use super::write::texts;

/// What has to be installed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Needs {
    /// Debian packages.
    pub apt: Vec<String>,
}

/// A program that builds or runs contenders.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tool {
    /// Its placeholder's name.
    pub name: String,
    /// Where it may be; the first place found is used: a name on the PATH, or a path, which may hold `*`, `{tools}` and
    /// `{env:NAME}`.
    pub find: Vec<String>,
    /// The command that prints its version, in the first line with a digit; empty: none.
    pub version: Vec<String>,
    /// The lowest version that is accepted, compared number by number.
    pub at_least: Option<String>,
    /// Debian packages that contain it.
    pub apt: Vec<String>,
    /// Commands that install it where no package does (into `{tools}`).
    pub install: Vec<Vec<String>>,
}

/// `[needs]`: packages, which add to the inherited ones.
pub(super) struct NeedsKind;

impl Needs {
    /// Adds the packages that are not there yet.
    pub(super) fn add(&mut self, more: &Needs) {
        let new = more.apt.iter().filter(|package| !self.apt.contains(package));
        let new: Vec<String> = new.cloned().collect();
        self.apt.extend(new);
    }
}

impl Kind for NeedsKind {
    type Value = Needs;

    const ADDS: bool = true;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Needs>> {
        let needs = table.get::<Table>(key, must)?;
        let apt = take_apt(&needs.value);
        needs.value.finish();
        Some(needs.map(|_| Needs { apt }).into())
    }

    fn lay(&self, value: Needs, over: &mut Needs) {
        over.add(&value);
    }

    fn show(&self, value: &Needs) -> Vec<(String, Value)> {
        vec![(".apt".to_owned(), texts(&value.apt))]
    }
}

/// Takes `apt`, a list of Debian packages which may be missing.
fn take_apt(table: &Table) -> Vec<String> {
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

/// Reports a name that is one of the lab's own placeholders. `what`: `a tool's name`.
pub(super) fn reserve(source: &Source, placeholders: &[&str], what: &str, name: &str, line: u32) {
    if placeholders.contains(&name) {
        let text = format!("`{name}` cannot be {what}: `{{{name}}}` is the lab's own placeholder");
        source.problem(line, text, None);
    }
}

/// Takes `[tools]`, which may be missing. `placeholders`: names that no tool may have.
pub(super) fn take_tools(root: &Table, placeholders: &[&str]) -> Vec<Tool> {
    let Some(tools) = root.optional::<Table>("tools") else {
        return Vec::new();
    };
    let entries = tools.value.entries();
    let names: Vec<String> = entries.iter().map(|(name, _)| name.clone()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    entries
        .into_iter()
        .filter_map(|(name, node)| {
            check_name(root.source, "tool", &name, node.line);
            reserve(root.source, placeholders, "a tool's name", &name, node.line);
            let table = Table::take(node)?;
            take_tool(&table, name, &names)
        })
        .collect()
}

fn take_tool(table: &Table, name: String, tools: &[&str]) -> Option<Tool> {
    let find = table.required::<List<String>>("find");
    let version = table.optional::<Argv>("version");
    let at_least = table.optional::<String>("at_least");
    let apt = take_apt(table);
    let install = table
        .optional::<List<Argv>>("install")
        .map(|spot| spot.value.0)
        .unwrap_or_default();
    table.finish();
    let known = Known {
        lab: &TOOL_PLACEHOLDERS,
        tools,
        env: false,
    };
    check_at_least(table, at_least.as_ref(), version.is_some());
    if let Some(version) = &version {
        version.value.check(table, "version", Some(&known));
    }
    for step in &install {
        step.value.check(table, "install", Some(&known));
    }
    Some(Tool {
        name,
        find: check_find(table, find?),
        version: version.map(|argv| argv.value.words()).unwrap_or_default(),
        at_least: at_least.map(|text| text.value),
        apt,
        install: steps(&install),
    })
}

fn check_find(table: &Table, find: Spot<List<String>>) -> Vec<String> {
    let key = table.path("find");
    let List(places) = find.value;
    let known = Known {
        lab: &TOOL_PLACEHOLDERS,
        tools: &[],
        env: true,
    };
    if places.is_empty() {
        table.source.problem(
            find.line,
            format!("`{key}`: expected a place to look at, found an empty list"),
            None,
        );
    }
    for place in &places {
        if place.value.trim().is_empty() {
            table.source.problem(
                place.line,
                format!("`{key}`: expected a name or a path, found nothing"),
                None,
            );
        }
        check_text(table.source, &key, place, &known);
    }
    places.into_iter().map(|place| place.value).collect()
}

fn check_at_least(table: &Table, at_least: Option<&Spot<String>>, versioned: bool) {
    let Some(least) = at_least else { return };
    let key = table.path("at_least");
    let numbers = least
        .value
        .split('.')
        .all(|part| part.parse::<u32>().is_ok_and(|_| !part.starts_with('+')));
    if !numbers {
        let text = format!(
            "`{key}`: expected numbers with dots between, found `{}`",
            short(&least.value)
        );
        table
            .source
            .hinted(least.line, text, "for example `at_least = \"21.0.2\"`");
    }
    if !versioned {
        let text = format!("`{key}`: there is no `version` command to compare with");
        table.source.hinted(
            least.line,
            text,
            "for example `version = [\"{cc}\", \"--version\"]`",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
