//! `services/NAME/service.toml`: what the contenders of a case need beside themselves, such as a database.

use std::collections::BTreeMap;

use super::argv::{Argv, Known, PLACEHOLDERS, check_text, steps};
use super::contender::{take_ready, take_stop};
use super::error::ManifestError;
use super::fields::{check_name, choose, phrase, take_needs};
use super::language::{reserve, take_tools};
use super::take::List;
use super::toml::{Source, Spot, Table, Take, read};
use super::{Needs, Ready, Service, Sources, Speaks, TARE_DEFAULT, Tool};

/// Placeholders of what is done once, before there is a process.
const PREPARE_PLACEHOLDERS: [&str; 4] = ["lab", "tools", "src", "state"];
/// Placeholders of the process and of what it gives. Tidy holds the manual against these.
pub const SERVICE_PLACEHOLDERS: [&str; 8] = [
    "lab",
    "tools",
    "src",
    "state",
    "host",
    "port",
    "cores",
    "core_list",
];
/// What the command of a front may name besides: the file of its configuration.
const CONFIG: &str = "config";
/// What data that nobody serves may give.
const DATA_PLACEHOLDERS: [&str; 4] = PREPARE_PLACEHOLDERS;

/// A service's file as it was written (schema 1), every value with its line.
#[derive(Debug, Clone)]
pub(super) struct RawService {
    file: String,
    summary: Spot<String>,
    needs: Option<Spot<Needs>>,
    tools: Vec<Tool>,
    refuses_root: Option<Spot<bool>>,
    prepare: Option<Spot<Vec<Spot<Argv>>>>,
    run: Option<Spot<Argv>>,
    ready: Option<Spot<Ready>>,
    stop: Option<Spot<String>>,
    gives: BTreeMap<String, Spot<String>>,
    fronts: BTreeMap<Speaks, Spot<String>>,
}

/// Reads a service's manifest. `file` is what errors call it, `name` the service's name; its folder is the lab's
/// business. Errors: everything that is wrong with it.
pub fn parse(bytes: &[u8], file: &str, name: &str) -> Result<Service, ManifestError> {
    parse_raw(bytes, file).map(|raw| raw.resolve(name))
}

/// The same, with the lines kept.
pub(super) fn parse_raw(bytes: &[u8], file: &str) -> Result<RawService, ManifestError> {
    read(bytes, file, |root| {
        let summary = phrase(root, "summary");
        let needs = take_needs(root);
        let tools = take_tools(root, &SERVICE_PLACEHOLDERS);
        let refuses_root = root.optional::<bool>("refuses_root");
        let prepare = root.optional::<List<Argv>>("prepare");
        let run = root.optional::<Argv>("run");
        let ready = root
            .optional::<Table>("ready")
            .and_then(|table| take_ready(&table));
        let stop = root
            .optional::<Table>("stop")
            .and_then(|table| take_stop(&table.value));
        let fronts = take_fronts(root);
        // A front is nothing that contenders would know.
        let gives = match fronts.is_some() {
            true => Some(BTreeMap::new()),
            false => take_gives(root),
        };
        let raw = RawService {
            file: file.to_owned(),
            summary: summary?,
            needs,
            tools,
            refuses_root,
            prepare: prepare.map(|spot| spot.map(|list| list.0)),
            run,
            ready,
            stop,
            gives: gives?,
            fronts: fronts.unwrap_or_default(),
        };
        raw.check(root.source);
        Some(raw)
    })
}

/// Takes `[gives]`: at least one name, and its text.
fn take_gives(root: &Table) -> Option<BTreeMap<String, Spot<String>>> {
    let gives = root.required::<Table>("gives")?;
    let entries = gives.value.entries();
    if entries.is_empty() {
        let text = "`gives`: expected at least one name, found none";
        let hint = "contenders know the service by these: for example `database = \"{host}:{port}\"`";
        root.source.hinted(gives.line, text, hint);
    }
    let mut taken = BTreeMap::new();
    for (name, node) in entries {
        let line = node.line;
        check_name(root.source, "placeholder", &name, line);
        for placeholders in [&PLACEHOLDERS[..], &SERVICE_PLACEHOLDERS[..]] {
            reserve(root.source, placeholders, "what a service gives", &name, line);
        }
        if let Some(value) = String::take(node) {
            taken.insert(name, Spot { value, line });
        }
    }
    Some(taken)
}

/// Takes `[front]`, which may be missing: the configuration for each way to speak to a contender.
fn take_fronts(root: &Table) -> Option<BTreeMap<Speaks, Spot<String>>> {
    let fronts = root.optional::<Table>("front")?;
    let ways = Speaks::ALL.into_iter().filter(|way| *way != Speaks::Own);
    let ways: Vec<(&str, Speaks)> = ways.map(|way| (way.name(), way)).collect();
    let entries = fronts.value.entries();
    if entries.is_empty() {
        let text = "`front`: expected at least one way to speak to a contender, found none";
        root.source
            .hinted(fronts.line, text, "for example `fastcgi = \"fastcgi.conf\"`");
    }
    let mut taken = BTreeMap::new();
    for (name, node) in entries {
        let line = node.line;
        let way = choose(root.source, "way to speak", &Spot { value: name, line }, &ways);
        if let Some((way, file)) = way.zip(String::take(node)) {
            taken.insert(way.value, Spot { value: file, line });
        }
    }
    Some(taken)
}

impl RawService {
    fn check(&self, source: &Source) {
        let tools: Vec<&str> = self.tools.iter().map(|tool| tool.name.as_str()).collect();
        let config = (!self.fronts.is_empty()).then_some(CONFIG);
        let of_run: Vec<&str> = SERVICE_PLACEHOLDERS.into_iter().chain(config).collect();
        let known = |lab| Known {
            lab,
            tools: &tools,
            env: false,
        };
        for step in self.prepare.iter().flat_map(|steps| &steps.value) {
            step.value.check(source, "prepare", &known(&PREPARE_PLACEHOLDERS));
        }
        if let Some(run) = &self.run {
            run.value.check(source, "run", &known(&of_run));
        } else if let Some(front) = self.fronts.values().next() {
            let hint = "for example `run = [\"{lighttpd}\", \"-D\", \"-f\", \"{config}\"]`";
            source.hinted(front.line, "`front`: there is no `run`", hint);
        }
        let of_gives: &[&str] = match self.run {
            Some(_) => &SERVICE_PLACEHOLDERS,
            None => &DATA_PLACEHOLDERS,
        };
        for (name, text) in &self.gives {
            check_text(source, &format!("gives.{name}"), text, &known(of_gives));
        }
        self.check_process(source);
    }

    /// Without a process there is nothing to be ready or to be stopped.
    fn check_process(&self, source: &Source) {
        if self.run.is_some() {
            return;
        }
        let ready = self.ready.as_ref().map(|spot| ("ready", spot.line));
        let stop = self.stop.as_ref().map(|spot| ("stop", spot.line));
        for (key, line) in ready.into_iter().chain(stop) {
            let hint = "without `run` a service is data only, made by `prepare`";
            source.hinted(line, format!("`{key}`: there is no `run`"), hint);
        }
    }

    /// Where each value came from.
    pub fn sources(&self) -> Sources {
        let place = |line: Option<u32>| match line {
            Some(line) => format!("{}:{line}", self.file),
            None => TARE_DEFAULT.to_owned(),
        };
        let mut sources = vec![
            ("summary".to_owned(), place(Some(self.summary.line))),
            (
                "needs.apt".to_owned(),
                place(self.needs.as_ref().map(|spot| spot.line)),
            ),
            (
                "refuses_root".to_owned(),
                place(self.refuses_root.as_ref().map(|spot| spot.line)),
            ),
            (
                "prepare".to_owned(),
                place(self.prepare.as_ref().map(|spot| spot.line)),
            ),
            ("run".to_owned(), place(self.run.as_ref().map(|spot| spot.line))),
            (
                "ready".to_owned(),
                place(self.ready.as_ref().map(|spot| spot.line)),
            ),
            (
                "stop.signal".to_owned(),
                place(self.stop.as_ref().map(|spot| spot.line)),
            ),
        ];
        for (name, text) in &self.gives {
            sources.push((format!("gives.{name}"), place(Some(text.line))));
        }
        for (way, file) in &self.fronts {
            sources.push((format!("front.{}", way.name()), place(Some(file.line))));
        }
        sources
    }

    /// The service, its folder still empty.
    pub fn resolve(self, name: &str) -> Service {
        Service {
            name: name.to_owned(),
            folder: Default::default(),
            summary: self.summary.value,
            tools: self.tools,
            needs: self.needs.map(|needs| needs.value).unwrap_or_default(),
            refuses_root: self.refuses_root.is_some_and(|refuses| refuses.value),
            prepare: self
                .prepare
                .map(|prepare| steps(&prepare.value))
                .unwrap_or_default(),
            run: self.run.map(|run| run.value.words()).unwrap_or_default(),
            ready: self.ready.map(|ready| ready.value).unwrap_or_default(),
            stop_signal: self.stop.map_or_else(|| "TERM".to_owned(), |stop| stop.value),
            gives: self
                .gives
                .into_iter()
                .map(|(name, text)| (name, text.value))
                .collect(),
            fronts: self
                .fronts
                .into_iter()
                .map(|(way, file)| (way, file.value))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::argv::TOOL_PLACEHOLDERS;
    use super::*;

    #[test]
    fn what_is_known_earlier_is_known_later() {
        for (fewer, more) in [
            (&TOOL_PLACEHOLDERS[..], &PREPARE_PLACEHOLDERS[..]),
            (&PREPARE_PLACEHOLDERS[..], &SERVICE_PLACEHOLDERS[..]),
        ] {
            assert!(fewer.iter().all(|name| more.contains(name)));
        }
    }
}
