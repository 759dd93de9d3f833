//! The list of formats.

use tare_model::record::RunRecord;
use tare_report::format::{Output, Source};
use tare_report::formats;
use tare_report::terminal::Terminal;

use crate::fixture;

#[test]
fn every_format_has_a_name_of_its_own_and_is_in_the_manual() {
    let page = include_str!("../../../../docs/reports.md");
    let names: Vec<&str> = formats::ALL.iter().map(|format| format.name).collect();
    for (index, name) in names.iter().enumerate() {
        assert!(page.contains(&format!("\n| `{name}` | ")), "{name}");
        assert!(!names[..index].contains(name), "{name} twice");
    }
}

#[test]
fn every_format_shows_a_run_or_says_why_not() {
    let results = fixture::rich();
    let record = RunRecord {
        info: results.run.clone(),
        arenas: Vec::new(),
    };
    let source = Source {
        record: &record,
        results: &results,
        terminal: Terminal::default(),
    };
    for format in formats::ALL {
        let texts = match (format.render)(&source) {
            Ok(Output::Text(text) | Output::Document(text)) => vec![text],
            Ok(Output::Files(files)) => files.into_iter().map(|file| file.text).collect(),
            Err(unfit) => vec![unfit.why, unfit.hint],
        };
        assert!(
            !texts.is_empty() && texts.iter().all(|text| !text.is_empty()),
            "{format:?}"
        );
    }
}
