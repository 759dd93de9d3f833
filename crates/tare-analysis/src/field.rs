//! Which contenders of an arena are compared, and with what.

use std::collections::BTreeMap;

use tare_model::late::LATENCIES;
use tare_model::metric::Metric;
use tare_model::record::ArenaRecord;
use tare_model::results::{Bound, ContenderResult, State};

/// Which contenders are compared on which metric.
pub(crate) struct Field {
    /// Entrants with figures.
    pub measured: Vec<usize>,
    /// Those of `measured` whose throughput is not generator-limited.
    own_throughput: Vec<usize>,
    /// By latency metric: those of `measured` whose latency was not withheld.
    own_latency: BTreeMap<Metric, Vec<usize>>,
    /// The floor, if it has figures.
    pub floor: Option<usize>,
    /// The baseline of ratios: the plan's, or, where that has no figures, the first contender that has.
    pub baseline: Option<usize>,
}

impl Field {
    pub(crate) fn of(arena: &ArenaRecord, contenders: &[ContenderResult]) -> Self {
        let of_state = |entrant: &usize| contenders[*entrant].state == State::Measured;
        let floor = arena.floor.as_ref().and_then(|id| arena.entrant(id));
        let rival = |entrant: &usize| arena.entrants[*entrant].subject.is_rival();
        let figures: Vec<usize> = (0..contenders.len()).filter(of_state).collect();
        let measured: Vec<usize> = figures.iter().copied().filter(rival).collect();
        let own = |entrant: &usize| contenders[*entrant].bound != Some(Bound::Load);
        let own_throughput = measured.iter().copied().filter(own).collect();
        let in_time = |metric: Metric| -> (Metric, Vec<usize>) {
            let own = |entrant: &usize| !contenders[*entrant].late_on(metric);
            (metric, measured.iter().copied().filter(own).collect())
        };
        let own_latency = LATENCIES.into_iter().map(in_time).collect();
        let asked = arena.baseline.as_ref().and_then(|id| arena.entrant(id));
        let baseline = asked
            .filter(|entrant| measured.contains(entrant))
            .or_else(|| measured.iter().copied().find(|entrant| Some(*entrant) != floor))
            .or_else(|| measured.first().copied());
        let floor = floor.filter(|floor| figures.contains(floor));
        Self {
            measured,
            own_throughput,
            own_latency,
            floor,
            baseline,
        }
    }

    /// The entrants that may be compared on a metric.
    pub(crate) fn on(&self, metric: Metric) -> &[usize] {
        match metric {
            Metric::Throughput => &self.own_throughput,
            _ => self.own_latency.get(&metric).unwrap_or(&self.measured),
        }
    }
}

/// Two contenders to compare, by their indices, and the chance of a false statement.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pairing {
    pub a: usize,
    pub b: usize,
    pub alpha: f64,
}
