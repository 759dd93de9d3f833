//! Several cases of a workload, side by side.

use roxmltree::Document;
use tare_model::metric::Mode;
use tare_model::results::Results;
use tare_report::{across, html, svg};

use crate::fixture::{self, id};
use crate::wellformed::no_text_on_text;

/// Two cases in one mode, with contenders of one name; and one that stands alone.
fn results() -> Results {
    let first = fixture::one_core();
    let mut second = fixture::one_core();
    second.case = "behind-a-server".into();
    for contender in &mut second.contenders {
        contender.id.variant = Some("front".into());
    }
    second.contenders[0].id = id("nginx-alone");
    let mut alone = fixture::one_core();
    alone.mode = Mode::Batch;
    let mut swept = fixture::one_core();
    (swept.sweep, swept.size) = (Some("bytes".into()), Some(64));
    Results {
        run: fixture::run(),
        workloads: vec![first, second, alone, swept],
        ..Results::default()
    }
}

#[test]
fn contenders_of_one_name_stand_together_by_case() {
    let results = results();
    let all = across::of(&results);
    assert_eq!(all.len(), 1, "one mode has two cases");
    let names: Vec<String> = all[0]
        .shared()
        .iter()
        .map(|(result, contender)| format!("{} {}", contender.id, result.case))
        .collect();
    assert_eq!(names[..2], ["go one-core", "go@front behind-a-server"]);
    assert!(
        names
            .iter()
            .all(|name| !name.starts_with("nginx-alone") && !name.starts_with("c-epoll"))
    );
    assert_eq!(all[0].entries().len(), names.len() + 2);
}

#[test]
fn they_are_drawn_and_not_ranked() {
    let page = html::render(&results());
    assert!(page.contains("doubling across its cases, cost"), "no entry");
    assert!(page.contains("Side by side, not ranked"));
    assert!(page.contains("nginx-alone"));
    let files = svg::files(&results());
    let drawn: Vec<_> = files
        .iter()
        .filter(|file| file.name.contains("-across"))
        .collect();
    assert_eq!(drawn.len(), 1);
    assert_eq!(drawn[0].name, "doubling-across-cost-cpu-per-op-across.svg");
    let drawing = Document::parse(&drawn[0].text).unwrap();
    no_text_on_text(drawing.root_element());
    assert!(!html::render(&fixture::rich()).contains("across its cases"));
}
