//! The suite's files of results, as a run whose figures are imported: rates without intervals.
//!
//! There are three kinds, as the suite has kept them in turn: one measurement (`results/PROFILE/CONNECTIONS/NAME.json`), those of
//! an implementation (`site/data/results/NAME.json`, keys `PROFILE-CONNECTIONS`), and those of all implementations
//! (`site/data/PROFILE-CONNECTIONS.json`).
//!
//! A profile that sends at a fixed rate says nothing by the rate that was reached: its figure is the CPU per answer.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value};
use tare_model::ids::{ContenderId, plain_name};
use tare_model::metric::{Metric, Mode};
use tare_model::published::Published;
use tare_model::record::RunRecord;
use tare_model::results::RunInfo;

use super::IMPORTED;
use crate::foreign::{Read, bad, document, number, object, short, unlike};
use crate::imported;

/// A file, whose path may say what its figures are of.
#[derive(Debug, Clone, Copy)]
pub struct FileOf<'a> {
    /// Where it is.
    pub path: &'a Path,
    /// What is in it.
    pub bytes: &'a [u8],
}

/// Reads files. `source`: what people call them. `now`: in seconds since 1970 (UTC), since they do not say when they were
/// made. The store gives the run its id.
///
/// # Errors
/// The first file that is none of the suite's, with its place in it, where there is one file; with several these are passed over,
/// and it is refused if none has a figure.
pub fn read(files: &[FileOf<'_>], source: &str, now: i64) -> Read<RunRecord> {
    let source = format!("HttpArena: {}", short(source));
    let mut figures: BTreeMap<(String, Mode), Vec<Published>> = BTreeMap::new();
    for file in files {
        let measured = match measurements(file) {
            Err(bad) if files.len() == 1 => return Err(bad),
            Err(_) => continue,
            Ok(measured) => measured,
        };
        for one in measured {
            let (key, figure) = one.figure(&source);
            figures.entry(key).or_default().push(figure);
        }
    }
    if figures.is_empty() {
        return Err(bad("", "it has no measurement of HttpArena that was answered"));
    }
    let arenas = figures.into_iter().map(|((profile, mode), published)| {
        imported::arena((IMPORTED, "HttpArena"), (&plain_name(&profile), mode), published)
    });
    Ok(RunRecord {
        info: RunInfo {
            started: now,
            complete: true,
            imported: Some(source.clone()),
            ..RunInfo::default()
        },
        arenas: arenas.collect(),
    })
}

/// A measurement that was answered.
struct Measurement {
    profile: String,
    connections: u64,
    framework: String,
    metric: Metric,
    value: f64,
}

impl Measurement {
    fn figure(self, source: &str) -> ((String, Mode), Published) {
        let mode = match self.metric {
            Metric::CpuPerOp => Mode::Cost,
            _ => Mode::Capacity,
        };
        let figure = Published {
            contender: ContenderId::plain(&plain_name(&self.framework)),
            label: format!("{}, {} connections", self.framework, self.connections),
            metric: self.metric,
            value: self.value,
            source: source.to_owned(),
            over: Vec::new(),
        };
        ((self.profile, mode), figure)
    }
}

fn measurements(file: &FileOf<'_>) -> Read<Vec<Measurement>> {
    let document = document(file.bytes)?;
    let mut found = Vec::new();
    match &document {
        Value::Array(entries) if entries.iter().all(|entry| entry.get("rps").is_some()) => {
            let stem = file.path.file_stem().unwrap_or_default().to_string_lossy();
            let Some(profile) = profile_of(&stem) else {
                return Err(bad("", NAMELESS));
            };
            for (index, entry) in entries.iter().enumerate() {
                found.extend(measurement(&format!("[{index}]"), profile, entry)?);
            }
        }
        Value::Object(whole) if whole.get("results").is_some_and(Value::is_object) => {
            for (key, entry) in object("results", &whole["results"])? {
                let at = format!("results.{}", short(key));
                let profile = profile_of(key).ok_or_else(|| bad(&at, "it is no PROFILE-CONNECTIONS"))?;
                found.extend(measurement(&at, profile, entry)?);
            }
        }
        Value::Object(whole) if whole.contains_key("rps") => {
            let folders = file
                .path
                .parent()
                .and_then(Path::parent)
                .and_then(Path::file_name);
            let profile = folders.ok_or_else(|| bad("", NAMELESS))?.to_string_lossy();
            found.extend(measurement("", &profile, &document)?);
        }
        _ => {
            return Err(bad(
                "",
                "it has neither `rps` nor `results`, as files of HttpArena have",
            ));
        }
    }
    Ok(found)
}

const NAMELESS: &str = "its path does not say the profile, as in results/PROFILE/CONNECTIONS/NAME.json and \
                        data/PROFILE-CONNECTIONS.json";

/// The profile of a key `PROFILE-CONNECTIONS`.
fn profile_of(key: &str) -> Option<&str> {
    let (profile, connections) = key.rsplit_once('-')?;
    connections.parse::<u32>().ok()?;
    Some(profile).filter(|profile| !profile.is_empty())
}

/// One measurement; none if nothing was answered.
fn measurement(at: &str, profile: &str, entry: &Value) -> Read<Option<Measurement>> {
    let entry = object(at, entry)?;
    let framework = text(at, entry, "framework")?;
    let connections = number(at, entry, "connections")?.unwrap_or_default();
    let fixed = number(at, entry, "target_rate")?.is_some_and(|rate| rate > 0.0);
    let (metric, value) = match fixed {
        true => (
            Metric::CpuPerOp,
            number(at, entry, "cpu_per_req_us")?.map(|micros| micros / 1e6),
        ),
        false => (Metric::Throughput, number(at, entry, "rps")?),
    };
    let value = value.filter(|value| *value > 0.0 && value.is_finite());
    Ok(value.map(|value| Measurement {
        profile: short(profile),
        connections: connections as u64,
        framework,
        metric,
        value,
    }))
}

fn text(at: &str, entry: &Map<String, Value>, key: &str) -> Read<String> {
    let value = entry.get(key).unwrap_or(&Value::Null);
    let text = value.as_str().filter(|text| !text.is_empty());
    text.map(short)
        .ok_or_else(|| unlike(format!("{at}.{key}").trim_start_matches('.'), "a name", value))
}
