//! The site: what is in it, that it is small, and that nobody's text gets out of its place.

use serde_json::Value;
use tare_model::ids::ContenderId;
use tare_model::record::RunRecord;
use tare_report::site;

use crate::{fixture, hostile};

fn data(page: &str) -> Value {
    let begin = "<script type=\"application/json\" id=\"data\">";
    let (_, rest) = page.split_once(begin).expect("the page has its data");
    let (json, _) = rest.split_once("</script>").expect("the data has an end");
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_index_holds_every_contender_with_its_interval_or_its_fate() {
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

#[test]
fn five_hundred_contenders_are_less_than_two_megabytes() {
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
    let page = site::index(&[site::entry(&results)]).text;
    assert!(page.len() < 2_000_000, "{}", page.len());
    assert_eq!(
        data(&page)["runs"][0]["groups"][0]["contenders"]
            .as_array()
            .unwrap()
            .len(),
        500
    );
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
