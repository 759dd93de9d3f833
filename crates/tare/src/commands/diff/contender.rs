//! Two revisions of a contender of the lab, side by side in launches.

use tare_analysis as analysis;
use tare_host::revisions::Repository;
use tare_model::ids::ContenderId;
use tare_model::results::State;
use tare_model::settings::{RunKind, Settings};
use tare_prepare::Request;
use tare_prepare::revisions::{Side, TwoRevisions, contender_at, sides};
use tare_prepare::suites;

use crate::args::{DiffArgs, FolderWord, Named};
use crate::commands::run::{self, Measured, Run};
use crate::context::Context;
use crate::failure::{self, Failure};
use crate::supervise::{self, Supervised};

/// Runs it; the exit status.
pub fn run(context: &Context, args: &DiffArgs, name: &str) -> Result<u8, Failure> {
    let (supervised, sides, found) = match name.parse() {
        Ok(Named::Folder(folder)) => of_folder(context, args, &folder)?,
        _ => of_lab(context, args, name)?,
    };
    let supervision = &supervised.supervision;
    let request = Request {
        baseline: Some(found.baseline),
        ..args.request()
    };
    let settings = Settings {
        revisions: Some(super::revisions(&sides)),
        ..run::settings(&request, RunKind::Diff, &found.cases, None)?
    };
    let run = Run {
        request: &request,
        settings,
        prior: &[],
    };
    let Measured { record, outcome, .. } = run.measure(context, &supervised, found.cases, None)?;
    let results = analysis::results(&record);
    super::tell(context, args, &results, &super::about(name.to_owned(), &sides))?;
    run::page(context, args.out.as_deref(), supervision, &results)?;
    let status = run::status(&outcome, &results, &args.fail_if);
    let mut contenders = results.workloads.iter().flat_map(|workload| &workload.contenders);
    let whole = contenders.all(|contender| contender.state == State::Measured);
    // That a tool is missing is no fault of a run, but here it means that nothing was compared.
    Ok(if status == 0 && !whole {
        failure::OUTSIDE
    } else {
        status
    })
}

/// What is measured: the lab, the revisions, and the contender at both.
type Found<'c> = (Supervised<'c>, [Side; 2], TwoRevisions);

/// A contender of the lab.
fn of_lab<'c>(context: &'c Context, args: &DiffArgs, name: &str) -> Result<Found<'c>, Failure> {
    let (workload, id) = parse(name)?;
    let supervised = supervise::lab(context)?;
    let lab = &supervised.lab;
    let repository = Repository::of(&lab.folder).map_err(Failure::usage)?;
    let sides = sides(
        &args.revisions,
        &repository,
        &supervised.supervision.state,
        context,
    )?;
    let within = lab.folder.strip_prefix(repository.root());
    let within = within.unwrap_or("".as_ref());
    let found = contender_at(&sides, within, (&workload, &id), &args.case)?;
    Ok((supervised, sides, found))
}

/// An implementation of another suite's checkout.
fn of_folder<'c>(context: &'c Context, args: &DiffArgs, word: &FolderWord) -> Result<Found<'c>, Failure> {
    let foreign = word.foreign();
    let no_folder = |error| Failure::usage(format!("{}: {error}", foreign.folder.display()));
    let folder = foreign.folder.canonicalize().map_err(no_folder)?;
    let repository = Repository::of(&folder).map_err(Failure::usage)?;
    let root = repository.root().canonicalize().map_err(no_folder)?;
    let supervised = supervise::without_lab(context)?;
    let own = &supervised.supervision.state;
    let sides = sides(&args.revisions, &repository, own, context)?;
    let within = folder.strip_prefix(&root).unwrap_or("".as_ref());
    let found = suites::at_both(&sides, within, &foreign, &args.case, own)?;
    Ok((supervised, sides, found))
}

fn parse(name: &str) -> Result<(String, ContenderId), Failure> {
    let (workload, contender) = name.split_once('/').ok_or_else(|| {
        Failure::usage(format!("`{name}` is not a contender"))
            .hint("expected WORKLOAD/CONTENDER; for a command: -- COMMAND …")
    })?;
    Ok((workload.to_owned(), contender.parse().map_err(Failure::usage)?))
}
