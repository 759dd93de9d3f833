//! No verdict is ever printed without its interval, its α and its number of rounds and launches; and no contender is lost.

use tare_model::comparison::Verdict;
use tare_model::late::{LATENCIES, Lateness};
use tare_model::metric::Metric;
use tare_model::results::{Bound, Results, WorkloadResult};
use tare_report::terminal::Terminal;
use tare_report::{charts, csv, html, json, markdown, terminal, view, words};
use unicode_width::UnicodeWidthStr;

use crate::fixture;

fn single(result: WorkloadResult) -> Results {
    Results {
        run: fixture::run(),
        workloads: vec![result],
        sweeps: Vec::new(),
        explanations: Vec::new(),
        not_measured: Vec::new(),
        benchmarks: None,
    }
}

/// All outputs that people read, by name, without line breaks and without markup.
fn outputs(results: &Results) -> Vec<(String, String)> {
    let mut out = vec![
        ("html".to_owned(), html::render(results)),
        ("markdown".to_owned(), markdown::render(results)),
    ];
    for width in [80, 100, 140] {
        out.push((
            format!("terminal {width}"),
            terminal::render(results, Terminal { width, color: false }),
        ));
    }
    for (name, text) in &mut out {
        if name == "html" {
            *text = without_tags(text);
        }
        *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    out
}

fn without_tags(text: &str) -> String {
    let body = text.split_once("<body>").expect("a page has a body").1;
    let mut out = String::new();
    let mut tag = false;
    for c in body.chars() {
        match c {
            '<' => tag = true,
            '>' => {
                tag = false;
                out.push(' ');
            }
            c if !tag => out.push(c),
            _ => {}
        }
    }
    out
}

#[test]
fn every_table_of_verdicts_states_its_grounds() {
    let mut seen = 0;
    for result in fixture::rich().workloads {
        let shown: Vec<(String, String)> = view::shown(&result)
            .into_iter()
            .map(|c| {
                (
                    words::ratio_and_interval(c.ratio, words::limits(c)),
                    words::grounds(c),
                )
            })
            .collect();
        for (name, text) in outputs(&single(result)) {
            for (_, grounds) in &shown {
                assert!(text.contains(grounds), "{name} lacks {grounds}");
                seen += 1;
            }
        }
    }
    assert!(seen > 20);
}

#[test]
fn every_verdict_has_its_interval_in_its_row() {
    let result = fixture::one_core();
    let rows: Vec<(String, String, String)> = view::rows(&result)
        .into_iter()
        .filter(|row| row.comparison.is_some())
        .map(|row| (row.contender.id.to_string(), row.ratio, row.verdict))
        .collect();
    assert_eq!(rows.len(), 8);
    let results = single(result);
    let table = terminal::render(
        &results,
        Terminal {
            width: 200,
            color: false,
        },
    );
    let page = markdown::render(&results);
    for (id, ratio, verdict) in rows {
        let line = table
            .lines()
            .find(|line| line.contains(&id))
            .expect("it has a row");
        assert!(line.contains(&ratio) && line.contains(&verdict), "{line}");
        let line = page
            .lines()
            .find(|line| line.contains(&format!("`{id}`")))
            .expect("it has a row");
        assert!(line.contains(&ratio) && line.contains(&verdict), "{line}");
    }
}

#[test]
fn every_chart_with_verdicts_states_their_grounds() {
    let mut drawn = 0;
    for result in fixture::rich().workloads {
        let shown = view::shown(&result);
        for chart in charts::ALL.iter().filter_map(|draw| draw(&result, 860.0)) {
            if !chart.name.starts_with("ratio") {
                continue;
            }
            drawn += 1;
            let caption = chart.caption.join(" ");
            for comparison in &shown {
                assert!(caption.contains(&words::grounds(comparison)), "{caption}");
            }
        }
    }
    assert!(drawn >= 3);
}

#[test]
fn a_verdict_without_an_interval_is_not_printed() {
    let mut result = fixture::one_core();
    for comparison in &mut result.comparisons {
        (comparison.low, comparison.high) = (None, None);
        comparison.verdict = Verdict::Faster;
    }
    let rows = view::rows(&result);
    assert!(
        rows.iter()
            .filter(|row| row.comparison.is_some())
            .all(|row| row.verdict.starts_with("inconclusive"))
    );
    let text = csv::render(&single(result));
    assert!(!text.contains(",faster,") && text.contains(",inconclusive,"));
}

#[test]
fn a_generator_limited_throughput_has_no_rank_and_no_verdict() {
    let result = fixture::all_cores();
    let c = result.contender(&fixture::id("c-epoll")).unwrap();
    assert_eq!(c.bound, Some(Bound::Load));
    assert_eq!(view::rank(&result, c), None);
    assert!(view::comparison(&result, &c.id, Metric::Throughput).is_none());
    for (name, text) in outputs(&single(result)) {
        assert!(text.contains("generator-limited: not ranked"), "{name}");
        assert!(!text.contains("1.590"), "{name} judges it");
    }
    let results = single(fixture::all_cores());
    assert!(!csv::render(&results).contains(",1.59,"));
    assert!(!json::render(&results).contains("1.59,"));
}

#[test]
fn a_latency_of_a_late_generator_has_no_verdict() {
    let mut result = fixture::one_core();
    let late = |withheld: &[Metric]| Lateness {
        withheld: withheld.to_vec(),
        kept: true,
        why: "the generator was late indeed".to_owned(),
    };
    let all = late(&LATENCIES);
    for contender in &mut result.contenders {
        match contender.id.to_string().as_str() {
            "go" | "python-asyncio" => contender.late = Some(all.clone()),
            "rust-tokio" => contender.late = Some(late(&[Metric::LatencyP999])),
            _ => {}
        }
    }
    let go = fixture::id("go");
    assert!(view::comparison(&result, &go, Metric::LatencyP50).is_none());
    assert!(view::comparison(&result, &go, Metric::CpuPerOp).is_some());
    assert!(view::comparison(&result, &fixture::id("rust-tokio"), Metric::LatencyP50).is_some());
    for (name, text) in outputs(&single(result.clone())) {
        assert!(
            text.contains("p99.9 latency of go and python-asyncio (go: the generator was late indeed)"),
            "{name}: {text}"
        );
        assert!(
            text.contains("No verdict on p99.9 latency of rust-tokio"),
            "{name}"
        );
    }
    let document: serde_json::Value = serde_json::from_str(&json::render(&single(result.clone()))).unwrap();
    let workload = &document["workloads"][0];
    assert_eq!(
        workload["contenders"][2]["late"]["metrics"]
            .as_array()
            .map(Vec::len),
        Some(4)
    );
    let by_latency = |a: &str| {
        let all = workload["comparisons"].as_array().unwrap();
        all.iter().any(|c| c["a"] == a && c["metric"] == "latency_p50")
    };
    assert!(!by_latency("go") && by_latency("rust-tokio"));
    // Where it is the primary metric, the verdict table has no verdict either.
    result.primary = Metric::LatencyP50;
    for (name, text) in outputs(&single(result)) {
        assert!(text.contains(words::LATE), "{name}");
    }
}

#[test]
fn shared_cores_are_named_as_such() {
    for (name, text) in outputs(&single(fixture::all_cores())) {
        assert!(
            text.contains("share cores 0–1: not comparable with separate-core results"),
            "{name}"
        );
        assert!(text.contains("rovisional: one launch only"), "{name}");
    }
}

#[test]
fn no_contender_is_left_out() {
    let result = fixture::one_core();
    let ids: Vec<String> = result.contenders.iter().map(|c| c.id.to_string()).collect();
    for (name, text) in outputs(&single(result)) {
        for id in &ids {
            assert!(text.contains(id), "{name} lacks {id}");
        }
        for state in ["not steady", "wrong answers", "failed", "skipped"] {
            assert!(text.contains(state), "{name} lacks {state}");
        }
    }
}

#[test]
fn lines_fit_the_width_of_the_terminal() {
    for width in [60, 80, 96, 100, 120] {
        let text = terminal::render(&fixture::rich(), Terminal { width, color: false });
        for line in text.lines() {
            assert!(line.width() <= width, "{} of {width}: {line}", line.width());
        }
    }
}

#[test]
fn nothing_is_shown_by_colour_alone() {
    let plain = terminal::render(
        &fixture::rich(),
        Terminal {
            width: 100,
            color: false,
        },
    );
    let color = terminal::render(
        &fixture::rich(),
        Terminal {
            width: 100,
            color: true,
        },
    );
    let mut bare = String::new();
    let mut rest = color.as_str();
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        bare.push_str(before);
        rest = after.split_once('m').expect("a code ends").1;
    }
    bare.push_str(rest);
    assert_eq!(bare, plain);
}

#[test]
fn ties_are_shown_as_ties() {
    let result = fixture::one_core();
    let ranks: Vec<String> = view::rows(&result).into_iter().map(|row| row.rank).collect();
    assert_eq!(
        ranks,
        ["1–2", "1–3", "2–3", "4–6", "4–6", "4–6", "4–7", "6–8", "9"]
    );
}

#[test]
fn published_ratios_are_shown_beside_ours() {
    let result = fixture::one_core();
    let beside = view::beside(&result);
    let haskell = beside
        .iter()
        .find(|b| b.published.label.starts_with("Haskell"))
        .unwrap();
    assert!((haskell.theirs - 8.0 / 8.94).abs() < 1e-12);
    let ours = haskell.ours.unwrap();
    assert_eq!(
        (ours.metric, ours.limits),
        (
            Metric::CpuPerOp,
            Some((
                1.004,
                words::limits(
                    view::primary_comparison(&result, &fixture::id("haskell-conduit@one")).unwrap()
                )
                .unwrap()
                .1
            ))
        )
    );
    // One of them over another than the baseline.
    let mut both = fixture::one_core();
    both.published.push(fixture::published("go", "Go", 7.0));
    both.published[2].over = vec![fixture::id("haskell-conduit@one"), fixture::id("not-published")];
    let all = view::beside(&both);
    assert_eq!((all.len(), all[2].further, all[3].further), (4, false, true));
    assert!((all[2].theirs - 7.0 / 8.94).abs() < 1e-12 && (all[3].theirs - 7.0 / 8.0).abs() < 1e-12);
    let over = all[3].ours.unwrap();
    assert!(
        (over.ratio - 6.58 / 9.22).abs() < 1e-12 && over.limits.is_none(),
        "{over:?}"
    );
    // Narrow terminals break names.
    let whole = |name: &str| !name.starts_with("terminal") || name == "terminal 140";
    for (name, text) in outputs(&single(both)).into_iter().filter(|(name, _)| whole(name)) {
        let said = [
            "over haskell-conduit@one",
            "over `haskell-conduit@one`",
            "of haskell-conduit@one",
        ];
        assert!(said.iter().any(|said| text.contains(said)), "{name}: {text}");
    }
    // Their durations and our throughput point in opposite directions: no ratio is made of them.
    assert!(
        view::beside(&fixture::all_cores())
            .iter()
            .all(|b| b.ours.is_none())
    );
}
