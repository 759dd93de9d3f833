//! `languages/NAME.toml`: what the contenders of a language have in common.

use std::collections::BTreeMap;

use super::argv::{CommandKind, EnvKind, Known, PLACEHOLDERS, StepsKind};
use super::document::read;
use super::error::ManifestError;
use super::explain::{Explain, ExplainKind};
use super::keys::{Keys, field};
use super::kinds::{Maybe, PhraseKind};
use super::sources::{Layer, Sources};
use super::tools::{Needs, NeedsKind, Tool, take_tools};

/// A language: defaults for its contenders.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Language {
    /// Its file's name.
    pub name: String,
    /// One line.
    pub summary: String,
    /// Its tools by name, in the order of the manifest.
    pub tools: Vec<Tool>,
    /// Default build steps.
    pub build: Vec<Vec<String>>,
    /// Default command.
    pub run: Vec<String>,
    /// Default environment.
    pub env: BTreeMap<String, String>,
    /// What has to be installed for every contender of the language.
    pub needs: Needs,
    /// How contenders are built and run with instrumentation.
    pub explain: Option<Explain>,
}

/// A language as its contenders inherit it.
#[derive(Debug, Clone)]
pub(super) struct Inherited {
    pub file: String,
    pub language: Language,
    pub sources: Sources,
}

/// The keys of a language's manifest, besides `tools`, whose names are placeholders of the others.
fn keys<'c>(known: &'c Known<'c>) -> Keys<'c, Language> {
    let mut keys = Keys::<Language>::new();
    keys.must(field!(summary), PhraseKind);
    keys.may(field!(build), StepsKind(Some(known)));
    keys.may(field!(run), CommandKind(Some(known)));
    keys.may(field!(env), EnvKind(Some(known)));
    keys.may(field!(needs), NeedsKind);
    keys.may(field!(explain), Maybe(ExplainKind(known)));
    keys
}

/// Reads a language's manifest. `file` is what errors call it, `name` the language's name.
/// Errors: everything that is wrong with it.
pub fn parse(bytes: &[u8], file: &str, name: &str) -> Result<Language, ManifestError> {
    parse_with_sources(bytes, file, name).map(|read| read.language)
}

/// The same, with where each value came from.
pub(super) fn parse_with_sources(bytes: &[u8], file: &str, name: &str) -> Result<Inherited, ManifestError> {
    read(bytes, file, |root| {
        let tools = take_tools(root, &PLACEHOLDERS);
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        let known = Known {
            lab: &PLACEHOLDERS,
            tools: &names,
            env: false,
        };
        let mut language = Language {
            name: name.to_owned(),
            tools: tools.clone(),
            ..Language::default()
        };
        let mut sources = Sources::default();
        keys(&known).read(root, Layer::Own, &mut language, &mut sources)?;
        Some(Inherited {
            file: file.to_owned(),
            language,
            sources,
        })
    })
}
