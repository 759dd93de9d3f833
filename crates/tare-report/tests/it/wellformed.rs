//! Pages and charts parse, need no network, and keep their shapes within their frames.

use roxmltree::{Document, Node, ParsingOptions};
use tare_model::results::Results;
use tare_report::{charts, html, json, svg};

use crate::fixture;

pub fn parse(text: &str) -> Document<'_> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..Default::default()
    };
    Document::parse_with_options(text, options).unwrap_or_else(|error| panic!("{error}"))
}

fn all() -> Vec<Results> {
    vec![fixture::rich(), fixture::empty(), Results::default()]
}

fn sizes(node: Node<'_, '_>) -> [f64; 4] {
    let view = node.attribute("viewBox").expect("every drawing has a viewBox");
    let numbers: Vec<f64> = view.split(' ').map(|number| number.parse().unwrap()).collect();
    numbers.try_into().expect("a viewBox has four numbers")
}

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).map_or(0.0, |text| {
        text.parse().unwrap_or_else(|_| panic!("{name}={text}"))
    })
}

/// Names of attributes that hold an x, and those that hold a y.
const X: [&str; 4] = ["x", "x1", "x2", "cx"];
const Y: [&str; 4] = ["y", "y1", "y2", "cy"];

pub fn within(drawing: Node<'_, '_>) {
    let [_, _, width, height] = sizes(drawing);
    for node in drawing.descendants().filter(|node| node.is_element()) {
        for name in X {
            let x = number(node, name);
            assert!(
                (-0.5..=width + 0.5).contains(&x),
                "{name}={x} of {width}: {node:?}"
            );
        }
        for name in Y {
            let y = number(node, name);
            assert!(
                (-0.5..=height + 0.5).contains(&y),
                "{name}={y} of {height}: {node:?}"
            );
        }
        let right = number(node, "x") + number(node, "width");
        assert!(
            node == drawing || right <= width + 0.5,
            "ends at {right} of {width}: {node:?}"
        );
    }
}

/// Where a text is, at about its true width (the layout counts on more).
struct Placed<'a> {
    from: f64,
    to: f64,
    y: f64,
    text: &'a str,
}

fn placed<'a>(node: Node<'a, '_>) -> Placed<'a> {
    let class = node.attribute("class").unwrap_or("");
    let per_char = if class.contains("name") {
        7.25
    } else if class == "tick" {
        5.6
    } else {
        6.3
    };
    let text = node.text().unwrap_or("");
    let width = per_char * text.chars().count() as f64;
    let x = number(node, "x");
    let from = match node.attribute("text-anchor") {
        Some("middle") => x - width / 2.0,
        Some("end") => x - width,
        _ => x,
    };
    Placed {
        from,
        to: from + width,
        y: number(node, "y"),
        text,
    }
}

pub fn no_text_on_text(drawing: Node<'_, '_>) {
    let texts = drawing
        .descendants()
        .filter(|node| node.tag_name().name() == "text");
    let places: Vec<Placed<'_>> = texts.map(placed).collect();
    for (index, a) in places.iter().enumerate() {
        for b in &places[index + 1..] {
            let apart = (a.y - b.y).abs() >= 11.0 || a.to <= b.from || b.to <= a.from;
            assert!(
                apart,
                "`{}` at {} {} lies on `{}` at {} {}",
                a.text, a.from, a.y, b.text, b.from, b.y
            );
        }
    }
}

#[test]
fn pages_parse_and_need_no_network() {
    for results in all() {
        let page = html::render(&results);
        let document = parse(&page);
        for node in document.descendants().filter(|node| node.is_element()) {
            for attribute in node
                .attributes()
                .filter(|a| matches!(a.name(), "href" | "src" | "srcset"))
            {
                assert!(attribute.value().starts_with('#'), "{attribute:?}");
            }
            assert!(
                !matches!(node.tag_name().name(), "link" | "img" | "iframe" | "object"),
                "{node:?}"
            );
        }
        assert!(!page.contains("@import") && !page.contains("url("));
    }
}

#[test]
fn anchors_lead_somewhere() {
    let page = html::render(&fixture::rich());
    let document = parse(&page);
    let ids: Vec<&str> = document
        .descendants()
        .filter_map(|node| node.attribute("id"))
        .collect();
    let links: Vec<&str> = document
        .descendants()
        .filter_map(|node| node.attribute("href"))
        .collect();
    assert!(links.len() >= 4);
    assert!(
        links.iter().all(|link| ids.contains(&&link[1..])),
        "{links:?} {ids:?}"
    );
    let mut unique = ids.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), ids.len(), "{ids:?}");
}

#[test]
fn charts_of_files_parse_and_have_names_of_their_own() {
    for results in all() {
        let files = svg::files(&results);
        for file in &files {
            parse(&file.text);
        }
        let mut names: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), files.len());
    }
}

#[test]
fn equal_names_get_numbers() {
    let results = Results {
        workloads: vec![fixture::one_core(), fixture::one_core()],
        ..fixture::rich()
    };
    let names: Vec<String> = svg::files(&results).into_iter().map(|file| file.path).collect();
    assert!(
        names.contains(&"doubling-one-core-cost-ratio.svg".to_owned()),
        "{names:?}"
    );
    assert!(
        names.contains(&"doubling-one-core-cost-ratio-2.svg".to_owned()),
        "{names:?}"
    );
    parse(&html::render(&results));
}

#[test]
fn shapes_stay_within_their_frames_at_every_width() {
    let mut drawn = 0;
    for result in fixture::rich().workloads {
        for draw in charts::ALL {
            for width in [350.0, 559.0, 600.0, 912.0, 1600.0] {
                let Some(chart) = draw(&result, width) else {
                    continue;
                };
                let text = chart.inline("wide");
                let document = parse(&text);
                within(document.root_element());
                no_text_on_text(document.root_element());
                drawn += 1;
            }
        }
    }
    assert!(drawn >= 35, "only {drawn} charts were drawn");
}

#[test]
fn documents_are_json() {
    for results in all() {
        let value: serde_json::Value = serde_json::from_str(&json::render(&results)).unwrap();
        assert_eq!(value["schema"], "tare-results/1");
        assert_eq!(
            value["workloads"].as_array().map(Vec::len),
            Some(results.workloads.len())
        );
    }
    let value: serde_json::Value = serde_json::from_str(&json::render(&fixture::rich())).unwrap();
    let workload = &value["workloads"][0];
    assert_eq!(workload["name"], "doubling");
    assert_eq!(workload["placement"]["shared"], false);
    let open = workload["comparisons"]
        .as_array()
        .unwrap()
        .iter()
        .find(|c| c["a"] == "node-fork-of-node")
        .unwrap();
    assert_eq!(open["verdict"], "inconclusive");
    assert!(open["low"].is_null() && open["high"].is_null());
    assert_eq!(
        (open["launches_needed"].as_u64(), open["rounds_needed"].as_u64()),
        (Some(1), Some(10))
    );
}
