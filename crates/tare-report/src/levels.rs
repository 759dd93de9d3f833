//! What contenders gave at each number of connections that was tried before their figures were measured.

use std::collections::BTreeSet;

use tare_model::metric::Metric;
use tare_model::results::{ContenderResult, Level, WorkloadResult};

use crate::view;
use crate::words;

/// What is said of every such table.
pub const NOTE: &str = "Answers a second at each number of connections, the median of a few slices of the pilot; * marks \
the best, at which the figures were then measured. No verdict rests on these.";

/// The contenders with figures of which several levels were tried, best first.
#[derive(Debug, Clone)]
pub struct Table<'a> {
    /// The numbers of connections that any of them was tried at, rising.
    pub connections: Vec<u32>,
    /// Each contender with what it gave at these; none where it was not tried.
    pub rows: Vec<(&'a ContenderResult, Vec<Option<Level>>)>,
}

/// The table; none where no contender had a choice.
pub fn table(result: &WorkloadResult) -> Option<Table<'_>> {
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

/// `133k /s`, `*133k /s` where it was chosen.
pub fn cell(level: Option<Level>) -> String {
    let Some(level) = level else {
        return view::NONE.to_owned();
    };
    let mark = if level.chosen { "*" } else { "" };
    format!("{mark}{}", words::show(Metric::Throughput, level.rate.0))
}

/// What heads the column of a number of connections: `64 connections`.
pub fn heading(connections: u32) -> String {
    words::counted(u64::from(connections), "connection")
}
