//! Further launches of what an earlier run has. The earlier run stays as it is; the new one begins with a copy of its
//! slices.

pub(crate) mod error;
mod same;

use tare_lab::plan::Plan;
use tare_model::manifest::{Lab, Machines, Part};
use tare_model::record::{ArenaRecord, Phase, RunRecord};
use tare_model::results::Machine;
use tare_model::settings::{ContenderSettings, RunKind, Settings, SuiteOf};
use tare_model::units::Seconds;

use crate::choose::{ChosenCase, again};
use crate::error::Result;
use crate::measured::{Chosen, budget};
use crate::request::{Hosts, Request, ServiceHost};

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
    suites: Vec<SuiteOf>,
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
        let others = hosts(request.hosts, &asked);
        let request = Request {
            baseline: first.baseline.clone(),
            margin: margin.unwrap_or(request.margin),
            alpha: alpha.unwrap_or(request.alpha),
            rate: *rate,
            connections: asked.connections,
            depth: asked.depth,
            programs: asked.programs,
            cores_contender: request.cores_contender.or(asked.cores_contender),
            cores_load: request.cores_load.or(asked.cores_load),
            hosts: others,
            ..request
        };
        Ok(Self {
            request,
            id,
            manifests: asked.manifests,
            suites: asked.suites,
            arenas: run.arenas,
        })
    }

    /// What it measured, to be measured further, with the budget of its suites.
    ///
    /// # Errors
    /// The manifests are not those of the run, or cannot be read.
    pub fn chosen(&self, lab: &Lab) -> Result<Chosen> {
        let cases = again(lab, &parts(&self.arenas))?;
        self.refuse_other_question(&cases)?;
        Ok(Chosen {
            budget: budget(lab, &self.suites)?,
            suites: self.suites.clone(),
            // It goes on with those that it had.
            machines: Machines::default(),
            tour: None,
            cases,
        })
    }

    /// Refuses to continue where the question has changed, before anything is built.
    fn refuse_other_question(&self, chosen: &[ChosenCase]) -> Result<()> {
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
        drop_begun(&mut group.prior);
        left = rest;
    }
    if left.is_empty() {
        Ok(())
    } else {
        Err(ResumeError::OtherLab.into())
    }
}

/// Drops the launches of a case after the last that has a measured round: the run ended before. They would count as launches, and
/// bring nothing.
fn drop_begun(arenas: &mut [ArenaRecord]) {
    let slices = arenas.iter().flat_map(|arena| &arena.slices);
    let rounds = slices.filter(|slice| slice.phase == Phase::Round);
    let kept = rounds.map(|slice| slice.launch + 1).max().unwrap_or(0);
    for arena in arenas {
        arena.launches.retain(|launch| launch.number < kept);
        arena.slices.retain(|slice| slice.launch < kept);
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
            suites: Vec::new(),
            connections: request.connections.clone(),
            depth: request.depth,
            programs: request.programs,
            cores_contender: request.cores_contender.clone(),
            cores_load: request.cores_load.clone(),
            hosts: request.hosts.load.clone(),
            service_host: request.hosts.service.as_ref().map(|host| host.name.clone()),
            address: request.hosts.address,
            resumes: None,
            folders: None,
        }),
        ..Settings::default()
    })
}

/// The other machines that take part: those that are named now, or else those of the run.
fn hosts(now: Hosts, then: &ContenderSettings) -> Hosts {
    let service = then.service_host.clone().map(|name| ServiceHost {
        name,
        ..ServiceHost::default()
    });
    Hosts {
        load: if now.load.is_empty() {
            then.hosts.clone()
        } else {
            now.load
        },
        listening: now.listening,
        service: now.service.or(service),
        address: now.address.or(then.address),
    }
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

/// The cases of a run, each with its modes, contenders and sizes.
fn parts(arenas: &[ArenaRecord]) -> Vec<(String, Part)> {
    let mut parts: Vec<(String, Part)> = Vec::new();
    for arena in arenas {
        let same =
            |(workload, part): &(String, Part)| *workload == arena.workload && part.cases[0] == arena.case;
        let at = parts.iter().position(same).unwrap_or_else(|| {
            let entrants = arena.entrants.iter();
            let part = Part {
                cases: vec![arena.case.clone()],
                contenders: entrants.map(|entrant| entrant.id.clone()).collect(),
                ..Part::default()
            };
            parts.push((arena.workload.clone(), part));
            parts.len() - 1
        });
        let part = &mut parts[at].1;
        if !part.modes.contains(&arena.mode) {
            part.modes.push(arena.mode);
        }
        part.sizes
            .extend(arena.size.filter(|size| !part.sizes.contains(size)));
    }
    parts
}

#[cfg(test)]
mod tests {
    use tare_model::measure::SliceReading;
    use tare_model::record::{LaunchRecord, SliceRecord};

    use super::*;

    fn launched(phases: &[Phase]) -> ArenaRecord {
        let mut arena = same::tests::arena();
        for (number, &phase) in phases.iter().enumerate() {
            let number = number as u32;
            arena.launches.push(LaunchRecord {
                number,
                node: 0,
                began: Seconds(0.0),
                steady: Vec::new(),
            });
            arena.slices.push(SliceRecord {
                phase,
                launch: number,
                round: 0,
                place: 0,
                entrant: 0,
                reading: SliceReading::default(),
            });
        }
        arena
    }

    /// How many launches and slices are left of each of a case's arenas.
    fn left(phases: &[&[Phase]]) -> Vec<(usize, usize)> {
        let mut arenas: Vec<ArenaRecord> = phases.iter().map(|phases| launched(phases)).collect();
        drop_begun(&mut arenas);
        let left = arenas.iter();
        left.map(|arena| (arena.launches.len(), arena.slices.len()))
            .collect()
    }

    #[test]
    fn a_launch_that_brought_nothing_does_not_count() {
        use Phase::{Pilot, Round, WarmUp};
        assert_eq!(left(&[&[Round, WarmUp]]), [(1, 1)]);
        assert_eq!(left(&[&[Round, WarmUp, Round]]), [(3, 3)]);
        assert_eq!(left(&[&[WarmUp, Pilot]]), [(0, 0)]);
        // Of two modes the second had not had its turn.
        assert_eq!(left(&[&[Round, Round], &[Round, WarmUp]]), [(2, 2), (2, 2)]);
    }
}
