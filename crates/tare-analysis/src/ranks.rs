//! Ranks on the primary metric: an interval for each contender, at α over all pairs.

use tare_model::record::ArenaRecord;
use tare_model::results::ContenderResult;
use tare_stats::multiplicity;

use crate::field::{Field, Pairing};
use crate::values::Values;

/// Fills in the rank intervals: [1 + surely faster, K − surely slower]. "Surely" is an interval that excludes 0:
/// a rank needs no margin.
pub(crate) fn fill(arena: &ArenaRecord, field: &Field, contenders: &mut [ContenderResult]) {
    let values = Values::of(arena, arena.primary);
    let takers = field.on(arena.primary);
    let alpha = multiplicity::for_ranking(arena.alpha, takers.len());
    let better = if values.metric.more_is_better() { 1.0 } else { -1.0 };
    let surely_better = |a: usize, b: usize| {
        let interval = Pairing {
            a: takers[a],
            b: takers[b],
            alpha,
        }
        .interval(&values);
        interval.is_some_and(|interval| better * interval.low > 0.0 && better * interval.high > 0.0)
    };
    for (place, ranks) in multiplicity::rank_intervals(takers.len(), surely_better)
        .into_iter()
        .enumerate()
    {
        contenders[takers[place]].ranks.insert(arena.primary, ranks);
    }
}
