//! The rules of the house that no compiler and no lint holds. ARCHITECTURE.md says why each of them is there.
//!
//! A rule is a function from the repository's files (or its packages) to what is wrong; each is also tested
//! with small counterexamples, so that a rule that cannot fail would be noticed.

mod counterexamples;
mod pages;
mod repository;
mod rules;

use tare_model::explanation::{Layer, Rule};
use tare_model::fault::FaultKind;
use tare_model::manifest::argv::PLACEHOLDERS;
use tare_model::manifest::service::SERVICE_PLACEHOLDERS;
use tare_model::metric::Metric;
use tare_report::{csv, history, slices};

use pages::{contents, links};
use repository::{metadata, read_rooms, repository};
use rules::{arrows, named, publishable, someones_paths, workloads};

#[test]
fn arrows_point_one_way() {
    hold(&arrows(&read_rooms(&metadata())));
}

#[test]
fn every_room_can_be_published() {
    hold(&publishable(&metadata()));
}

#[test]
fn the_repository_is_tidy() {
    let tree = repository();
    let rules = [someones_paths, workloads, links, contents];
    hold(&rules.iter().flat_map(|rule| rule(&tree)).collect::<Vec<_>>());
}

#[test]
fn the_manual_names_what_there_is() {
    let tree = repository();
    hold(&named(
        &tree,
        "docs/troubleshooting.md",
        &FaultKind::ALL.map(FaultKind::name),
    ));
    hold(&named(&tree, "docs/reports.md", &Metric::ALL.map(Metric::name)));
    hold(&named(&tree, "docs/reports.md", &slices::COLUMNS));
    let columns: Vec<&str> = csv::HEADER.split(',').collect();
    hold(&named(&tree, "docs/reports.md", &columns));
    hold(&named(&tree, "docs/commands.md", &history::COLUMNS));
    hold(&named(&tree, "docs/explain.md", &Rule::ALL.map(Rule::name)));
    hold(&named(&tree, "docs/explain.md", &Layer::ALL.map(Layer::name)));
    let placeholders = PLACEHOLDERS.iter().chain(&SERVICE_PLACEHOLDERS);
    let placeholders: Vec<String> = placeholders.map(|name| format!("{{{name}}}")).collect();
    let placeholders: Vec<&str> = placeholders.iter().map(String::as_str).collect();
    hold(&named(&tree, "docs/manifests.md", &placeholders));
}

fn hold(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}
