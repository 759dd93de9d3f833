//! `tare report`: a stored run in any format.

use std::path::PathBuf;

use clap::Args;
use tare_model::record::RunRecord;
use tare_report::format::{Output, Source, Unfit};
use tare_report::{httparena, tfb};

use crate::context::{self, Context, short};
use crate::explaining;
use crate::failure::Failure;
use crate::pooled;

/// Write the report of a stored run
#[derive(Debug, Clone, Args)]
pub struct ReportArgs {
    /// The run's id, or its beginning; runs of several machines, joined by +, are taken together as one
    #[arg(value_name = "RUN", default_value = "latest")]
    pub run: String,
    /// An imported run whose figures are shown beside this one's
    #[arg(long, value_name = "RUN", value_delimiter = ',')]
    pub beside: Vec<String>,
    /// Take runs together whose machines or tools differ
    #[arg(long)]
    pub unlike: bool,
    /// Where to write it (svg: a folder) [default: standard output; html and svg: .tare/reports/]
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
}

/// Runs it; the exit status.
pub fn run(context: &Context, args: &ReportArgs) -> Result<u8, Failure> {
    let state = context.kept()?;
    let store = context.store()?;
    let mut record = pooled::run(&store, &args.run, args.unlike)?;
    for other in &args.beside {
        beside(context, &mut record, &store.run(other).map_err(Failure::usage)?)?;
    }
    let record = record;
    let results = explaining::results(&store, &record)?;
    let source = Source {
        record: &record,
        results: &results,
        terminal: context.terminal(),
    };
    let format = context.common.format;
    let unfit = |unfit: Unfit| Failure::usage(unfit.why).hint(unfit.hint);
    let output = (format.render)(&source).map_err(unfit)?;
    let (reports, id) = (state.join("reports"), &record.info.id);
    match (output, &args.out) {
        (Output::Text(text), None) => context::put(&text)?,
        (Output::Text(text), Some(path)) => context::write(path, text.as_bytes())?,
        (Output::Document(text), out) => {
            let own = || reports.join(format!("{id}.{}", format.name));
            let path = out.clone().unwrap_or_else(own);
            context::write(&path, text.as_bytes())?;
            context.say(format!("report: {}", short(&path)));
        }
        (Output::Files(files), out) => {
            let folder = out.clone().unwrap_or_else(|| reports.join(id));
            for file in files {
                let path = folder.join(&file.path);
                context::write(&path, file.text.as_bytes())?;
                context.say(format!("chart: {}", short(&path)));
            }
        }
    }
    Ok(0)
}

/// Puts an imported run's figures beside those of this one.
fn beside(context: &Context, record: &mut RunRecord, other: &RunRecord) -> Result<(), Failure> {
    if other.info.imported.is_none() {
        let text = format!("the run {} was measured here, not imported", other.info.id);
        return Err(Failure::usage(text).hint("`--beside` takes what `tare import` has read"));
    }
    if tfb::beside(record, other) + httparena::beside(record, other) == 0 {
        context.say(format!(
            "nothing of {} fits: figures are put beside cases that are named as its tests (json, plaintext, db …) or profiles, in \
             mode capacity, at contenders that are named as its frameworks",
            other.info.id
        ));
    }
    Ok(())
}
