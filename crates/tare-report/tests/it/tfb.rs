//! FrameworkBenchmarks' results.json, both ways.

use serde_json::Value;
use tare_model::driving::Driving;
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::Style;
use tare_model::metric::{Metric, Mode};
use tare_model::record::{ArenaRecord, EntrantRecord, Phase, RunRecord, SliceRecord};
use tare_model::units::Seconds;
use tare_report::terminal::Terminal;
use tare_report::{csv, html, httparena, imported, json, markdown, svg, terminal, tfb};

use crate::fixture::{self, id};
use crate::golden::check_json;

/// A file as the suite writes it, small: from the documented shape, with the other keys that real ones have.
const SAMPLE: &str = include_str!("sample-results.json");

fn entrant(name: &str, fault: Option<FaultKind>) -> EntrantRecord {
    EntrantRecord {
        id: id(name),
        summary: String::new(),
        subject: fixture::subject("c", Style::Idiomatic, None),
        fault: fault.map(|kind| Fault::new(kind, "alas")),
        fault_launch: fault.map(|_| 0),
    }
}

/// A slice of half a second.
fn slice(entrant: usize, phase: Phase, connections: u32, answers: u64) -> SliceRecord {
    let mut reading = tare_model::measure::SliceReading {
        began: Seconds(f64::from(connections)),
        ..Default::default()
    };
    reading.load.wall = Seconds(0.5);
    reading.load.answers = answers;
    reading.load.connections = connections;
    (0..answers).for_each(|i| reading.load.latency.record(100_000 + 1000 * i));
    SliceRecord {
        phase,
        launch: 0,
        round: 0,
        place: 0,
        entrant,
        reading,
    }
}

fn arena(case: &str, mode: Mode, slices: Vec<SliceRecord>) -> ArenaRecord {
    let workload = fixture::workload();
    ArenaRecord {
        workload: "http".into(),
        summary: workload.summary,
        case: case.into(),
        case_summary: workload.case_summary,
        sweep: None,
        size: None,
        mode,
        driving: Driving::Unknown,
        placement: workload.placement,
        primary: Metric::Throughput,
        floor: None,
        baseline: Some(id("warp")),
        margin: 0.01,
        alpha: 0.05,
        published: Vec::new(),
        claims: Vec::new(),
        entrants: vec![
            entrant("warp", None),
            entrant("gin@fast", Some(FaultKind::NotSteady)),
            entrant("liar", Some(FaultKind::Wrong)),
            entrant("absent", Some(FaultKind::MissingTool)),
        ],
        launches: Vec::new(),
        slices,
    }
}

fn record() -> RunRecord {
    use Phase::{Pilot, Round, WarmUp};
    let json = vec![
        slice(0, WarmUp, 16, 9999),
        slice(0, Pilot, 16, 40),
        slice(0, Pilot, 64, 60),
        slice(1, Pilot, 64, 10),
        slice(2, Pilot, 64, 10),
        slice(0, Round, 64, 50),
        slice(0, Round, 64, 70),
    ];
    let db = vec![slice(0, Round, 256, 8)];
    RunRecord {
        info: fixture::run(),
        arenas: vec![
            arena("json", Mode::Capacity, json),
            arena("json", Mode::Cost, vec![slice(0, Round, 128, 7)]),
            arena("plaintext-single", Mode::Capacity, vec![slice(0, Round, 512, 7)]),
            arena("db-postgresql", Mode::Capacity, db),
        ],
    }
}

#[test]
fn a_run_is_written_as_the_suite_has_it() {
    let text = tfb::render(&record()).unwrap();
    check_json("tfb.json", &text);
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["concurrencyLevels"], serde_json::json!([16, 64, 256]));
    let warp = document["rawData"]["json"]["warp"].as_array().unwrap();
    assert_eq!(warp.len(), 3);
    assert_eq!(warp[1]["totalRequests"], 180, "pilot and rounds, no warm-up");
    let lasted = warp[1]["endTime"].as_f64().unwrap() - warp[1]["startTime"].as_f64().unwrap();
    assert!((lasted - 1.5).abs() < 1e-6, "{lasted}");
    assert_eq!(warp[2], serde_json::json!({}), "not measured: nothing said");
    assert_eq!(document["failed"]["json"], serde_json::json!(["liar"]));
    assert!(
        document["rawData"]["db"]["warp-postgresql"].is_array(),
        "{document:#}"
    );
    assert!(!text.contains("absent") && !text.contains("plaintext-single"));
}

#[test]
fn a_run_of_the_arena_is_written_as_its_scripts_do() {
    use Phase::{Pilot, Round, WarmUp};
    let slices = vec![
        slice(0, WarmUp, 16, 9999),
        slice(0, Pilot, 16, 40),
        slice(0, Round, 64, 50),
        slice(0, Round, 64, 70),
        slice(2, Round, 64, 70),
    ];
    let mut run = record();
    assert!(httparena::files(&run).is_empty(), "it is of another suite");
    run.arenas = vec![ArenaRecord {
        workload: "httparena".to_owned(),
        ..arena("baseline", Mode::Capacity, slices)
    }];
    let files = httparena::files(&run);
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(
        paths,
        ["baseline/16/warp.json", "baseline/64/warp.json"],
        "a liar has none"
    );
    let document: Value = serde_json::from_str(&files[1].text).unwrap();
    assert_eq!(
        (&document["framework"], &document["connections"]),
        (&"warp".into(), &64.into())
    );
    // 120 answers in two slices of half a second.
    assert_eq!(
        (&document["rps"], &document["duration"]),
        (&120.into(), &"1.0s".into())
    );
}

#[test]
fn sizes_are_the_levels_of_tests_that_have_them() {
    let at = |size: u64, answers: u64| {
        use Phase::{Pilot, Round};
        let slices = vec![
            slice(0, Pilot, 16, 9999),
            slice(0, Round, 64, answers),
            slice(1, Round, 64, 5),
        ];
        ArenaRecord {
            size: Some(size),
            ..arena("queries", Mode::Capacity, slices)
        }
    };
    let mut failed = at(20, 70);
    failed.entrants[1].fault = Some(Fault::new(FaultKind::Wrong, "alas"));
    let mut run = record();
    // A case of such a name without sizes is none of the suite's.
    run.arenas = vec![
        at(1, 500),
        failed,
        arena("updates", Mode::Capacity, vec![slice(0, Phase::Round, 16, 5)]),
    ];
    let text = tfb::render(&run).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["queryIntervals"], serde_json::json!([1, 20]));
    assert_eq!(document["concurrencyLevels"], serde_json::json!([]));
    let warp = document["rawData"]["query"]["warp"].as_array().unwrap();
    let totals: Vec<u64> = warp
        .iter()
        .map(|one| one["totalRequests"].as_u64().unwrap())
        .collect();
    assert_eq!(totals, [500, 70], "rounds alone");
    // What failed at one size failed.
    assert_eq!(
        document["failed"]["query"],
        serde_json::json!(["gin@fast", "liar"])
    );
    assert_eq!(document["rawData"]["update"], serde_json::json!({}));
    // Beside a run each size has the level that is its own.
    let imported = tfb::read(text.as_bytes()).unwrap();
    assert_eq!(tfb::beside(&mut run, &imported), 2);
    let labels = run.arenas.iter().flat_map(|arena| &arena.published);
    let labels: Vec<&str> = labels.map(|figure| figure.label.as_str()).collect();
    assert_eq!(labels, ["warp, 1 queries", "warp, 20 queries"]);
}

#[test]
fn a_run_without_any_of_its_tests_is_refused() {
    let mut run = record();
    run.arenas.drain(..1);
    run.arenas.truncate(2);
    assert_eq!(tfb::render(&run), None);
}

#[test]
fn what_was_written_is_read_back() {
    let read = tfb::read(tfb::render(&record()).unwrap().as_bytes()).unwrap();
    assert_eq!(read.info.started, record().info.started);
    let imported = read.info.imported.as_deref().unwrap();
    assert!(
        imported.starts_with("FrameworkBenchmarks: tare 20261121-204512"),
        "{imported}"
    );
    let figures: Vec<(String, f64)> = read
        .arenas
        .iter()
        .flat_map(|arena| &arena.published)
        .map(|figure| (figure.label.clone(), (figure.value * 100.0).round() / 100.0))
        .collect();
    let expected = [
        ("gin@fast, 64 connections", 20.0),
        ("warp, 16 connections", 80.0),
        ("warp, 64 connections", 120.0),
        ("warp-postgresql, 256 connections", 16.0),
    ];
    assert_eq!(figures, expected.map(|(label, value)| (label.to_owned(), value)));
}

#[test]
fn a_file_of_the_suite_is_read() {
    let run = tfb::read(SAMPLE.as_bytes()).unwrap();
    assert_eq!(
        run.info.imported.as_deref(),
        Some("FrameworkBenchmarks: Round 99, Physical, Xeon Gold 5120")
    );
    let cases: Vec<&str> = run.arenas.iter().map(|arena| arena.case.as_str()).collect();
    assert_eq!(cases, ["json", "plaintext", "db", "query", "cached-query"]);
    let best: Vec<(String, f64)> = imported::best(&run.arenas[0].published)
        .into_iter()
        .map(|figure| (figure.label.clone(), figure.value))
        .collect();
    let expected = [
        ("warp, 64 connections", 120_000.0),
        ("wizzardo-http, 16 connections", 90_000.0),
    ];
    assert_eq!(best, expected.map(|(label, value)| (label.to_owned(), value)));
    let queries = &run.arenas[3].published[1];
    assert_eq!(
        (queries.label.as_str(), queries.value),
        ("warp, 20 queries", 2_000.0)
    );
    assert_eq!(run.arenas[1].published[0].contender, id("x-0http"));
}

#[test]
fn imported_figures_are_marked_wherever_they_are_shown() {
    let run = tfb::read(SAMPLE.as_bytes()).unwrap();
    let results = results_of(&run);
    let terminal = terminal::render(&results, Terminal::default());
    for text in [&terminal, &markdown::render(&results), &html::render(&results)] {
        assert!(
            text.contains("Imported, not measured here") && text.contains("no verdict"),
            "{text}"
        );
        assert!(text.contains("120k"), "{text}");
    }
    let document: Value = serde_json::from_str(&json::render(&results)).unwrap();
    assert!(document["run"]["imported"].as_str().unwrap().contains("Round 99"));
    let rows = csv::render(&results);
    let figures: usize = run.arenas.iter().map(|arena| arena.published.len()).sum();
    assert_eq!(rows.matches(",imported,").count(), figures, "{rows}");
    assert!(svg::files(&results).is_empty());
}

fn results_of(run: &RunRecord) -> tare_model::results::Results {
    tare_model::results::Results {
        run: run.info.clone(),
        workloads: run.arenas.iter().map(shown).collect(),
        ..Default::default()
    }
}

/// As the analysis has a case of which nothing was measured.
fn shown(arena: &ArenaRecord) -> tare_model::results::WorkloadResult {
    tare_model::results::WorkloadResult {
        workload: arena.workload.clone(),
        case: arena.case.clone(),
        mode: arena.mode,
        primary: arena.primary,
        floor: None,
        baseline: None,
        rounds: 0,
        launches: 0,
        published: arena.published.clone(),
        ..fixture::workload()
    }
}

#[test]
fn figures_are_put_beside_contenders_of_the_same_name() {
    let imported = tfb::read(SAMPLE.as_bytes()).unwrap();
    let mut run = record();
    assert_eq!(tfb::beside(&mut run, &imported), 2);
    let json = &run.arenas[0].published;
    assert_eq!(
        (json.len(), json[0].contender.clone(), json[0].value),
        (1, id("warp"), 120_000.0)
    );
    assert!(json[0].source.starts_with("FrameworkBenchmarks: Round 99"));
    assert!(run.arenas[1].published.is_empty(), "not at a common rate");
    assert_eq!(
        run.arenas[3].published[0].label,
        "warp-postgresql, 16 connections"
    );
    assert_eq!(tfb::beside(&mut record(), &record()), 0);
}

/// A measurement as the suite's scripts write it.
fn measured(framework: &str, connections: u32, more: &str) -> String {
    format!(
        r#"{{"framework": "{framework}", "language": "Rust", "connections": {connections}, "duration": "5s", {more}}}"#
    )
}

fn arena_files(files: &[(&str, String)]) -> Result<RunRecord, tare_report::foreign::BadFile> {
    let files: Vec<httparena::FileOf<'_>> = files
        .iter()
        .map(|(path, text)| httparena::FileOf {
            path: path.as_ref(),
            bytes: text.as_bytes(),
        })
        .collect();
    httparena::read(&files, "round 9", 1_700_000_000)
}

#[test]
fn results_of_the_arena_are_read_in_each_of_its_forms() {
    let one = measured("warp", 512, r#""rps": 120000"#);
    let latency = measured(
        "warp",
        64,
        r#""rps": 9982, "target_rate": 10000, "cpu_per_req_us": 27.5"#,
    );
    let of_one = format!(
        r#"{{"framework": "warp", "results": {{"baseline-4096": {}, "latency-10k-64": {latency}}}}}"#,
        measured("warp", 4096, r#""rps": 150000"#)
    );
    let of_all = format!("[{one}, {}]", measured("Wizzardo HTTP", 512, r#""rps": 0"#));
    let run = arena_files(&[
        ("results/baseline/512/warp.json", one.clone()),
        ("data/results/warp.json", of_one),
        ("data/json-comp-512.json", of_all),
        ("data/frameworks.json", "{}".to_owned()),
    ])
    .unwrap();
    let figures: Vec<_> = run
        .arenas
        .iter()
        .flat_map(|arena| {
            arena
                .published
                .iter()
                .map(move |one| (arena.case.as_str(), arena.mode, one))
        })
        .map(|(case, mode, one)| (case, mode, one.label.as_str(), one.value))
        .collect();
    assert_eq!(
        figures,
        [
            ("baseline", Mode::Capacity, "warp, 512 connections", 120_000.0),
            ("baseline", Mode::Capacity, "warp, 4096 connections", 150_000.0),
            ("json-comp", Mode::Capacity, "warp, 512 connections", 120_000.0),
            ("latency-10k", Mode::Cost, "warp, 64 connections", 27.5e-6),
        ],
        "what was not answered has no figure"
    );
    let mut ours = record();
    ours.arenas = vec![
        ArenaRecord {
            workload: "httparena".to_owned(),
            ..arena("baseline", Mode::Capacity, Vec::new())
        },
        arena("json", Mode::Capacity, Vec::new()),
    ];
    assert_eq!(httparena::beside(&mut ours, &run), 1);
    assert_eq!(ours.arenas[0].published[0].value, 150_000.0, "its best");
    assert!(imported::text(&results_of(&run), "HttpArena: round 9").contains("baseline"));
}

#[test]
fn what_is_no_result_of_the_arena_is_refused_with_the_place() {
    let rps = r#""rps": 1"#;
    for (path, text, expected) in [
        ("a/b/x.json", "hello".to_owned(), "it is not JSON"),
        ("a/b/x.json", "{}".to_owned(), "it has neither `rps`"),
        (
            "a/b/x.json",
            r#"[{"benchmark": "org.A.a"}]"#.to_owned(),
            "it has neither `rps`",
        ),
        ("a/b/x.json", "[]".to_owned(), "its path does not say the profile"),
        (
            "x.json",
            measured("warp", 1, rps),
            "its path does not say the profile",
        ),
        (
            "data/x.json",
            format!("[{}]", measured("warp", 1, rps)),
            "its path does not say the profile",
        ),
        (
            "a/b/x.json",
            r#"{"rps": 1}"#.to_owned(),
            "framework: expected a name, found null",
        ),
        (
            "a/b/x.json",
            measured("warp", 1, r#""rps": "fast""#),
            "rps: expected a number",
        ),
        (
            "a/b/x.json",
            r#"{"results": {"baseline": {}}}"#.to_owned(),
            "results.baseline: it is no PROFILE-CONNECTIONS",
        ),
        (
            "a/b/x.json",
            measured("warp", 1, r#""rps": 0"#),
            "it has no measurement",
        ),
    ] {
        let error = arena_files(&[(path, text)]).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{expected}\n{error}");
    }
}

#[test]
fn a_file_of_another_format_is_refused_with_the_place() {
    let with = |from: &str, to: &str| {
        assert_eq!(SAMPLE.matches(from).count(), 1, "{from}");
        SAMPLE.replace(from, to)
    };
    for (text, expected) in [
        (String::new(), "it is not JSON: EOF while parsing"),
        ("[]".to_owned(), "expected an object, found []"),
        ("{}".to_owned(), "it has no `rawData`"),
        (
            "{\"rawData\": {\"slocCounts\": {}}}".to_owned(),
            "rawData: it has no measurement of any known test",
        ),
        (
            with("\"concurrencyLevels\": [16, 64]", "\"concurrencyLevels\": [16]"),
            "rawData.json.warp: 2 measurements for 1 levels",
        ),
        (
            with(
                "\"concurrencyLevels\": [16, 64]",
                "\"concurrencyLevels\": [16, 0]",
            ),
            "concurrencyLevels[1]: expected a count above 0, found 0",
        ),
        (
            with("\"totalRequests\": 1350000", "\"totalRequests\": \"many\""),
            "rawData.json.wizzardo-http[0].totalRequests: expected a number, 0 or more, found \"many\"",
        ),
        (
            with("\"totalRequests\": 1350000", "\"totalRequests\": -1"),
            "rawData.json.wizzardo-http[0].totalRequests: expected a number, 0 or more, found -1",
        ),
        (
            with("\"duration\": 15", "\"duration\": \"15s\""),
            "duration: expected a number, 0 or more, found \"15s\"",
        ),
        (
            with("\"name\": \"Round 99\"", "\"name\": 99"),
            "name: expected a text, found 99",
        ),
    ] {
        let error = tfb::read(text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{expected}\n{error}");
    }
    let timeless = with("\"duration\": 15", "\"duration\": null");
    let run = tfb::read(timeless.as_bytes()).unwrap();
    assert_eq!(
        run.arenas[0].published[0].value,
        1_500_000.0 / 16.0,
        "by the times around it"
    );
    let long = vec![b' '; tare_report::foreign::LONGEST + 1];
    assert!(
        tfb::read(&long)
            .unwrap_err()
            .to_string()
            .contains("more than 64 MB")
    );
}

/// Bytes of any kind are refused or read, and nothing else happens. `TARE_SEED` repeats a run.
#[test]
fn mangled_files_are_read_or_refused() {
    let seed = std::env::var("TARE_SEED").ok().and_then(|text| text.parse().ok());
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("TARE_SEED={seed}");
    let mut rng = fastrand::Rng::with_seed(seed);
    let (mut refused, mut passed) = (0, 0);
    for _ in 0..2000 {
        let mut bytes = SAMPLE.as_bytes().to_vec();
        for _ in 0..rng.usize(1..4) {
            let at = rng.usize(..bytes.len());
            match rng.u8(..3) {
                0 => bytes[at] = rng.u8(..),
                1 => drop(bytes.drain(at..(at + rng.usize(..9)).min(bytes.len()))),
                _ => bytes.insert(at, *b"019-,[]{}\"".get(rng.usize(..10)).unwrap()),
            }
        }
        match tfb::read(&bytes) {
            Ok(run) => {
                let figures = run.arenas.iter().flat_map(|arena| &arena.published);
                figures.for_each(|figure| assert!(figure.value > 0.0 && figure.value.is_finite()));
                passed += 1;
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
        }
    }
    assert!(refused > 100 && passed > 20, "{refused} refused, {passed} passed");
}
