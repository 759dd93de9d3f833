//! The results of one arena: one workload's case in one mode, at one size.

use tare_model::comparison::Comparison;
use tare_model::manifest::workload::{yields, yields_in_process};
use tare_model::metric::{Metric, Mode};
use tare_model::record::ArenaRecord;
use tare_model::results::WorkloadResult;

use crate::claims::{self, Site};
use crate::field::Field;
use crate::values::{self, Values};
use crate::{compare, contender, net, ranks};

/// The results of one workload's case in one mode. Its claims are judged as far as this arena alone tells.
pub fn analyse(arena: &ArenaRecord) -> WorkloadResult {
    let mut results = analyse_all(std::slice::from_ref(arena));
    results.remove(0)
}

/// The results of several arenas of a run, with the claims that all of them together support or refute.
pub fn analyse_all(arenas: &[ArenaRecord]) -> Vec<WorkloadResult> {
    analyse_among(arenas, &[])
}

/// The results of several arenas of a run. Their claims may compare them with `others`, which have no results here.
pub fn analyse_among(arenas: &[ArenaRecord], others: &[&ArenaRecord]) -> Vec<WorkloadResult> {
    let all = || arenas.iter().chain(others.iter().copied());
    let mut results: Vec<WorkloadResult> = all().map(without_claims).collect();
    let sites = all().zip(&results);
    let sites: Vec<Site> = sites
        .map(|(arena, result)| Site::new(arena, &result.contenders))
        .collect();
    for (result, claims) in results.iter_mut().zip(claims::judged(&sites)) {
        result.claims = claims;
    }
    results.truncate(arenas.len());
    results
}

fn without_claims(arena: &ArenaRecord) -> WorkloadResult {
    let mut contenders = contender::describe(arena);
    let field = Field::of(arena, &contenders);
    let mut comparisons = Vec::new();
    for &metric in &metrics(arena) {
        let values = Values::of(arena, metric);
        contender::estimate(arena, &values, &mut contenders);
        net::estimate(arena, &values, &field, &mut contenders);
        // Benchmarks are judged together, all arenas of a run.
        if arena.mode != Mode::Benchmark {
            comparisons.extend(compare::with_baseline(arena, &field, &values));
        }
    }
    if arena.mode != Mode::Benchmark {
        ranks::fill(arena, &field, &mut contenders);
    }
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
        claims: Vec::new(),
    }
}

/// The comparisons on the primary metric alone: what the stop rule asks.
pub fn primary(arena: &ArenaRecord) -> Vec<Comparison> {
    let field = Field::of(arena, &contender::describe(arena));
    compare::with_baseline(arena, &field, &Values::of(arena, arena.primary))
}

/// The log ratios to the baseline on the primary metric: of each other contender, in each launch that has both, by round.
pub fn differences(arena: &ArenaRecord) -> Vec<Vec<Vec<f64>>> {
    let field = Field::of(arena, &contender::describe(arena));
    let values = Values::of(arena, arena.primary);
    let Some(baseline) = field.baseline else {
        return Vec::new();
    };
    let others = field.measured.iter().filter(|entrant| **entrant != baseline);
    let of = |a: &usize| {
        let launches = (0..values.rounds.len()).map(|launch| values.differences(launch, *a, baseline));
        launches.filter(|rounds| !rounds.is_empty()).collect()
    };
    others.map(of).collect()
}

/// The metrics of an arena, the primary first.
pub(crate) fn metrics(arena: &ArenaRecord) -> Vec<Metric> {
    let mut metrics = if arena.driving.in_process() {
        yields_in_process()
    } else {
        yields(arena.mode)
    };
    metrics.retain(|metric| *metric != arena.primary);
    metrics.insert(0, arena.primary);
    metrics
}
