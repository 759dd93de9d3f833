//! The tests of FrameworkBenchmarks as cases: their requests, their levels, and what its verification demands of answers.

use tare_model::manifest::{HttpAnswer, HttpJob, Job};

use super::case::CaseText;
use super::{Entrant, of_case};

/// What its load generator says that it accepts.
const JSON: &str =
    "application/json,text/html;q=0.9,application/xhtml+xml;q=0.9,application/xml;q=0.8,*/*;q=0.7";
const HTML: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const PLAIN: &str = "text/plain,text/html;q=0.9,application/xhtml+xml;q=0.9,application/xml;q=0.8,*/*;q=0.7";

/// Header fields that every answer must have. How its end is found is the load's own demand.
const FIELDS: [&str; 2] = ["Server", "Date"];

/// The connections of most tests, of those with a number of queries, and of plaintext, where 16 requests are sent at once.
const LEVELS: [u32; 6] = [16, 32, 64, 128, 256, 512];
const ONE_LEVEL: [u32; 1] = [512];
const PIPELINED: [u32; 4] = [256, 1024, 4096, 16384];
const DEPTH: u32 = 16;

/// The rows of the table `world`.
const ROWS: u32 = 10_000;

/// The numbers of rows of a test of several queries, and of one whose rows may be kept.
const QUERIES: &[u64] = &[1, 5, 10, 15, 20];
const CACHED: &[u64] = &[1, 10, 20, 50, 100];

/// A test: its name, what it is about, and the numbers of rows that are asked for.
struct Test {
    name: &'static str,
    summary: &'static str,
    rows: &'static [u64],
}

const TESTS: [Test; 7] = [
    Test {
        name: "json",
        summary: "an object, made and encoded for each request",
        rows: &[],
    },
    Test {
        name: "plaintext",
        summary: "a fixed text, 16 requests at once on a connection",
        rows: &[],
    },
    Test {
        name: "db",
        summary: "a random row of the database",
        rows: &[],
    },
    Test {
        name: "query",
        summary: "as many random rows as the request says, each by a query of its own",
        rows: QUERIES,
    },
    Test {
        name: "fortune",
        summary: "a page made by a template of rows of the database",
        rows: &[],
    },
    Test {
        name: "update",
        summary: "as many random rows as the request says, read and given new numbers",
        rows: QUERIES,
    },
    Test {
        name: "cached-query",
        summary: "as many random rows as the request says, which may be kept",
        rows: CACHED,
    },
];

/// What a test's answers must be.
fn answer(test: &str) -> HttpAnswer {
    match test {
        "plaintext" => HttpAnswer::Text {
            body: "Hello, World!".to_owned(),
        },
        "db" => HttpAnswer::World { rows: ROWS },
        "query" | "cached-query" => HttpAnswer::WorldList {
            rows: ROWS,
            count: None,
            cached: test == "cached-query",
        },
        "update" => HttpAnswer::WorldUpdates {
            rows: ROWS,
            count: None,
        },
        "fortune" => HttpAnswer::Fortunes,
        _ => HttpAnswer::Json {
            value: r#"{"message":"Hello, World!"}"#.to_owned(),
        },
    }
}

/// The media type of a test's answers, and what its requests accept.
fn media(test: &str) -> (&'static str, &'static str) {
    match test {
        "plaintext" => ("text/plain", PLAIN),
        "fortune" => ("text/html", HTML),
        _ => ("application/json", JSON),
    }
}

/// The cases that have contenders.
pub(super) fn cases(entrants: &[Entrant<'_>]) -> Vec<CaseText> {
    TESTS.iter().filter_map(|test| case(test, entrants)).collect()
}

fn case(test: &Test, entrants: &[Entrant<'_>]) -> Option<CaseText> {
    let contenders = of_case(entrants, test.name);
    let first = *contenders.first()?;
    let served = contenders.iter().any(|one| one.is_served(test.name));
    let swept = !test.rows.is_empty();
    let plain = test.name == "plaintext";
    let (media_type, accept) = media(test.name);
    let answer = answer(test.name);
    Some(CaseText {
        name: test.name.to_owned(),
        summary: test.summary.to_owned(),
        baseline: first.id.clone(),
        job: Job::Http(HttpJob {
            path: path(first, test.name, swept),
            headers: vec![("Accept".to_owned(), accept.to_owned())],
            media_type: Some(media_type.to_owned()),
            fields: FIELDS.map(str::to_owned).into(),
            // As its verification reads them.
            any_case: matches!(answer, HttpAnswer::Text { .. } | HttpAnswer::Json { .. }),
            answer: Some(answer),
            ..HttpJob::default()
        }),
        sweep: swept.then(|| ("rows", test.rows.to_vec())),
        connections: match (plain, swept) {
            (true, _) => PIPELINED.into(),
            (_, true) => ONE_LEVEL.into(),
            _ => LEVELS.into(),
        },
        depth: if plain { DEPTH } else { 1 },
        batches: plain,
        renew_after: None,
        at_rate: false,
        served,
        // What the database is asked follows from answers that hold its rows, unless those may be kept.
        counted: served && !matches!(test.name, "json" | "plaintext" | "cached-query"),
    })
}

/// The path of a test's requests at an implementation; `swept`: the number of rows follows.
pub(super) fn path(one: &Entrant<'_>, test: &str, swept: bool) -> String {
    let url = one
        .test(test)
        .and_then(|test| test.url.clone())
        .unwrap_or_default();
    let url = url.replace('{', "%7B").replace('}', "%7D");
    if swept { format!("{url}{{size}}") } else { url }
}
