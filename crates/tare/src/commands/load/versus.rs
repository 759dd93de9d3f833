//! `tare load URL_A URL_B`: servers that run already, against each other in interleaved slices.

use tare_host::lock::Lock;
use tare_host::{groups, interrupt, machine};
use tare_lab::plan::{Group, ModePlan, Plan, Rules};
use tare_load::{Address, LoadConfig};
use tare_model::ids::ContenderId;
use tare_model::manifest::{Job, ModeDriving};
use tare_model::metric::{Metric, Mode};
use tare_model::placement::Placement;
use tare_model::record::EntrantRecord;
use tare_model::results::Machine;
use tare_model::subject::Subject;
use tare_model::units::{PerSecond, Seconds};
use tare_prepare::naming;
use tare_report::{json, terminal};
use tare_rig::urls::{Server, UrlRig};

use super::awake::{self, Waiting};
use super::kept::{alpha, budget, margin, settings};
use super::{driven, refuse, schedule, seed};
use crate::args::LoadArgs;
use crate::commands::run::status;
use crate::commands::target;
use crate::context::{self, Context};
use crate::failure::Failure;
use crate::measure;
use crate::short_slices;

/// Rounds before those that count. How long the servers have been running is not known.
const WARM_UP: u32 = 10;

/// Answers in a slice at a rate: a median needs a hundred, and the length of slices varies by a tenth.
const ANSWERS: f64 = 120.0;

/// The longest slice, in seconds. A rate so low that it would have to be longer yields no median.
const LONGEST: f64 = 5.0;

/// Runs it; the exit status.
pub fn run(context: &Context, args: &LoadArgs) -> Result<u8, Failure> {
    refuse::of_several(context, args)?;
    let seed = seed(args);
    let (ids, servers) = servers(args, seed)?;
    let mut remarks: Vec<String> = Vec::new();
    for server in &servers {
        let found = tare_load::limits::check(&schedule(args)?, server.target.address());
        remarks.extend(found.map_err(Failure::outside)?);
    }
    remarks.dedup();
    remarks
        .iter()
        .for_each(|remark| context.say(format!("note: {remark}")));
    let waiting = {
        let addresses: Vec<&Address> = servers.iter().map(|server| server.target.address()).collect();
        awake::waiting(args, &addresses, 1)
    };
    let awake = waiting.as_ref().is_some_and(|waiting| waiting.awake);
    interrupt::install().map_err(Failure::outside)?;
    let state = context.kept()?;
    let lock = Lock::take(&state, &args.urls.join(" ")).map_err(Failure::outside)?;
    let config = LoadConfig {
        cores: cores(args),
        own_cores: awake,
        timeout: args.timeout.0,
        seed,
        ..LoadConfig::default()
    };
    let plan = plan(args, &ids, &servers, seed, awake)?;
    let mut rig = UrlRig::new(interrupt::flag(), servers, config);
    let new_run = measure::new_run(machine_here()?, settings(args, seed));
    let compared = measure::compare(context, &state, &plan, &mut rig, &new_run, |_| {
        notes(args, waiting.as_ref())
    })?;
    drop(lock);
    if context.json() {
        context::put(&json::render(&compared.results))?
    } else {
        context::put(&terminal::render(&compared.results, context.terminal()))?
    }
    measure::export(&args.versus.exports, &compared.results, None)?;
    Ok(status(
        &compared.outcome,
        &compared.results,
        args.versus.fail_if.as_ref(),
    ))
}

fn servers(args: &LoadArgs, seed: u64) -> Result<(Vec<ContenderId>, Vec<Server>), Failure> {
    let one = |url: &String| -> Result<(Job, Server), Failure> {
        let target = target::target(url, args)?;
        let job = target.job.clone();
        let server = Server {
            url: url.clone(),
            target: driven(args, target, seed)?,
        };
        Ok((job, server))
    };
    let servers: Vec<(Job, Server)> = args.urls.iter().map(one).collect::<Result<_, _>>()?;
    let kind = |server: &(Job, Server)| std::mem::discriminant(&server.0);
    if servers.windows(2).any(|pair| kind(&pair[0]) != kind(&pair[1])) {
        return Err(Failure::usage(
            "http:// and tcp:// servers do not do the same, and cannot be compared",
        ));
    }
    let called = |url: &String| {
        url.split_once("://")
            .map_or(url.clone(), |(_, rest)| rest.to_owned())
    };
    let texts: Vec<String> = args.urls.iter().map(called).collect();
    let ids = naming::all(&args.versus.names, &texts, "server").map_err(Failure::usage)?;
    let gated = args.versus.fail_if.as_ref().and_then(|gate| gate.name.as_ref());
    // The gate must name one of them.
    naming::baseline(gated, &ids).map_err(|error| Failure::usage(format!("--fail-if: {error}")))?;
    Ok((ids, servers.into_iter().map(|(_, server)| server).collect()))
}

fn cores(args: &LoadArgs) -> Vec<u32> {
    args.cores
        .as_ref()
        .map(|cores| cores.0.clone())
        .unwrap_or_default()
}

#[expect(
    clippy::too_many_lines,
    reason = "nothing but the parts of a plan, each named"
)]
fn plan(
    args: &LoadArgs,
    ids: &[ContenderId],
    servers: &[Server],
    seed: u64,
    awake: bool,
) -> Result<Plan, Failure> {
    // At one rate for all, what differs is how long an answer takes.
    let (mode, primary) = match args.rate {
        Some(_) => (Mode::Cost, Metric::LatencyP50),
        None => (Mode::Capacity, Metric::Throughput),
    };
    let driving = ModeDriving {
        mode,
        primary,
        connections: vec![args.connections],
        depth: args.pipeline,
        programs: 1,
        requests: 1,
    };
    let load = match args.cores {
        Some(_) => cores(args),
        None => machine::cores(),
    };
    let baseline = naming::baseline(args.versus.baseline.as_ref(), ids).map_err(Failure::usage)?;
    let group = Group {
        workload: "load".to_owned(),
        summary: "Servers that ran already; neither frozen nor accounted".to_owned(),
        case: "servers".to_owned(),
        case_summary: String::new(),
        in_process: false,
        awake,
        placement: Placement {
            load,
            ..Placement::default()
        },
        floor: None,
        baseline: Some(baseline),
        entrants: ids
            .iter()
            .zip(servers)
            .map(|(id, server)| entrant(id, server))
            .collect(),
        warm_up: ModeDriving {
            mode: Mode::Capacity,
            depth: if mode == Mode::Cost { 1 } else { args.pipeline },
            ..driving.clone()
        },
        warm_up_rounds: Some(WARM_UP),
        modes: vec![ModePlan {
            driving,
            rate: args.rate.map(|rate| PerSecond(rate.0)),
            published: Vec::new(),
            claims: Vec::new(),
        }],
        sweep: None,
        prior: Vec::new(),
    };
    let rules = Rules {
        budget: Some(Seconds::from_duration(budget(args))),
        // Tare does not start them.
        launches: Some(1),
        alpha: alpha(args),
        margin: margin(args),
        seed,
        slice: slice(args),
        ..short_slices::of(Rules::default())
    };
    Ok(Plan {
        groups: vec![group],
        rules,
    })
}

/// Length of a slice: at a rate, long enough for the answers that a median needs.
fn slice(args: &LoadArgs) -> Seconds {
    let usual = short_slices::of(Rules::default()).slice;
    args.rate
        .map_or(usual, |rate| Seconds((ANSWERS / rate.0).clamp(usual.0, LONGEST)))
}

fn entrant(id: &ContenderId, server: &Server) -> EntrantRecord {
    EntrantRecord {
        id: id.clone(),
        summary: server.url.clone(),
        subject: Subject::Server {
            url: server.url.clone(),
        },
        fault: None,
        fault_launch: None,
    }
}

fn machine_here() -> Result<Machine, Failure> {
    let grouping = groups::detect(Some(groups::Backing::Plain)).map_err(Failure::outside)?;
    Ok(Machine {
        freezer: "none".to_owned(),
        accounting: "none".to_owned(),
        ..machine::machine(&grouping)
    })
}

fn notes(args: &LoadArgs, waiting: Option<&Waiting>) -> Vec<String> {
    let mut notes = vec![
        "the servers were started by somebody else: one start of each, whatever it drew, is all that is known here"
            .to_owned(),
    ];
    notes.extend(waiting.map(|waiting| format!("the load waited for send times {}", waiting.why)));
    if args.more.any_body {
        notes.push("bodies were not looked at: only the status of answers, and where they end".to_owned());
    } else if args.expect.is_none()
        && args
            .urls
            .iter()
            .any(|url| !url.to_ascii_lowercase().starts_with("tcp"))
    {
        notes.push(
            "each server's answers were held against its own first, not against the others'".to_owned(),
        );
    }
    notes
}
