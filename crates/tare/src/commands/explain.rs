//! `tare explain`: why is one not as fast as another?

mod cast;
mod question;

use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use tare_host::machine;
use tare_lab::plan::{Group, Plan, Rules};
use tare_lab::run as lab_run;
use tare_lab::sink::{Done, Event, Sink, SinkError};
use tare_model::evidence::Evidence;
use tare_model::fault::FaultKind;
use tare_model::settings::{self, Kind, Settings};
use tare_model::units::Seconds;
use tare_report::{html, json, terminal};
use tare_rig::witness::{Onlooker, Witness};
use tare_rig::{RealRig, RigGroup};
use tare_store::{NewRun, Store};

use crate::args::ExplainArgs;
use crate::commands::bench::{Bench, short};
use crate::context::{self, Context};
use crate::explaining;
use crate::failure::{self, Failure};
use crate::progress::Progress;
use cast::Cast;
use question::Question;

/// More rounds than any budget holds: it is the budget that ends them.
const ROUNDS: u32 = 100_000;

/// Runs it; the exit status.
pub fn run(context: &Context, args: &ExplainArgs) -> Result<u8, Failure> {
    if !context.text_or_json() {
        return Err(Failure::usage("`tare explain` prints text or json")
            .hint("other formats: `tare report --format …`, whose reports carry explanations"));
    }
    let bench = Bench::open(context)?;
    let store = Store::open(bench.state.join("results.sqlite")).map_err(Failure::outside)?;
    let question = Question::ask(&bench.lab, &store, args)?;
    let ready = bench.ready(
        context,
        vec![question.chosen.clone()],
        args.install,
        Some(&question.options),
    )?;
    if bench.cancelled() {
        return Err(failure::interrupted());
    }
    let cast = Cast::of((context, &bench), ready, &question, args)?;
    if bench.cancelled() {
        return Err(failure::interrupted());
    }
    let began = Instant::now();
    let seen = look(context, &bench, &question, cast, args)?;
    let took = Seconds::from_duration(began.elapsed());
    let id = keep(&bench, &store, &question, &seen.evidence, took)?;
    tell(context, &bench, &store, &id, args)?;
    Ok(seen.status)
}

/// What was seen, and how it ended.
struct Seen {
    evidence: Evidence,
    status: u8,
}

fn look(
    context: &Context,
    bench: &Bench,
    question: &Question,
    cast: Cast,
    args: &ExplainArgs,
) -> Result<Seen, Failure> {
    let seed = args.seed.unwrap_or_else(|| now() as u64);
    let plan = Plan {
        groups: vec![cast.group],
        rules: rules(args, seed),
    };
    let rig_group: RigGroup = cast.rig_group;
    let mut rig = RealRig::new(&bench.keeper, bench.cancel, vec![rig_group]).with_services(cast.services);
    let folder = Recordings::make(&bench.state)?;
    let onlookers: Vec<Onlooker> = cast.onlookers;
    let mut witness = Witness::new(&mut rig, onlookers, folder.0.clone(), seed);
    let mut sink = Shown(Progress::new(context, &plan));
    let outcome = lab_run::run(&plan, &mut witness, &mut sink);
    context.say("reading back what was recorded …");
    let (subjects, notes) = witness.evidence();
    for note in rig.stop_services() {
        context.say(format!("note: {note}"));
    }
    if let Some(error) = outcome.sink_error {
        return Err(Failure::outside(error));
    }
    let faults: Vec<FaultKind> = subjects
        .iter()
        .filter_map(|one| one.fault.as_ref())
        .map(|fault| fault.kind)
        .collect();
    let group: &Group = &plan.groups[0];
    let evidence = Evidence {
        workload: group.workload.clone(),
        case: group.case.clone(),
        mode: group.modes[0].driving.mode,
        size: question.size,
        made: now(),
        cores: group.placement.contender.len() as u32,
        a: question.a.clone(),
        b: question.b.clone(),
        floor: question.floor.clone(),
        subjects,
        notes,
    };
    let status = match outcome.done.contains(&Done::Interrupted) {
        true => failure::INTERRUPTED,
        false => status(&faults),
    };
    Ok(Seen { evidence, status })
}

fn status(faults: &[FaultKind]) -> u8 {
    use FaultKind::*;
    let misbehaved = |kind: &FaultKind| {
        matches!(
            kind,
            Died | Hung | Wrong | Unasked | ClosedEarly | Implausible | NotPaused
        )
    };
    match faults {
        [] => 0,
        some if some.iter().any(misbehaved) => failure::MISBEHAVED,
        _ => failure::OUTSIDE,
    }
}

fn rules(args: &ExplainArgs, seed: u64) -> Rules {
    Rules {
        budget: Some(Seconds::from_duration(args.budget.0)),
        launches: Some(1),
        rounds: Some(args.rounds.unwrap_or(ROUNDS)),
        seed,
        evidence: true,
        ..Rules::default()
    }
}

/// Keeps the evidence with the run that was asked about, or with a run of its own.
fn keep(
    bench: &Bench,
    store: &Store,
    question: &Question,
    evidence: &Evidence,
    took: Seconds,
) -> Result<String, Failure> {
    let id = match &question.run {
        Some(id) => id.clone(),
        None => {
            let explains = settings::Question {
                workload: evidence.workload.clone(),
                case: evidence.case.clone(),
                a: evidence.a.clone(),
                b: evidence.b.clone(),
            };
            let new = NewRun {
                started: evidence.made,
                tare: env!("CARGO_PKG_VERSION").to_owned(),
                machine: machine::machine(&bench.grouping),
                settings: Settings {
                    kind: Kind::Explain,
                    explains: Some(explains),
                    ..Settings::default()
                },
                imported: None,
            };
            let writer = store.begin_run(&new).map_err(Failure::outside)?;
            let id = writer.id().to_owned();
            writer.finish(took, true, &[]).map_err(Failure::outside)?;
            id
        }
    };
    store.keep_evidence(&id, evidence).map_err(Failure::outside)?;
    Ok(id)
}

/// The last explanation of the run on standard output, the report in a file.
fn tell(
    context: &Context,
    bench: &Bench,
    store: &Store,
    id: &str,
    args: &ExplainArgs,
) -> Result<(), Failure> {
    let record = store.run(id).map_err(Failure::outside)?;
    let results = explaining::results(store, &record)?;
    if context.json() {
        context::put(&json::render(&results))?;
    } else if let Some(last) = results.explanations.last() {
        context::put(&terminal::explanation(last, context.terminal()))?;
    }
    let default = || bench.state.join("reports").join(format!("{id}.html"));
    let path = args.out.clone().unwrap_or_else(default);
    context::write(&path, html::render(&results).as_bytes())?;
    context.say(format!("report: {}", short(&path)));
    Ok(())
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_secs() as i64
}

/// Progress alone: rounds that are made to look into something are no rounds to be weighed.
struct Shown<'a>(Progress<'a>);

impl Sink for Shown<'_> {
    fn event(&mut self, event: &Event<'_>) -> Result<(), SinkError> {
        // How verdicts stand is no news here: there are none.
        if !matches!(event, Event::Standing { .. }) {
            self.0.event(event);
        }
        Ok(())
    }
}

/// The folder of recordings, which goes when they were read back.
struct Recordings(PathBuf);

impl Recordings {
    fn make(state: &Path) -> Result<Self, Failure> {
        let folder = state.join("recordings");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder)
            .map_err(|error| Failure::outside(format!("cannot make {}: {error}", folder.display())))?;
        Ok(Self(folder))
    }
}

impl Drop for Recordings {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
