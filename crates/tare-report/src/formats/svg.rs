//! Every chart as a file of its own, for a README.

use tare_model::results::{Results, WorkloadResult};

use crate::across;
use crate::charts;
use crate::draw::Chart;
use crate::format::{File, Format, Output};
use crate::view;

/// A file for each chart.
pub const FORMAT: Format = Format {
    name: "svg",
    render: |source| Ok(Output::Files(files(source.results))),
};

/// The width of a chart in its file, without the edges.
const WIDTH: f64 = 860.0;

/// The charts of every workload, and of every case over its sizes. Later files that would have
/// the same name get a number.
pub fn files(results: &Results) -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    let mut put = |stem: String, text: String| {
        let name = free_name(&files, &stem);
        files.push(File { path: name, text });
    };
    let mut keep = |slug: &str, chart: &Chart| put(format!("{slug}-{}", chart.name), chart.standalone());
    // Imported figures are drawn beside our own, never alone.
    let measured = results
        .workloads
        .iter()
        .filter(|_| results.run.imported.is_none());
    for result in measured {
        let charts = charts::ALL.iter().filter_map(|draw| draw(result, WIDTH));
        charts.for_each(|chart| keep(&view::slug(result), &chart));
    }
    for (workload, of_it) in by_workload(results) {
        let chart = charts::claims::of_workload(workload, &of_it, WIDTH);
        chart.iter().for_each(|chart| keep(&view::plain(workload), chart));
    }
    for across in &across::of(results) {
        let chart = charts::across::draw(across, WIDTH);
        chart.iter().for_each(|chart| keep(&across.slug(), chart));
    }
    for sweep in &results.sweeps {
        let charts = charts::sizes::ALL.iter().filter_map(|draw| draw(sweep, WIDTH));
        charts.for_each(|chart| keep(&view::sweep_slug(sweep), &chart));
    }
    if let Some(found) = &results.benchmarks {
        let chart = charts::benchmarks::draw(results, found, WIDTH);
        chart.iter().for_each(|chart| keep("benchmarks", chart));
    }
    for found in &results.explanations {
        let slug = format!("{}-{}-{}", found.workload, found.case, found.mode);
        charts::waterfall::draw(found, WIDTH)
            .iter()
            .for_each(|chart| keep(&slug, chart));
    }
    for found in &results.explanations {
        let slug = format!("{}-{}-{}", found.workload, found.case, found.mode);
        let graphs = found.flames.iter().filter_map(crate::flame::svg);
        graphs.for_each(|text| put(format!("{slug}-flame"), text));
    }
    files
}

/// The measured results of each workload, in their order.
fn by_workload(results: &Results) -> Vec<(&str, Vec<&WorkloadResult>)> {
    let mut all: Vec<(&str, Vec<&WorkloadResult>)> = Vec::new();
    for result in results
        .workloads
        .iter()
        .filter(|_| results.run.imported.is_none())
    {
        match all.iter_mut().find(|(name, _)| *name == result.workload) {
            Some((_, of_it)) => of_it.push(result),
            None => all.push((&result.workload, vec![result])),
        }
    }
    all
}

fn free_name(files: &[File], stem: &str) -> String {
    let numbered = (2..).map(|number| format!("{stem}-{number}.svg"));
    let mut names = std::iter::once(format!("{stem}.svg")).chain(numbered);
    names
        .find(|name| files.iter().all(|file| file.path != *name))
        .expect("numbers do not end")
}
