//! From slices to results: the same for a run that is under way and for one read back years later.
//!
//! Pure: records in, results out. This room knows no rig, no clock, no file and no format.

mod bound;
mod claims;
mod compare;
mod contender;
pub mod history;
mod levels;
mod net;
mod provisional;
mod ranks;
mod sizes;
mod spread;
mod values;
pub mod warmup;

use std::collections::BTreeMap;

use tare_model::late::LATENCIES;
use tare_model::manifest::workload::{yields, yields_in_process};
use tare_model::metric::Metric;
use tare_model::record::{ArenaRecord, Phase, RunRecord};
use tare_model::results::{Comparison, ContenderResult, Results, State, WorkloadResult};

use compare::Pairing;
use values::Values;

pub use claims::results as claims;
pub use levels::{ROUNDS as LEVEL_ROUNDS, median};
pub use sizes::settled;
pub use values::settled_rounds;

/// The results of a whole run.
pub fn results(run: &RunRecord) -> Results {
    let workloads: Vec<WorkloadResult> = run.arenas.iter().map(analyse).collect();
    Results {
        run: run.info.clone(),
        sweeps: sizes::sweeps(&run.arenas, &workloads),
        workloads,
        explanations: Vec::new(),
    }
}

/// The results of one workload's case in one mode.
pub fn analyse(arena: &ArenaRecord) -> WorkloadResult {
    let mut contenders: Vec<ContenderResult> = (0..arena.entrants.len())
        .map(|entrant| contender::describe(arena, entrant))
        .collect();
    let field = Field::of(arena, &contenders);
    let mut comparisons = Vec::new();
    for &metric in &metrics(arena) {
        let values = Values::of(arena, metric);
        contender::estimate(arena, &values, &mut contenders);
        net::estimate(arena, &values, &field, &mut contenders);
        comparisons.extend(field.comparisons(arena, &values));
    }
    ranks::fill(arena, &field, &mut contenders);
    let claims = claims::judged(arena, &field, &Values::of(arena, arena.primary));
    WorkloadResult {
        workload: arena.workload.clone(),
        summary: arena.summary.clone(),
        case: arena.case.clone(),
        case_summary: arena.case_summary.clone(),
        sweep: arena.sweep.clone(),
        size: arena.size,
        mode: arena.mode,
        driving: arena.driving.clone(),
        placement: arena.placement.clone(),
        primary: arena.primary,
        floor: arena.floor.clone(),
        baseline: field.baseline.map(|entrant| arena.entrants[entrant].id.clone()),
        rounds: values::rounds(arena),
        launches: values::launches(arena),
        contenders,
        comparisons,
        published: arena.published.clone(),
        claims,
    }
}

/// The comparisons on the primary metric alone: what the stop rule asks.
pub fn primary(arena: &ArenaRecord) -> Vec<Comparison> {
    let contenders: Vec<ContenderResult> = (0..arena.entrants.len())
        .map(|entrant| contender::describe(arena, entrant))
        .collect();
    let field = Field::of(arena, &contenders);
    field.comparisons(arena, &Values::of(arena, arena.primary))
}

/// The metrics of an arena, the primary first.
fn metrics(arena: &ArenaRecord) -> Vec<Metric> {
    let mut metrics = if arena.driving.in_process() {
        yields_in_process()
    } else {
        yields(arena.mode)
    };
    metrics.retain(|metric| *metric != arena.primary);
    metrics.insert(0, arena.primary);
    metrics
}

/// Who is compared with whom.
struct Field {
    /// Entrants that have figures.
    measured: Vec<usize>,
    /// Those of them whose throughput is their own, not the load generator's.
    own_throughput: Vec<usize>,
    /// Those of them whose latency, one after the other, is their own.
    own_latency: BTreeMap<Metric, Vec<usize>>,
    /// The floor, if it has figures.
    floor: Option<usize>,
    /// What ratios are against: the plan's baseline, or, where that has no figures, the first that has.
    baseline: Option<usize>,
}

impl Field {
    fn of(arena: &ArenaRecord, contenders: &[ContenderResult]) -> Self {
        let of_state = |entrant: &usize| contenders[*entrant].state == State::Measured;
        let floor = arena.floor.as_ref().and_then(|id| arena.entrant(id));
        let rival = |entrant: &usize| arena.entrants[*entrant].subject.is_rival();
        let figures: Vec<usize> = (0..contenders.len()).filter(of_state).collect();
        let measured: Vec<usize> = figures.iter().copied().filter(rival).collect();
        let own = |entrant: &usize| contenders[*entrant].bound != Some(tare_model::results::Bound::Load);
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

    /// Those who may be compared on a metric.
    fn on(&self, metric: Metric) -> &[usize] {
        match metric {
            Metric::Throughput => &self.own_throughput,
            _ => self.own_latency.get(&metric).unwrap_or(&self.measured),
        }
    }

    /// Each contender against the baseline on one metric, at α over the number of such comparisons.
    fn comparisons(&self, arena: &ArenaRecord, values: &Values) -> Vec<Comparison> {
        let takers = self.on(values.metric);
        let Some(b) = self.baseline.filter(|baseline| takers.contains(baseline)) else {
            return Vec::new();
        };
        let alpha = tare_stats::multiplicity::against_baseline(arena.alpha, takers.len());
        let others = takers.iter().copied().filter(|a| *a != b);
        others
            .filter_map(|a| Pairing { a, b, alpha }.compare(arena, values, self.floor))
            .collect()
    }
}

/// Whether the record has a slice that counts.
fn has_rounds(arena: &ArenaRecord, entrant: usize) -> bool {
    arena
        .slices
        .iter()
        .any(|slice| slice.entrant == entrant && slice.phase == Phase::Round)
}
