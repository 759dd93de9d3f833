//! The format of hyperfine's `--export-json`: written of our runs, and read to show its figures beside ours.

use std::path::Path;

use serde_json::{Value, json};
use tare_host::command::End;
use tare_model::ids::ContenderId;
use tare_model::metric::Metric;
use tare_model::results::Published;
use tare_model::spread::Spread;
use tare_rig::commands::Timed;

use crate::failure::Failure;

/// A command as the format has it: its text at a size, parameters and their values, how its runs lie, and these.
pub struct Measured<'a> {
    pub text: String,
    pub parameters: Vec<(String, String)>,
    pub spread: &'a Spread,
    pub runs: Vec<Timed>,
}

/// The document.
pub fn write(list: &[Measured<'_>]) -> String {
    let results: Vec<Value> = list.iter().map(one).collect();
    format!("{:#}\n", json!({ "results": results }))
}

fn one(measured: &Measured<'_>) -> Value {
    let (spread, runs) = (measured.spread, &measured.runs);
    let mean = |of: fn(&Timed) -> f64| runs.iter().map(of).sum::<f64>() / runs.len().max(1) as f64;
    let code = |timed: &Timed| match timed.run.end {
        End::Exit(status) => status.code(),
        End::Late | End::Interrupted => None,
    };
    let mut result = json!({
        "command": measured.text,
        "mean": spread.mean.0,
        "stddev": spread.deviation.map(|deviation| deviation.0),
        "median": spread.median.0,
        "user": mean(|timed| timed.run.user.0),
        "system": mean(|timed| timed.run.system.0),
        "min": spread.least.0,
        "max": spread.most.0,
        "times": runs.iter().map(|timed| timed.run.wall.as_secs_f64()).collect::<Vec<f64>>(),
        "exit_codes": runs.iter().map(code).collect::<Vec<_>>(),
    });
    let memory: Option<Vec<u64>> = runs.iter().map(|timed| Some(timed.run.peak?.0)).collect();
    if let Some(memory) = memory {
        result["memory_usage_byte"] = json!(memory);
    }
    if !measured.parameters.is_empty() {
        let named = measured.parameters.iter();
        result["parameters"] = named
            .map(|(name, value)| (name.clone(), Value::from(value.as_str())))
            .collect::<serde_json::Map<String, Value>>()
            .into();
    }
    result
}

/// Figures of a file of hyperfine's for those of our commands that it has, found by their text.
pub fn read(path: &Path, ours: &[(ContenderId, String)]) -> Result<Vec<Published>, Failure> {
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::usage(format!("--beside: cannot read {}: {error}", path.display())))?;
    parse(&bytes, &path.display().to_string(), ours)
}

/// The same of its bytes.
fn parse(bytes: &[u8], file: &str, ours: &[(ContenderId, String)]) -> Result<Vec<Published>, Failure> {
    let no = |what: &str| {
        Failure::usage(format!("--beside {file}: {what}"))
            .hint("expected what `hyperfine --export-json FILE` writes: {\"results\": [{\"command\": …, \"median\": …}]}")
    };
    let document: Value = serde_json::from_slice(bytes).map_err(|error| no(&format!("no JSON: {error}")))?;
    let results = document["results"]
        .as_array()
        .ok_or_else(|| no("there is no list `results` in it"))?;
    let mut found = Vec::new();
    for (index, result) in results.iter().enumerate() {
        let text = result["command"].as_str();
        let text = text.ok_or_else(|| no(&format!("result {index} has no `command`")))?;
        let Some((id, _)) = ours.iter().find(|(_, our)| our == text) else {
            continue;
        };
        // One run has no other middle than itself.
        let value = result["median"].as_f64().or(result["mean"].as_f64());
        let value = value.filter(|value| value.is_finite() && *value > 0.0);
        found.push(Published {
            contender: id.clone(),
            label: text.to_owned(),
            metric: Metric::Duration,
            value: value.ok_or_else(|| no(&format!("result {index} has no `median` that is a time")))?,
            source: format!("{file}, by hyperfine: one command after the other, so no verdict"),
            over: Vec::new(),
        });
    }
    if found.is_empty() {
        let theirs: Vec<&str> = results
            .iter()
            .filter_map(|result| result["command"].as_str())
            .collect();
        return Err(
            Failure::usage(format!("--beside {file}: none of its commands is one of ours"))
                .hint(format!("it has: {}", theirs.join(", "))),
        );
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = r#"{"results": [
        {"command": "sleep 1", "mean": 1.02, "median": 1.01, "times": [1.0, 1.01, 1.05]},
        {"command": "sleep 2", "mean": 2.5, "times": [2.5]}]}"#;

    fn ours(text: &str) -> Vec<(ContenderId, String)> {
        vec![(ContenderId::plain("ours"), text.to_owned())]
    }

    #[test]
    fn commands_are_found_by_their_text() {
        let read = |text: &str| parse(ONE.as_bytes(), "h.json", &ours(text));
        assert_eq!(read("sleep 1").unwrap()[0].value, 1.01);
        assert_eq!(read("sleep 2").unwrap()[0].value, 2.5);
        let error = read("sleep 3").unwrap_err();
        assert!(error.hint.unwrap().contains("sleep 1, sleep 2"));
    }

    #[test]
    fn what_is_no_such_file_is_refused() {
        for bad in [
            "",
            "[]",
            "{}",
            r#"{"results": [{}]}"#,
            r#"{"results": [{"command": "sleep 1", "median": -1}]}"#,
        ] {
            assert!(
                parse(bad.as_bytes(), "h.json", &ours("sleep 1")).is_err(),
                "{bad}"
            );
        }
    }
}
