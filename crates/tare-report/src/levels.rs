//! The throughput of contenders at each number of connections that was tried before their figures were measured.

use std::collections::BTreeSet;

use tare_model::metric::Metric;
use tare_model::results::{ContenderResult, Level, WorkloadResult};

use crate::view;
use crate::words;

/// The note on every such table.
pub(crate) const NOTE: &str = "Answers per second at each number of connections, the median of a few slices of the pilot; * marks \
the best, at which the figures were then measured. Verdicts do not use these.";

/// The contenders with figures for which several levels were tried, best first.
#[derive(Debug, Clone)]
pub(crate) struct Table<'a> {
    /// The numbers of connections that were tried, rising.
    pub connections: Vec<u32>,
    /// Each contender with its level at each of these; none if that was not tried.
    pub rows: Vec<(&'a ContenderResult, Vec<Option<Level>>)>,
}

/// The table; none if every contender had one level only.
pub(crate) fn table(result: &WorkloadResult) -> Option<Table<'_>> {
    let measured = view::measured(result).into_iter();
    let tried: Vec<&ContenderResult> = measured
        .filter(|contender| !contender.levels.is_empty())
        .collect();
    let levels = tried.iter().flat_map(|contender| &contender.levels);
    let connections: BTreeSet<u32> = levels.map(|level| level.connections).collect();
    let connections: Vec<u32> = connections.into_iter().collect();
    let at = |contender: &ContenderResult, wanted: &u32| {
        let mut levels = contender.levels.iter();
        levels.find(|level| level.connections == *wanted).copied()
    };
    let row = |contender| {
        (
            contender,
            connections.iter().map(|wanted| at(contender, wanted)).collect(),
        )
    };
    let rows: Vec<(&ContenderResult, Vec<Option<Level>>)> = tried.into_iter().map(row).collect();
    (!rows.is_empty()).then_some(Table { connections, rows })
}

/// `133k /s`, or `*133k /s` if it was chosen.
pub(crate) fn cell(level: Option<Level>) -> String {
    let Some(level) = level else {
        return view::NONE.to_owned();
    };
    let mark = if level.chosen { "*" } else { "" };
    format!("{mark}{}", words::show(Metric::Throughput, level.rate.0))
}

/// The heading of a number of connections: `64 connections`.
pub(crate) fn heading(connections: u32) -> String {
    words::counted(u64::from(connections), "connection")
}
