//! What passes are expected to do: the round of each with which a run begins, and no more.

use tare_model::forecast::{BenchmarkForecast, PassesForecast, Planned};
use tare_model::units::Seconds;

use super::Passes;
use crate::plan::Plan;
use crate::rig::Rig;
use crate::sink::{Done, Event, Sink, SinkError};

/// Keeps nothing.
struct Deaf;

impl Sink for Deaf {
    fn event(&mut self, _: &Event<'_>) -> Result<(), SinkError> {
        Ok(())
    }
}

/// Measures a round of each benchmark, as a run does first, and says what the budget holds.
pub fn forecast(plan: &Plan, rig: &mut dyn Rig) -> PassesForecast {
    let mut deaf = Deaf;
    let mut passes = Passes::new(plan, rig, &mut deaf);
    let began = passes.now();
    // Nothing is kept, so nothing can fail to be.
    let _ = passes.begin();
    passes.forecast(Seconds(passes.now() - began))
}

impl Passes<'_> {
    fn forecast(&self, first: Seconds) -> PassesForecast {
        let rules = self.experiment.rules;
        let time = self.time();
        let pass = f64::from(self.rounds) * time.round;
        // What is nearly a pass is cut only at its end.
        let fit = rules
            .budget
            .map(|_| ((time.left + 1e-9) / (pass + time.apart).max(1e-9)) as u32);
        let out: Vec<usize> = (0..self.groups.len())
            .filter(|&group| self.groups[group].done == Some(Done::LeftOut))
            .collect();
        let all: Vec<usize> = self.open().into_iter().chain(out.iter().copied()).collect();
        PassesForecast {
            budget: rules.budget,
            compared: self.groups.iter().any(|group| group.plan.entrants.len() > 1),
            benchmarks: (0..self.groups.len()).map(|group| self.of(group)).collect(),
            first,
            rounds: self.rounds,
            pass: Seconds(pass),
            passes: match (fit, rules.launches) {
                (Some(fit), Some(most)) => Some(fit.min(most)),
                (fit, most) => fit.or(most),
            },
            enough: (!out.is_empty()).then(|| self.enough(&all)),
        }
    }

    fn of(&self, group: usize) -> BenchmarkForecast {
        let state = &self.groups[group];
        let entrants = &state.arenas[0].entrants;
        let faulty = entrants.iter().find_map(|entrant| {
            let (side, fault) = (entrant.id.to_string(), entrant.fault.clone()?);
            Some(Planned::Not { side, fault })
        });
        let planned = match state.done {
            Some(Done::LeftOut) => Planned::LeftOut,
            _ => faulty.unwrap_or(Planned::Measured),
        };
        BenchmarkForecast {
            program: state.plan.workload.clone(),
            name: state.plan.case.clone(),
            round: self.costs[group].round().map(Seconds),
            planned,
        }
    }
}
