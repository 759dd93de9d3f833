//! Contenders in containers beside others: every report says which are which.

use tare_model::results::{Results, State, WorkloadResult};
use tare_model::subject::Contained;
use tare_report::terminal::{self, Terminal};

use crate::fixture;

const ENGINE: &str = "podman 4.3.1 with runc 1.1.5";

/// The first `inside` of three measured contenders run in containers.
fn result(inside: usize) -> WorkloadResult {
    let mut result = fixture::one_core();
    result.contenders.retain(|one| one.state == State::Measured);
    result.contenders.truncate(3);
    for one in result.contenders.iter_mut().take(inside) {
        one.subject.set_container(Contained {
            engine: ENGINE.to_owned(),
            image: "0123456789abcdef".to_owned(),
            bases: vec![(
                "docker.io/library/debian:bookworm".to_owned(),
                "sha256:77".to_owned(),
            )],
            substitutes: Vec::new(),
        });
    }
    result
}

fn text(result: &WorkloadResult) -> String {
    let text = terminal::workload(result, Terminal::default());
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_mixed_comparison_is_marked() {
    let mixed = result(1);
    let ids: Vec<String> = mixed.contenders.iter().map(|one| one.id.to_string()).collect();
    let sentence = format!(
        "{} runs in a container ({ENGINE}), {} and {} do not: what a container costs is part of a difference between them.",
        ids[0], ids[1], ids[2]
    );
    assert!(text(&mixed).contains(&sentence), "{sentence}\n{}", text(&mixed));
}

#[test]
fn where_all_or_none_are_in_containers_nothing_is_compared_unevenly() {
    let all = text(&result(3));
    assert!(all.contains(&format!("run in containers ({ENGINE}).")), "{all}");
    assert!(!text(&result(0)).contains("container"));
}

#[test]
fn substituted_base_images_are_named() {
    let mut result = result(2);
    for one in &mut result.contenders[..2] {
        let mut container = one.subject.container().unwrap().clone();
        container.substitutes = vec![("python:3.12".to_owned(), "Debian 13 for Debian 12".to_owned())];
        one.subject.set_container(container);
    }
    let sentence =
        "Base images that stand in for those of their names: python:3.12 (Debian 13 for Debian 12).";
    let shown = text(&result);
    assert_eq!(shown.matches(sentence).count(), 1, "{shown}");
    let results = Results {
        workloads: vec![result],
        ..fixture::rich()
    };
    assert!(tare_report::html::render(&results).contains(sentence));
    assert!(tare_report::json::render(&results).contains("\"substitutes\": {"));
}

#[test]
fn documents_and_pages_have_the_image_and_what_it_was_made_from() {
    let results = Results {
        workloads: vec![result(1)],
        ..fixture::rich()
    };
    let page = tare_report::html::render(&results);
    let document = tare_report::json::render(&results);
    for shown in [&page, &document] {
        for part in [
            ENGINE,
            "0123456789abcdef",
            "docker.io/library/debian:bookworm",
            "sha256:77",
        ] {
            assert!(shown.contains(part), "no {part}");
        }
    }
    assert_eq!(
        document.matches("\"container\": {").count(),
        1,
        "absent where there is none"
    );
}
