//! An arena, as far as claims ask: its values, and which contenders have figures of their own.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use tare_model::claim::Unfit;
use tare_model::fault::FaultKind;
use tare_model::ids::ContenderId;
use tare_model::metric::Metric;
use tare_model::record::ArenaRecord;
use tare_model::results::{Bound, ContenderResult, State};

use crate::contender;
use crate::values::Values;

/// An arena of the run.
pub(crate) struct Site<'a> {
    pub arena: &'a ArenaRecord,
    fits: Vec<Fit>,
    values: RefCell<BTreeMap<Metric, Rc<Values>>>,
}

/// What decides whether a contender has figures of its own.
struct Fit {
    state: State,
    fault: Option<FaultKind>,
    generator_limited: bool,
    withheld: Vec<Metric>,
}

impl<'a> Site<'a> {
    /// `contenders` are the arena's, described.
    pub(crate) fn new(arena: &'a ArenaRecord, contenders: &[ContenderResult]) -> Self {
        let fit = |contender: &ContenderResult| Fit {
            state: contender.state,
            fault: contender.fault.as_ref().map(|fault| fault.kind),
            generator_limited: contender.bound == Some(Bound::Load),
            withheld: contender
                .late
                .as_ref()
                .map_or(Vec::new(), |late| late.withheld.clone()),
        };
        Self {
            arena,
            fits: contenders.iter().map(fit).collect(),
            values: RefCell::default(),
        }
    }

    /// The same, for an arena that nobody has described yet.
    pub(super) fn described(arena: &'a ArenaRecord) -> Self {
        Self::new(arena, &contender::describe(arena))
    }

    /// Whether both are of one workload, case and mode, that is, differ by their size at most.
    pub(super) fn beside(&self, other: &Site) -> bool {
        let of = |site: &Site<'a>| (&site.arena.workload, &site.arena.case, site.arena.mode);
        of(self) == (&other.arena.workload, &other.arena.case, other.arena.mode)
    }

    /// The contender's index if it has figures of its own on the metric, or why it has none.
    pub(super) fn entrant(&self, id: &ContenderId, metric: Metric) -> Result<usize, Unfit> {
        let entrant = self.arena.entrant(id).ok_or(Unfit::Absent)?;
        let fit = &self.fits[entrant];
        if fit.state != State::Measured {
            return Err(Unfit::Fate(fit.state, fit.fault));
        }
        if metric == Metric::Throughput && fit.generator_limited {
            return Err(Unfit::GeneratorLimited);
        }
        if fit.withheld.contains(&metric) {
            return Err(Unfit::GeneratorLate);
        }
        Ok(entrant)
    }

    /// The values of a metric.
    pub(super) fn values(&self, metric: Metric) -> Rc<Values> {
        let mut known = self.values.borrow_mut();
        let values = known
            .entry(metric)
            .or_insert_with(|| Rc::new(Values::of(self.arena, metric)));
        Rc::clone(values)
    }
}
