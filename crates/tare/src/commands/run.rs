//! `tare run`: the main job.

mod on;
mod plan;
mod resume;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use tare_analysis as analysis;
use tare_host::machine;
use tare_host::revisions::Repository;
use tare_lab::run::RunOutcome;
use tare_lab::sink::Done;
use tare_model::fault::FaultKind;
use tare_model::ids::ContenderId;
use tare_model::manifest::{Lab, Machines};
use tare_model::metric::Mode;
use tare_model::record::{ArenaRecord, RunRecord};
use tare_model::results::{Results, State};
use tare_model::settings::{RunKind, Settings};
use tare_model::units::{PerSecond, Seconds};
use tare_prepare::{Chosen, ChosenCase, Request, Supervision, measured};
use tare_remote::Key;
use tare_report::{html, json, terminal, when, words};
use tare_rig::RealRig;

use crate::args::{Choice, ClusterOptions, HostOptions, LoadOptions};
use crate::away;
use crate::clock;
use crate::context::{self, Context, short};
use crate::elsewhere::{self, Elsewhere};
use crate::failure::{self, Failure};
use crate::gate;
use crate::measure::{self, Measurement};
use crate::negotiated;
use crate::short_slices;
use crate::supervise::{self, Supervised};
use crate::values::{Chance, Cores, FailIf, Percent, Span};
use crate::writable::refuse_unwritable;

/// Build, start, check, warm up and measure contenders in interleaved rounds until every question is answered
#[derive(Debug, Clone, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub choice: Choice,
    /// The contender that ratios are against
    #[arg(long, value_name = "A")]
    pub baseline: Option<ContenderId>,
    /// The longest that it may measure, from the first start (without builds) [default: as the suite says, or 10m; with
    /// --quick a minute for each case]
    #[arg(long, value_name = "TIME", alias = "duration", short_alias = 'd')]
    pub budget: Option<Span>,
    /// A provisional answer in a minute for each case and mode: one launch, whose rounds are compared. With more than ten
    /// contenders 6 s for each; a case over sizes has as much for each size
    #[arg(long, conflicts_with_all = ["until", "resume"])]
    pub quick: bool,
    /// Go on until every question is decided
    #[arg(long, value_name = "WHAT", value_parser = ["decided"], conflicts_with = "budget")]
    pub until: Option<String>,
    /// Rounds of a launch [default: 12 at first, of a batch 4; with --launches 1 until decided]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub rounds: Option<u32>,
    /// The highest number of launches (1: verdicts are provisional)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub launches: Option<u32>,
    /// What counts as equivalent
    #[arg(long, value_name = "PERCENT", default_value = "1%")]
    pub margin: Percent,
    /// The chance of any false declaration, per workload, case and metric
    #[arg(long, value_name = "PERCENT", default_value = "5%")]
    pub alpha: Chance,
    /// The scale: the most that contenders can take, one rate for all, or a fixed job [default: as the case says]
    #[arg(long, value_name = "MODE", value_delimiter = ',')]
    pub mode: Vec<Mode>,
    /// Connections; several levels: each contender's best is chosen in a pilot (capacity)
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub connections: Vec<u32>,
    /// Load programs at once (batch)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    pub programs: Option<u32>,
    #[command(flatten)]
    pub load: LoadOptions,
    #[command(flatten)]
    pub other: HostOptions,
    #[command(flatten)]
    pub on: ClusterOptions,
    /// A gate: exit status 4 if a contender is slower than the baseline (`slower`), or not proven to be no slower
    /// (`not-proven`), or if a figure is beyond a limit ('latency_p99 > 200ms'); `slower:NAME` for one alone. It may be given
    /// several times: all have to hold
    #[arg(long, value_name = "GATE")]
    pub fail_if: Vec<FailIf>,
    /// Add launches to what a stored run has: the same contenders, cases, load, margin and α, as a new run
    #[arg(long, value_name = "RUN", conflicts_with_all = ["workloads", "tests", "suite", "only", "except", "baseline", "mode", "rate", "connections", "pipeline", "programs", "margin", "alpha"])]
    pub resume: Option<String>,
    /// Print what would be measured, how many launches fit and how far intervals will reach, and stop
    #[arg(long, conflicts_with = "resume")]
    pub plan: bool,
    /// Where to write the HTML report [default: .tare/reports/RUN.html]
    #[arg(long, value_name = "PATH", alias = "export-html")]
    pub out: Option<PathBuf>,
}

impl RunArgs {
    /// The request that the options make of a choice. Its budget is that of what is chosen, where no option sets it.
    pub fn request(&self, choice: tare_prepare::Choice) -> Request {
        let cores = |cores: &Option<Cores>| cores.as_ref().map(|cores| cores.0.clone());
        Request {
            choice,
            install: self.choice.install,
            baseline: self.baseline.clone(),
            // A default of `tare.toml` gives way.
            budget: self
                .budget
                .map(|budget| budget.0)
                .filter(|_| self.until.is_none()),
            rounds: self.rounds,
            launches: if self.quick { Some(1) } else { self.launches },
            margin: self.margin.0,
            alpha: self.alpha.0,
            modes: self.mode.clone(),
            rate: self.load.rate.map(|rate| PerSecond(rate.0)),
            connections: self.connections.clone(),
            depth: self.load.pipeline,
            programs: self.programs,
            cores_contender: cores(&self.load.cores_contender),
            cores_load: cores(&self.load.cores_load),
            hosts: self.other.asked(),
            seed: self.load.seed.unwrap_or_else(clock::seed),
            timeout: self.load.timeout.0,
        }
    }

    /// What is measured, where no stored run is continued.
    fn chosen(&self, lab: &Lab, request: &Request) -> Result<Chosen, Failure> {
        let endless = self.until.as_ref().map(|_| Duration::MAX);
        Ok(measured(lab, &request.choice, endless.or(request.budget))?)
    }

    /// Gives the request the budget of what is chosen, unless an option sets it.
    fn set_budget(&self, request: &mut Request, chosen: &Chosen) {
        if self.until.is_some() {
            return;
        }
        let usual = if self.quick {
            tare_prepare::quick_budget(&chosen.cases, &request.modes)
        } else {
            chosen.budget
        };
        request.budget.get_or_insert(usual);
    }

    fn refuse_quick_launches(&self) -> Result<(), Failure> {
        match self.launches {
            Some(launches) if self.quick && launches > 1 => Err(Failure::usage(format!(
                "--quick is a run of one launch, and --launches {launches} asks for more"
            ))
            .hint("leave one of them out; with --budget the one launch of --quick is longer")),
            _ => Ok(()),
        }
    }
}

/// Runs it; the exit status.
pub fn run(context: &Context, args: &RunArgs) -> Result<u8, Failure> {
    if !context.text_or_json() {
        return Err(
            Failure::usage("`tare run` prints text or json").hint("other formats: `tare report --format …`")
        );
    }
    args.refuse_quick_launches()?;
    let server = args.other.server();
    if args.plan && server.is_none() {
        return print_plan(context, args);
    }
    refuse_unwritable(args.out.as_deref())?;
    match (server, &args.on.on) {
        (Some((server, others)), _) => on::at_server(context, args, server, others),
        (None, Some(target)) => on::run(context, args, target, None),
        (None, None) => here(context, args),
    }
}

/// The same, with the contenders on this machine.
fn here(context: &Context, args: &RunArgs) -> Result<u8, Failure> {
    let (supervised, choice) = match &args.resume {
        Some(which) => (supervise::resumed(context, which)?, args.choice.choice()),
        None => supervise::chosen(context, &args.choice)?,
    };
    let (lab, supervision) = (&supervised.lab, &supervised.supervision);
    // For `tare history`; a lab need not be in a repository.
    let revision = args.on.revision.clone().or_else(|| revision(&supervised));
    let mut request = args.request(choice);
    let (mut request, prior, resumes, chosen) = match &args.resume {
        None => {
            let chosen = args.chosen(lab, &request)?;
            let chosen = supervised.preparation().as_built(chosen, &request)?;
            args.set_budget(&mut request, &chosen);
            request.hosts = args.other.of_suite(chosen.machines)?;
            if args.quick {
                say_quick(context, &request, &chosen);
            }
            let forecast = plan::of(lab, &supervision.state, &chosen.cases, &request)?;
            plan::refuse_vain(&forecast, &request)?;
            plan::say(context, &forecast);
            (request, Vec::new(), None, chosen)
        }
        Some(which) => {
            args.other.of_suite(Machines::default())?;
            let earlier = resume::earlier(supervision, request, which, revision.as_deref())?;
            let chosen = earlier.chosen(lab)?;
            (earlier.request, earlier.arenas, Some(earlier.id), chosen)
        }
    };
    args.set_budget(&mut request, &chosen);
    gate::known(&args.fail_if, |name| {
        chosen.refuse_uncompared(name, request.baseline.as_ref())
    })?;
    let mut settings = settings(&request, RunKind::Run, &chosen.cases, revision)?;
    if let Some(contenders) = &mut settings.contenders {
        contenders.resumes = resumes;
        contenders.suites = chosen.suites;
        contenders.folders.clone_from(&supervised.folders);
    }
    let others = others(context, args, &supervised, &chosen.cases, &mut request)?;
    let run = Run {
        request: &request,
        settings,
        prior: &prior,
    };
    let measured = run.measure(context, &supervised, chosen.cases, others.key.as_ref())?;
    let results = tell(context, args, supervision, &measured.record)?;
    away::refuse_lost(measured.lost, &results.run.id)?;
    Ok(status(&measured.outcome, &results, &args.fail_if))
}

/// The other machines that take part, reached by ssh.
fn others(
    context: &Context,
    args: &RunArgs,
    supervised: &Supervised<'_>,
    cases: &[ChosenCase],
    request: &mut Request,
) -> Result<Elsewhere, Failure> {
    // Before anything is copied.
    supervised.preparation().refuse_nonsense(cases, request)?;
    let key_file = args.other.key_file.as_deref();
    elsewhere::start(context, &supervised.lab, &mut request.hosts, key_file)
}

/// What it would do. Nothing is started, so nothing is locked.
fn print_plan(context: &Context, args: &RunArgs) -> Result<u8, Failure> {
    let (lab, state, choice) = supervise::looked_at(context, &args.choice)?;
    let mut request = args.request(choice);
    let chosen = args.chosen(&lab, &request)?;
    args.set_budget(&mut request, &chosen);
    request.hosts = args.other.of_suite(chosen.machines)?;
    let forecast = plan::of(&lab, &state, &chosen.cases, &request)?;
    plan::print(context, &forecast)
}

/// The revision of the lab, where it is in a repository. What is made of other suites' folders is in none.
fn revision(supervised: &Supervised<'_>) -> Option<String> {
    if supervised.folders.is_some() {
        return None;
    }
    let revision = Repository::of(&supervised.lab.folder).and_then(|repository| repository.working_tree());
    revision.ok().map(|revision| revision.describe())
}

/// Says what a quick run is.
fn say_quick(context: &Context, request: &Request, chosen: &Chosen) {
    let cases = words::counted(chosen.cases.len() as u64, "case");
    let most = when::length(Seconds::from_duration(request.budget.unwrap_or_default()));
    context.say(format!(
        "quick: one launch of {cases}, {most} at the most; intervals are provisional"
    ));
}

/// A run of contenders.
pub struct Run<'a> {
    pub request: &'a Request,
    /// The settings to keep with it.
    pub settings: Settings,
    /// The arenas of an earlier run, whose launches count.
    pub prior: &'a [ArenaRecord],
}

/// A run of contenders that is over.
pub struct Measured {
    pub record: RunRecord,
    pub outcome: RunOutcome,
    /// What ended it early, where that was on another machine.
    pub lost: Option<Failure>,
}

impl Run<'_> {
    /// Prepares and measures the chosen cases, and keeps what was measured. `key`: of the agents, where some take part.
    pub fn measure(
        self,
        context: &Context,
        supervised: &Supervised<'_>,
        chosen: Vec<ChosenCase>,
        key: Option<&Key>,
    ) -> Result<Measured, Failure> {
        let (request, supervision) = (self.request, &supervised.supervision);
        let preparation = supervised.preparation();
        preparation.refuse_nonsense(&chosen, request)?;
        let away = match key {
            Some(key) => preparation.away(&chosen, request, key)?,
            None => None,
        };
        let ready = preparation.ready(chosen, request)?;
        failure::refuse_interrupted()?;
        let mut prepared = ready.plan(&preparation, request)?;
        prepared.plan.rules = short_slices::of(prepared.plan.rules);
        let agents = away.map(|away| prepared.driven_by(away));
        resume::take_over(&mut prepared.plan, self.prior)?;
        plan::recall(&supervision.state, &mut prepared.plan);
        let cancel = tare_host::interrupt::flag();
        let mut rig = RealRig::new(&supervision.keeper, cancel, prepared.groups)
            .with_services(prepared.services)
            .with_agents(agents);
        let measurement = Measurement {
            plan: &prepared.plan,
            rig: &mut rig,
            lab: tare_lab::run::run,
            remarks: &prepared.remarks,
        };
        let new_run = measure::new_run(machine::machine(&supervision.grouping), self.settings);
        let (record, outcome) = measurement.make(context, &supervision.state, &new_run, |rig| {
            let repeated = rig.agents().map(away::repeated).unwrap_or_default();
            let negotiated = negotiated::remarks(&prepared.plan, rig);
            let notes = [rig.stop_services(), negotiated, repeated].concat();
            notes.iter().for_each(|note| context.say(format!("note: {note}")));
            notes
        })?;
        Ok(Measured {
            record,
            outcome,
            lost: rig.agents().and_then(away::lost),
        })
    }
}

/// What is kept of a request, so that the same can be asked for again.
pub fn settings(
    request: &Request,
    kind: RunKind,
    chosen: &[ChosenCase],
    revision: Option<String>,
) -> Result<Settings, Failure> {
    Ok(Settings {
        kind,
        revision,
        ..resume::settings(request, chosen)?
    })
}

/// Prints the table and writes the report.
fn tell(
    context: &Context,
    args: &RunArgs,
    supervision: &Supervision,
    record: &RunRecord,
) -> Result<Results, Failure> {
    let results = analysis::results(record);
    if context.json() {
        context::put(&json::render(&results))?;
    } else {
        context::put(&terminal::render(&results, context.terminal()))?;
    }
    page(context, args.out.as_deref(), supervision, &results)?;
    Ok(results)
}

/// Writes the report: to `out`, or among the lab's reports.
pub fn page(
    context: &Context,
    out: Option<&Path>,
    supervision: &Supervision,
    results: &Results,
) -> Result<(), Failure> {
    let default = || {
        supervision
            .state
            .join("reports")
            .join(format!("{}.html", results.run.id))
    };
    let path = out.map_or_else(default, Path::to_owned);
    context::write(&path, html::render(results).as_bytes())?;
    context.say(format!("report: {}", short(&path)));
    Ok(())
}

/// The exit status. In order of precedence: interruption, misbehaving contenders, failures outside, the gate.
pub fn status(outcome: &RunOutcome, results: &Results, gates: &[FailIf]) -> u8 {
    if outcome.done.contains(&Done::Interrupted) {
        return failure::INTERRUPTED;
    }
    of_results(results, gates)
}

/// The exit status of a run that nobody interrupted.
fn of_results(results: &Results, gates: &[FailIf]) -> u8 {
    let contenders = || results.workloads.iter().flat_map(|workload| &workload.contenders);
    let of_kind = |wanted: fn(FaultKind) -> bool| {
        contenders().any(|contender| contender.fault.as_ref().is_some_and(|fault| wanted(fault.kind)))
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
    if of_kind(FaultKind::is_misbehaviour) {
        failure::MISBEHAVED
    } else if of_kind(failed) || instrument {
        failure::OUTSIDE
    } else if !gate::hold(gates, results) {
        failure::GATE
    } else {
        0
    }
}
