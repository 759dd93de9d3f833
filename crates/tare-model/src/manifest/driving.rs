//! `[modes.NAME]`: how a mode drives the job.

use super::Driving;
use super::fields::{choose, count, count_or_one, metric, within};
use super::take::{Element, List};
use super::toml::{Node, Source, Spot, Table, Take};
use crate::metric::{Metric, Mode};

/// More connections than this need more descriptors and ports than one machine has for one contender.
pub const MAX_CONNECTIONS: u32 = 100_000;
const MAX_DEPTH: u32 = 10_000;
const MAX_PROGRAMS: u32 = 1_000;
const MAX_REQUESTS: u32 = 10_000_000;
/// A batch of more requests than this is never done within a slice.
const MAX_BATCH: u64 = 100_000_000;

/// The metrics that a mode yields. Cost drives all contenders at one rate, so it yields no throughput; only a
/// batch has a duration; time per operation is for what runs in process.
pub fn yields(mode: Mode) -> Vec<Metric> {
    let own = match mode {
        Mode::Capacity => Some(Metric::Throughput),
        Mode::Cost => None,
        Mode::Batch => Some(Metric::Duration),
        // A command answers nobody: it has no latency.
        Mode::Command => return vec![Metric::Duration, Metric::CpuPerOp, Metric::MemoryPeak],
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

/// The metrics that a job in process yields: no latency, since nothing waits but the loop itself.
pub fn yields_in_process() -> Vec<Metric> {
    vec![
        Metric::TimePerOp,
        Metric::CpuPerOp,
        Metric::Throughput,
        Metric::MemoryPeak,
    ]
}

/// A mode's table as it was written (schema 1). Line 0: tare's default.
#[derive(Debug, Clone)]
pub(super) struct RawDriving {
    pub mode: Mode,
    /// The table's path and line.
    pub path: Spot<String>,
    pub primary: Spot<Metric>,
    /// None: for jobs in process.
    pub connections: Spot<Vec<u32>>,
    pub depth: Spot<u32>,
    pub programs: Spot<u32>,
    pub requests: Spot<u32>,
}

impl RawDriving {
    /// The domain type.
    pub fn resolve(&self) -> Driving {
        Driving {
            mode: self.mode,
            primary: self.primary.value,
            connections: self.connections.value.clone(),
            depth: self.depth.value,
            programs: self.programs.value,
            requests: self.requests.value,
        }
    }
}

impl RawDriving {
    /// Notes the line of each of its values, under `prefix` (`cases.NAME.`, or nothing).
    pub fn sources(&self, prefix: &str, note: &mut impl FnMut(String, u32)) {
        let key = |key: &str| format!("{prefix}modes.{}.{key}", self.mode);
        note(key("primary"), self.primary.line);
        note(key("connections"), self.connections.line);
        note(key("depth"), self.depth.line);
        note(key("programs"), self.programs.line);
        note(key("requests"), self.requests.line);
    }
}

/// Takes `[modes]`, which may be missing: at least one. Also gives the names that there are, those of broken tables included.
pub(super) fn take_modes(root: &Table) -> Option<(Vec<RawDriving>, Vec<String>)> {
    let modes = root.optional::<Table>("modes")?;
    let entries = modes.value.entries();
    if entries.is_empty() {
        root.source.hinted(
            modes.line,
            "`modes`: expected at least one mode, found none",
            "for example `[modes.cost]`",
        );
    }
    let choices = Mode::OF_WORKLOADS.map(|mode| (mode.name(), mode));
    let names = entries.iter().map(|(name, _)| name.clone()).collect();
    let modes = entries.into_iter().filter_map(|(value, node)| {
        let name = Spot {
            value,
            line: node.line,
        };
        let mode = choose(root.source, "mode", &name, &choices)?.value;
        take_mode(&Table::take(node)?, mode)
    });
    Some((modes.collect(), names))
}

fn take_mode(table: &Table, mode: Mode) -> Option<RawDriving> {
    let primary = table
        .required::<String>("primary")
        .and_then(|name| metric(table.source, &name));
    let connections = match has_no_connections(table, mode) {
        true => Some(Spot {
            value: Vec::new(),
            line: 0,
        }),
        false => take_connections(table, mode),
    };
    let depth = count_or_one(table, "depth", MAX_DEPTH);
    let one = || Some(Spot { value: 1, line: 0 });
    let (programs, requests) = match mode {
        Mode::Batch => (
            count_or_one(table, "programs", MAX_PROGRAMS),
            count(table, "requests", MAX_REQUESTS),
        ),
        Mode::Capacity | Mode::Cost | Mode::Command => (one(), one()),
    };
    refuse_batch_keys(table, mode);
    table.finish();
    let alone = connections.as_ref().is_some_and(|levels| levels.value.is_empty());
    let yields = if alone { yields_in_process() } else { yields(mode) };
    if let Some(primary) = primary
        .as_ref()
        .filter(|primary| !yields.contains(&primary.value))
    {
        refuse_primary(table, mode, primary, &yields);
    }
    let raw = RawDriving {
        mode,
        path: Spot {
            value: table.own_path().to_owned(),
            line: table.line,
        },
        primary: primary?,
        connections: connections?,
        depth: depth?,
        programs: programs?,
        requests: requests?,
    };
    check_totals(table, &raw);
    Some(raw)
}

fn refuse_primary(table: &Table, mode: Mode, primary: &Spot<Metric>, yields: &[Metric]) {
    let text = format!(
        "`{}`: the mode `{mode}` does not yield `{}`",
        table.path("primary"),
        primary.value
    );
    let names: Vec<&str> = yields.iter().copied().map(Metric::name).collect();
    table
        .source
        .hinted(primary.line, text, format!("it yields {}", names.join(", ")));
}

fn refuse_batch_keys(table: &Table, mode: Mode) {
    for key in ["programs", "requests"] {
        if mode != Mode::Batch && table.has(key) {
            let line = table.optional::<i64>(key).map_or(table.line, |spot| spot.line);
            let text = format!("`{}`: only the mode `batch` has `{key}`", table.path(key));
            table.source.problem(line, text, None);
        }
    }
}

fn check_totals(table: &Table, raw: &RawDriving) {
    let most = raw.connections.value.iter().copied().max().unwrap_or(0);
    let connections = u64::from(most) * u64::from(raw.programs.value);
    let requests = connections * u64::from(raw.requests.value);
    let fault = if connections > u64::from(MAX_CONNECTIONS) {
        format!("expected at most {MAX_CONNECTIONS} connections in all programs, found {connections}")
    } else if requests > MAX_BATCH {
        format!("expected at most {MAX_BATCH} requests in all, found {requests}")
    } else {
        return;
    };
    table.source.problem(
        raw.connections.line,
        format!("`{}`: {fault}", table.path("connections")),
        None,
    );
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

/// As jobs in process have it. Whether the job is one, the case must tell.
fn has_no_connections(table: &Table, mode: Mode) -> bool {
    table.tolerate(&["connections"]);
    mode == Mode::Capacity && !table.has("connections") && !table.has("depth")
}

/// Connections were left out, and the job needs them.
pub(super) fn missing_connections(source: &Source, driving: &RawDriving) {
    let path = &driving.path;
    let text = format!(
        "missing key `{}.connections`: expected {}",
        path.value,
        Levels::EXPECTED
    );
    let hint = format!("for example `connections = {}`", Levels::EXAMPLE);
    source.hinted(path.line, text, hint);
}

fn take_connections(table: &Table, mode: Mode) -> Option<Spot<Vec<u32>>> {
    let levels = table.required::<Levels>("connections")?;
    let path = table.path("connections");
    let found = levels.value.0.len();
    if found == 0 || (found > 1 && mode != Mode::Capacity) {
        let expected = if found == 0 { "a number" } else { "one number" };
        let text = format!("`{path}`: expected {expected}, found a list of {found}");
        let hint = "only `capacity` has levels, of which the pilot chooses";
        table
            .source
            .problem(levels.line, text, (found > 1).then(|| hint.to_owned()));
        return None;
    }
    let counts: Vec<Option<Spot<u32>>> = levels
        .value
        .0
        .iter()
        .map(|level| within(table.source, &path, level, MAX_CONNECTIONS))
        .collect();
    let counts: Vec<u32> = counts
        .into_iter()
        .collect::<Option<Vec<_>>>()?
        .into_iter()
        .map(|spot| spot.value)
        .collect();
    if !counts.is_sorted_by(|a, b| a < b) {
        table.source.problem(
            levels.line,
            format!("`{path}`: expected levels that rise, found {counts:?}"),
            None,
        );
    }
    Some(Spot {
        value: counts,
        line: levels.line,
    })
}
