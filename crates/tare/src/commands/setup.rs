//! `tare setup`: lists what is missing here, and with --install installs it.

use clap::Args;
use tare_host::interrupt;
use tare_host::tools::Missing;
use tare_model::ids::Selector;
use tare_model::manifest::{Contender, Service};
use tare_prepare::{Choice, ChosenCase, Tools, choose};

use crate::context::{self, Context};
use crate::failure::{self, Failure};

/// List what the contenders need and is missing here; with --install, install it
#[derive(Debug, Clone, Args)]
pub struct SetupArgs {
    /// Workloads; none: all
    #[arg(value_name = "WORKLOAD")]
    pub workloads: Vec<Selector>,
    /// Only what this suite of each workload needs (`tare list suites`)
    #[arg(long, value_name = "NAME")]
    pub suite: Option<String>,
    /// Install what is missing (Debian packages as root; tools into .tare/)
    #[arg(long)]
    pub install: bool,
}

/// Runs it; the exit status: 1 if something is still missing.
pub fn run(context: &Context, args: &SetupArgs) -> Result<u8, Failure> {
    let (lab, state) = (context.lab()?, context.state()?);
    let choice = Choice {
        workloads: args.workloads.clone(),
        suite: args.suite.clone(),
        ..Choice::default()
    };
    let chosen = choose(&lab, &choice)?;
    let mut contenders: Vec<&Contender> = chosen.iter().flat_map(|chosen| &chosen.contenders).collect();
    contenders.sort_by(|a, b| (&a.workload, &a.id).cmp(&(&b.workload, &b.id)));
    contenders.dedup_by(|a, b| (&a.workload, &a.id) == (&b.workload, &b.id));
    let mut services: Vec<&Service> = chosen.iter().flat_map(ChosenCase::all_services).collect();
    services.sort_by(|a, b| a.name.cmp(&b.name));
    services.dedup_by(|a, b| a.name == b.name);
    let mut tools = Tools::new(&lab, &state);
    if args.install {
        interrupt::install().map_err(Failure::outside)?;
        std::fs::create_dir_all(&state)
            .map_err(|error| Failure::outside(format!("cannot make {}: {error}", state.display())))?;
        let log = state.join("install.log");
        tools.install(&chosen, &log, context, interrupt::flag())?;
    }
    report(context, &mut tools, &contenders, &services)
}

/// What is missing of a contender or a service.
struct Row<'a> {
    /// The contender's workload; none for a service.
    workload: Option<&'a str>,
    name: String,
    missing: Vec<Missing>,
}

fn report(
    context: &Context,
    tools: &mut Tools<'_>,
    contenders: &[&Contender],
    services: &[&Service],
) -> Result<u8, Failure> {
    let mut rows = Vec::new();
    for service in services {
        rows.push(Row {
            workload: None,
            name: service.name.clone(),
            missing: tools.missing_of_service(service),
        });
    }
    for contender in contenders {
        rows.push(Row {
            workload: Some(&contender.workload),
            name: contender.id.to_string(),
            missing: tools.missing(contender)?,
        });
    }
    let lacking = rows.iter().any(|row| !row.missing.is_empty());
    if context.json() {
        context::put(&document(&rows))?;
    } else {
        let text: String = rows.iter().map(line).collect();
        context::put(&text)?;
        let missing = rows.iter().flat_map(|row| &row.missing);
        hint(context, missing.map(Missing::hint).collect());
    }
    Ok(if lacking { failure::OUTSIDE } else { 0 })
}

fn document(rows: &[Row<'_>]) -> String {
    let list = |services: bool| -> Vec<serde_json::Value> {
        let mine = rows.iter().filter(|row| row.workload.is_none() == services);
        mine.map(entry).collect()
    };
    let document = serde_json::json!({"schema": 1, "contenders": list(false), "services": list(true)});
    format!("{document:#}\n")
}

fn entry(row: &Row<'_>) -> serde_json::Value {
    let missing = row.missing.iter();
    let list: Vec<serde_json::Value> = missing
        .map(|m| serde_json::json!({"name": m.name, "why": m.why, "hint": m.hint()}))
        .collect();
    match row.workload {
        Some(workload) => {
            serde_json::json!({"workload": workload, "contender": row.name, "missing": list})
        }
        None => serde_json::json!({"service": row.name, "missing": list}),
    }
}

fn line(row: &Row<'_>) -> String {
    let names: Vec<&str> = row.missing.iter().map(|one| one.name.as_str()).collect();
    let word = if names.is_empty() {
        "ready".to_owned()
    } else {
        format!("lacks {}", names.join(", "))
    };
    match row.workload {
        Some(workload) => format!("{workload}/{}: {word}\n", row.name),
        None => format!("service {}: {word}\n", row.name),
    }
}

fn hint(context: &Context, mut hints: Vec<String>) {
    hints.sort();
    hints.dedup();
    hints.retain(|hint| !hint.is_empty());
    if !hints.is_empty() {
        context.say(format!(
            "\nhint: `tare setup --install`, or\n    {}",
            hints.join("\n    ")
        ));
    }
}
