//! `tare load`: the load generator by itself, or several servers against each other.

mod agents;
mod fleet;
mod live;
mod refuse;
mod versus;

use tare_host::interrupt;
use tare_load::Load;
use tare_model::driving::Refill;
use tare_model::estimate::Estimate;
use tare_model::fault::FaultKind;
use tare_model::units::Seconds;
use tare_prepare::servers::{Generators, LoadRequest, ServerLoad, Waiting};
use tare_report::load as report;
use tare_report::words;
use tare_rig::fleet::GeneratorOutcome as Outcome;

pub use crate::args::LoadArgs;
use crate::context::{self, Context};
use crate::failure::{self, Failure};
use crate::gate;
use crate::measure;
use crate::values::FailIf;
use crate::writable::refuse_unwritable;

/// Runs it; the exit status.
pub fn run(context: &Context, args: &LoadArgs) -> Result<u8, Failure> {
    refuse::anywhere(args)?;
    let request = args.request();
    let [url] = request.urls.as_slice() else {
        return versus::run(context, args, &request);
    };
    refuse::of_one(context, args)?;
    let load = request.of_one(url)?;
    interrupt::install().map_err(Failure::outside)?;
    refuse_unwritable(args.versus.exports.paths())?;
    load.refuse_absent(url)?;
    let ended = if args.from.is_empty() {
        from_here(context, url, &request, load)?
    } else {
        agents::drive(context, url, (args, &request), &load)?
    };
    tell(context, args, &request, &ended)
}

/// A load that has ended.
struct Ended {
    waiting: Option<Waiting>,
    outcome: Outcome,
    /// What each agent did; of a load from this machine nothing.
    agents: Vec<agents::Share>,
    /// How far apart the agents can have begun.
    apart: Option<Seconds>,
}

/// Loads the server from this machine, by as many processes as that needs.
fn from_here(
    context: &Context,
    url: &str,
    request: &LoadRequest,
    load: ServerLoad,
) -> Result<Ended, Failure> {
    let generators = request.generators(&load)?;
    for remark in &generators.remarks {
        context.say(format!("note: {remark}"));
    }
    let by = match generators.processes {
        1 => String::new(),
        processes => format!(", by {processes} generator processes"),
    };
    context.say(announcement(url, request, &by, generators.waiting.as_ref()));
    let outcome = match generators.processes {
        1 => alone(context, request, is_awake(&generators), load),
        _ => fleet::drive(context, url, request, (&load, &generators))?,
    };
    Ok(Ended {
        waiting: generators.waiting,
        outcome,
        agents: Vec::new(),
        apart: None,
    })
}

/// Loads the server from this process.
fn alone(context: &Context, request: &LoadRequest, awake: bool, mut load: ServerLoad) -> Outcome {
    let mut generator = Load::new(request.generator(awake, (0, 1)));
    let onlooker = generator.answer_counter();
    let _live = live::wanted(context).then(|| live::show(move || onlooker.answers()));
    generator
        .run(&mut load.target, &load.schedule, load.length, interrupt::flag())
        .into()
}

/// Whether send times are waited for awake.
fn is_awake(generators: &Generators) -> bool {
    generators.waiting.as_ref().is_some_and(|waiting| waiting.awake)
}

fn tell(context: &Context, args: &LoadArgs, request: &LoadRequest, ended: &Ended) -> Result<u8, Failure> {
    let outcome = &ended.outcome;
    let load = report::Load {
        reading: &outcome.reading,
        fault: outcome.fault.as_ref(),
        interrupted: outcome.interrupted,
        rate: request.rate,
        depth: request.in_flight.depth(),
        usage: request.usage(),
        seed: request.seed,
        waiting: ended.waiting.as_ref().map(reported),
        any_body: request.requests.any_body,
        insecure: request.tls.insecure,
        spectrum: args.more.latency,
        agents: ended.agents.iter().map(agent).collect(),
        apart: ended.apart,
    };
    let document = || report::document(&load);
    if context.json() {
        context::put(&document())?;
    } else {
        context::put(&report::text(&load))?;
    }
    measure::write(args.versus.exports.export_json.as_deref(), &document)?;
    let status = status(outcome);
    if status != 0 {
        return Ok(status);
    }
    let against = |gate: &FailIf| against(gate, &load).into_iter().collect();
    let hint = "one load has no interval: repeat it before you rely on a close result";
    Ok(if gate::all_hold(&args.versus.fail_if, against, hint) {
        status
    } else {
        failure::GATE
    })
}

/// Why a gate does not hold: a server's figure is beyond its limit, or there is none.
fn against(gate: &FailIf, load: &report::Load<'_>) -> Option<String> {
    let limit = gate.limit.as_ref()?;
    let against = match load.figure(limit.metric) {
        Ok(value) if !limit.is_beyond(value) => return None,
        Ok(value) => {
            let figure = Estimate {
                estimate: value,
                low: None,
                high: None,
            };
            words::beyond("the server", limit.metric, &figure, limit.value)
        }
        Err(why) => format!("There is no figure to hold against the limit: {why}"),
    };
    Some(format!("{against}."))
}

/// How send times were waited for, as reports have it.
fn reported(waiting: &Waiting) -> report::Waiting<'_> {
    report::Waiting {
        awake: waiting.awake,
        why: &waiting.why,
    }
}

/// What an agent did, as reports have it.
fn agent(share: &agents::Share) -> report::Agent<'_> {
    report::Agent {
        name: &share.of.name,
        processes: share.of.processes,
        connections: share.of.connections,
        awake: share.of.awake,
        reading: &share.saw.outcome.reading,
        round_trip: share.saw.round_trip.map(Seconds::from_duration),
        after: share.saw.after.map(Seconds::from_duration),
    }
}

/// What begins now. `by`: who does it, behind a comma, where that is not this process.
fn announcement(url: &str, request: &LoadRequest, by: &str, waiting: Option<&Waiting>) -> String {
    let how_long = match (request.programs, request.count) {
        (Some(programs), Some(requests)) => format!("{programs} programs, {requests} requests a connection"),
        (_, Some(requests)) => format!("{requests} requests"),
        _ => format!("for {} s", request.duration().as_secs_f64()),
    };
    let how = waiting.map_or(String::new(), |waiting| {
        format!("; waiting for send times {}", waiting.why)
    });
    let depth = match (request.in_flight.depth(), request.refill) {
        (1, _) => String::new(),
        (depth, Refill::OneByOne) => format!(" with {depth} requests in flight"),
        (depth, Refill::Batches) => format!(" in batches of {depth} requests"),
    };
    let renewed = request.renew_after.map_or(String::new(), |requests| {
        format!(", new after {requests} requests")
    });
    format!(
        "loading {url} over {} connections{depth}{renewed}, {how_long}{by}{how}",
        request.connections
    )
}

fn status(outcome: &Outcome) -> u8 {
    match &outcome.fault {
        _ if outcome.interrupted => failure::INTERRUPTED,
        Some(fault) if fault.kind == FaultKind::Instrument => failure::OUTSIDE,
        // The server was not there.
        Some(fault) if fault.kind == FaultKind::Died && outcome.reading.requests.sent == 0 => {
            failure::OUTSIDE
        }
        Some(_) => failure::MISBEHAVED,
        None => 0,
    }
}
