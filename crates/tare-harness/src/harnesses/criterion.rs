//! Rust's criterion. Tried with 0.3.6 and 0.8.2.
//!
//! Its raw samples are read, not what it estimates: criterion's 100 samples are one process, and so one sample here. Before
//! 0.5 it knows no `--exact`, and whole seconds only. The settings of a group in the source override the flags. A
//! measurement other than time (`criterion_perf_events`) cannot be seen in what it writes.

use std::path::{Path, PathBuf};

use serde_json::Value;

use tare_model::figure::{Figure, Quantity};

use crate::cargo;
use crate::command::{Command, Done};
use crate::figure::{Entry, median};
use crate::harness::{Benchmark, Effort, Group, Harness, Listing, Places, Program, Sample, Suite, Way};
use crate::json::{file, numbers, text};
use crate::output::{ended_well, listing_of, no_result, not_empty, several};
use crate::refused::Refused;
use crate::text::{lines, quoted};
use crate::tree::Tree;

pub(crate) struct Criterion;

/// What it is told to choose one with, from 0.5 on.
const EXACT: &str = "--exact";

impl Harness for Criterion {
    fn name(&self) -> &'static str {
        "criterion"
    }

    fn found(&self, tree: &Tree) -> Vec<Suite> {
        cargo::found(tree, |path, text| {
            cargo::among_benches(path) && (text.contains("criterion_main!") || text.contains("criterion::"))
        })
    }

    fn build(&self, suite: &Suite, places: &Places) -> Result<Vec<Command>, Refused> {
        Ok(vec![cargo::build(suite, places, None)])
    }

    fn built(&self, suite: &Suite, _: &Places, done: &[Done]) -> Result<Vec<Program>, Refused> {
        cargo::built(suite, done)
    }

    fn tools(&self, suite: &Suite, places: &Places) -> Vec<Command> {
        vec![cargo::version(suite, places, None)]
    }

    fn shuffle(&self, suite: &Suite, places: &Places, programs: &[Program], seed: u64) -> Vec<Way> {
        cargo::shuffle(suite, places, programs, None, seed)
    }

    fn own_files(&self, _: &Tree, suite: &Suite) -> Vec<PathBuf> {
        cargo::own_files(suite)
    }

    fn source(&self, tree: &Tree, suite: &Suite, program: &str, _: &str) -> Option<String> {
        cargo::source(tree, suite, program)
    }

    fn list(&self, program: &Program, _: Option<&Group>, scratch: &Path) -> Command {
        let command = program.command().args(["--bench", "--list"]);
        command.env("CRITERION_HOME", scratch)
    }

    fn listed(&self, program: &Program, _: Option<&Group>, done: &Done) -> Result<Listing, Refused> {
        ended_well(&listing_of(program), done)?;
        let mut listing = Listing::default();
        for line in lines(&done.stdout) {
            if let Some(id) = line.strip_suffix(": benchmark") {
                listing.add(id, vec![EXACT.to_owned(), "--".to_owned(), id.to_owned()]);
            } else if let Some(id) = line.strip_suffix(": bench") {
                listing.add(id, vec!["--".to_owned(), format!("^{}$", quoted(id))]);
            }
        }
        not_empty(program, done, listing.only_unique())
    }

    fn sample(&self, program: &Program, benchmark: &Benchmark, effort: Effort, scratch: &Path) -> Command {
        let length = effort.time().as_secs_f64();
        let (warm_up, measure) = if benchmark.select[0] == EXACT {
            (
                format!("{:.3}", (length / 2.0).max(0.005)),
                format!("{length:.3}"),
            )
        } else {
            ("1".to_owned(), format!("{:.0}", length.ceil()))
        };
        program
            .command()
            .args(["--bench", "--noplot", "--sample-size=10", "--nresamples=100"])
            .args([
                format!("--warm-up-time={warm_up}"),
                format!("--measurement-time={measure}"),
            ])
            .args(&benchmark.select)
            .env("CRITERION_HOME", scratch)
            .reads(&["sample.json", "benchmark.json"])
    }

    fn sampled(&self, benchmark: &Benchmark, done: &Done) -> Result<Sample, Refused> {
        let tried = benchmark.tried();
        ended_well(&tried, done)?;
        let results = done.files.keys().filter(|path| path.ends_with("new/sample.json"));
        match results.count() {
            0 => return Err(no_result(benchmark, done)),
            1 => {}
            more => return Err(several(benchmark, more)),
        }
        let about = file(&tried, done, "new/benchmark.json")?.unwrap_or_default();
        if text(&about, "full_id") != benchmark.name() {
            return Err(no_result(benchmark, done));
        }
        let sample = file(&tried, done, "new/sample.json")?.unwrap_or_default();
        let time = time(&sample).ok_or_else(|| no_result(benchmark, done))?;
        let mut figures = vec![Figure::time(time)];
        figures.extend(throughput(&about, time));
        Sample::of(benchmark, figures)
    }
}

/// The middle of its samples, in seconds an iteration.
fn time(sample: &Value) -> Option<f64> {
    let (iterations, times) = (numbers(sample.get("iters")?), numbers(sample.get("times")?));
    let each = iterations
        .iter()
        .zip(&times)
        .map(|(count, time)| time / count * 1e-9);
    median(&mut each.collect::<Vec<_>>()).filter(|_| iterations.len() == times.len())
}

fn throughput(about: &Value, time: f64) -> Option<Figure> {
    let (kind, amount) = about.get("throughput")?.as_object()?.iter().next()?;
    let (factor, unit) = match kind.as_str() {
        "Bytes" | "BytesDecimal" => (1.0, "B"),
        "Bits" => (1.0 / 8.0, "B"),
        "Elements" => (1.0, "items"),
        _ => return None,
    };
    let rate = amount.as_f64()? * factor / time;
    Some(Figure::of(Quantity::Throughput(unit.to_owned()), rate))
}

/// The median of an `estimates.json`. It does not name its benchmark, but is in a folder of it:
/// `criterion/GROUP/NAME/new/estimates.json`.
pub(crate) fn stored(path: &Path, document: &Value) -> Vec<Entry> {
    let median = document.pointer("/median/point_estimate").and_then(Value::as_f64);
    let folders = path.parent().and_then(Path::parent).into_iter();
    let folders: Vec<String> = folders
        .flat_map(Path::components)
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    let home = folders.iter().rposition(|folder| folder == "criterion");
    let from = home.map_or(folders.len().saturating_sub(1), |home| home + 1);
    let name = folders[from..].join("/");
    let figure = median.map(|median| vec![Figure::time(median * 1e-9)]);
    figure
        .map(|figures| (".".to_owned(), name, figures))
        .into_iter()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_among_benches_show_it() {
        let main = "criterion_main!(all);";
        let tree = Tree::of([
            ("Cargo.toml", "[package]\nname = \"words\"\n"),
            ("benches/count.rs", main),
            ("src/lib.rs", "// criterion_main!"),
            ("inner/Cargo.toml", "[package]\nname = \"inner\"\n"),
            ("inner/src/lib.rs", ""),
        ]);
        let suites = Criterion.found(&tree);
        assert_eq!(suites.len(), 1);
        assert_eq!(
            (suites[0].name.as_str(), suites[0].why.as_str()),
            ("words", "Cargo.toml, benches/count.rs")
        );
    }
}
