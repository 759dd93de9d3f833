//! Whether a workload's cases are complete: each has a job and a mode, its own or the workload's, that fit together.

use super::case::{Case, CaseTable, Defaults};
use super::driving::{ModeDriving, missing_connections};
use super::job::Job;
use super::source::Source;
use super::sources::Sources;
use crate::metric::Mode;

/// Reports what is missing in a case, and modes that do not fit its job. `has_modes`: the workload has modes, right or
/// wrong.
pub(super) fn check(
    source: &Source,
    table: &CaseTable,
    defaults: &Defaults,
    has_modes: bool,
    sources: &Sources,
) {
    let case = &table.case;
    if defaults.job.is_none() && !table.has_job {
        let text = format!(
            "the case `{}` has no job, and the workload has none for all",
            case.name
        );
        let hint = format!(
            "add `[cases.{}.job]`, or `job = {{ kind = \"…\" }}` at the top",
            case.name
        );
        source.hinted(table.line, text, hint);
    }
    let own = sources.line(&format!("cases.{}.job", case.name));
    let job_line = own.or(sources.line("job").filter(|_| !table.has_job));
    if let Some(line) = job_line.filter(|_| case.job.needs_size() && case.sweep.is_none()) {
        let text = format!(
            "the case `{}` has no `sweep`, which alone gives its job a size",
            case.name
        );
        let hint = "for example `sweep = { name = \"bytes\", sizes = [13, 1024] }` in the case; or write the \
                    number where the job has `{size}`, or leaves `bytes`, `count` or `rows` out";
        source.hinted(line, text, hint);
    }
    if !has_modes && !table.own_modes {
        let text = format!(
            "the case `{}` has no mode, and the workload has none for all",
            case.name
        );
        source.hinted(table.line, text, "for example `[modes.cost]`");
    }
    if job_line.is_some() {
        check_scheme(source, case, sources);
        check_sweep(source, case, sources);
        for driving in case.drivings.iter().filter(|one| case.modes.contains(&one.mode)) {
            check_driving(source, table, driving, sources);
        }
    }
}

/// Whether the job can be done by the scheme that the case names.
fn check_scheme(source: &Source, case: &Case, sources: &Sources) {
    let line = sources.line(&format!("cases.{}.scheme", case.name));
    let fault = case.scheme.and_then(|scheme| case.misfit(scheme));
    if let Some((line, (text, hint))) = line.zip(fault) {
        source.hinted(line, text, hint);
    }
}

/// Messages are requested by the number of their input alone, so they have no sizes.
fn check_sweep(source: &Source, case: &Case, sources: &Sources) {
    let interop = case.job.in_process().is_some_and(|probe| probe.interop.is_some());
    let line = sources.line(&format!("cases.{}.sweep", case.name));
    if let Some(line) = line.filter(|_| interop) {
        let text = format!(
            "the case `{}` is swept, and its job has `interop`, which knows no sizes",
            case.name
        );
        source.hinted(line, text, "leave one of them out");
    }
}

/// Whether a case's job can be driven in one of its modes.
fn check_driving(source: &Source, table: &CaseTable, driving: &ModeDriving, sources: &Sources) {
    let case = &table.case;
    let path = if table.own_modes {
        format!("cases.{}.modes.{}", case.name, driving.mode)
    } else {
        format!("modes.{}", driving.mode)
    };
    let connected = !driving.connections.is_empty();
    if case.job.in_process().is_some() {
        let line = sources.line(&format!("{path}.connections"));
        check_in_process(source, table, &case.job, driving.mode, line);
    } else if !connected && let Some(line) = sources.line(&path) {
        missing_connections(source, &path, line);
    }
}

/// `connections`: the line of the mode's connections, if it has some.
fn check_in_process(source: &Source, table: &CaseTable, job: &Job, mode: Mode, connections: Option<u32>) {
    let (case, name) = (&table.case.name, job.name());
    if mode != Mode::Capacity {
        let text = format!("the case `{case}` is a `{name}`, which cannot be driven in the mode `{mode}`");
        let hint = "it goes as fast as it can: `modes = [\"capacity\"]`";
        source.hinted(table.line, text, hint);
    } else if let Some(line) = connections {
        let text = format!("the case `{case}` is a `{name}`, which has no connections and no depth");
        source.hinted(line, text, "leave them out");
    }
}
