//! FrameworkBenchmarks' results.json, written from runs and read as an imported run.
//!
//! The format is that of its toolset (`toolset/utils/results.py`): lists of levels at the top, and for each test and
//! framework a list of measurements, one for each level.

mod read;
mod write;

pub use read::{BadFile, LONGEST, read};
pub use write::render;

use tare_model::metric::{Metric, Mode};
use tare_model::published::Published;
use tare_model::record::RunRecord;

use crate::format::{Format, Output, Unfit};
use crate::imported::best_of;

/// The suite's own file.
pub const FORMAT: Format = Format {
    name: "tfb",
    render: |source| match write::render(source.record) {
        Some(text) => Ok(Output::Text(text)),
        None => Err(Unfit {
            why: format!(
                "no case of run {} is a test of FrameworkBenchmarks in mode capacity",
                source.record.info.id
            ),
            hint: "tests go by the names of cases: json, plaintext, db, fortune, query, update, cached-query"
                .to_owned(),
        }),
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

/// The test that a case is, and the suffix of its contenders' names: `db-postgresql` is `db` with `-postgresql`, as in the
/// suite itself. None if the case is not a test.
fn test_of(case: &str) -> Option<(&'static str, &str)> {
    let known = TESTS.iter().map(|(test, _)| *test);
    let exact = known.clone().find(|test| *test == case).map(|test| (test, ""));
    exact.or_else(|| {
        let suffix = case.strip_prefix("db").filter(|suffix| suffix.starts_with('-'));
        suffix.map(|suffix| ("db", suffix))
    })
}

/// A framework's name as a contender's: lower-case letters, digits and single dashes, a letter first.
fn plain_name(framework: &str) -> String {
    let mut name = String::new();
    for c in framework.to_lowercase().chars() {
        match c {
            'a'..='z' | '0'..='9' => name.push(c),
            _ if name.ends_with('-') => {}
            _ => name.push('-'),
        }
    }
    let name = name.trim_matches('-');
    let first = if name.starts_with(|c: char| c.is_ascii_lowercase()) {
        ""
    } else {
        "x-"
    };
    let name: String = format!("{first}{name}").chars().take(64).collect();
    name.trim_end_matches('-').to_owned()
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
        for entrant in &arena.entrants {
            let name = format!("{}{suffix}", entrant.id.name);
            let best = best_of(
                theirs
                    .iter()
                    .copied()
                    .filter(|figure| figure.contender.name == name),
            );
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
    use tare_model::ids::ContenderId;

    #[test]
    fn cases_are_tests_by_their_names() {
        assert_eq!(test_of("json"), Some(("json", "")));
        assert_eq!(test_of("db-postgresql"), Some(("db", "-postgresql")));
        assert_eq!(test_of("cached-query"), Some(("cached-query", "")));
        for none in ["plaintext-single", "dbx", "boundary", ""] {
            assert_eq!(test_of(none), None, "{none}");
        }
    }

    #[test]
    fn frameworks_get_names_that_are_names() {
        for (framework, name) in [
            ("warp", "warp"),
            ("vertx-web-postgres", "vertx-web-postgres"),
            ("0http", "x-0http"),
            ("ASP.NET Core", "asp-net-core"),
            ("may_minihttp--", "may-minihttp"),
            ("日本", "x"),
        ] {
            assert_eq!(plain_name(framework), name);
            assert!(
                plain_name(framework).parse::<ContenderId>().is_ok(),
                "{framework}"
            );
        }
        assert!(plain_name(&"x_".repeat(80)).parse::<ContenderId>().is_ok());
    }
}
