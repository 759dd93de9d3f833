//! A case over its sizes: hand-made results of every kind, and what the exporters make of them.

use tare_model::estimate::Estimate;
use tare_model::metric::{Metric, Mode};
use tare_model::placement::Placement;
use tare_model::results::{Results, WorkloadResult};
use tare_model::sweep::*;
use tare_report::charts::sizes;
use tare_report::terminal::Terminal;
use tare_report::{csv, html, json, markdown, svg, sweep, terminal, view};
use unicode_width::UnicodeWidthStr;

use crate::fixture::{self, id};
use crate::golden::{both, check, check_drawing, check_json, check_page};
use crate::wellformed::{no_text_on_text, parse, within};

const SIZES: [u64; 7] = [13, 64, 256, 1024, 4096, 16384, 65536];

fn figure(value: f64, spread: f64) -> Estimate {
    Estimate {
        estimate: value,
        low: Some(value - spread),
        high: Some(value + spread),
    }
}

fn share(value: f64, share: f64) -> Estimate {
    figure(value, value.abs() * share)
}

fn line(fixed: f64, per_unit: f64, holds: bool) -> SizeLine {
    let at = |size: f64| AtSize {
        size,
        figure: share(fixed + per_unit * size, 0.01),
    };
    SizeLine {
        fixed: share(fixed, 0.012),
        per_unit: share(per_unit, 0.02),
        curve: (0..=20)
            .map(|step| at(13.0 * (65536.0f64 / 13.0).powf(f64::from(step) / 20.0)))
            .collect(),
        departure: AtSize {
            size: 1024.0,
            figure: if holds {
                figure(-0.011, 0.009)
            } else {
                figure(0.043, 0.02)
            },
        },
        holds,
    }
}

fn costs(name: &str, line: Result<SizeLine, NoLine>, cost: impl Fn(f64) -> f64) -> SizeCosts {
    let point = |size: u64| AtSize {
        size: size as f64,
        figure: share(cost(size as f64), 0.01),
    };
    SizeCosts {
        id: id(name),
        points: SIZES.map(point).to_vec(),
        line,
    }
}

fn affordable(of: ExtraOf, extra: Estimate) -> Affordable {
    let part = |value: f64, share: f64| (value / share).max(0.0);
    let from = |share: f64| {
        let duration = Estimate {
            estimate: part(extra.estimate, share),
            low: extra.low.map(|low| part(low, share)),
            high: extra.high.map(|high| part(high, share)),
        };
        (share, duration)
    };
    Affordable {
        of,
        extra,
        from: [0.1, 0.05, 0.01].map(from).to_vec(),
    }
}

fn pair(name: &str, lines: Option<LineDifference>, extra: impl Fn(f64) -> Estimate) -> SizePair {
    let fixed = lines
        .as_ref()
        .map(|lines| affordable(ExtraOf::Fixed, lines.fixed));
    let sized = SIZES.map(|size| affordable(ExtraOf::Size(size), extra(size as f64)));
    SizePair {
        a: id(name),
        b: id("inline-java"),
        alpha: 0.05 / 8.0 / 5.0,
        extra: SIZES
            .map(|size| AtSize {
                size: size as f64,
                figure: extra(size as f64),
            })
            .to_vec(),
        cheaper: SIZES.map(|size| cheaper(&extra(size as f64))).to_vec(),
        lines,
        affordable: fixed.into_iter().chain(sized).collect(),
    }
}

/// Which is the cheaper by a difference.
fn cheaper(extra: &Estimate) -> Option<Cheaper> {
    match (extra.low, extra.high) {
        (_, Some(high)) if high < 0.0 => Some(Cheaper::A),
        (Some(low), _) if low > 0.0 => Some(Cheaper::B),
        _ => None,
    }
}

fn difference(fixed: Estimate, per_unit: Estimate, crossing: Option<f64>, set: BreakEven) -> LineDifference {
    LineDifference {
        fixed,
        per_unit,
        crossing,
        break_even: Some(set),
    }
}

/// Contenders whose lines hold, cross, are open or none; and a pair of every kind.
pub fn boundary() -> SweepResult {
    let base = |n: f64| 0.21e-6 + 52e-12 * n;
    let jni = |n: f64| 1.04e-6 + 104e-12 * n;
    let ffm = |n: f64| 0.97e-6 + 51e-12 * n;
    let third = |n: f64| 0.42e-6 + 31e-12 * n;
    let bent = |n: f64| 0.5e-6 + 20e-12 * n + if n > 3000.0 { 4e-6 } else { 0.0 };
    // Dearer, then for a while cheaper, then dearer again.
    let stepping = |n: f64| 0.253e-6 + 10e-12 * n + if n > 30_000.0 { 4e-6 } else { 0.0 };
    let twin = |n: f64| 0.212e-6 + 52.2e-12 * n;
    let departures = vec![AtSize {
        size: 4096.0,
        figure: figure(0.52, 0.04),
    }];
    let about = |cost: fn(f64) -> f64| move |n: f64| figure(cost(n), 0.008 * (cost(n).abs() + 0.3e-6));
    SweepResult {
        workload: "http".into(),
        case: "boundary".into(),
        mode: Mode::Capacity,
        name: "bytes".into(),
        sizes: SIZES.to_vec(),
        metric: Metric::TimePerOp,
        primary: true,
        baseline: Some(id("inline-java")),
        placement: Placement::default(),
        alpha: 0.05 / 8.0,
        rounds: 48,
        launches: 6,
        provisional: false,
        contenders: vec![
            costs("inline-java", Ok(line(0.21e-6, 52e-12, true)), base),
            costs("inline-jni", Ok(line(1.04e-6, 104e-12, true)), jni),
            costs("inline-ffm", Ok(line(0.97e-6, 51e-12, false)), ffm),
            costs("inline-ring@batched", Ok(line(0.42e-6, 31e-12, true)), third),
            costs(
                "inline-copying",
                Err(NoLine::Bent {
                    departures: departures.clone(),
                }),
                bent,
            ),
            costs("inline-stepping", Err(NoLine::Bent { departures }), stepping),
            costs("twin", Ok(line(0.212e-6, 52.2e-12, true)), twin),
            costs("late", Err(NoLine::FewLaunches { found: 3, needed: 4 }), jni),
        ],
        pairs: vec![
            pair(
                "inline-jni",
                Some(difference(
                    share(0.83e-6, 0.02),
                    share(52e-12, 0.05),
                    None,
                    BreakEven::Nowhere { cheaper: Cheaper::B },
                )),
                about(|n| 0.83e-6 + 52e-12 * n),
            ),
            pair(
                "inline-ffm",
                Some(difference(
                    share(0.76e-6, 0.02),
                    figure(-1e-12, 2e-12),
                    Some(760_000.0),
                    BreakEven::From {
                        low: 245_000.0,
                        below: Cheaper::B,
                    },
                )),
                about(|n| 0.76e-6 - 1e-12 * n),
            ),
            pair(
                "inline-ring@batched",
                Some(difference(
                    share(0.21e-6, 0.03),
                    share(-21e-12, 0.05),
                    Some(10_000.0),
                    BreakEven::Between {
                        low: 9_312.4,
                        high: 10_870.0,
                        below: Cheaper::B,
                    },
                )),
                about(|n| 0.21e-6 - 21e-12 * n),
            ),
            pair(
                "inline-copying",
                None,
                about(|n| 0.29e-6 - 32e-12 * n + if n > 3000.0 { 4e-6 } else { 0.0 }),
            ),
            pair(
                "inline-stepping",
                None,
                about(|n| 0.043e-6 - 42e-12 * n + if n > 30_000.0 { 4e-6 } else { 0.0 }),
            ),
            pair(
                "twin",
                Some(difference(
                    figure(2e-9, 4e-9),
                    figure(0.2e-12, 1e-12),
                    None,
                    BreakEven::Everywhere,
                )),
                |n| figure(2e-9 + 0.2e-12 * n, 4e-9 + 1e-12 * n),
            ),
            pair("late", None, |n| Estimate {
                estimate: 0.83e-6 + 52e-12 * n,
                low: None,
                high: None,
            }),
        ],
    }
}

/// The case at one of its sizes.
fn sized(size: u64) -> WorkloadResult {
    let mut result = fixture::one_core();
    (result.workload, result.case) = ("http".into(), "boundary".into());
    (result.sweep, result.size) = (Some("bytes".into()), Some(size));
    result.published.clear();
    result
}

pub fn swept() -> Results {
    Results {
        run: fixture::run(),
        workloads: vec![sized(13), sized(65536)],
        sweeps: vec![boundary()],
        explanations: Vec::new(),
        not_measured: Vec::new(),
        benchmarks: None,
    }
}

/// Its sweeps alone, for goldens of what the sizes' own entries do not add to.
pub fn alone() -> Results {
    Results {
        workloads: Vec::new(),
        ..swept()
    }
}

#[test]
fn goldens() {
    for width in [80, 100] {
        let text = terminal::render(&alone(), Terminal { width, color: false });
        check(&format!("sizes-{width}.txt"), &text);
    }
    check("sizes.md", &markdown::render(&alone()));
    check_json("sizes.json", &json::render(&alone()));
    check("sizes.csv", &csv::render(&alone()));
    let slug = view::sweep_slug(&boundary());
    let charts = sizes::ALL.iter().filter_map(|draw| both(*draw, &boundary()));
    let drawings: Vec<_> = charts
        .map(|both| (format!("{slug}-{}", both[0].name), both))
        .collect();
    assert_eq!(drawings.len(), 3);
    check_page("sizes.html", &html::render(&alone()), &drawings);
    svg::files(&alone()).iter().for_each(check_drawing);
}

#[test]
fn every_statement_has_its_interval_and_its_grounds() {
    let grounds = sweep::grounds(&boundary());
    assert_eq!(
        grounds,
        "Each line: α 0.625%, α 0.125% for each comparison, 48 rounds at each size in 6 launches; each interval is for \
         one size; all statements by the measured sizes alone together: α 4.4%."
    );
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let wide = Terminal {
        width: 400,
        color: false,
    };
    for text in [
        terminal::render(&swept(), wide),
        markdown::render(&swept()),
        html::render(&swept()),
    ] {
        assert!(flat(&text).contains(&grounds));
        for said in ["0.76 µs (+0.74 to +0.78)", "+0.21 µs"] {
            assert!(
                flat(&text).contains(said) || flat(&text).contains("+210 ns"),
                "lacks {said}"
            );
        }
    }
    let mut provisional = boundary();
    provisional.provisional = true;
    assert!(sweep::grounds(&provisional).contains("provisional"));
}

#[test]
fn every_shape_of_a_break_even_has_its_words() {
    let told = |set: BreakEven| {
        let lines = difference(share(1e-6, 0.1), share(1e-12, 0.1), None, set);
        sweep::even(&boundary(), &lines)
    };
    use Cheaper::{A, B};
    let cases = [
        (BreakEven::Nowhere { cheaper: B }, "dearer at every size."),
        (
            BreakEven::Between {
                low: 100.0,
                high: 200.0,
                below: A,
            },
            "cheaper below 100 bytes and dearer above 200; between them neither is shown to be cheaper.",
        ),
        (
            BreakEven::UpTo {
                high: 200.0,
                above: B,
            },
            "dearer above 200 bytes; up to there neither is shown to be cheaper.",
        ),
        (
            BreakEven::From {
                low: 90_000.0,
                below: A,
            },
            "cheaper below 90,000 bytes; from there on, without an end, neither is shown to be cheaper; ends beyond the measured \
             sizes are extrapolated.",
        ),
        (
            BreakEven::Outside {
                low: 50.0,
                high: 60.0,
                within: A,
            },
            "cheaper between 50 and 60 bytes; below and above neither is shown to be cheaper.",
        ),
        (
            BreakEven::Everywhere,
            "neither is shown to be cheaper at any size.",
        ),
    ];
    for (set, text) in cases {
        assert_eq!(told(set), text);
    }
    let without = LineDifference {
        break_even: None,
        ..difference(share(1e-6, 0.1), share(1e-12, 0.1), None, BreakEven::Everywhere)
    };
    assert!(sweep::even(&boundary(), &without).contains("too few launches to say where they break even"));
}

#[test]
fn a_bent_cost_has_no_parts_and_says_where_it_bends() {
    let sweep = boundary();
    let rows = sweep::lines(&sweep);
    let bent = &rows[4];
    assert_eq!((bent.fixed.as_str(), bent.per_unit.as_str()), ("–", "–"));
    assert_eq!(
        bent.fit,
        "not a line between 13 and 65,536: at 4,096 it is +52% (+48% to +56%) from the nearest"
    );
    let said = &sweep::sentences(&sweep)[3];
    assert!(said.contains("dearer at every measured size"), "{said}");
    assert_eq!(rows[7].fit, "not tested yet: 3 of 4 launches");
}

#[test]
fn without_lines_the_measured_sizes_bound_the_break_even() {
    let sweep = boundary();
    let said = &sweep::sentences(&sweep)[4];
    assert_eq!(
        said,
        "inline-stepping against inline-java: dearer at 13, 64, 256 and 65,536; cheaper at 4,096 and 16,384; neither \
         is shown to be cheaper at 1,024: they break even between 256 and 4,096 and between 16,384 and 65,536 \
         bytes (by the measured sizes, without lines)."
    );
    let value: serde_json::Value = serde_json::from_str(&json::render(&swept())).unwrap();
    let document = &value["sweeps"][0];
    assert!((document["alpha_at_sizes"].as_f64().unwrap() - 0.05 * 7.0 / 8.0).abs() < 1e-12);
    let turns = &document["pairs"][4]["turns"];
    assert_eq!(
        (&turns[0]["low"], &turns[0]["high"]),
        (&256.0.into(), &4096.0.into())
    );
    assert_eq!(
        (&turns[0]["below"], &turns[1]["below"]),
        (&"b".into(), &"a".into())
    );
    assert_eq!(document["pairs"][3]["turns"], serde_json::json!([]));
    assert_eq!(document["pairs"][3]["cheaper"][6], "b");
}

#[test]
fn charts_stay_within_their_frames_at_every_width() {
    let mut drawn = 0;
    let mut one = boundary();
    one.contenders.truncate(1);
    one.pairs.clear();
    let mut zero = boundary();
    zero.sizes[0] = 0;
    zero.contenders
        .iter_mut()
        .for_each(|costs| costs.points[0].size = 0.0);
    for sweep in [boundary(), one, zero] {
        for draw in sizes::ALL {
            for width in [350.0, 559.0, 600.0, 912.0, 1600.0] {
                let Some(chart) = draw(&sweep, width) else {
                    continue;
                };
                let text = chart.inline("wide");
                let document = parse(&text);
                within(document.root_element());
                no_text_on_text(document.root_element());
                assert!(!text.contains("NaN") && !text.contains("inf\""), "{text}");
                drawn += 1;
            }
        }
    }
    assert!(drawn >= 35, "only {drawn} charts were drawn");
}

#[test]
fn lines_fit_the_width_of_the_terminal() {
    for width in [60, 80, 100, 120] {
        let text = terminal::render(&swept(), Terminal { width, color: false });
        for line in text.lines() {
            assert!(line.width() <= width, "{} of {width}: {line}", line.width());
        }
    }
}

#[test]
fn pages_hold_every_size_and_parse() {
    let page = html::render(&swept());
    let document = parse(&page);
    let ids: Vec<&str> = document
        .descendants()
        .filter_map(|node| node.attribute("id"))
        .collect();
    for id in [
        "http-boundary-capacity-by-bytes",
        "http-boundary-cost-13",
        "http-boundary-cost-65536",
    ] {
        assert!(ids.contains(&id), "{ids:?}");
    }
}

#[test]
fn the_document_has_lines_pairs_and_sets() {
    let value: serde_json::Value = serde_json::from_str(&json::render(&swept())).unwrap();
    assert_eq!(
        (&value["workloads"][0]["size"], &value["workloads"][0]["sweep"]),
        (&13.into(), &"bytes".into())
    );
    let sweep = &value["sweeps"][0];
    assert_eq!(sweep["contenders"][0]["line"]["fixed"]["estimate"], 0.21e-6);
    assert_eq!(sweep["contenders"][4]["linear"], "bent");
    assert!(sweep["contenders"][4]["line"].is_null());
    assert_eq!(sweep["pairs"][2]["break_even"]["shape"], "between");
    assert_eq!(sweep["pairs"][2]["break_even"]["cheaper"], "b");
    assert_eq!(sweep["pairs"][1]["break_even"]["high"], serde_json::Value::Null);
    assert_eq!(sweep["pairs"][0]["affordable"][0]["from"][2]["share"], 0.01);
    // The sizes' own entries have fields of several lines; those of the lines have not.
    let text = csv::render(&alone());
    let columns = csv::HEADER.split(',').count();
    assert!(
        text.lines().all(|row| row.split(',').count() == columns),
        "{text}"
    );
    assert!(text.contains("time_per_op_per_unit,s/byte") && text.lines().count() == 1 + 2 * 5);
}
