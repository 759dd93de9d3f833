//! `tare show`: how a workload, a contender or a service resolves, or a stored run.

use clap::Args;
use tare_model::ids::ContenderId;
use tare_model::manifest::{Contender, render};
use tare_report::{json, terminal};

use crate::context::{self, Context};
use crate::explaining;
use crate::failure::Failure;

/// Show how a workload, a contender or a service resolves, and where each value comes from; or a stored run
#[derive(Debug, Clone, Args)]
pub struct ShowArgs {
    /// A workload, a contender of one, a service, or a run's id (`latest`, or its beginning)
    #[arg(value_name = "WORKLOAD[/CONTENDER] | services/SERVICE | RUN")]
    pub what: String,
}

/// Runs it; the exit status.
pub fn run(context: &Context, args: &ShowArgs) -> Result<u8, Failure> {
    if is_run(&args.what) {
        return show_run(context, &args.what);
    }
    match args.what.split_once('/') {
        Some(("services", service)) => show_service(context, service),
        Some((workload, contender)) => show_contender(context, workload, contender),
        None => show_workload(context, &args.what),
    }
}

/// Runs begin with the year, workloads with a letter.
fn is_run(what: &str) -> bool {
    what == "latest" || what.starts_with(|c: char| c.is_ascii_digit())
}

fn show_run(context: &Context, which: &str) -> Result<u8, Failure> {
    let store = context.store()?;
    let results = explaining::results(&store, &store.run(which).map_err(Failure::usage)?)?;
    if context.json() {
        context::put(&json::render(&results))?
    } else {
        context::put(&terminal::render(&results, context.terminal()))?
    }
    Ok(0)
}

fn show_workload(context: &Context, name: &str) -> Result<u8, Failure> {
    let (workload, sources) = context
        .lab()?
        .workload_with_sources(name)
        .map_err(Failure::usage)?;
    context::put(&render::workload(&workload, &sources))?;
    Ok(0)
}

fn show_service(context: &Context, name: &str) -> Result<u8, Failure> {
    let (service, sources) = context
        .lab()?
        .service_with_sources(name)
        .map_err(Failure::usage)?;
    context::put(&render::service(&service, &sources))?;
    Ok(0)
}

fn show_contender(context: &Context, workload: &str, contender: &str) -> Result<u8, Failure> {
    let id: ContenderId = contender.parse().map_err(Failure::usage)?;
    let lab = context.lab()?;
    let workload = lab.workload(workload).map_err(Failure::usage)?;
    // A contender with variants has no plain id: its name stands for all of them.
    let all: Result<Vec<Contender>, _> = lab.contenders(&workload).into_iter().collect();
    let all = all.map_err(Failure::usage)?;
    let mut shown: Vec<String> = all
        .iter()
        .filter(|contender| contender.id == id || (id.variant.is_none() && contender.id.name == id.name))
        .map(render::contender)
        .collect();
    if shown.is_empty() {
        shown.push(render::contender(
            &lab.contender(&workload, &id).map_err(Failure::usage)?,
        ));
    }
    context::put(&shown.join("\n"))?;
    Ok(0)
}
