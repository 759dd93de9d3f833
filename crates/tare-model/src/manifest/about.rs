//! What a figure or a claim of `published.toml` is about: a case of the workload, and a mode.

use super::fields::{choose, mode};
use super::source::Spot;
use super::table::Table;
use super::workload::Workload;
use crate::metric::Mode;

/// Takes `case` and `mode`, which must be the workload's.
pub(super) fn take_about(table: &Table, workload: &Workload) -> (Option<Spot<String>>, Option<Spot<Mode>>) {
    let cases = workload.cases.iter();
    let cases: Vec<(&str, ())> = cases.map(|case| (case.name.as_str(), ())).collect();
    let case = table.required::<String>("case");
    let case = case.filter(|name| choose(table.source, "case", name, &cases).is_some());
    let driven = table.required::<String>("mode");
    let driven = driven.and_then(|name| mode(table.source, &name));
    if let Some(mode) = driven.filter(|mode| !has_mode(workload, case.as_ref(), mode.value)) {
        let text = format!("the workload has no mode `{}`", mode.value);
        let hint = format!("add `[modes.{}]` to workload.toml", mode.value);
        table.source.hinted(mode.line, text, hint);
    }
    (case, driven)
}

/// Whether the case has the mode; for an unknown case, whether any case has it.
pub(super) fn has_mode(workload: &Workload, case: Option<&Spot<String>>, mode: Mode) -> bool {
    let mut cases = workload
        .cases
        .iter()
        .filter(|known| case.is_none_or(|case| case.value == known.name));
    cases.any(|case| case.driving(mode).is_some())
}
