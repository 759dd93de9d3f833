//! Two revisions of a contender of the lab, side by side in launches.

use std::cell::Cell;

use tare_analysis as analysis;
use tare_host::revisions::Repository;
use tare_model::ids::ContenderId;
use tare_model::manifest::{Case, Contender, Lab, Service, Workload};
use tare_model::results::State;
use tare_model::settings::{Kind, Settings};

use super::Side;
use crate::args::{Choice, DiffArgs, RunArgs};
use crate::commands::bench::Bench;
use crate::commands::run;
use crate::context::Context;
use crate::failure::{self, Failure};
use crate::prepare::{self, Chosen};
use crate::values::Span;

/// A contender at a revision.
struct Found {
    workload: Workload,
    contender: Contender,
    lab: Lab,
}

/// Runs it; the exit status.
pub fn run(context: &Context, args: &DiffArgs, name: &str) -> Result<u8, Failure> {
    let (workload, id) = parse(name)?;
    let bench = Bench::open(context)?;
    let repository = Repository::of(&bench.lab.folder).map_err(Failure::usage)?;
    let sides = super::sides(context, &args.revisions, &repository, &bench.state)?;
    let within = bench
        .lab
        .folder
        .strip_prefix(repository.root())
        .unwrap_or("".as_ref())
        .to_owned();
    let find = |side: &Side| found(side, &Lab::new(side.tree.join(&within)), &workload, &id);
    let [before, after] = &sides;
    let found = [find(before)?, find(after)?];
    let chosen = chosen(args, &found)?;
    let about = super::about(name.to_owned(), &sides);
    let whole = Cell::new(true);
    let tell = |record: &tare_model::record::RunRecord| {
        let results = analysis::results(record);
        super::tell(context, args, &results, &about)?;
        run::page(context, args.out.as_deref(), &bench, &results)?;
        let contenders = results.workloads.iter().flat_map(|workload| &workload.contenders);
        whole.set(
            contenders
                .into_iter()
                .all(|contender| contender.state == State::Measured),
        );
        Ok(results)
    };
    let run_args = run_args(args, &id);
    let settings = Settings {
        revisions: Some(super::revisions(&sides)),
        ..run::settings(&run_args, Kind::Diff, &chosen, None)?
    };
    let status = run::go(context, &run_args, &bench, chosen, (settings, &[]), &tell)?;
    // A side that was left out for want of a tool is no fault of a run, but nothing was compared.
    Ok(if status == 0 && !whole.get() {
        failure::OUTSIDE
    } else {
        status
    })
}

fn parse(name: &str) -> Result<(String, ContenderId), Failure> {
    let (workload, contender) = name.split_once('/').ok_or_else(|| {
        Failure::usage(format!("`{name}` is no contender"))
            .hint("expected WORKLOAD/CONTENDER; for a command: -- COMMAND …")
    })?;
    Ok((workload.to_owned(), contender.parse().map_err(Failure::usage)?))
}

/// The contender as it is at a revision, under the name of its side.
fn found(side: &Side, lab: &Lab, workload: &str, id: &ContenderId) -> Result<Found, Failure> {
    let failed = |error: tare_model::manifest::ManifestError| {
        Failure::usage(format!("{} ({}): {error}", side.name, side.revision.describe()))
    };
    let workload = lab.workload(workload).map_err(failed)?;
    let mut contender = lab.contender(&workload, id).map_err(failed)?;
    contender.summary = side.revision.describe();
    contender.id = named(id, side.name);
    // The build takes these from the lab's folder; an absolute path stays what it is.
    for path in &mut contender.with {
        *path = lab.folder.join(&path).display().to_string();
    }
    Ok(Found {
        workload,
        contender,
        lab: lab.clone(),
    })
}

/// `go` is `go@before`, `haskell@all` is `haskell-all@before`.
fn named(id: &ContenderId, side: &str) -> ContenderId {
    let name = match &id.variant {
        Some(variant) => format!("{}-{variant}", id.name),
        None => id.name.clone(),
    };
    ContenderId::variant(&name, side)
}

/// The cases that both sides take part in, as the later revision has them: what is asked of both must be the same.
fn chosen(args: &DiffArgs, found: &[Found; 2]) -> Result<Vec<Chosen>, Failure> {
    let [before, after] = found;
    let takes_part = |case: &&Case| {
        let in_both = found
            .iter()
            .all(|found| found.contender.cases.contains(&case.name));
        in_both && (args.case.is_empty() || args.case.contains(&case.name))
    };
    let cases: Vec<Case> = after.workload.cases.iter().filter(takes_part).cloned().collect();
    if cases.is_empty() {
        let names: Vec<&str> = after
            .workload
            .cases
            .iter()
            .map(|case| case.name.as_str())
            .collect();
        return Err(Failure::usage("there is no case that both sides take part in")
            .hint(format!("the workload's cases are {}", names.join(", "))));
    }
    let contenders = vec![before.contender.clone(), after.contender.clone()];
    let fronts = prepare::fronts(&after.lab, &contenders).map_err(Failure::usage)?;
    let of_case = |mut case: Case| {
        let services = case.services.iter().map(|name| after.lab.service(name));
        let services: Vec<Service> = services.collect::<Result<_, _>>().map_err(Failure::usage)?;
        // Whatever the floor is, it is not among these two.
        case.floor = None;
        case.baseline = before.contender.id.clone();
        Ok(Chosen {
            workload: after.workload.clone(),
            case,
            contenders: contenders.clone(),
            services,
            fronts: fronts.clone(),
        })
    };
    cases.into_iter().map(of_case).collect()
}

fn run_args(args: &DiffArgs, id: &ContenderId) -> RunArgs {
    let seconds = |seconds: u64| Span(std::time::Duration::from_secs(seconds));
    RunArgs {
        choice: Choice {
            workloads: Vec::new(),
            only: Vec::new(),
            except: Vec::new(),
            install: args.install,
        },
        baseline: Some(named(id, "before")),
        budget: args.budget.unwrap_or(seconds(600)),
        until: args.until.clone(),
        rounds: args.rounds,
        launches: args.launches,
        margin: args.margin,
        alpha: args.alpha,
        mode: Vec::new(),
        rate: None,
        connections: Vec::new(),
        pipeline: None,
        programs: None,
        cores_contender: None,
        cores_load: None,
        seed: args.seed,
        timeout: args.timeout.unwrap_or(seconds(10)),
        fail_if: args.fail_if.clone(),
        resume: None,
        out: None,
    }
}
