//! Every chart as a file of its own, for a README.

use tare_model::results::Results;

use crate::charts;
use crate::view;

/// A file: its name, and its whole text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// `doubling-one-core-cost-ratio.svg`.
    pub name: String,
    /// A standalone SVG document.
    pub text: String,
}

/// The width of a chart in its file, without the edges.
const WIDTH: f64 = 860.0;

/// The charts of every workload. Two entries of one workload, case and mode would have one name, so later ones get a
/// number.
pub fn files(results: &Results) -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    for result in &results.workloads {
        for chart in charts::ALL.iter().filter_map(|draw| draw(result, WIDTH)) {
            let stem = format!("{}-{}", view::slug(result), chart.name);
            files.push(File {
                name: free_name(&files, &stem),
                text: chart.standalone(),
            });
        }
    }
    files
}

fn free_name(files: &[File], stem: &str) -> String {
    let numbered = (2..).map(|number| format!("{stem}-{number}.svg"));
    let mut names = std::iter::once(format!("{stem}.svg")).chain(numbered);
    names
        .find(|name| files.iter().all(|file| file.name != *name))
        .expect("numbers do not end")
}
