//! Runs of several machines, taken together as one.
//!
//! Only what was measured alike is: the same settings, manifests, contenders and tools, on machines of one kind. What each
//! launch was on is kept ([`LaunchRecord::node`]); what follows from that is in [`crate::values`].

use std::collections::BTreeSet;

use tare_model::driving::{Driving, Load};
use tare_model::ids::ContenderId;
use tare_model::record::{
    ArenaRecord, EntrantRecord, LaunchRecord, Phase, RunRecord, SliceRecord, SteadyRecord,
};
use tare_model::results::{Machine, RunInfo};
use tare_model::settings::{RunKind, Settings};
use tare_model::units::Seconds;

/// Why runs cannot be taken together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Apart {
    /// A run is of a kind that has no launches of its own.
    #[error("run {run} is not one of `tare run` or `tare time`")]
    Kind {
        /// Its id.
        run: String,
    },
    /// One run twice.
    #[error("run {run} is named twice")]
    Twice {
        /// Its id.
        run: String,
    },
    /// Another version may measure differently.
    #[error("runs {one} and {other} were made by different versions of tare")]
    Version {
        /// The first run's id.
        one: String,
        /// The other's.
        other: String,
    },
    /// They were asked for different things.
    #[error("runs {one} and {other} have different settings: {what}")]
    Settings {
        /// The first run's id.
        one: String,
        /// The other's.
        other: String,
        /// What differs.
        what: &'static str,
    },
    /// The machines are not of one kind.
    #[error("{one} and {other} are unlike machines")]
    Machines {
        /// The first, with processor and cores.
        one: String,
        /// The other.
        other: String,
    },
    /// A case was driven differently.
    #[error(
        "{case} was measured differently in run {run}: other contenders to compare with, connections, rate, cores or margin"
    )]
    Case {
        /// Its title.
        case: String,
        /// The run.
        run: String,
    },
    /// A contender is another program there.
    #[error("{contender} is not the same in run {run}: its sources, or the versions of its tools, differ")]
    Contender {
        /// Which.
        contender: ContenderId,
        /// The run.
        run: String,
    },
}

/// Runs as one, whose launches keep their nodes: machines by host name, processor and number of cores. Runs of one machine are
/// one after the other, as if one had continued the other. `unlike`: whether machines and tools may differ.
///
/// # Errors
/// They cannot be taken together.
///
/// # Panics
/// There is no run.
pub fn pooled(mut runs: Vec<RunRecord>, unlike: bool) -> Result<RunRecord, Apart> {
    runs.sort_by(|a, b| (a.info.started, &a.info.id).cmp(&(b.info.started, &b.info.id)));
    for run in &runs {
        alike(&runs[0].info, &run.info, unlike)?;
    }
    for pair in runs.windows(2) {
        if pair[0].info.id == pair[1].info.id {
            let run = pair[0].info.id.clone();
            return Err(Apart::Twice { run });
        }
    }
    let info = together(&runs);
    let mut arenas: Vec<ArenaRecord> = Vec::new();
    for mut run in runs {
        drop_begun(&mut run);
        let part = Part {
            node: place(&info.nodes, &run.info.machine),
            later: Seconds((run.info.started - info.started) as f64),
            run: run.info.id,
            unlike,
        };
        for arena in run.arenas {
            part.add(&mut arenas, arena)?;
        }
    }
    Ok(RunRecord { info, arenas })
}

/// Drops launches without a measured round in any mode and at any size of their case: the run ended before. They would take the
/// place of a launch that has some.
fn drop_begun(run: &mut RunRecord) {
    let case = |arena: &ArenaRecord| (arena.workload.clone(), arena.case.clone());
    let mut measured = BTreeSet::new();
    for arena in &run.arenas {
        let rounds = arena.slices.iter().filter(|slice| slice.phase == Phase::Round);
        measured.extend(rounds.map(|slice| (case(arena), slice.launch)));
    }
    for arena in &mut run.arenas {
        let case = case(arena);
        let kept = |launch: u32| measured.contains(&(case.clone(), launch));
        arena.launches.retain(|launch| kept(launch.number));
        arena.slices.retain(|slice| kept(slice.launch));
    }
}

/// Whether a run may be taken together with the first.
fn alike(first: &RunInfo, run: &RunInfo, unlike: bool) -> Result<(), Apart> {
    let (one, other) = (first.id.clone(), run.id.clone());
    if !matches!(run.settings.kind, RunKind::Run | RunKind::Time) || run.imported.is_some() {
        return Err(Apart::Kind { run: other });
    }
    if first.tare != run.tare {
        return Err(Apart::Version { one, other });
    }
    if let Some(what) = difference(&first.settings, &run.settings) {
        return Err(Apart::Settings { one, other, what });
    }
    let kind = |machine: &Machine| (machine.cpu.clone(), machine.cores);
    if !unlike && kind(&first.machine) != kind(&run.machine) {
        return Err(Apart::Machines {
            one: first.machine.identity(),
            other: run.machine.identity(),
        });
    }
    Ok(())
}

/// What differs of two settings, beside what says nothing of how was measured: the seed, and how long a run went on.
fn difference(first: &Settings, other: &Settings) -> Option<&'static str> {
    if first.revision != other.revision {
        return Some("the revision");
    }
    if (first.alpha, first.margin) != (other.alpha, other.margin) {
        return Some("alpha or the margin");
    }
    let manifests = |settings: &Settings| settings.contenders.as_ref().map(|one| one.manifests.clone());
    if manifests(first) != manifests(other) {
        return Some("the manifests");
    }
    let measured = |settings: &Settings| {
        let mut settings = settings.clone();
        (settings.seed, settings.budget, settings.launches) = (None, None, None);
        if let Some(contenders) = &mut settings.contenders {
            contenders.resumes = None;
        }
        settings
    };
    (measured(first) != measured(other)).then_some("how was measured")
}

/// What is said of all runs: those of the first, where they are the same.
fn together(runs: &[RunRecord]) -> RunInfo {
    let all = || runs.iter().map(|run| &run.info);
    let mut nodes: Vec<Machine> = Vec::new();
    for info in all() {
        if nodes
            .iter()
            .all(|node| node.identity() != info.machine.identity())
        {
            nodes.push(info.machine.clone());
        }
    }
    nodes.sort_by_key(Machine::identity);
    let ids: Vec<&str> = all().map(|info| info.id.as_str()).collect();
    let notes = all().flat_map(|info| {
        info.notes
            .iter()
            .map(|note| format!("{}: {note}", info.machine.host))
    });
    RunInfo {
        id: ids.join("+"),
        took: all()
            .map(|info| info.took)
            .fold(Seconds(0.0), |a, b| Seconds(a.0.max(b.0))),
        complete: all().all(|info| info.complete),
        notes: notes.collect(),
        phases: phases(runs),
        nodes,
        ..runs[0].info.clone()
    }
}

/// The phases of all runs, in the order in which they first occur.
fn phases(runs: &[RunRecord]) -> Vec<(String, Seconds)> {
    let mut sums: Vec<(String, Seconds)> = Vec::new();
    for (name, time) in runs.iter().flat_map(|run| &run.info.phases) {
        match sums.iter_mut().find(|(there, _)| there == name) {
            Some((_, sum)) => sum.0 += time.0,
            None => sums.push((name.clone(), *time)),
        }
    }
    sums
}

fn place(nodes: &[Machine], machine: &Machine) -> u32 {
    let here = |node: &Machine| node.identity() == machine.identity();
    nodes.iter().position(here).unwrap_or(0) as u32
}

/// A run that is taken together with those before.
struct Part {
    run: String,
    node: u32,
    /// How much later it began than the first, by the clocks of both machines: for readers, nothing is computed from it.
    later: Seconds,
    unlike: bool,
}

impl Part {
    fn add(&self, arenas: &mut Vec<ArenaRecord>, mut arena: ArenaRecord) -> Result<(), Apart> {
        let entrants = std::mem::take(&mut arena.entrants);
        let launches = std::mem::take(&mut arena.launches);
        let slices = std::mem::take(&mut arena.slices);
        let place = match arenas.iter().position(|there| same_case(there, &arena)) {
            Some(place) if driven_alike(&arenas[place], &arena) => place,
            Some(_) => {
                return Err(Apart::Case {
                    case: format!("{}/{}, {}", arena.workload, arena.case, arena.mode),
                    run: self.run.clone(),
                });
            }
            None => {
                arenas.push(arena);
                arenas.len() - 1
            }
        };
        let there = &mut arenas[place];
        let number = there.launches.len() as u32;
        let renumbered = |old: u32| {
            let place = launches.iter().position(|launch| launch.number == old);
            number + place.unwrap_or(0) as u32
        };
        let entrants = entrants.into_iter();
        let entrants = entrants.map(|entrant| self.entrant(there, entrant, &renumbered));
        let entrants: Vec<usize> = entrants.collect::<Result<_, Apart>>()?;
        let launch = |launch: &LaunchRecord| LaunchRecord {
            number: renumbered(launch.number),
            node: self.node,
            began: Seconds(launch.began.0 + self.later.0),
            steady: launch
                .steady
                .iter()
                .map(|steady| of_entrant(*steady, &entrants))
                .collect(),
        };
        there.launches.extend(launches.iter().map(launch));
        there.slices.extend(slices.into_iter().map(|slice| SliceRecord {
            launch: renumbered(slice.launch),
            entrant: entrants[slice.entrant],
            ..slice
        }));
        Ok(())
    }

    /// The place of an entrant among those that are there.
    fn entrant(
        &self,
        there: &mut ArenaRecord,
        entrant: EntrantRecord,
        renumbered: &dyn Fn(u32) -> u32,
    ) -> Result<usize, Apart> {
        let (fault, fault_launch) = (entrant.fault.clone(), entrant.fault_launch.map(renumbered));
        let Some(place) = there.entrant(&entrant.id) else {
            there.entrants.push(EntrantRecord {
                fault_launch,
                ..entrant
            });
            return Ok(there.entrants.len() - 1);
        };
        let known = &mut there.entrants[place];
        // One that is missing on a node has no versions there; its fault says so.
        if !self.unlike && known.subject != entrant.subject && known.fault.is_none() && fault.is_none() {
            return Err(Apart::Contender {
                contender: entrant.id,
                run: self.run.clone(),
            });
        }
        if known.fault.is_none() {
            (known.fault, known.fault_launch) = (fault, fault_launch);
        }
        Ok(place)
    }
}

fn of_entrant(steady: SteadyRecord, entrants: &[usize]) -> SteadyRecord {
    SteadyRecord {
        entrant: entrants[steady.entrant],
        ..steady
    }
}

fn same_case(one: &ArenaRecord, other: &ArenaRecord) -> bool {
    let case = |arena: &ArenaRecord| (arena.workload.clone(), arena.case.clone(), arena.mode, arena.size);
    case(one) == case(other)
}

fn driven_alike(one: &ArenaRecord, other: &ArenaRecord) -> bool {
    let (a, b) = (one, other);
    set(&a.driving) == set(&b.driving)
        && a.placement == b.placement
        && a.primary == b.primary
        && a.floor == b.floor
        && a.baseline == b.baseline
        && a.margin == b.margin
        && a.alpha == b.alpha
}

/// What of a driving is set before a run: without what a run finds out for its machine.
fn set(driving: &Driving) -> Driving {
    match driving {
        Driving::Load(load) => Driving::Load(Load {
            rate: None,
            ..load.clone()
        }),
        Driving::Commands { .. } => Driving::Commands { runs: 0 },
        other => other.clone(),
    }
}
