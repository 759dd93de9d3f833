//! `[modes.NAME]`: how a mode drives the job.

use toml_edit::{Array, Value};

use super::fields::{choose, within};
use super::keys::{Keys, Kind, Taken, field};
use super::kinds::{Maybe, OneOf, one};
use super::node::{Node, Take};
use super::source::{Source, Spot};
use super::sources::{Layer, Sources};
use super::table::Table;
use super::take::{Element, List};
use crate::driving::{ConnectionUse, Refill};
use crate::metric::{Metric, Mode};

/// The most connections: one machine has no more descriptors and ports for one contender.
pub(crate) const MAX_CONNECTIONS: u32 = 100_000;
const MAX_DEPTH: u32 = 10_000;
const MAX_PROGRAMS: u32 = 1_000;
const MAX_REQUESTS: u32 = 10_000_000;
/// The most requests of a batch: a larger one would not end within a slice.
const MAX_BATCH: u64 = 100_000_000;

/// The metrics that a mode yields. Cost drives all contenders at one rate, so it yields no throughput; only a
/// batch has a duration; time per operation is for in-process jobs.
pub fn yields(mode: Mode) -> Vec<Metric> {
    let own = match mode {
        Mode::Capacity => Some(Metric::Throughput),
        Mode::Cost => None,
        Mode::Batch => Some(Metric::Duration),
        // A command answers no requests, so it has no latency.
        Mode::Command => return vec![Metric::Duration, Metric::CpuPerOp, Metric::MemoryPeak],
        // What else its harness prints is in the figures of its slices.
        Mode::Benchmark => return vec![Metric::TimePerOp],
    };
    let common = [
        Metric::CpuPerOp,
        Metric::LatencyP50,
        Metric::LatencyP90,
        Metric::LatencyP99,
        Metric::LatencyP999,
        Metric::MemoryPeak,
    ];
    own.into_iter().chain(common).collect()
}

/// The metrics that an in-process job yields. It has no latency: nothing waits but the loop itself.
pub fn yields_in_process() -> Vec<Metric> {
    vec![
        Metric::TimePerOp,
        Metric::CpuPerOp,
        Metric::Throughput,
        Metric::MemoryPeak,
    ]
}

/// How a mode drives the job.
#[derive(Debug, Clone, PartialEq)]
pub struct ModeDriving {
    /// Which mode.
    pub mode: Mode,
    /// The metric that α is spent on.
    pub primary: Metric,
    /// Connections. Capacity: levels, of which the pilot chooses each contender's best; cost and batch: one; an
    /// in-process job: none.
    pub connections: Vec<u32>,
    /// Requests in flight on a connection.
    pub depth: u32,
    /// Load programs at once (batch).
    pub programs: u32,
    /// Requests on each connection (batch).
    pub requests: u32,
    /// How requests follow each other on a connection.
    pub usage: ConnectionUse,
}

/// The keys of a mode. `connected`: it has connections, or must have them.
fn keys<'c>(mode: Mode, connected: bool) -> Keys<'c, ModeDriving> {
    let mut keys = Keys::<ModeDriving>::new();
    keys.must(field!(primary), OneOf("metric", &Metric::ALL, Metric::name));
    if connected {
        keys.must(field!(connections), ConnectionsKind(mode));
    }
    keys.may(field!(depth), CountKind(MAX_DEPTH))
        .shown_if(|driving| !driving.connections.is_empty());
    if has(mode, "refill") {
        let kinds = OneOf("way to refill", &Refill::ALL, Refill::name);
        keys.may(field!(usage.refill as "refill"), kinds)
            .shown_if(|driving| driving.depth > 1);
    }
    if has(mode, "renew_after") {
        let most = Maybe(CountKind(MAX_REQUESTS));
        keys.may(field!(usage.renew_after as "renew_after"), most);
    }
    if mode == Mode::Batch {
        keys.may(field!(programs), CountKind(MAX_PROGRAMS));
        keys.must(field!(requests), CountKind(MAX_REQUESTS));
    }
    keys
}

/// A whole number from 1 to a limit.
pub(super) struct CountKind(pub u32);

/// One count of connections or, for `capacity`, a list of levels.
struct ConnectionsKind(Mode);

/// `[modes]`: at least one, each with how it drives the job.
pub(super) struct ModesKind;

impl Kind for CountKind {
    type Value = u32;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<u32>> {
        let number = table.get::<i64>(key, must)?;
        within(table.source, &table.path(key), &number, self.0).map(Taken::from)
    }

    fn show(&self, value: &u32) -> Vec<(String, Value)> {
        one(i64::from(*value).into())
    }
}

impl Kind for ConnectionsKind {
    type Value = Vec<u32>;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Vec<u32>>> {
        let levels = table.get::<Levels>(key, must)?;
        let path = table.path(key);
        let found = levels.value.0.len();
        if found == 0 || (found > 1 && self.0 != Mode::Capacity) {
            let expected = if found == 0 { "a number" } else { "one number" };
            let text = format!("`{path}`: expected {expected}, found a list of {found}");
            let hint = "only `capacity` has levels, of which the pilot chooses";
            let hint = (found > 1).then(|| hint.to_owned());
            table.source.problem(levels.line, text, hint);
            return None;
        }
        let counts = levels.value.0.iter();
        let counts: Vec<Option<Spot<u32>>> = counts
            .map(|level| within(table.source, &path, level, MAX_CONNECTIONS))
            .collect();
        let counts = counts.into_iter().map(|count| Some(count?.value));
        let counts = counts.collect::<Option<Vec<u32>>>()?;
        if !counts.is_sorted_by(|a, b| a < b) {
            let text = format!("`{path}`: expected levels that rise, found {counts:?}");
            table.source.problem(levels.line, text, None);
        }
        Some(levels.map(|_| counts).into())
    }

    fn show(&self, value: &Vec<u32>) -> Vec<(String, Value)> {
        let counts: Array = value.iter().map(|count| i64::from(*count)).collect();
        one(counts.into())
    }
}

impl Kind for ModesKind {
    type Value = Vec<ModeDriving>;

    /// The parts that it notes are `NAME` and `NAME.KEY`, without a dot before: its row is shown as `modes.`.
    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Vec<ModeDriving>>> {
        let modes = table.get::<Table>(key, must)?;
        let entries = modes.value.entries();
        if entries.is_empty() {
            let text = "`modes`: expected at least one mode, found none";
            table
                .source
                .hinted(modes.line, text, "for example `[modes.cost]`");
        }
        let choices = Mode::OF_WORKLOADS.map(|mode| (mode.name(), mode));
        let mut sources = Sources::default();
        let (mut value, mut parts) = (Vec::new(), Vec::new());
        for (name, node) in entries {
            let line = node.line;
            let name = Spot { value: name, line };
            let Some(mode) = choose(table.source, "mode", &name, &choices) else {
                continue;
            };
            let Some(table) = Table::take(node) else { continue };
            parts.push((name.value, line));
            value.extend(take_mode(&table, mode.value, &mut sources));
        }
        parts.extend(sources.lines(&format!("{}.", table.path(key))));
        Some(Taken {
            value,
            line: modes.line,
            parts,
        })
    }

    fn show(&self, value: &Vec<ModeDriving>) -> Vec<(String, Value)> {
        let lines = value.iter().flat_map(|driving| {
            let keys = keys(driving.mode, !driving.connections.is_empty());
            let line = |(key, value)| (format!("{}.{key}", driving.mode), value);
            keys.show(driving).into_iter().map(line)
        });
        lines.collect()
    }
}

fn take_mode(table: &Table, mode: Mode, sources: &mut Sources) -> Option<ModeDriving> {
    // Connections may be left out for an in-process job; whether the job is one depends on the case.
    let connected = mode != Mode::Capacity || table.has("connections") || table.has("depth");
    if !connected {
        table.tolerate(&["connections"]);
    }
    let mut driving = ModeDriving {
        mode,
        primary: Metric::CpuPerOp,
        connections: Vec::new(),
        depth: 1,
        programs: 1,
        requests: 1,
        usage: ConnectionUse::default(),
    };
    let whole = keys(mode, connected).read(table, Layer::Own, &mut driving, sources);
    refuse_keys_of_others(table, mode);
    table.finish();
    let line = |key: &str| sources.line(&table.path(key));
    if let Some(line) = line("primary") {
        check_primary(table, &driving, connected, line);
    }
    whole?;
    if let Some(line) = line("connections") {
        check_totals(table, &driving, line);
    }
    Some(driving)
}

fn check_primary(table: &Table, driving: &ModeDriving, connected: bool, line: u32) {
    let yields = if connected {
        yields(driving.mode)
    } else {
        yields_in_process()
    };
    if yields.contains(&driving.primary) {
        return;
    }
    let text = format!(
        "`{}`: the mode `{}` does not yield `{}`",
        table.path("primary"),
        driving.mode,
        driving.primary
    );
    let names: Vec<&str> = yields.iter().copied().map(Metric::name).collect();
    table
        .source
        .hinted(line, text, format!("it yields {}", names.join(", ")));
}

/// Keys that only some modes have, with those.
const OF_SOME: [(&str, &[Mode]); 4] = [
    ("programs", &[Mode::Batch]),
    ("requests", &[Mode::Batch]),
    // At a rate, each request is sent when it is due.
    ("refill", &[Mode::Capacity, Mode::Batch]),
    // The connections of a batch have a number of requests already.
    ("renew_after", &[Mode::Capacity, Mode::Cost]),
];

/// Whether a mode has a key that only some have.
fn has(mode: Mode, key: &str) -> bool {
    OF_SOME
        .iter()
        .any(|(name, modes)| *name == key && modes.contains(&mode))
}

fn refuse_keys_of_others(table: &Table, mode: Mode) {
    for (key, modes) in OF_SOME {
        if table.has(key) && !modes.contains(&mode) {
            table.tolerate(&[key]);
            let line = table.line_of(key);
            let names: Vec<String> = modes.iter().map(|mode| format!("`{mode}`")).collect();
            let (word, verb) = if modes.len() == 1 {
                ("mode", "has")
            } else {
                ("modes", "have")
            };
            let text = format!(
                "`{}`: only the {word} {} {verb} `{key}`",
                table.path(key),
                names.join(" and ")
            );
            table.source.problem(line, text, None);
        }
    }
}

fn check_totals(table: &Table, driving: &ModeDriving, line: u32) {
    let most = driving.connections.iter().copied().max().unwrap_or(0);
    let connections = u64::from(most) * u64::from(driving.programs);
    let requests = connections * u64::from(driving.requests);
    let fault = if connections > u64::from(MAX_CONNECTIONS) {
        format!("expected at most {MAX_CONNECTIONS} connections in all programs, found {connections}")
    } else if requests > MAX_BATCH {
        format!("expected at most {MAX_BATCH} requests in all, found {requests}")
    } else {
        return;
    };
    let text = format!("`{}`: {fault}", table.path("connections"));
    table.source.problem(line, text, None);
}

/// One count, or a list of levels.
struct Levels(Vec<Spot<i64>>);

impl<'d> Take<'d> for Levels {
    const EXPECTED: &'static str = "a whole number, or a list of them";
    const EXAMPLE: &'static str = "[32, 128]";

    fn take(node: Node<'d>) -> Option<Self> {
        let line = node.line;
        if node.is_list() {
            return List::<i64>::take(node).map(|list| Self(list.0));
        }
        if !node.is_whole() {
            return node.mismatch::<Self>();
        }
        i64::take(node).map(|value| Self(vec![Spot { value, line }]))
    }
}

impl Element<'_> for i64 {
    const LIST: &'static str = "a list of whole numbers";
    const LIST_EXAMPLE: &'static str = "[32, 128]";
}

/// Reports a mode without connections whose job needs them. `path` and `line`: the mode's table.
pub(super) fn missing_connections(source: &Source, path: &str, line: u32) {
    let text = format!("missing key `{path}.connections`: expected {}", Levels::EXPECTED);
    let hint = format!("for example `connections = {}`", Levels::EXAMPLE);
    source.hinted(line, text, hint);
}
