//! Python's pyperf. Tried with 2.10.
//!
//! Its manager starts worker after worker; here a sample is one worker, by `--worker --worker-task`, with the loops fixed
//! that a first one finds. Benchmarks are listed by running each once. A script of its own arguments is run without these.
//!
//! Its Python is the `python3` that `PATH` has first: that of the project's environment, if it is active.

use std::path::{Path, PathBuf};

use serde_json::Value;

use tare_model::figure::{Figure, Quantity};

use crate::command::{Command, Done};
use crate::figure::{Entry, median};
use crate::harness::{Benchmark, Effort, Group, Harness, Listing, Places, Program, Sample, Suite};
use crate::json::{file, list, numbers, short_text, text};
use crate::output::{ended_well, listing_of, no_result, not_empty};
use crate::python;
use crate::refused::Refused;
use crate::tree::{Tree, said};

pub(crate) struct Pyperf;

const RESULT: &str = "result.json";

/// Values of a worker, and those before them that do not count.
const VALUES: u64 = 3;
const WARM_UPS: u64 = 1;
const ALL: u64 = VALUES + WARM_UPS;

impl Harness for Pyperf {
    fn name(&self) -> &'static str {
        "pyperf"
    }

    fn found(&self, tree: &Tree) -> Vec<Suite> {
        let scripts = tree
            .all()
            .filter(|(path, _)| path.extension().is_some_and(|end| end == "py"));
        let scripts =
            scripts.filter(|(_, text)| text.contains("pyperf.Runner(") || text.contains("import Runner"));
        let scripts = scripts.filter(|(_, text)| text.contains("pyperf"));
        let suite = |(path, _)| Suite {
            folder: Path::new("").to_owned(),
            name: said(path),
            parts: vec![said(path)],
            why: format!("{}: pyperf.Runner", said(path)),
        };
        scripts.map(suite).collect()
    }

    fn build(&self, _: &Suite, _: &Places) -> Result<Vec<Command>, Refused> {
        Ok(Vec::new())
    }

    fn built(&self, suite: &Suite, places: &Places, _: &[Done]) -> Result<Vec<Program>, Refused> {
        let mut program = python::program(&suite.name, places, places.root);
        program.args = vec![places.root.join(&suite.name).into_os_string()];
        Ok(vec![program])
    }

    fn own_files(&self, _: &Tree, suite: &Suite) -> Vec<PathBuf> {
        suite.parts.iter().map(PathBuf::from).collect()
    }

    fn source(&self, tree: &Tree, _: &Suite, program: &str, _: &str) -> Option<String> {
        tree.text(Path::new(program)).map(str::to_owned)
    }

    fn list(&self, program: &Program, _: Option<&Group>, scratch: &Path) -> Command {
        written(program, scratch).args(["--debug-single-value", "--quiet"])
    }

    fn listed(&self, program: &Program, _: Option<&Group>, done: &Done) -> Result<Listing, Refused> {
        let tried = listing_of(program);
        ended_well(&tried, done)?;
        let document = file(&tried, done, RESULT)?.unwrap_or_default();
        let mut listing = Listing::default();
        for (task, benchmark) in list(&document, "benchmarks").iter().enumerate() {
            listing.add(
                &meta(&document, benchmark, "name"),
                vec![format!("--worker-task={task}")],
            );
        }
        not_empty(program, done, listing.only_unique())
    }

    fn sample(&self, program: &Program, benchmark: &Benchmark, effort: Effort, scratch: &Path) -> Command {
        let command = written(program, scratch)
            .args(["--worker"])
            .args(&benchmark.select);
        match effort {
            Effort::Iterations(count) => command.args([
                format!("--loops={}", (count / ALL).max(1)),
                format!("--values={VALUES}"),
                format!("--warmups={WARM_UPS}"),
            ]),
            Effort::Time(time) => {
                let each = time.as_secs_f64() / ALL as f64;
                command.args(["--calibrate-loops".to_owned(), format!("--min-time={each:.6}")])
            }
        }
    }

    fn sampled(&self, benchmark: &Benchmark, done: &Done) -> Result<Sample, Refused> {
        let tried = benchmark.tried();
        ended_well(&tried, done)?;
        let document = file(&tried, done, RESULT)?.unwrap_or_default();
        let results = list(&document, "benchmarks");
        let ours = results.first().filter(|_| results.len() == 1);
        let ours = ours.filter(|result| meta(&document, result, "name") == benchmark.name());
        let Some((result, value)) = ours.and_then(|result| Some((result, value(result)?))) else {
            return Err(no_result(benchmark, done));
        };
        let loops = ["/metadata/loops", "/metadata/calibrate_loops"]
            .iter()
            .find_map(|key| document.pointer(key)?.as_u64());
        let iterations = loops.map(|loops| loops.saturating_mul(ALL));
        Ok(
            Sample::of(benchmark, vec![Figure::of(quantity(&document, result), value)])?
                .iterations(iterations),
        )
    }
}

fn written(program: &Program, scratch: &Path) -> Command {
    let command = program
        .command()
        .args(["-o".into(), scratch.join(RESULT).into_os_string()]);
    command.reads(&[RESULT])
}

/// What is the same for all benchmarks of a file stands once, for the whole of it.
fn meta(document: &Value, benchmark: &Value, key: &str) -> String {
    let own = benchmark.get("metadata").filter(|own| !text(own, key).is_empty());
    let all = document.get("metadata").unwrap_or(&Value::Null);
    short_text(own.unwrap_or(all), key)
}

fn quantity(document: &Value, benchmark: &Value) -> Quantity {
    match meta(document, benchmark, "unit").as_str() {
        "second" | "" => Quantity::Time,
        unit => Quantity::Custom(unit.to_owned()),
    }
}

/// The samples of a file that `-o` wrote: a run is a process, and so a sample. Runs that looked for loops have no values.
pub(crate) fn stored(document: &Value) -> Vec<Entry> {
    let of = |benchmark: &Value| -> Vec<Entry> {
        let (name, quantity) = (meta(document, benchmark, "name"), quantity(document, benchmark));
        let runs = list(benchmark, "runs").iter();
        let values = runs.filter_map(|run| median(&mut numbers(run.get("values")?)));
        let figures = values.map(|value| vec![Figure::of(quantity.clone(), value)]);
        figures
            .map(|figures| (".".to_owned(), name.clone(), figures))
            .collect()
    };
    list(document, "benchmarks").iter().flat_map(of).collect()
}

/// The middle of a worker's values; of one that looked for loops, the last that it tried.
fn value(benchmark: &Value) -> Option<f64> {
    let runs = list(benchmark, "runs");
    let mut values: Vec<f64> = runs
        .iter()
        .filter_map(|run| run.get("values"))
        .flat_map(numbers)
        .collect();
    let tried = || list(runs.last()?, "warmups").last()?.get(1)?.as_f64();
    median(&mut values).or_else(tried)
}
