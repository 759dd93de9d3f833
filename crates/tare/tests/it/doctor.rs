//! `tare doctor`: a full check, measuring included, in a shorter time; its document is what the manual says.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::lab::Lab;

/// The names of an object's fields, and of all objects in it.
fn names(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            into.insert(name.clone());
            names(value, into);
        }),
        Value::Array(items) => items.iter().for_each(|item| names(item, into)),
        _ => {}
    }
}

/// The words in backquotes in the manual's paragraph on the document.
fn named() -> BTreeSet<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/commands.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, rest) = page
        .split_once("The JSON has `checks`")
        .expect("the manual tells");
    let paragraph = rest.split("\n\n").next().unwrap();
    let marked = paragraph.split('`').skip(1).step_by(2);
    marked
        .filter(|word| !word.starts_with('-'))
        .chain(["checks", "schema"])
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_full_check_measures_and_its_document_is_what_the_manual_says() {
    let lab = Lab::new(&[]);
    let document = lab
        .run(&["doctor", "--time", "8s", "--format", "json"])
        .expect(0)
        .json();
    assert_eq!(document["schema"], 1);
    let measured = &document["measured"];
    for name in ["steal", "timer_p50", "timer_p99", "timer_max", "margin"] {
        assert!(
            measured[name].as_f64().is_some_and(|value| value >= 0.0),
            "{name}: {measured:#}"
        );
    }
    assert!(measured["timer_p50"].as_f64() <= measured["timer_max"].as_f64());
    let tests = measured["aa"].as_array().unwrap();
    assert!(!tests.is_empty(), "{measured:#}");
    for one in tests {
        // Of the one round that a launch may have where the time is short, the spread is 0.
        assert!(one["round_sd"].as_f64().is_some_and(|sd| sd >= 0.0), "{one:#}");
        for name in ["launch_sd", "launch_seconds", "launches", "rounds"] {
            assert!(
                one[name].as_f64().is_some_and(|value| value > 0.0),
                "{name}: {one:#}"
            );
        }
        for time in ["distinguishable_in_1_minute", "distinguishable_in_10_minutes"] {
            let (any, beyond) = (one[time]["any"].as_f64(), one[time]["beyond_margin"].as_f64());
            assert!(any.is_none() || any < beyond, "{one:#}");
        }
        // A launch of these takes seconds, so ten minutes hold many.
        for which in ["any", "beyond_margin"] {
            let size = one["distinguishable_in_10_minutes"][which].as_f64();
            assert!(
                size.is_some_and(|size| size > 0.0 && size.is_finite()),
                "{which}: {one:#}"
            );
        }
    }
    for check in document["checks"].as_array().unwrap() {
        assert!(
            check["found"].as_str().is_some_and(|text| !text.is_empty()),
            "{check:#}"
        );
    }
    let mut has = BTreeSet::new();
    names(&document, &mut has);
    assert_eq!(
        has,
        named(),
        "what the document has, and what docs/commands.md names"
    );
    assert_eq!(lab.left(), Vec::<String>::new());
}

#[test]
fn quick_does_not_measure() {
    let lab = Lab::new(&[]);
    let document = lab
        .run(&["doctor", "--quick", "--format", "json"])
        .expect(0)
        .json();
    assert_eq!(document["measured"], Value::Null);
    let text = lab.run(&["doctor", "--quick"]).expect(0).out;
    for what in ["freezing", "machine's files", "memory", "ports"] {
        assert!(text.contains(what), "no {what}: {text}");
    }
}
