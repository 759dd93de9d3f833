//! Two of the same, measured as everything is: by `tare run`, in a lab of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use tare_stats::huber;

use super::decide::Twins;
use crate::commands::twin::RESULT;
use crate::failure::{self, Failure};

const WORKLOAD: &str = r#"schema = 1
summary = "two of the same"
job = { kind = "doubling" }

[cases.server]
summary = "a server, asked at one rate"
placement = "one-core"
baseline = "one-server"

[cases.server.modes.cost]
primary = "cpu_per_op"
connections = 4
depth = 1

[cases.process]
summary = "arithmetic in process"
placement = "one-core"
baseline = "one-process"

[cases.process.job]
kind = "probe"
reference = "reference.txt"

[cases.process.modes.capacity]
primary = "time_per_op"

[[exchanges]]
name = "a line"
send = "21\n"
expect = "42\n"
"#;

/// What is looked at: case, metric, and what that is.
const LOOKED_AT: [(&str, &str, &str); 3] = [
    ("process", "time_per_op", "time of work in process"),
    ("server", "cpu_per_op", "CPU per answer of a server"),
    ("server", "latency_p50", "median latency of a server"),
];

/// Measures two of the same for so long at the most (their starts apart).
///
/// # Errors
/// Where the run cannot be made or fails, with what it said.
pub fn measure(time: Duration) -> Result<Vec<Twins>, Failure> {
    let lab = tempfile::Builder::new().prefix("tare-doctor-").tempdir();
    let lab = lab.map_err(|error| Failure::outside(format!("no temporary folder could be made: {error}")))?;
    let program =
        std::env::current_exe().map_err(|error| Failure::outside(format!("where is tare? {error}")))?;
    write_lab(lab.path(), &program)
        .map_err(|error| Failure::outside(format!("the doctor's lab: {error}")))?;
    let budget = format!("{}ms", time.as_millis());
    let words = [
        "run",
        "twins",
        "--budget",
        &budget,
        "--launches",
        "6",
        "--margin",
        "0%",
        "--format",
        "json",
        "-q",
    ];
    let results = tare(&program, lab.path(), &words)?;
    let slices = tare(&program, lab.path(), &["report", "latest", "--format", "slices"])?;
    let results = serde_json::from_str(&results)
        .map_err(|error| Failure::outside(format!("the doctor's run gave no results: {error}")))?;
    read(&results, &slices)
}

fn tare(program: &Path, lab: &Path, words: &[&str]) -> Result<String, Failure> {
    let mut command = Command::new(program);
    command.args(words).arg("-C").arg(lab).stdin(Stdio::null());
    let done = command
        .output()
        .map_err(|error| Failure::outside(format!("tare {}: {error}", words.join(" "))))?;
    match done.status.code() {
        Some(0) => Ok(String::from_utf8_lossy(&done.stdout).into_owned()),
        Some(code) if code == i32::from(failure::INTERRUPTED) => Err(failure::interrupted()),
        _ => Err(Failure::outside(format!(
            "the doctor's own run failed ({}): {}",
            done.status,
            String::from_utf8_lossy(&done.stderr).trim()
        ))
        .hint("`tare doctor --quick` looks without measuring")),
    }
}

fn write_lab(lab: &Path, program: &Path) -> std::io::Result<()> {
    let put = |file: &str, text: &str| {
        let path = lab.join(file);
        fs::create_dir_all(path.parent().unwrap_or(lab))?;
        fs::write(path, text)
    };
    put("languages/tare.toml", "schema = 1\nsummary = \"tare itself\"\n")?;
    put("workloads/twins/workload.toml", WORKLOAD)?;
    put("workloads/twins/reference.txt", &format!("{RESULT}\n"))?;
    let program = program.to_string_lossy();
    for (case, words) in [("server", vec!["serve", "{port}"]), ("process", vec!["probe"])] {
        for name in ["one", "two"] {
            let run: Vec<&str> = [&program, "__twin"]
                .into_iter()
                .chain(words.iter().copied())
                .collect();
            let manifest = format!(
                "schema = 1\nlanguage = \"tare\"\nsummary = \"one of two that are the same\"\nstyle = \"floor\"\n\
                 cases = [\"{case}\"]\nrun = {run:?}\n"
            );
            put(
                &format!("workloads/twins/contenders/{name}-{case}/contender.toml"),
                &manifest,
            )?;
        }
    }
    Ok(())
}

/// What the results and the slices say of each that is looked at.
fn read(results: &Value, slices: &str) -> Result<Vec<Twins>, Failure> {
    let rounds = Rounds::read(slices);
    let mut found = Vec::new();
    for (case, metric, what) in LOOKED_AT {
        let Some(workload) = results["workloads"]
            .as_array()
            .into_iter()
            .flatten()
            .find(|one| one["case"] == case)
        else {
            continue;
        };
        let compared = workload["comparisons"].as_array().into_iter().flatten();
        let Some(comparison) = compared.into_iter().find(|one| one["metric"] == metric) else {
            continue;
        };
        let centres: Vec<f64> = comparison["centres"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_f64)
            .map(f64::ln)
            .collect();
        let ratios = rounds.log_ratios(case, metric);
        let launches = centres.len().max(1);
        found.push(Twins {
            what,
            metric,
            round: huber::robust_sd(&ratios).unwrap_or(0.0),
            rounds: ratios.len() / launches,
            centres,
            launch: rounds.seconds(case) / launches as f64,
        });
    }
    match found.is_empty() {
        true => Err(Failure::outside(format!(
            "the doctor's run compared nothing: {}",
            states(results)
        ))),
        false => Ok(found),
    }
}

fn states(results: &Value) -> String {
    let contenders = results["workloads"].as_array().into_iter().flatten();
    let contenders = contenders.flat_map(|one| one["contenders"].as_array().into_iter().flatten());
    let told: Vec<String> = contenders
        .map(|one| format!("{} {}: {}", one["id"], one["state"], one["reason"]))
        .collect();
    told.join("; ")
}

/// The slices of rounds, by the names of their columns.
struct Rounds<'a> {
    columns: Vec<&'a str>,
    rows: Vec<Vec<&'a str>>,
}

impl<'a> Rounds<'a> {
    /// Nothing here holds a comma: the names are the doctor's own.
    fn read(csv: &'a str) -> Self {
        let mut lines = csv.lines();
        let columns = lines.next().unwrap_or_default().split(',').collect();
        let rows = lines.map(|line| line.split(',').collect()).collect();
        Self { columns, rows }
    }

    fn cell(&self, row: &[&'a str], column: &str) -> &'a str {
        let at = self.columns.iter().position(|name| *name == column);
        at.and_then(|at| row.get(at)).copied().unwrap_or_default()
    }

    /// The log ratio of every round in which both have a value.
    fn log_ratios(&self, case: &str, metric: &str) -> Vec<f64> {
        let column = format!("value_{metric}");
        let mut pairs: BTreeMap<(u32, u32), [Option<f64>; 2]> = BTreeMap::new();
        for row in self
            .rows
            .iter()
            .filter(|row| self.cell(row, "case") == case && self.cell(row, "phase") == "round")
        {
            let number = |name| self.cell(row, name).parse::<u32>().unwrap_or(u32::MAX);
            let value = self
                .cell(row, &column)
                .parse::<f64>()
                .ok()
                .filter(|value| *value > 0.0);
            let second = usize::from(self.cell(row, "contender").starts_with("two"));
            pairs.entry((number("launch"), number("round"))).or_default()[second] = value;
        }
        let both = pairs
            .into_values()
            .filter_map(|[one, two]| Some((two? / one?).ln()));
        both.collect()
    }

    /// How long the launches of a case took in all: from the first slice of each to the first of what came next.
    fn seconds(&self, case: &str) -> f64 {
        let (mut sum, mut began) = (0.0, None);
        let mut last = 0.0_f64;
        for row in &self.rows {
            let number = |name| self.cell(row, name).parse::<f64>().unwrap_or(0.0);
            let at = number("began");
            last = last.max(at + number("wall"));
            match (self.cell(row, "case") == case, began) {
                (true, None) => began = Some(at),
                (false, Some(from)) => {
                    sum += at - from;
                    began = None;
                }
                _ => {}
            }
        }
        sum + began.map_or(0.0, |from: f64| last - from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLICES: &str = "case,contender,phase,launch,round,began,wall,value_cpu_per_op\n\
        server,one-server,warm-up,0,0,1.0,0.1,9\n\
        server,one-server,round,0,0,2.0,0.1,2\n\
        server,two-server,round,0,0,2.5,0.1,1\n\
        process,two-process,round,0,0,5.0,0.1,\n\
        server,two-server,round,1,0,7.0,0.1,3\n\
        server,one-server,round,1,0,7.5,0.5,3\n\
        server,one-server,round,1,1,7.9,0.1,3\n";

    #[test]
    fn rounds_are_paired_and_launches_timed() {
        let rounds = Rounds::read(SLICES);
        assert_eq!(rounds.log_ratios("server", "cpu_per_op"), [0.5_f64.ln(), 0.0]);
        assert!(
            (rounds.seconds("server") - (4.0 + 1.0)).abs() < 1e-9,
            "{}",
            rounds.seconds("server")
        );
        assert_eq!(rounds.seconds("process"), 2.0);
    }

    #[test]
    fn results_without_a_comparison_are_told_with_their_reasons() {
        let results = serde_json::json!({"workloads": [{"case": "server", "comparisons": [], "contenders": [
            {"id": "one-server", "state": "failed", "reason": "it died"}]}]});
        assert!(read(&results, SLICES).unwrap_err().message.contains("it died"));
    }
}
