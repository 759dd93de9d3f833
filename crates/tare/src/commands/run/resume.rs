//! `tare run --resume RUN`: further launches of what a stored run has. The stored run stays as it is; the new one begins
//! with a copy of its slices.

mod same;

use std::fmt::Display;
use std::str::FromStr;

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
use crate::prepare::Chosen;
use crate::values::Cores;
use same::changed;

// What these settings are called in the store.
const MANIFESTS: &str = "manifests";
const CONNECTIONS: &str = "connections";
const PIPELINE: &str = "pipeline";
const PROGRAMS: &str = "programs";
const CORES_CONTENDER: &str = "cores of the contender";
const CORES_LOAD: &str = "cores of the load";

/// What is taken over from the stored run.
pub struct Earlier {
    /// The options that ask for the same again.
    pub args: RunArgs,
    /// What is kept of where it came from.
    pub settings: Vec<(String, String)>,
    pub arenas: Vec<ArenaRecord>,
    /// Its hash of the manifests that ask the question, where it was kept.
    manifests: Option<String>,
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
    let cores = |given: &Option<Cores>, name| match given {
        Some(given) => Ok(Some(given.clone())),
        None => kept(&run.info, name),
    };
    let args = RunArgs {
        choice: choice(&run, args.choice.install)?,
        baseline: first.baseline.clone(),
        margin: read(setting(&run.info, "margin"), "margin")?,
        alpha: read(setting(&run.info, "alpha"), "alpha")?,
        mode: modes(&run)?,
        rate: rate.map(|rate| read(Some(rate), "rate")).transpose()?,
        connections: connections(&run.info)?,
        pipeline: kept(&run.info, PIPELINE)?,
        programs: kept(&run.info, PROGRAMS)?,
        cores_contender: cores(&args.cores_contender, CORES_CONTENDER)?,
        cores_load: cores(&args.cores_load, CORES_LOAD)?,
        ..args.clone()
    };
    Ok(Earlier {
        args,
        settings: vec![("resumes".to_owned(), id)],
        manifests: setting(&run.info, MANIFESTS).map(str::to_owned),
        arenas: run.arenas,
    })
}

impl Earlier {
    /// Refuses to go on where the question is another: before anything is built.
    pub fn refuse_other_question(&self, chosen: &[Chosen]) -> Result<(), Failure> {
        let now = same::manifests(chosen)?;
        match &self.manifests {
            Some(then) if *then != now => Err(Failure::usage(format!(
                "the manifests of workloads and services are not those of the run: {then} then, {now} now"
            ))
            .hint(
                "launches of different questions are not pooled: undo what was changed, or begin a new run",
            )),
            _ => Ok(()),
        }
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

/// What is kept of a run's question and of how it is driven: that it can be asked again, and in the same way.
pub fn settings(chosen: &[Chosen], args: &RunArgs) -> Result<Vec<(String, String)>, Failure> {
    let number = |number: Option<u32>| number.map(|number| number.to_string());
    let cores = |cores: &Option<Cores>| cores.as_ref().map(|cores| listed(&cores.0));
    let all = [
        (MANIFESTS, Some(same::manifests(chosen)?)),
        (
            CONNECTIONS,
            Some(listed(&args.connections)).filter(|text| !text.is_empty()),
        ),
        (PIPELINE, number(args.pipeline)),
        (PROGRAMS, number(args.programs)),
        (CORES_CONTENDER, cores(&args.cores_contender)),
        (CORES_LOAD, cores(&args.cores_load)),
    ];
    let said = all
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Ok(said.collect())
}

fn listed(numbers: &[u32]) -> String {
    let texts: Vec<String> = numbers.iter().map(u32::to_string).collect();
    texts.join(",")
}

/// Another machine, other sources: their launches are not pooled.
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
    .hint("launches of different sources are not pooled: check that revision out, or begin a new run"))
}

fn setting<'a>(info: &'a RunInfo, name: &str) -> Option<&'a str> {
    let found = info.settings.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| value.as_str())
}

fn read<T: FromStr<Err: Display>>(text: Option<&str>, name: &str) -> Result<T, Failure> {
    let text = text.ok_or_else(|| Failure::usage(format!("the run does not say its {name}")))?;
    text.parse::<T>()
        .map_err(|error| Failure::usage(format!("the run's {name}, `{text}`: {error}")))
}

/// An option that the run was begun with, if it was.
fn kept<T: FromStr<Err: Display>>(info: &RunInfo, name: &str) -> Result<Option<T>, Failure> {
    setting(info, name).map(|text| read(Some(text), name)).transpose()
}

fn connections(info: &RunInfo) -> Result<Vec<u32>, Failure> {
    let text = setting(info, CONNECTIONS).unwrap_or_default();
    let levels = text.split_terminator(',');
    levels.map(|level| read(Some(level), CONNECTIONS)).collect()
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
