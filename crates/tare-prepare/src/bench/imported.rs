//! A file that a harness wrote, as an imported run: samples without rounds, which are described and never judged.

use std::path::Path;

use tare_harness::{Refused, Stored, StoredBenchmark, stored};
use tare_model::benchmark::AFTER;
use tare_model::driving::Driving;
use tare_model::figure::{Figure, Quantity};
use tare_model::ids::ContenderId;
use tare_model::measure::{LoadReading, SliceReading};
use tare_model::metric::{Metric, Mode};
use tare_model::placement::Placement;
use tare_model::record::{ArenaRecord, EntrantRecord, LaunchRecord, Phase, RunRecord, SliceRecord};
use tare_model::results::RunInfo;
use tare_model::subject::Subject;
use tare_model::units::Seconds;

/// An imported run.
#[derive(Debug)]
pub struct Imported {
    /// The run. The store gives it its id.
    pub record: RunRecord,
    /// What is not in it, and why.
    pub remarks: Vec<String>,
}

/// Reads a file. `now`: in seconds since 1970 (UTC), since most of these files do not say when they were made.
///
/// # Errors
/// It is no file of a harness, or has no benchmark.
pub fn imported(path: &Path, bytes: &[u8], now: i64) -> Result<Imported, Refused> {
    let found = stored(path, bytes)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let info = RunInfo {
        started: now,
        complete: true,
        imported: Some(format!("{name}, of {}", found.harness)),
        ..RunInfo::default()
    };
    let arenas = found.benchmarks.iter().map(|one| arena(&found, one)).collect();
    let remark = |out: &tare_harness::LeftOut| format!("{}: left out: {}", out.what, out.why);
    Ok(Imported {
        record: RunRecord { info, arenas },
        remarks: found.left_out.iter().map(remark).collect(),
    })
}

fn arena(of: &Stored, benchmark: &StoredBenchmark) -> ArenaRecord {
    let subject = Subject::Benchmark {
        harness: of.harness.to_owned(),
        program: benchmark.program.clone(),
        source: None,
    };
    let entrant = EntrantRecord {
        id: ContenderId::plain(AFTER),
        summary: String::new(),
        subject,
        fault: None,
        fault_launch: None,
    };
    let slices = benchmark.samples.iter().enumerate();
    ArenaRecord {
        workload: benchmark.program.clone(),
        summary: format!("Benchmarks of {}", of.harness),
        case: benchmark.name.clone(),
        case_summary: String::new(),
        sweep: None,
        size: None,
        mode: Mode::Benchmark,
        driving: Driving::Unknown,
        placement: Placement::default(),
        primary: Metric::TimePerOp,
        floor: None,
        baseline: None,
        // Nothing is judged by these.
        margin: 0.01,
        alpha: 0.05,
        published: Vec::new(),
        claims: Vec::new(),
        entrants: vec![entrant],
        launches: vec![LaunchRecord {
            number: 0,
            node: 0,
            began: Seconds(0.0),
            steady: Vec::new(),
        }],
        slices: slices
            .map(|(index, figures)| slice(index as u32, figures))
            .collect(),
    }
}

fn slice(round: u32, figures: &[Figure]) -> SliceRecord {
    let mut times = figures.iter().filter(|figure| figure.quantity == Quantity::Time);
    let load = LoadReading {
        answers: 1,
        wall: Seconds(times.next().map_or(0.0, |figure| figure.value)),
        ..LoadReading::default()
    };
    SliceRecord {
        phase: Phase::Round,
        launch: 0,
        round,
        place: 0,
        entrant: 0,
        reading: SliceReading {
            load,
            figures: figures.to_vec(),
            ..SliceReading::default()
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_go_becomes_samples_of_one_launch() {
        let text = b"pkg: example.org/rank\nBenchmarkRank-2 10 12.5 ns/op 1 allocs/op\nBenchmarkRank-2 10 13 ns/op 1 allocs/op\n";
        let found = imported(Path::new("somewhere/old.txt"), text, 7).unwrap();
        let record = &found.record;
        assert_eq!(record.info.imported.as_deref(), Some("old.txt, of go"));
        let [arena] = record.arenas.as_slice() else {
            panic!("{record:?}")
        };
        assert_eq!(
            (arena.workload.as_str(), arena.case.as_str()),
            ("example.org/rank", "BenchmarkRank")
        );
        assert_eq!(
            (arena.entrants.len(), arena.launches.len(), arena.slices.len()),
            (1, 1, 2)
        );
        let value = arena.slices[0].reading.value(Metric::TimePerOp).unwrap();
        assert!((value - 12.5e-9).abs() < 1e-15);
    }
}
