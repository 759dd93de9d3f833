//! `[suites.NAME]`: what a run of a workload measures, in order of importance, and how long it may take.

use std::time::Duration;

use toml_edit::{Array, Value};

use super::case::{Case, Sweep};
use super::fields::{check_name, contender_id, distinct, mode, within};
use super::keys::{Keys, Kind, Taken, field};
use super::kinds::{Maybe, PhraseKind, TextKind, TextsKind, one};
use super::node::Take;
use super::sources::{Layer, Sources};
use super::table::Table;
use super::take::List;
use super::write::{text, texts};
use crate::ids::ContenderId;
use crate::metric::Mode;
use crate::units::{parse_time, time_text};

/// The suite of every case in its default modes, which needs no manifest.
pub const FULL: &str = "full";
/// The suite that is measured unless another is named.
pub const DEFAULT: &str = "default";
/// The suite of what the reproduced report compared.
pub(super) const REPORT: &str = "report";

/// More machines than anyone has for the load of one server.
const MAX_MACHINES: u32 = 200;

/// A suite: cases, contenders, modes and sizes, and a budget.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Suite {
    /// Its name.
    pub name: String,
    /// One line.
    pub summary: String,
    /// The budget that it was tried with.
    pub budget: Option<Duration>,
    /// The machines that it takes beside that of the contenders; none: it has no machines of its own.
    pub machines: Option<Machines>,
    /// The suite whose parts it has.
    pub same_as: Option<String>,
    /// What is measured, in order of importance; at least one part.
    pub parts: Vec<Part>,
}

/// Machines beside that of the contenders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Machines {
    /// The number of those that drive the load; 0: that of the contenders does.
    pub load: u32,
    /// Whether one holds the services of cases.
    pub service: bool,
}

/// Cases of a suite that are measured in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Part {
    /// The cases, in order of importance; at least one.
    pub cases: Vec<String>,
    /// The modes; empty: as each case says.
    pub modes: Vec<Mode>,
    /// The contenders, measured by default or not; empty: all that are measured by default. A name without a variant
    /// means all of its variants.
    pub contenders: Vec<ContenderId>,
    /// The sizes; empty: all of each case's sweep.
    pub sizes: Vec<u64>,
}

impl Part {
    /// A case with the modes and sizes of this part.
    pub fn narrowed(&self, case: &Case) -> Case {
        let mut case = case.clone();
        if !self.modes.is_empty() {
            case.modes.clone_from(&self.modes);
        }
        if let Some(sweep) = case.sweep.as_mut().filter(|_| !self.sizes.is_empty()) {
            sweep.sizes.clone_from(&self.sizes);
        }
        case
    }

    /// Whether it measures a contender that takes part in its cases. `by_default`: whether that one is measured unless
    /// named otherwise.
    pub fn measures(&self, id: &ContenderId, by_default: bool) -> bool {
        if self.contenders.is_empty() {
            by_default
        } else {
            self.contenders.iter().any(|named| named.means(id))
        }
    }
}

impl Machines {
    /// How many they are.
    pub fn count(self) -> usize {
        self.load as usize + usize::from(self.service)
    }

    /// The machines that two suites take in one run.
    #[must_use]
    pub fn together(self, other: Self) -> Self {
        Self {
            load: self.load.max(other.load),
            service: self.service || other.service,
        }
    }
}

impl Suite {
    /// The part that measures a case, if one does.
    pub(super) fn part(&self, case: &str) -> Option<&Part> {
        let has = |part: &&Part| part.cases.iter().any(|known| known == case);
        self.parts.iter().find(has)
    }

    /// The suite of every case.
    pub(super) fn full(cases: &[Case]) -> Self {
        Self {
            name: FULL.to_owned(),
            summary: "every case in its default modes".to_owned(),
            parts: vec![Part {
                cases: cases.iter().map(|case| case.name.clone()).collect(),
                ..Part::default()
            }],
            ..Self::default()
        }
    }
}

/// The keys of a suite.
fn keys<'c>() -> Keys<'c, Suite> {
    let mut keys = Keys::<Suite>::new();
    keys.must(field!(summary), PhraseKind);
    keys.may(field!(budget), Maybe(TimeKind));
    keys.may(field!(machines), Maybe(MachinesKind));
    keys.may(field!(same_as), Maybe(TextKind));
    keys.may(field!(parts), PartsKind)
        .shown_if(|suite| suite.same_as.is_none());
    keys
}

/// The keys of a part.
fn part_keys<'c>() -> Keys<'c, Part> {
    let mut keys = Keys::<Part>::new();
    keys.must(field!(cases), TextsKind);
    keys.may(field!(modes), ModesOfPartKind)
        .shown_if(|part| !part.modes.is_empty());
    keys.may(field!(contenders), IdsKind)
        .shown_if(|part| !part.contenders.is_empty());
    keys.may(field!(sizes), SizesKind)
        .shown_if(|part| !part.sizes.is_empty());
    keys
}

/// `[suites]`: each with its name.
pub(super) struct SuitesKind;

/// A length of time: `15m`.
struct TimeKind;

/// `machines = { load = 10, service = true }`: at least one.
struct MachinesKind;

/// `[[suites.NAME.parts]]`: at least one.
struct PartsKind;

/// Modes by name.
struct ModesOfPartKind;

/// Ids of contenders.
struct IdsKind;

/// Sizes of a sweep.
struct SizesKind;

impl Kind for SuitesKind {
    type Value = Vec<Suite>;

    /// The parts that it notes are `NAME` and `NAME.KEY`, without a dot before: its row is shown as `suites.`.
    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Vec<Suite>>> {
        let suites = table.get::<Table>(key, must)?;
        let mut sources = Sources::default();
        let (mut value, mut parts) = (Vec::new(), Vec::new());
        for (name, node) in suites.value.entries() {
            let (source, line) = (node.source, node.line);
            check_name(source, "suite", &name, line);
            if name == FULL {
                let hint = "it is every case in its default modes, and is there without being written";
                source.hinted(line, format!("`{FULL}` is no name for a suite"), hint);
                continue;
            }
            let Some(table) = Table::take(node) else { continue };
            parts.push((name.clone(), line));
            value.extend(take_suite(&table, name, &mut sources));
        }
        parts.extend(sources.lines(&format!("{}.", table.path(key))));
        Some(Taken {
            value,
            line: suites.line,
            parts,
        })
    }

    fn show(&self, value: &Vec<Suite>) -> Vec<(String, Value)> {
        let lines = value.iter().flat_map(|suite| {
            let line = |(key, value)| (format!("{}.{key}", suite.name), value);
            keys().show(suite).into_iter().map(line)
        });
        lines.collect()
    }
}

fn take_suite(table: &Table, name: String, sources: &mut Sources) -> Option<Suite> {
    let mut suite = Suite {
        name,
        ..Suite::default()
    };
    let whole = keys().read(table, Layer::Own, &mut suite, sources);
    if table.has("parts") == table.has("same_as") {
        let text = format!("`{}`: expected either `parts` or `same_as`", table.own_path());
        let hint = "for example `[[suites.report.parts]]` with `cases = [\"…\"]`, or `same_as = \"full\"`";
        table.source.hinted(table.line, text, hint);
    }
    table.finish();
    whole.map(|()| suite)
}

impl Kind for PartsKind {
    type Value = Vec<Part>;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Vec<Part>>> {
        let tables = table.get::<List<Table>>(key, must)?;
        let mut sources = Sources::default();
        let mut value = Vec::new();
        for table in &tables.value.0 {
            let mut part = Part::default();
            let whole = part_keys().read(&table.value, Layer::Own, &mut part, &mut sources);
            table.value.finish();
            value.extend(whole.map(|()| part));
        }
        Some(Taken {
            value,
            line: tables.line,
            parts: sources.lines(&table.path(key)),
        })
    }

    fn show(&self, value: &Vec<Part>) -> Vec<(String, Value)> {
        let lines = value.iter().enumerate().flat_map(|(index, part)| {
            let line = move |(key, value)| (format!("[{index}].{key}"), value);
            part_keys().show(part).into_iter().map(line)
        });
        lines.collect()
    }
}

impl Kind for TimeKind {
    type Value = Duration;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Duration>> {
        let time = table.get::<String>(key, must)?;
        match parse_time(&time.value) {
            Ok(duration) => Some(time.map(|_| duration).into()),
            Err(error) => {
                let text = format!("`{}`: {error}", table.path(key));
                table.source.problem(time.line, text, None);
                None
            }
        }
    }

    fn show(&self, value: &Duration) -> Vec<(String, Value)> {
        one(text(&time_text(*value)))
    }
}

impl Kind for MachinesKind {
    type Value = Machines;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Machines>> {
        let machines = table.get::<Table>(key, must)?;
        let table = &machines.value;
        let load = table.optional::<i64>("load");
        let service = table.optional::<bool>("service");
        table.finish();
        let load = match load {
            Some(load) => within(table.source, &table.path("load"), &load, MAX_MACHINES)?.value,
            None => 0,
        };
        let value = Machines {
            load,
            service: service.is_some_and(|service| service.value),
        };
        if value.count() == 0 {
            let text = format!("`{}`: expected a machine, found none", table.own_path());
            let hint = "for example `{ load = 3, service = true }`; leave the key out for this machine alone";
            table.source.hinted(table.line, text, hint);
        }
        Some(machines.map(|_| value).into())
    }

    fn show(&self, value: &Machines) -> Vec<(String, Value)> {
        let load = (value.load > 0).then(|| (".load".to_owned(), i64::from(value.load).into()));
        let service = value.service.then(|| (".service".to_owned(), true.into()));
        load.into_iter().chain(service).collect()
    }
}

impl Kind for ModesOfPartKind {
    type Value = Vec<Mode>;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Vec<Mode>>> {
        let names = table.get::<List<String>>(key, must)?;
        distinct(table.source, &table.path(key), &names.value.0);
        let modes = names.value.0.iter();
        let modes = modes.map(|name| Some(mode(table.source, name)?.value));
        let modes = modes.collect::<Option<Vec<Mode>>>()?;
        Some(names.map(|_| modes).into())
    }

    fn show(&self, value: &Vec<Mode>) -> Vec<(String, Value)> {
        let names: Vec<String> = value.iter().map(ToString::to_string).collect();
        one(texts(&names))
    }
}

impl Kind for IdsKind {
    type Value = Vec<ContenderId>;

    /// The parts that it notes are `[0]`, `[1]` …: each contender has a line.
    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Vec<ContenderId>>> {
        let names = table.get::<List<String>>(key, must)?;
        distinct(table.source, &table.path(key), &names.value.0);
        let ids = names.value.0.iter();
        let ids: Vec<_> = ids.map(|name| contender_id(table.source, name)).collect();
        let ids = ids.into_iter().collect::<Option<Vec<_>>>()?;
        Some(Taken {
            line: names.line,
            parts: (ids.iter().enumerate())
                .map(|(index, id)| (format!("[{index}]"), id.line))
                .collect(),
            value: ids.into_iter().map(|id| id.value).collect(),
        })
    }

    fn show(&self, value: &Vec<ContenderId>) -> Vec<(String, Value)> {
        let names: Vec<String> = value.iter().map(ToString::to_string).collect();
        one(texts(&names))
    }
}

impl Kind for SizesKind {
    type Value = Vec<u64>;

    fn take(&self, table: &Table, key: &'static str, must: bool) -> Option<Taken<Vec<u64>>> {
        let sizes = table.get::<List<i64>>(key, must)?;
        let path = table.path(key);
        let each = sizes.value.0.iter();
        let values: Vec<_> = each
            .map(|size| within(table.source, &path, size, Sweep::MAX_SIZE))
            .collect();
        let values = values.into_iter().map(|size| Some(size?.value));
        let values = values.collect::<Option<Vec<u64>>>()?;
        if values.len() < 2 || !values.is_sorted_by(|a, b| a < b) {
            let text = format!("`{path}`: expected at least two sizes that rise, found {values:?}");
            table
                .source
                .hinted(sizes.line, text, "leave the key out for all sizes");
        }
        Some(sizes.map(|_| values).into())
    }

    fn show(&self, value: &Vec<u64>) -> Vec<(String, Value)> {
        let sizes: Array = value.iter().map(|size| *size as i64).collect();
        one(sizes.into())
    }
}
