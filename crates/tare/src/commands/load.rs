//! `tare load`: the load generator by itself, or several servers against each other.

mod versus;

mod fleet;
mod live;
mod part;
mod there;

use std::time::Duration;

use tare_host::interrupt;
use tare_load::{Address, Cause, Length, Load, LoadConfig, LoadFault, Schedule, Target, Work, job};
use tare_model::fault::Fault;
use tare_model::manifest::Job;
use tare_model::measure::LoadReading;
use tare_model::metric::Metric;
use tare_model::units::{Bytes, PerSecond, Seconds};

use crate::args::LoadArgs;
use crate::commands::target;
use crate::context::{self, Context};
use crate::failure::{self, Failure};

/// At least this busy, the generator itself is the bound (docs/method.md, saturation).
const LOAD_BUSY: f64 = 0.90;

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
    let processes = fleet::processes(args)?;
    if args.more.part.is_none()
        && let Some(remark) = there::remark(&target.address, schedule(args)?.connections())
    {
        context.say(format!("note: {remark}"));
    }
    if processes > 1 {
        context.say(announcement(args));
        context.say(format!("by {processes} generator processes"));
        let outcome = fleet::drive(args, url, processes)?;
        return tell(context, args, &outcome);
    }
    let schedule = schedule(args)?;
    for remark in tare_load::limits::check(&schedule, &target.address).map_err(Failure::outside)? {
        context.say(format!("note: {remark}"));
    }
    let work = work(args, &target.job, &target.address)?;
    let cores = args.cores.as_ref().map(|cores| cores.0.clone());
    let mut load = Load::new(LoadConfig {
        cores: cores.unwrap_or_default(),
        timeout: args.timeout.0,
        seed: 1,
        ..LoadConfig::default()
    });
    let mut target = Target::new(target.address, work);
    if let Some(number) = args.more.part {
        return fleet::be_part(number, &mut load, target, &schedule, |load, target| {
            drive(load, target, &schedule, args)
        });
    }
    context.say(announcement(args));
    let live = if context.common.quiet {
        None
    } else {
        live::show(load.onlooker())
    };
    let outcome = drive(&mut load, &mut target, &schedule, args);
    drop(live);
    tell(context, args, &outcome)
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

fn tell(context: &Context, args: &LoadArgs, outcome: &Outcome) -> Result<u8, Failure> {
    match context.json() {
        true => context::put(&document(outcome))?,
        false => context::put(&text(outcome, args))?,
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

fn announcement(args: &LoadArgs) -> String {
    let how_long = match (args.programs, args.requests) {
        (Some(programs), Some(requests)) => format!("{programs} programs, {requests} requests a connection"),
        (_, Some(requests)) => format!("{requests} requests"),
        _ => format!("for {} s", duration(args).as_secs_f64()),
    };
    format!(
        "loading {} over {} connections, {how_long}",
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

const QUANTILES: [(&str, f64); 5] = [
    ("latency_p50", 0.5),
    ("latency_p90", 0.9),
    ("latency_p99", 0.99),
    ("latency_p999", 0.999),
    ("latency_max", 1.0),
];

/// What `--latency` lists.
const SPECTRUM: [f64; 10] = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999, 0.999999, 1.0];

/// A share of the answers, the latency that it did not exceed, and how many took longer; none where it would say no
/// more than the greatest one does.
fn spectrum_line(reading: &LoadReading, q: f64) -> Option<String> {
    let beyond = (reading.latency.count() as f64 * (1.0 - q)).round();
    let latency = quantile(reading, q).filter(|_| beyond >= 1.0 || q >= 1.0)?;
    let percent = format!("{}%", (q * 1e8).round() / 1e6);
    Some(format!(
        "  {percent:>9}  {:<10} {beyond:.0} took longer",
        latency.to_string()
    ))
}

fn quantile(reading: &LoadReading, q: f64) -> Option<Seconds> {
    reading.latency.quantile(q).map(Seconds::from_nanos)
}

fn throughput(reading: &LoadReading) -> f64 {
    if reading.wall.0 > 0.0 {
        reading.answers as f64 / reading.wall.0
    } else {
        0.0
    }
}

fn cpu_per_op(reading: &LoadReading) -> Option<f64> {
    let right = reading.books.right;
    (right > 0).then(|| reading.cpu.0 / right as f64)
}

fn bound(reading: &LoadReading) -> &'static str {
    if reading.busy.0 >= LOAD_BUSY {
        "load"
    } else {
        "neither"
    }
}

fn text(outcome: &Outcome, args: &LoadArgs) -> String {
    let reading = &outcome.reading;
    let books = reading.books;
    let mut lines = vec![
        format!(
            "answers     {} right of {} sent, {} wrong, {} lost; {:.0}% checked whole",
            books.right,
            books.sent,
            books.wrong,
            books.lost,
            reading.checked.0 * 100.0
        ),
        format!(
            "throughput  {} over {}",
            PerSecond(throughput(reading)),
            reading.wall
        ),
    ];
    let quantiles: Vec<String> = QUANTILES
        .iter()
        .filter_map(|(name, q)| Some(format!("{} {}", short_name(name), quantile(reading, *q)?)))
        .collect();
    if !quantiles.is_empty() {
        lines.push(format!("latency     {}", quantiles.join(", ")));
    }
    if args.more.latency {
        lines.extend(SPECTRUM.iter().filter_map(|&q| spectrum_line(reading, q)));
    }
    if args.rate.is_some()
        && let Some((median, tail)) = reading.lag.quantile(0.5).zip(reading.lag.quantile(0.999))
    {
        let (median, tail) = (Seconds::from_nanos(median), Seconds::from_nanos(tail));
        lines.push(format!(
            "send lag    p50 {median}, p99.9 {tail} (counted in the latency)"
        ));
    }
    if !reading.programs.is_empty() {
        lines.push(format!("programs    {}", programs(&reading.programs)));
    }
    lines.push(format!(
        "bytes       {} out, {} in",
        Bytes(reading.bytes_out.0),
        Bytes(reading.bytes_in.0)
    ));
    let per_op = cpu_per_op(reading)
        .map(|cpu| Metric::CpuPerOp.show(cpu))
        .unwrap_or_else(|| "none".to_owned());
    let busy = reading.busy.0 * 100.0;
    lines.push(match bound(reading) {
        "load" => {
            format!("bound       the load generator ({busy:.0}% busy): the server may be faster than this")
        }
        _ => format!("bound       not the load generator ({busy:.0}% busy)"),
    });
    lines.push(format!("generator   {per_op} of CPU per answer"));
    if reading.overflows > 0 {
        lines.push(format!(
            "warning     the server's listen queue overflowed {} times",
            reading.overflows
        ));
    }
    if let Some(fault) = &outcome.fault {
        let detail = tare_report::escape::visible(&fault.detail);
        lines.push(format!(
            "\nstopped at the first fault ({}): {detail}",
            fault.kind.name()
        ));
    }
    if outcome.interrupted {
        lines.push("\ninterrupted: these are the figures until then".to_owned());
    }
    lines.join("\n") + "\n"
}

fn short_name(name: &str) -> &str {
    match name {
        "latency_p50" => "p50",
        "latency_p90" => "p90",
        "latency_p99" => "p99",
        "latency_p999" => "p99.9",
        _ => "max",
    }
}

fn programs(durations: &[Seconds]) -> String {
    let mean = durations.iter().map(|d| d.0).sum::<f64>() / durations.len() as f64;
    let least = durations.iter().map(|d| d.0).fold(f64::INFINITY, f64::min);
    let most = durations.iter().map(|d| d.0).fold(0.0, f64::max);
    format!(
        "{}, mean duration {} ({} to {})",
        durations.len(),
        Seconds(mean),
        Seconds(least),
        Seconds(most)
    )
}

fn document(outcome: &Outcome) -> String {
    let reading = &outcome.reading;
    let mut errors = serde_json::Map::new();
    if let Some(fault) = &outcome.fault {
        let count = (reading.books.wrong + reading.books.lost).max(1);
        errors.insert(
            fault.kind.name().to_owned(),
            serde_json::json!({"count": count, "first": fault.detail}),
        );
    }
    let mut document = serde_json::json!({
        "schema": 1,
        "answers": reading.books.right,
        "sent": reading.books.sent,
        "wrong": reading.books.wrong,
        "lost": reading.books.lost,
        "checked": reading.checked.0,
        "errors": errors,
        "wall": reading.wall.0,
        "throughput": throughput(reading),
        "cpu_per_op": cpu_per_op(reading),
        "busy": reading.busy.0,
        "bound": bound(reading),
        "bytes_out": reading.bytes_out.0,
        "bytes_in": reading.bytes_in.0,
        "overflows": reading.overflows,
        "retransmits": reading.retransmits,
        "programs": reading.programs.iter().map(|duration| duration.0).collect::<Vec<f64>>(),
        "interrupted": outcome.interrupted,
    });
    for (name, q) in QUANTILES {
        document[name] = serde_json::json!(quantile(reading, q).map(|latency| latency.0));
    }
    document["lag_p50"] = serde_json::json!(reading.lag.quantile(0.5).map(|lag| Seconds::from_nanos(lag).0));
    document["lag_p999"] =
        serde_json::json!(reading.lag.quantile(0.999).map(|lag| Seconds::from_nanos(lag).0));
    format!("{document:#}\n")
}
