//! FrameworkBenchmarks' results.json, written from runs and read as an imported run.
//!
//! The format is that of its toolset (`toolset/utils/results.py`): lists of levels at the top, and for each test and
//! framework a list of measurements, one for each level.

mod read;
mod write;

pub use read::read;
pub use write::render;

use tare_model::metric::{Metric, Mode};
use tare_model::published::Published;
use tare_model::record::RunRecord;

use crate::format::{Format, Output, Unfit};
use crate::imported::best_of;

/// The suite's own file.
pub const FORMAT: Format = Format {
    name: "tfb",
    render: |source| {
        match write::render(source.record) {
        Some(text) => Ok(Output::Text(text)),
        None => Err(Unfit {
            why: format!(
                "no case of run {} is a test of FrameworkBenchmarks in mode capacity",
                source.record.info.id
            ),
            hint: "tests go by the names of cases: json, plaintext, db, fortunes, queries, updates, cached-queries"
                .to_owned(),
        }),
    }
    },
};

/// The workload of imported figures.
pub const WORKLOAD: &str = "framework-benchmarks";

/// Its tests, and the lists that their measurements follow.
const TESTS: [(&str, &str); 7] = [
    ("json", "concurrencyLevels"),
    ("plaintext", "pipelineConcurrencyLevels"),
    ("db", "concurrencyLevels"),
    ("fortune", "concurrencyLevels"),
    ("query", "queryIntervals"),
    ("update", "queryIntervals"),
    ("cached-query", "cachedQueryIntervals"),
];

/// What the suite's tests are called that it names after one of many.
const PLURALS: [(&str, &str); 4] = [
    ("fortunes", "fortune"),
    ("queries", "query"),
    ("updates", "update"),
    ("cached-queries", "cached-query"),
];

/// The test that a case is, and the suffix of its contenders' names: `db-postgresql` is `db` with `-postgresql`, as in the
/// suite itself. None if the case is not a test.
fn test_of(case: &str) -> Option<(&'static str, &str)> {
    let plural = PLURALS.iter().find(|(plural, _)| *plural == case);
    let name = plural.map_or(case, |(_, test)| test);
    let known = TESTS.iter().map(|(test, _)| *test);
    let exact = known.clone().find(|test| *test == name).map(|test| (test, ""));
    exact.or_else(|| {
        let suffix = case.strip_prefix("db").filter(|suffix| suffix.starts_with('-'));
        suffix.map(|suffix| ("db", suffix))
    })
}

/// Whether the levels of a test are how many rows a request asks for, and not connections.
fn has_intervals(test: &str) -> bool {
    let list = TESTS.iter().find(|(known, _)| *known == test);
    list.is_some_and(|(_, list)| list.ends_with("Intervals"))
}

/// How a level of a test is called.
fn level_words(test: &str, level: u64) -> String {
    let unit = if has_intervals(test) {
        "queries"
    } else {
        "connections"
    };
    format!("{level} {unit}")
}

/// Puts an imported run's figures beside those of a measured run: each framework's best, at the contender of its name, in
/// cases in mode `capacity` that are tests of the suite. Returns how many.
pub fn beside(record: &mut RunRecord, imported: &RunRecord) -> usize {
    let mut count = 0;
    for arena in record
        .arenas
        .iter_mut()
        .filter(|arena| arena.mode == Mode::Capacity)
    {
        let Some((test, suffix)) = test_of(&arena.case) else {
            continue;
        };
        let theirs = imported.arenas.iter().filter(|theirs| theirs.case == test);
        let theirs: Vec<&Published> = theirs.flat_map(|theirs| &theirs.published).collect();
        // Of a case with sizes, each stands beside the level that is its own.
        let level = arena.size.map(|size| format!(", {}", level_words(test, size)));
        for entrant in &arena.entrants {
            let name = format!("{}{suffix}", entrant.id.name);
            let is_beside = |figure: &&Published| {
                let at_level = level.as_ref().is_none_or(|level| figure.label.ends_with(level));
                figure.contender.name == name && at_level
            };
            let best = best_of(theirs.iter().copied().filter(is_beside));
            arena.published.extend(best.map(|figure| Published {
                contender: entrant.id.clone(),
                ..figure.clone()
            }));
            count += usize::from(best.is_some());
        }
    }
    count
}

/// The metric of all imported figures.
const METRIC: Metric = Metric::Throughput;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_tests_by_their_names() {
        assert_eq!(test_of("json"), Some(("json", "")));
        assert_eq!(test_of("db-postgresql"), Some(("db", "-postgresql")));
        assert_eq!(test_of("cached-query"), Some(("cached-query", "")));
        assert_eq!(test_of("cached-queries"), Some(("cached-query", "")));
        assert_eq!(test_of("fortunes"), Some(("fortune", "")));
        assert!(has_intervals("update") && !has_intervals("fortune"));
        for none in ["plaintext-single", "dbx", "boundary", ""] {
            assert_eq!(test_of(none), None, "{none}");
        }
    }
}
