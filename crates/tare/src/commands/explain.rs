//! `tare explain`: why one contender is not as fast as another.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use tare_host::{interrupt, machine};
use tare_lab::plan::{Group, Plan, Rules};
use tare_lab::run as lab_run;
use tare_lab::sink::{Done, Event, Sink, SinkError};
use tare_model::evidence::Evidence;
use tare_model::fault::FaultKind;
use tare_model::ids::{ContenderId, Selector};
use tare_model::manifest::Lab;
use tare_model::metric::Mode;
use tare_model::record::ArenaRecord;
use tare_model::settings::{self, RunKind, Settings};
use tare_model::units::{PerSecond, Seconds};
use tare_prepare::{Explanation, Question, Request, Supervision};
use tare_report::{html, json, terminal};
use tare_rig::RealRig;
use tare_rig::witness::Witness;
use tare_store::{NewRun, Store};

use crate::args::LoadOptions;
use crate::clock::{self, now};
use crate::context::{self, Context, short};
use crate::explaining;
use crate::failure::{self, Failure};
use crate::negotiated;
use crate::progress::Progress;
use crate::short_slices;
use crate::supervise::{self, Supervised};
use crate::values::{Cores, Span};
use crate::writable::refuse_unwritable;

/// Explain why one contender is not as fast as another: where its time goes, and how much of the gap that explains
#[derive(Debug, Clone, Args)]
pub struct ExplainArgs {
    /// A case, or a workload (its first case that has both); or a stored run, whose report will carry the explanation
    #[arg(value_name = "WORKLOAD[/CASE] | RUN")]
    pub what: String,
    /// Contender to start from
    #[arg(value_name = "A")]
    pub a: ContenderId,
    /// Contender to end at
    #[arg(value_name = "B")]
    pub b: ContenderId,
    /// The longest that it may measure, from the first start (without builds)
    #[arg(long, value_name = "TIME", default_value = "60s")]
    pub budget: Span,
    /// The highest number of rounds, each with up to three slices of each contender [default: what the budget holds]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub rounds: Option<u32>,
    /// The scale [default: the case's first]
    #[arg(long, value_name = "MODE")]
    pub mode: Option<Mode>,
    /// The size to compare at, where the case is measured over sizes [default: the largest]
    #[arg(long, value_name = "N")]
    pub size: Option<u64>,
    /// Connections
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub connections: Option<u32>,
    #[command(flatten)]
    pub load: LoadOptions,
    /// Install what is missing (Debian packages as root; tools into .tare/)
    #[arg(long)]
    pub install: bool,
    /// Where to write the HTML report [default: .tare/reports/RUN.html]
    #[arg(long, value_name = "PATH", alias = "export-html")]
    pub out: Option<PathBuf>,
}

impl ExplainArgs {
    /// The request that the options make, for the case that holds both contenders.
    pub fn request(&self, case: Selector) -> Request {
        let cores = |cores: &Option<Cores>| cores.as_ref().map(|cores| cores.0.clone());
        Request {
            choice: tare_prepare::Choice {
                workloads: vec![case],
                ..tare_prepare::Choice::default()
            },
            install: self.install,
            budget: Some(self.budget.0),
            rounds: self.rounds,
            launches: Some(1),
            alpha: tare_explain::ALPHA,
            modes: self.mode.into_iter().collect(),
            rate: self.load.rate.map(|rate| PerSecond(rate.0)),
            connections: self.connections.into_iter().collect(),
            depth: self.load.pipeline,
            cores_contender: cores(&self.load.cores_contender),
            cores_load: cores(&self.load.cores_load),
            seed: self.load.seed.unwrap_or_else(clock::seed),
            timeout: self.load.timeout.0,
            ..Request::default()
        }
    }
}

/// More rounds than any budget holds: the budget ends them.
const ROUNDS: u32 = 100_000;

/// Runs it; the exit status.
pub fn run(context: &Context, args: &ExplainArgs) -> Result<u8, Failure> {
    if !context.text_or_json() {
        return Err(Failure::usage("`tare explain` prints text or json")
            .hint("other formats: `tare report --format …`, whose reports carry explanations"));
    }
    refuse_unwritable(args.out.as_deref())?;
    let supervised = supervise::lab(context)?;
    let store = Store::open(supervised.supervision.state.join("results.sqlite")).map_err(Failure::outside)?;
    let (selector, run) = place(&supervised.lab, &store, args)?;
    let request = args.request(selector);
    let question = Question::of(&supervised.lab, &request, (&args.a, &args.b), args.size)?;
    let preparation = supervised.preparation();
    let ready = preparation.ready(vec![question.chosen.clone()], &request)?;
    failure::refuse_interrupted()?;
    let explanation = Explanation::prepare(&preparation, ready, &question, &request)?;
    failure::refuse_interrupted()?;
    let began = Instant::now();
    let seen = look(context, &supervised, &question, explanation, &request)?;
    let took = Seconds::from_duration(began.elapsed());
    let id = keep(&supervised.supervision, &store, run, &seen.evidence, took)?;
    tell(context, &supervised.supervision.state, &store, &id, args)?;
    Ok(seen.status)
}

/// The case that was named, or the case of a stored run that has both contenders.
fn place(lab: &Lab, store: &Store, args: &ExplainArgs) -> Result<(Selector, Option<String>), Failure> {
    let known = lab.workloads().map_err(Failure::usage)?;
    if let Ok(selector) = args.what.parse::<Selector>()
        && known.contains(&selector.workload)
    {
        return Ok((selector, None));
    }
    let record = store.run(&args.what).map_err(|error| {
        Failure::usage(format!(
            "`{}` is neither a workload of this lab nor a stored run: {error}",
            args.what
        ))
        .hint(format!("workloads are {}", known.join(", ")))
    })?;
    let meant = |asked: &ContenderId, id: &ContenderId| {
        id == asked || (asked.variant.is_none() && id.name == asked.name)
    };
    let has = |arena: &ArenaRecord, asked: &ContenderId| {
        arena.entrants.iter().any(|entrant| meant(asked, &entrant.id))
    };
    let arena = record
        .arenas
        .iter()
        .find(|arena| has(arena, &args.a) && has(arena, &args.b));
    let arena = arena.ok_or_else(|| {
        Failure::usage(format!(
            "run {} measured no case with both {} and {}",
            record.info.id, args.a, args.b
        ))
        .hint(format!("`tare show {}` shows what it measured", record.info.id))
    })?;
    let selector = Selector {
        workload: arena.workload.clone(),
        case: Some(arena.case.clone()),
    };
    Ok((selector, Some(record.info.id)))
}

/// What was recorded, and the exit status.
struct Seen {
    evidence: Evidence,
    status: u8,
}

fn look(
    context: &Context,
    supervised: &Supervised<'_>,
    question: &Question,
    explanation: Explanation,
    request: &Request,
) -> Result<Seen, Failure> {
    let supervision = &supervised.supervision;
    let plan = Plan {
        groups: vec![explanation.group],
        rules: rules(request),
    };
    let mut rig = RealRig::new(
        &supervision.keeper,
        interrupt::flag(),
        vec![explanation.rig_group],
    )
    .with_services(explanation.services);
    let folder = Recordings::make(&supervision.state)?;
    let onlookers = explanation.onlookers;
    let mut witness = Witness::new(&mut rig, onlookers, folder.0.clone(), request.seed);
    let mut sink = Shown(Progress::new(context, &plan));
    let outcome = lab_run::run(&plan, &mut witness, &mut sink);
    context.say("reading back what was recorded …");
    let (subjects, mut notes) = witness.evidence();
    notes.extend(negotiated::remarks(&plan, &rig));
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
        made: now().as_secs() as i64,
        cores: group.placement.contender.len() as u32,
        a: question.a.clone(),
        b: question.b.clone(),
        floor: question.floor.clone(),
        subjects,
        notes,
    };
    let status = if outcome.done.contains(&Done::Interrupted) {
        failure::INTERRUPTED
    } else {
        status(&faults)
    };
    Ok(Seen { evidence, status })
}

fn status(faults: &[FaultKind]) -> u8 {
    match faults {
        [] => 0,
        some if some.iter().any(|kind| kind.is_misbehaviour()) => failure::MISBEHAVED,
        _ => failure::OUTSIDE,
    }
}

fn rules(request: &Request) -> Rules {
    Rules {
        budget: request.budget.map(Seconds::from_duration),
        launches: Some(1),
        rounds: Some(request.rounds.unwrap_or(ROUNDS)),
        seed: request.seed,
        evidence: true,
        ..short_slices::of(Rules::default())
    }
}

/// Keeps the evidence with the run that was named, or with a run of its own; its id.
fn keep(
    supervision: &Supervision,
    store: &Store,
    run: Option<String>,
    evidence: &Evidence,
    took: Seconds,
) -> Result<String, Failure> {
    let id = match run {
        Some(id) => id,
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
                machine: machine::machine(&supervision.grouping),
                settings: Settings {
                    kind: RunKind::Explain,
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

/// Prints the last explanation of the run and writes the report.
fn tell(context: &Context, state: &Path, store: &Store, id: &str, args: &ExplainArgs) -> Result<(), Failure> {
    let record = store.run(id).map_err(Failure::outside)?;
    let results = explaining::results(store, &record)?;
    if context.json() {
        context::put(&json::render(&results))?;
    } else if let Some(last) = results.explanations.last() {
        context::put(&terminal::explanation(last, context.terminal()))?;
    }
    let default = || state.join("reports").join(format!("{id}.html"));
    let path = args.out.clone().unwrap_or_else(default);
    context::write(&path, html::render(&results).as_bytes())?;
    context.say(format!("report: {}", short(&path)));
    Ok(())
}

/// Progress only: rounds for an explanation are not compared.
struct Shown<'a>(Progress<'a>);

impl Sink for Shown<'_> {
    fn event(&mut self, event: &Event<'_>) -> Result<(), SinkError> {
        // There are no verdicts to show.
        if !matches!(event, Event::Standing { .. }) {
            self.0.event(event);
        }
        Ok(())
    }
}

/// The folder of recordings, removed once they were read back.
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
