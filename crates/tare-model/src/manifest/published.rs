//! `published.toml`: the figures and claims of the report that a workload reproduces.

use super::about::take_about;
use super::document::read;
use super::error::ManifestError;
use super::fields::{contender_id, distinct, metric, phrase};
use super::source::{Source, Spot};
use super::stated::{StatedClaim, take_claim};
use super::table::Table;
use super::take::List;
use super::workload::{Workload, yields, yields_in_process};
use crate::ids::ContenderId;
use crate::metric::Mode;
use crate::published::Published;

/// A published figure and what it is a figure of.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The case.
    pub case: String,
    /// The mode.
    pub mode: Mode,
    /// The figure.
    pub published: Published,
}

/// What the report that a workload reproduces states.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reported {
    /// Its figures.
    pub figures: Vec<Figure>,
    /// Its claims.
    pub claims: Vec<StatedClaim>,
}

/// Reads what a workload's report published. `file` is what errors call it.
/// Errors: everything that is wrong with it; cases and modes must be the workload's. Whether the contenders exist
/// is not checked here.
pub fn parse(bytes: &[u8], file: &str, workload: &Workload) -> Result<Reported, ManifestError> {
    parse_spotted(bytes, file, workload, |_, _, _| {})
}

/// The same; `judge` gets every contender that is named, with its line, case and mode, and may report problems.
pub(super) fn parse_spotted(
    bytes: &[u8],
    file: &str,
    workload: &Workload,
    judge: impl Fn(&Source, (&str, Mode), &Spot<ContenderId>),
) -> Result<Reported, ManifestError> {
    read(bytes, file, |root| {
        let source = phrase(root, "source");
        let figures = root.optional::<List<Table>>("figures");
        let claims = root.optional::<List<Table>>("findings");
        let source = source.map(|text| text.value).unwrap_or_default();
        let mut reported = Reported::default();
        let mut over = Vec::new();
        for (index, table) in figures.iter().flat_map(|list| &list.value.0).enumerate() {
            if let Some((figure, contender, others)) = take_figure(&table.value, &source, workload) {
                judge(root.source, (&figure.case, figure.mode), &contender);
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
        for table in claims.iter().flat_map(|list| &list.value.0) {
            if let Some((claim, named)) = take_claim(&table.value, &source, workload) {
                let all = named.iter();
                all.for_each(|(case, contender)| judge(root.source, (case.as_str(), claim.mode), contender));
                reported.claims.push(claim);
            }
        }
        Some(reported)
    })
}

/// Reports an `over` whose contender has no figure of the same case, mode and metric.
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

/// A figure, its contender, and the contenders that it is shown over.
type Taken = (Figure, Spot<ContenderId>, Vec<Spot<ContenderId>>);

fn take_figure(table: &Table, source: &str, workload: &Workload) -> Option<Taken> {
    let (case, driven) = take_about(table, workload);
    let contender = table.required::<String>("contender");
    let label = phrase(table, "label");
    let metric_name = table.required::<String>("metric");
    let value = table.required::<f64>("value");
    let over = take_over(table);
    table.finish();
    let measured = metric_name.and_then(|name| metric(table.source, &name));
    let contender = contender.and_then(|text| contender_id(table.source, &text));
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
