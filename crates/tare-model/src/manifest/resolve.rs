//! A contender's manifest laid over its language's: variant over contender over language over tare's own defaults,
//! and where each value came from.

use std::collections::BTreeMap;

use super::argv::{Argv, Known, PLACEHOLDERS, check_env, steps};
use super::contender::{Layer, RawContender, Spoken};
use super::language::RawLanguage;
use super::toml::{Source, Spot};
use super::{Contender, Needs, Ready, Sources, TARE_DEFAULT, Workload, reach};
use crate::ids::ContenderId;

/// Checks what only shows with the language at hand: placeholders (its tools, and what the workload's services
/// give), and that there is something to run.
pub(super) fn check(source: &Source, raw: &RawContender, spoken: &Spoken, workload: &Workload) {
    let language = spoken.own;
    let mut tools = language.tool_names();
    tools.extend(spoken.more.iter().flat_map(|more| more.tool_names()));
    let lab = PLACEHOLDERS
        .into_iter()
        .chain(workload.gives.iter().map(String::as_str));
    let lab: Vec<&str> = lab.collect();
    let known = |lab| Known {
        lab,
        tools: &tools,
        env: false,
    };
    // What a service gives is known only when it runs, and must not be built in.
    let (built, run) = (known(&PLACEHOLDERS[..]), known(&lab));
    check_layer(source, "", &raw.own, &built, &run);
    for (name, layer) in &raw.variants {
        check_layer(source, &format!("variants.{name}."), layer, &built, &run);
    }
    if raw.variants.is_empty() {
        reach::check(source, &raw.own, &Layer::default(), workload);
    }
    for (_, layer) in &raw.variants {
        reach::check(source, &raw.own, layer, workload);
    }
    if language.run.is_some() || raw.own.run.is_some() {
        return;
    }
    let bare = raw.variants.iter().filter(|(_, layer)| layer.run.is_none());
    let bare = bare.filter(|(_, layer)| !reach::runs_nothing(&raw.own, layer));
    let mut lines: Vec<u32> = bare.map(|(_, layer)| layer.line).collect();
    if raw.variants.is_empty() && !reach::runs_nothing(&raw.own, &Layer::default()) {
        lines.push(raw.own.line);
    }
    for line in lines {
        let text = format!("nothing to run: no `run` here, and none in {}", language.file);
        source.hinted(line, text, "for example `run = [\"{out}/server\", \"{port}\"]`");
    }
}

fn check_layer(source: &Source, prefix: &str, layer: &Layer, built: &Known, running: &Known) {
    for step in layer.build.iter().flat_map(|steps| &steps.value) {
        step.value.check(source, &format!("{prefix}build"), built);
    }
    if let Some(run) = &layer.run {
        run.value.check(source, &format!("{prefix}run"), running);
    }
    check_env(source, prefix, &layer.env, running);
}

/// The contender, or one for each of its variants.
pub(super) fn contenders(
    raw: &RawContender,
    spoken: &Spoken,
    name: &str,
    workload: &Workload,
) -> Vec<Contender> {
    let resolver = Resolver {
        raw,
        language: spoken.own,
        more: &spoken.more,
        workload,
    };
    if raw.variants.is_empty() {
        return vec![resolver.resolve(ContenderId::plain(name), &Layer::default())];
    }
    let variants = raw.variants.iter();
    variants
        .map(|(variant, layer)| resolver.resolve(ContenderId::variant(name, variant), layer))
        .collect()
}

struct Resolver<'a> {
    raw: &'a RawContender,
    language: &'a RawLanguage,
    more: &'a [&'a RawLanguage],
    workload: &'a Workload,
}

impl Resolver<'_> {
    fn resolve(&self, id: ContenderId, variant: &Layer) -> Contender {
        let (raw, own) = (self.raw, &self.raw.own);
        let mut sources = self.own_places();
        let note = &mut sources;
        let all_cases = || self.workload.cases.iter().map(|case| case.name.clone()).collect();
        let contender = Contender {
            id,
            workload: self.workload.name.clone(),
            folder: self.workload.folder.clone(),
            language: raw.language.value.clone(),
            summary: self
                .pick(note, "summary", [&variant.summary, &own.summary], &None)
                .unwrap_or_default(),
            style: raw.style.value,
            cases: self
                .pick(note, "cases", [&variant.cases, &own.cases], &None)
                .unwrap_or_else(all_cases),
            by_default: self
                .pick(note, "by_default", [&variant.by_default, &own.by_default], &None)
                .unwrap_or(true),
            build: self
                .pick(note, "build", [&variant.build, &own.build], &self.language.build)
                .map(|build: Vec<Spot<Argv>>| steps(&build))
                .unwrap_or_default(),
            run: self
                .pick(note, "run", [&variant.run, &own.run], &self.language.run)
                .map(|run: Argv| run.words())
                .unwrap_or_default(),
            env: self.env(note, variant),
            speaks: self
                .pick(note, "speaks", [&variant.reach.speaks, &own.reach.speaks], &None)
                .unwrap_or_default(),
            listen: self
                .pick(note, "listen", [&variant.reach.listen, &own.reach.listen], &None)
                .unwrap_or_default(),
            front: self.pick(note, "front", [&variant.reach.front, &own.reach.front], &None),
            ready: raw
                .ready
                .as_ref()
                .map_or(Ready::Connect, |ready| ready.value.clone()),
            stop_signal: raw
                .stop
                .as_ref()
                .map_or_else(|| "TERM".to_owned(), |stop| stop.value.clone()),
            needs: self.needs(note),
            stands_in_for: raw.stands_in_for.as_ref().map(|spot| spot.value.clone()),
            uses: values(&raw.uses),
            with: values(&raw.with),
            origin: raw.origin.as_ref().map(|spot| spot.value.clone()),
            fails_on: raw
                .fails_on
                .as_ref()
                .map(|spot| spot.value.clone())
                .unwrap_or_default(),
            broken: raw.broken.as_ref().map(|spot| spot.value.clone()),
            sources: Sources::new(),
        };
        Contender { sources, ..contender }
    }

    /// Where the values are from that no variant and no language has.
    fn own_places(&self) -> Sources {
        let raw = self.raw;
        let mut sources = Sources::new();
        let mut own_place = |key: &str, line: Option<u32>| {
            let place = line.map_or_else(|| TARE_DEFAULT.to_owned(), |line| self.own(line));
            sources.push((key.to_owned(), place));
        };
        own_place("language", Some(raw.language.line));
        own_place("style", Some(raw.style.line));
        own_place("ready", raw.ready.as_ref().map(|spot| spot.line));
        own_place("stop.signal", raw.stop.as_ref().map(|spot| spot.line));
        for (key, line) in [
            ("uses", raw.uses.as_ref().map(|spot| spot.line)),
            ("with", raw.with.as_ref().map(|spot| spot.line)),
            ("stands_in_for", raw.stands_in_for.as_ref().map(|spot| spot.line)),
            ("origin", raw.origin.as_ref().map(|spot| spot.line)),
            ("fails_on", raw.fails_on.as_ref().map(|spot| spot.line)),
            ("broken", raw.broken.as_ref().map(|spot| spot.line)),
        ] {
            line.into_iter().for_each(|line| own_place(key, Some(line)));
        }
        sources
    }

    fn own(&self, line: u32) -> String {
        format!("{}:{line}", self.raw.file)
    }

    fn of_variant(&self, line: u32) -> String {
        format!("{}:{line} (variant)", self.raw.file)
    }

    fn of_language(&self, line: u32) -> String {
        format!("{}:{line} (language default)", self.language.file)
    }

    /// The value of the first layer that has one, and its place.
    fn pick<T: Clone>(
        &self,
        sources: &mut Sources,
        key: &str,
        [variant, own]: [&Option<Spot<T>>; 2],
        language: &Option<Spot<T>>,
    ) -> Option<T> {
        let (place, spot) = match (variant, own, language) {
            (Some(spot), _, _) => (self.of_variant(spot.line), Some(spot)),
            (None, Some(spot), _) => (self.own(spot.line), Some(spot)),
            (None, None, Some(spot)) => (self.of_language(spot.line), Some(spot)),
            (None, None, None) => (TARE_DEFAULT.to_owned(), None),
        };
        sources.push((key.to_owned(), place));
        spot.map(|spot| spot.value.clone())
    }

    /// Environments are laid over each other name by name.
    fn env(&self, sources: &mut Sources, variant: &Layer) -> BTreeMap<String, String> {
        let mut env: BTreeMap<String, (String, String)> = BTreeMap::new();
        for (name, spot) in &self.language.env {
            env.insert(name.clone(), (spot.value.clone(), self.of_language(spot.line)));
        }
        for (name, spot) in &self.raw.own.env {
            env.insert(name.clone(), (spot.value.clone(), self.own(spot.line)));
        }
        for (name, spot) in &variant.env {
            env.insert(name.clone(), (spot.value.clone(), self.of_variant(spot.line)));
        }
        sources.extend(
            env.iter()
                .map(|(name, (_, place))| (format!("env.{name}"), place.clone())),
        );
        env.into_iter().map(|(name, (value, _))| (name, value)).collect()
    }

    /// The language's packages and the contender's own.
    fn needs(&self, sources: &mut Sources) -> Needs {
        let mut apt: Vec<String> = Vec::new();
        let mut places = Vec::new();
        let of_language = |language: &&RawLanguage| {
            let needs = language.needs.clone()?;
            let place = format!("{}:{} (language default)", language.file, needs.line);
            Some((needs, place))
        };
        let languages = std::iter::once(&self.language).chain(self.more);
        let own = self.raw.needs.clone().map(|needs| {
            let place = self.own(needs.line);
            (needs, place)
        });
        for (needs, place) in languages.filter_map(of_language).chain(own) {
            let new: Vec<&String> = needs
                .value
                .apt
                .iter()
                .filter(|package| !apt.contains(package))
                .collect();
            let new: Vec<String> = new.into_iter().cloned().collect();
            apt.extend(new);
            places.push(place);
        }
        if places.is_empty() {
            places.push(TARE_DEFAULT.to_owned());
        }
        sources.push(("needs.apt".to_owned(), places.join(", ")));
        Needs { apt }
    }
}

fn values(list: &Option<Spot<Vec<Spot<String>>>>) -> Vec<String> {
    let spots = list.iter().flat_map(|list| &list.value);
    spots.map(|spot| spot.value.clone()).collect()
}
