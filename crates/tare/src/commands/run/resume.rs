//! `tare run --resume RUN`: further epochs of what a stored run has. The stored run stays as it is; the new one begins
//! with a copy of its slices.

use tare_host::machine;
use tare_lab::analysis::history::machine as machine_of;
use tare_lab::plan::Plan;
use tare_model::ids::{ContenderId, Selector};
use tare_model::metric::Mode;
use tare_model::record::{ArenaRecord, RunRecord};
use tare_model::results::RunInfo;
use tare_store::Store;

use crate::args::{Choice, RunArgs};
use crate::commands::bench::Bench;
use crate::failure::Failure;

/// What is taken over from the stored run.
pub struct Earlier {
    /// The options that ask for the same again.
    pub args: RunArgs,
    /// What is kept of where it came from.
    pub settings: Vec<(String, String)>,
    pub arenas: Vec<ArenaRecord>,
}

/// Reads the run, and refuses what cannot be gone on with.
pub fn earlier(
    bench: &Bench,
    args: &RunArgs,
    which: &str,
    revision: &[(String, String)],
) -> Result<Earlier, Failure> {
    let store = Store::open_existing(bench.state.join("results.sqlite")).map_err(Failure::outside)?;
    let run = store.run(which).map_err(Failure::usage)?;
    let id = run.info.id.clone();
    refuse_strangers(bench, &run, revision)?;
    let first = run.arenas.first();
    let first = first.ok_or_else(|| Failure::usage(format!("the run {id} has nothing to go on with")))?;
    let rate = setting(&run.info, "rate").map(|text| text.trim_end_matches(" /s"));
    let args = RunArgs {
        choice: choice(&run, args.choice.install)?,
        baseline: first.baseline.clone(),
        margin: read(setting(&run.info, "margin"), "margin")?,
        alpha: read(setting(&run.info, "alpha"), "alpha")?,
        mode: modes(&run)?,
        rate: rate.map(|rate| read(Some(rate), "rate")).transpose()?,
        ..args.clone()
    };
    Ok(Earlier {
        args,
        settings: vec![("resumes".to_owned(), id)],
        arenas: run.arenas,
    })
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
        if !records.iter().zip(mine).all(|(now, then)| same(now, then)) {
            return Err(changed());
        }
        group.prior = mine.to_vec();
        left = rest;
    }
    if left.is_empty() { Ok(()) } else { Err(changed()) }
}

/// Whether the same is compared in the same way.
fn same(now: &ArenaRecord, then: &ArenaRecord) -> bool {
    let who = |arena: &ArenaRecord| -> Vec<ContenderId> {
        arena.entrants.iter().map(|entrant| entrant.id.clone()).collect()
    };
    let key = |arena: &ArenaRecord| {
        let place = (arena.workload.clone(), arena.case.clone());
        (place, arena.mode, arena.size, arena.primary, who(arena))
    };
    // A tool that is not here any more has no version; whoever needs it is out then.
    let versions = now
        .entrants
        .iter()
        .zip(&then.entrants)
        .all(|(now, then)| now.versions == then.versions || now.fault.is_some() || then.fault.is_some());
    key(now) == key(then) && now.placement.contender == then.placement.contender && versions
}

fn changed() -> Failure {
    Failure::usage(
        "the lab does not have the same cases, contenders, cores or tool versions any more as when the run was made",
    )
    .hint("epochs of different programs are not pooled: begin a new run")
}

/// Another machine, other sources: their epochs are not pooled.
fn refuse_strangers(bench: &Bench, run: &RunRecord, revision: &[(String, String)]) -> Result<(), Failure> {
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
    let now = revision.first().map(|(_, value)| value.as_str());
    let then = setting(&run.info, "revision");
    if now == then {
        return Ok(());
    }
    let word = |revision: Option<&str>| revision.unwrap_or("no repository").to_owned();
    Err(Failure::usage(format!(
        "the run {id} was made of {}, and here is {}",
        word(then),
        word(now)
    ))
    .hint("epochs of different sources are not pooled: check that revision out, or begin a new run"))
}

fn setting<'a>(info: &'a RunInfo, name: &str) -> Option<&'a str> {
    let found = info.settings.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| value.as_str())
}

fn read<T: std::str::FromStr<Err = String>>(text: Option<&str>, name: &str) -> Result<T, Failure> {
    let text = text.ok_or_else(|| Failure::usage(format!("the run does not say its {name}")))?;
    text.parse().map_err(Failure::usage)
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
