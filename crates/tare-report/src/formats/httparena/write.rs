//! A run as the suite's files of results.
//!
//! A file is all slices of a contender at one number of connections, those of the pilot included. What the suite has and tare
//! has not (the status of each answer but the right ones, connections that were opened again by the load generator's own rule) is
//! left out.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tare_model::driving::Driving;
use tare_model::fault::FaultKind;
use tare_model::histogram::Histogram;
use tare_model::metric::Mode;
use tare_model::record::{ArenaRecord, EntrantRecord, Phase, RunRecord, SliceRecord};

use super::WORKLOAD;
use crate::format::File;

/// The files of a run, by their paths in the suite's folder of results.
pub fn files(run: &RunRecord) -> Vec<File> {
    let arenas = run
        .arenas
        .iter()
        .filter(|arena| arena.workload == WORKLOAD && arena.mode == Mode::Capacity);
    arenas.flat_map(of_arena).collect()
}

fn of_arena(arena: &ArenaRecord) -> Vec<File> {
    let mut files = Vec::new();
    for (index, entrant) in arena.entrants.iter().enumerate() {
        let failed = entrant
            .fault
            .as_ref()
            .is_some_and(|fault| fault.kind != FaultKind::NotSteady);
        let mut levels: BTreeMap<u32, Vec<&SliceRecord>> = BTreeMap::new();
        let counted = arena
            .slices
            .iter()
            .filter(|slice| slice.phase != Phase::WarmUp && slice.entrant == index);
        for slice in counted.filter(|_| !failed) {
            levels
                .entry(slice.reading.load.connections)
                .or_default()
                .push(slice);
        }
        files.extend(levels.into_iter().filter_map(|(connections, slices)| {
            let value = measurement(arena, entrant, connections, &slices)?;
            Some(File {
                path: format!("{}/{connections}/{}.json", arena.case, entrant.id),
                text: format!("{value:#}\n"),
            })
        }));
    }
    files
}

fn measurement(
    arena: &ArenaRecord,
    entrant: &EntrantRecord,
    connections: u32,
    slices: &[&SliceRecord],
) -> Option<Value> {
    let mut latencies = Histogram::new();
    slices
        .iter()
        .for_each(|slice| latencies.merge(&slice.reading.load.latency));
    let sum = |of: fn(&SliceRecord) -> f64| slices.iter().map(|slice| of(slice)).sum::<f64>();
    let wall = sum(|slice| slice.reading.load.wall.0);
    let answers: u64 = slices.iter().map(|slice| slice.reading.load.answers).sum();
    let valid: u64 = slices.iter().map(|slice| slice.reading.load.requests.valid).sum();
    let peak = slices
        .iter()
        .map(|slice| slice.reading.host.memory_peak.0)
        .max()?;
    let (cpu, thawed) = (
        sum(|slice| slice.reading.host.cpu.0),
        sum(|slice| slice.reading.host.thawed.0),
    );
    let busy = (thawed > 0.0).then(|| format!("{:.1}%", cpu / thawed * 100.0));
    let received = sum(|slice| slice.reading.load.bytes_in.0 as f64);
    Some(json!({
        "framework": entrant.id.to_string(),
        "language": entrant.subject.language(),
        "rps": (answers as f64 / wall) as u64,
        "avg_latency": time(latencies.mean()?),
        "p99_latency": time(latencies.quantile(0.99)? as f64),
        "cpu": busy,
        "memory": format!("{}MiB", peak >> 20),
        "connections": connections,
        "threads": arena.placement.load.len(),
        "duration": format!("{wall:.1}s"),
        "pipeline": depth(&arena.driving),
        "bandwidth": format!("{:.2}MB/s", received / wall / 1e6),
        "status_2xx": valid,
    }))
}

fn depth(driving: &Driving) -> u32 {
    match driving {
        Driving::Load(load) => load.depth,
        _ => 1,
    }
}

/// Nanoseconds as its load generator prints times.
fn time(nanos: f64) -> String {
    match nanos / 1e3 {
        micros if micros < 1e3 => format!("{micros:.0}us"),
        micros if micros < 1e6 => format!("{:.2}ms", micros / 1e3),
        micros => format!("{:.2}s", micros / 1e6),
    }
}
