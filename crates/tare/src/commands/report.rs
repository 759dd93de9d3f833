//! `tare report`: a stored run in any format.

use std::path::{Path, PathBuf};

use tare_model::record::RunRecord;
use tare_model::results::Results;
use tare_report::{csv, html, json, markdown, slices, svg, terminal, tfb};
use tare_store::Store;

use crate::args::{Format, ReportArgs};
use crate::commands::bench::short;
use crate::context::{self, Context};
use crate::explaining;
use crate::failure::Failure;

/// Runs it; the exit status.
pub fn run(context: &Context, args: &ReportArgs) -> Result<u8, Failure> {
    let state = context.kept()?;
    let store = Store::open_existing(state.join("results.sqlite")).map_err(Failure::outside)?;
    let mut record = store.run(&args.run).map_err(Failure::usage)?;
    for other in &args.beside {
        beside(context, &mut record, &store.run(other).map_err(Failure::usage)?)?;
    }
    let record = record;
    let results = explaining::results(&store, &record)?;
    let reports = state.join("reports");
    let id = record.info.id.clone();
    match context.common.format {
        Format::Svg => pictures(
            context,
            &results,
            args.out.clone().unwrap_or_else(|| reports.join(id)),
        )?,
        Format::Html => {
            let path = args
                .out
                .clone()
                .unwrap_or_else(|| reports.join(format!("{id}.html")));
            context::write(&path, html::render(&results).as_bytes())?;
            context.say(format!("report: {}", short(&path)));
        }
        other => text(&rendered(context, &record, &results, other)?, args.out.as_deref())?,
    }
    Ok(0)
}

/// Puts an imported run's figures beside those of this one.
fn beside(context: &Context, record: &mut RunRecord, other: &RunRecord) -> Result<(), Failure> {
    if other.info.imported.is_none() {
        let text = format!("the run {} was measured here, not imported", other.info.id);
        return Err(Failure::usage(text).hint("`--beside` takes what `tare import` has read"));
    }
    if tfb::beside(record, other) == 0 {
        context.say(format!(
            "nothing of {} fits: figures are put beside cases that are named as its tests (json, plaintext, db …), in mode \
             capacity, at contenders that are named as its frameworks",
            other.info.id
        ));
    }
    Ok(())
}

fn rendered(
    context: &Context,
    record: &RunRecord,
    results: &Results,
    format: Format,
) -> Result<String, Failure> {
    Ok(match format {
        Format::Tfb => tfb::render(record).ok_or_else(|| {
            Failure::usage(format!(
                "no case of run {} is a test of FrameworkBenchmarks in mode capacity",
                record.info.id
            ))
            .hint("tests go by the names of cases: json, plaintext, db, fortune, query, update, cached-query")
        })?,
        Format::Slices => slices::render(record),
        Format::Json => json::render(results),
        Format::Md => markdown::render(results),
        Format::Csv => csv::render(results),
        Format::Html | Format::Svg | Format::Text => terminal::render(results, context.terminal()),
    })
}

fn text(text: &str, out: Option<&Path>) -> Result<(), Failure> {
    match out {
        Some(path) => context::write(path, text.as_bytes()),
        None => context::put(text),
    }
}

fn pictures(context: &Context, results: &Results, folder: PathBuf) -> Result<(), Failure> {
    for file in svg::files(results) {
        let path = folder.join(&file.name);
        context::write(&path, file.text.as_bytes())?;
        context.say(format!("chart: {}", short(&path)));
    }
    Ok(())
}
