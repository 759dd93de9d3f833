//! `tare load URL_A URL_B`: servers that run already, against each other in interleaved slices.

use tare_host::interrupt;
use tare_host::lock::Lock;
use tare_lab::plan::Rules;
use tare_model::settings::{RunKind, Settings};
use tare_prepare::servers::{LoadRequest, machine};
use tare_report::{json, terminal, words};
use tare_rig::urls::UrlRig;

use super::refuse;
use crate::args::LoadArgs;
use crate::away;
use crate::commands::run::status;
use crate::context::{self, Context};
use crate::failure::Failure;
use crate::gate;
use crate::key;
use crate::measure;
use crate::short_slices;
use crate::supervise;
use crate::writable::refuse_unwritable;

/// Runs it; the exit status.
pub fn run(context: &Context, args: &LoadArgs, request: &LoadRequest) -> Result<u8, Failure> {
    refuse::of_several(context, args)?;
    let rules = short_slices::of(Rules::default());
    let job = match args.from.as_slice() {
        [] => request.of_several(rules, None)?,
        names => request.of_several(rules, Some((names, &key::read(args.key_file.as_deref())?)))?,
    };
    gate::known(&args.versus.fail_if, |name| job.refuse_uncompared(name))?;
    refuse_unwritable(args.versus.exports.paths())?;
    job.refuse_absent()?;
    job.remarks
        .iter()
        .for_each(|remark| context.say(format!("note: {remark}")));
    interrupt::install().map_err(Failure::outside)?;
    let state = context.kept()?;
    let lock = Lock::take(&state, &request.urls.join(" "));
    let lock = lock.map_err(|error| supervise::cannot_take(context, &error))?;
    let settings = Settings {
        kind: RunKind::Load,
        ..request.settings()
    };
    let new_run = measure::new_run(machine()?, settings);
    let names = job.names();
    let mut rig = UrlRig::new(interrupt::flag(), job.servers, job.generator).with_agents(job.agents);
    let notes = |rig: &mut UrlRig<'_>| {
        let seen = rig.seen().iter().map(Option::as_ref);
        let servers: Vec<_> = names.iter().map(String::as_str).zip(seen).collect();
        let repeated = rig.agents().map(away::repeated).unwrap_or_default();
        [job.notes, words::negotiated(&servers), repeated].concat()
    };
    let compared = measure::compare(context, &state, &job.plan, &mut rig, &new_run, notes)?;
    drop(lock);
    if context.json() {
        context::put(&json::render(&compared.results))?
    } else {
        context::put(&terminal::render(&compared.results, context.terminal()))?
    }
    measure::export(&args.versus.exports, &compared.results, None)?;
    if let Some(lost) = rig.agents().and_then(away::lost) {
        return Err(lost);
    }
    Ok(status(&compared.outcome, &compared.results, &args.versus.fail_if))
}
