//! `published.toml`: the figures that the reproduced report gives.

use super::error::ManifestError;
use super::fields::{choose, contender_id, metric, mode, phrase};
use super::take::List;
use super::toml::{Source, Spot, Table, read};
use super::workload::{yields, yields_in_process};
use super::{Figure, Workload};
use crate::metric::Mode;
use crate::results::Published;

/// Reads a workload's published figures. `file` is what errors call it.
/// Errors: everything that is wrong with it; cases and modes must be the workload's. Whether the contenders exist
/// is for the lab to say, which knows them.
pub fn parse(bytes: &[u8], file: &str, workload: &Workload) -> Result<Vec<Figure>, ManifestError> {
    parse_spotted(bytes, file, workload, |_, _| {})
}

/// The same; `judge` sees every figure, at its contender's line, and may report what it knows of it.
pub(super) fn parse_spotted(
    bytes: &[u8],
    file: &str,
    workload: &Workload,
    judge: impl Fn(&Source, &Spot<Figure>),
) -> Result<Vec<Figure>, ManifestError> {
    read(bytes, file, |root| {
        let source = phrase(root, "source");
        let figures = root
            .optional::<List<Table>>("figures")
            .map(|list| list.value.0)
            .unwrap_or_default();
        let source = source.map(|text| text.value).unwrap_or_default();
        let taken: Vec<Figure> = figures
            .iter()
            .filter_map(|table| take_figure(&table.value, &source, workload))
            .inspect(|figure| judge(root.source, figure))
            .map(|figure| figure.value)
            .collect();
        Some(taken)
    })
}

fn take_figure(table: &Table, source: &str, workload: &Workload) -> Option<Spot<Figure>> {
    let cases: Vec<(&str, ())> = workload
        .cases
        .iter()
        .map(|case| (case.name.as_str(), ()))
        .collect();
    let case = table.required::<String>("case");
    let mode_name = table.required::<String>("mode");
    let contender = table.required::<String>("contender");
    let label = phrase(table, "label");
    let metric_name = table.required::<String>("metric");
    let value = table.required::<f64>("value");
    table.finish();
    let case = case.filter(|name| choose(table.source, "case", name, &cases).is_some());
    let driven = mode_name.and_then(|name| mode(table.source, &name));
    let measured = metric_name.and_then(|name| metric(table.source, &name));
    let contender = contender.and_then(|text| contender_id(table.source, &text));
    if let Some(mode) = driven
        .as_ref()
        .filter(|mode| !has_mode(workload, case.as_ref(), mode.value))
    {
        let text = format!("the workload has no mode `{}`", mode.value);
        table.source.hinted(
            mode.line,
            text,
            format!("add `[modes.{}]` to workload.toml", mode.value),
        );
    }
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
    let line = contender.line;
    let published = Published {
        contender: contender.value,
        label: label?.value,
        metric: metric.value,
        value: value.value,
        source: source.to_owned(),
    };
    Some(Spot {
        value: Figure {
            case,
            mode,
            published,
        },
        line,
    })
}

/// Whether the case has the mode; of a case that is not known, whether any has.
fn has_mode(workload: &Workload, case: Option<&Spot<String>>, mode: Mode) -> bool {
    let mut cases = workload
        .cases
        .iter()
        .filter(|known| case.is_none_or(|case| case.value == known.name));
    cases.any(|case| case.driving(mode).is_some())
}
