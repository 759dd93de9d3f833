//! `tare bench`: the benchmarks that a project has, at two revisions or one.

mod listed;
mod outcome;
mod plan;

use std::path::{Path, PathBuf};

use tare_host::groups::Backing;
use tare_host::revisions::Repository;
use tare_model::settings::{RunKind, Settings};
use tare_prepare::Supervision;
use tare_prepare::bench::{BenchJob, BenchPlaces};
use tare_prepare::commands::machine;
use tare_report::{comment, markdown};

pub use crate::args::BenchArgs;
use crate::context::{self, Context};
use crate::failure::Failure;
use crate::measure::{self, Measurement};
use crate::supervise;

/// Runs it; the exit status.
pub fn run(context: &Context, args: &BenchArgs) -> Result<u8, Failure> {
    if !context.text_or_json() && !context.asked_for(&markdown::FORMAT) {
        return Err(Failure::usage("`tare bench` prints text, json or md")
            .hint("other formats: `tare report --format …` of the run"));
    }
    let ran = bench(context, args);
    if let (Err(failure), Some(path)) = (&ran, &args.comment) {
        let asked = args.revisions.as_deref().unwrap_or("programs that were given");
        let comment = comment::benchmarks_failed("benchmarks", asked, &failure.to_string());
        // If the comment cannot be written either, the failure itself is the one to report.
        let _ = context::write(path, comment.as_bytes());
    }
    ran
}

fn bench(context: &Context, args: &BenchArgs) -> Result<u8, Failure> {
    let request = args.request()?;
    let here =
        std::env::current_dir().map_err(|error| Failure::outside(format!("no current folder: {error}")))?;
    let held = supervise::begin(context, context.kept()?, Some(Backing::Plain))?;
    let own = own(context, &held, &here);
    let places = BenchPlaces {
        here: &here,
        own: &own,
    };
    let mut job = BenchJob::new(request, places, &held, context)?;
    if args.list {
        return listed::tell(context, &job);
    }
    let (plan, mut rig) = job.plan(context)?;
    if args.plan {
        return plan::tell(context, &plan, &mut rig, job.remarks());
    }
    let settings = Settings {
        kind: RunKind::Bench,
        ..job.settings()
    };
    let new_run = measure::new_run(machine(&held.grouping), settings);
    let measurement = Measurement {
        plan: &plan,
        rig: &mut rig,
        lab: tare_lab::passes,
        remarks: job.remarks(),
    };
    let (record, outcome) = measurement.make(context, &held.state, &new_run, |_| Vec::new())?;
    outcome::tell(context, args, &tare_analysis::results(&record), &outcome)
}

/// Results go where `tare report` looks for them; trees and builds belong to the repository, if there is one.
fn own(context: &Context, held: &Supervision, here: &Path) -> PathBuf {
    match (&context.common.directory, Repository::of(here)) {
        (None, Ok(repository)) => repository.root().join(".tare"),
        _ => held.state.clone(),
    }
}
