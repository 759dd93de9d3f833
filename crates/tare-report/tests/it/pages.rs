//! Pages as people see them: the sentence and its chart come first, ten contenders make a page that mails accept. With
//! `TARE_PAGES=FOLDER` they are written there, for `benches/page.py`.

use tare_model::metric::Metric;
use tare_model::results::{ContenderResult, Results, WarmUp};
use tare_report::{comment, html, json, sentences, site};

use crate::fixture;

/// Warm-ups of six launches, with a hundred slices in the first.
fn warmed(contender: &mut ContenderResult, number: usize) {
    let warm_up = |launch: u32| {
        let slices: usize = if launch == 0 { 100 } else { 25 };
        let value = |slice: usize| {
            let wobble = (slice as f64 * 1.7 + number as f64 + f64::from(launch)).sin();
            8e-6 * (1.0 + 0.9 / (1.0 + slice as f64) + 0.05 * wobble)
        };
        WarmUp {
            launch,
            metric: Metric::CpuPerOp,
            values: (0..slices).map(value).collect(),
            cut: 8,
            level: Some(8e-6),
            steady: launch != 3,
        }
    };
    contender.warm_up = (0..6).map(warm_up).collect();
}

/// Two cases of ten contenders, with all that is measured of them; what a report found is about one of them.
fn ten() -> Results {
    let mut results = fixture::rich();
    let mut first = results.workloads.swap_remove(0);
    first.contenders.retain(|one| one.fault.is_none());
    let mut tenth = first.contenders[2].clone();
    tenth.id = fixture::id("tenth-of-them");
    let mut compared = fixture::compare("tenth-of-them", "node", Metric::CpuPerOp, 0.73, 0.01);
    compared.launches = 8;
    first.comparisons.push(compared);
    first.contenders.push(tenth);
    for (number, contender) in first.contenders.iter_mut().enumerate() {
        warmed(contender, number);
    }
    assert_eq!(first.contenders.len(), 10);
    let mut second = first.clone();
    second.case = "all-cores".to_owned();
    (second.claims, second.published) = (Vec::new(), Vec::new());
    results.workloads = vec![first, second];
    results
}

#[test]
fn a_page_of_ten_contenders_in_two_cases_is_less_than_300_kilobytes() {
    let page = html::render(&ten());
    assert!(page.contains("tenth-of-them") && page.contains("Warm-up"));
    assert!(page.len() < 300_000, "{} bytes", page.len());
}

#[test]
fn a_section_begins_with_its_sentence_and_the_chart_of_it() {
    let page = html::render(&fixture::rich());
    for section in page.split("<section id=\"").skip(1).take(2) {
        let sentence = section.find("<p class=\"lead\">").expect("it has a sentence");
        let chart = section
            .find("<figure class=\"ratio\">")
            .expect("it has the chart of its ratios");
        let between = &section[sentence..chart];
        assert_eq!(
            between.matches("<p ").count(),
            between.matches("<p class=\"lead\">").count(),
            "{between}"
        );
        for later in [
            "<table",
            "<figure class=\"ranks\">",
            "<ul class=\"findings\">",
            "<p class=\"about\">",
        ] {
            let at = section.find(later).unwrap_or(usize::MAX);
            assert!(chart < at, "{later} is before the chart");
        }
    }
}

/// What a comparison comes to is said alike by the page, the document, the site and the comment on a change.
#[test]
fn every_format_has_the_sentence() {
    let mut result = fixture::one_core();
    result
        .contenders
        .retain(|one| ["node", "go"].contains(&one.id.to_string().as_str()));
    result.comparisons.retain(|one| one.a.to_string() == "go");
    result.floor = None;
    let compared = result.comparisons.iter().find(|one| one.primary).unwrap();
    let sentence = sentences::of_comparison(&result, compared);
    assert!(
        sentence.starts_with("go is ") && sentence.contains(" than node "),
        "{sentence}"
    );
    let results = Results {
        workloads: vec![result],
        ..fixture::rich()
    };
    assert!(html::render(&results).contains(&format!("<p class=\"lead\">{sentence}</p>")));
    let document: serde_json::Value = serde_json::from_str(&json::render(&results)).unwrap();
    assert_eq!(document["sentences"], serde_json::json!([sentence]));
    let about = comment::About {
        what: "doubling/go".to_owned(),
        before: "a".to_owned(),
        after: "b".to_owned(),
    };
    assert!(comment::render(&results, &about).contains(&format!("**{sentence}**")));
    let index = site::index(&[site::entry(&results)]).text;
    assert!(index.contains(&sentence), "{sentence}");
}

#[test]
fn the_document_says_what_is_said_of_sizes_and_benchmarks() {
    let said = |results: &Results| {
        let document: serde_json::Value = serde_json::from_str(&json::render(results)).unwrap();
        document["sentences"].to_string()
    };
    let swept = said(&crate::sizes::alone());
    assert!(
        swept.contains("http/boundary by bytes, capacity: ") && swept.contains("Dearer at every size."),
        "{swept}"
    );
    let judged = said(&crate::benchmarks::rich());
    assert!(judged.contains("benchmarks: "), "{judged}");
    assert_eq!(said(&Results::default()), "[]");
}

/// What no short real run has: faults, findings of a report, lines over sizes, many benchmarks, an explanation.
#[test]
fn pages_are_written_where_they_are_asked_for() {
    let one_case = Results {
        workloads: vec![fixture::one_core()],
        ..fixture::rich()
    };
    let pages = [
        ("ten", ten()),
        ("one-case", one_case),
        ("swept", crate::sizes::swept()),
        ("benchmarks", crate::benchmarks::rich()),
        ("explained", crate::explained::results()),
        ("empty", fixture::empty()),
    ];
    let runs = [fixture::rich(), crate::benchmarks::rich()];
    let index = site::index(&runs.each_ref().map(site::entry)).text;
    let files = pages.map(|(name, results)| (name, html::render(&results)));
    for (name, text) in files.into_iter().chain([("index", index)]) {
        assert!(
            text.starts_with("<!DOCTYPE html>") && text.contains("<main"),
            "{name}"
        );
        if let Some(folder) = std::env::var_os("TARE_PAGES") {
            let path = std::path::Path::new(&folder).join(format!("{name}.html"));
            std::fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
    }
}
