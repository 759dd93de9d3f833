//! Manifests as they resolve, for people: `key = value  # where the value came from`.

use toml_edit::Value;

use super::contender::Contender;
use super::service::Service;
use super::sources::Sources;
use super::workload::Workload;
use super::write::text;

/// Values longer than this do not widen the column of values.
const WIDEST: usize = 60;

/// A contender, resolved: one line for each value, with its place.
pub fn contender(contender: &Contender) -> String {
    let own = [
        ("id", contender.id.to_string()),
        ("workload", contender.workload.clone()),
    ];
    lines(&own, contender.shown(), &contender.sources)
}

/// A workload, resolved: one line for each value, with its place.
pub fn workload(workload: &Workload, sources: &Sources) -> String {
    lines(&[("name", workload.name.clone())], workload.shown(), sources)
}

/// A service, resolved: one line for each value, with its place.
pub fn service(service: &Service, sources: &Sources) -> String {
    lines(&[("name", service.name.clone())], service.shown(), sources)
}

/// Keys, values and places in columns. Names that come from a path have no place.
fn lines(names: &[(&str, String)], shown: Vec<(String, Value)>, sources: &Sources) -> String {
    let names = names.iter().map(|(key, name)| ((*key).to_owned(), text(name)));
    let shown = names.chain(shown);
    let lines: Vec<(String, String)> = shown.map(|(key, value)| (key, value.to_string())).collect();
    let width = |text: &str| text.chars().count();
    let keys = lines.iter().map(|(key, _)| width(key)).max().unwrap_or(0);
    let values = lines.iter().map(|(_, value)| width(value));
    let values = values.filter(|width| *width <= WIDEST).max().unwrap_or(0);
    let lines = lines.iter().map(|(key, value)| match sources.get(key) {
        Some(place) => format!("{key:keys$} = {value:values$}  # {place}\n"),
        None => format!("{key:keys$} = {value}\n"),
    });
    lines.collect()
}
