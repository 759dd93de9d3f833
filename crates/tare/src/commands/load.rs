//! `tare load`: the load generator by itself, or several servers against each other.

mod awake;
mod fleet;
#[cfg(test)]
mod fuzz;
mod live;
mod part;
pub(in crate::commands) mod there;
mod told;
mod versus;

use std::time::Duration;

use tare_host::interrupt;
use tare_load::{Address, Cause, Length, Load, LoadConfig, LoadFault, Schedule, Target, Work, job};
use tare_model::fault::Fault;
use tare_model::manifest::Job;
use tare_model::measure::LoadReading;
use tare_model::units::PerSecond;

use crate::args::LoadArgs;
use crate::commands::target;
use crate::context::{self, Context};
use crate::failure::{self, Failure};
use awake::Waiting;

/// What became of it.
struct Outcome {
    reading: LoadReading,
    fault: Option<Fault>,
    interrupted: bool,
}

impl From<LoadFault> for Outcome {
    fn from(failed: LoadFault) -> Self {
        Self {
            reading: *failed.reading,
            interrupted: failed.cause == Cause::Interrupted,
            fault: match failed.cause {
                Cause::Fault(fault) => Some(fault),
                Cause::Interrupted => None,
            },
        }
    }
}

/// Runs it; the exit status.
pub fn run(context: &Context, args: &LoadArgs) -> Result<u8, Failure> {
    let [url] = args.urls.as_slice() else {
        return versus::run(context, args);
    };
    let target = target::target(url, args)?;
    interrupt::install().map_err(Failure::outside)?;
    let schedule = schedule(args)?;
    if let Some(number) = args.more.part {
        let mut load = generator(args, args.more.awake);
        let work = work(args, &target.job, &target.address)?;
        let target = Target::new(target.address, work);
        return fleet::be_part(number, &mut load, target, args, &schedule);
    }
    let processes = fleet::processes(args)?;
    // Of all processes together, and once.
    let remarks = tare_load::limits::check_shared(&schedule, &target.address, processes);
    let remarks = remarks.map_err(Failure::outside)?.into_iter();
    for remark in remarks.chain(there::remark(&target.address, schedule.connections())) {
        context.say(format!("note: {remark}"));
    }
    let waiting = awake::waiting(args, &[&target.address], processes);
    context.say(announcement(args, processes, waiting.as_ref()));
    let outcome = match processes {
        1 => alone(context, args, target, &schedule, waiting.as_ref())?,
        _ => fleet::drive(context, args, url, processes, waiting.as_ref())?,
    };
    tell(context, args, &outcome, waiting.as_ref())
}

/// By this process.
fn alone(
    context: &Context,
    args: &LoadArgs,
    target: target::Target,
    schedule: &Schedule,
    waiting: Option<&Waiting>,
) -> Result<Outcome, Failure> {
    let mut load = generator(args, waiting.is_some_and(|waiting| waiting.awake));
    let work = work(args, &target.job, &target.address)?;
    let mut target = Target::new(target.address, work);
    let onlooker = load.onlooker();
    let _live = live::wanted(context).then(|| live::show(move || onlooker.answers()));
    Ok(drive(&mut load, &mut target, schedule, args))
}

fn generator(args: &LoadArgs, awake: bool) -> Load {
    let cores = args.cores.as_ref().map(|cores| cores.0.clone());
    Load::new(LoadConfig {
        cores: cores.unwrap_or_default(),
        own_cores: awake,
        timeout: args.timeout.0,
        seed: 1,
    })
}

/// The job's requests, as the options have them.
fn work(args: &LoadArgs, job: &Job, address: &Address) -> Result<Work, Failure> {
    let work = match job {
        Job::Http(http) => Work::http_of_status(http, address, args.more.status),
        other => Work::new(other, address, 1),
    };
    let work = work.map_err(Failure::usage)?.sampled(job::WHOLE);
    Ok(if args.more.fresh { work.fresh() } else { work })
}

fn tell(
    context: &Context,
    args: &LoadArgs,
    outcome: &Outcome,
    waiting: Option<&Waiting>,
) -> Result<u8, Failure> {
    match context.json() {
        true => context::put(&told::document(outcome, waiting))?,
        false => context::put(&told::text(outcome, args, waiting))?,
    }
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

fn announcement(args: &LoadArgs, processes: u32, waiting: Option<&Waiting>) -> String {
    let how_long = match (args.programs, args.requests) {
        (Some(programs), Some(requests)) => format!("{programs} programs, {requests} requests a connection"),
        (_, Some(requests)) => format!("{requests} requests"),
        _ => format!("for {} s", duration(args).as_secs_f64()),
    };
    let by = match processes {
        1 => String::new(),
        _ => format!(", by {processes} generator processes"),
    };
    let how = waiting.map_or(String::new(), |waiting| {
        format!("; waiting for send times {}", waiting.why)
    });
    format!(
        "loading {} over {} connections, {how_long}{by}{how}",
        args.urls.join(", "),
        args.connections
    )
}

fn duration(args: &LoadArgs) -> Duration {
    args.duration
        .map_or(Duration::from_secs(10), |duration| duration.0)
}

fn drive(load: &mut Load, target: &mut Target, schedule: &Schedule, args: &LoadArgs) -> Outcome {
    let length = match args.requests {
        // No one counts requests to wait for more than a day.
        Some(requests) => Length::answers(requests, Duration::from_secs(86_400)),
        None => Length {
            at_least_answers: 0,
            ..Length::time(duration(args))
        },
    };
    match load.run(target, schedule, length, interrupt::flag()) {
        Ok(reading) => Outcome {
            reading,
            fault: None,
            interrupted: false,
        },
        Err(failed) => failed.into(),
    }
}

fn status(outcome: &Outcome) -> u8 {
    match &outcome.fault {
        _ if outcome.interrupted => failure::INTERRUPTED,
        Some(fault) if fault.kind == tare_model::fault::FaultKind::Instrument => failure::OUTSIDE,
        Some(_) => failure::MISBEHAVED,
        None => 0,
    }
}
