//! The same contenders in several cases of a workload (several ways of deploying one program), side by side. Cases have
//! different requirements, so contenders are not ranked across them and there are no verdicts.

use std::collections::BTreeSet;

use tare_model::metric::{Metric, Mode};
use tare_model::results::{ContenderResult, Results, State, WorkloadResult};

use crate::view;
use crate::words;

/// The note below figures by language.
pub(crate) const BEST: &str =
    "For each language: its contender with the best figure in the case, floors aside.";

/// The note of every such view.
pub(crate) const NOTE: &str = "Side by side, not ranked: the requirements differ from case to case, and so may the rate and the \
web server in front.";

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

/// The contenders of one language in one case, floors aside.
#[derive(Debug, Clone, Copy)]
pub struct Kin<'a> {
    /// The case.
    pub case: &'a WorkloadResult,
    /// Their language.
    pub language: &'a str,
    /// The one with the best figure.
    pub best: &'a ContenderResult,
    /// That figure's value.
    pub value: f64,
    /// How many contenders of the language are in the case.
    pub count: usize,
}

/// A contender with figures in a case.
pub type Entry<'a> = (&'a WorkloadResult, &'a ContenderResult);

/// Workloads with two or more cases in one mode and by one metric. Cases over sizes are left out, since they have a view
/// of their own.
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
    /// The contenders with figures, by name and then by case.
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

    /// The entries whose name is in several cases.
    pub fn shared(&self) -> Vec<Entry<'a>> {
        let entries = self.entries();
        let several = |entry: &&Entry<'a>| {
            let name = &entry.1.id.name;
            let mut same = entries.iter().filter(|other| other.1.id.name == *name);
            same.any(|other| other.0.case != entry.0.case)
        };
        entries.iter().filter(several).copied().collect()
    }

    /// The languages of the contenders with figures, in alphabetical order.
    pub fn languages(&self) -> Vec<&'a str> {
        let contenders = self.entries().into_iter().map(|(_, contender)| contender);
        let named = contenders.filter(|contender| !contender.subject.is_floor());
        let all: BTreeSet<&'a str> = named.map(|contender| contender.subject.language()).collect();
        all.into_iter().collect()
    }

    /// The contenders of a language in a case; none if none has figures.
    pub fn kin(&self, case: &'a WorkloadResult, language: &'a str) -> Option<Kin<'a>> {
        let sign = if self.metric.more_is_better() { -1.0 } else { 1.0 };
        let figure =
            |contender: &ContenderResult| contender.metrics.get(&self.metric).map(|figure| figure.estimate);
        let of = |contender: &&'a ContenderResult| {
            contender.state == State::Measured
                && !contender.subject.is_floor()
                && contender.subject.language() == language
                && view::competes(case, contender, self.metric)
        };
        let mut all: Vec<(f64, &'a ContenderResult)> = case
            .contenders
            .iter()
            .filter(of)
            .filter_map(|contender| Some((figure(contender)?, contender)))
            .collect();
        all.sort_by(|a, b| (sign * a.0).total_cmp(&(sign * b.0)));
        let &(value, best) = all.first()?;
        Some(Kin {
            case,
            language,
            best,
            value,
            count: all.len(),
        })
    }

    /// Each case with its languages, those with the best figures first.
    pub fn by_case(&self) -> Vec<(&'a str, Vec<Kin<'a>>)> {
        let sign = if self.metric.more_is_better() { -1.0 } else { 1.0 };
        let of = |case: &&'a WorkloadResult| {
            let languages = self.languages().into_iter();
            let mut kin: Vec<Kin<'a>> = languages
                .filter_map(|language| self.kin(case, language))
                .collect();
            kin.sort_by(|a, b| (sign * a.value).total_cmp(&(sign * b.value)));
            (case.case.as_str(), kin)
        };
        self.cases.iter().map(of).collect()
    }

    /// Each language with its cases, in their order.
    pub fn by_language(&self) -> Vec<(&'a str, Vec<Kin<'a>>)> {
        let of = |language: &'a str| {
            let cases = self.cases.iter().filter_map(|case| self.kin(case, language));
            (language, cases.collect())
        };
        self.languages().into_iter().map(of).collect()
    }

    /// `3.10 ms (c-cgi@front)`; with several contenders of the language in the case, their number: `(c-cgi@front, of 3)`.
    pub fn figure(&self, kin: &Kin<'_>) -> String {
        let of = match kin.count {
            1 => String::new(),
            count => format!(", of {count}"),
        };
        format!("{} ({}{of})", words::show(self.metric, kin.value), kin.best.id)
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
