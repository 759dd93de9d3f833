//! `contender.toml`: one program, or several variants of one, that does a workload's job. A variant is laid over its
//! contender, that over its language, and that over tare's own defaults.

mod container;
mod keys;
mod parts;
mod paths;
mod reach;

use std::collections::BTreeMap;

pub use container::{Container, Dockerfile, Image, Limits};
pub use keys::{Contender, Style};
pub use parts::{Broken, Origin};

use super::argv::{Known, PLACEHOLDERS};
use super::document::read;
use super::error::ManifestError;
use super::fields::check_name;
use super::language::{Inherited, parse_with_sources};
use super::node::Take;
use super::source::{Source, Spot};
use super::sources::Layer;
use super::speaks::Speaks;
use super::table::Table;
use super::words::{near_or_all, short};
use super::workload::Workload;
use crate::ids::ContenderId;
use container::CONTAINED;
use keys::{Context, keys};

/// What a contender inherits from its language.
const FROM_LANGUAGE: [&str; 4] = ["build", "run", "env", "needs"];

/// The languages that a contender may be written in, each read or with what is wrong with it.
#[derive(Debug, Clone, Default)]
pub struct Languages {
    read: BTreeMap<String, Result<Inherited, ManifestError>>,
}

impl Languages {
    /// Reads languages from their names, files (as errors call them) and bytes.
    pub fn read<'a>(texts: impl IntoIterator<Item = (&'a str, &'a str, &'a [u8])>) -> Self {
        let mut languages = Self::default();
        for (name, file, bytes) in texts {
            languages.insert(name, file, bytes);
        }
        languages
    }

    pub(super) fn insert_broken(&mut self, name: &str, error: ManifestError) {
        self.read.insert(name.to_owned(), Err(error));
    }

    pub(super) fn insert(&mut self, name: &str, file: &str, bytes: &[u8]) {
        self.read
            .insert(name.to_owned(), parse_with_sources(bytes, file, name));
    }

    /// A language by its name. Reports that there is none, or what is wrong with it.
    fn find(&self, source: &Source, name: &Spot<String>) -> Option<&Inherited> {
        match self.read.get(&name.value) {
            Some(Ok(language)) => Some(language),
            Some(Err(error)) => {
                source.foreign(error);
                None
            }
            None => {
                let names: Vec<&str> = self.read.keys().map(String::as_str).collect();
                let text = format!("there is no language `{}`", short(&name.value));
                let hint = if names.is_empty() {
                    "the lab has no `languages/*.toml`".to_owned()
                } else {
                    near_or_all(&name.value, "there are", &names)
                };
                source.hinted(name.line, text, hint);
                None
            }
        }
    }
}

/// A contender's own language, and the further ones that it uses.
struct Spoken<'l> {
    own: &'l Inherited,
    more: Vec<&'l Inherited>,
}

impl<'l> Spoken<'l> {
    /// The languages that a manifest names. None: there is none, or one of them is wrong, which is reported.
    fn find(root: &Table, languages: &'l Languages) -> Option<Self> {
        let own = languages.find(root.source, &root.peek_text("language")?)?;
        let uses = root.peek_texts("uses");
        let more: Vec<_> = uses
            .iter()
            .map(|name| languages.find(root.source, name))
            .collect();
        Some(Self {
            own,
            more: more.into_iter().collect::<Option<_>>()?,
        })
    }

    fn all(&self) -> impl Iterator<Item = &'l Inherited> + '_ {
        std::iter::once(self.own).chain(self.more.iter().copied())
    }

    fn tools(&self) -> Vec<&'l str> {
        let tools = self.all().flat_map(|one| &one.language.tools);
        tools.map(|tool| tool.name.as_str()).collect()
    }

    /// What the contender starts from, before its own manifest is laid over it.
    fn inherited(&self) -> Contender {
        let own = &self.own.language;
        let mut contender = Contender {
            build: own.build.clone(),
            run: own.run.clone(),
            env: own.env.clone(),
            ..Contender::default()
        };
        contender.sources.inherit(&self.own.sources, &FROM_LANGUAGE);
        for more in &self.more {
            contender.sources.inherit(&more.sources, &["needs"]);
        }
        for one in self.all() {
            contender.needs.add(&one.language.needs);
        }
        contender
    }
}

/// Reads a contender's manifest and resolves it against its language: one contender, or one for each variant.
/// `file` is what errors call it, `name` the contender's name. The caller sets the folders.
/// Errors: everything that is wrong with it, or with the languages that it names.
pub fn parse(
    bytes: &[u8],
    file: &str,
    name: &str,
    workload: &Workload,
    languages: &Languages,
) -> Result<Vec<Contender>, ManifestError> {
    read(bytes, file, |root| {
        // What is in a container has its tools there: its language is only a name.
        let contained = root.has("container");
        let spoken = if contained {
            None
        } else {
            Spoken::find(root, languages)
        };
        let tools = spoken.as_ref().map(Spoken::tools).unwrap_or_default();
        let given = workload.gives.iter().map(String::as_str);
        let own = if contained {
            &CONTAINED[..]
        } else {
            &PLACEHOLDERS[..]
        };
        let running: Vec<&str> = own.iter().copied().chain(given).collect();
        let known = |lab| Known {
            lab,
            tools: &tools,
            env: false,
        };
        // What a service gives is known only when it runs, so a build step cannot have it.
        let (built, running) = (known(&PLACEHOLDERS[..]), known(&running[..]));
        // Without the languages, the names of the tools are not known.
        let known = contained || spoken.is_some();
        let context = Context {
            cases: workload.cases.iter().map(|case| case.name.clone()).collect(),
            jobs: paths::of(workload),
            built: known.then_some(&built),
            running: known.then_some(&running),
        };
        let mut own = spoken.as_ref().map(Spoken::inherited).unwrap_or_default();
        own.id = ContenderId::plain(name);
        own.workload.clone_from(&workload.name);
        own.folder.clone_from(&workload.folder);
        let (whole, variants) = take(root, &context, &mut own);
        if contained {
            reach::check_contained(root.source, &own, &variants, workload);
        } else {
            check(root, &own, &variants, &spoken?, workload);
        }
        whole?;
        let contenders = variants.into_iter().map(|(contender, _)| contender);
        let contenders: Vec<Contender> = contenders.collect();
        Some(if contenders.is_empty() {
            vec![own]
        } else {
            contenders
        })
    })
}

/// Lays the manifest over what the contender inherits, and each variant over that. Gives the variants with the lines of
/// their tables; the first value is none if a key that must be there is missing or wrong.
fn take(root: &Table, context: &Context, own: &mut Contender) -> (Option<()>, Vec<(Contender, u32)>) {
    let keys = keys(context);
    let mut sources = std::mem::take(&mut own.sources);
    let whole = keys.read(root, Layer::Own, own, &mut sources);
    own.sources = sources;
    let variants = root.optional::<Table>("variants");
    let entries = variants.as_ref().map(|variants| variants.value.entries());
    if let (Some(variants), Some(true)) = (&variants, entries.as_ref().map(Vec::is_empty)) {
        let text = "`variants`: expected at least one variant, found none";
        let hint = "leave the table out, or add `[variants.NAME]`";
        root.source.hinted(variants.line, text, hint);
    }
    let entries = entries.into_iter().flatten();
    let variants = entries.filter_map(|(name, node)| {
        check_name(root.source, "variant", &name, node.line);
        let table = Table::take(node)?;
        let mut variant = own.clone();
        variant.id.variant = Some(name);
        let mut sources = std::mem::take(&mut variant.sources);
        keys.read(&table, Layer::Variant, &mut variant, &mut sources);
        variant.sources = sources;
        table.finish();
        Some((variant, table.line))
    });
    (whole, variants.collect())
}

/// Checks the contender, or each of its variants, as a whole.
fn check(root: &Table, own: &Contender, variants: &[(Contender, u32)], spoken: &Spoken, workload: &Workload) {
    let own = [(own.clone(), root.line)];
    for (contender, line) in if variants.is_empty() { &own } else { variants } {
        reach::check(root.source, contender, workload);
        if contender.run.is_empty() && contender.speaks != Speaks::Files {
            let text = format!("nothing to run: no `run` here, and none in {}", spoken.own.file);
            let hint = "for example `run = [\"{out}/server\", \"{port}\"]`";
            root.source.hinted(*line, text, hint);
        }
    }
}
