//! The site: what is in it, that it is small, and that foreign text has no effect.

use serde_json::{Value, json};
use tare_model::estimate::Estimate;
use tare_model::ids::ContenderId;
use tare_model::metric::{Metric, Mode};
use tare_model::record::RunRecord;
use tare_model::results::Results;
use tare_report::site;

use crate::{fixture, hostile};

fn data(page: &str) -> Value {
    let begin = "<script type=\"application/json\" id=\"data\">";
    let (_, rest) = page.split_once(begin).expect("the page has its data");
    let (json, _) = rest.split_once("</script>").expect("the data has an end");
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_index_has_every_contender_with_its_interval_or_its_fault() {
    let results = fixture::rich();
    let page = site::index(&[site::entry(&results)]).text;
    let data = data(&page);
    let groups = data["runs"][0]["groups"].as_array().unwrap();
    assert_eq!(groups.len(), results.workloads.len());
    for (group, result) in groups.iter().zip(&results.workloads) {
        assert_eq!(group["title"], result.title());
        for (shown, contender) in group["contenders"]
            .as_array()
            .unwrap()
            .iter()
            .zip(&result.contenders)
        {
            assert_eq!(shown["name"], contender.id.to_string());
            let figure = contender.metrics.get(&result.primary);
            let told = &shown["figures"][result.primary.name()][0];
            assert_eq!(told.is_null(), figure.is_none(), "{shown:#}");
            assert!(figure.is_some() || shown["fate"].is_string(), "{shown:#}");
            // No verdict without its interval.
            assert!(
                shown["verdict"].is_null() || shown["ratio"].is_array(),
                "{shown:#}"
            );
        }
    }
}

#[test]
fn a_run_has_its_page_and_its_slices() {
    let results = fixture::rich();
    let record = RunRecord {
        info: results.run.clone(),
        arenas: Vec::new(),
    };
    let (_, files) = site::run(&record, &results);
    let id = &results.run.id;
    assert_eq!(
        files.each_ref().map(|file| file.path.clone()),
        [format!("runs/{id}.html"), format!("slices/{id}.csv")]
    );
    assert!(files.iter().all(|file| !file.text.is_empty()));
}

/// One group of as many.
pub fn five_hundred() -> Results {
    let mut results = fixture::rich();
    let workload = &mut results.workloads[0];
    let first = workload.contenders[0].clone();
    workload.contenders = (0..500)
        .map(|number| {
            let mut one = first.clone();
            one.id = ContenderId::plain(&format!("contender-number-{number}"));
            one.ranks.insert(workload.primary, (number + 1, number + 2));
            one
        })
        .collect();
    results.workloads.truncate(1);
    results
}

/// Two commands, and what starting a process costs.
pub fn commands() -> Results {
    let mut result = fixture::alone();
    (result.workload, result.case) = ("time".into(), "commands".into());
    result.mode = Mode::Command;
    result.floor = Some(fixture::id("nothing"));
    result.baseline = Some(fixture::id("fast"));
    let first = result.contenders[0].clone();
    let of = |(name, estimate, rank): (&str, f64, Option<(u32, u32)>)| {
        let mut one = first.clone();
        one.id = fixture::id(name);
        let figure = Estimate {
            estimate,
            low: None,
            high: None,
        };
        one.metrics.insert(Metric::Duration, figure);
        one.ranks = rank.map(|rank| (Metric::Duration, rank)).into_iter().collect();
        one
    };
    let all = [
        ("nothing", 0.001, None),
        ("fast", 0.01, Some((1, 1))),
        ("slow", 0.02, Some((2, 2))),
    ];
    result.contenders = all.map(of).into();
    let mut results = fixture::rich();
    results.workloads = vec![result];
    results
}

#[test]
fn five_hundred_contenders_are_less_than_two_megabytes() {
    let page = site::index(&[site::entry(&five_hundred())]).text;
    assert!(page.len() < 2_000_000, "{}", page.len());
    assert_eq!(
        data(&page)["runs"][0]["groups"][0]["contenders"]
            .as_array()
            .unwrap()
            .len(),
        500
    );
}

/// The figures by which a contender of the first run's group does not compete.
fn aside(results: &Results, group: usize) -> Vec<(String, Value)> {
    let data = data(&site::index(&[site::entry(results)]).text);
    let all = data["runs"][0]["groups"][group]["contenders"].as_array().unwrap();
    let of = |one: &Value| (one["name"].as_str().unwrap().to_owned(), one["aside"].clone());
    let some = |(_, aside): &(String, Value)| !aside.as_array().unwrap().is_empty();
    all.iter().map(of).filter(some).collect()
}

#[test]
fn contenders_that_do_not_compete_are_marked() {
    let rich = fixture::rich();
    assert_eq!(aside(&rich, 0), Vec::new(), "the floor of servers is a server");
    let limited = ("c-epoll".to_owned(), json!(["throughput"]));
    assert_eq!(aside(&rich, 1), [limited], "its CPU per operation is its own");
    let start = ("nothing".to_owned(), json!(["duration"]));
    assert_eq!(aside(&commands(), 0), [start]);
}

#[test]
fn hostile_text_stays_text() {
    let page = site::index(&[site::entry(&hostile::results())]).text;
    let ours = site::index(&[]).text;
    let count = |page: &str, what: &str| page.matches(what).count();
    for markup in ["<script", "</script", "<img", "<!--", "</pre"] {
        assert_eq!(count(&page, markup), count(&ours, markup), "{markup}");
    }
    assert_eq!(data(&page)["runs"][0]["groups"][0]["workload"], hostile::HOSTILE);
}
