//! Jobs that are done in process: their keys, and the modes that they can have.

use super::argv::{Known, check_text, climbs};
use super::case::RawCase;
use super::driving::{RawDriving, missing_connections};
use super::toml::{Source, Spot, Table};
use super::words::short;
use super::{Job, Probe};
use crate::metric::Mode;

/// The keys of `probe` and `pipe` jobs, besides `kind`.
pub(super) const PROBE_KEYS: [&str; 3] = ["reference", "floor_reference", "interop"];

/// What stands for a value in the name of a reference file.
const IN_REFERENCE: [&str; 2] = ["case", "size"];
/// And in that of a folder of messages, which are of no size.
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

/// Whether a case's job can be driven in its modes.
pub(super) fn check_drivings(source: &Source, case: &RawCase, job: &Job, drivings: &[RawDriving]) {
    check_sweep(source, case, job);
    for driving in drivings.iter().filter(|driving| case.has_mode(driving.mode)) {
        match job.in_process() {
            None if driving.connections.value.is_empty() => missing_connections(source, driving),
            None => {}
            Some(_) => check_driving(source, case, job, driving),
        }
    }
}

/// Messages are asked for by the number of their input alone.
fn check_sweep(source: &Source, case: &RawCase, job: &Job) {
    let interop = job.in_process().is_some_and(|probe| probe.interop.is_some());
    if let Some(sweep) = case.sweep.as_ref().filter(|_| interop) {
        let text = format!(
            "the case `{}` is swept, and its job has `interop`, which knows no sizes",
            case.name
        );
        source.hinted(sweep.line, text, "leave one of them out");
    }
}

fn check_driving(source: &Source, case: &RawCase, job: &Job, driving: &RawDriving) {
    let name = job.name();
    if driving.mode != Mode::Capacity {
        let text = format!(
            "the case `{}` is a `{name}`, which cannot be driven in the mode `{}`",
            case.name, driving.mode
        );
        let hint = "it goes as fast as it can: `modes = [\"capacity\"]`";
        source.hinted(case.line, text, hint);
    } else if !driving.connections.value.is_empty() {
        let text = format!(
            "the case `{}` is a `{name}`, which has no connections and no depth",
            case.name
        );
        source.hinted(driving.connections.line, text, "leave them out");
    }
}
