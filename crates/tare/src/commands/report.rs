//! `tare report`: a stored run in any format.

use std::path::{Path, PathBuf};

use tare_lab::analysis;
use tare_model::record::RunRecord;
use tare_report::{csv, html, json, markdown, slices, svg, terminal};
use tare_store::Store;

use crate::args::{Format, ReportArgs};
use crate::commands::bench::short;
use crate::context::{self, Context};
use crate::failure::Failure;

/// Runs it; the exit status.
pub fn run(context: &Context, args: &ReportArgs) -> Result<u8, Failure> {
    let state = context.kept()?;
    let store = Store::open_existing(state.join("results.sqlite")).map_err(Failure::outside)?;
    let record = store.run(&args.run).map_err(Failure::usage)?;
    let reports = state.join("reports");
    let id = record.info.id.clone();
    match context.common.format {
        Format::Svg => pictures(
            context,
            &record,
            args.out.clone().unwrap_or_else(|| reports.join(id)),
        )?,
        Format::Html => {
            let path = args
                .out
                .clone()
                .unwrap_or_else(|| reports.join(format!("{id}.html")));
            context::write(&path, html::render(&analysis::results(&record)).as_bytes())?;
            context.say(format!("report: {}", short(&path)));
        }
        other => text(&rendered(context, &record, other), args.out.as_deref())?,
    }
    Ok(0)
}

fn rendered(context: &Context, record: &RunRecord, format: Format) -> String {
    match format {
        Format::Slices => slices::render(record),
        Format::Json => json::render(&analysis::results(record)),
        Format::Md => markdown::render(&analysis::results(record)),
        Format::Csv => csv::render(&analysis::results(record)),
        Format::Html | Format::Svg | Format::Text => {
            terminal::render(&analysis::results(record), context.terminal())
        }
    }
}

fn text(text: &str, out: Option<&Path>) -> Result<(), Failure> {
    match out {
        Some(path) => context::write(path, text.as_bytes()),
        None => context::put(text),
    }
}

fn pictures(context: &Context, record: &RunRecord, folder: PathBuf) -> Result<(), Failure> {
    for file in svg::files(&analysis::results(record)) {
        let path = folder.join(&file.name);
        context::write(&path, file.text.as_bytes())?;
        context.say(format!("chart: {}", short(&path)));
    }
    Ok(())
}
