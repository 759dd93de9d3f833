//! `tare import`: another suite's results, kept as an imported run.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use tare_model::record::RunRecord;
use tare_model::settings::{RunKind, Settings};
use tare_report::tfb;
use tare_store::{NewRun, Store, StoreError};

use crate::context::{self, Context};
use crate::failure::Failure;

/// Read a results.json of FrameworkBenchmarks into the store, to show its figures beside others
#[derive(Debug, Clone, Args)]
pub struct ImportArgs {
    /// A results.json of FrameworkBenchmarks
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// Runs it; the exit status.
pub fn run(context: &Context, args: &ImportArgs) -> Result<u8, Failure> {
    let path = &args.file;
    let record = tfb::read(&bytes(path)?).map_err(|error| {
        Failure::usage(format!("{}: {error}", path.display())).hint(
            "what can be imported is the results.json of FrameworkBenchmarks, as its toolset writes it and \
             `tare report --format tfb` does",
        )
    })?;
    let store = Store::open(context.state()?.join("results.sqlite")).map_err(Failure::outside)?;
    let id = keep(&store, &record).map_err(Failure::outside)?;
    let figures: usize = record.arenas.iter().map(|arena| arena.published.len()).sum();
    let tests: Vec<&str> = record.arenas.iter().map(|arena| arena.case.as_str()).collect();
    if context.json() {
        context::put(&format!(
            "{:#}\n",
            serde_json::json!({ "run": id, "imported": record.info.imported, "tests": tests, "figures": figures })
        ))?
    } else {
        context::put(&format!("{id}\n"))?;
        context.say(format!(
                "imported {figures} figures of {}; `tare report {id}` shows them, `tare report RUN --beside {id}` beside a \
                 run's",
                tests.join(", ")
            ));
    }
    Ok(0)
}

/// The file, or the beginning of one that is too long, which is then refused.
fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |error: std::io::Error| Failure::usage(format!("cannot read {}: {error}", path.display()));
    let file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(tfb::LONGEST as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    Ok(bytes)
}

fn keep(store: &Store, record: &RunRecord) -> Result<String, StoreError> {
    let info = &record.info;
    let mut writer = store.begin_run(&NewRun {
        started: info.started,
        tare: env!("CARGO_PKG_VERSION").to_owned(),
        imported: info.imported.clone(),
        machine: info.machine.clone(),
        settings: Settings {
            kind: RunKind::Import,
            ..Settings::default()
        },
    })?;
    for arena in &record.arenas {
        writer.arena(arena)?;
    }
    let id = writer.id().to_owned();
    writer.finish(info.took, info.complete, &[])?;
    Ok(id)
}
