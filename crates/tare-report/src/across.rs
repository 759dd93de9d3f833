//! The same contenders in several cases of a workload (several ways of deploying one program), side by side. Cases ask for
//! different things, so nothing is ranked and no verdict is drawn across them.

use tare_model::metric::{Metric, Mode};
use tare_model::results::{ContenderResult, Results, State, WorkloadResult};

use crate::view;

/// What is said of every such view.
pub const NOTE: &str = "Side by side, not ranked: what is asked for differs from case to case, and so may the rate and \
the web server in front.";

/// The cases of a workload in one mode, by one metric.
#[derive(Debug, Clone)]
pub struct Across<'a> {
    /// The workload.
    pub workload: &'a str,
    /// The mode.
    pub mode: Mode,
    /// The primary metric of all of them.
    pub metric: Metric,
    /// The cases, at least two, in their order.
    pub cases: Vec<&'a WorkloadResult>,
}

/// A contender with figures in a case.
pub type Entry<'a> = (&'a WorkloadResult, &'a ContenderResult);

/// Workloads of which two cases or more were measured in one mode and by one metric. Cases over sizes are left out: they
/// have a view of their own.
pub fn of(results: &Results) -> Vec<Across<'_>> {
    let mut all: Vec<Across<'_>> = Vec::new();
    for result in results.workloads.iter().filter(|result| result.size.is_none()) {
        let same = |known: &&mut Across<'_>| {
            (known.workload, known.mode, known.metric)
                == (result.workload.as_str(), result.mode, result.primary)
        };
        match all.iter_mut().find(same) {
            Some(known) => known.cases.push(result),
            None => all.push(Across {
                workload: &result.workload,
                mode: result.mode,
                metric: result.primary,
                cases: vec![result],
            }),
        }
    }
    all.retain(|across| across.cases.len() > 1 && !across.entries().is_empty());
    all
}

impl<'a> Across<'a> {
    /// Those with figures, by name, and of each name by case.
    pub fn entries(&self) -> Vec<Entry<'a>> {
        let of = |case: &&'a WorkloadResult| {
            let result: &'a WorkloadResult = case;
            let measured = result.contenders.iter();
            let measured = measured.filter(|contender| {
                contender.state == State::Measured && contender.metrics.contains_key(&result.primary)
            });
            measured.map(|contender| (result, contender)).collect::<Vec<_>>()
        };
        let mut entries: Vec<Entry<'a>> = self.cases.iter().flat_map(of).collect();
        // Stable: the cases keep their order.
        entries.sort_by(|a, b| a.1.id.name.cmp(&b.1.id.name));
        entries
    }

    /// Those of names that are in several cases.
    pub fn shared(&self) -> Vec<Entry<'a>> {
        let entries = self.entries();
        let several = |entry: &&Entry<'a>| {
            let name = &entry.1.id.name;
            let mut same = entries.iter().filter(|other| other.1.id.name == *name);
            same.any(|other| other.0.case != entry.0.case)
        };
        entries.iter().filter(several).copied().collect()
    }

    /// `bigtable across its cases, cost`.
    pub fn title(&self) -> String {
        format!("{} across its cases, {}", self.workload, self.mode)
    }

    /// For files and anchors.
    pub fn slug(&self) -> String {
        view::plain(&format!(
            "{}-across-{}-{}",
            self.workload,
            self.mode,
            self.metric.name()
        ))
    }
}
