//! Manifests as they resolve, for people: `key = value  # where the value came from`.

use toml_edit::{Array, InlineTable, Value};

use super::{Case, Contender, Defaults, Driving, Exchange, Job, Ready, Service, Sources, Speaks, Workload};
use crate::metric::Mode;

/// Values longer than this are not waited for when the places are aligned.
const WIDEST: usize = 60;

/// A contender, resolved: one line a value, each with its place.
pub fn contender(contender: &Contender) -> String {
    let mut lines = Lines::new(&contender.sources);
    lines.add("id", text(&contender.id.to_string()));
    lines.add("workload", text(&contender.workload));
    lines.add("language", text(&contender.language));
    lines.add("summary", text(&contender.summary));
    lines.add("style", text(contender.style.name()));
    lines.add("cases", texts(&contender.cases));
    if !contender.by_default {
        lines.add("by_default", false.into());
    }
    lines.add("build", commands(&contender.build));
    lines.add("run", texts(&contender.run));
    for (name, value) in &contender.env {
        lines.add(&format!("env.{name}"), text(value));
    }
    // What nobody said needs no line: most contenders speak what their job does.
    if contender.speaks != Speaks::default() {
        lines.add("speaks", text(contender.speaks.name()));
        if contender.speaks.is_resident() {
            lines.add("listen", text(contender.listen.name()));
        }
    }
    if let Some(front) = &contender.front {
        lines.add("front", text(front));
    }
    lines.ready(&contender.ready);
    lines.add("stop.signal", text(&contender.stop_signal));
    lines.add("needs.apt", texts(&contender.needs.apt));
    for (key, list) in [("uses", &contender.uses), ("with", &contender.with)] {
        if !list.is_empty() {
            lines.add(key, texts(list));
        }
    }
    if let Some(reason) = &contender.stands_in_for {
        lines.add("stands_in_for", text(reason));
    }
    if let Some(origin) = &contender.origin {
        lines.add_from("origin.text", text(&origin.text), "origin");
        if let Some(licence) = &origin.licence {
            lines.add_from("origin.licence", text(licence), "origin");
        }
    }
    for (message, reason) in &contender.fails_on {
        lines.add_from(&format!("fails_on.{}", text(message)), text(reason), "fails_on");
    }
    if let Some(broken) = &contender.broken {
        lines.add_from("broken.reason", text(&broken.reason), "broken");
        lines.add_from("broken.since", text(&broken.since), "broken");
    }
    lines.finish()
}

/// A workload, resolved: one line a value, each with its place.
pub fn workload(workload: &Workload, sources: &Sources) -> String {
    let mut lines = Lines::new(sources);
    lines.add("name", text(&workload.name));
    lines.add("summary", text(&workload.summary));
    if let Some(source) = &workload.source {
        lines.add("source", text(source));
    }
    let defaults = &workload.defaults;
    if let Some(job) = &defaults.job {
        lines.add("job", job_value(job));
    }
    if let Some(floor) = &defaults.floor {
        lines.add("floor", text(&floor.to_string()));
    }
    for each in &workload.cases {
        case(&mut lines, each, defaults);
    }
    drivings(&mut lines, "", &defaults.modes);
    exchanges(&mut lines, "", &defaults.exchanges);
    lines.finish()
}

/// A case: what it has of its own, and what the workload's cases always say.
fn case(lines: &mut Lines, case: &Case, defaults: &Defaults) {
    let prefix = format!("cases.{}.", case.name);
    let key = |key: &str| format!("{prefix}{key}");
    let modes: Vec<String> = case.modes.iter().map(ToString::to_string).collect();
    lines.add(&key("summary"), text(&case.summary));
    lines.add(&key("placement"), text(case.placement.name()));
    lines.add(&key("baseline"), text(&case.baseline.to_string()));
    lines.add(&key("modes"), texts(&modes));
    if defaults.job.as_ref() != Some(&case.job) {
        lines.add(&key("job"), job_value(&case.job));
    }
    if let Some(floor) = case.floor.as_ref().filter(|_| case.floor != defaults.floor) {
        lines.add(&key("floor"), text(&floor.to_string()));
    }
    if !case.services.is_empty() {
        lines.add(&key("services"), texts(&case.services));
    }
    if let Some(sweep) = &case.sweep {
        let sizes: Array = sweep.sizes.iter().map(|size| *size as i64).collect();
        lines.add_from(&key("sweep.name"), text(&sweep.name), &key("sweep"));
        lines.add_from(&key("sweep.sizes"), sizes.into(), &key("sweep"));
    }
    if case.drivings != defaults.modes {
        drivings(lines, &prefix, &case.drivings);
    }
    if case.exchanges != defaults.exchanges {
        exchanges(lines, &prefix, &case.exchanges);
    }
}

fn drivings(lines: &mut Lines, prefix: &str, drivings: &[Driving]) {
    for driving in drivings {
        let key = |key: &str| format!("{prefix}modes.{}.{key}", driving.mode);
        let connections: Array = driving
            .connections
            .iter()
            .map(|count| i64::from(*count))
            .collect();
        lines.add(&key("primary"), text(driving.primary.name()));
        if !driving.connections.is_empty() {
            lines.add(&key("connections"), connections.into());
            lines.add(&key("depth"), i64::from(driving.depth).into());
        }
        if driving.mode == Mode::Batch {
            lines.add(&key("programs"), i64::from(driving.programs).into());
            lines.add(&key("requests"), i64::from(driving.requests).into());
        }
    }
}

fn exchanges(lines: &mut Lines, prefix: &str, exchanges: &[Exchange]) {
    for (index, exchange) in exchanges.iter().enumerate() {
        lines.add(&format!("{prefix}exchanges[{index}]"), text(&exchange.name));
    }
}

/// A service, resolved: one line a value, each with its place.
pub fn service(service: &Service, sources: &Sources) -> String {
    let mut lines = Lines::new(sources);
    lines.add("name", text(&service.name));
    lines.add("summary", text(&service.summary));
    lines.add("refuses_root", service.refuses_root.into());
    lines.add("prepare", commands(&service.prepare));
    lines.add("run", texts(&service.run));
    if !service.run.is_empty() {
        lines.ready(&service.ready);
        lines.add("stop.signal", text(&service.stop_signal));
    }
    lines.add("needs.apt", texts(&service.needs.apt));
    for (name, value) in &service.gives {
        lines.add(&format!("gives.{name}"), text(value));
    }
    for (way, file) in &service.fronts {
        lines.add(&format!("front.{}", way.name()), text(file));
    }
    lines.finish()
}

struct Lines<'a> {
    sources: &'a Sources,
    lines: Vec<(String, String, Option<&'a str>)>,
}

impl<'a> Lines<'a> {
    fn new(sources: &'a Sources) -> Self {
        Self {
            sources,
            lines: Vec::new(),
        }
    }

    fn add(&mut self, key: &str, value: Value) {
        self.add_from(key, value, key);
    }

    fn add_from(&mut self, key: &str, value: Value, source: &str) {
        let place = self
            .sources
            .iter()
            .find(|(known, _)| known == source)
            .map(|(_, place)| place.as_str());
        self.lines.push((key.to_owned(), value.to_string(), place));
    }

    fn ready(&mut self, ready: &Ready) {
        match ready {
            Ready::Connect => self.add("ready", text("the port accepts a connection")),
            Ready::Line(line) => self.add_from("ready.line", text(line), "ready"),
        }
    }

    /// Keys and places aligned; a value that nobody wrote (a name from a path) has no place.
    fn finish(self) -> String {
        let width = |text: &str| text.chars().count();
        let keys = self.lines.iter().map(|(key, _, _)| width(key)).max().unwrap_or(0);
        let values = self
            .lines
            .iter()
            .map(|(_, value, _)| width(value))
            .filter(|width| *width <= WIDEST);
        let values = values.max().unwrap_or(0);
        let lines = self.lines.iter().map(|(key, value, place)| match place {
            Some(place) => format!("{key:keys$} = {value:values$}  # {place}\n"),
            None => format!("{key:keys$} = {value}\n"),
        });
        lines.collect()
    }
}

/// A text as TOML writes it, on one line.
pub(super) fn text(text: &str) -> Value {
    // Always on one line, whatever is in it: TOML's own writer would choose a string of several lines.
    let quoted: String = text.chars().flat_map(escaped).collect();
    format!("\"{quoted}\"")
        .parse()
        .unwrap_or_else(|_| Value::from(text))
}

fn escaped(c: char) -> Vec<char> {
    match c {
        '"' | '\\' => vec!['\\', c],
        '\n' => vec!['\\', 'n'],
        '\r' => vec!['\\', 'r'],
        '\t' => vec!['\\', 't'],
        c if c.is_control() => format!("\\u{:04X}", c as u32).chars().collect(),
        c => vec![c],
    }
}

fn texts(words: &[String]) -> Value {
    words.iter().map(|word| text(word)).collect::<Array>().into()
}

fn commands(steps: &[Vec<String>]) -> Value {
    steps.iter().map(|step| texts(step)).collect::<Array>().into()
}

/// A job as TOML writes it.
pub(super) fn job_value(job: &Job) -> Value {
    let mut table = InlineTable::new();
    table.insert("kind", text(job.name()));
    match job {
        Job::Doubling => {}
        Job::Probe(probe) | Job::Pipe(probe) => {
            table.insert("reference", text(&probe.reference));
            if let Some(floor) = &probe.floor_reference {
                table.insert("floor_reference", text(floor));
            }
            if let Some(folder) = &probe.interop {
                table.insert("interop", text(folder));
            }
        }
        Job::Lines { send, expect } => {
            table.insert("send", text(send));
            table.insert("expect", text(expect));
        }
        Job::Http(http) => http.render(&mut table),
    }
    table.into()
}
