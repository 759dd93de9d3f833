//! `[explain]` of a language: how its contenders are run so that they can be looked into. In the rounds of `tare
//! explain` only, and beside the same contender as it always is, so that what it costs is seen.

use super::argv::{Env, Known, check_env, take_env};
use super::toml::{Source, Spot, Table};
use super::{Contender, Explain, Language};

/// Whose lines on garbage collections can be read.
pub const COLLECTORS: [&str; 4] = ["jvm", "go", "ghc", "v8"];

/// The table as it was written.
#[derive(Debug, Clone)]
pub(super) struct RawExplain {
    env: Env,
    collector: Option<Spot<String>>,
    built_with: Option<Spot<String>>,
    symbols: Option<Spot<String>>,
}

/// Takes `[explain]`, which may be missing.
pub(super) fn take_explain(root: &Table) -> Option<RawExplain> {
    let table = root.optional::<Table>("explain")?.value;
    let raw = RawExplain {
        env: take_env(&table),
        collector: table.optional("collector"),
        built_with: table.optional("built_with"),
        symbols: table.optional("symbols"),
    };
    table.finish();
    if let Some(name) = raw
        .collector
        .as_ref()
        .filter(|name| !COLLECTORS.contains(&name.value.as_str()))
    {
        let text = format!("`explain.collector`: no lines of `{}` can be read", name.value);
        table
            .source
            .hinted(name.line, text, format!("one of {}", COLLECTORS.join(", ")));
    }
    Some(raw)
}

impl RawExplain {
    /// Checks its placeholders.
    pub fn check(&self, source: &Source, known: &Known) {
        check_env(source, "explain.", &self.env, known);
    }

    pub fn resolve(self) -> Explain {
        let text = |spot: Option<Spot<String>>| spot.map(|spot| spot.value);
        let env = self.env.into_iter().map(|(name, value)| (name, value.value));
        Explain {
            env: env.collect(),
            collector: text(self.collector),
            built_with: text(self.built_with),
            symbols: text(self.symbols),
        }
    }
}

impl Language {
    /// How a contender of this language is run to be looked into; none where that is as it always is.
    pub fn dress(&self, contender: &Contender) -> Option<&Explain> {
        let mut words = contender.build.iter().flatten().chain(&contender.run);
        let explain = self.explain.as_ref().filter(|explain| !explain.env.is_empty())?;
        match &explain.built_with {
            Some(word) => words.any(|known| known == word).then_some(explain),
            None => Some(explain),
        }
    }
}

impl Explain {
    /// The environment of a contender with this on top. What it sets itself stays, before ours.
    pub fn over(
        &self,
        env: &std::collections::BTreeMap<String, String>,
    ) -> std::collections::BTreeMap<String, String> {
        let mut dressed = env.clone();
        for (name, value) in &self.env {
            let own = dressed.entry(name.clone()).or_default();
            if !own.is_empty() {
                own.push(' ');
            }
            own.push_str(value);
        }
        dressed
    }

    /// What it sets, for people.
    pub fn words(&self) -> String {
        let set = self.env.iter().map(|(name, value)| format!("{name}={value}"));
        set.collect::<Vec<_>>().join(", ")
    }
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
            "{TEXT}[explain]\ncollector = \"go\"\nbuilt_with = \"-g\"\nsymbols = \"-g\"\nenv = {{ A = \"1\", B = \"2\" }}\n"
        );
        let explain = read(&text).unwrap().explain.unwrap();
        assert_eq!(explain.words(), "A=1, B=2");
        assert_eq!(explain.collector.as_deref(), Some("go"));
        let own = [("A".to_owned(), "0".to_owned())].into();
        let dressed = explain.over(&own);
        assert_eq!((dressed["A"].as_str(), dressed["B"].as_str()), ("0 1", "2"));
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
        assert!(told("colector = \"go\"").contains("`collector`?"));
        assert!(told("env = { A = \"{nowhere}\" }").contains("explain.env.A"));
    }
}
