//! What contenders may have written does nothing, wherever it comes out.

use roxmltree::{Document, ParsingOptions};
use tare_model::fault::{Fault, FaultKind};
use tare_model::manifest::Style;
use tare_model::record::{ArenaRecord, EntrantRecord, Phase, RunRecord, SliceRecord};
use tare_model::results::{Results, ServiceCost, State};
use tare_model::settings::RequestSettings;
use tare_model::subject::{Contained, Subject};
use tare_report::terminal::Terminal;
use tare_report::{csv, html, json, markdown, slices, svg, terminal};

use crate::fixture;

pub const HOSTILE: &str = "</pre><script>alert('x')</script>\"'&amp;]]>\u{1b}[2J\u{1b}]0;owned\u{7}\0\u{9b}31m\r\n```\n| a | b |\n\
=HYPERLINK(\"http://x\")\n\u{202e}txt.exe\u{ffff} <img src=x onerror=alert(1)> [a](javascript:b) <!-- --> \u{e0041}";

/// The rich results with the hostile text wherever a text is not a checked name.
pub fn results() -> Results {
    let mut results = fixture::rich();
    let text = || HOSTILE.to_owned();
    let run = &mut results.run;
    for field in [
        &mut run.id,
        &mut run.tare,
        &mut run.machine.host,
        &mut run.machine.cpu,
        &mut run.machine.os,
    ] {
        *field = text();
    }
    run.notes.push(text());
    run.settings.revision = Some(text());
    run.settings.requests = Some(RequestSettings {
        headers: vec![text()],
        body: Some(text()),
        ..RequestSettings::default()
    });
    run.phases.push((text(), tare_model::units::Seconds(1.0)));
    let mut sweep = crate::sizes::boundary();
    (sweep.workload, sweep.case, sweep.name) = (text(), text(), text());
    results.sweeps.push(sweep);
    for workload in &mut results.workloads {
        (workload.workload, workload.case) = (text(), text());
        (workload.summary, workload.case_summary) = (text(), text());
        for published in &mut workload.published {
            (published.label, published.source) = (text(), text());
        }
        for found in &mut workload.claims {
            (found.claim.text, found.claim.source) = (text(), text());
        }
        workload.placement.services.push(text());
        for contender in &mut workload.contenders {
            contender.services.push(ServiceCost {
                name: text(),
                cpu_per_op: tare_model::units::Seconds(1e-5),
            });
            contender.summary = text();
            contender.subject = Subject::Contender {
                language: text(),
                style: Style::Idiomatic,
                stands_in_for: Some(text()),
                versions: vec![(text(), text())],
                built: None,
                container: Some(Contained {
                    engine: text(),
                    image: text(),
                    bases: vec![(text(), text())],
                    substitutes: vec![(text(), text())],
                }),
                scheme: Some(text()),
            };
            contender.flags.push(text());
            if contender.state == State::Measured {
                contender.spread = Some(crate::commands::spread(1.5, None));
            } else {
                contender.fault = Some(Fault::new(FaultKind::Wrong, HOSTILE));
            }
        }
    }
    results
}

/// Characters that act: control characters but line ends and tabs, marks of direction, tags.
fn acts(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}' | '\u{ffff}')
}

fn tame(text: &str) {
    let bad = text.char_indices().find(|(_, c)| acts(*c));
    assert_eq!(bad, None);
}

#[test]
fn pages_show_it_as_text() {
    let page = html::render(&results());
    tame(&page);
    let options = ParsingOptions {
        allow_dtd: true,
        ..Default::default()
    };
    let document = Document::parse_with_options(&page, options).unwrap();
    let count = |name: &str| {
        document
            .descendants()
            .filter(|node| node.tag_name().name() == name)
            .count()
    };
    assert_eq!((count("script"), count("img")), (1, 0));
    let handlers = document
        .descendants()
        .flat_map(|node| node.attributes())
        .filter(|a| a.name().starts_with("on"));
    assert_eq!(handlers.count(), 0);
    let shown = document
        .descendants()
        .filter(|node| node.tag_name().name() == "pre");
    assert!(
        shown
            .filter_map(|node| node.text())
            .any(|text| text.contains("<script>alert('x')</script>"))
    );
}

#[test]
fn charts_show_it_as_text() {
    let files = svg::files(&results());
    assert!(files.len() > 5);
    for file in files {
        tame(&file.text);
        let document = Document::parse(&file.text).unwrap();
        assert!(
            document
                .descendants()
                .all(|node| node.tag_name().name() != "script")
        );
        assert!(
            file.path
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '.'),
            "{}",
            file.path
        );
    }
}

#[test]
fn control_characters_do_not_reach_a_terminal() {
    for color in [false, true] {
        let text = terminal::render(&results(), Terminal { width: 100, color });
        // Only our own styles begin with an escape: select graphic rendition, and nothing else.
        let mut rest = text.as_str();
        while let Some(at) = rest.find('\u{1b}') {
            assert!(color, "an escape without colour");
            let code = &rest[at + 1..];
            let end = code.find('m').expect("it ends");
            assert!(code.starts_with('[') && code[1..end].chars().all(|c| c.is_ascii_digit() || c == ';'));
            rest = &code[end..];
        }
        tame(&text.replace('\u{1b}', ""));
        assert!(text.contains('␛'), "it is shown");
    }
}

#[test]
fn markdown_escapes_markup() {
    let text = markdown::render(&results());
    tame(&text);
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        match fence {
            Some(marks) if line == marks => fence = None,
            Some(_) => {}
            None if line.starts_with("```") => fence = Some(line.trim_end_matches("text")),
            None => {
                assert!(!line.contains('<'), "{line}");
                assert!(!line.contains("](") || line.contains("\\]("), "{line}");
            }
        }
    }
    assert_eq!(fence, None, "a fence is open");
}

/// Splits CSV as RFC 4180 says.
fn parse_csv(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (quoted, c) {
            (true, '"') if chars.peek() == Some(&'"') => field.extend(chars.next()),
            (_, '"') => quoted = !quoted,
            (false, ',') => row.push(std::mem::take(&mut field)),
            (false, '\n') => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            _ => field.push(c),
        }
    }
    assert!(!quoted && field.is_empty() && row.is_empty());
    rows
}

#[test]
fn csv_keeps_its_columns() {
    for results in [results(), fixture::rich()] {
        let text = csv::render(&results);
        tame(&text);
        let rows = parse_csv(&text);
        let columns = rows[0].len();
        assert!(rows.iter().all(|row| row.len() == columns));
        assert!(
            rows.iter()
                .flatten()
                .all(|field| !field.starts_with(['=', '+', '@']))
        );
        let contenders: usize = results.workloads.iter().map(|w| w.contenders.len()).sum();
        assert!(rows.len() > contenders, "nobody is left out");
    }
}

fn slice() -> SliceRecord {
    let mut reading = tare_model::measure::SliceReading::default();
    reading.load.wall = tare_model::units::Seconds(0.5);
    reading.load.answers = 100;
    reading.load.programs = vec![tare_model::units::Seconds(1.0), tare_model::units::Seconds(3.0)];
    (0..100).for_each(|i| reading.load.latency.record(1000 + i));
    SliceRecord {
        phase: Phase::Round,
        launch: 2,
        round: 7,
        place: 1,
        entrant: 0,
        reading,
    }
}

fn entrant() -> EntrantRecord {
    EntrantRecord {
        id: fixture::id("go"),
        summary: String::new(),
        subject: fixture::subject("Go", Style::Idiomatic, None),
        fault: None,
        fault_launch: None,
    }
}

/// A slice of a contender, and one of a contender that is not there.
fn record() -> RunRecord {
    let workload = fixture::workload();
    RunRecord {
        info: fixture::run(),
        arenas: vec![ArenaRecord {
            workload: HOSTILE.into(),
            summary: workload.summary,
            case: workload.case,
            case_summary: workload.case_summary,
            sweep: Some(HOSTILE.into()),
            size: Some(64),
            mode: workload.mode,
            driving: workload.driving,
            placement: workload.placement,
            primary: workload.primary,
            floor: None,
            baseline: None,
            margin: 0.01,
            alpha: 0.05,
            published: Vec::new(),
            claims: Vec::new(),
            entrants: vec![entrant()],
            launches: Vec::new(),
            slices: vec![
                slice(),
                SliceRecord {
                    entrant: 99,
                    ..slice()
                },
            ],
        }],
    }
}

#[test]
fn slices_keep_their_columns() {
    let text = slices::render(&record());
    tame(&text);
    let rows = parse_csv(&text);
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    let field = |name: &str| {
        let column = rows[0]
            .iter()
            .position(|title| title == name)
            .unwrap_or_else(|| panic!("no column {name}"));
        rows[1][column].as_str()
    };
    assert_eq!(
        (
            field("contender"),
            field("phase"),
            field("launch"),
            field("round"),
            field("place")
        ),
        ("go", "round", "2", "7", "1")
    );
    assert_eq!(
        (
            field("value_throughput"),
            field("value_duration"),
            field("programs")
        ),
        ("200", "2", "1 3")
    );
    assert_eq!((field("value_cpu_per_op"), field("latency_count")), ("", "100"));
}

#[test]
fn json_keeps_text_unchanged() {
    let value: serde_json::Value = serde_json::from_str(&json::render(&results())).unwrap();
    let contenders = value["workloads"][0]["contenders"].as_array().unwrap();
    assert!(contenders.iter().any(|contender| contender["reason"] == HOSTILE));
}
