//! `tare run --resume RUN`: further launches of what a stored run has. The stored run stays as it is; the new one begins
//! with a copy of its slices.

mod same;

use tare_analysis::history::machine as machine_of;
use tare_host::machine;
use tare_lab::plan::Plan;
use tare_model::ids::{ContenderId, Selector};
use tare_model::metric::Mode;
use tare_model::record::{ArenaRecord, RunRecord};
use tare_model::results::RunInfo;
use tare_model::settings::{ContenderSettings, RunKind, Settings};
use tare_prepare::{Choice, ChosenCase, Request, Supervision};
use tare_store::Store;

use crate::failure::Failure;
use same::changed;

/// What is taken over from the stored run.
pub struct Earlier {
    /// The request that asks for the same again.
    pub request: Request,
    /// The run's id.
    pub id: String,
    pub arenas: Vec<ArenaRecord>,
    /// Its hash of the manifests that ask the question.
    manifests: String,
}

/// Reads the run, and refuses one that cannot be continued.
pub fn earlier(
    supervision: &Supervision,
    request: Request,
    which: &str,
    revision: Option<&str>,
) -> Result<Earlier, Failure> {
    let store = Store::open_existing(supervision.state.join("results.sqlite")).map_err(Failure::outside)?;
    let run = store.run(which).map_err(Failure::usage)?;
    let id = run.info.id.clone();
    refuse_strangers(supervision, &run, revision)?;
    let first = run.arenas.first();
    let first = first.ok_or_else(|| Failure::usage(format!("the run {id} has nothing to continue")))?;
    let (settings, asked) = match &run.info.settings {
        settings @ Settings {
            kind: RunKind::Run,
            contenders: Some(asked),
            ..
        } => (settings, asked.clone()),
        _ => {
            return Err(Failure::usage(format!("the run {id} was not made by `tare run`"))
                .hint("begin a new run here"));
        }
    };
    let request = Request {
        choice: choice(&run)?,
        baseline: first.baseline.clone(),
        margin: settings.margin.unwrap_or(request.margin),
        alpha: settings.alpha.unwrap_or(request.alpha),
        modes: modes(&run)?,
        rate: settings.rate,
        connections: asked.connections,
        depth: asked.depth,
        programs: asked.programs,
        cores_contender: request.cores_contender.or(asked.cores_contender),
        cores_load: request.cores_load.or(asked.cores_load),
        ..request
    };
    Ok(Earlier {
        request,
        id,
        manifests: asked.manifests,
        arenas: run.arenas,
    })
}

impl Earlier {
    /// Refuses to continue where the question has changed, before anything is built.
    pub fn refuse_other_question(&self, chosen: &[ChosenCase]) -> Result<(), Failure> {
        let now = same::manifests(chosen)?;
        let then = &self.manifests;
        if *then == now {
            return Ok(());
        }
        Err(Failure::usage(format!(
            "the manifests of workloads and services are not those of the run: {then} then, {now} now"
        ))
        .hint("launches of different questions are not pooled: undo what was changed, or begin a new run"))
    }
}

/// Gives each group of the plan its arenas of the earlier run.
pub fn take_over(plan: &mut Plan, prior: &[ArenaRecord]) -> Result<(), Failure> {
    if prior.is_empty() {
        return Ok(());
    }
    let rules = plan.rules.clone();
    let mut left = prior;
    for group in &mut plan.groups {
        let records = group.records(&rules);
        let (mine, rest) = left.split_at_checked(records.len()).ok_or_else(changed)?;
        let mut pairs = records.iter().zip(mine);
        pairs.try_for_each(|(now, then)| same::refuse_other(now, then))?;
        group.prior = mine.to_vec();
        left = rest;
    }
    if left.is_empty() { Ok(()) } else { Err(changed()) }
}

/// What is kept of how contenders were chosen and driven.
pub fn settings(chosen: &[ChosenCase], request: &Request) -> Result<ContenderSettings, Failure> {
    Ok(ContenderSettings {
        manifests: same::manifests(chosen)?,
        connections: request.connections.clone(),
        depth: request.depth,
        programs: request.programs,
        cores_contender: request.cores_contender.clone(),
        cores_load: request.cores_load.clone(),
        resumes: None,
    })
}

/// Refuses a run of another machine or of other sources: their launches are not pooled.
fn refuse_strangers(supervision: &Supervision, run: &RunRecord, now: Option<&str>) -> Result<(), Failure> {
    let here = RunInfo {
        machine: machine::machine(&supervision.grouping),
        ..RunInfo::default()
    };
    let (id, there) = (&run.info.id, machine_of(&run.info));
    if run.info.imported.is_some() || there != machine_of(&here) {
        return Err(
            Failure::usage(format!("the run {id} was not made on this machine: {there}"))
                .hint("begin a new run here"),
        );
    }
    let then = run.info.settings.revision.as_deref();
    if now == then {
        return Ok(());
    }
    let word = |revision: Option<&str>| revision.unwrap_or("no repository").to_owned();
    Err(Failure::usage(format!(
        "the run {id} was made of {}, and here is {}",
        word(then),
        word(now)
    ))
    .hint("launches of different sources are not pooled: check that revision out, or begin a new run"))
}

fn choice(run: &RunRecord) -> Result<Choice, Failure> {
    let mut workloads: Vec<Selector> = Vec::new();
    let mut only: Vec<ContenderId> = Vec::new();
    for arena in &run.arenas {
        let selector: Selector = format!("{}/{}", arena.workload, arena.case)
            .parse()
            .map_err(Failure::usage)?;
        if !workloads.contains(&selector) {
            workloads.push(selector);
        }
        only.extend(arena.entrants.iter().map(|entrant| entrant.id.clone()));
    }
    only.sort();
    only.dedup();
    Ok(Choice {
        workloads,
        only,
        except: Vec::new(),
    })
}

/// The modes of its cases, which must be the same for all.
fn modes(run: &RunRecord) -> Result<Vec<Mode>, Failure> {
    let of = |case: &ArenaRecord| {
        let same = |arena: &&ArenaRecord| (&arena.workload, &arena.case) == (&case.workload, &case.case);
        let mut modes: Vec<Mode> = run.arenas.iter().filter(same).map(|arena| arena.mode).collect();
        modes.dedup();
        modes
    };
    let modes = of(&run.arenas[0]);
    if run.arenas.iter().all(|arena| of(arena) == modes) {
        Ok(modes)
    } else {
        Err(
            Failure::usage("its cases were measured in different modes, which one run cannot continue")
                .hint("begin a new run"),
        )
    }
}
