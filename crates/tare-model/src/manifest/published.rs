//! `published.toml`: the figures that the reproduced report gives, and what it found.

use super::error::ManifestError;
use super::fields::{choose, contender_id, distinct, metric, mode, phrase};
use super::finding::take_finding;
use super::take::List;
use super::toml::{Source, Spot, Table, read};
use super::workload::{yields, yields_in_process};
use super::{Figure, Reported, Workload};
use crate::ids::ContenderId;
use crate::metric::Mode;
use crate::results::Published;

/// Reads what a workload's report published. `file` is what errors call it.
/// Errors: everything that is wrong with it; cases and modes must be the workload's. Whether the contenders exist
/// is for the lab to say, which knows them.
pub fn parse(bytes: &[u8], file: &str, workload: &Workload) -> Result<Reported, ManifestError> {
    parse_spotted(bytes, file, workload, |_, _, _| {})
}

/// The same; `judge` sees every contender that is named, with its line and case, and may report what it knows of it.
pub(super) fn parse_spotted(
    bytes: &[u8],
    file: &str,
    workload: &Workload,
    judge: impl Fn(&Source, &str, &Spot<ContenderId>),
) -> Result<Reported, ManifestError> {
    read(bytes, file, |root| {
        let source = phrase(root, "source");
        let figures = root.optional::<List<Table>>("figures");
        let findings = root.optional::<List<Table>>("findings");
        let source = source.map(|text| text.value).unwrap_or_default();
        let mut reported = Reported::default();
        let mut over = Vec::new();
        for (index, table) in figures.iter().flat_map(|list| &list.value.0).enumerate() {
            if let Some((figure, contender, others)) = take_figure(&table.value, &source, workload) {
                judge(root.source, &figure.case, &contender);
                over.extend(
                    others
                        .into_iter()
                        .map(|other| (index, reported.figures.len(), other)),
                );
                reported.figures.push(figure);
            }
        }
        for (index, of, other) in &over {
            check_over(root.source, *index, &reported.figures, *of, other);
        }
        for table in findings.iter().flat_map(|list| &list.value.0) {
            if let Some((finding, contenders)) = take_finding(&table.value, &source, workload) {
                let all = contenders.iter();
                all.for_each(|contender| judge(root.source, &finding.case, contender));
                reported.findings.push(finding);
            }
        }
        Some(reported)
    })
}

/// Takes `case`, which must be one of the workload's.
pub(super) fn case_of(table: &Table, workload: &Workload) -> Option<Spot<String>> {
    let cases: Vec<(&str, ())> = workload
        .cases
        .iter()
        .map(|case| (case.name.as_str(), ()))
        .collect();
    let case = table.required::<String>("case");
    case.filter(|name| choose(table.source, "case", name, &cases).is_some())
}

/// Whether the case has the mode.
pub(super) fn check_mode(
    table: &Table,
    workload: &Workload,
    case: Option<&Spot<String>>,
    mode: Option<&Spot<Mode>>,
) {
    if let Some(mode) = mode.filter(|mode| !has_mode(workload, case, mode.value)) {
        let text = format!("the workload has no mode `{}`", mode.value);
        let hint = format!("add `[modes.{}]` to workload.toml", mode.value);
        table.source.hinted(mode.line, text, hint);
    }
}

/// Reports a contender over which a figure is to be shown that has none like it.
fn check_over(source: &Source, index: usize, figures: &[Figure], of: usize, other: &Spot<ContenderId>) {
    let figure = &figures[of];
    let path = format!("figures[{index}].over");
    if other.value == figure.published.contender {
        let text = format!("`{path}`: `{}` is the figure's own contender", other.value);
        source.problem(other.line, text, None);
        return;
    }
    let like = |known: &Figure| {
        (&known.case, known.mode, known.published.metric)
            == (&figure.case, figure.mode, figure.published.metric)
    };
    let mut others = figures.iter().filter(|known| like(known));
    if !others.any(|known| known.published.contender == other.value) {
        let text = format!(
            "`{path}`: `{}` has no figure of `{}` in case `{}`, mode `{}`",
            other.value, figure.published.metric, figure.case, figure.mode
        );
        source.hinted(other.line, text, "a ratio is of two figures of this file");
    }
}

/// Takes `over`, which may be missing.
fn take_over(table: &Table) -> Vec<Spot<ContenderId>> {
    let Some(names) = table.optional::<List<String>>("over") else {
        return Vec::new();
    };
    let names = names.value.0;
    distinct(table.source, &table.path("over"), &names);
    let ids = names.iter().filter_map(|name| contender_id(table.source, name));
    ids.collect()
}

/// A figure, whose it is, and over whom else it is shown.
type Taken = (Figure, Spot<ContenderId>, Vec<Spot<ContenderId>>);

fn take_figure(table: &Table, source: &str, workload: &Workload) -> Option<Taken> {
    let case = case_of(table, workload);
    let mode_name = table.required::<String>("mode");
    let contender = table.required::<String>("contender");
    let label = phrase(table, "label");
    let metric_name = table.required::<String>("metric");
    let value = table.required::<f64>("value");
    let over = take_over(table);
    table.finish();
    let driven = mode_name.and_then(|name| mode(table.source, &name));
    let measured = metric_name.and_then(|name| metric(table.source, &name));
    let contender = contender.and_then(|text| contender_id(table.source, &text));
    check_mode(table, workload, case.as_ref(), driven.as_ref());
    let value = value?;
    if !(value.value.is_finite() && value.value > 0.0) {
        let text = format!(
            "`{}`: expected a number above 0, found {:?}",
            table.path("value"),
            value.value
        );
        table.source.problem(value.line, text, None);
    }
    let (mode, metric) = (driven?.value, measured?);
    let case = case?.value;
    let in_process = workload
        .case(&case)
        .is_some_and(|case| case.job.in_process().is_some());
    let yields = if in_process {
        yields_in_process()
    } else {
        yields(mode)
    };
    if !yields.contains(&metric.value) {
        let text = format!(
            "`{}`: the mode `{mode}` does not yield `{}`",
            table.path("metric"),
            metric.value
        );
        table.source.problem(metric.line, text, None);
    }
    let contender = contender?;
    let published = Published {
        contender: contender.value.clone(),
        label: label?.value,
        metric: metric.value,
        value: value.value,
        source: source.to_owned(),
        over: over.iter().map(|id| id.value.clone()).collect(),
    };
    let figure = Figure {
        case,
        mode,
        published,
    };
    Some((figure, contender, over))
}

/// Whether the case has the mode; of a case that is not known, whether any has.
fn has_mode(workload: &Workload, case: Option<&Spot<String>>, mode: Mode) -> bool {
    let mut cases = workload
        .cases
        .iter()
        .filter(|known| case.is_none_or(|case| case.value == known.name));
    cases.any(|case| case.driving(mode).is_some())
}
