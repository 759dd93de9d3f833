//! `tare doctor`: what can be measured here, how exactly, and what to do about the rest.

mod clock;
mod cores;
mod decide;
mod limits;
mod noise;
mod twins;

use tare_host::machine::Facts;
use tare_host::tools::Missing;
use tare_host::{groups, machine, ordinary};
use tare_model::manifest::Service;
use tare_model::results::Machine;

use crate::args::DoctorArgs;
use crate::commands::bench::Bench;
use crate::context::{self, Context};
use crate::failure::Failure;
use crate::prepare::Tools;
use cores::Cores;

/// One finding: what was looked at, what was found, and what could be done (empty: nothing): a command, or several with
/// `; or ` between them, and after a colon what it does.
struct Finding {
    what: &'static str,
    found: String,
    hint: String,
}

/// Runs it; the exit status.
pub fn run(context: &Context, args: &DoctorArgs) -> Result<u8, Failure> {
    let grouping = groups::detect(Bench::forced()?).map_err(Failure::outside)?;
    let machine = machine::machine(&grouping);
    let facts = machine::facts(&grouping);
    let cores = Cores::here(&facts.cores);
    let mut findings = of_machine(&machine, &facts, &cores);
    findings.extend(limits::findings(facts.open_files));
    findings.extend(governors(&facts));
    findings.extend(services(context)?);
    let measured = match args.quick {
        true => None,
        false => Some(noise::measure(context, cores, args.time.0)?),
    };
    findings.extend(measured.iter().flat_map(noise::Noise::findings));
    tell(context, &findings, measured.as_ref())?;
    Ok(0)
}

/// Keeps what the kernel is started with already, and leaves the restart to whoever knows when.
const TELL_PRESSURE: &str = "echo 'GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX psi=1\"' >> /etc/default/grub && update-grub: \
    where GRUB starts this machine, adds to the kernel's options, and holds from its next start on";

fn of_machine(machine: &Machine, facts: &Facts, cores: &Cores) -> Vec<Finding> {
    let mut findings = vec![
        finding(
            "machine",
            format!("{}, {} cores, {}", machine.cpu, machine.cores, machine.os),
            "",
        ),
        finding("kernel", machine.kernel.clone(), ""),
        cores.placement(),
        finding("freezing", machine.freezer.clone(), ""),
        finding("counting CPU time", machine.accounting.clone(), ""),
    ];
    for text in &facts.less_exact {
        findings.push(finding(
            "less exact",
            text.clone(),
            "sudo tare run; or systemd-run --user --scope -p Delegate=yes tare run",
        ));
    }
    findings.push(match facts.pressure {
        true => finding("pressure (PSI)", "told by the kernel".to_owned(), ""),
        false => finding(
            "pressure (PSI)",
            "not told by the kernel".to_owned(),
            TELL_PRESSURE,
        ),
    });
    findings.push(match facts.steal_seen {
        true => finding(
            "steal",
            "the hypervisor takes time from this machine".to_owned(),
            "tare run --budget 20m: rounds are paired, so it biases nothing, and more of them narrow what it widens",
        ),
        false => finding("steal", "none seen since boot".to_owned(), ""),
    });
    findings
}

fn governors(facts: &Facts) -> Option<Finding> {
    if facts.governors.is_empty() || facts.governors == ["performance"] {
        return None;
    }
    let found = format!("governor {}", facts.governors.join(", "));
    Some(finding(
        "clock frequency",
        found,
        "cpupower frequency-set -g performance",
    ))
}

/// The services of the lab that we are in, if we are in one.
fn services(context: &Context) -> Result<Vec<Finding>, Failure> {
    let (Ok(lab), Ok(state)) = (context.lab(), context.state()) else {
        return Ok(Vec::new());
    };
    let mut tools = Tools::new(&lab, &state);
    let mut findings = Vec::new();
    for name in lab.services().map_err(Failure::usage)? {
        let service = lab.service(&name).map_err(Failure::usage)?;
        let missing = tools.missing_of_service(&service);
        let (found, hint) = match missing.is_empty() {
            true => (
                format!("{name}: {}", programs(&mut tools, &service)),
                String::new(),
            ),
            false => {
                let lacks: Vec<&str> = missing.iter().map(|one| one.name.as_str()).collect();
                let mut hints: Vec<String> = missing.iter().map(Missing::hint).collect();
                hints.dedup();
                (format!("{name}: lacks {}", lacks.join(", ")), hints.join("; "))
            }
        };
        findings.push(finding("service", found, &hint));
    }
    Ok(findings)
}

/// Versions of a service's programs, and as whom they are run.
fn programs(tools: &mut Tools<'_>, service: &Service) -> String {
    let found = tools.of_service(service).unwrap_or_default();
    let mut facts: Vec<String> = found.into_iter().map(|tool| tool.version).collect();
    facts.dedup();
    if service.refuses_root && ordinary::is_root() {
        facts.push("refuses root, so it is run as another user".to_owned());
    }
    facts.join("; ")
}

fn finding(what: &'static str, found: String, hint: &str) -> Finding {
    Finding {
        what,
        found,
        hint: hint.to_owned(),
    }
}

fn tell(context: &Context, findings: &[Finding], measured: Option<&noise::Noise>) -> Result<(), Failure> {
    if context.json() {
        let one = |f: &Finding| serde_json::json!({"what": f.what, "found": f.found, "hint": f.hint});
        let list: Vec<serde_json::Value> = findings.iter().map(one).collect();
        return context::put(&format!(
            "{:#}\n",
            serde_json::json!({"schema": 1, "findings": list, "measured": measured.map(noise::Noise::document)})
        ));
    }
    let mut text = String::new();
    for finding in findings {
        text.push_str(&format!("{:<18} {}\n", finding.what, finding.found));
        if !finding.hint.is_empty() {
            text.push_str(&format!("{:<18}   → {}\n", "", finding.hint));
        }
    }
    context::put(&text)
}

#[cfg(test)]
mod tests;
