//! Explanations in every format: complete, well-formed, and without active content.

use tare_model::estimate::Estimate;
use tare_model::explanation::{
    Closure, Count, Explanation, Finding, Flame, FunctionCost, Instrumentation, Layer, LayerCost, Rule,
    Sides, Unit,
};
use tare_model::ids::ContenderId;
use tare_model::metric::Mode;
use tare_model::results::Results;
use tare_report::terminal::Terminal;
use tare_report::{charts, explanation, html, json, markdown, svg, terminal};

use crate::wellformed::{parse, within};

fn estimate(estimate: f64, low: f64, high: f64) -> Estimate {
    Estimate {
        estimate,
        low: Some(low),
        high: Some(high),
    }
}

/// What a symbol table may hold.
const HOSTILE: &str = "<script>alert(1)</script>;\u{1b}[2J|`&\"'";

fn explained() -> Explanation {
    let part = |layer, a: f64, b: f64| LayerCost {
        layer,
        cost: Sides::new(Some(a), Some(b), Some(1e-6)),
        delta: estimate(b - a, b - a - 2e-7, b - a + 2e-7),
    };
    Explanation {
        workload: "doubling".to_owned(),
        case: "one-core".to_owned(),
        mode: Mode::Capacity,
        size: Some(64),
        made: 1_763_757_912,
        a: ContenderId::plain("go"),
        b: ContenderId::variant("node", "all"),
        floor: Some(ContenderId::plain("c-epoll")),
        rounds: 24,
        alpha: 0.05,
        cost: Sides::new(
            Some(estimate(6e-6, 5.9e-6, 6.1e-6)),
            Some(estimate(9.1e-6, 9e-6, 9.2e-6)),
            None,
        ),
        gap: Some(estimate(3.1e-6, 2.9e-6, 3.3e-6)),
        layers: vec![
            part(Layer::Network, 4e-6, 4.5e-6),
            part(Layer::Collection, 0.0, 1.9e-6),
            part(Layer::Application, 2e-6, 1.5e-6),
            part(Layer::Unknown, 0.0, 1e-6),
        ],
        closure: Some(Closure {
            parts: 2.9e-6,
            rest: estimate(2e-7, -1e-7, 5e-7),
            closes: true,
            explained: Some(0.61),
            seen: Sides::new(Some(0.99), Some(0.97), None),
        }),
        findings: vec![Finding {
            rule: Rule::Calls,
            text: format!("node makes 2.00 write calls where go makes 1.00 {HOSTILE}"),
            evidence: HOSTILE.to_owned(),
            size: Some(1.4e-6),
        }],
        counts: vec![Count {
            name: "write calls".to_owned(),
            unit: Unit::PerOperation,
            value: Sides::new(Some(1.0), Some(2.0), None),
        }],
        functions: vec![FunctionCost {
            name: HOSTILE.to_owned(),
            image: "[jit]".to_owned(),
            layer: Layer::Application,
            own: Sides::new(Some(0.0), Some(1e-6), None),
            total: Sides::new(None, Some(2e-6), None),
        }],
        flames: vec![
            Flame {
                title: "go, CPU per operation".to_owned(),
                difference: false,
                stacks: vec![(vec!["main".to_owned(), HOSTILE.to_owned()], 1e-6, 1e-6)],
            },
            Flame {
                title: "the difference".to_owned(),
                difference: true,
                stacks: vec![(vec!["main".to_owned()], 1e-6, 2e-6)],
            },
        ],
        instrumentations: vec![Instrumentation {
            id: ContenderId::variant("node", "all"),
            words: "NODE_OPTIONS=--perf-basic-prof".to_owned(),
            ratio: estimate(1.03, 1.01, 1.05),
        }],
        notes: vec![
            "no system calls by name: /proc/x is 2, and has to be -1\n\nhint: as root, `sysctl x`".to_owned(),
        ],
    }
}

pub fn results() -> Results {
    Results {
        explanations: vec![explained(), explained()],
        ..Results::default()
    }
}

#[test]
fn the_page_parses_and_holds_everything() {
    let page = html::render(&results());
    let document = parse(&page);
    let ids: Vec<&str> = document
        .descendants()
        .filter_map(|node| node.attribute("id"))
        .collect();
    assert!(
        ids.contains(&"explanation-1") && ids.contains(&"explanation-2"),
        "{ids:?}"
    );
    let flames = document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/1999/xhtml", "object")));
    assert_eq!(flames.count(), 4);
    assert!(!page.contains("<script>alert"), "foreign text works");
    for words in [
        "named layers explain 61%",
        "garbage collection",
        "×1.030",
        "sysctl x",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("Nothing was measured"));
}

#[test]
fn charts_keep_within_their_frames() {
    for width in [350.0, 912.0] {
        let chart = charts::waterfall::draw(&explained(), width).unwrap();
        within(parse(&chart.inline("wide")).root_element());
    }
    let names: Vec<String> = svg::files(&results()).into_iter().map(|file| file.path).collect();
    assert!(
        names.contains(&"doubling-one-core-capacity-waterfall.svg".to_owned()),
        "{names:?}"
    );
    assert!(
        names.contains(&"doubling-one-core-capacity-flame-2.svg".to_owned()),
        "{names:?}"
    );
}

#[test]
fn the_terminal_has_it_within_its_width() {
    for width in [60, 100, 120] {
        let terminal = Terminal { width, color: false };
        let text = terminal::explanation(&explained(), terminal);
        assert!(!text.contains('\u{1b}'), "{text}");
        let longest = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(longest <= width.max(96), "{longest} of {width}:\n{text}");
        assert!(
            text.contains("write calls") && text.contains("hint: as root"),
            "{text}"
        );
    }
    assert!(terminal::render(&results(), Terminal::default()).contains("Closure:"));
}

#[test]
fn without_stacks_the_rest_is_shown() {
    let bare = Explanation {
        layers: Vec::new(),
        closure: None,
        findings: Vec::new(),
        functions: Vec::new(),
        flames: Vec::new(),
        ..explained()
    };
    let text = terminal::explanation(&bare, Terminal::default());
    assert!(
        text.contains("there are no stacks of both") && text.contains("No rule found a cause"),
        "{text}"
    );
    assert!(charts::waterfall::draw(&bare, 912.0).is_none());
    let nothing = Explanation {
        cost: Sides::new(None, None, None),
        gap: None,
        ..bare
    };
    assert!(explanation::lead(&nothing).starts_with("Nothing was measured of both"));
    parse(&html::render(&Results {
        explanations: vec![nothing],
        ..Results::default()
    }));
}

#[test]
fn the_documents_hold_it() {
    let document: serde_json::Value = serde_json::from_str(&json::render(&results())).unwrap();
    let found = &document["explanations"][0];
    assert_eq!(found["layers"][0]["layer"], "network");
    assert_eq!(found["closure"]["explained"], 0.61);
    assert_eq!(found["findings"][0]["rule"], "calls");
    assert_eq!(found["looked_into"][0]["ratio"]["estimate"], 1.03);
    let text = markdown::render(&results());
    assert!(
        text.contains("## Explanation: ") && text.contains("| garbage collection |"),
        "{text}"
    );
    assert!(!text.contains("<script>"), "{text}");
}
