//! `[explain]` of a language: how its contenders are built and run so that they can be looked into. In the rounds of
//! `tare explain` only, and beside the same contender as it always is, so that what it costs is seen.

use std::collections::BTreeMap;

use super::argv::{Env, Known, check_env, check_text, take_env};
use super::take::List;
use super::toml::{Source, Spot, Table, Take};
use super::words::{near_or_all, short};
use super::{Additions, Contender, Explain, Language};

/// Whose lines on garbage collections can be read.
pub const COLLECTORS: [&str; 4] = ["jvm", "go", "ghc", "v8"];

/// Whose lines on compilations at run time can be read.
pub const COMPILERS: [&str; 1] = ["jvm"];

/// The table as it was written.
#[derive(Debug, Clone)]
pub(super) struct RawExplain {
    env: Env,
    build: RawAdditions,
    collector: Option<Spot<String>>,
    compiler: Option<Spot<String>>,
    built_with: Option<Spot<String>>,
    symbols: Option<Spot<String>>,
}

/// `[explain.build]` as it was written; each list of words with the line of its tool.
#[derive(Debug, Clone, Default)]
struct RawAdditions {
    env: Env,
    words: BTreeMap<String, Spot<Vec<Spot<String>>>>,
}

/// Takes `[explain]`, which may be missing.
pub(super) fn take_explain(root: &Table) -> Option<RawExplain> {
    let table = root.optional::<Table>("explain")?.value;
    let raw = RawExplain {
        env: take_env(&table),
        build: take_additions(&table),
        collector: table.optional("collector"),
        compiler: table.optional("compiler"),
        built_with: table.optional("built_with"),
        symbols: table.optional("symbols"),
    };
    table.finish();
    check_lines(table.source, "collector", &raw.collector, &COLLECTORS);
    check_lines(table.source, "compiler", &raw.compiler, &COMPILERS);
    Some(raw)
}

/// Reports somebody whose lines nobody can read.
fn check_lines(source: &Source, key: &str, name: &Option<Spot<String>>, known: &[&str]) {
    let unknown = |name: &&Spot<String>| !known.contains(&name.value.as_str());
    if let Some(name) = name.as_ref().filter(unknown) {
        let text = format!("`explain.{key}`: no lines of `{}` can be read", name.value);
        source.hinted(name.line, text, format!("one of {}", known.join(", ")));
    }
}

fn take_additions(explain: &Table) -> RawAdditions {
    let Some(table) = explain.optional::<Table>("build") else {
        return RawAdditions::default();
    };
    let table = table.value;
    let env = take_env(&table);
    let words = table.optional::<Table>("words");
    let words = words.map(|words| words.value.entries()).unwrap_or_default();
    let words = words.into_iter().filter_map(|(tool, node)| {
        let line = node.line;
        let List(value) = List::<String>::take(node)?;
        Some((tool, Spot { value, line }))
    });
    let words = words.collect();
    table.finish();
    RawAdditions { env, words }
}

impl RawAdditions {
    fn check(&self, source: &Source, known: &Known) {
        check_env(source, "explain.build.", &self.env, known);
        for (tool, words) in &self.words {
            if !known.tools.contains(&tool.as_str()) {
                let text = format!("`explain.build.words`: there is no tool `{}`", short(tool));
                source.hinted(words.line, text, near_or_all(tool, "tools here", known.tools));
            }
            for word in &words.value {
                check_text(source, &format!("explain.build.words.{tool}"), word, known);
            }
        }
    }

    fn resolve(self) -> Additions {
        let words = |spot: Spot<Vec<Spot<String>>>| spot.value.into_iter().map(|word| word.value).collect();
        Additions {
            env: values(self.env),
            words: self
                .words
                .into_iter()
                .map(|(tool, spot)| (tool, words(spot)))
                .collect(),
        }
    }
}

fn values(env: Env) -> BTreeMap<String, String> {
    env.into_iter().map(|(name, value)| (name, value.value)).collect()
}

impl RawExplain {
    /// Checks its placeholders.
    pub fn check(&self, source: &Source, known: &Known) {
        check_env(source, "explain.", &self.env, known);
        self.build.check(source, known);
    }

    pub fn resolve(self) -> Explain {
        let text = |spot: Option<Spot<String>>| spot.map(|spot| spot.value);
        Explain {
            env: values(self.env),
            build: self.build.resolve(),
            collector: text(self.collector),
            compiler: text(self.compiler),
            built_with: text(self.built_with),
            symbols: text(self.symbols),
        }
    }
}

impl Language {
    /// How a contender of this language is built and run to be looked into; none where both are as they always are.
    pub fn instrumentation(&self, contender: &Contender) -> Option<Explain> {
        let mut words = contender.build.iter().flatten().chain(&contender.run);
        let explain = self.explain.as_ref()?;
        if let Some(needed) = &explain.built_with
            && !words.any(|known| known == needed)
        {
            return None;
        }
        let mut instrumentation = explain.clone();
        instrumentation.build = instrumentation.build.of_use(contender);
        (!instrumentation.is_empty()).then_some(instrumentation)
    }
}

impl Explain {
    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.env.is_empty() && self.build.is_empty()
    }

    /// The environment of a contender that runs, with this on top.
    pub fn over(&self, env: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        over(&self.env, env)
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

    /// What of it changes a contender's build: nothing where there is none, no words for tools that it does not name.
    fn of_use(mut self, contender: &Contender) -> Self {
        if contender.build.is_empty() {
            return Self::default();
        }
        let named = |tool: &str| contender.build.iter().flatten().any(|word| is_tool(word, tool));
        self.words.retain(|tool, words| !words.is_empty() && named(tool));
        self
    }

    /// The contender built with this: its steps and its environment have more.
    pub fn to(&self, contender: &Contender) -> Contender {
        let mut other = contender.clone();
        other.env = over(&self.env, &contender.env);
        for step in &mut other.build {
            let added = |word: &String| self.words.iter().find(|(tool, _)| is_tool(word, tool));
            let with = |word: &String| {
                let more = added(word).map(|(_, words)| words.clone()).unwrap_or_default();
                std::iter::once(word.clone()).chain(more).collect::<Vec<_>>()
            };
            *step = step.iter().flat_map(with).collect();
        }
        other
    }
}

fn is_tool(word: &str, tool: &str) -> bool {
    word.strip_prefix('{').and_then(|word| word.strip_suffix('}')) == Some(tool)
}

/// An environment with another on top. What it sets itself stays, before the other's.
fn over(top: &BTreeMap<String, String>, env: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut instrumented = env.clone();
    for (name, value) in top {
        let own = instrumented.entry(name.clone()).or_default();
        if !own.is_empty() {
            own.push(' ');
        }
        own.push_str(value);
    }
    instrumented
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::{ManifestError, language};

    fn read(text: &str) -> Result<Language, ManifestError> {
        language::parse(text.as_bytes(), "languages/c.toml", "c")
    }

    const TEXT: &str = "schema = 1\nsummary = \"C\"\nrun = [\"{out}/x\"]\n";

    #[test]
    fn a_table_is_read() {
        let text = format!(
            "{TEXT}[explain]\ncollector = \"go\"\ncompiler = \"jvm\"\nbuilt_with = \"-g\"\nsymbols = \"-g\"\nenv = {{ A = \"1\", B = \"2\" }}\n"
        );
        let explain = read(&text).unwrap().explain.unwrap();
        assert_eq!(explain.words(), "A=1, B=2");
        assert_eq!(explain.collector.as_deref(), Some("go"));
        assert_eq!(explain.compiler.as_deref(), Some("jvm"));
        let own = [("A".to_owned(), "0".to_owned())].into();
        let instrumented = explain.over(&own);
        assert_eq!(
            (instrumented["A"].as_str(), instrumented["B"].as_str()),
            ("0 1", "2")
        );
        assert_eq!(read(TEXT).unwrap().explain, None);
    }

    #[test]
    fn what_is_wrong_with_it_is_told() {
        let told = |more: &str| {
            read(&format!("{TEXT}[explain]\n{more}\n"))
                .unwrap_err()
                .to_string()
        };
        let text = told("collector = \"perl\"");
        assert!(
            text.contains("c.toml:5: `explain.collector`: no lines of `perl`"),
            "{text}"
        );
        assert!(text.contains("one of jvm, go, ghc, v8"), "{text}");
        let text = told("compiler = \"v8\"");
        assert!(text.contains("`explain.compiler`: no lines of `v8`"), "{text}");
        assert!(told("colector = \"go\"").contains("`collector`?"));
        assert!(told("env = { A = \"{nowhere}\" }").contains("explain.env.A"));
        let tool = "[tools.cc]\nfind = [\"cc\"]\n";
        let text = told(&format!("build = {{ words = {{ cxx = [\"-g\"] }} }}\n{tool}"));
        assert!(
            text.contains("c.toml:5: `explain.build.words`: there is no tool `cxx`"),
            "{text}"
        );
        let text = told(&format!(
            "build = {{ words = {{ cc = [\"{{nowhere}}\"] }} }}\n{tool}"
        ));
        assert!(text.contains("explain.build.words.cc"), "{text}");
        assert!(told("build = { env = { A = \"{\" } }").contains("explain.build.env.A"));
        assert!(told("build = { word = 1 }").contains("`words`?"));
    }
}
