//! The benchmarks of `tare bench` in every format: goldens, what is counted, what is not judged, and that foreign names have
//! no effect.

use tare_model::benchmark::{BenchmarkResult, Benchmarks, Change, FigureResult, LayoutSpread, Standing};
use tare_model::estimate::Estimate;
use tare_model::fault::{Fault, FaultKind};
use tare_model::figure::Quantity;
use tare_model::results::{NotMeasured, Results, WhyNot};
use tare_model::settings::{BenchmarkSettings, Many, Revisions, RunKind, Settings};
use tare_report::comment::{self, About, BENCH_MARK};
use tare_report::terminal::Terminal;
use tare_report::{charts, csv, html, json, markdown, svg, terminal};

use crate::fixture::{self, figure};
use crate::golden::{check, check_drawing, check_json, check_page};
use crate::hostile::HOSTILE;
use crate::wellformed::{no_text_on_text, parse, within};

/// A quantity before and after; `spread`: the half width of the ratio's interval, none of what is counted.
fn compared(
    quantity: Quantity,
    before: f64,
    ratio: f64,
    spread: Option<f64>,
    change: Change,
) -> FigureResult {
    let exact = |estimate| Estimate {
        estimate,
        low: None,
        high: None,
    };
    let with = |estimate: f64| spread.map_or(exact(estimate), |spread| figure(estimate, spread));
    FigureResult {
        alpha: if quantity.counted() { 0.0 } else { 0.001 },
        quantity,
        part: String::new(),
        before: Some(with(before)),
        after: Some(with(before * ratio)),
        ratio: Some(with(ratio)),
        change: Some(change),
        coarse: None,
        centres: spread.map_or(Vec::new(), |spread| {
            (-2..=2)
                .map(|k| ratio * (1.0 + f64::from(k) * spread / 3.0))
                .collect()
        }),
    }
}

fn time(before: f64, ratio: f64, spread: f64, change: Change) -> FigureResult {
    compared(Quantity::Time, before, ratio, Some(spread), change)
}

fn benchmark(program: &str, name: &str, figures: Vec<FigureResult>) -> BenchmarkResult {
    BenchmarkResult {
        harness: "go".into(),
        program: program.into(),
        name: name.into(),
        standing: Standing::Judged,
        figures,
        rounds: 24,
        launches: 8,
    }
}

fn aside(name: &str, standing: Standing) -> BenchmarkResult {
    BenchmarkResult {
        standing,
        rounds: 0,
        launches: 0,
        ..benchmark("rank", name, Vec::new())
    }
}

fn list() -> Vec<BenchmarkResult> {
    let rate = |change| FigureResult {
        change: None,
        ..compared(
            Quantity::Throughput("B".into()),
            453e6,
            1.0 / 1.08,
            Some(0.02),
            change,
        )
    };
    let words = FigureResult {
        change: None,
        ..compared(
            Quantity::Custom("words/op".into()),
            10.0,
            1.0,
            Some(0.001),
            Change::Equivalent,
        )
    };
    let coarse = FigureResult {
        coarse: Some(0.04),
        ..time(25e-9, 1.0, 0.05, Change::Inconclusive)
    };
    vec![
        benchmark(
            "rank",
            "BenchmarkRank",
            vec![
                time(110.4e-9, 1.18, 0.02, Change::Worse),
                compared(Quantity::Bytes, 32.0, 1.5, None, Change::Worse),
                compared(Quantity::Allocations, 1.0, 2.0, None, Change::Worse),
            ],
        ),
        benchmark(
            "rank",
            "BenchmarkSelect/n=1000",
            vec![
                time(2.31e-6, 0.72, 0.03, Change::Better),
                compared(Quantity::Allocations, 0.0, 1.0, None, Change::Equivalent),
            ],
        ),
        benchmark(
            "rank",
            "BenchmarkCount",
            vec![time(812e-9, 1.002, 0.006, Change::Equivalent), words],
        ),
        benchmark("rank", "BenchmarkTiny", vec![coarse]),
        benchmark(
            "internal/words",
            "BenchmarkSplit",
            vec![time(1.2e-3, 1.08, 0.02, Change::Worse), rate(Change::Worse)],
        ),
        benchmark(
            "internal/words",
            "BenchmarkJoin",
            vec![time(4.4e-6, 1.006, 0.009, Change::Inconclusive)],
        ),
        aside("BenchmarkNew", Standing::Added),
        aside("BenchmarkOld", Standing::Removed),
        aside("BenchmarkJSON", Standing::Rewritten),
        aside(
            "BenchmarkNil",
            Standing::Failed {
                side: "after".into(),
                fault: Fault::new(
                    FaultKind::Died,
                    "measure BenchmarkNil: it ended with status 2\npanic: runtime error: invalid memory address\ngoroutine 7",
                ),
            },
        ),
    ]
}

fn of(list: Vec<BenchmarkResult>, layout: Option<LayoutSpread>) -> Results {
    let settings = Settings {
        kind: RunKind::Bench,
        revisions: Some(Revisions {
            before: "1b2c3d4 (Count by words)".into(),
            after: "the working tree (5e6f7a8, 1 file changed)".into(),
        }),
        benchmarks: Some(BenchmarkSettings {
            only: Some("Rank|Count".into()),
            layouts: layout.map_or(1, |spread| spread.layouts),
            ..BenchmarkSettings::default()
        }),
        ..Settings::default()
    };
    Results {
        run: tare_model::results::RunInfo {
            settings,
            ..fixture::run()
        },
        benchmarks: Some(Benchmarks {
            many: Many::Discoveries,
            alpha: 0.05,
            margin: 0.01,
            list,
            layout,
        }),
        ..Results::default()
    }
}

pub fn rich() -> Results {
    let mut results = of(
        list(),
        Some(LayoutSpread {
            layouts: 8,
            between: 0.012,
            within: 0.004,
            largest: 0.031,
        }),
    );
    results.not_measured = vec![NotMeasured {
        workload: "internal/words".into(),
        case: "BenchmarkHuge".into(),
        why: WhyNot::Budget,
    }];
    results
}

/// One revision.
fn alone() -> Results {
    let one = |name: &str, value: f64| BenchmarkResult {
        standing: Standing::Described,
        ..benchmark(
            "rank",
            name,
            vec![FigureResult {
                before: None,
                ratio: None,
                change: None,
                ..time(value, 1.0, 0.01, Change::Equivalent)
            }],
        )
    };
    let mut results = of(
        vec![one("BenchmarkRank", 110.4e-9), one("BenchmarkCount", 812e-9)],
        None,
    );
    results.run.settings.revisions = None;
    results
}

fn about() -> About {
    About {
        what: "benchmarks".into(),
        before: "1b2c3d4 (Count by words)".into(),
        after: "the working tree (5e6f7a8, 1 file changed)".into(),
    }
}

fn comment_on(results: &Results) -> String {
    comment::of_benchmarks(results, results.benchmarks.as_ref().unwrap(), &about())
}

#[test]
fn texts() {
    let narrow = Terminal {
        width: 80,
        color: false,
    };
    check("bench-100.txt", &terminal::render(&rich(), Terminal::default()));
    check("bench-80.txt", &terminal::render(&rich(), narrow));
    check(
        "bench-changed.txt",
        &terminal::render_changed(&rich(), Terminal::default()),
    );
    check(
        "bench-alone.txt",
        &terminal::render(&alone(), Terminal::default()),
    );
    check("bench.md", &markdown::render(&rich()));
    check("bench.csv", &csv::render(&rich()));
    check("bench-comment.md", &comment_on(&rich()));
}

#[test]
fn documents_and_pages() {
    check_json("bench.json", &json::render(&rich()));
    let results = rich();
    let found = results.benchmarks.as_ref().unwrap();
    let drawn = [912.0, 350.0].map(|width| charts::benchmarks::draw(&results, found, width).unwrap());
    check_page(
        "bench.html",
        &html::render(&results),
        &[("bench-changed".to_owned(), drawn)],
    );
    let files = svg::files(&results);
    assert_eq!(files.len(), 1);
    files.iter().for_each(check_drawing);
    assert!(svg::files(&alone()).is_empty(), "nothing changed");
}

#[test]
fn pages_parse_and_their_anchors_lead_somewhere() {
    for results in [rich(), alone(), of(Vec::new(), None)] {
        let page = html::render(&results);
        let document = parse(&page);
        let of = |name: &'static str| {
            let nodes = document.descendants();
            nodes
                .filter_map(move |node| node.attribute(name))
                .collect::<Vec<_>>()
        };
        let ids = of("id");
        assert!(of("href").iter().all(|link| ids.contains(&&link[1..])), "{ids:?}");
    }
}

#[test]
fn charts_stay_within_their_frames() {
    let mut results = rich();
    let found = results.benchmarks.as_mut().unwrap();
    let many = (0..50u8).map(|k| {
        let name = format!("Benchmark{}/{k}", "VeryLong".repeat(usize::from(k % 9)));
        let ratio = 1.02 + f64::from(k) / 20.0;
        benchmark("rank", &name, vec![time(1e-6, ratio, 0.005, Change::Worse)])
    });
    found.list.extend(many);
    let found = results.benchmarks.as_ref().unwrap();
    for width in [350.0, 559.0, 600.0, 912.0, 1600.0] {
        let chart = charts::benchmarks::draw(&results, found, width).unwrap();
        assert!(
            chart
                .caption
                .iter()
                .any(|line| line.contains("The first 40 of 53")),
            "{:?}",
            chart.caption
        );
        let text = chart.inline("wide");
        let document = parse(&text);
        within(document.root_element());
        no_text_on_text(document.root_element());
    }
}

#[test]
fn no_verdict_is_without_its_interval_and_what_is_bounded() {
    let mut results = rich();
    for benchmark in &mut results.benchmarks.as_mut().unwrap().list {
        for figure in &mut benchmark.figures {
            figure.ratio = figure.ratio.map(|ratio| Estimate {
                low: None,
                high: None,
                ..ratio
            });
        }
    }
    let text = terminal::render_changed(&results, Terminal::default());
    assert!(text.contains("Of 6 benchmarks: 6 inconclusive."), "{text}");
    assert!(
        !text.contains("faster ") && text.contains("more allocations"),
        "{text}"
    );
    for text in [
        terminal::render(&rich(), Terminal::default()),
        comment_on(&rich()),
        markdown::render(&rich()),
    ] {
        let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in [
            "false discovery rate over 6 benchmarks",
            "α 0.1%",
            "margin 1%",
            "24 rounds in 8 launches",
        ] {
            assert!(plain.contains(part), "{part}: {plain}");
        }
    }
}

#[test]
fn a_family_is_bounded_in_other_words() {
    let mut results = of(list(), None);
    results.benchmarks.as_mut().unwrap().many = Many::Family;
    let text = markdown::render(&results);
    assert!(
        text.contains("any of the verdicts on 6 benchmarks is false is at most 5%"),
        "{text}"
    );
    assert!(
        text.contains("of one layout in memory of each side"),
        "of one layout: {text}"
    );
}

#[test]
fn what_was_rewritten_and_judged_all_the_same_is_marked() {
    let mut results = rich();
    let found = results.benchmarks.as_mut().unwrap();
    found.list[0].standing = Standing::Rewritten;
    let text = terminal::render_changed(&results, Terminal::default());
    assert!(
        text.contains("(rewritten)") && text.contains("3 slower") || text.contains("2 slower"),
        "{text}"
    );
}

#[test]
fn nothing_to_compare_is_said() {
    let text = terminal::render(
        &of(vec![aside("BenchmarkNew", Standing::Added)], None),
        Terminal::default(),
    );
    assert!(
        text.contains("No benchmark was compared.") && text.contains("Only after the change: BenchmarkNew."),
        "{text}"
    );
    let comment = comment_on(&of(vec![aside("BenchmarkNew", Standing::Added)], None));
    assert!(comment.contains("**nothing was compared**"), "{comment}");
}

#[test]
fn a_comment_is_bounded_however_much_changed() {
    let many = (0..2000).map(|k| {
        let name = format!("{}/{k}", "Benchmark".repeat(20));
        benchmark(
            &format!("package{}", k % 40),
            &name,
            vec![time(1e-6, 1.5, 0.02, Change::Worse)],
        )
    });
    let mut list: Vec<BenchmarkResult> = many.collect();
    let log = "a line of a log\n".repeat(10_000);
    list.extend((0..50).map(|k| {
        aside(
            &format!("BenchmarkFails{k}"),
            Standing::Failed {
                side: "after".into(),
                fault: Fault::new(FaultKind::Died, log.clone()),
            },
        )
    }));
    let text = comment_on(&of(list, None));
    assert!(text.chars().count() < 65_536, "{}", text.chars().count());
    assert!(
        text.contains("2,000 slower") && text.contains("50 failed"),
        "{}",
        &text[..500]
    );
}

#[test]
fn foreign_names_have_no_effect() {
    let mut results = rich();
    let found = results.benchmarks.as_mut().unwrap();
    for benchmark in &mut found.list {
        benchmark.name = HOSTILE.to_owned();
        benchmark.program = HOSTILE.to_owned();
        benchmark.harness = HOSTILE.to_owned();
        for figure in &mut benchmark.figures {
            figure.part = HOSTILE.to_owned();
            if figure.quantity.own_unit().is_some() {
                figure.quantity = Quantity::Custom(HOSTILE.to_owned());
            }
        }
        if let Standing::Failed { side, fault } = &mut benchmark.standing {
            (*side, fault.detail) = (HOSTILE.to_owned(), HOSTILE.to_owned());
        }
    }
    let text = terminal::render(&results, Terminal::default());
    assert!(!text.contains(['\u{1b}', '\u{202e}', '\0', '\u{7}']), "{text}");
    parse(&html::render(&results));
    svg::files(&results).iter().for_each(|file| {
        parse(&file.text);
    });
    let document: serde_json::Value = serde_json::from_str(&json::render(&results)).unwrap();
    assert_eq!(document["benchmarks"]["list"][0]["name"], HOSTILE);
    let comment = comment_on(&results);
    assert!(comment.starts_with(BENCH_MARK));
    let mut fence: Option<&str> = None;
    for line in comment.lines() {
        match fence {
            Some(marks) if line == marks => fence = None,
            None if line.starts_with("```") => fence = Some(line.trim_end_matches("text")),
            _ => {}
        }
        if fence.is_some() || !line.starts_with('|') {
            continue;
        }
        // Outside of code, and without escaped bars, a row has its five cells.
        let bars = line.replace("\\|", "").matches('|').count();
        assert_eq!(bars, 6, "{line}");
        assert!(
            !line.split('`').step_by(2).any(|plain| plain.contains('<')),
            "{line}"
        );
    }
    for line in csv::render(&results)
        .lines()
        .filter(|line| line.starts_with("2026"))
    {
        assert!(!line.contains(",=HYPER"), "{line}");
    }
}
