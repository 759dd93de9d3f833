//! What is known of a group while it is measured.

use tare_model::fault::Fault;
use tare_model::record::{ArenaRecord, Phase};
use tare_model::units::{PerSecond, Seconds};

use crate::plan::{Group, Rules};
use crate::rig::Who;
use crate::sink::Done;

pub(crate) struct GroupState<'p> {
    pub index: usize,
    pub plan: &'p Group,
    /// One per mode and size: see [`Group`].
    pub arenas: Vec<ArenaRecord>,
    /// The rate of each arena whose mode has one, set once for the whole run.
    pub rates: Vec<Option<PerSecond>>,
    /// The number of connections for each arena and entrant, set once for the whole run.
    pub levels: Vec<Vec<u32>>,
    /// Epochs begun.
    pub epochs: u32,
    /// The longest epoch so far: what the next one is expected to take.
    pub longest: Seconds,
    pub done: Option<Done>,
}

impl<'p> GroupState<'p> {
    pub fn new(index: usize, plan: &'p Group, rules: &Rules) -> Self {
        let arenas = plan.records(rules);
        let first_level = |arena: usize| {
            let connections = &plan.mode_of(arena).driving.connections;
            vec![connections.first().copied().unwrap_or(1); plan.entrants.len()]
        };
        Self {
            index,
            plan,
            rates: (0..arenas.len()).map(|arena| plan.mode_of(arena).rate).collect(),
            levels: (0..arenas.len()).map(first_level).collect(),
            arenas,
            epochs: 0,
            longest: Seconds(0.0),
            done: None,
        }
    }

    pub fn who(&self, entrant: usize) -> Who {
        Who {
            group: self.index,
            entrant,
        }
    }

    /// The arenas by which a warm-up is judged.
    pub fn warmed(&self) -> Vec<&ArenaRecord> {
        self.plan
            .judged()
            .into_iter()
            .map(|arena| &self.arenas[arena])
            .collect()
    }

    /// Entrants that still take part in an arena.
    pub fn alive_in(&self, arena: usize) -> Vec<usize> {
        let entrants = &self.arenas[arena].entrants;
        (0..entrants.len())
            .filter(|&entrant| entrants[entrant].fault.is_none())
            .collect()
    }

    /// Entrants that still take part in any arena.
    pub fn alive(&self) -> Vec<usize> {
        let takes_part = |&entrant: &usize| {
            self.arenas
                .iter()
                .any(|arena| arena.entrants[entrant].fault.is_none())
        };
        (0..self.plan.entrants.len()).filter(takes_part).collect()
    }

    /// The number of the next pilot round of an arena: no two have the same.
    pub fn next_pilot_round(&self, arena: usize) -> u32 {
        let pilots = self.arenas[arena]
            .slices
            .iter()
            .filter(|slice| slice.phase == Phase::Pilot);
        pilots.map(|slice| slice.round + 1).max().unwrap_or(0)
    }

    /// Sets an entrant aside in every arena.
    pub fn fail(&mut self, entrant: usize, epoch: u32, fault: &Fault) {
        (0..self.arenas.len()).for_each(|arena| self.fail_in(arena, entrant, epoch, fault));
    }

    /// Sets an entrant aside in one arena.
    pub fn fail_in(&mut self, arena: usize, entrant: usize, epoch: u32, fault: &Fault) {
        let record = &mut self.arenas[arena].entrants[entrant];
        if record.fault.is_none() {
            record.fault = Some(fault.clone());
            record.fault_epoch = Some(epoch);
        }
    }
}
