//! `tare check`: are the answers right? No timing.

mod messages;

use std::time::Duration;

use tare_lab::rig::{Rig, Who};
use tare_model::fault::{Fault, FaultKind};
use tare_rig::RealRig;

use crate::args::CheckArgs;
use crate::commands::bench::{Bench, Readied};
use crate::context::{self, Context};
use crate::failure::{self, Failure};
use crate::prepare;
use messages::Exchanged;

/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(10);

/// One contender's outcome.
struct Checked {
    workload: String,
    case: String,
    name: String,
    fault: Option<Fault>,
    note: Option<String>,
}

/// Runs it; the exit status.
pub fn run(context: &Context, args: &CheckArgs) -> Result<u8, Failure> {
    let bench = Bench::open(context)?;
    let chosen = prepare::choose(&bench.lab, &args.choice)?;
    let offers = chosen
        .iter()
        .map(messages::offers)
        .collect::<Result<Vec<_>, _>>()?;
    let ready = bench.ready(context, chosen, args.choice.install, None)?;
    let (ready, services) = (ready.cases, ready.services);
    let groups = ready
        .iter()
        .map(|readied| readied.rig_group(TIMEOUT, 1))
        .collect();
    let mut rig = RealRig::new(&bench.keeper, bench.cancel, groups).with_services(services);
    let (mut all, mut exchanged) = (Vec::new(), Vec::new());
    for (group, (readied, offers)) in ready.iter().zip(&offers).enumerate() {
        let mut right = Vec::new();
        for entrant in 0..readied.entrants.len() {
            let checked = check(&mut rig, readied, Who { group, entrant });
            // What an interruption broke is no fault of the contender's.
            if bench.cancelled() {
                return Err(failure::interrupted());
            }
            if !context.json() {
                context::put(&line(&checked))?;
            }
            right.extend(checked.fault.is_none().then_some(entrant));
            all.push(checked);
        }
        let Some(offers) = offers else { continue };
        let one = Exchanged::between(&mut rig, group, readied, &right, offers);
        if bench.cancelled() {
            return Err(failure::interrupted());
        }
        if !context.json() {
            context::put(&one.text())?;
        }
        exchanged.push(one);
    }
    for note in rig.stop_services() {
        context.say(format!("note: {note}"));
    }
    if context.json() {
        context::put(&document(&all, &exchanged))?;
    }
    let faults = all.iter().filter_map(|checked| checked.fault.as_ref());
    Ok(status(faults.chain(exchanged.iter().flat_map(Exchanged::faults))))
}

fn check(rig: &mut RealRig<'_>, readied: &Readied, who: Who) -> Checked {
    let record = &readied.entrants[who.entrant];
    let mut checked = Checked {
        workload: readied.chosen.workload.name.clone(),
        case: readied.chosen.case.name.clone(),
        name: record.id.to_string(),
        fault: record.fault.clone(),
        note: None,
    };
    if checked.fault.is_none() {
        checked.fault = rig.start(who).and_then(|()| rig.check(who)).err();
        checked.note = rig.stop(who);
    }
    checked
}

fn line(checked: &Checked) -> String {
    let word = match &checked.fault {
        None => "ok",
        Some(fault) if skipped(fault) => "skipped",
        Some(_) => "FAULT",
    };
    let mut text = format!(
        "{word:<8} {}/{} {}\n",
        checked.workload, checked.case, checked.name
    );
    if let Some(fault) = checked.fault.as_ref().filter(|fault| !skipped(fault)) {
        text.push_str(&indented(&fault.detail));
    }
    if let Some(note) = &checked.note {
        text.push_str(&format!("         note: {note}\n"));
    }
    text
}

/// What contenders may have said, behind the column of words.
fn indented(detail: &str) -> String {
    let detail = tare_report::escape::visible(detail);
    detail.lines().map(|line| format!("         {line}\n")).collect()
}

fn skipped(fault: &Fault) -> bool {
    matches!(
        fault.kind,
        FaultKind::MissingTool | FaultKind::Broken | FaultKind::NoService
    )
}

fn document(all: &[Checked], exchanged: &[Exchanged]) -> String {
    let one = |checked: &Checked| {
        serde_json::json!({
            "workload": checked.workload,
            "case": checked.case,
            "contender": checked.name,
            "ok": checked.fault.is_none(),
            "kind": checked.fault.as_ref().map(|fault| fault.kind.name()),
            "reason": checked.fault.as_ref().map(|fault| fault.detail.clone()),
            "note": checked.note,
        })
    };
    let list: Vec<serde_json::Value> = all.iter().map(one).collect();
    let messages: Vec<serde_json::Value> = exchanged.iter().map(Exchanged::json).collect();
    format!(
        "{:#}\n",
        serde_json::json!({ "schema": 1, "checked": list, "messages": messages })
    )
}

fn status<'f>(faults: impl Iterator<Item = &'f Fault>) -> u8 {
    use FaultKind::*;
    let kinds: Vec<FaultKind> = faults.map(|fault| fault.kind).collect();
    let any = |wanted: fn(&FaultKind) -> bool| kinds.iter().any(wanted);
    if any(|kind| {
        matches!(
            kind,
            Died | Hung | Wrong | Unasked | ClosedEarly | Implausible | NotPaused
        )
    }) {
        failure::MISBEHAVED
    } else if any(|kind| !matches!(kind, MissingTool | Broken)) {
        failure::OUTSIDE
    } else {
        0
    }
}
