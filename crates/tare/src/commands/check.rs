//! `tare check`: are the answers right? No timing.

mod messages;

use std::time::Duration;

use clap::Args;
use tare_host::interrupt;
use tare_lab::rig::{Rig, Who};
use tare_model::fault::{Fault, FaultKind};
use tare_prepare::{ReadyCase, Request, choose};
use tare_rig::RealRig;

use crate::args::Choice;
use crate::context::{self, Context};
use crate::failure::{self, Failure};
use crate::supervise;
use messages::Exchanged;

/// Build and start contenders and check their answers; no timing
#[derive(Debug, Clone, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    pub choice: Choice,
}

/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(10);

/// What was found of one contender.
struct Checked {
    workload: String,
    case: String,
    name: String,
    fault: Option<Fault>,
    note: Option<String>,
}

/// Runs it; the exit status.
pub fn run(context: &Context, args: &CheckArgs) -> Result<u8, Failure> {
    let (supervised, choice) = supervise::chosen(context, &args.choice)?;
    let request = Request {
        choice,
        install: args.choice.install,
        timeout: TIMEOUT,
        ..Request::default()
    };
    let chosen = choose(&supervised.lab, &request.choice)?;
    let offers = chosen
        .iter()
        .map(messages::offers)
        .collect::<Result<Vec<_>, _>>()?;
    let ready = supervised.preparation().ready(chosen, &request)?;
    let cases = ready.cases;
    let groups = cases
        .iter()
        .map(|case| case.rig_group(request.timeout, request.seed))
        .collect();
    let keeper = &supervised.supervision.keeper;
    let mut rig = RealRig::new(keeper, interrupt::flag(), groups).with_services(ready.services);
    let (mut all, mut exchanged) = (Vec::new(), Vec::new());
    for (group, (case, offers)) in cases.iter().zip(&offers).enumerate() {
        let mut right = Vec::new();
        for entrant in 0..case.entrants.len() {
            let checked = check(&mut rig, case, Who { group, entrant });
            // What an interruption broke is no fault of the contender.
            failure::refuse_interrupted()?;
            if !context.json() {
                context::put(&line(&checked))?;
            }
            right.extend(checked.fault.is_none().then_some(entrant));
            all.push(checked);
        }
        let Some(offers) = offers else { continue };
        let one = Exchanged::between(&mut rig, group, case, &right, offers);
        failure::refuse_interrupted()?;
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

fn check(rig: &mut RealRig<'_>, ready: &ReadyCase, who: Who) -> Checked {
    let record = &ready.entrants[who.entrant];
    let mut checked = Checked {
        workload: ready.chosen.workload.name.clone(),
        case: ready.chosen.case.name.clone(),
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

/// What a contender may have printed, indented to the column after the word.
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
    use FaultKind::{Broken, MissingTool};
    let kinds: Vec<FaultKind> = faults.map(|fault| fault.kind).collect();
    let any = |wanted: fn(&FaultKind) -> bool| kinds.iter().any(wanted);
    if any(|kind| kind.is_misbehaviour()) {
        failure::MISBEHAVED
    } else if any(|kind| !matches!(kind, MissingTool | Broken)) {
        failure::OUTSIDE
    } else {
        0
    }
}
