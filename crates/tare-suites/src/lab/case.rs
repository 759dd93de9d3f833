//! The manifest of the workload: its cases.

use tare_model::manifest::{Job, job_value};
use toml_edit::{Array, DocumentMut, Item, Table, value};

use crate::Suite;

/// The most connections of a mode.
const MOST: u32 = 100_000;

/// The connections of the mode `cost`, at one rate for all.
const AT_A_RATE: u32 = 64;

/// How long a run measures each case, or each size of one, where no budget is given.
const MINUTES: usize = 2;

/// The longest budget that is proposed: an hour.
const LONGEST: usize = 60;

/// A case.
pub(super) struct CaseText {
    pub(super) name: String,
    pub(super) summary: String,
    /// The contender that ratios are against.
    pub(super) baseline: String,
    pub(super) job: Job,
    /// What the sizes count, and they themselves.
    pub(super) sweep: Option<(&'static str, Vec<u64>)>,
    pub(super) connections: Vec<u32>,
    pub(super) depth: u32,
    /// Whether as many requests are sent at once as are in flight.
    pub(super) batches: bool,
    pub(super) renew_after: Option<u32>,
    /// Whether it is sent at a rate by default, and not as fast as possible.
    pub(super) at_rate: bool,
    /// Whether contenders need the database in it.
    pub(super) served: bool,
    /// Whether what the database is asked is held against the answers.
    pub(super) counted: bool,
}

/// `workload.toml`.
pub(super) fn workload(suite: Suite, cases: &[CaseText]) -> String {
    let mut document = DocumentMut::new();
    document["schema"] = value(1);
    document["summary"] = value(format!("the tests of {}, by its own folders", suite.name()));
    let arenas: usize = cases
        .iter()
        .map(|case| case.sweep.as_ref().map_or(1, |(_, sizes)| sizes.len()))
        .sum();
    let mut part = Table::new();
    part["cases"] = value(cases.iter().map(|case| case.name.as_str()).collect::<Array>());
    let mut parts = toml_edit::ArrayOfTables::new();
    parts.push(part);
    let mut whole = Table::new();
    whole["summary"] = value("all tests that the folders have");
    whole["budget"] = value(format!("{}m", (arenas * MINUTES).min(LONGEST)));
    whole["parts"] = Item::ArrayOfTables(parts);
    let mut suites = implicit();
    suites["default"] = Item::Table(whole);
    document["suites"] = Item::Table(suites);
    let mut tables = implicit();
    for case in cases {
        tables[&case.name] = Item::Table(table(case));
    }
    document["cases"] = Item::Table(tables);
    document.to_string()
}

/// A table that only holds others.
fn implicit() -> Table {
    let mut table = Table::new();
    table.set_implicit(true);
    table
}

fn table(case: &CaseText) -> Table {
    let mut table = Table::new();
    table["summary"] = value(&case.summary);
    table["placement"] = value("one-core");
    table["baseline"] = value(&case.baseline);
    let mode = if case.at_rate { "cost" } else { "capacity" };
    table["by_default"] = value([mode].into_iter().collect::<Array>());
    if case.served {
        table["services"] = value([super::service::NAME].into_iter().collect::<Array>());
    }
    if case.counted {
        table["counted"] = value(true);
    }
    if let Some((name, sizes)) = &case.sweep {
        let mut sweep = toml_edit::InlineTable::new();
        sweep.insert("name", (*name).into());
        let sizes: Array = sizes.iter().map(|size| *size as i64).collect();
        sweep.insert("sizes", sizes.into());
        table["sweep"] = value(sweep);
    }
    table["job"] = value(job_value(&case.job));
    let mut modes = implicit();
    modes["capacity"] = Item::Table(capacity(case));
    modes["cost"] = Item::Table(cost(case));
    table["modes"] = Item::Table(modes);
    table
}

fn capacity(case: &CaseText) -> Table {
    let mut mode = Table::new();
    mode["primary"] = value("throughput");
    let mut levels: Vec<u32> = case
        .connections
        .iter()
        .map(|count| (*count).clamp(1, MOST))
        .collect();
    levels.sort_unstable();
    levels.dedup();
    mode["connections"] = match levels.as_slice() {
        [one] => value(i64::from(*one)),
        many => value(many.iter().map(|count| i64::from(*count)).collect::<Array>()),
    };
    shared(case, &mut mode);
    if case.batches {
        mode["refill"] = value("batches");
    }
    mode
}

fn cost(case: &CaseText) -> Table {
    let mut mode = Table::new();
    mode["primary"] = value("cpu_per_op");
    let least = case.connections.iter().min().copied().unwrap_or(AT_A_RATE);
    mode["connections"] = value(i64::from(least.clamp(1, AT_A_RATE)));
    shared(case, &mut mode);
    mode
}

fn shared(case: &CaseText, mode: &mut Table) {
    if case.depth > 1 {
        mode["depth"] = value(i64::from(case.depth));
    }
    if let Some(count) = case.renew_after {
        mode["renew_after"] = value(i64::from(count));
    }
}
