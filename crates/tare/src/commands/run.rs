//! `tare run`: the main job.

mod resume;

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tare_analysis as analysis;
use tare_host::machine;
use tare_host::revisions::Repository;
use tare_lab::plan::{Group, Plan, Rules};
use tare_lab::run::Outcome;
use tare_lab::sink::Done;
use tare_load::Address;
use tare_model::fault::FaultKind;
use tare_model::manifest::Lab;
use tare_model::metric::Mode;
use tare_model::record::{ArenaRecord, EntrantRecord, RunRecord};
use tare_model::results::{Placement, Results, State, Verdict};
use tare_model::settings::{Kind, Settings};
use tare_model::units::{PerSecond, Seconds};
use tare_report::{html, json, terminal};
use tare_rig::RealRig;

use crate::args::RunArgs;
use crate::commands::bench::{Bench, Readied, short};
use crate::commands::weigh::{self, Measurement};
use crate::context::{self, Context};
use crate::failure::{self, Failure};
use crate::planning;
use crate::prepare::{self, Chosen};
use crate::values::FailIf;

/// Runs it; the exit status.
pub fn run(context: &Context, args: &RunArgs) -> Result<u8, Failure> {
    if !context.text_or_json() {
        return Err(
            Failure::usage("`tare run` prints text or json").hint("other formats: `tare report --format …`")
        );
    }
    let bench = Bench::open(context)?;
    // For `tare history`; a lab need not be in a repository.
    let revision = Repository::of(&bench.lab.folder).and_then(|repository| repository.working_tree());
    let revision = revision.ok().map(|revision| revision.describe());
    let tell = |record: &RunRecord| tell(context, args, &bench, record);
    let Some(which) = &args.resume else {
        let chosen = choose(&bench.lab, args)?;
        let settings = settings(args, Kind::Run, &chosen, revision)?;
        return go(context, args, &bench, chosen, (settings, &[]), &tell);
    };
    let earlier = resume::earlier(&bench, args, which, revision.as_deref())?;
    let chosen = choose(&bench.lab, &earlier.args)?;
    earlier.refuse_other_question(&chosen)?;
    let mut settings = settings(&earlier.args, Kind::Run, &chosen, revision)?;
    if let Some(asked) = &mut settings.contenders {
        asked.resumes = Some(earlier.id.clone());
    }
    go(
        context,
        &earlier.args,
        &bench,
        chosen,
        (settings, &earlier.arenas),
        &tell,
    )
}

fn choose(lab: &Lab, args: &RunArgs) -> Result<Vec<Chosen>, Failure> {
    prepare::by_default(prepare::choose(lab, &args.choice)?, &args.choice)
}

/// Measures what was chosen and keeps it; `prior`: what an earlier run left, `tell`: what is made of the record. The exit
/// status.
pub fn go(
    context: &Context,
    args: &RunArgs,
    bench: &Bench,
    chosen: Vec<Chosen>,
    (settings, prior): (Settings, &[ArenaRecord]),
    tell: &dyn Fn(&RunRecord) -> Result<Results, Failure>,
) -> Result<u8, Failure> {
    let seed = args.seed.unwrap_or_else(|| now().as_nanos() as u64 & 0xffff_ffff);
    refuse_nonsense(&bench.lab, &chosen, args)?;
    let ready = bench.ready(context, chosen, args.choice.install, Some(args))?;
    let (ready, services) = (ready.cases, ready.services);
    if bench.cancelled() {
        return Err(failure::interrupted());
    }
    let mut plan = Plan {
        groups: groups(&bench.lab, &ready, args)?,
        rules: rules(args, seed),
    };
    let mut remarks = limits(&mut plan)?;
    resume::take_over(&mut plan, prior)?;
    remarks.extend(bench.grouping.less_exact());
    let timeout = args.timeout.0;
    let rig_groups = ready
        .iter()
        .map(|readied| readied.rig_group(timeout, seed))
        .collect();
    let mut rig = RealRig::new(&bench.keeper, bench.cancel, rig_groups).with_services(services);
    let measurement = Measurement {
        plan: &plan,
        rig: &mut rig,
        remarks: &remarks,
    };
    let settings = Settings {
        seed: Some(seed),
        ..settings
    };
    let new_run = weigh::new_run(machine::machine(&bench.grouping), settings);
    let (record, outcome) = measurement.make(context, &bench.state, &new_run, |rig| {
        let notes = rig.stop_services();
        notes.iter().for_each(|note| context.say(format!("note: {note}")));
        notes
    })?;
    let results = tell(&record)?;
    Ok(status(&outcome, &results, args.fail_if.as_ref()))
}

/// Asks before anything is started whether this machine can carry the load of every mode. Levels that it cannot are
/// left out; returns what there is to remark.
fn limits(plan: &mut Plan) -> Result<Vec<String>, Failure> {
    // Every contender listens on a loopback port of its own; which one makes no difference to the limits.
    let address = Address::loopback(1);
    let mut remarks = Vec::new();
    let over_sockets = plan.groups.iter_mut().filter(|group| !group.in_process);
    for group in over_sockets {
        let resident = group
            .entrants
            .iter()
            .filter(|entrant| entrant.fault.is_none())
            .count();
        for mode in &mut group.modes {
            let driving = &mut mode.driving;
            if driving.mode != Mode::Batch {
                let cut = tare_load::limits::cut(&driving.connections, resident as u32, &address);
                let cut = cut.map_err(Failure::outside)?;
                let place = format!("{}/{}", group.workload, group.case);
                remarks.extend(
                    cut.remark
                        .map(|remark| format!("{place}, {}: {remark}", driving.mode)),
                );
                driving.connections = cut.levels;
            }
            let schedule = planning::schedule(driving);
            remarks.extend(tare_load::limits::check(&schedule, &address).map_err(Failure::outside)?);
        }
    }
    Ok(remarks)
}

pub fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Whether a plan can be made of what was asked for: told now, since builds may take minutes.
fn refuse_nonsense(lab: &Lab, chosen: &[Chosen], args: &RunArgs) -> Result<(), Failure> {
    for one in chosen {
        let placement = planning::placement(one.case.placement, &machine::cores(), Some(args))?;
        let entrants = one.contenders.iter().map(planning::entrant).collect();
        group(lab, one, entrants, placement, args)?;
    }
    Ok(())
}

fn groups(lab: &Lab, ready: &[Readied], args: &RunArgs) -> Result<Vec<Group>, Failure> {
    let of = |readied: &Readied| {
        let (entrants, placement) = (readied.entrants.clone(), readied.placement.clone());
        group(lab, &readied.chosen, entrants, placement, args)
    };
    ready.iter().map(of).collect()
}

fn group(
    lab: &Lab,
    chosen: &Chosen,
    entrants: Vec<EntrantRecord>,
    placement: Placement,
    args: &RunArgs,
) -> Result<Group, Failure> {
    let reported = lab.published(&chosen.workload).map_err(Failure::usage)?;
    planning::group(
        &chosen.workload,
        &chosen.case,
        entrants,
        placement,
        &reported,
        args,
    )
}

fn rules(args: &RunArgs, seed: u64) -> Rules {
    let budget = args
        .until
        .is_none()
        .then(|| Seconds::from_duration(args.budget.0));
    Rules {
        budget,
        launches: args.launches,
        rounds: args.rounds,
        alpha: args.alpha.0,
        margin: args.margin.0,
        seed,
        ..Rules::default()
    }
}

/// What is kept of a run's question and of how it is driven: that it can be asked again, and in the same way.
pub fn settings(
    args: &RunArgs,
    kind: Kind,
    chosen: &[Chosen],
    revision: Option<String>,
) -> Result<Settings, Failure> {
    let budget = args.until.is_none().then_some(args.budget.0);
    Ok(Settings {
        kind,
        budget: budget.map(Seconds::from_duration),
        margin: Some(args.margin.0),
        alpha: Some(args.alpha.0),
        timeout: Some(Seconds::from_duration(args.timeout.0)),
        launches: args.launches,
        rounds: args.rounds,
        rate: args.rate.map(|rate| PerSecond(rate.0)),
        revision,
        contenders: Some(resume::settings(chosen, args)?),
        ..Settings::default()
    })
}

/// The table on standard output, the report in a file.
fn tell(context: &Context, args: &RunArgs, bench: &Bench, record: &RunRecord) -> Result<Results, Failure> {
    let results = analysis::results(record);
    match context.json() {
        true => context::put(&json::render(&results))?,
        false => context::put(&terminal::render(&results, context.terminal()))?,
    }
    page(context, args.out.as_deref(), bench, &results)?;
    Ok(results)
}

/// Writes the report: where it was asked for, else among the lab's.
pub fn page(context: &Context, out: Option<&Path>, bench: &Bench, results: &Results) -> Result<(), Failure> {
    let default = || {
        bench
            .state
            .join("reports")
            .join(format!("{}.html", results.run.id))
    };
    let path = out.map_or_else(default, Path::to_owned);
    context::write(&path, html::render(results).as_bytes())?;
    context.say(format!("report: {}", short(&path)));
    Ok(())
}

/// The exit status: an interruption, then what contenders did, then what failed outside, then the gate.
pub fn status(outcome: &Outcome, results: &Results, gate: Option<&FailIf>) -> u8 {
    if outcome.done.contains(&Done::Interrupted) {
        return failure::INTERRUPTED;
    }
    let contenders = || results.workloads.iter().flat_map(|workload| &workload.contenders);
    let of_kind = |wanted: fn(FaultKind) -> bool| {
        contenders().any(|contender| contender.fault.as_ref().is_some_and(|fault| wanted(fault.kind)))
    };
    let misbehaved = |kind| {
        use FaultKind::*;
        matches!(
            kind,
            Died | Hung | Wrong | Unasked | ClosedEarly | Implausible | NotPaused
        )
    };
    let failed = |kind| {
        use FaultKind::*;
        matches!(
            kind,
            BuildFailed | DiedAtStart | NeverReady | NoService | ServiceDied
        )
    };
    let instrument = contenders().any(|contender| {
        contender.state == State::Failed
            && contender
                .fault
                .as_ref()
                .is_some_and(|fault| fault.kind == FaultKind::Instrument)
    });
    if of_kind(misbehaved) {
        failure::MISBEHAVED
    } else if of_kind(failed) || instrument {
        failure::OUTSIDE
    } else if gate.is_some_and(|gate| !holds(gate, results)) {
        failure::GATE
    } else {
        0
    }
}

/// Whether a gate holds: no contender is slower than the baseline (`not-proven`: nor inconclusive). A contender that
/// the gate names must have been compared at all.
pub fn holds(gate: &FailIf, results: &Results) -> bool {
    let all = results
        .workloads
        .iter()
        .flat_map(|workload| &workload.comparisons);
    let named = |id: &tare_model::ids::ContenderId| gate.name.as_ref().is_none_or(|name| name == id);
    let mut mine = all
        .filter(|comparison| comparison.primary && named(&comparison.a))
        .peekable();
    // What the generator was too late to judge is not proven either.
    if gate.not_proven && unjudged(gate, results) {
        return false;
    }
    if mine.peek().is_none() {
        return !gate.not_proven && gate.name.is_none();
    }
    mine.all(|comparison| match comparison.verdict {
        Verdict::Slower => false,
        Verdict::Inconclusive => !gate.not_proven,
        Verdict::Faster | Verdict::Equivalent => true,
    })
}

/// Whether the generator was too late for a verdict that the gate is about.
fn unjudged(gate: &FailIf, results: &Results) -> bool {
    results.workloads.iter().any(|workload| {
        let asked =
            |id| gate.name.as_ref().is_none_or(|name| name == id) || workload.baseline.as_ref() == Some(id);
        workload
            .contenders
            .iter()
            .any(|contender| asked(&contender.id) && contender.late_on(workload.primary))
    })
}
