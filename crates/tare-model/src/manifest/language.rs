//! `languages/NAME.toml`: what the contenders of a language have in common.

use super::argv::{
    Argv, Env, Known, PLACEHOLDERS, TOOL_PLACEHOLDERS, check_env, check_text, steps, take_env,
};
use super::error::ManifestError;
use super::explain::{RawExplain, take_explain};
use super::fields::{check_name, phrase, take_apt, take_needs};
use super::take::List;
use super::toml::{Source, Spot, Table, read};
use super::words::short;
use super::{Language, Needs, Tool};

/// A language's file as it was written (schema 1), every value with its line.
#[derive(Debug, Clone)]
pub(super) struct RawLanguage {
    pub file: String,
    pub name: String,
    pub summary: String,
    pub build: Option<Spot<Vec<Spot<Argv>>>>,
    pub run: Option<Spot<Argv>>,
    pub env: Env,
    pub needs: Option<Spot<Needs>>,
    pub tools: Vec<Tool>,
    pub explain: Option<RawExplain>,
}

/// Reads a language's manifest. `file` is what errors call it, `name` the language's name.
/// Errors: everything that is wrong with it.
pub fn parse(bytes: &[u8], file: &str, name: &str) -> Result<Language, ManifestError> {
    parse_raw(bytes, file, name).map(RawLanguage::resolve)
}

/// The same, with the lines kept.
pub(super) fn parse_raw(bytes: &[u8], file: &str, name: &str) -> Result<RawLanguage, ManifestError> {
    read(bytes, file, |root| {
        let summary = phrase(root, "summary");
        let raw = RawLanguage {
            file: file.to_owned(),
            name: name.to_owned(),
            summary: summary?.value,
            build: root
                .optional::<List<Argv>>("build")
                .map(|spot| spot.map(|list| list.0)),
            run: root.optional("run"),
            env: take_env(root),
            needs: take_needs(root),
            tools: take_tools(root, &PLACEHOLDERS),
            explain: take_explain(root),
        };
        raw.check(root.source);
        Some(raw)
    })
}

impl RawLanguage {
    /// Its tools' names.
    pub fn tool_names(&self) -> Vec<&str> {
        self.tools.iter().map(|tool| tool.name.as_str()).collect()
    }

    fn check(&self, source: &Source) {
        let tools = self.tool_names();
        let known = Known {
            lab: &PLACEHOLDERS,
            tools: &tools,
            env: false,
        };
        for step in self.build.iter().flat_map(|steps| &steps.value) {
            step.value.check(source, "build", &known);
        }
        if let Some(run) = &self.run {
            run.value.check(source, "run", &known);
        }
        check_env(source, "", &self.env, &known);
        if let Some(explain) = &self.explain {
            explain.check(source, &known);
        }
    }

    fn resolve(self) -> Language {
        Language {
            name: self.name,
            summary: self.summary,
            tools: self.tools,
            build: self.build.map(|build| steps(&build.value)).unwrap_or_default(),
            run: self.run.map(|run| run.value.words()).unwrap_or_default(),
            env: self
                .env
                .into_iter()
                .map(|(name, value)| (name, value.value))
                .collect(),
            needs: self.needs.map(|needs| needs.value).unwrap_or_default(),
            explain: self.explain.map(RawExplain::resolve),
        }
    }
}

/// Reports a name that is a placeholder of the lab's own already. `what`: `a tool's name`.
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
            let table = super::toml::Take::take(node)?;
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
    let key = |key: &str| table.path(key);
    check_at_least(table, at_least.as_ref(), version.is_some());
    if let Some(version) = &version {
        version.value.check(table.source, &key("version"), &known);
    }
    for step in &install {
        step.value.check(table.source, &key("install"), &known);
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
