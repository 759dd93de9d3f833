//! A load from other machines, by the agents there. [`tare_rig::fleet`] runs their generators as it does those of this machine.

use tare_model::units::Seconds;
use tare_prepare::servers::{AgentShare, LoadRequest, ServerLoad};
use tare_rig::fleet::AgentOutcome;

use super::{Ended, announcement, fleet, live};
use crate::args::LoadArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::key;

/// What an agent did.
pub struct Share {
    pub of: AgentShare,
    pub saw: AgentOutcome,
}

/// Drives a load of a server from the agents that are named.
pub fn drive(
    context: &Context,
    url: &str,
    (args, request): (&LoadArgs, &LoadRequest),
    load: &ServerLoad,
) -> Result<Ended, Failure> {
    let key = key::read(args.key_file.as_deref())?;
    let shown = live::wanted(context);
    let prepared = request.by_agents((url, load), (&args.from, &key), shown)?;
    for remark in &prepared.remarks {
        context.say(format!("note: {remark}"));
    }
    let from = format!(", from {}", args.from.join(", "));
    context.say(announcement(url, request, &from, prepared.waiting.as_ref()));
    let together = fleet::run(prepared.fleet, shown)?;
    let together = match request.count {
        None => together.at_once().map_err(fleet::failed)?,
        Some(_) => together,
    };
    let shares = prepared.shares.into_iter().zip(together.agents);
    Ok(Ended {
        waiting: prepared.waiting,
        outcome: together.all,
        agents: shares.map(|(of, saw)| Share { of, saw }).collect(),
        apart: together.apart.map(Seconds::from_duration),
    })
}
