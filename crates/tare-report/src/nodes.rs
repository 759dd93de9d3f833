//! A run whose launches are of several machines: which these are, and what contenders differ by on each.

use tare_model::comparison::Comparison;
use tare_model::results::{Results, RunInfo, WorkloadResult};

use crate::escape;
use crate::view;
use crate::words;

/// What each of a table's contenders differs by from the baseline on each node.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    /// Of which table.
    pub title: String,
    /// The headings: the contender, all nodes, and each node by its name.
    pub headings: Vec<String>,
    /// A contender's ratio on all nodes and on each; a dash where it has none.
    pub rows: Vec<Vec<String>>,
}

/// The note on every such table.
pub(crate) const NOTE: &str =
    "Ratios to the baseline, without intervals. Verdicts are of the mean over these nodes.";

/// What launches of several nodes are; none of a run of one machine.
pub(crate) fn sentence(run: &RunInfo) -> Option<String> {
    if run.nodes.is_empty() {
        return None;
    }
    let names: Vec<String> = run
        .nodes
        .iter()
        .map(|node| escape::one_line(&node.host).to_string())
        .collect();
    let (count, names) = (words::counted(names.len() as u64, "node"), names.join(", "));
    Some(match run.nodes.len() {
        1 => format!("Several runs of one machine ({names}) are taken together."),
        _ => format!(
            "Runs of {count} ({names}) are taken together: a launch is one on each node, and verdicts are of their mean."
        ),
    })
}

/// The tables of a run; none of a run of one machine.
pub(crate) fn tables(results: &Results) -> Vec<Table> {
    if results.run.nodes.len() < 2 {
        return Vec::new();
    }
    let of = |result| table(result, &results.run);
    results.workloads.iter().filter_map(of).collect()
}

fn table(result: &WorkloadResult, run: &RunInfo) -> Option<Table> {
    let shown: Vec<&Comparison> = view::shown(result);
    let rows: Vec<Vec<String>> = shown.iter().map(|comparison| row(comparison, run)).collect();
    if rows.is_empty() {
        return None;
    }
    let mut headings = vec!["contender".to_owned(), "all nodes".to_owned()];
    headings.extend(
        run.nodes
            .iter()
            .map(|node| escape::one_line(&node.host).to_string()),
    );
    Some(Table {
        title: result.title(),
        headings,
        rows,
    })
}

fn row(comparison: &Comparison, run: &RunInfo) -> Vec<String> {
    let on = |node: usize| comparison.by_node.iter().find(|on| on.node as usize == node);
    let ratio = |node| on(node).map_or(view::NONE.to_owned(), |on| words::ratio(on.ratio));
    let mut cells = vec![comparison.a.to_string(), words::ratio(comparison.ratio)];
    cells.extend((0..run.nodes.len()).map(ratio));
    cells
}
