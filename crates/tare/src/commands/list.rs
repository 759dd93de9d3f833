//! `tare list`: workloads, contenders, services, runs.

use clap::{Args, ValueEnum};
use tare_model::manifest::Lab;
use tare_model::metric::Mode;
use tare_report::when;
use tare_store::{RunSummary, Store};

use crate::context::{self, Context};
use crate::failure::Failure;

/// List workloads, contenders, services or stored runs
#[derive(Debug, Clone, Args)]
pub struct ListArgs {
    #[arg(value_enum, default_value_t = Listed::Workloads)]
    pub what: Listed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Listed {
    Workloads,
    Contenders,
    Services,
    Runs,
}

/// Runs it; the exit status.
pub fn run(context: &Context, args: &ListArgs) -> Result<u8, Failure> {
    let rows = match args.what {
        Listed::Workloads => workloads(&context.lab()?)?,
        Listed::Contenders => contenders(&context.lab()?)?,
        Listed::Services => services(&context.lab()?)?,
        Listed::Runs => runs(context)?,
    };
    if context.json() {
        context::put(&as_json(&rows))?
    } else {
        context::put(&as_table(&rows))?
    }
    Ok(0)
}

/// A row: column name and value.
type Row = Vec<(&'static str, String)>;

fn workloads(lab: &Lab) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for name in lab.workloads().map_err(Failure::usage)? {
        let workload = lab.workload(&name).map_err(Failure::usage)?;
        for case in &workload.cases {
            let modes: Vec<&str> = case.modes.iter().map(|mode| mode.name()).collect();
            rows.push(vec![
                ("case", format!("{name}/{}", case.name)),
                ("modes", modes.join(", ")),
                ("baseline", case.baseline.to_string()),
                ("summary", case.summary.clone()),
            ]);
        }
    }
    Ok(rows)
}

fn contenders(lab: &Lab) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for name in lab.workloads().map_err(Failure::usage)? {
        let workload = lab.workload(&name).map_err(Failure::usage)?;
        for contender in lab.contenders(&workload) {
            let contender = contender.map_err(Failure::usage)?;
            rows.push(vec![
                ("workload", name.clone()),
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
    let arena = |workload: &str, case: &str, mode: Mode| format!("{workload}/{case} {mode}");
    let mut what: Vec<String> = run
        .arenas
        .iter()
        .map(|a| arena(&a.workload, &a.case, a.mode))
        .collect();
    // The sizes of a case follow each other, and are named once.
    what.dedup();
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

fn as_json(rows: &[Row]) -> String {
    let object = |row: &Row| {
        let pairs = row
            .iter()
            .map(|(name, value)| ((*name).to_owned(), serde_json::Value::from(value.clone())));
        serde_json::Value::Object(pairs.collect())
    };
    format!(
        "{:#}\n",
        serde_json::Value::Array(rows.iter().map(object).collect())
    )
}

/// Columns as wide as their widest value; the last is left ragged.
fn as_table(rows: &[Row]) -> String {
    let Some(first) = rows.first() else {
        return "none yet\n".to_owned();
    };
    let width = |column: usize| {
        let values = rows.iter().map(|row| row[column].1.chars().count());
        values.chain([first[column].0.len()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..first.len()).map(width).collect();
    let line = |cells: Vec<&str>| {
        let padded = cells
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:<width$}"));
        format!("{}\n", padded.collect::<Vec<_>>().join("  ").trim_end())
    };
    let mut text = line(first.iter().map(|(name, _)| *name).collect());
    rows.iter()
        .for_each(|row| text.push_str(&line(row.iter().map(|(_, value)| value.as_str()).collect())));
    text
}
