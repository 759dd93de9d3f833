//! Jobs that are done in process: their keys, and the modes that they can have.

use super::argv::{Known, check_text, climbs};
use super::case::RawCase;
use super::driving::{RawDriving, missing_connections};
use super::toml::{Source, Spot, Table};
use super::words::short;
use super::{Job, Probe};
use crate::metric::Mode;

/// The keys of `probe` and `pipe` jobs, besides `kind`.
pub(super) const PROBE_KEYS: [&str; 2] = ["reference", "floor_reference"];

/// What stands for a value in the name of a reference file.
const IN_REFERENCE: [&str; 2] = ["case", "size"];

/// Takes the keys of a `probe` or `pipe` job.
pub(super) fn take_probe(table: &Table) -> Option<Probe> {
    let reference = table.required::<String>("reference");
    let floor = table.optional::<String>("floor_reference");
    for (key, text) in [("reference", &reference), ("floor_reference", &floor)] {
        text.iter().for_each(|text| check_path(table, key, text));
    }
    Some(Probe {
        reference: reference?.value,
        floor_reference: floor.map(|text| text.value),
    })
}

fn check_path(table: &Table, key: &str, path: &Spot<String>) {
    let known = Known {
        lab: &IN_REFERENCE,
        tools: &[],
        env: false,
    };
    let key = table.path(key);
    check_text(table.source, &key, path, &known);
    if path.value.is_empty() || path.value.starts_with('/') || climbs(&path.value) {
        let text = format!(
            "`{key}`: expected a file in the workload's folder, found \"{}\"",
            short(&path.value)
        );
        table
            .source
            .hinted(path.line, text, "for example \"reference/{case}.txt\"");
    }
}

/// Whether a case's job can be driven in its modes.
pub(super) fn check_drivings(source: &Source, case: &RawCase, job: &Job, drivings: &[RawDriving]) {
    for driving in drivings.iter().filter(|driving| case.has_mode(driving.mode)) {
        match job.in_process() {
            None if driving.connections.value.is_empty() => missing_connections(source, driving),
            None => {}
            Some(_) => check_driving(source, case, job, driving),
        }
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
