//! Further launches of what an earlier run has. The earlier run stays as it is; the new one begins with a copy of its
//! slices.

pub(crate) mod error;
mod same;

use tare_lab::plan::Plan;
use tare_model::ids::{ContenderId, Selector};
use tare_model::metric::Mode;
use tare_model::record::{ArenaRecord, RunRecord};
use tare_model::results::Machine;
use tare_model::settings::{ContenderSettings, RunKind, Settings};
use tare_model::units::Seconds;

use crate::choose::ChosenCase;
use crate::error::Result;
use crate::request::{Choice, Request};

pub use error::ResumeError;

/// What is taken over from an earlier run.
#[derive(Debug)]
pub struct Earlier {
    /// The request that asks for the same again.
    pub request: Request,
    /// The run's id.
    pub id: String,
    /// Its arenas.
    pub arenas: Vec<ArenaRecord>,
    /// Its hash of the manifests that ask the question.
    manifests: String,
}

/// What is measured, and where: launches of other sources or on other machines are not pooled.
#[derive(Debug, Clone, Copy)]
pub struct Here<'h> {
    /// This machine.
    pub machine: &'h Machine,
    /// The lab's revision, where that is in a repository.
    pub revision: Option<&'h str>,
}

impl Earlier {
    /// Takes over a run. What the run does not decide (the budget, the number of rounds and launches, …) is as `request`
    /// has it.
    ///
    /// # Errors
    /// Why the run cannot be continued here.
    pub fn of(run: RunRecord, request: Request, here: Here<'_>) -> Result<Self> {
        let id = run.info.id.clone();
        refuse_strangers(&run, here)?;
        let Some(first) = run.arenas.first() else {
            return Err(ResumeError::Empty { id }.into());
        };
        let Settings {
            kind: RunKind::Run,
            contenders: Some(asked),
            margin,
            alpha,
            rate,
            ..
        } = &run.info.settings
        else {
            return Err(ResumeError::NoRunOfContenders { id }.into());
        };
        let asked = asked.clone();
        let request = Request {
            choice: choice(&run)?,
            baseline: first.baseline.clone(),
            margin: margin.unwrap_or(request.margin),
            alpha: alpha.unwrap_or(request.alpha),
            modes: modes(&run)?,
            rate: *rate,
            connections: asked.connections,
            depth: asked.depth,
            programs: asked.programs,
            cores_contender: request.cores_contender.or(asked.cores_contender),
            cores_load: request.cores_load.or(asked.cores_load),
            ..request
        };
        Ok(Self {
            request,
            id,
            manifests: asked.manifests,
            arenas: run.arenas,
        })
    }

    /// Refuses to continue where the question has changed, before anything is built.
    ///
    /// # Errors
    /// The manifests are not those of the run, or cannot be read.
    pub fn refuse_other_question(&self, chosen: &[ChosenCase]) -> Result<()> {
        let now = same::manifests(chosen)?;
        if self.manifests == now {
            return Ok(());
        }
        Err(ResumeError::OtherManifests {
            then: self.manifests.clone(),
            now,
        }
        .into())
    }
}

/// Gives each group of the plan its arenas of the earlier run; `prior` is empty where there is none.
///
/// # Errors
/// What differs from how the earlier run measured.
pub fn take_over(plan: &mut Plan, prior: &[ArenaRecord]) -> Result<()> {
    if prior.is_empty() {
        return Ok(());
    }
    let rules = plan.rules.clone();
    let mut left = prior;
    for group in &mut plan.groups {
        let records = group.records(&rules);
        let (mine, rest) = left
            .split_at_checked(records.len())
            .ok_or(ResumeError::OtherLab)?;
        let mut pairs = records.iter().zip(mine);
        pairs.try_for_each(|(now, then)| same::refuse_other(now, then))?;
        group.prior = mine.to_vec();
        left = rest;
    }
    if left.is_empty() {
        Ok(())
    } else {
        Err(ResumeError::OtherLab.into())
    }
}

/// A request and the cases that it chose, as a run's settings: [`Earlier::of`] makes a request of them again. What else
/// the settings say is left to the caller.
///
/// # Errors
/// A manifest cannot be read.
pub fn settings(request: &Request, chosen: &[ChosenCase]) -> Result<Settings> {
    Ok(Settings {
        budget: request.budget.map(Seconds::from_duration),
        margin: Some(request.margin),
        alpha: Some(request.alpha),
        seed: Some(request.seed),
        timeout: Some(Seconds::from_duration(request.timeout)),
        launches: request.launches,
        rounds: request.rounds,
        rate: request.rate,
        contenders: Some(ContenderSettings {
            manifests: same::manifests(chosen)?,
            connections: request.connections.clone(),
            depth: request.depth,
            programs: request.programs,
            cores_contender: request.cores_contender.clone(),
            cores_load: request.cores_load.clone(),
            resumes: None,
        }),
        ..Settings::default()
    })
}

/// Refuses a run of another machine or of other sources.
fn refuse_strangers(run: &RunRecord, here: Here<'_>) -> Result<()> {
    let (id, there) = (run.info.id.clone(), run.info.machine.identity());
    if run.info.imported.is_some() || there != here.machine.identity() {
        return Err(ResumeError::Elsewhere { id, there }.into());
    }
    let then = run.info.settings.revision.as_deref();
    if here.revision == then {
        return Ok(());
    }
    let word = |revision: Option<&str>| revision.unwrap_or("no repository").to_owned();
    Err(ResumeError::OtherRevision {
        id,
        then: word(then),
        now: word(here.revision),
    }
    .into())
}

fn choice(run: &RunRecord) -> Result<Choice> {
    let mut workloads: Vec<Selector> = Vec::new();
    let mut only: Vec<ContenderId> = Vec::new();
    for arena in &run.arenas {
        let selector: Selector = format!("{}/{}", arena.workload, arena.case)
            .parse()
            .map_err(ResumeError::Name)?;
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
fn modes(run: &RunRecord) -> Result<Vec<Mode>> {
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
        Err(ResumeError::SeveralModes.into())
    }
}
