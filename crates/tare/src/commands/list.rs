//! `tare list`: workloads, suites, contenders, services, runs.

use clap::{Args, ValueEnum};
use tare_model::manifest::{Lab, Workload};
use tare_model::metric::Mode;
use tare_model::units::time_text;
use tare_report::{when, words};
use tare_store::{ArenaSummary, RunSummary, Store};

use crate::context::{self, Context};
use crate::failure::Failure;
use crate::rows::{self, Row};

/// List workloads, suites, contenders, services or stored runs
#[derive(Debug, Clone, Args)]
pub struct ListArgs {
    #[arg(value_enum, default_value_t = Listed::Workloads)]
    pub what: Listed,
    /// Only those of this workload (workloads, suites and contenders)
    #[arg(value_name = "WORKLOAD")]
    pub of: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Listed {
    Workloads,
    Suites,
    Contenders,
    Services,
    Runs,
}

/// Runs it; the exit status.
pub fn run(context: &Context, args: &ListArgs) -> Result<u8, Failure> {
    let rows = match args.what {
        Listed::Workloads => workloads(&read(context, args)?),
        Listed::Suites => suites(&read(context, args)?),
        Listed::Contenders => contenders(&context.lab()?, &read(context, args)?)?,
        Listed::Services | Listed::Runs if args.of.is_some() => {
            return Err(Failure::usage("services and runs are not listed by workload")
                .hint("`tare list suites WORKLOAD`, or workloads, or contenders"));
        }
        Listed::Services => services(&context.lab()?)?,
        Listed::Runs => runs(context)?,
    };
    if context.json() {
        context::put(&rows::json(&rows))?
    } else {
        context::put(&rows::table(&rows))?
    }
    Ok(0)
}

/// The workload that was named, or all.
fn read(context: &Context, args: &ListArgs) -> Result<Vec<Workload>, Failure> {
    let lab = context.lab()?;
    let names = match &args.of {
        Some(name) => vec![name.clone()],
        None => lab.workloads().map_err(Failure::usage)?,
    };
    let read = names.iter().map(|name| lab.workload(name));
    read.collect::<Result<_, _>>().map_err(Failure::usage)
}

fn workloads(all: &[Workload]) -> Vec<Row> {
    let mut rows = Vec::new();
    for workload in all {
        for case in &workload.cases {
            let modes: Vec<&str> = case.modes.iter().map(|mode| mode.name()).collect();
            rows.push(vec![
                ("case", format!("{}/{}", workload.name, case.name)),
                ("modes", modes.join(", ")),
                ("baseline", case.baseline.to_string()),
                ("summary", case.summary.clone()),
            ]);
        }
    }
    rows
}

fn suites(all: &[Workload]) -> Vec<Row> {
    let mut rows = Vec::new();
    for workload in all {
        for suite in workload.all_suites() {
            let cases: usize = suite.parts.iter().map(|part| part.cases.len()).sum();
            rows.push(vec![
                ("workload", workload.name.clone()),
                ("suite", suite.name),
                ("cases", format!("{cases} of {}", workload.cases.len())),
                ("budget", suite.budget.map_or("-".to_owned(), time_text)),
                ("summary", suite.summary),
            ]);
        }
    }
    rows
}

fn contenders(lab: &Lab, all: &[Workload]) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for workload in all {
        for contender in lab.contenders(workload) {
            let contender = contender.map_err(Failure::usage)?;
            rows.push(vec![
                ("workload", workload.name.clone()),
                ("contender", contender.id.to_string()),
                ("language", contender.language.clone()),
                ("style", contender.style.name().to_owned()),
                ("cases", contender.cases.join(", ")),
                ("summary", contender.summary.clone()),
            ]);
        }
    }
    Ok(rows)
}

fn services(lab: &Lab) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for name in lab.services().map_err(Failure::usage)? {
        let service = lab.service(&name).map_err(Failure::usage)?;
        let gives: Vec<String> = service.gives.keys().map(|name| format!("{{{name}}}")).collect();
        rows.push(vec![
            ("service", name),
            ("gives", gives.join(", ")),
            ("summary", service.summary),
        ]);
    }
    Ok(rows)
}

fn runs(context: &Context) -> Result<Vec<Row>, Failure> {
    let path = context.kept()?.join("results.sqlite");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let runs = Store::open_existing(path)
        .and_then(|store| store.runs())
        .map_err(Failure::outside)?;
    Ok(runs.iter().map(run_row).collect())
}

fn run_row(run: &RunSummary) -> Row {
    let what = subjects(&run.arenas);
    let launches = run.arenas.iter().map(|arena| arena.launches).max().unwrap_or(0);
    vec![
        ("run", run.id.clone()),
        ("started", when::to_minute(run.started)),
        ("took", tare_model::units::Seconds(run.took.0).to_string()),
        (
            "state",
            match (&run.imported, run.complete) {
                (Some(_), _) => "imported",
                (None, true) => "complete",
                (None, false) => "cut short",
            }
            .to_owned(),
        ),
        ("launches", launches.to_string()),
        ("what", what.join("; ")),
    ]
}

/// What a run measured. The sizes of a case follow each other, and are named once; of benchmarks there are hundreds, which
/// are counted for each program.
fn subjects(arenas: &[ArenaSummary]) -> Vec<String> {
    let benchmark = |arena: &&ArenaSummary| arena.mode == Mode::Benchmark;
    let arena = |a: &ArenaSummary| format!("{}/{} {}", a.workload, a.case, a.mode);
    let mut what: Vec<String> = arenas.iter().filter(|one| !benchmark(one)).map(arena).collect();
    what.dedup();
    let mut programs: Vec<(&str, u64)> = Vec::new();
    for one in arenas.iter().filter(benchmark) {
        match programs.last_mut() {
            Some((program, count)) if *program == one.workload => *count += 1,
            _ => programs.push((&one.workload, 1)),
        }
    }
    let counted =
        |(program, count): (&str, u64)| format!("{program}: {}", words::counted(count, "benchmark"));
    what.extend(programs.into_iter().map(counted));
    what
}
