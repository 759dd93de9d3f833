//! `tare import`: another suite's results, kept as an imported run; or what of its checkout can run here.

mod checkout;
mod folder;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use tare_model::metric::Mode;
use tare_model::record::{ArenaRecord, RunRecord};
use tare_model::settings::{RunKind, Settings};
use tare_prepare::bench;
use tare_report::foreign::{BadFile, LONGEST};
use tare_report::httparena::FileOf;
use tare_report::{httparena, tfb, words};
use tare_store::{NewRun, Store, StoreError};

use crate::clock;
use crate::context::{self, Context};
use crate::failure::Failure;

/// Read results of another suite into the store: a results.json of FrameworkBenchmarks, results of HttpArena, or what a benchmark
/// harness printed; or list what of a checkout of FrameworkBenchmarks or HttpArena can run here
#[derive(Debug, Clone, Args)]
pub struct ImportArgs {
    /// A results.json of FrameworkBenchmarks; a file or a folder of HttpArena's results; a file that a benchmark harness wrote, or
    /// the text that it printed (all that `tare bench` knows). Or the folder of a checkout, or one in it, which is only read
    #[arg(value_name = "FILE|DIR")]
    pub file: PathBuf,
    /// Of a checkout: the files of this revision, instead of those that are there
    #[arg(long, value_name = "REV")]
    pub rev: Option<String>,
}

/// Runs it; the exit status.
pub fn run(context: &Context, args: &ImportArgs) -> Result<u8, Failure> {
    let path = &args.file;
    if path.is_dir() {
        let no_checkout = match checkout::run(context, path, args.rev.as_deref()) {
            Err(failure) if args.rev.is_none() => failure,
            done => return done,
        };
        let record = folder::read(path)?.ok_or(no_checkout)?;
        refuse_other_formats(context)?;
        return import(context, &record);
    }
    if args.rev.is_some() {
        return Err(
            Failure::usage("--rev is for the checkout of a suite, and this is no folder")
                .hint("`tare import FrameworkBenchmarks --rev HEAD`"),
        );
    }
    refuse_other_formats(context)?;
    import(context, &read(context, path, &bytes(path)?)?)
}

fn refuse_other_formats(context: &Context) -> Result<(), Failure> {
    match context.text_or_json() {
        true => Ok(()),
        false => Err(Failure::usage("`tare import` of results prints text or json")),
    }
}

/// Stores what was read, and says what it is.
fn import(context: &Context, record: &RunRecord) -> Result<u8, Failure> {
    let store = Store::open(context.kept()?.join("results.sqlite")).map_err(Failure::outside)?;
    let id = keep(&store, record).map_err(Failure::outside)?;
    if context.json() {
        context::put(&format!("{:#}\n", document(&id, record)))?
    } else {
        context::put(&format!("{id}\n"))?;
        context.say(told(&id, record));
    }
    Ok(0)
}

fn now() -> i64 {
    clock::now().as_secs() as i64
}

/// What a file holds: figures of a suite, or samples of a benchmark harness.
fn read(context: &Context, path: &Path, bytes: &[u8]) -> Result<RunRecord, Failure> {
    let within = |bad: BadFile, hint: &str| -> Result<BadFile, Failure> {
        match bad.at.is_empty() {
            true => Ok(bad),
            // It is such a file, up to some place in it.
            false => Err(Failure::usage(format!("{}: {bad}", path.display())).hint(hint)),
        }
    };
    let frameworks = match tfb::read(bytes) {
        Ok(record) => return Ok(record),
        Err(bad) => within(
            bad,
            "as the suite's toolset writes it, and `tare report --format tfb`",
        )?,
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let arena = match httparena::read(&[FileOf { path, bytes }], &name, now()) {
        Ok(record) => return Ok(record),
        Err(bad) => within(
            bad,
            "as the suite's scripts write it, and `tare report --format httparena`",
        )?,
    };
    samples(context, path, bytes, &[frameworks, arena])
}

/// The samples of a benchmark harness. `unfit`: why it is no file of either suite.
fn samples(context: &Context, path: &Path, bytes: &[u8], unfit: &[BadFile; 2]) -> Result<RunRecord, Failure> {
    let imported = bench::imported(path, bytes, now()).map_err(|refused| {
        let [frameworks, arena] = unfit;
        let text = format!(
            "{}: it is no results.json of FrameworkBenchmarks ({frameworks}), no result of HttpArena ({arena}); as a file of a \
             benchmark harness, {}",
            path.display(),
            refused.found
        );
        Failure::usage(text).hint(refused.hint)
    })?;
    for remark in &imported.remarks {
        context.say(format!("note: {remark}"));
    }
    Ok(imported.record)
}

fn document(id: &str, record: &RunRecord) -> serde_json::Value {
    let tests: Vec<&str> = record.arenas.iter().map(|arena| arena.case.as_str()).collect();
    serde_json::json!({ "run": id, "imported": record.info.imported, "tests": tests, "figures": figures(record) })
}

/// What was imported, and what to do with it.
fn told(id: &str, record: &RunRecord) -> String {
    let benchmarks = record.arenas.iter().filter(|arena| arena.mode == Mode::Benchmark);
    match benchmarks.count() {
        0 => {
            let tests: Vec<&str> = record.arenas.iter().map(|arena| arena.case.as_str()).collect();
            format!(
                "imported {} figures of {}; `tare report {id}` shows them, `tare report RUN --beside {id}` beside a run's",
                figures(record),
                tests.join(", ")
            )
        }
        count => format!(
            "imported {}, {} in all; `tare report {id}` describes them, without verdicts: they were not measured in \
             interleaved rounds (`tare bench REV` does that)",
            words::counted(count as u64, "benchmark"),
            words::counted(figures(record) as u64, "sample")
        ),
    }
}

/// Published figures, or samples.
fn figures(record: &RunRecord) -> usize {
    let of = |arena: &ArenaRecord| arena.published.len() + arena.slices.len();
    record.arenas.iter().map(of).sum()
}

/// The file, or the beginning of one that is too long, which is then refused.
fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |error: std::io::Error| {
        Failure::usage(format!("cannot read {}: {error}", path.display())).hint(
            "name a results.json of FrameworkBenchmarks, a harness's file of samples, or a suite's checkout",
        )
    };
    let file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(LONGEST as u64 + 1)
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
