//! The doctor's A/A test: a lab in which one program takes part twice, and what the results of its run say.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use serde_json::Value;

use super::program::RESULT;

/// The name of the workload.
pub const WORKLOAD: &str = "aa";

const MANIFEST: &str = r#"schema = 1
summary = "a program against itself"
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

/// What is compared: case and metric.
const COMPARED: [(&str, &str); 3] = [
    ("process", "time_per_op"),
    ("server", "cpu_per_op"),
    ("server", "latency_p50"),
];

/// What an A/A test measured of one case by one metric.
#[derive(Debug, Clone, PartialEq)]
pub struct AaReading {
    /// The case: `process` or `server`.
    pub case: &'static str,
    /// The metric's name.
    pub metric: &'static str,
    /// The log ratio of every round in which both have a value.
    pub log_ratios: Vec<f64>,
    /// The centre of each launch's log ratios.
    pub centres: Vec<f64>,
    /// How long a launch took, its start and warm-up included, in seconds.
    pub launch: f64,
}

/// Writes the lab into an existing folder. `program` is a command that runs [`super::program`]: it gets `serve PORT` or
/// `probe` behind its own words.
///
/// # Errors
/// If a file cannot be written.
pub fn write_lab(lab: &Path, program: &[&str]) -> io::Result<()> {
    let put = |file: &str, text: &str| {
        let path = lab.join(file);
        fs::create_dir_all(path.parent().unwrap_or(lab))?;
        fs::write(path, text)
    };
    put("languages/tare.toml", "schema = 1\nsummary = \"tare itself\"\n")?;
    put("workloads/aa/workload.toml", MANIFEST)?;
    put("workloads/aa/reference.txt", &format!("{RESULT}\n"))?;
    for (case, words) in [("server", vec!["serve", "{port}"]), ("process", vec!["probe"])] {
        for name in ["one", "two"] {
            let run = [program, &words].concat();
            let manifest = format!(
                "schema = 1\nlanguage = \"tare\"\nsummary = \"one of two that are the same\"\nstyle = \"floor\"\n\
                 cases = [\"{case}\"]\nrun = {run:?}\n"
            );
            put(
                &format!("workloads/aa/contenders/{name}-{case}/contender.toml"),
                &manifest,
            )?;
        }
    }
    Ok(())
}

/// Reads what a run of that lab measured from its results (JSON) and its slices (CSV), as `tare report` writes them.
///
/// # Errors
/// If nothing was compared: the states of the contenders and their reasons.
pub fn read(results: &Value, slices: &str) -> Result<Vec<AaReading>, String> {
    let rounds = Rounds::read(slices);
    let mut found = Vec::new();
    for (case, metric) in COMPARED {
        let workloads = results["workloads"].as_array();
        let workload = workloads.into_iter().flatten().find(|one| one["case"] == case);
        let compared = workload.and_then(|one| one["comparisons"].as_array());
        let Some(comparison) = compared.into_iter().flatten().find(|one| one["metric"] == metric) else {
            continue;
        };
        let centres: Vec<f64> = comparison["centres"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_f64)
            .map(f64::ln)
            .collect();
        found.push(AaReading {
            case,
            metric,
            log_ratios: rounds.log_ratios(case, metric),
            launch: rounds.seconds(case) / centres.len().max(1) as f64,
            centres,
        });
    }
    if found.is_empty() {
        return Err(states(results));
    }
    Ok(found)
}

fn states(results: &Value) -> String {
    let contenders = results["workloads"].as_array().into_iter().flatten();
    let contenders = contenders.flat_map(|one| one["contenders"].as_array().into_iter().flatten());
    let states: Vec<String> = contenders
        .map(|one| format!("{} {}: {}", one["id"], one["state"], one["reason"]))
        .collect();
    states.join("; ")
}

/// The slices of rounds, by the names of their columns.
struct Rounds<'a> {
    columns: Vec<&'a str>,
    rows: Vec<Vec<&'a str>>,
}

impl<'a> Rounds<'a> {
    /// No cell holds a comma: the names are the A/A test's own.
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
    fn results_without_a_comparison_give_the_reasons() {
        let results = serde_json::json!({"workloads": [{"case": "server", "comparisons": [], "contenders": [
            {"id": "one-server", "state": "failed", "reason": "it died"}]}]});
        assert!(read(&results, SLICES).unwrap_err().contains("it died"));
    }

    #[test]
    fn each_comparison_is_read_with_its_rounds() {
        let results = serde_json::json!({"workloads": [{"case": "server", "comparisons": [
            {"metric": "cpu_per_op", "centres": [2.0, 1.0]}, {"metric": "other", "centres": [1.0]}]}]});
        let found = read(&results, SLICES).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].case, found[0].metric), ("server", "cpu_per_op"));
        assert_eq!(found[0].centres, [2.0_f64.ln(), 0.0]);
        assert_eq!(found[0].log_ratios, [0.5_f64.ln(), 0.0]);
        assert!((found[0].launch - 2.5).abs() < 1e-9);
    }
}
