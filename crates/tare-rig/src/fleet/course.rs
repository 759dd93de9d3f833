//! What happens to a fleet, from its start to what it saw.

use std::time::{Duration, Instant};

use tare_model::units::Seconds;

use super::error::FleetError;
use super::outcome::{GeneratorOutcome, join};
use super::place::Place;

/// What a fleet saw.
#[derive(Debug)]
pub struct Together {
    /// All of it.
    pub all: GeneratorOutcome,
    /// What each agent saw, in their order; of a fleet of this machine nothing.
    pub agents: Vec<AgentOutcome>,
    /// How far apart two generators can have begun at the most, by this machine's clock; none if not all began.
    pub apart: Option<Duration>,
    /// Answers a second, each generator by its own clock and for as long as it loaded.
    pub(super) throughput: f64,
}

/// What the generators of an agent saw.
#[derive(Debug)]
pub struct AgentOutcome {
    /// All of it.
    pub outcome: GeneratorOutcome,
    /// From when they were let go until it was heard that they had begun, by this machine's clock.
    pub round_trip: Option<Duration>,
    /// The part of that which was the agent's and its processes', by its own clock.
    pub after: Option<Duration>,
}

impl Together {
    /// The same, if all places loaded together for nearly all of the time, as a load for a time has to. One that was ended
    /// is what it is.
    ///
    /// # Errors
    /// [`FleetError::Apart`] if they may have begun further apart than a tenth of the time.
    pub fn at_once(self) -> Result<Self, FleetError> {
        const SHARE: f64 = 0.1;
        let wall = self.all.reading.wall;
        let whole = self.all.fault.is_none() && !self.all.interrupted;
        match self.apart.map(Seconds::from_duration) {
            Some(apart) if whole && apart.0 > wall.0 * SHARE => Err(FleetError::Apart { apart, wall }),
            _ => Ok(self),
        }
    }
}

/// What has happened so far.
#[derive(Debug)]
pub(super) struct Course {
    processes: Vec<Process>,
    /// When each place was told to begin; empty before that.
    pub(super) let_go: Vec<Instant>,
    /// When it was heard of each place that it had begun, and how long that took there.
    pub(super) begun: Vec<Option<(Instant, Duration)>>,
    /// The first place that is gone, and why.
    lost: Option<(usize, String)>,
    /// The first process that ended without a word, and the first that said that it was interrupted, by their places: the
    /// others are then ended, too.
    silent: Option<usize>,
    interrupted: Option<usize>,
}

#[derive(Debug)]
struct Process {
    place: usize,
    ready: bool,
    gone: bool,
    outcome: Option<GeneratorOutcome>,
}

impl Course {
    pub(super) fn new(places: &[Place]) -> Self {
        let processes = places.iter().enumerate().flat_map(|(place, at)| {
            (0..at.processes).map(move |_| Process {
                place,
                ready: false,
                gone: false,
                outcome: None,
            })
        });
        Self {
            processes: processes.collect(),
            let_go: Vec::new(),
            begun: vec![None; places.len()],
            lost: None,
            silent: None,
            interrupted: None,
        }
    }

    /// Notes that a process has its connections.
    pub(super) fn ready(&mut self, process: usize) {
        self.processes[process].ready = true;
    }

    /// Notes what a process saw; whether the others have to end.
    pub(super) fn ended(&mut self, process: usize, outcome: GeneratorOutcome) -> bool {
        let process = &mut self.processes[process];
        if outcome.interrupted {
            self.interrupted.get_or_insert(process.place);
        }
        let bad = outcome.fault.is_some() || outcome.interrupted;
        process.outcome = Some(outcome);
        bad
    }

    /// Notes that a process is gone; whether the others have to end. If not all were ready, they would wait in vain.
    pub(super) fn gone(&mut self, process: usize) -> bool {
        let process = &mut self.processes[process];
        process.gone = true;
        let silent = process.outcome.is_none();
        if silent {
            self.silent.get_or_insert(process.place);
        }
        silent || !self.is_ready()
    }

    /// Notes that a place is gone; whether that is a loss: one that has said all that it saw is not needed any more.
    pub(super) fn lose(&mut self, place: usize, why: String) -> bool {
        let own = self
            .processes
            .iter_mut()
            .filter(|process| process.place == place && !process.gone);
        let lost = own.map(|process| process.gone = true).count() > 0;
        if lost {
            self.lost.get_or_insert((place, why));
        }
        lost
    }

    pub(super) fn is_ready(&self) -> bool {
        self.processes.iter().all(|process| process.ready)
    }

    /// Whether every process has said what it saw, or is gone.
    pub(super) fn has_ended(&self) -> bool {
        let mut all = self.processes.iter();
        all.all(|process| process.gone || process.outcome.is_some())
    }

    pub(super) fn is_over(&self) -> bool {
        self.processes.iter().all(|process| process.gone)
    }

    /// How far apart two places can have begun. Each began between when it was told to and when it was heard that it had, so
    /// no two began further apart than from the first of the former to the last of the latter.
    fn apart(&self) -> Option<Duration> {
        if self.processes.len() == 1 {
            // It is apart from none.
            return self.begun[0].map(|_| Duration::ZERO);
        }
        let first = self.let_go.iter().min()?;
        let heard: Option<Vec<Instant>> = self.begun.iter().map(|one| one.map(|(at, _)| at)).collect();
        Some(heard?.into_iter().max()?.saturating_duration_since(*first))
    }

    pub(super) fn outcome(self, places: &[Place], stopped: bool) -> Result<Together, FleetError> {
        if let Some((place, why)) = self.lost {
            let name = places[place].name.clone().unwrap_or_default();
            return Err(FleetError::Lost { name, why });
        }
        let seen = |process: &Process| process.outcome.clone().map(|outcome| (process.place, outcome));
        let outcomes: Vec<(usize, GeneratorOutcome)> = self.processes.iter().filter_map(seen).collect();
        // One that saw a fault, or a person, had all of them end.
        let whole = !stopped && outcomes.iter().all(|(_, outcome)| outcome.fault.is_none());
        let name = |place: usize| places[place].name.clone();
        match (self.interrupted, self.silent) {
            (Some(place), _) if whole => return Err(FleetError::Interrupted { name: name(place) }),
            (None, Some(place)) if whole && self.is_ready() => {
                return Err(FleetError::EndedSilently { name: name(place) });
            }
            (None, Some(place)) if whole => return Err(FleetError::EndedEarly { name: name(place) }),
            _ => {}
        }
        if let Some((place, bad)) = outcomes.iter().find(|(_, one)| !one.reading.requests.balance()) {
            return Err(FleetError::Unbalanced {
                name: name(*place),
                counts: bad.reading.requests,
            });
        }
        Ok(self.together(places, &outcomes, stopped))
    }

    fn together(&self, places: &[Place], outcomes: &[(usize, GeneratorOutcome)], stopped: bool) -> Together {
        let of = |place: usize| {
            let own = outcomes.iter().filter(move |(at, _)| *at == place);
            join(own.map(|(_, outcome)| outcome), u64::max)
        };
        let remote = |place: &&Place| place.name.is_some();
        let agents: Vec<AgentOutcome> = (0..places.iter().filter(remote).count())
            .map(|place| AgentOutcome {
                outcome: named(of(place), places[place].name.as_deref()),
                round_trip: self.round_trip(place),
                after: self.begun[place].map(|(_, after)| after),
            })
            .collect();
        let all = if agents.is_empty() {
            join(outcomes.iter().map(|(_, outcome)| outcome), u64::max)
        } else {
            join(agents.iter().map(|agent| &agent.outcome), u64::saturating_add)
        };
        Together {
            all: GeneratorOutcome {
                interrupted: stopped,
                ..all
            },
            agents,
            apart: self.apart(),
            throughput: throughput(outcomes),
        }
    }

    fn round_trip(&self, place: usize) -> Option<Duration> {
        let (heard, _) = self.begun[place]?;
        Some(heard.saturating_duration_since(*self.let_go.get(place)?))
    }
}

fn throughput(outcomes: &[(usize, GeneratorOutcome)]) -> f64 {
    let readings = outcomes.iter().map(|(_, outcome)| &outcome.reading);
    let loaded = readings.filter(|reading| reading.wall.0 > 0.0);
    loaded
        .map(|reading| reading.answers as f64 / reading.wall.0)
        .sum()
}

/// An outcome whose fault says from where it was seen.
fn named(mut outcome: GeneratorOutcome, name: Option<&str>) -> GeneratorOutcome {
    if let (Some(fault), Some(name)) = (&mut outcome.fault, name) {
        fault.detail = format!("seen from {name}: {}", fault.detail);
    }
    outcome
}
