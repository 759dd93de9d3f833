//! `contender.toml`: one program, or several variants of one, that does a workload's job.

use std::collections::BTreeMap;

use super::argv::{Argv, Env, take_env};
use super::error::ManifestError;
use super::fails::take_fails_on;
use super::fields::{Phrase, check_name, choose, distinct, is_date, maybe_phrase, phrase, take_needs};
use super::language::{RawLanguage, parse_raw};
use super::reach::{RawReach, take_reach};
use super::take::{DateText, List};
use super::toml::{Node, Source, Spot, Table, Take, read};
use super::words::{near_or_all, short};
use super::{Broken, Contender, Needs, Origin, Ready, Style, Workload};

/// Signals that may ask a contender to stop.
const SIGNALS: [&str; 7] = ["TERM", "INT", "HUP", "QUIT", "USR1", "USR2", "KILL"];

/// A contender's file as it was written (schema 1), every value with its line.
#[derive(Debug, Clone)]
pub(super) struct RawContender {
    pub file: String,
    pub language: Spot<String>,
    pub style: Spot<Style>,
    pub own: Layer,
    pub ready: Option<Spot<Ready>>,
    pub stop: Option<Spot<String>>,
    pub needs: Option<Spot<Needs>>,
    pub stands_in_for: Option<Spot<String>>,
    pub uses: Option<Spot<Vec<Spot<String>>>>,
    pub with: Option<Spot<Vec<Spot<String>>>>,
    pub origin: Option<Spot<Origin>>,
    pub fails_on: Option<Spot<BTreeMap<String, String>>>,
    pub broken: Option<Spot<Broken>>,
    pub variants: Vec<(String, Layer)>,
}

/// What both a contender and each of its variants may say.
#[derive(Debug, Clone, Default)]
pub(super) struct Layer {
    pub line: u32,
    pub summary: Option<Spot<String>>,
    pub cases: Option<Spot<Vec<String>>>,
    pub by_default: Option<Spot<bool>>,
    pub build: Option<Spot<Vec<Spot<Argv>>>>,
    pub run: Option<Spot<Argv>>,
    pub env: Env,
    pub reach: RawReach,
}

/// The languages that a contender may be written in, each read or with what is wrong with it.
#[derive(Debug, Clone, Default)]
pub struct Languages {
    read: BTreeMap<String, Result<RawLanguage, ManifestError>>,
}

impl Languages {
    /// Reads languages from their names, files (as errors call them) and bytes.
    pub fn read<'a>(texts: impl IntoIterator<Item = (&'a str, &'a str, &'a [u8])>) -> Self {
        let texts = texts.into_iter();
        Self {
            read: texts
                .map(|(name, file, bytes)| (name.to_owned(), parse_raw(bytes, file, name)))
                .collect(),
        }
    }

    pub(super) fn insert_broken(&mut self, name: &str, error: ManifestError) {
        self.read.insert(name.to_owned(), Err(error));
    }

    pub(super) fn insert(&mut self, name: &str, file: &str, bytes: &[u8]) {
        self.read.insert(name.to_owned(), parse_raw(bytes, file, name));
    }
}

/// Reads a contender's manifest and resolves it against its language: one contender, or one for each variant.
/// `file` is what errors call it, `name` the contender's name. The folders are the workload's business.
/// Errors: everything that is wrong with it, or with the language that it names.
pub fn parse(
    bytes: &[u8],
    file: &str,
    name: &str,
    workload: &Workload,
    languages: &Languages,
) -> Result<Vec<Contender>, ManifestError> {
    read(bytes, file, |root| {
        let raw = take(root, workload);
        let language = root
            .value_of("language")
            .and_then(|name| find(root.source, languages, &name));
        let (raw, language) = (raw?, language?);
        let uses = raw.uses.iter().flat_map(|uses| &uses.value);
        let more: Option<Vec<&RawLanguage>> = uses.map(|name| find(root.source, languages, name)).collect();
        let spoken = Spoken {
            own: language,
            more: more?,
        };
        super::resolve::check(root.source, &raw, &spoken, workload);
        Some(super::resolve::contenders(&raw, &spoken, name, workload))
    })
}

/// A contender's own language, and the further ones that it uses.
pub(super) struct Spoken<'l> {
    pub own: &'l RawLanguage,
    pub more: Vec<&'l RawLanguage>,
}

fn find<'l>(source: &Source, languages: &'l Languages, name: &Spot<String>) -> Option<&'l RawLanguage> {
    match languages.read.get(&name.value) {
        Some(Ok(language)) => Some(language),
        Some(Err(error)) => {
            source.foreign(error);
            None
        }
        None => {
            let names: Vec<&str> = languages.read.keys().map(String::as_str).collect();
            let text = format!("there is no language `{}`", short(&name.value));
            let hint = match names.is_empty() {
                true => "the lab has no `languages/*.toml`".to_owned(),
                false => near_or_all(&name.value, "there are", &names),
            };
            source.hinted(name.line, text, hint);
            None
        }
    }
}

fn take(root: &Table, workload: &Workload) -> Option<RawContender> {
    let source = root.source;
    let language = root.required::<String>("language");
    let summary = phrase(root, "summary");
    let style = root.required::<String>("style");
    let styles = Style::ALL.map(|style| (style.name(), style));
    let style = style.and_then(|name| choose(source, "style", &name, &styles));
    let own = take_layer(root, summary, workload);
    let ready = root
        .optional::<Table>("ready")
        .and_then(|table| take_ready(&table));
    let stop = root
        .optional::<Table>("stop")
        .and_then(|table| take_stop(&table.value));
    let needs = take_needs(root);
    let stands_in_for = maybe_phrase(root, "stands_in_for");
    let uses = root
        .optional::<List<String>>("uses")
        .map(|names| distinct_list(root, "uses", names));
    let with = root
        .optional::<List<String>>("with")
        .map(|paths| take_with(root, paths));
    let origin = root
        .optional::<Table>("origin")
        .and_then(|table| take_origin(&table));
    let fails_on = take_fails_on(root);
    let broken = root
        .optional::<Table>("broken")
        .and_then(|table| take_broken(&table));
    let variants = root.optional::<Table>("variants");
    let variants = variants
        .map(|table| take_variants(&table, workload))
        .unwrap_or_default();
    Some(RawContender {
        file: source.file().to_owned(),
        language: language?,
        style: style?,
        own,
        ready,
        stop,
        needs,
        stands_in_for,
        uses,
        with,
        origin,
        fails_on,
        broken,
        variants,
    })
}

fn distinct_list(table: &Table, key: &str, list: Spot<List<String>>) -> Spot<Vec<Spot<String>>> {
    distinct(table.source, &table.path(key), &list.value.0);
    list.map(|list| list.0)
}

/// Paths within the lab, whose last parts are their names in the build.
fn take_with(table: &Table, paths: Spot<List<String>>) -> Spot<Vec<Spot<String>>> {
    let paths = distinct_list(table, "with", paths);
    for path in &paths.value {
        let plain = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains('\0');
        if !path.value.split('/').all(plain) {
            let text = format!("`with`: `{}` is no path within the lab", short(&path.value));
            let hint = "for example `with = [\"kits/rust\"]`";
            table.source.hinted(path.line, text, hint);
        }
    }
    let mut names: Vec<&str> = Vec::new();
    for path in &paths.value {
        let name = path.value.rsplit('/').next().unwrap_or_default();
        if names.contains(&name) {
            let text = format!("`with`: two paths end in `{}`", short(name));
            table.source.hinted(
                path.line,
                text,
                "the build finds each as `with/` and its last part",
            );
        }
        names.push(name);
    }
    paths
}

fn take_layer(table: &Table, summary: Option<Spot<String>>, workload: &Workload) -> Layer {
    Layer {
        line: table.line,
        summary,
        cases: table
            .optional::<List<String>>("cases")
            .map(|cases| take_cases(table, cases, workload)),
        by_default: table.optional("by_default"),
        build: table
            .optional::<List<Argv>>("build")
            .map(|spot| spot.map(|list| list.0)),
        run: table.optional("run"),
        env: take_env(table),
        reach: take_reach(table),
    }
}

fn take_cases(table: &Table, cases: Spot<List<String>>, workload: &Workload) -> Spot<Vec<String>> {
    let path = table.path("cases");
    let known: Vec<(&str, ())> = workload
        .cases
        .iter()
        .map(|case| (case.name.as_str(), ()))
        .collect();
    if cases.value.0.is_empty() {
        let hint = "leave the key out for all cases";
        table.source.hinted(
            cases.line,
            format!("`{path}`: expected at least one case, found none"),
            hint,
        );
    }
    distinct(table.source, &path, &cases.value.0);
    for case in &cases.value.0 {
        choose(table.source, "case", case, &known);
    }
    cases.map(|cases| cases.0.into_iter().map(|case| case.value).collect())
}

fn take_variants(variants: &Spot<Table>, workload: &Workload) -> Vec<(String, Layer)> {
    let entries = variants.value.entries();
    if entries.is_empty() {
        let text = "`variants`: expected at least one variant, found none";
        variants.value.source.hinted(
            variants.line,
            text,
            "leave the table out, or add `[variants.NAME]`",
        );
    }
    entries
        .into_iter()
        .filter_map(|(name, node)| take_variant(name, node, workload))
        .collect()
}

fn take_variant(name: String, node: Node, workload: &Workload) -> Option<(String, Layer)> {
    check_name(node.source, "variant", &name, node.line);
    let table = Table::take(node)?;
    let summary = maybe_phrase(&table, "summary");
    let layer = take_layer(&table, summary, workload);
    table.finish();
    Some((name, layer))
}

/// Takes the inside of `[ready]`.
pub(super) fn take_ready(ready: &Spot<Table>) -> Option<Spot<Ready>> {
    let line = phrase(&ready.value, "line");
    ready.value.finish();
    line.map(|line| line.map(Ready::Line))
}

/// Takes the inside of `[stop]`.
pub(super) fn take_stop(table: &Table) -> Option<Spot<String>> {
    let signal = table.required::<String>("signal");
    table.finish();
    let signal = signal?;
    if !SIGNALS.contains(&signal.value.as_str()) {
        let plain = signal.value.to_uppercase();
        let plain = plain.strip_prefix("SIG").unwrap_or(&plain);
        let text = format!("unknown signal `{}`", short(&signal.value));
        let hint = match SIGNALS.contains(&plain) {
            true => format!("write it without `SIG`, in capitals: `{plain}`"),
            false => near_or_all(plain, "expected one of", &SIGNALS),
        };
        table.source.hinted(signal.line, text, hint);
    }
    Some(signal)
}

fn take_origin(origin: &Spot<Table>) -> Option<Spot<Origin>> {
    let text = phrase(&origin.value, "text");
    let licence = maybe_phrase(&origin.value, "licence");
    origin.value.finish();
    Some(Spot {
        value: Origin {
            text: text?.value,
            licence: licence.map(|licence| licence.value),
        },
        line: origin.line,
    })
}

fn take_broken(broken: &Spot<Table>) -> Option<Spot<Broken>> {
    let table = &broken.value;
    let reason = table.required::<Phrase>("reason");
    let since = table.required::<DateText>("since");
    table.finish();
    let since = since?;
    if !is_date(&since.value.0) {
        let text = format!(
            "`{}`: expected a day, found `{}`",
            table.path("since"),
            short(&since.value.0)
        );
        table
            .source
            .hinted(since.line, text, "for example `since = \"2026-11-21\"`");
    }
    Some(Spot {
        value: Broken {
            reason: reason?.value.0,
            since: since.value.0,
        },
        line: broken.line,
    })
}
