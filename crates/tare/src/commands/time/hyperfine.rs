//! The format of hyperfine's `--export-json`: written of our runs, and read to show its figures beside ours.

use std::path::Path;

use serde_json::{Value, json};
use tare_host::command::End;
use tare_model::ids::ContenderId;
use tare_model::metric::Metric;
use tare_model::results::Published;
use tare_model::spread::Spread;
use tare_report::escape;
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
        // A stranger's text, which is shown on a terminal.
        let theirs: Vec<String> = results
            .iter()
            .filter_map(|result| Some(escape::one_line(result["command"].as_str()?)))
            .collect();
        return Err(
            Failure::usage(format!("--beside {file}: none of its commands is one of ours"))
                .hint(format!("it has: {}", theirs.join(", "))),
        );
    }
    Ok(found)
}

#[cfg(test)]
#[path = "../../../../../fuzz/harness.rs"]
mod harness;

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
    const GENUINE: &str = include_str!("../../../tests/it/hyperfine.json");

    /// All of a file's commands, each under a name of its own.
    fn texts(document: &Value) -> Vec<(ContenderId, String)> {
        let results = document["results"].as_array().unwrap().iter().enumerate();
        let named = |(index, result): (usize, &Value)| {
            let id = ContenderId::plain(&format!("c{index}"));
            (id, result["command"].as_str().unwrap().to_owned())
        };
        results.map(named).collect()
    }

    /// As they are read: by name, in the order of the file.
    fn medians(bytes: &str) -> Vec<(String, f64)> {
        let document: Value = serde_json::from_str(bytes).unwrap();
        let found = parse(bytes.as_bytes(), "h.json", &texts(&document)).unwrap();
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

    fn timed(millis: u64) -> Timed {
        use std::os::unix::process::ExitStatusExt;
        use std::time::Duration;
        use tare_model::units::{Bytes, Seconds};
        Timed {
            entrant: 0,
            size: 0,
            run: tare_host::command::Run {
                wall: Duration::from_millis(millis),
                user: Seconds(0.001),
                system: Seconds(0.002),
                peak: Some(Bytes(1 << 20)),
                switches: 3,
                end: End::Exit(std::process::ExitStatus::from_raw(0)),
                left: false,
            },
        }
    }

    /// What we write is read as what hyperfine writes, and lacks nothing that readers of that may look for.
    #[test]
    fn our_own_files_are_as_hyperfines() {
        use tare_model::units::Seconds;
        let spread = Spread {
            runs: 3,
            mean: Seconds(0.02),
            deviation: Some(Seconds(0.01)),
            median: Seconds(0.0175),
            least: Seconds(0.01),
            most: Seconds(0.03),
        };
        let text = write(&[Measured {
            text: "sleep 0.0'2'".to_owned(),
            parameters: vec![("n".to_owned(), "2".to_owned())],
            spread: &spread,
            runs: [10, 20, 30].map(timed).to_vec(),
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
        let read = |text: &str| parse(ONE.as_bytes(), "h.json", &ours(text));
        assert_eq!(read("sleep 1").unwrap()[0].value, 1.01);
        assert_eq!(read("sleep 2").unwrap()[0].value, 2.5);
        let error = read("sleep 3").unwrap_err();
        assert!(error.hint.unwrap().contains("sleep 1, sleep 2"));
    }

    /// Nothing panics; what is taken is a time of a command of ours, and what is refused is told in words that a terminal
    /// may be given.
    #[test]
    fn fuzz_files_of_hyperfine() {
        let words = [
            "{",
            "}",
            "[",
            "]",
            "null",
            "-1",
            "1e999",
            "1e-999",
            "0",
            "\"",
            ",",
            "\\u001b[2J",
            "\\u0000",
            "99999999999999999999",
            "\"results\"",
            "\"command\"",
            "\"median\"",
            "sleep 1",
        ];
        super::harness::fuzz("hyperfine", &words, |bytes| {
            match parse(bytes, "h.json", &ours("sleep 1")) {
                Ok(found) => {
                    assert!(!found.is_empty());
                    for one in found {
                        assert!(one.value.is_finite() && one.value > 0.0, "{one:?}");
                        assert_eq!(one.label, "sleep 1");
                    }
                }
                Err(error) => {
                    let told = error.to_string();
                    assert!(told.starts_with("error: --beside h.json: "), "{told:?}");
                    assert!(!told.chars().any(|c| c.is_control() && c != '\n'), "{told:?}");
                }
            }
        });
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
