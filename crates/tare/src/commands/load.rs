//! `tare load`: the load generator by itself, or several servers against each other.

mod awake;
mod fleet;
#[cfg(test)]
mod fuzz;
mod kept;
mod live;
mod refuse;
pub(in crate::commands) mod there;
mod versus;

use std::time::Duration;

use tare_host::interrupt;
use tare_load::{Length, Load, LoadConfig, Schedule, Target, Work, job};
use tare_model::fault::FaultKind;
use tare_model::manifest::Job;
use tare_model::units::PerSecond;
use tare_report::load as report;
use tare_rig::fleet::GeneratorOutcome as Outcome;

pub use crate::args::LoadArgs;
use crate::clock;
use crate::commands::target;
use crate::context::{self, Context};
use crate::failure::{self, Failure};
use crate::measure;
use awake::Waiting;

/// A load of one server: its arguments, and what they resolve to.
struct LoadCommand<'a> {
    args: &'a LoadArgs,
    url: &'a str,
    schedule: Schedule,
    /// The seed that was given, or drawn.
    seed: u64,
    /// How send times are waited for, where there are any.
    waiting: Option<Waiting>,
}

/// Runs it; the exit status.
pub fn run(context: &Context, args: &LoadArgs) -> Result<u8, Failure> {
    refuse::anywhere(args)?;
    let [url] = args.urls.as_slice() else {
        return versus::run(context, args);
    };
    refuse::of_one(context, args)?;
    let target = target::target(url, args)?;
    interrupt::install().map_err(Failure::outside)?;
    let mut order = LoadCommand {
        args,
        url,
        schedule: schedule(args)?,
        seed: seed(args),
        waiting: None,
    };
    if let Some(number) = args.more.part {
        let mut load = generator(&order, args.more.awake);
        let target = driven(args, target, order.seed)?;
        return fleet::take_part(number, &mut load, target, args, &order.schedule);
    }
    let processes = fleet::processes(args)?;
    // For all processes together, once.
    let remarks = tare_load::limits::check_shared(&order.schedule, &target.address, processes);
    let remarks = remarks.map_err(Failure::outside)?.into_iter();
    for remark in remarks.chain(there::remark(&target.address, order.schedule.connections())) {
        context.say(format!("note: {remark}"));
    }
    order.waiting = awake::waiting(args, &[&target.address], processes);
    context.say(announcement(&order, processes));
    let outcome = match processes {
        1 => alone(context, &order, target)?,
        _ => fleet::drive(context, &order, processes)?,
    };
    tell(context, &order, &outcome)
}

/// The seed that was given, or a drawn one: no two loads send in the same rhythm.
fn seed(args: &LoadArgs) -> u64 {
    args.versus.seed.unwrap_or_else(clock::seed)
}

/// Loads the server from this process.
fn alone(context: &Context, order: &LoadCommand<'_>, target: target::Target) -> Result<Outcome, Failure> {
    let mut load = generator(order, order.is_awake());
    let mut target = driven(order.args, target, order.seed)?;
    let onlooker = load.answer_counter();
    let _live = live::wanted(context).then(|| live::show(move || onlooker.answers()));
    let driven = load.run(
        &mut target,
        &order.schedule,
        length(order.args),
        interrupt::flag(),
    );
    Ok(driven.into())
}

impl LoadCommand<'_> {
    /// Whether send times are waited for awake.
    fn is_awake(&self) -> bool {
        self.waiting.as_ref().is_some_and(|waiting| waiting.awake)
    }
}

fn generator(order: &LoadCommand<'_>, awake: bool) -> Load {
    let args = order.args;
    let cores = args.cores.as_ref().map(|cores| cores.0.clone());
    Load::new(LoadConfig {
        cores: cores.unwrap_or_default(),
        own_cores: awake,
        timeout: args.timeout.0,
        seed: order.seed,
        turn: (args.more.part.unwrap_or(0), args.more.parts),
    })
}

/// The server with the requests that the options ask for.
fn driven(args: &LoadArgs, target: target::Target, seed: u64) -> Result<Target, Failure> {
    let work = match &target.job {
        Job::Http(http) => Work::http_with(http, &target.address, &target.asked),
        other => Work::new(other, &target.address, seed),
    };
    let share = if args.more.check_whole { 1.0 } else { job::WHOLE };
    let work = work.map_err(Failure::usage)?.sampled(share);
    let work = if args.more.fresh { work.fresh() } else { work };
    Ok(Target::new(target.address, work))
}

fn tell(context: &Context, order: &LoadCommand<'_>, outcome: &Outcome) -> Result<u8, Failure> {
    let args = order.args;
    let load = report::Load {
        reading: &outcome.reading,
        fault: outcome.fault.as_ref(),
        interrupted: outcome.interrupted,
        rate: args.rate.map(|rate| PerSecond(rate.0)),
        seed: order.seed,
        waiting: order.waiting.as_ref().map(Waiting::reported),
        any_body: args.more.any_body,
        spectrum: args.more.latency,
    };
    let document = || report::document(&load);
    if context.json() {
        context::put(&document())?;
    } else {
        context::put(&report::text(&load))?;
    }
    measure::write(args.versus.exports.export_json.as_deref(), &document)?;
    Ok(status(outcome))
}

fn schedule(args: &LoadArgs) -> Result<Schedule, Failure> {
    let (connections, depth) = (args.connections, args.pipeline);
    match (args.programs, args.rate) {
        (Some(_), Some(_)) => Err(Failure::usage(
            "a batch has no rate: give either --programs or --rate",
        )),
        (Some(programs), None) => {
            let requests = u32::try_from(args.requests.unwrap_or(1)).map_err(Failure::usage)?;
            Ok(Schedule::Batch {
                programs,
                connections,
                requests,
                depth,
            })
        }
        (None, Some(rate)) => Ok(Schedule::Cost {
            connections,
            depth,
            rate: PerSecond(rate.0),
        }),
        (None, None) => Ok(Schedule::Capacity { connections, depth }),
    }
}

fn announcement(order: &LoadCommand<'_>, processes: u32) -> String {
    let args = order.args;
    let how_long = match (args.programs, args.requests) {
        (Some(programs), Some(requests)) => format!("{programs} programs, {requests} requests a connection"),
        (_, Some(requests)) => format!("{requests} requests"),
        _ => format!("for {} s", duration(args).as_secs_f64()),
    };
    let by = match processes {
        1 => String::new(),
        _ => format!(", by {processes} generator processes"),
    };
    let how = order.waiting.as_ref().map_or(String::new(), |waiting| {
        format!("; waiting for send times {}", waiting.why)
    });
    format!(
        "loading {} over {} connections, {how_long}{by}{how}",
        order.url, args.connections
    )
}

fn duration(args: &LoadArgs) -> Duration {
    args.duration
        .map_or(Duration::from_secs(10), |duration| duration.0)
}

fn length(args: &LoadArgs) -> Length {
    match args.requests {
        // No one waits longer than a day for a number of requests.
        Some(requests) => Length::answers(requests, Duration::from_secs(86_400)),
        None => Length {
            at_least_answers: 0,
            // A rate beyond what the server sustains is offered on purpose: its throughput is the answer, and the
            // requests that were not sent are reported.
            drops: true,
            ..Length::time(duration(args))
        },
    }
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
