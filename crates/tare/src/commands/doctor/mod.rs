//! `tare doctor`: what can be measured here and how exactly, with hints. [`tare_rig::doctor`] measures.

mod aa;
mod cores;
mod limits;
mod noise;

use std::path::Path;

use clap::Args;
use tare_host::containers::{Engine, NoEngine};
use tare_host::machine::Facts;
use tare_host::tools::Missing;
use tare_host::{groups, machine, ordinary};
use tare_model::manifest::Service;
use tare_model::results::Machine;
use tare_prepare::Tools;
use tare_rig::doctor::Cores;

use crate::context::{self, Context};
use crate::failure::Failure;
use crate::supervise;
use crate::values::Span;

/// Say what can be measured on this machine, how exactly, and what to do about the rest
#[derive(Debug, Clone, Args)]
pub struct DoctorArgs {
    /// Look, and measure nothing
    #[arg(long)]
    pub quick: bool,
    /// How long to measure; with the rest a few seconds more
    #[arg(long, value_name = "TIME", default_value = "50s", conflicts_with = "quick")]
    pub time: Span,
}

/// One check: what was looked at, what was found, and what could be done (empty: nothing): a command, or several with
/// `; or ` between them, and after a colon what it does.
struct Check {
    what: &'static str,
    found: String,
    hint: String,
}

/// Runs it; the exit status.
pub fn run(context: &Context, args: &DoctorArgs) -> Result<u8, Failure> {
    let grouping = groups::detect(supervise::forced()?).map_err(Failure::outside)?;
    let machine = machine::machine(&grouping);
    let facts = machine::facts(&grouping);
    let cores = Cores::here(&facts.cores);
    let mut checks = of_machine(&machine, &facts, &cores);
    checks.extend(limits::checks(facts.open_files));
    checks.extend(governors(&facts));
    checks.extend(services(context)?);
    checks.push(containers());
    let measured = if args.quick {
        None
    } else {
        Some(noise::measure(context, cores, args.time.0)?)
    };
    checks.extend(measured.iter().flat_map(noise::Noise::checks));
    tell(context, &checks, measured.as_ref())?;
    Ok(0)
}

/// Keeps the present options of the kernel, and leaves the restart to a person.
const REPORT_PRESSURE: &str = "echo 'GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX psi=1\"' >> /etc/default/grub && update-grub: \
    where GRUB starts this machine, adds to the kernel's options, and takes effect at its next start";

fn of_machine(machine: &Machine, facts: &Facts, cores: &Cores) -> Vec<Check> {
    let mut checks = vec![
        check(
            "machine",
            format!("{}, {} cores, {}", machine.cpu, machine.cores, machine.os),
            "",
        ),
        check("kernel", machine.kernel.clone(), ""),
        cores::placement(cores),
        check("freezing", machine.freezer.clone(), ""),
        check("counting CPU time", machine.accounting.clone(), ""),
    ];
    for text in &facts.less_exact {
        checks.push(check(
            "less exact",
            text.clone(),
            "sudo tare run; or systemd-run --user --scope -p Delegate=yes tare run",
        ));
    }
    checks.push(if facts.pressure {
        check("pressure (PSI)", "reported by the kernel".to_owned(), "")
    } else {
        check(
            "pressure (PSI)",
            "not reported by the kernel".to_owned(),
            REPORT_PRESSURE,
        )
    });
    checks.push(if facts.steal_seen {
        check(
            "steal",
            "the hypervisor takes time from this machine".to_owned(),
            "tare run --budget 20m: rounds are paired, so stolen time biases nothing, and more rounds narrow the intervals",
        )
    } else {
        check("steal", "none seen since boot".to_owned(), "")
    });
    checks
}

fn governors(facts: &Facts) -> Option<Check> {
    if facts.governors.is_empty() || facts.governors == ["performance"] {
        return None;
    }
    let found = format!("governor {}", facts.governors.join(", "));
    Some(check(
        "clock frequency",
        found,
        "cpupower frequency-set -g performance",
    ))
}

/// The services of the lab around the current folder, if there is one.
fn services(context: &Context) -> Result<Vec<Check>, Failure> {
    let (Ok(lab), Ok(state)) = (context.lab(), context.state()) else {
        return Ok(Vec::new());
    };
    let mut tools = Tools::new(&lab, &state);
    let mut checks = Vec::new();
    for name in lab.services().map_err(Failure::usage)? {
        let service = lab.service(&name).map_err(Failure::usage)?;
        let missing = tools.missing_of_service(&service);
        let (found, hint) = if missing.is_empty() {
            let found = format!("{name}: {}", programs(&mut tools, &service));
            (found, String::new())
        } else {
            let names: Vec<&str> = missing.iter().map(|one| one.name.as_str()).collect();
            let mut hints: Vec<String> = missing.iter().map(Missing::hint).collect();
            hints.dedup();
            (format!("{name}: missing {}", names.join(", ")), hints.join("; "))
        };
        checks.push(check("service", found, &hint));
    }
    Ok(checks)
}

/// The engine that runs contenders in containers.
fn containers() -> Check {
    match Engine::find(Path::new(".")) {
        Ok(engine) => check("containers", engine.describe(), ""),
        Err(NoEngine::Missing(missing)) => check("containers", missing.why.clone(), &missing.hint()),
        Err(NoEngine::Impossible(text)) => {
            let (found, hint) = text.split_once("\n\nhint: ").unwrap_or((&text, ""));
            check("containers", found.to_owned(), hint)
        }
    }
}

/// The versions of a service's programs, and whether another user than root runs them.
fn programs(tools: &mut Tools<'_>, service: &Service) -> String {
    let found = tools.of_service(service).unwrap_or_default();
    let mut facts: Vec<String> = found.into_iter().map(|tool| tool.version).collect();
    facts.dedup();
    if service.refuses_root && ordinary::is_root() {
        facts.push("refuses root, so it is run as another user".to_owned());
    }
    facts.join("; ")
}

fn check(what: &'static str, found: String, hint: &str) -> Check {
    Check {
        what,
        found,
        hint: hint.to_owned(),
    }
}

fn tell(context: &Context, checks: &[Check], measured: Option<&noise::Noise>) -> Result<(), Failure> {
    if context.json() {
        let one = |f: &Check| serde_json::json!({"what": f.what, "found": f.found, "hint": f.hint});
        let list: Vec<serde_json::Value> = checks.iter().map(one).collect();
        return context::put(&format!(
            "{:#}\n",
            serde_json::json!({"schema": 1, "checks": list, "measured": measured.map(noise::Noise::document)})
        ));
    }
    let mut text = String::new();
    for check in checks {
        text.push_str(&format!("{:<18} {}\n", check.what, check.found));
        if !check.hint.is_empty() {
            text.push_str(&format!("{:<18}   → {}\n", "", check.hint));
        }
    }
    context::put(&text)
}

#[cfg(test)]
mod tests;
