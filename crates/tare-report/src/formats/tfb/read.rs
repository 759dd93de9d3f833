//! The suite's results.json, as a run whose figures are imported: rates without intervals.
//!
//! The rate of a measurement is `totalRequests` over the document's `duration`, which is the load generator's own and
//! exact; if there is none, over `startTime` to `endTime`, which enclose it and are in whole seconds.

use serde_json::{Map, Value};
use tare_model::ids::{ContenderId, plain_name};
use tare_model::metric::Mode;
use tare_model::published::Published;
use tare_model::record::RunRecord;
use tare_model::results::{Machine, RunInfo};
use tare_model::units::Seconds;

use super::{METRIC, TESTS, WORKLOAD, level_words};
use crate::foreign::{Read, bad, document, number, object, short, unlike};
use crate::imported;

/// Reads a file. The store gives the run its id.
///
/// # Errors
/// The first deviation from the format, and its place.
pub fn read(bytes: &[u8]) -> Read<RunRecord> {
    let document = document(bytes)?;
    let document = object("", &document)?;
    let raw = match document.get("rawData") {
        Some(raw) => object("rawData", raw)?,
        None => {
            return Err(bad(
                "",
                "it has no `rawData`, as FrameworkBenchmarks' results.json has",
            ));
        }
    };
    let (info, duration) = (info(document)?, duration(document)?);
    let mut arenas = Vec::new();
    for (test, list) in TESTS {
        // Some tests were spelled differently in earlier rounds.
        let spellings = [test.to_owned(), test.replace('-', "_")];
        let Some(frameworks) = spellings.iter().find_map(|name| raw.get(name)) else {
            continue;
        };
        let of = Test {
            name: test,
            levels: levels(document, list)?,
            duration,
            source: info.imported.clone().unwrap_or_default(),
        };
        let published = of.figures(object(&format!("rawData.{test}"), frameworks)?)?;
        if !published.is_empty() {
            arenas.push(imported::arena(
                (WORKLOAD, "FrameworkBenchmarks"),
                (test, Mode::Capacity),
                published,
            ));
        }
    }
    if arenas.is_empty() {
        Err(bad("rawData", "it has no measurement of any known test"))
    } else {
        Ok(RunRecord { info, arenas })
    }
}

/// A test of a file.
struct Test {
    name: &'static str,
    levels: Vec<u64>,
    duration: Option<f64>,
    source: String,
}

impl Test {
    fn figures(&self, frameworks: &Map<String, Value>) -> Read<Vec<Published>> {
        let mut figures = Vec::new();
        for (framework, entries) in frameworks {
            let at = format!("rawData.{}.{}", self.name, short(framework));
            let Value::Array(entries) = entries else {
                return Err(unlike(&at, "a list of measurements", entries));
            };
            if entries.len() > self.levels.len() {
                let text = format!("{} measurements for {} levels", entries.len(), self.levels.len());
                return Err(bad(&at, text));
            }
            for (index, (entry, level)) in entries.iter().zip(&self.levels).enumerate() {
                let at = format!("{at}[{index}]");
                if let Some(value) = self.rate(&at, object(&at, entry)?)? {
                    figures.push(Published {
                        contender: ContenderId::plain(&plain_name(framework)),
                        label: format!("{}, {}", short(framework), level_words(self.name, *level)),
                        metric: METRIC,
                        value,
                        source: self.source.clone(),
                        over: Vec::new(),
                    });
                }
            }
        }
        Ok(figures)
    }

    /// The rate of a measurement; none if it has none, or nothing was answered.
    fn rate(&self, at: &str, entry: &Map<String, Value>) -> Read<Option<f64>> {
        let Some(total) = number(at, entry, "totalRequests")? else {
            return Ok(None);
        };
        let (start, end) = (number(at, entry, "startTime")?, number(at, entry, "endTime")?);
        let around = start.zip(end).map(|(start, end)| end - start);
        let Some(seconds) = self.duration.or(around).filter(|seconds| *seconds > 0.0) else {
            let text = "neither the document's `duration` nor `startTime` and `endTime` say how long it took";
            return Err(bad(at, text));
        };
        Ok(Some(total / seconds).filter(|rate| *rate > 0.0 && rate.is_finite()))
    }
}

fn info(document: &Map<String, Value>) -> Read<RunInfo> {
    let text = |key: &str| match document.get(key) {
        None | Some(Value::Null) => Ok(String::new()),
        Some(Value::String(text)) => Ok(short(text)),
        Some(other) => Err(unlike(key, "a text", other)),
    };
    let (name, environment) = (text("name")?, text("environmentDescription")?);
    let started = number("", document, "startTime")?.unwrap_or_default();
    let completed = number("", document, "completionTime")?;
    let said = [name.as_str(), environment.as_str()].into_iter();
    let said: Vec<&str> = said.filter(|text| !text.is_empty()).collect();
    Ok(RunInfo {
        started: (started / 1000.0) as i64,
        took: Seconds(completed.map_or(0.0, |end| ((end - started) / 1000.0).max(0.0))),
        complete: completed.is_some(),
        imported: Some(format!("FrameworkBenchmarks: {}", said.join(", "))),
        machine: Machine {
            cpu: environment,
            ..Machine::default()
        },
        ..RunInfo::default()
    })
}

fn duration(document: &Map<String, Value>) -> Read<Option<f64>> {
    let duration = number("", document, "duration")?;
    Ok(duration.filter(|seconds| *seconds > 0.0))
}

fn levels(document: &Map<String, Value>, key: &str) -> Read<Vec<u64>> {
    let list = match document.get(key) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(other) => return Err(unlike(key, "a list of counts", other)),
    };
    let level = |(index, value): (usize, &Value)| {
        let count = value.as_u64().filter(|count| *count > 0);
        count.ok_or_else(|| unlike(&format!("{key}[{index}]"), "a count above 0", value))
    };
    list.iter().enumerate().map(level).collect()
}
