//! A run as the suite's results.json.
//!
//! A measurement is all slices of a contender at one number of connections, those of the pilot included: their answers
//! are `totalRequests`, and the time from `startTime` to `endTime` is the sum of their durations, since slices of other
//! contenders are in between. So `totalRequests` over that time is the rate. There is no common `duration`.
//!
//! Of tests whose levels are how many rows a request asks for, a measurement is the slices of the rounds at one size, at the
//! connections that were best for the contender.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use tare_model::fault::FaultKind;
use tare_model::histogram::Histogram;
use tare_model::metric::Mode;
use tare_model::record::{ArenaRecord, EntrantRecord, Phase, RunRecord, SliceRecord};

use super::{TESTS, has_intervals, test_of};

/// One contender's measurements in one test, by connections or sizes.
type Levels = BTreeMap<u32, Value>;

/// The document; none if no case of the run is one of the suite's tests in the mode `capacity`.
pub fn render(run: &RunRecord) -> Option<String> {
    let tests = Tests::of(run);
    if tests.arenas == 0 {
        return None;
    }
    let machine = &run.info.machine;
    let millis = |seconds: f64| ((run.info.started as f64 + seconds) * 1000.0) as i64;
    let mut document = json!({
        "uuid": null,
        "name": format!("tare {}", run.info.id),
        "environmentDescription": format!("{}, {} cores, {}, {}", machine.cpu, machine.cores, machine.os, machine.kernel),
        "git": null,
        "startTime": millis(0.0),
        "completionTime": run.info.complete.then(|| millis(run.info.took.0)),
        "duration": null,
        "frameworks": tests.frameworks,
        "rawData": tests.raw(),
        "completed": {},
        "succeeded": tests.names(true),
        "failed": tests.names(false),
        "verify": tests.verified(),
    });
    for (_, key) in TESTS {
        document[key] = json!(tests.levels(key));
    }
    Some(format!("{document:#}\n"))
}

/// What a run has of the suite's tests.
#[derive(Default)]
struct Tests {
    arenas: usize,
    frameworks: BTreeSet<String>,
    /// By test and framework. One that failed has none.
    measured: BTreeMap<&'static str, BTreeMap<String, Option<Levels>>>,
}

impl Tests {
    fn of(run: &RunRecord) -> Self {
        let mut tests = Self::default();
        for arena in run.arenas.iter().filter(|arena| arena.mode == Mode::Capacity) {
            let Some((test, suffix)) = test_of(&arena.case) else {
                continue;
            };
            // The suite has sizes in these tests, and in no others.
            if has_intervals(test) != arena.size.is_some() {
                continue;
            }
            tests.arenas += 1;
            for (index, entrant) in arena.entrants.iter().enumerate() {
                let name = format!("{}{suffix}", entrant.id);
                let found = match fate(entrant) {
                    Fate::LeftOut => continue,
                    Fate::Failed => None,
                    Fate::Right => Some(levels(run, arena, index)),
                };
                tests.add(test, name, found);
            }
        }
        for levels in tests.measured.values_mut().flat_map(BTreeMap::values_mut) {
            levels.take_if(|levels| levels.is_empty());
        }
        tests
    }

    /// Adds what a framework was measured at; none: it failed, and then the test as a whole.
    fn add(&mut self, test: &'static str, name: String, found: Option<Levels>) {
        self.frameworks.insert(name.clone());
        let all = self.measured.entry(test).or_default();
        let levels = all.entry(name).or_insert_with(|| Some(Levels::new()));
        match (levels.as_mut(), found) {
            (Some(levels), Some(more)) => levels.extend(more),
            _ => *levels = None,
        }
    }

    /// The levels that any test of a list was measured at.
    fn levels(&self, key: &str) -> Vec<u32> {
        let tests = TESTS.iter().filter(|(_, list)| *list == key);
        let measured = tests.filter_map(|(test, _)| self.measured.get(test));
        let levels = measured.flat_map(BTreeMap::values).flatten();
        let all: BTreeSet<u32> = levels.flat_map(BTreeMap::keys).copied().collect();
        all.into_iter().collect()
    }

    fn raw(&self) -> Value {
        let test = |(test, list): &(&str, &str)| {
            let levels = self.levels(list);
            let measured = self.measured.get(test).into_iter().flatten();
            let frameworks = measured.filter_map(|(name, measured)| {
                // A level that was not measured has an empty entry in its place.
                let at = |level: &u32| measured.as_ref()?.get(level).cloned();
                let entries = levels.iter().map(|level| at(level).unwrap_or(json!({})));
                let entries: Value = entries.collect();
                measured.as_ref().map(|_| (name.clone(), entries))
            });
            ((*test).to_owned(), Value::Object(frameworks.collect()))
        };
        Value::Object(TESTS.iter().map(test).collect())
    }

    /// The frameworks of each test that were measured, or those that were not.
    fn names(&self, measured: bool) -> Value {
        let test = |(test, _): &(&str, &str)| {
            let all = self.measured.get(test).into_iter().flatten();
            let names = all.filter(|(_, levels)| levels.is_some() == measured);
            let names: Value = names.map(|(name, _)| json!(name)).collect();
            ((*test).to_owned(), names)
        };
        Value::Object(TESTS.iter().map(test).collect())
    }

    /// Every answer was checked, so every framework that was measured has passed.
    fn verified(&self) -> Value {
        let mut all: BTreeMap<&String, Map<String, Value>> = BTreeMap::new();
        for (test, frameworks) in &self.measured {
            for (name, levels) in frameworks {
                let said = if levels.is_some() { "pass" } else { "fail" };
                all.entry(name)
                    .or_default()
                    .insert((*test).to_owned(), json!(said));
            }
        }
        json!(all)
    }
}

/// The result of a contender.
enum Fate {
    Right,
    Failed,
    /// It could not take part.
    LeftOut,
}

fn fate(entrant: &EntrantRecord) -> Fate {
    match entrant.fault.as_ref().map(|fault| fault.kind) {
        None | Some(FaultKind::NotSteady) => Fate::Right,
        Some(FaultKind::MissingTool | FaultKind::Broken | FaultKind::NoService) => Fate::LeftOut,
        Some(_) => Fate::Failed,
    }
}

fn levels(run: &RunRecord, arena: &ArenaRecord, entrant: usize) -> Levels {
    let mut slices: BTreeMap<u32, Vec<&SliceRecord>> = BTreeMap::new();
    let size = arena.size.map(|size| u32::try_from(size).unwrap_or(u32::MAX));
    let counts = |phase| match size {
        Some(_) => phase == Phase::Round,
        None => phase != Phase::WarmUp,
    };
    let counted = arena.slices.iter().filter(|slice| counts(slice.phase));
    for slice in counted.filter(|slice| slice.entrant == entrant) {
        let level = size.unwrap_or(slice.reading.load.connections);
        slices.entry(level).or_default().push(slice);
    }
    let measurement = |(level, slices): (u32, Vec<&SliceRecord>)| Some((level, measurement(run, &slices)?));
    slices.into_iter().filter_map(measurement).collect()
}

fn measurement(run: &RunRecord, slices: &[&SliceRecord]) -> Option<Value> {
    let first = slices.first()?;
    let mut latencies = Histogram::new();
    slices
        .iter()
        .for_each(|slice| latencies.merge(&slice.reading.load.latency));
    let answers: u64 = slices.iter().map(|slice| slice.reading.load.answers).sum();
    let wall: f64 = slices.iter().map(|slice| slice.reading.load.wall.0).sum();
    let start = run.info.started as f64 + first.reading.began.0;
    let mean = latencies.mean()?;
    Some(json!({
        "latencyAvg": time(mean),
        "latencyStdev": time(deviation(&latencies, mean)),
        "latencyMax": time(latencies.max() as f64),
        "totalRequests": answers,
        "startTime": start,
        "endTime": start + wall,
    }))
}

/// The standard deviation, from the middles of the buckets.
fn deviation(histogram: &Histogram, mean: f64) -> f64 {
    let square = |(low, high, count): (u64, u64, u32)| {
        ((low as f64 + high as f64) / 2.0 - mean).powi(2) * f64::from(count)
    };
    let sum: f64 = histogram.buckets().map(square).sum();
    (sum / histogram.count().max(1) as f64).sqrt()
}

/// Nanoseconds as wrk prints times: `45.60us`, `1.23ms`, `2.00s`.
fn time(nanos: f64) -> String {
    let micros = nanos / 1e3;
    match micros {
        m if m < 1e3 => format!("{m:.2}us"),
        m if m < 1e6 => format!("{:.2}ms", m / 1e3),
        m => format!("{:.2}s", m / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_as_wrk_has_them() {
        assert_eq!(time(45_600.0), "45.60us");
        assert_eq!(time(1_230_000.0), "1.23ms");
        assert_eq!(time(2e9), "2.00s");
    }

    #[test]
    fn a_deviation_is_that_of_the_buckets() {
        let mut histogram = Histogram::new();
        [10, 20, 30].into_iter().for_each(|nanos| histogram.record(nanos));
        let mean = histogram.mean().unwrap();
        assert!((mean - 20.0).abs() < 0.5 && (deviation(&histogram, mean) - 8.16).abs() < 0.5);
    }
}
