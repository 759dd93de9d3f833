//! The tare: what is above the floor.

use tare_model::metric::Metric;
use tare_model::record::ArenaRecord;
use tare_model::results::{ContenderResult, Estimate};
use tare_stats::net;

use super::Field;
use super::compare::Pairing;
use super::values::Values;

/// Metrics of which a part can be the floor's: costs that add up.
fn adds_up(metric: Metric) -> bool {
    matches!(metric, Metric::CpuPerOp | Metric::TimePerOp | Metric::Duration)
}

/// Fills in each contender's part above the floor.
pub(super) fn estimate(arena: &ArenaRecord, values: &Values, field: &Field, contenders: &mut [ContenderResult]) {
    let Some(floor) = floor(arena, field).filter(|_| adds_up(values.metric)) else { return };
    let base = values.of_entrant(floor);
    for &entrant in field.measured.iter().filter(|entrant| **entrant != floor) {
        if let Some(found) = net::above_floor(&values.of_entrant(entrant), &base, arena.alpha) {
            let (low, high) = (found.interval.map(|i| i.low), found.interval.map(|i| i.high));
            contenders[entrant].net.insert(values.metric, Estimate { estimate: found.value, low, high });
        }
    }
}

/// The ratio of nets; none without a floor, or where the baseline's net cannot be told from zero.
pub(super) fn ratio(arena: &ArenaRecord, values: &Values, pair: Pairing) -> Option<Estimate> {
    let floor = arena.floor.as_ref().and_then(|id| arena.entrant(id)).filter(|_| adds_up(values.metric))?;
    if floor == pair.a || floor == pair.b {
        return None;
    }
    let of = |entrant| values.of_entrant(entrant);
    let found = net::ratio(&of(pair.a), &of(pair.b), &of(floor), pair.alpha)?;
    let (low, high) = (found.interval.map(|i| i.low), found.interval.map(|i| i.high));
    Some(Estimate { estimate: found.value, low, high })
}

fn floor(arena: &ArenaRecord, field: &Field) -> Option<usize> {
    arena.floor.as_ref().and_then(|id| arena.entrant(id)).filter(|floor| field.measured.contains(floor))
}
