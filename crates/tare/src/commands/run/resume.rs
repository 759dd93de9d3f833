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
use tare_model::settings::{ContenderSettings, Kind, Settings};
use tare_store::Store;

use crate::args::{Choice, RunArgs};
use crate::commands::bench::Bench;
use crate::failure::Failure;
use crate::prepare::Chosen;
use crate::values::{Chance, Cores, Percent, Rate};
use same::changed;

/// What is taken over from the stored run.
pub struct Earlier {
    /// The options that ask for the same again.
    pub args: RunArgs,
    /// The run's id.
    pub id: String,
    pub arenas: Vec<ArenaRecord>,
    /// Its hash of the manifests that ask the question.
    manifests: String,
}

/// Reads the run, and refuses what cannot be gone on with.
pub fn earlier(
    bench: &Bench,
    args: &RunArgs,
    which: &str,
    revision: Option<&str>,
) -> Result<Earlier, Failure> {
    let store = Store::open_existing(bench.state.join("results.sqlite")).map_err(Failure::outside)?;
    let run = store.run(which).map_err(Failure::usage)?;
    let id = run.info.id.clone();
    refuse_strangers(bench, &run, revision)?;
    let first = run.arenas.first();
    let first = first.ok_or_else(|| Failure::usage(format!("the run {id} has nothing to go on with")))?;
    let (settings, asked) = match &run.info.settings {
        settings @ Settings {
            kind: Kind::Run,
            contenders: Some(asked),
            ..
        } => (settings, asked.clone()),
        _ => {
            return Err(Failure::usage(format!("the run {id} was not made by `tare run`"))
                .hint("begin a new run here"));
        }
    };
    let given = |cores: &Option<Cores>, then: Option<Vec<u32>>| cores.clone().or(then.map(Cores));
    let args = RunArgs {
        choice: choice(&run, args.choice.install)?,
        baseline: first.baseline.clone(),
        margin: settings.margin.map_or(args.margin, Percent),
        alpha: settings.alpha.map_or(args.alpha, Chance),
        mode: modes(&run)?,
        rate: settings.rate.map(|rate| Rate(rate.0)),
        connections: asked.connections,
        pipeline: asked.depth,
        programs: asked.programs,
        cores_contender: given(&args.cores_contender, asked.cores_contender),
        cores_load: given(&args.cores_load, asked.cores_load),
        ..args.clone()
    };
    Ok(Earlier {
        args,
        id,
        manifests: asked.manifests,
        arenas: run.arenas,
    })
}

impl Earlier {
    /// Refuses to go on where the question is another: before anything is built.
    pub fn refuse_other_question(&self, chosen: &[Chosen]) -> Result<(), Failure> {
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

/// Gives each group of the plan what the earlier run left of it.
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
pub fn settings(chosen: &[Chosen], args: &RunArgs) -> Result<ContenderSettings, Failure> {
    let cores = |cores: &Option<Cores>| cores.as_ref().map(|cores| cores.0.clone());
    Ok(ContenderSettings {
        manifests: same::manifests(chosen)?,
        connections: args.connections.clone(),
        depth: args.pipeline,
        programs: args.programs,
        cores_contender: cores(&args.cores_contender),
        cores_load: cores(&args.cores_load),
        resumes: None,
    })
}

/// Another machine, other sources: their launches are not pooled.
fn refuse_strangers(bench: &Bench, run: &RunRecord, now: Option<&str>) -> Result<(), Failure> {
    let here = RunInfo {
        machine: machine::machine(&bench.grouping),
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

fn choice(run: &RunRecord, install: bool) -> Result<Choice, Failure> {
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
        install,
    })
}

/// The modes of all its cases, which must be the same.
fn modes(run: &RunRecord) -> Result<Vec<Mode>, Failure> {
    let of = |case: &ArenaRecord| {
        let same = |arena: &&ArenaRecord| (&arena.workload, &arena.case) == (&case.workload, &case.case);
        let mut modes: Vec<Mode> = run.arenas.iter().filter(same).map(|arena| arena.mode).collect();
        modes.dedup();
        modes
    };
    let modes = of(&run.arenas[0]);
    match run.arenas.iter().all(|arena| of(arena) == modes) {
        true => Ok(modes),
        false => Err(Failure::usage(
            "its cases were measured in different modes, which one run cannot go on with",
        )
        .hint("begin a new run")),
    }
}
