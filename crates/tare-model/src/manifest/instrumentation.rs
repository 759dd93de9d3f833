//! A contender built and run with the instrumentation of its language.

use std::collections::BTreeMap;

use super::contender::Contender;
use super::explain::{Additions, Explain};
use super::language::Language;

impl Language {
    /// How a contender of this language is built and run with instrumentation; none where nothing would change.
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
    /// The environment of a contender, with this on top.
    pub fn over(&self, env: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        over(&self.env, env)
    }
}

impl Additions {
    /// What changes a contender's build: nothing without a build, and no words for tools that it does not name.
    fn of_use(mut self, contender: &Contender) -> Self {
        if contender.build.is_empty() {
            return Self::default();
        }
        let named = |tool: &str| contender.build.iter().flatten().any(|word| is_tool(word, tool));
        self.words.retain(|tool, words| !words.is_empty() && named(tool));
        self
    }

    /// The contender with this added to its build steps and its environment.
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

/// An environment with another on top. A variable in both has its own value, then the other's.
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
    use crate::manifest::error::ManifestError;
    use crate::manifest::language;

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
    fn errors_are_reported() {
        let error = |more: &str| {
            read(&format!("{TEXT}[explain]\n{more}\n"))
                .unwrap_err()
                .to_string()
        };
        let text = error("collector = \"perl\"");
        assert!(
            text.contains("c.toml:5: `explain.collector`: no lines of `perl`"),
            "{text}"
        );
        assert!(text.contains("one of jvm, go, ghc, v8"), "{text}");
        let text = error("compiler = \"v8\"");
        assert!(text.contains("`explain.compiler`: no lines of `v8`"), "{text}");
        assert!(error("colector = \"go\"").contains("`collector`?"));
        assert!(error("env = { A = \"{nowhere}\" }").contains("explain.env.A"));
        let tool = "[tools.cc]\nfind = [\"cc\"]\n";
        let text = error(&format!("build = {{ words = {{ cxx = [\"-g\"] }} }}\n{tool}"));
        assert!(
            text.contains("c.toml:5: `explain.build.words`: there is no tool `cxx`"),
            "{text}"
        );
        let text = error(&format!(
            "build = {{ words = {{ cc = [\"{{nowhere}}\"] }} }}\n{tool}"
        ));
        assert!(text.contains("explain.build.words.cc"), "{text}");
        assert!(error("build = { env = { A = \"{\" } }").contains("explain.build.env.A"));
        assert!(error("build = { word = 1 }").contains("`words`?"));
    }
}
