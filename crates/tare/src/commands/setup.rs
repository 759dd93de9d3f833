//! `tare setup`: what is missing here, and with --install, install it.

use tare_host::interrupt;
use tare_host::tools::Missing;
use tare_model::manifest::Contender;

use crate::args::{Choice, SetupArgs};
use crate::context::{self, Context};
use crate::failure::{self, Failure};
use crate::prepare::{self, Tools};

/// Runs it; the exit status: 1 if something is missing still.
pub fn run(context: &Context, args: &SetupArgs) -> Result<u8, Failure> {
    let (lab, state) = (context.lab()?, context.state()?);
    let choice = Choice {
        workloads: args.workloads.clone(),
        only: Vec::new(),
        except: Vec::new(),
        install: args.install,
    };
    let chosen = prepare::choose(&lab, &choice)?;
    let mut contenders: Vec<&Contender> = chosen.iter().flat_map(|chosen| &chosen.contenders).collect();
    contenders.sort_by(|a, b| (&a.workload, &a.id).cmp(&(&b.workload, &b.id)));
    contenders.dedup_by(|a, b| (&a.workload, &a.id) == (&b.workload, &b.id));
    let mut tools = Tools::new(&lab, &state);
    if args.install {
        interrupt::install().map_err(Failure::outside)?;
        std::fs::create_dir_all(&state)
            .map_err(|error| Failure::outside(format!("cannot make {}: {error}", state.display())))?;
        tools.install(
            context,
            &contenders,
            &state.join("install.log"),
            interrupt::flag(),
        )?;
    }
    report(context, &mut tools, &contenders)
}

fn report(context: &Context, tools: &mut Tools<'_>, contenders: &[&Contender]) -> Result<u8, Failure> {
    let mut rows = Vec::new();
    let mut cures: Vec<String> = Vec::new();
    for contender in contenders {
        let missing = tools.missing(contender)?;
        cures.extend(missing.iter().map(Missing::cure));
        rows.push((contender, missing));
    }
    let lacking = rows.iter().any(|(_, missing)| !missing.is_empty());
    if context.json() {
        let one = |(contender, missing): &(&&Contender, Vec<Missing>)| {
            let list: Vec<serde_json::Value> = missing
                .iter()
                .map(|m| serde_json::json!({"name": m.name, "why": m.why, "cure": m.cure()}))
                .collect();
            serde_json::json!({"workload": contender.workload, "contender": contender.id.to_string(), "missing": list})
        };
        let list: Vec<serde_json::Value> = rows.iter().map(one).collect();
        context::put(&format!(
            "{:#}\n",
            serde_json::json!({"schema": 1, "contenders": list})
        ))?;
    } else {
        let mut text = String::new();
        for (contender, missing) in &rows {
            let names: Vec<&str> = missing.iter().map(|one| one.name.as_str()).collect();
            let word = if names.is_empty() {
                "ready".to_owned()
            } else {
                format!("lacks {}", names.join(", "))
            };
            text.push_str(&format!("{}/{}: {word}\n", contender.workload, contender.id));
        }
        context::put(&text)?;
        hint(context, cures);
    }
    Ok(if lacking { failure::OUTSIDE } else { 0 })
}

fn hint(context: &Context, mut cures: Vec<String>) {
    cures.sort();
    cures.dedup();
    cures.retain(|cure| !cure.is_empty());
    if !cures.is_empty() {
        context.say(format!(
            "\nhint: `tare setup --install`, or\n    {}",
            cures.join("\n    ")
        ));
    }
}
