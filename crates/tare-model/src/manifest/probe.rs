//! In-process jobs: the keys of `probe` and `pipe`.

use super::argv::{Known, check_text, climbs};
use super::source::Spot;
use super::table::Table;
use super::words::short;

/// An in-process job: where its expected results are, and what its contenders are offered, in the workload's folder. The
/// paths of results may hold `{case}` and `{size}`, that of `interop` `{case}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// The results of every contender.
    pub reference: String,
    /// The results of the floor, if they differ.
    pub floor_reference: Option<String>,
    /// If given, its contenders exchange messages and must read each other's. The folder of the further messages that
    /// they are offered, by format.
    pub interop: Option<String>,
}

impl Probe {
    /// The file of a case's results at a size, in the workload's folder; `floor`: for the floor contender.
    pub fn file(&self, case: &str, size: Option<u64>, floor: bool) -> String {
        let own = self.floor_reference.as_ref().filter(|_| floor);
        let size = size.map_or_else(String::new, |size| size.to_string());
        let text = own.unwrap_or(&self.reference);
        text.replace("{case}", case).replace("{size}", &size)
    }

    /// The folder of what a case's contenders are offered, in the workload's; none if they exchange no messages.
    pub fn offered(&self, case: &str) -> Option<String> {
        let folder = self.interop.as_ref()?;
        Some(folder.replace("{case}", case))
    }
}

/// The keys of `probe` and `pipe` jobs, besides `kind`.
pub(super) const PROBE_KEYS: [&str; 3] = ["reference", "floor_reference", "interop"];

/// Placeholders in the name of a reference file.
const IN_REFERENCE: [&str; 2] = ["case", "size"];
/// Placeholders in the name of a folder of messages, which have no sizes.
const IN_INTEROP: [&str; 1] = ["case"];

/// Takes the keys of a `probe` or `pipe` job.
pub(super) fn take_probe(table: &Table) -> Option<Probe> {
    let reference = table.required::<String>("reference");
    let floor = table.optional::<String>("floor_reference");
    let interop = table.optional::<String>("interop");
    for (key, text) in [("reference", &reference), ("floor_reference", &floor)] {
        text.iter().for_each(|text| {
            check_values(table, key, text, &IN_REFERENCE);
            check_within(table, key, text, "file", "reference/{case}.txt");
        });
    }
    interop.iter().for_each(|text| {
        check_values(table, "interop", text, &IN_INTEROP);
        check_within(table, "interop", text, "folder", "hostile");
    });
    Some(Probe {
        reference: reference?.value,
        floor_reference: floor.map(|text| text.value),
        interop: interop.map(|text| text.value),
    })
}

fn check_values(table: &Table, key: &str, path: &Spot<String>, names: &[&str]) {
    let known = Known {
        lab: names,
        tools: &[],
        env: false,
    };
    check_text(table.source, &table.path(key), path, &known);
}

fn check_within(table: &Table, key: &str, path: &Spot<String>, what: &str, example: &str) {
    if path.value.is_empty() || path.value.starts_with('/') || climbs(&path.value) {
        let text = format!(
            "`{}`: expected a {what} in the workload's folder, found \"{}\"",
            table.path(key),
            short(&path.value)
        );
        let hint = format!("for example \"{example}\"");
        table.source.hinted(path.line, text, hint);
    }
}
