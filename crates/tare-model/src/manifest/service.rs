//! `services/NAME/service.toml`: what the contenders of a case need beside themselves, such as a database.

use std::collections::BTreeMap;
use std::path::PathBuf;

use toml_edit::Value;

use super::argv::{Checked, CommandKind, Known, PLACEHOLDERS, StepsKind, check_text};
use super::counts::{Counts, CountsKind};
use super::document::read;
use super::error::ManifestError;
use super::fields::{check_name, choose, within};
use super::keys::{Keys, Kind, Taken, field};
use super::kinds::{Maybe, PhraseKind, TruthKind, one};
use super::node::Take;
use super::process::{Ready, ReadyKind, STOP_SIGNAL, StopKind};
use super::source::{Source, Spot};
use super::sources::{Layer, Sources};
use super::speaks::Speaks;
use super::table::Table;
use super::tools::{Needs, NeedsKind, Tool, reserve, take_tools};
use super::write::text;

/// Placeholders of what is done once, before there is a process.
const PREPARE_PLACEHOLDERS: [&str; 4] = ["lab", "tools", "src", "state"];
/// Placeholders of the process and of what it gives. A tidy test checks the manual against them.
pub const SERVICE_PLACEHOLDERS: [&str; 9] = [
    "lab",
    "tools",
    "src",
    "state",
    "host",
    "port",
    "clients",
    "cores",
    "core_list",
];
/// A further placeholder of a front's command: its configuration file.
const CONFIG: &str = "config";
/// Placeholders of what data without a process gives.
const DATA_PLACEHOLDERS: [&str; 4] = PREPARE_PLACEHOLDERS;

/// What the contenders of a case need beside themselves: a process that they all share, or data only.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Service {
    /// Its folder's name.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// One line.
    pub summary: String,
    /// Its tools by name, in the order of the manifest.
    pub tools: Vec<Tool>,
    /// What has to be installed besides its tools.
    pub needs: Needs,
    /// Whether its programs refuse to run as root.
    pub refuses_root: bool,
    /// What makes its state, once: argv lists, no shell.
    pub prepare: Vec<Vec<String>>,
    /// The command that runs it; empty: data only.
    pub run: Vec<String>,
    /// The port that it listens on where containers reach it; none: a free one, as on loopback.
    pub expected_at: Option<u16>,
    /// How readiness is seen.
    pub ready: Ready,
    /// The signal that asks it to stop, without `SIG`.
    pub stop_signal: String,
    /// The placeholders that it gives to contenders, and their texts.
    pub gives: BTreeMap<String, String>,
    /// How it is asked what it did, where a case counts that.
    pub counts: Option<Counts>,
    /// As a front of single contenders: its configuration, a file of its folder, for each way that it speaks to one.
    pub fronts: BTreeMap<Speaks, String>,
}

/// What the keys are checked against. The default is for showing only.
#[derive(Default)]
struct Context<'c> {
    /// Whether it is a front, which gives contenders nothing.
    is_front: bool,
    preparing: Checked<'c>,
    running: Checked<'c>,
    giving: Checked<'c>,
}

/// The keys of `service.toml`, in the order in which `tare show` prints them, besides `tools`, whose names are
/// placeholders of the others.
fn keys<'c>(context: &Context<'c>) -> Keys<'c, Service> {
    let mut keys = Keys::<Service>::new();
    keys.must(field!(summary), PhraseKind);
    keys.may(field!(refuses_root), TruthKind);
    keys.may(field!(prepare), StepsKind(context.preparing));
    keys.may(field!(run), CommandKind(context.running));
    keys.may(field!(expected_at), Maybe(PortKind));
    keys.may(field!(ready), ReadyKind)
        .shown_if(|service| !service.run.is_empty());
    keys.may_or(field!(stop_signal as "stop"), StopKind, STOP_SIGNAL.to_owned())
        .shown_if(|service| !service.run.is_empty());
    keys.may(field!(needs), NeedsKind);
    if !context.is_front {
        keys.may(field!(counts), Maybe(CountsKind(context.running)));
        keys.must(field!(gives), GivesKind(context.giving));
    }
    keys.may(field!(fronts as "front"), FrontsKind);
    keys
}

/// `[gives]`: at least one name, and its text.
struct GivesKind<'k>(Checked<'k>);

/// `[front]`: the configuration for each way to speak to a contender.
struct FrontsKind;

/// `expected_at`.
struct PortKind;

impl Kind for PortKind {
    type Value = u16;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<u16>> {
        let port = table.get::<i64>(key, must)?;
        within(table.source, &table.path(key), &port, u16::MAX).map(Taken::from)
    }

    fn show(&self, value: &u16) -> Vec<(String, Value)> {
        one(i64::from(*value).into())
    }
}

impl Kind for GivesKind<'_> {
    type Value = BTreeMap<String, String>;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Self::Value>> {
        let gives = table.get::<Table>(key, must)?;
        let source = table.source;
        let entries = gives.value.entries();
        if entries.is_empty() {
            let text = "`gives`: expected at least one name, found none";
            let hint = "contenders know the service by these: for example `database = \"{host}:{port}\"`";
            source.hinted(gives.line, text, hint);
        }
        let (mut value, mut parts) = (BTreeMap::new(), Vec::new());
        for (name, node) in entries {
            let (line, path) = (node.line, node.path.clone());
            check_name(source, "placeholder", &name, line);
            for placeholders in [&PLACEHOLDERS[..], &SERVICE_PLACEHOLDERS[..]] {
                reserve(source, placeholders, "what a service gives", &name, line);
            }
            let Some(text) = String::take(node) else { continue };
            let text = Spot { value: text, line };
            if let Some(known) = self.0 {
                check_text(source, &path, &text, known);
            }
            parts.push((format!(".{name}"), line));
            value.insert(name, text.value);
        }
        Some(Taken {
            value,
            line: gives.line,
            parts,
        })
    }

    fn show(&self, value: &Self::Value) -> Vec<(String, Value)> {
        let line = |(name, value): (&String, &String)| (format!(".{name}"), text(value));
        value.iter().map(line).collect()
    }
}

impl Kind for FrontsKind {
    type Value = BTreeMap<Speaks, String>;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Self::Value>> {
        let fronts = table.get::<Table>(key, must)?;
        let source = table.source;
        let ways = Speaks::ALL.into_iter().filter(|way| *way != Speaks::Own);
        let ways: Vec<(&str, Speaks)> = ways.map(|way| (way.name(), way)).collect();
        let entries = fronts.value.entries();
        if entries.is_empty() {
            let text = "`front`: expected at least one way to speak to a contender, found none";
            source.hinted(fronts.line, text, "for example `fastcgi = \"fastcgi.conf\"`");
        }
        let (mut value, mut parts) = (BTreeMap::new(), Vec::new());
        for (name, node) in entries {
            let line = node.line;
            let way = choose(source, "way to speak", &Spot { value: name, line }, &ways);
            if let Some((way, file)) = way.zip(String::take(node)) {
                parts.push((format!(".{}", way.value.name()), line));
                value.insert(way.value, file);
            }
        }
        Some(Taken {
            value,
            line: fronts.line,
            parts,
        })
    }

    fn show(&self, value: &Self::Value) -> Vec<(String, Value)> {
        let line = |(way, file): (&Speaks, &String)| (format!(".{}", way.name()), text(file));
        value.iter().map(line).collect()
    }
}

/// Reads a service's manifest. `file` is what errors call it, `name` the service's name. The caller sets the folder.
/// Errors: everything that is wrong with it.
pub fn parse(bytes: &[u8], file: &str, name: &str) -> Result<Service, ManifestError> {
    parse_with_sources(bytes, file, name).map(|(service, _)| service)
}

/// The same, with where each value came from.
pub(super) fn parse_with_sources(
    bytes: &[u8],
    file: &str,
    name: &str,
) -> Result<(Service, Sources), ManifestError> {
    read(bytes, file, |root| {
        let tools = take_tools(root, &SERVICE_PLACEHOLDERS);
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        let known = |lab| Known {
            lab,
            tools: &names,
            env: false,
        };
        let is_front = root.holds_table("front");
        let config = is_front.then_some(CONFIG);
        let of_run: Vec<&str> = SERVICE_PLACEHOLDERS.into_iter().chain(config).collect();
        let of_gives: &[&str] = if root.has("run") {
            &SERVICE_PLACEHOLDERS
        } else {
            &DATA_PLACEHOLDERS
        };
        let (preparing, running) = (known(&PREPARE_PLACEHOLDERS), known(&of_run));
        let giving = known(of_gives);
        let context = Context {
            is_front,
            preparing: Some(&preparing),
            running: Some(&running),
            giving: Some(&giving),
        };
        let (mut service, mut sources) = (Service::default(), Sources::default());
        service.name = name.to_owned();
        service.tools.clone_from(&tools);
        keys(&context).read(root, Layer::Own, &mut service, &mut sources)?;
        if !root.has("run") {
            check_without_process(root.source, &service, &sources);
        }
        Some((service, sources))
    })
}

/// Without a process there is nothing to be in front, to be ready or to be stopped.
fn check_without_process(source: &Source, service: &Service, sources: &Sources) {
    let first = service.fronts.keys().next();
    if let Some(line) = first.and_then(|way| sources.line(&format!("front.{}", way.name()))) {
        let hint = "for example `run = [\"{lighttpd}\", \"-D\", \"-f\", \"{config}\"]`";
        source.hinted(line, "`front`: there is no `run`", hint);
    }
    for key in ["ready", "stop", "counts", "expected_at"] {
        if let Some(line) = sources.line(key) {
            let hint = "without `run` a service is data only, made by `prepare`";
            source.hinted(line, format!("`{key}`: there is no `run`"), hint);
        }
    }
}

impl Service {
    /// Its keys and values, as `tare show` prints them.
    pub(super) fn shown(&self) -> Vec<(String, Value)> {
        keys(&Context::default()).show(self)
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
