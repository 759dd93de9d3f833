//! The format of hyperfine's `--export-json`: written of runs that were timed here, and read so that its figures can be
//! shown beside ours.

use serde_json::{Value, json};
use tare_model::ids::ContenderId;
use tare_model::metric::Metric;
use tare_model::published::Published;
use tare_model::spread::Spread;
use tare_model::units::{Bytes, Seconds};

use crate::escape;
use crate::format::Unfit;

/// A command, at one size where there are several.
#[derive(Debug, Clone)]
pub struct Command<'a> {
    /// Its text, as a shell takes it.
    pub text: String,
    /// Parameters in it and their values.
    pub parameters: Vec<(String, String)>,
    /// The spread of its runs.
    pub spread: &'a Spread,
    /// Its runs, in their order.
    pub runs: Vec<Run>,
}

/// A run of a command.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// How long it took.
    pub wall: Seconds,
    /// CPU time in its own code.
    pub user: Seconds,
    /// CPU time in the kernel.
    pub system: Seconds,
    /// The most memory that it had; none where that is not known.
    pub peak: Option<Bytes>,
    /// Its exit status; none where it had none.
    pub status: Option<i32>,
}

/// The document.
pub fn write(commands: &[Command<'_>]) -> String {
    let results: Vec<Value> = commands.iter().map(result).collect();
    format!("{:#}\n", json!({ "results": results }))
}

fn result(command: &Command<'_>) -> Value {
    let (spread, runs) = (command.spread, &command.runs);
    let mean =
        |of: fn(&Run) -> Seconds| runs.iter().map(|run| of(run).0).sum::<f64>() / runs.len().max(1) as f64;
    let mut result = json!({
        "command": command.text,
        "mean": spread.mean.0,
        "stddev": spread.deviation.map(|deviation| deviation.0),
        "median": spread.median.0,
        "user": mean(|run| run.user),
        "system": mean(|run| run.system),
        "min": spread.least.0,
        "max": spread.most.0,
        "times": runs.iter().map(|run| run.wall.0).collect::<Vec<f64>>(),
        "exit_codes": runs.iter().map(|run| run.status).collect::<Vec<_>>(),
    });
    let memory: Option<Vec<u64>> = runs.iter().map(|run| Some(run.peak?.0)).collect();
    if let Some(memory) = memory {
        result["memory_usage_byte"] = json!(memory);
    }
    if !command.parameters.is_empty() {
        let named = command.parameters.iter();
        result["parameters"] = named
            .map(|(name, value)| (name.clone(), Value::from(value.as_str())))
            .collect::<serde_json::Map<String, Value>>()
            .into();
    }
    result
}

/// The figures of a file of hyperfine's that are of one of our commands, found by its text. `file`: its name, for
/// messages and as the source.
pub fn read(bytes: &[u8], file: &str, ours: &[(ContenderId, String)]) -> Result<Vec<Published>, Unfit> {
    let no = |what: &str| {
        Unfit {
        why: format!("{file}: {what}"),
        hint: "expected what `hyperfine --export-json FILE` writes: {\"results\": [{\"command\": …, \"median\": …}]}"
            .to_owned(),
    }
    };
    let document: Value =
        serde_json::from_slice(bytes).map_err(|error| no(&format!("it is not JSON: {error}")))?;
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
        // Of a single run there may be no median.
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
        // Foreign text, which is shown on a terminal.
        let theirs: Vec<String> = results
            .iter()
            .filter_map(|result| Some(escape::one_line(result["command"].as_str()?)))
            .collect();
        return Err(Unfit {
            why: format!("{file}: none of its commands is one of ours"),
            hint: format!("it has: {}", theirs.join(", ")),
        });
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

    /// What hyperfine 1.15 wrote, of three runs of each.
    const GENUINE: &str = include_str!("../tests/it/hyperfine.json");

    /// All commands of a file, each under a name of its own.
    fn texts(document: &Value) -> Vec<(ContenderId, String)> {
        let results = document["results"].as_array().unwrap().iter().enumerate();
        let named = |(index, result): (usize, &Value)| {
            let id = ContenderId::plain(&format!("c{index}"));
            (id, result["command"].as_str().unwrap().to_owned())
        };
        results.map(named).collect()
    }

    /// The figures as they are read: by name, in the order of the file.
    fn medians(bytes: &str) -> Vec<(String, f64)> {
        let document: Value = serde_json::from_str(bytes).unwrap();
        let found = read(bytes.as_bytes(), "h.json", &texts(&document)).unwrap();
        found
            .into_iter()
            .map(|one| (one.contender.to_string(), one.value))
            .collect()
    }

    #[test]
    fn hyperfines_own_files_are_read() {
        let document: Value = serde_json::from_str(GENUINE).unwrap();
        let results = document["results"].as_array().unwrap();
        assert!(results.len() >= 2 && results[0]["parameters"]["n"].is_string());
        let expected: Vec<(String, f64)> = results
            .iter()
            .enumerate()
            .map(|(index, result)| (format!("c{index}"), result["median"].as_f64().unwrap()))
            .collect();
        assert_eq!(medians(GENUINE), expected);
    }

    fn run(millis: f64) -> Run {
        Run {
            wall: Seconds(millis / 1e3),
            user: Seconds(0.001),
            system: Seconds(0.002),
            peak: Some(Bytes(1 << 20)),
            status: Some(0),
        }
    }

    /// What we write can be read, and has every field that hyperfine's own files have.
    #[test]
    fn our_own_files_are_as_hyperfines() {
        let spread = Spread {
            runs: 3,
            mean: Seconds(0.02),
            deviation: Some(Seconds(0.01)),
            median: Seconds(0.0175),
            least: Seconds(0.01),
            most: Seconds(0.03),
        };
        let text = write(&[Command {
            text: "sleep 0.0'2'".to_owned(),
            parameters: vec![("n".to_owned(), "2".to_owned())],
            spread: &spread,
            runs: [10.0, 20.0, 30.0].map(run).to_vec(),
        }]);
        assert_eq!(medians(&text), [("c0".to_owned(), 0.0175)]);
        let [ours, theirs] =
            [text.as_str(), GENUINE].map(|text| serde_json::from_str::<Value>(text).unwrap());
        let kind = |value: &Value| std::mem::discriminant(value);
        for (key, value) in theirs["results"][0].as_object().unwrap() {
            let own = &ours["results"][0][key];
            assert_eq!(kind(own), kind(value), "{key}: {own} instead of {value}");
        }
    }

    #[test]
    fn commands_are_found_by_their_text() {
        let read = |text: &str| read(ONE.as_bytes(), "h.json", &ours(text));
        assert_eq!(read("sleep 1").unwrap()[0].value, 1.01);
        assert_eq!(read("sleep 2").unwrap()[0].value, 2.5);
        assert!(read("sleep 3").unwrap_err().hint.contains("sleep 1, sleep 2"));
    }

    #[test]
    fn other_files_are_refused() {
        for bad in [
            "",
            "[]",
            "{}",
            r#"{"results": [{}]}"#,
            r#"{"results": [{"command": "sleep 1", "median": -1}]}"#,
        ] {
            assert!(read(bad.as_bytes(), "h.json", &ours("sleep 1")).is_err(), "{bad}");
        }
    }
}
