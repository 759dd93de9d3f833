//! The state of a group while it is measured.

use tare_model::fault::Fault;
use tare_model::record::{ArenaRecord, Phase};
use tare_model::units::{PerSecond, Seconds};

use crate::budget::{aimed_launches, least_launches};
use crate::pace::Pace;
use crate::phases::Took;
use crate::plan::{Group, Rules};
use crate::rig::Who;
use crate::sink::Done;
use crate::turns::{Findings, Share, Stand};

pub(crate) struct GroupState<'p> {
    pub index: usize,
    pub plan: &'p Group,
    /// One per mode and size: see [`Group`].
    pub arenas: Vec<ArenaRecord>,
    /// The rate of each arena whose mode has one, set once for the whole run.
    pub rates: Vec<Option<PerSecond>>,
    /// The number of connections for each arena and entrant, set once for the whole run.
    pub levels: Vec<Vec<u32>>,
    /// How much longer each entrant's slices are in the long rounds of this launch's warm-up.
    pub stretches: Vec<f64>,
    /// What the latest launch took.
    pub took: Took,
    /// Launches begun, with those of the run that is continued.
    pub launches: u32,
    /// Launches begun in this run.
    pub own: u32,
    /// How long they are expected to take.
    pub pace: Pace,
    /// The time for each.
    pub share: Share,
    least: u32,
    aimed: u32,
    /// The longest launch so far, which the next one is expected to take. With several launches the first does not count:
    /// its warm-up is longer.
    pub longest: Seconds,
    /// What it still has to tell.
    pub findings: Findings,
    pub done: Option<Done>,
}

impl<'p> GroupState<'p> {
    pub(crate) fn new(index: usize, plan: &'p Group, rules: &Rules, share: Share) -> Self {
        let arenas = plan.records(rules);
        let first_level = |arena: usize| {
            let connections = &plan.mode_of(arena).driving.connections;
            vec![connections.first().copied().unwrap_or(1); plan.entrants.len()]
        };
        let rate = |arena: usize| plan.mode_of(arena).rate.or_else(|| arenas[arena].driving.rate());
        let mut levels: Vec<Vec<u32>> = (0..arenas.len()).map(first_level).collect();
        for (arena, levels) in arenas.iter().zip(&mut levels) {
            for slice in arena.slices.iter().filter(|slice| slice.phase == Phase::Round) {
                levels[slice.entrant] = slice.reading.load.connections;
            }
        }
        let launches = arenas.iter().flat_map(|arena| &arena.launches);
        Self {
            index,
            plan,
            launches: launches.map(|launch| launch.number + 1).max().unwrap_or(0),
            rates: (0..arenas.len()).map(rate).collect(),
            levels,
            stretches: vec![1.0; plan.entrants.len()],
            arenas,
            took: Took {
                apart: None,
                round: vec![None; plan.modes.len()],
            },
            longest: Seconds(0.0),
            findings: Findings::None,
            done: None,
            own: 0,
            pace: Pace::of(plan, rules),
            share,
            least: least_launches(plan, rules),
            aimed: aimed_launches(plan, rules),
        }
    }

    /// How it stands among the others.
    pub(crate) fn stand(&self) -> Stand {
        let length = match self.own {
            0 => self.pace.launch(),
            // The first is longer.
            1 => self.longest.0 * self.pace.launch() / (self.pace.launch() + self.pace.first),
            _ => self.longest.0,
        };
        Stand {
            open: self.done.is_none(),
            findings: self.findings,
            launches: self.launches,
            own: self.own,
            least: self.least,
            aimed: self.aimed,
            length,
            first: self.pace.first,
            shortest: self.pace.shortest(),
        }
    }

    pub(crate) fn who(&self, entrant: usize) -> Who {
        Who {
            group: self.index,
            entrant,
        }
    }

    /// The arenas by which a warm-up is judged.
    pub(crate) fn warmed(&self) -> Vec<&ArenaRecord> {
        self.plan
            .judged()
            .into_iter()
            .map(|arena| &self.arenas[arena])
            .collect()
    }

    /// Entrants that still take part in an arena.
    pub(crate) fn alive_in(&self, arena: usize) -> Vec<usize> {
        let entrants = &self.arenas[arena].entrants;
        (0..entrants.len())
            .filter(|&entrant| entrants[entrant].fault.is_none())
            .collect()
    }

    /// Entrants that still take part in any arena.
    pub(crate) fn alive(&self) -> Vec<usize> {
        let takes_part = |&entrant: &usize| {
            self.arenas
                .iter()
                .any(|arena| arena.entrants[entrant].fault.is_none())
        };
        (0..self.plan.entrants.len()).filter(takes_part).collect()
    }

    /// The number of the next pilot round of an arena: no two have the same.
    pub(crate) fn next_pilot_round(&self, arena: usize) -> u32 {
        let pilots = self.arenas[arena]
            .slices
            .iter()
            .filter(|slice| slice.phase == Phase::Pilot);
        pilots.map(|slice| slice.round + 1).max().unwrap_or(0)
    }

    /// Excludes an entrant from every arena.
    pub(crate) fn fail(&mut self, entrant: usize, launch: u32, fault: &Fault) {
        (0..self.arenas.len()).for_each(|arena| self.fail_in(arena, entrant, launch, fault));
    }

    /// Excludes an entrant from one arena.
    pub(crate) fn fail_in(&mut self, arena: usize, entrant: usize, launch: u32, fault: &Fault) {
        let record = &mut self.arenas[arena].entrants[entrant];
        if record.fault.is_none() {
            record.fault = Some(fault.clone());
            record.fault_launch = Some(launch);
        }
    }
}
